// The sum of n floats, in the form that online judges call: device pointers in, and the value in device memory when the
// default stream gets there. The whole solution is the last line.

#include <preduce/preduce.hpp>

namespace {
constexpr auto policy = preduce::automatic;
}

extern "C" void solve(float const* input, float* output, int n) {
  preduce::reduce_into(policy, input, input + n, output);
}

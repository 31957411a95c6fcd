// Compiled for sm_80 only. What needs code for sm_90 must be refused on any GPU, and everything else must work.

#include <preduce/preduce.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

struct falling {
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return static_cast<float>(-i); }
};

}  // namespace

int main() {
  if (!preduce::gpu_available()) {
    std::printf("no usable GPU\n");
    return 0;
  }
  preduce::located<float> least{};
  try {
    preduce::parallel_reduce(preduce::warp_shuffle, 1000, falling{}, preduce::min_loc(least));
    std::printf("a 16-byte atomic was accepted\n");
    return 1;
  } catch (preduce::error const& refused) {
    if (std::string(refused.what()).find("sm_90") == std::string::npos) {
      std::printf("%s\n", refused.what());
      return 1;
    }
  }
  preduce::parallel_reduce(preduce::automatic, 1000, falling{}, preduce::min_loc(least));
  float const sum = preduce::parallel_reduce(preduce::two_pass, 1'000'000, falling{});
  float const same = preduce::parallel_reduce(preduce::serial, 1'000'000, falling{});
  std::printf("%g at %lld, %g\n", least.value, static_cast<long long>(least.index), sum);
  return least.index == 999 && sum == same ? 0 : 1;
}

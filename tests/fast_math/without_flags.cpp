#include "without_flags.hpp"

#include <preduce/preduce.hpp>

namespace without_flags {

float sum_of_portable_bits(float const* data, std::int64_t n) {
  return preduce::reduce(preduce::openmp.require(preduce::determinism::portable), data, data + n);
}

bool plan_is_portable() {
  return preduce::openmp.plan_for<float>(1000).bits == preduce::determinism::portable;
}

}  // namespace without_flags

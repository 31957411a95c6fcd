#pragma once
// The data that reductions run over, and the operators that a user of either library would write.

#include <preduce/config.hpp>

#include <cstdint>
#include <type_traits>

namespace perf {

/// Element i of the data: the same on CPU and GPU. Floating point lies in [0, 1), with random low bits so that another
/// order shows in the bits of a sum; integers in -512 .. 511 or what of that fits, so that 2^30 of them do not overflow
/// the baselines' int.
template <class T>
PREDUCE_FUNCTION T element_at(std::int64_t i) {
  auto h = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(h >> 40) * 0x1p-24f;
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(h >> 11) * 0x1p-53;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(h & 1023) - 512);
  else
    return static_cast<T>(static_cast<float>(h >> 56) * 0x1p-8f);  // half and bfloat16: exact in both
}

/// Floats side by side, added one by one.
template <int Count>
struct floats {
  float part[Count];

  friend PREDUCE_FUNCTION floats operator+(floats const& a, floats const& b) {
    floats total;
    for (int i = 0; i < Count; ++i) total.part[i] = a.part[i] + b.part[i];
    return total;
  }
};

struct add {
  static constexpr bool commutative = true;
  template <class T>
  PREDUCE_FUNCTION T operator()(T const& a, T const& b) const {
    return a + b;
  }
};

/// A user's operator with state: associative and commutative, with -shift as its identity.
struct shifted_add {
  static constexpr bool commutative = true;
  float shift;
  PREDUCE_FUNCTION float operator()(float a, float b) const { return a + b + shift; }
};
inline constexpr float affine_shift = -0.5F;

struct product_of_two {
  float const* a;
  float const* b;
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return a[i] * b[i]; }
};

struct element_of {
  float const* a;
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return a[i]; }
};

}  // namespace perf

#pragma once
// half and bfloat16 in the tests' own words: what their bits mean, and how a float is rounded to them.

#include <preduce/bfloat16.hpp>
#include <preduce/half.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sample.hpp"

namespace small_float {

template <class H>
struct format;
template <>
struct format<__half> {
  static constexpr int mantissa_bits = 10, bias = 15;
};
template <>
struct format<__nv_bfloat16> {
  static constexpr int mantissa_bits = 7, bias = 127;
};

template <class H>
std::uint16_t bits(H h) {
  return std::bit_cast<std::uint16_t>(h);
}

template <class H>
H from_bits(unsigned pattern) {
  return std::bit_cast<H>(static_cast<std::uint16_t>(pattern));
}

/// The value of a pattern; exact.
template <class H>
float widened(H h) {
  using f = format<H>;
  unsigned const pattern = bits(h);
  int const exponent = static_cast<int>((pattern & 0x7fffu) >> f::mantissa_bits);
  int const mantissa = static_cast<int>(pattern & ((1u << f::mantissa_bits) - 1));
  double magnitude = 0;
  if (exponent == 2 * f::bias + 1) {
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(mantissa, 1 - f::bias - f::mantissa_bits);
  } else {
    magnitude = std::ldexp(mantissa + (1 << f::mantissa_bits), exponent - f::bias - f::mantissa_bits);
  }
  return static_cast<float>((pattern & 0x8000u) != 0 ? -magnitude : magnitude);
}

/// The nearest value, the even one of two; what is too large becomes infinite, and every NaN CUDA's one.
template <class H>
H rounded(float value) {
  using f = format<H>;
  if (std::isnan(value)) return from_bits<H>(0x7fff);
  unsigned const sign = std::signbit(value) ? 0x8000u : 0u;
  constexpr unsigned infinity = (2u * f::bias + 1u) << f::mantissa_bits;
  double const magnitude = std::fabs(static_cast<double>(value));
  if (std::isinf(value)) return from_bits<H>(sign | infinity);
  int const exponent = magnitude == 0 ? 1 - f::bias : std::max(std::ilogb(magnitude), 1 - f::bias);
  double const quanta = std::nearbyint(std::ldexp(magnitude, f::mantissa_bits - exponent));
  // A mantissa that rounds up to the next power of two carries into the exponent, as the format means it to.
  auto const pattern = static_cast<unsigned>(exponent + f::bias - 1) << f::mantissa_bits;
  auto const all = pattern + static_cast<unsigned>(quanta);
  return from_bits<H>(sign | (all > infinity ? infinity : all));
}

/// Values of every kind but NaN and infinity, sums of which stay finite in float.
template <class H>
std::vector<H> samples(std::size_t count, std::uint64_t salt) {
  sample::generator g(salt);
  std::vector<H> values;
  values.reserve(count);
  while (values.size() < count) {
    auto const value = from_bits<H>(static_cast<unsigned>(g.next() & 0xffff));
    if (std::fabs(widened(value)) < 1e30f) values.push_back(value);
  }
  return values;
}

}  // namespace small_float

#pragma once
// Before anything is timed its result is checked: against a reference that no policy computed, and bit for bit between
// policies.

#include <preduce/shape.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace perf {

template <class T>
std::string hex_bits(T value) {
  std::array<unsigned char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  std::string text = "0x";
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {  // little-endian machines: the high byte is last
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(*byte));
    text += digits;
  }
  return text;
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// The type a reference is kept in: exact for integers; for floating point wider or compensated.
template <class T>
using reference_t = std::conditional_t<std::is_integral_v<T>, T, double>;

/// How far a canonical sum of n values may lie from the true sum: each addition on the longest path from an element to
/// the root errs by half an ulp of at most the sum of magnitudes (Higham, Accuracy and Stability of Numerical
/// Algorithms, section 4.2). The second term allows for the reference, a blocked sum in double.
template <class T>
double sum_tolerance(std::int64_t n, double sum_of_magnitudes) {
  if constexpr (std::is_integral_v<T>) return 0;
  auto const shape = preduce::shape_of(n);
  auto const depth = static_cast<double>(shape.rows + 12 + shape.partial_rows + 10 + 1);
  constexpr double half_ulp = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  constexpr double reference_error = 4096 * std::numeric_limits<double>::epsilon() / 2;
  return (depth * half_ulp + reference_error) * sum_of_magnitudes;
}

/// One policy's result of the case at hand.
template <class T>
struct policy_result {
  std::string policy;
  T value;
};

/// Empty where the first result lies within `tolerance` of `expected` and all others have its bits, else what is wrong.
template <class T>
std::string check_results(std::vector<policy_result<T>> const& results, reference_t<T> expected, double tolerance) {
  if (results.empty()) return "no policy to check";
  auto const& first = results.front();
  if constexpr (std::is_integral_v<T>) {
    if (first.value != expected)
      return first.policy + " gave " + std::to_string(first.value) + ", the reference is " + std::to_string(expected);
  } else {
    auto const off = std::abs(static_cast<double>(first.value) - expected);
    if (!(off <= tolerance)) {
      char text[200];
      std::snprintf(text, sizeof text, "%s gave %.17g, the reference is %.17g: off by %.3g, allowed %.3g",
                    first.policy.c_str(), static_cast<double>(first.value), expected, off, tolerance);
      return text;
    }
  }
  for (auto const& other : results)
    if (!same_bits(other.value, first.value))
      return other.policy + " gave the bits " + hex_bits(other.value) + ", " + first.policy + ' ' +
             hex_bits(first.value);
  return {};
}

}  // namespace perf

#pragma once
// Where the extremes lie, in the tests' own words.

#include "lists.hpp"
#include "reference.hpp"
#include "walk.hpp"

#include <preduce/location.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace locations {

/// Whether x stands before y: NaN first, then by value, -0 below +0; for the maximum the other way round.
template <bool Maximum, class T>
bool before(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && !std::isnan(y);
    if (x == y) return Maximum ? std::signbit(y) && !std::signbit(x) : std::signbit(x) && !std::signbit(y);
  }
  return Maximum ? y < x : x < y;
}

/// The position of the first extreme among the first n, or -1.
template <bool Maximum, class T>
std::int64_t position(std::vector<T> const& values, std::int64_t n) {
  std::int64_t found = n == 0 ? -1 : 0;
  for (std::int64_t i = 1; i < n; ++i) {
    if (before<Maximum>(values[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(found)])) found = i;
  }
  return found;
}

/// Not the bytes: a located<float> has padding.
template <class T>
bool same(preduce::located<T> const& want, preduce::located<T> const& got, char const* what, lists::entry const& about,
          std::int64_t n) {
  bool const value = walk::same_bits(want.value, got.value, what, about, n);
  return walk::same_bits(want.index, got.index, what, about, n) && value;
}

template <bool Maximum, class T>
preduce::located<T> wanted(std::vector<T> const& values, std::int64_t n, std::int64_t first) {
  if (n == 0) {
    using limits = std::numeric_limits<T>;
    T const most = limits::has_infinity ? limits::infinity() : limits::max();
    T const least = limits::has_infinity ? -limits::infinity() : limits::lowest();
    return {Maximum ? least : most, -1};
  }
  auto const at = position<Maximum>(values, n);
  auto const value = values[static_cast<std::size_t>(at)];
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return {reference::canonical_nan<T>(), first + at};
  }
  return {value, first + at};
}

/// Both locations of [first, first + n) against the test's own; false where one is wrong.
template <class T, class Policy, class Iterator>
bool finds(Policy const& policy, lists::entry const& about, char const* what, std::vector<T> const& values,
           Iterator first, std::int64_t n) {
  auto low = memory::poisoned<preduce::located<T>>(), high = low;
  preduce::parallel_reduce(policy, first, first + n, preduce::min_loc(low));
  preduce::parallel_reduce(policy, first, first + n, preduce::max_loc(high));
  bool const found = same(wanted<false>(values, n, 0), low, what, about, n);
  return same(wanted<true>(values, n, 0), high, what, about, n) && found;
}

}  // namespace locations

#pragma once
// Behaviour 8: minimum and maximum that skip NaN.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/ignoring_nan.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace ignoring_nan_tests {

template <class T>
struct pair {
  T low, high;
};

/// Over those of the values that are numbers.
template <class T>
pair<T> wanted(std::vector<T> const& values) {
  pair<T> want{reference::canonical_nan<T>(), reference::canonical_nan<T>()};
  bool none = true;
  for (auto const value : values) {
    if (std::isnan(value)) continue;
    want.low = none ? value : reference::minimum{}(want.low, value);
    want.high = none ? value : reference::maximum{}(want.high, value);
    none = false;
  }
  return want;
}

template <class T>
void check(char const* what, std::vector<T> const& values) {
  auto const n = static_cast<std::int64_t>(values.size());
  auto const want = wanted(values);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    functors::load<T> const load{data.data()};
    auto got = memory::poisoned<pair<T>>();
    preduce::parallel_reduce(policy, n, load, preduce::min_ignoring_nan(got.low));
    preduce::parallel_reduce(policy, n, load, preduce::max_ignoring_nan(got.high));
    walk::same_bits(want, got, what, about, n);
    T const nan = -std::numeric_limits<T>::quiet_NaN();
    T const* const x = data.data();
    T const sequence = preduce::reduce(policy, x, x + n, nan, preduce::minimum_ignoring_nan<T>{});
    walk::same_bits(want.low, sequence, "a NaN as init", about, n);
  });
}

template <class T>
void every_kind() {
  T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  check<T>("empty", {});
  check<T>("zeros", {nan, T(0), -T(0), -nan});
  check<T>("infinities", {nan, inf, nan, -inf});
  for (std::size_t const n : {std::size_t{1}, std::size_t{33}, std::size_t{1000}, std::size_t{9000}}) {
    check("NaN everywhere", std::vector<T>(n, -nan));
    check("+inf everywhere", std::vector<T>(n, inf));
    for (auto const at : {std::size_t{0}, n / 3, n - 1}) {
      auto values = sample::floats<T>(n, sample::spread::wide, 250 + n);
      check("no NaN", values);
      values[at] = nan;
      check("one NaN", values);
      auto const number = values[n / 2];
      for (auto& value : values) value = -nan;
      values[at] = number;
      check("one number at most", values);
    }
  }
}

}  // namespace ignoring_nan_tests

TEST_CASE("behaviour 8: NaN is skipped where it is asked for; without a number the result is NaN" *
          doctest::skip(device::missing())) {
  SUBCASE("float") {
    ignoring_nan_tests::every_kind<float>();
  }
#ifndef PREDUCE_TEST_FEW_TYPES
  SUBCASE("double") {
    ignoring_nan_tests::every_kind<double>();
  }
#endif
}

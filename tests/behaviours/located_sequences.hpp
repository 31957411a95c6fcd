#pragma once
// Behaviours 8 to 10 and 15, promise 6: where the extremes of a sequence lie.

#include "../support/half_if_any.hpp"
#include "../support/locations.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/location.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace located_sequence_tests {

using locations::finds;
using preduce::located;

/// Few distinct values, so that every extreme is tied: the positions that the standard library's algorithms find.
template <class T>
void ties(std::uint64_t salt) {
  sample::generator g(salt);
  std::vector<T> values(2'200'000);
  for (auto& value : values) value = static_cast<T>(g.below(100));
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    for (auto const n : sizeof(T) == 4 ? lists::boundary_sizes_once(about) : lists::few_sizes_once(about)) {
      T const* const x = data.first(static_cast<std::size_t>(n));
      if (n == 0) {
        if (!finds(policy, about, "nothing", values, x, 0)) break;
        continue;
      }
      auto low = memory::poisoned<located<T>>(), high = low;
      preduce::parallel_reduce(policy, x, x + n, preduce::min_loc(low));
      preduce::parallel_reduce(policy, x, x + n, preduce::max_loc(high));
      auto const least = std::min_element(values.begin(), values.begin() + n);
      auto const most = std::max_element(values.begin(), values.begin() + n);
      if (!locations::same(located<T>(*least, least - values.begin()), low, "least", about, n)) break;
      if (!locations::same(located<T>(*most, most - values.begin()), high, "greatest", about, n)) break;
    }
  });
}

template <class T>
void special_values() {
  T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  auto const check = [](char const* what, std::vector<T> const& values) {
    lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
      memory::buffer<T> const data(about.place, values);
      finds(policy, about, what, values, data.data(), static_cast<std::int64_t>(values.size()));
    });
  };
  for (std::size_t const n : {std::size_t{1}, std::size_t{5}, std::size_t{9000}}) {
    check("+inf everywhere", std::vector<T>(n, inf));
    check("-inf everywhere", std::vector<T>(n, -inf));
    check("NaN everywhere", std::vector<T>(n, nan));
    for (auto const at : {std::size_t{0}, n / 2, n - 1}) {
      auto values = sample::floats<T>(n, sample::spread::even, 340 + n);
      values[at] = -nan;
      check("one NaN", values);
      values[n - 1] = nan;
      check("two NaNs", values);
    }
  }
  std::vector<T> zeros(5000, T(0));
  zeros[4321] = zeros[4400] = -T(0);
  check("two -0 among +0", zeros);
  for (auto& zero : zeros) zero = -zero;
  check("two +0 among -0", zeros);
}

/// Nothing but the element that loses against every other, at every distance from a 16-byte boundary.
template <class T>
void extremes_everywhere() {
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    for (std::int64_t const n : {1, 3, 16, 4096, 9000, 33000}) {
      for (auto const value : {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()}) {
        std::vector<T> const values(static_cast<std::size_t>(n), value);
        for (std::size_t k = 0; k < 3; ++k) {
          memory::buffer<T> const data(about.place, values, k * sizeof(T));
          if (!finds(policy, about, "an extreme everywhere", values, data.data(), n)) return;
        }
      }
    }
  });
}

/// Every distance from a 16-byte boundary; every call has memory of just its size.
template <class T>
void starts_anywhere() {
  auto const values = sample::values<T>(33001, 350 + sizeof(T));
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    for (std::size_t k = 0; k < 16 / sizeof(T); ++k) {
      for (std::int64_t const n : {1, 2, 15, 33, 4097, 33001}) {
        std::vector<T> const part(values.begin(), values.begin() + n);
        memory::buffer<T> const data(about.place, part, k * sizeof(T));
        if (!finds(policy, about, "misaligned data", values, data.data(), n)) return;
      }
    }
  });
}

}  // namespace located_sequence_tests

TEST_CASE("behaviour 10, promise 6: min_loc and max_loc of a sequence give the first position, under every policy" *
          doctest::skip(device::missing())){SUBCASE("float"){located_sequence_tests::ties<float>(341);
}
SUBCASE("int8") {
  located_sequence_tests::ties<std::int8_t>(342);
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("double") {
  located_sequence_tests::ties<double>(343);
}
SUBCASE("uint8") {
  located_sequence_tests::ties<std::uint8_t>(344);
}
SUBCASE("int16") {
  located_sequence_tests::ties<std::int16_t>(345);
}
SUBCASE("uint16") {
  located_sequence_tests::ties<std::uint16_t>(346);
}
SUBCASE("uint32") {
  located_sequence_tests::ties<std::uint32_t>(347);
}
SUBCASE("int64") {
  located_sequence_tests::ties<std::int64_t>(348);
}
SUBCASE("uint64") {
  located_sequence_tests::ties<std::uint64_t>(349);
}
#endif
}

TEST_CASE("behaviours 8 to 10: locations in a sequence with NaN, infinities and zeros" *
          doctest::skip(device::missing())){SUBCASE("float"){located_sequence_tests::special_values<float>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("double") {
  located_sequence_tests::special_values<double>();
}
#endif
}

TEST_CASE("behaviour 10: the first of equals that lose against every other element" * doctest::skip(device::missing())){
    SUBCASE("int32"){located_sequence_tests::extremes_everywhere<std::int32_t>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("int8") {
  located_sequence_tests::extremes_everywhere<std::int8_t>();
}
SUBCASE("uint16") {
  located_sequence_tests::extremes_everywhere<std::uint16_t>();
}
SUBCASE("uint64") {
  located_sequence_tests::extremes_everywhere<std::uint64_t>();
}
SUBCASE("float") {
  located_sequence_tests::extremes_everywhere<float>();
}
#endif
}

TEST_CASE("behaviour 15: locations in a sequence that starts anywhere" *
          doctest::skip(device::missing())){SUBCASE("float"){located_sequence_tests::starts_anywhere<float>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("uint8") {
  located_sequence_tests::starts_anywhere<std::uint8_t>();
}
SUBCASE("double") {
  located_sequence_tests::starts_anywhere<double>();
}
#endif
}

TEST_CASE("locations in a sequence under every rung of the ladder" * doctest::skip(device::missing())) {
  auto values = sample::floats<float>(20000, sample::spread::even, 351);
  values[7000] = values[300] = -5;
  values[19999] = values[4096] = 5;
  lists::for_each_rung([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values);
    for (std::int64_t const n : {0, 1, 33, 1025, 20000})
      locations::finds(policy, about, "rung", values, data.data(), n);
  });
}

#ifndef __CUDACC__
TEST_CASE("elements that are locations keep their own indices") {
  std::vector<preduce::located<double>> const found{{3, 70}, {1, 60}, {1, 50}, {2, 40}};
  preduce::located<double> least{};
  preduce::parallel_reduce(preduce::serial, found.begin(), found.end(), preduce::min_loc(least));
  CHECK(least.value == 1);
  CHECK(least.index == 50);
}
#endif

#ifdef __CUDACC__
TEST_CASE("automatic looks on the host where only the host can read the sequence" * doctest::skip(device::missing())) {
  std::vector<float> const values{3, 1, 2, 1};
  preduce::located<float> least{};
  preduce::parallel_reduce(values.begin(), values.end(), preduce::min_loc(least));
  CHECK(least.value == 1);
  CHECK(least.index == 1);
}
#endif

#ifdef PREDUCE_TEST_HALF
TEST_CASE("locations in a sequence of half" * doctest::skip(device::missing())) {
  auto const values = small_float::samples<__half>(40000, 355);
  std::vector<float> wide;
  for (auto const value : values) wide.push_back(small_float::widened(value));
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<__half> const data(about.place, values, 2);
    for (std::int64_t const n : {1, 33, 4097, 40000}) {
      auto const want = locations::wanted<false>(wide, n, 0);
      auto low = memory::poisoned<preduce::located<__half>>();
      auto both = memory::poisoned<preduce::extent<__half>>();
      preduce::parallel_reduce(policy, data.data(), data.data() + n, preduce::min_loc(low));
      preduce::parallel_reduce(policy, data.data(), data.data() + n, preduce::min_max(both));
      auto const low_value = small_float::rounded<__half>(want.value);
      walk::same_bits(low_value, low.value, "least half", about, n);
      walk::same_bits(want.index, low.index, "its position", about, n);
      walk::same_bits(low_value, both.min, "least of both", about, n);
      low = memory::poisoned<preduce::located<__half>>();
      preduce::parallel_reduce(policy, data.data(), data.data() + n,
                               preduce::reducer(preduce::minimum_location<__half>{}, low));
      walk::same_bits(want.index, low.index, "its position, by the operator's name", about, n);
    }
  });
}
#endif

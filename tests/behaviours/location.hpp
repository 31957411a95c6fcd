#pragma once
// Behaviours 8, 9 and 10, promise 6: where the extremes lie.

#include "../support/half_if_any.hpp"
#include "../support/locations.hpp"
#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/location.hpp>

#include <limits>
#include <vector>

namespace location_tests {

using locations::same;
using locations::wanted;

/// Element i of an array that starts at index `first`.
template <class T>
struct load_from {
  T const* data;
  std::int64_t first;
  PREDUCE_FUNCTION T operator()(std::int64_t i) const { return data[i - first]; }
};

/// Every third element, in the accumulator form.
template <class T>
struct least_of_thirds {
  T const* data;
  PREDUCE_FUNCTION void operator()(std::int64_t i, preduce::located<T>& least) const {
    if (i % 3 == 2 && data[i] < least.value) least = {data[i], i};
  }
};

/// Backwards: the indices are the functor's own.
template <class T>
struct backwards {
  T const* data;
  std::int64_t n;
  PREDUCE_FUNCTION preduce::located<T> operator()(std::int64_t i) const { return {data[n - 1 - i], n - 1 - i}; }
};

/// Both locations over the first n of `values`, indices from `first`; false where one is wrong.
template <class T, class Policy>
bool finds(Policy const& policy, lists::entry const& about, char const* what, std::vector<T> const& values,
           T const* data, std::int64_t n, std::int64_t first) {
  load_from<T> const load{data, first};
  preduce::range const indices{first, first + n};
  auto low = memory::poisoned<preduce::located<T>>(), high = low;
  preduce::parallel_reduce(policy, indices, load, preduce::min_loc(low));
  preduce::parallel_reduce(policy, indices, load, preduce::max_loc(high));
  bool const found = same(wanted<false>(values, n, first), low, what, about, n);
  return same(wanted<true>(values, n, first), high, what, about, n) && found;
}

/// Few distinct values, so that every extreme is tied.
template <class T>
void random_ties(std::uint64_t salt) {
  sample::generator g(salt);
  std::vector<T> values(100001);
  for (auto& value : values) value = static_cast<T>(g.below(100));
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    std::int64_t first = -70000;  // negative indices and others
    for (auto const n : lists::few_sizes_once(about)) {
      if (n > 100001) break;
      if (!finds(policy, about, "few values", values, data.data(), n, first)) break;
      first = first < 0 ? 3 : -70000;
    }
  });
}

template <class T>
void special_values() {
  T const nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  auto const check = [](char const* what, std::vector<T> const& values) {
    auto const n = static_cast<std::int64_t>(values.size());
    lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
      memory::buffer<T> const data(about.place, values);
      finds(policy, about, what, values, data.data(), n, 0);
    });
  };
  for (std::size_t const n : {std::size_t{1}, std::size_t{5}, std::size_t{16}, std::size_t{9000}}) {
    check("all equal", std::vector<T>(n, T(7)));
    check("+inf everywhere", std::vector<T>(n, inf));
    check("-inf everywhere", std::vector<T>(n, -inf));
    check("NaN everywhere", std::vector<T>(n, nan));
    auto const values = sample::floats<T>(n, sample::spread::even, 240 + n);
    for (auto const at : {std::size_t{0}, n / 2, n - 1}) {
      auto changed = values;
      changed[at] = -nan;
      check("one NaN", changed);
      changed[n - 1] = nan;
      check("two NaNs", changed);
    }
  }
  std::vector<T> zeros(5000, T(0));
  zeros[4321] = zeros[4400] = -T(0);
  check("two -0 among +0", zeros);
  for (auto& zero : zeros) zero = -zero;
  check("two +0 among -0", zeros);
  std::vector<T> twice(300, T(0));
  twice[1] = twice[256] = T(1);
  check("the maximum at 1 and 256", twice);
}

}  // namespace location_tests

TEST_CASE("behaviour 10, promise 6: ties give the lowest index under every policy" *
          doctest::skip(device::missing())){SUBCASE("float"){location_tests::random_ties<float>(241);
}
SUBCASE("int64") {
  location_tests::random_ties<std::int64_t>(242);
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("double") {
  location_tests::random_ties<double>(243);
}
SUBCASE("uint8") {
  location_tests::random_ties<std::uint8_t>(244);
}
#endif
}

TEST_CASE("behaviours 7 to 10: locations of NaN, infinities, zeros and equals" *
          doctest::skip(device::missing())){SUBCASE("float"){location_tests::special_values<float>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("double") {
  location_tests::special_values<double>();
}
#endif
}

#ifndef __CUDACC__
TEST_CASE("behaviour 10: a million equals") {
  std::vector<float> const values(1000000, -3.0f);
  for (auto const& policy : {preduce::openmp, preduce::openmp.threads(3)}) {
    lists::entry const about{"openmp"};
    location_tests::finds(policy, about, "a million equals", values, values.data(), 1000000, 0);
  }
}
#endif

TEST_CASE("locations in other forms: accumulators, indices of the functor's own, memory" *
          doctest::skip(device::missing())) {
  auto const values = sample::floats<float>(40000, sample::spread::even, 245);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values);
    using located = preduce::located<float>;
    for (std::int64_t const n : {0, 1, 2, 3, 1000, 40000}) {
      located want = {std::numeric_limits<float>::infinity(), -1};
      for (std::int64_t i = 2; i < n; i += 3) {
        auto const value = values[static_cast<std::size_t>(i)];
        if (value < want.value) want = {value, i};
      }
      auto got = memory::poisoned<located>();
      preduce::parallel_reduce(policy, n, location_tests::least_of_thirds<float>{data.data()}, preduce::min_loc(got));
      location_tests::same(want, got, "accumulator form", about, n);
    }
    auto got = memory::poisoned<located>();
    auto const want = location_tests::wanted<true>(values, 40000, 0);
    preduce::parallel_reduce(policy, 40000, location_tests::backwards<float>{data.data(), 40000},
                             preduce::max_loc(got));
    location_tests::same(want, got, "indices of its own", about, 40000);

#ifndef __CUDACC__
    got = memory::poisoned<located>();
    auto const narrow = [x = data.data()](std::int32_t i) { return x[i]; };
    preduce::parallel_reduce(policy, 40000, narrow, preduce::max_loc(got));
    location_tests::same(want, got, "32-bit index", about, 40000);
#endif

    memory::buffer<located> const out(about.place, 1);
    preduce::parallel_reduce(policy, 40000, functors::load<float>{data.data()}, preduce::max_loc(out.data()));
    location_tests::same(want, out.read(), "into memory", about, 40000);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

TEST_CASE("behaviours 4, 8 and 9: minimum and maximum in one pass" * doctest::skip(device::missing())) {
  using extent = preduce::extent<float>;
  auto values = sample::floats<float>(40000, sample::spread::wide, 246);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  float const inf = std::numeric_limits<float>::infinity(), nan = reference::canonical_nan<float>();
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values);
    float const* const x = data.data();
    for (std::int64_t const n : {0, 1, 2, 33, 4097, 40000}) {
      auto const want = n == 0 ? extent(inf, -inf)
                               : extent(oracle::total<float>(n, element, reference::minimum{}),
                                        oracle::total<float>(n, element, reference::maximum{}));
      auto got = memory::poisoned<extent>();
      preduce::parallel_reduce(policy, n, functors::load<float>{x}, preduce::min_max(got));
      walk::same_bits(want, got, "extent", about, n);
      if (n == 0) continue;
      auto const sequence = preduce::reduce(policy, x, x + n, extent(values[0]), preduce::minimum_maximum<float>{});
      walk::same_bits(want, sequence, "extent of a sequence", about, n);
    }
    auto broken = values;
    broken[4321] = -std::numeric_limits<float>::quiet_NaN();
    memory::buffer<float> const with_nan(about.place, broken);
    auto got = memory::poisoned<extent>();
    preduce::parallel_reduce(policy, 40000, functors::load<float>{with_nan.data()}, preduce::min_max(got));
    walk::same_bits(extent(nan), got, "extent with a NaN", about, 40000);
  });
}

#ifdef PREDUCE_TEST_HALF
TEST_CASE("locations and extents of half" * doctest::skip(device::missing())) {
  auto const values = small_float::samples<__half>(40000, 247);
  std::vector<float> wide;
  for (auto const value : values) wide.push_back(small_float::widened(value));
  auto const least = location_tests::wanted<false>(wide, 40000, 0);
  auto const most = location_tests::wanted<true>(wide, 40000, 0);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<__half> const data(about.place, values);
    functors::load<__half> const load{data.data()};
    auto low = memory::poisoned<preduce::located<__half>>();
    auto both = memory::poisoned<preduce::extent<__half>>();
    preduce::parallel_reduce(policy, 40000, load, preduce::min_loc(low));
    preduce::parallel_reduce(policy, 40000, load, preduce::min_max(both));
    auto const low_value = small_float::rounded<__half>(least.value);
    walk::same_bits(low_value, low.value, "least half", about, 40000);
    walk::same_bits(least.index, low.index, "its index", about, 40000);
    walk::same_bits(low_value, both.min, "least of both", about, 40000);
    walk::same_bits(small_float::rounded<__half>(most.value), both.max, "greatest of both", about, 40000);
  });
}
#endif

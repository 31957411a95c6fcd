#pragma once
// Behaviours 7, 8 and 9: infinities, NaN, signed zeros.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <bit>
#include <limits>
#include <vector>

namespace special_tests {

template <class T>
struct four {
  T sum, product, low, high;
};

template <class T>
constexpr T infinity = std::numeric_limits<T>::infinity();

/// The built-in reducers over n values at `data`, by elements and by a functor.
template <class T, class Policy>
four<T> reduce_four(Policy const& policy, T const* data, std::int64_t n) {
  four<T> result;
  result.sum = preduce::reduce(policy, data, data + n);
  functors::load<T> const load{data};
  preduce::parallel_reduce(policy, n, load, preduce::prod(result.product));
  preduce::parallel_reduce(policy, data, data + n, preduce::min(result.low));
  preduce::parallel_reduce(policy, data, data + n, preduce::max(result.high));
  return result;
}

template <class T>
void expect(std::vector<T> const& values, four<T> want, char const* what) {
  auto const n = static_cast<std::int64_t>(values.size());
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    auto const got = reduce_four<T>(policy, data.data(), n);
    INFO("sum, product, minimum, maximum");
    walk::same_bits(want, got, what, about, n);
  });
}

/// NaNs with payloads and signs that a machine may or may not keep; quiet and signalling.
template <class T>
std::vector<T> odd_nans() {
  if constexpr (sizeof(T) == 4) {
    return {std::bit_cast<T>(std::uint32_t{0x7fc00000}), std::bit_cast<T>(std::uint32_t{0xffc00000}),
            std::bit_cast<T>(std::uint32_t{0x7fc12345}), std::bit_cast<T>(std::uint32_t{0xff801234})};
  } else {
    return {std::bit_cast<T>(std::uint64_t{0x7ff8000000000000}), std::bit_cast<T>(std::uint64_t{0xfff8000000000000}),
            std::bit_cast<T>(std::uint64_t{0x7ff8123456789abc}), std::bit_cast<T>(std::uint64_t{0xfff0000000001234})};
  }
}

template <class T>
void nans() {
  auto const nan = reference::canonical_nan<T>();
  four<T> const all{nan, nan, nan, nan};
  auto const odd = odd_nans<T>();
  std::size_t turn = 0;
  for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{33}, std::size_t{1000}, std::size_t{9000}}) {
    auto const values = sample::floats<T>(n, sample::spread::even, 90 + n);
    for (auto const at : {std::size_t{0}, n / 3, n / 2, n - 1}) {
      auto with_nan = values;
      with_nan[at] = odd[turn++ % odd.size()];
      expect<T>(with_nan, all, "one NaN");
    }
    expect<T>(std::vector<T>(n, odd[turn++ % odd.size()]), all, "NaN everywhere");
    auto two = values;
    two.front() = odd[1];
    two.back() = odd[2];
    expect<T>(two, all, "two NaNs");
  }
}

template <class T>
void infinities() {
  auto const nan = reference::canonical_nan<T>();
  auto const inf = infinity<T>;
  expect<T>(std::vector<T>(1, inf), {inf, inf, inf, inf}, "one +inf");
  expect<T>(std::vector<T>(1, -inf), {-inf, -inf, -inf, -inf}, "one -inf");
  expect<T>(std::vector<T>(10, inf), {inf, inf, inf, inf}, "ten +inf");
  expect<T>(std::vector<T>(10, -inf), {-inf, inf, -inf, -inf}, "ten -inf");
  expect<T>(std::vector<T>(5000, inf), {inf, inf, inf, inf}, "+inf everywhere");
  expect<T>({inf, -inf}, {nan, -inf, -inf, inf}, "+inf and -inf");
  expect<T>({T(0), inf}, {inf, nan, T(0), inf}, "0 and +inf");
  std::vector<T> one_each(5000, T(1));
  one_each[100] = inf;
  one_each[4500] = -inf;
  expect<T>(one_each, {nan, -inf, -inf, inf}, "+inf and -inf among ones");
}

template <class T>
void zeros() {
  expect<T>({T(0), -T(0)}, {T(0), -T(0), -T(0), T(0)}, "+0, -0");
  expect<T>({-T(0), T(0)}, {T(0), -T(0), -T(0), T(0)}, "-0, +0");
  expect<T>(std::vector<T>(1, -T(0)), {-T(0), -T(0), -T(0), -T(0)}, "one -0");
  expect<T>(std::vector<T>(5001, -T(0)), {-T(0), -T(0), -T(0), -T(0)}, "-0 everywhere");
  std::vector<T> one_negative(5000, T(0));
  one_negative[4321] = -T(0);
  expect<T>(one_negative, {T(0), -T(0), -T(0), T(0)}, "one -0 among +0");
  std::vector<T> one_positive(5001, -T(0));
  one_positive[4321] = T(0);
  expect<T>(one_positive, {T(0), T(0), -T(0), T(0)}, "one +0 among -0");
}

}  // namespace special_tests

TEST_CASE("behaviour 7, promise 3: infinities come through" * doctest::skip(device::missing())) {
  SUBCASE("float") {
    special_tests::infinities<float>();
  }
  SUBCASE("double") {
    special_tests::infinities<double>();
  }
}

TEST_CASE("behaviour 7: extremes of integers that equal the identity" * doctest::skip(device::missing())) {
  using limits = std::numeric_limits<std::int32_t>;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    for (auto const value : {limits::min(), limits::max(), 0, -1}) {
      memory::buffer<std::int32_t> const data(about.place, std::vector<std::int32_t>(10, value));
      functors::load<std::int32_t> const load{data.data()};
      auto low = memory::poisoned<std::int32_t>(), high = memory::poisoned<std::int32_t>();
      preduce::parallel_reduce(policy, 10, load, preduce::min(low));
      preduce::parallel_reduce(policy, 10, load, preduce::max(high));
      CHECK_MESSAGE(low == value, about.name);
      CHECK_MESSAGE(high == value, about.name);
    }
  });
}

TEST_CASE("behaviour 8, promise 7: NaN propagates from any position, with the canonical bits" *
          doctest::skip(device::missing())) {
  SUBCASE("float") {
    special_tests::nans<float>();
  }
  SUBCASE("double") {
    special_tests::nans<double>();
  }
}

TEST_CASE("behaviour 9, promises 3 and 6: zeros keep their signs" * doctest::skip(device::missing())) {
  SUBCASE("float") {
    special_tests::zeros<float>();
  }
  SUBCASE("double") {
    special_tests::zeros<double>();
  }
}

TEST_CASE("behaviour 9: init and a total of -0" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, std::vector<float>(3, -0.0f));
    auto const* const first = data.data();
    float const negative = preduce::reduce(policy, first, first + 3, -0.0f);
    float const positive = preduce::reduce(policy, first, first + 3, 0.0f);
    walk::same_bits(-0.0f, negative, "init -0", about, 3);
    walk::same_bits(0.0f, positive, "init +0", about, 3);
  });
}

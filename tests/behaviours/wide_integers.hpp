#pragma once
// 128-bit integers, in standard C++ too, where the library's own traits must know them; and bool.

#include "../support/operators.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <concepts>
#include <vector>

namespace wide_integer_tests {

__extension__ typedef __int128 int128;  // NOLINT: `using` takes no __extension__
__extension__ typedef unsigned __int128 uint128;

struct plus {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<uint128>(a) + static_cast<uint128>(b));
  }
};
struct multiplies {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<uint128>(a) * static_cast<uint128>(b));
  }
};
struct minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

template <class T>
void wraps(std::uint64_t salt) {
  auto const values = sample::random_bytes<T>(100001, salt);
  auto const init = values[5];
  walk::pointers("128-bit sum", values, init, preduce::plus<T>{}, plus{}, lists::few_sizes_once);
  walk::pointers("128-bit minimum", values, init, preduce::minimum<T>{}, minimum{}, lists::few_sizes_once);
#ifndef __CUDACC__
  walk::pointers("128-bit maximum", values, init, preduce::maximum<T>{}, maximum{}, lists::few_sizes_once);
  auto odd = values;
  for (auto& value : odd) value |= T{1};  // or the product is 0
  walk::pointers("128-bit product", odd, init, preduce::multiplies<T>{}, multiplies{}, lists::few_sizes_once);
#endif
}

}  // namespace wide_integer_tests

TEST_CASE("promise 7: 128-bit integers have the oracle's bits" * doctest::skip(device::missing())){
    SUBCASE("int128"){wide_integer_tests::wraps<wide_integer_tests::int128>(221);
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("uint128") {
  wide_integer_tests::wraps<wide_integer_tests::uint128>(222);
}
#endif
}

TEST_CASE("behaviours 4 and 7: identities and extremes of 128-bit integers" * doctest::skip(device::missing())) {
  using wide_integer_tests::int128;
  auto const most = static_cast<int128>(~wide_integer_tests::uint128{0} >> 1);
  auto const least = -most - 1;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    functors::load<int128> const never{nullptr};
    auto sum = memory::poisoned<int128>(), low = sum, high = sum;
    preduce::parallel_reduce(policy, 0, never, sum);
    preduce::parallel_reduce(policy, 0, never, preduce::min(low));
    preduce::parallel_reduce(policy, 0, never, preduce::max(high));
    walk::same_bits(int128{0}, sum, "empty sum", about, 0);
    walk::same_bits(most, low, "empty minimum", about, 0);
    walk::same_bits(least, high, "empty maximum", about, 0);
    for (auto const value : {most, least, int128{-1}}) {
      memory::buffer<int128> const data(about.place, std::vector<int128>(100, value));
      functors::load<int128> const load{data.data()};
      preduce::parallel_reduce(policy, 100, load, preduce::min(low));
      preduce::parallel_reduce(policy, 100, load, preduce::max(high));
      walk::same_bits(value, low, "minimum of equals", about, 100);
      walk::same_bits(value, high, "maximum of equals", about, 100);
    }
    static_assert(
        std::same_as<decltype(preduce::reduce(policy, static_cast<int128*>(nullptr), static_cast<int128*>(nullptr))),
                     int128>);
  });
}

TEST_CASE("behaviour 14: bools are counted in 64 bits" * doctest::skip(device::missing())) {
  std::vector<unsigned char> bytes;  // std::vector<bool> has no bytes
  sample::generator g(223);
  for (int i = 0; i < 100001; ++i) bytes.push_back(static_cast<unsigned char>(g.below(2)));
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<unsigned char> const data(about.place, bytes, 3);
    auto const* const flags = reinterpret_cast<bool const*>(data.data());
    for (auto const n : lists::few_sizes(about)) {
      if (n > 100001) break;
      std::int64_t want = 0;
      for (std::int64_t i = 0; i < n; ++i) want += bytes[static_cast<std::size_t>(i)];
      auto const by_pointer = preduce::reduce(policy, flags, flags + n);
      auto const by_index = preduce::parallel_reduce(policy, n, functors::load<bool>{flags});
      static_assert(std::same_as<decltype(by_pointer), std::int64_t const>);
      static_assert(std::same_as<decltype(by_index), std::int64_t const>);
      if (!walk::same_bits(want, by_pointer, "bools", about, n)) break;
      if (!walk::same_bits(want, by_index, "bools by index", about, n)) break;
    }
  });
}

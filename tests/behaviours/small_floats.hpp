#pragma once
// Behaviour 12 and promises 5 and 7 for half and bfloat16: widened exactly, accumulated in float, rounded once.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/small_float.hpp"
#include "../support/walk.hpp"

#include <concepts>
#include <cstdint>
#include <vector>

namespace small_float_tests {

/// `count` ones, whatever the call; `want` is what their number rounds to.
template <class H>
void ones(std::int64_t count, H want) {
  auto const one = small_float::rounded<H>(1.0f);
  std::vector<H> const values(static_cast<std::size_t>(count), one);
  auto const exact = static_cast<float>(count);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<H> const data(about.place, values);
    H const* const x = data.data();
    functors::load<H> const load{x};
    H const zero = small_float::from_bits<H>(0);

    auto const by_pointer = preduce::reduce(policy, x, x + count);
    auto const by_index = preduce::parallel_reduce(policy, count, load);
    static_assert(std::same_as<decltype(by_pointer), float const>);
    static_assert(std::same_as<decltype(by_index), float const>);
    walk::same_bits(exact, by_pointer, "ones", about, count);
    walk::same_bits(exact, by_index, "ones by index", about, count);
    walk::same_bits(exact + 0.5f, preduce::reduce(policy, x, x + count, 0.5f), "ones after a float", about, count);

    walk::same_bits(want, preduce::reduce(policy, x, x + count, zero), "rounded by value", about, count);
    walk::same_bits(want, preduce::reduce(policy, x, x + count, zero, preduce::plus<H>{}), "an operator of the type",
                    about, count);
    auto variable = memory::poisoned<H>();
    preduce::parallel_reduce(policy, count, load, variable);
    walk::same_bits(want, variable, "rounded into a variable", about, count);
    variable = memory::poisoned<H>();
    preduce::parallel_reduce(policy, count, load, preduce::reducer(preduce::plus<H>{}, variable));
    walk::same_bits(want, variable, "an operator of the type in a reducer", about, count);
    memory::buffer<H> const out(about.place, 1);
    preduce::reduce_into(policy, x, x + count, out.data());
    walk::same_bits(want, out.read(), "rounded into memory", about, count);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

/// Sums and extremes of random values, in float and rounded.
template <class H>
void random_values(std::uint64_t salt) {
  auto const values = small_float::samples<H>(40001, salt);
  auto const element = [&](std::int64_t i) { return small_float::widened(values[static_cast<std::size_t>(i)]); };
  struct wanted {
    float sum, low, high;
  };
  auto const want_at = [&](std::int64_t n) {
    return wanted{oracle::total<float>(n, element, reference::plus{}),
                  oracle::total<float>(n, element, reference::minimum{}),
                  oracle::total<float>(n, element, reference::maximum{})};
  };
  walk::totals<wanted> known;
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    if (!lists::covers(about)) return;
    for (std::size_t const shift : {std::size_t{0}, sizeof(H)}) {
      memory::buffer<H> const data(about.place, values, shift);
      for (auto const n : lists::few_sizes(about)) {
        if (n == 0 || n > 40001) continue;
        auto const want = known.at(n, want_at);
        H const* const x = data.first(static_cast<std::size_t>(n));
        if (!walk::same_bits(want.sum, preduce::reduce(policy, x, x + n), "sum", about, n)) return;
        H const small_init = values[7];
        H const small = preduce::reduce(policy, x, x + n, small_init);
        auto const once = small_float::rounded<H>(small_float::widened(small_init) + want.sum);
        if (!walk::same_bits(once, small, "sum rounded once", about, n)) return;
        if (shift != 0) continue;
        functors::load<H> const load{x};
        auto low = memory::poisoned<H>(), high = memory::poisoned<H>();
        preduce::parallel_reduce(policy, n, load, preduce::min(low));
        preduce::parallel_reduce(policy, n, load, preduce::max(high));
        if (!walk::same_bits(small_float::rounded<H>(want.low), low, "minimum", about, n)) return;
        if (!walk::same_bits(small_float::rounded<H>(want.high), high, "maximum", about, n)) return;
      }
    }
  });
}

template <class H>
void special_values() {
  auto const infinity = small_float::rounded<H>(std::numeric_limits<float>::infinity());
  auto const nan = small_float::from_bits<H>(0x7fff);
  auto const negative_zero = small_float::from_bits<H>(0x8000);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    auto const reduced = [&](std::vector<H> const& values, auto reducer) {
      memory::buffer<H> const data(about.place, values);
      auto total = memory::poisoned<H>();
      preduce::parallel_reduce(policy, static_cast<std::int64_t>(values.size()), functors::load<H>{data.data()},
                               reducer(total));
      return total;
    };
    auto const sum = [](H& total) { return preduce::sum(total); };
    auto const low = [](H& total) { return preduce::min(total); };
    std::vector<H> values(1000, small_float::rounded<H>(1.0f));
    walk::same_bits(small_float::from_bits<H>(0), reduced({}, sum), "empty sum", about, 0);
    walk::same_bits(infinity, reduced({}, low), "empty minimum", about, 0);
    walk::same_bits(negative_zero, reduced(std::vector<H>(100, negative_zero), sum), "-0", about, 100);
    values[500] = negative_zero;
    walk::same_bits(negative_zero, reduced(values, low), "minimum -0", about, 1000);
    values[700] = small_float::from_bits<H>(0xff81 | 0x7c00);
    walk::same_bits(nan, reduced(values, sum), "sum with a NaN", about, 1000);
    walk::same_bits(nan, reduced(values, low), "minimum with a NaN", about, 1000);
  });
}

}  // namespace small_float_tests

TEST_CASE("behaviour 12, promise 5: ones of half and bfloat16 are counted, and rounded once" *
          doctest::skip(device::missing())) {
  SUBCASE("half") {
    small_float_tests::ones<__half>(4096, small_float::from_bits<__half>(0x6c00));
    small_float_tests::ones<__half>(70000, small_float::from_bits<__half>(0x7c00));  // +inf
  }
  SUBCASE("bfloat16") {
    small_float_tests::ones<__nv_bfloat16>(4096, small_float::from_bits<__nv_bfloat16>(0x4580));
    small_float_tests::ones<__nv_bfloat16>(70000, small_float::rounded<__nv_bfloat16>(70144.0f));
  }
}

TEST_CASE("promise 7: half and bfloat16 have the oracle's bits, in float and rounded, at every alignment" *
          doctest::skip(device::missing())) {
  SUBCASE("half") {
    small_float_tests::random_values<__half>(201);
  }
  SUBCASE("bfloat16") {
    small_float_tests::random_values<__nv_bfloat16>(202);
  }
}

TEST_CASE("behaviours 4, 7, 8 and 9: special values of half and bfloat16" *
          doctest::skip(device::missing())){SUBCASE("half"){small_float_tests::special_values<__half>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("bfloat16") {
  small_float_tests::special_values<__nv_bfloat16>();
}
#endif
}

#ifndef __CUDACC__
TEST_CASE_TEMPLATE("a user's operator combines half and bfloat16 themselves", H, __half, __nv_bfloat16) {
  std::vector<H> const values(4096, small_float::rounded<H>(1.0f));
  auto const add = [](H a, H b) { return small_float::rounded<H>(small_float::widened(a) + small_float::widened(b)); };
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  auto const want = oracle::total<H>(4096, element, add);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    auto got = memory::poisoned<H>();
    preduce::parallel_reduce(policy, 4096, functors::load<H>{values.data()}, preduce::reducer(add, got));
    walk::same_bits(want, got, "a user's operator", about, 4096);
  });
}

TEST_CASE_TEMPLATE("promise 7: every half and bfloat16 is its own sum", H, __half, __nv_bfloat16) {
  int wrong = 0;
  for (unsigned pattern = 0; pattern < 0x10000; ++pattern) {
    auto const value = small_float::from_bits<H>(pattern);
    auto const want = small_float::rounded<H>(small_float::widened(value));
    auto got = memory::poisoned<H>();
    preduce::reduce_into(preduce::serial, &value, &value + 1, &got);
    if (!memory::same_bits(want, got)) ++wrong;
  }
  CHECK(wrong == 0);
}
#endif

#pragma once
// Behaviour 11 and promise 7 for integers.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <concepts>
#include <limits>

namespace integer_tests {

template <class T>
void wraps(std::uint64_t salt) {
  auto const values = sample::values<T>(300001, salt);
  auto const init = static_cast<T>(77);
  // The narrowest and the widest type under every launch, the others once a policy.
  auto const sizes = sizeof(T) == 1 || sizeof(T) == 8 ? lists::few_sizes : lists::few_sizes_once;
  walk::pointers("integer sum", values, init, preduce::plus<T>{}, reference::plus{}, sizes);
  // The GPU's kernels are compiled for what differs there, not for every operator at every width.
  if constexpr (!device::compiled_for_gpu || sizeof(T) != 2) {
    walk::pointers("integer minimum", values, init, preduce::minimum<T>{}, reference::minimum{}, lists::few_sizes_once);
  }
  if constexpr (!device::compiled_for_gpu || sizeof(T) == 4) {
    walk::pointers("integer maximum", values, init, preduce::maximum<T>{}, reference::maximum{}, lists::few_sizes_once);
    walk::pointers("integer product", values, init, preduce::multiplies<T>{}, reference::multiplies{},
                   lists::few_sizes_once);
  }
}

/// `count` times `value`, by value and by pointer, without a word about the accumulator.
template <class T, class Wide>
void widens(T value, std::int64_t count) {
  std::vector<T> const values(static_cast<std::size_t>(count), value);
  auto const want = static_cast<Wide>(static_cast<Wide>(value) * static_cast<Wide>(count));
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    auto const by_index = preduce::parallel_reduce(policy, count, functors::load<T>{data.data()});
    auto const by_pointer = preduce::reduce(policy, data.data(), data.data() + count);
    static_assert(std::same_as<decltype(by_index), Wide const>);
    static_assert(std::same_as<decltype(by_pointer), Wide const>);
    CHECK_MESSAGE(by_index == want, about.name);
    CHECK_MESSAGE(by_pointer == want, about.name);
  });
}

}  // namespace integer_tests

TEST_CASE("promise 7: integers of every width have the oracle's bits" *
          doctest::skip(device::missing())){SUBCASE("int8"){integer_tests::wraps<std::int8_t>(41);
}
SUBCASE("uint16") {
  integer_tests::wraps<std::uint16_t>(44);
}
SUBCASE("int32") {
  integer_tests::wraps<std::int32_t>(45);
}
SUBCASE("uint64") {
  integer_tests::wraps<std::uint64_t>(48);
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("uint8") {
  integer_tests::wraps<std::uint8_t>(42);
}
SUBCASE("int16") {
  integer_tests::wraps<std::int16_t>(43);
}
SUBCASE("uint32") {
  integer_tests::wraps<std::uint32_t>(46);
}
SUBCASE("int64") {
  integer_tests::wraps<std::int64_t>(47);
}
#endif
}

TEST_CASE("behaviour 11, promise 5: narrow integers are summed wider, unasked" * doctest::skip(device::missing())) {
  integer_tests::widens<std::uint8_t, std::uint32_t>(1, 300);
  integer_tests::widens<std::uint8_t, std::uint32_t>(255, 5000);
  integer_tests::widens<std::int16_t, std::int32_t>(-32768, 5000);
#ifndef __CUDACC__
  integer_tests::widens<std::int8_t, std::int32_t>(-128, 5000);
  integer_tests::widens<std::uint16_t, std::uint32_t>(65535, 5000);
#endif
}

TEST_CASE("behaviour 11: a result of the caller's choice says what narrow integers accumulate in" *
          doctest::skip(device::missing())) {
  std::vector<std::uint8_t> const ones(300, 1);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<std::uint8_t> const data(about.place, ones);
    auto const* const first = data.data();
    auto const wide = preduce::reduce(policy, first, first + 300, std::int64_t{-1});
    auto const narrow = preduce::reduce(policy, first, first + 300, std::uint8_t{0});
    auto const real = preduce::reduce(policy, first, first + 300, 0.5);
    CHECK_MESSAGE(wide == 299, about.name);
    CHECK_MESSAGE(narrow == 300 % 256, about.name);
    CHECK_MESSAGE(real == 300.5, about.name);
  });
}

#pragma once
// Logical and bitwise reducers.

#include "../support/operators.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/logic.hpp>

#include <vector>

namespace logic_tests {

struct bit_and {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct bit_or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct bit_xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

template <class T>
void bits(std::uint64_t salt) {
  auto const values = sample::random_bytes<T>(100001, salt);
  auto rare = values, common = values;  // so that the results are neither 0 nor all bits at once
  for (std::size_t i = 0; i < values.size(); ++i) {
    rare[i] = static_cast<T>(i % 999 == 7 ? T{1} << (values[i] & 7) : T{0});
    common[i] = static_cast<T>(~rare[i]);
  }
  walk::pointers("xor", values, values[3], preduce::bit_xor<T>{}, bit_xor{}, lists::few_sizes_once);
  walk::pointers("or", rare, T{0}, preduce::bit_or<T>{}, bit_or{}, lists::few_sizes_once);
  walk::pointers("and", common, static_cast<T>(~T{0}), preduce::bit_and<T>{}, bit_and{}, lists::few_sizes_once);
}

}  // namespace logic_tests

TEST_CASE("bitwise operators, over integers of every width" *
          doctest::skip(device::missing())){SUBCASE("uint8"){logic_tests::bits<std::uint8_t>(231);
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("int16") {
  logic_tests::bits<std::int16_t>(232);
}
SUBCASE("uint32") {
  logic_tests::bits<std::uint32_t>(233);
}
SUBCASE("int64") {
  logic_tests::bits<std::int64_t>(234);
}
#endif
}

TEST_CASE("behaviour 4, promise 2: empty ranges of logical and bitwise reducers" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    functors::load<std::uint32_t> const never{nullptr};
    functors::load<bool> const never_called{nullptr};
    auto every = memory::poisoned<std::uint32_t>(), some = every, odd = every;
    preduce::parallel_reduce(policy, 0, never, preduce::bits_and(every));
    preduce::parallel_reduce(policy, 0, never, preduce::bits_or(some));
    preduce::parallel_reduce(policy, 0, never, preduce::bits_xor(odd));
    CHECK_MESSAGE(every == 0xffffffffu, about.name);
    CHECK_MESSAGE(some == 0, about.name);
    CHECK_MESSAGE(odd == 0, about.name);
    bool all = false, any = true;
    preduce::parallel_reduce(policy, 0, never_called, preduce::all(all));
    preduce::parallel_reduce(policy, 0, never_called, preduce::any(any));
    CHECK_MESSAGE(all, about.name);
    CHECK_MESSAGE(!any, about.name);
  });
}

TEST_CASE("all and any see the one element that decides, wherever it stands" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    for (std::int64_t const n : {1, 2, 33, 1000, 4097, 40000}) {
      for (auto const at : {std::int64_t{-1}, std::int64_t{0}, n / 2, n - 1}) {  // -1: nowhere
        bool const found = at >= 0;
        std::vector<std::uint8_t> few(static_cast<std::size_t>(n), 0), most(static_cast<std::size_t>(n), 1);
        if (found) {
          few[static_cast<std::size_t>(at)] = 1;
          most[static_cast<std::size_t>(at)] = 0;
        }
        memory::buffer<std::uint8_t> const rare(about.place, few), common(about.place, most);
        bool any = !found, all = found;
        preduce::parallel_reduce(policy, n, functors::load<std::uint8_t>{rare.data()}, preduce::any(any));
        preduce::parallel_reduce(policy, n, functors::load<std::uint8_t>{common.data()}, preduce::all(all));
        auto const* const flags = reinterpret_cast<bool const*>(common.data());
        bool const sequence = preduce::reduce(policy, flags, flags + n, true, preduce::logical_and{});
        CHECK_MESSAGE(any == found, about.name, "; n = ", n, ", at ", at);
        CHECK_MESSAGE(all == !found, about.name, "; n = ", n, ", at ", at);
        CHECK_MESSAGE(sequence == !found, about.name, "; n = ", n, ", at ", at);
      }
    }
    // A result wider than bool, in memory.
    memory::buffer<std::int32_t> const out(about.place, 1);
    memory::buffer<std::uint8_t> const data(about.place, std::vector<std::uint8_t>(1000, 2));
    preduce::parallel_reduce(policy, 1000, functors::load<std::uint8_t>{data.data()}, preduce::all(out.data()));
    CHECK_MESSAGE(out.read() == 1, about.name);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

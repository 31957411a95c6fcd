#pragma once
// Behaviours 4, 5 and 6: empty ranges, initial values, operators without identity.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <bit>
#include <limits>
#include <vector>

namespace empty_tests {

template <class T>
bool is_positive_zero(T value) {
  return memory::same_bits(value, T{0});
}

/// The code of the error that the call throws; fails where it throws none.
template <class Call>
preduce::error_code code_of(Call const& call, std::string const& policy) {
  try {
    call();
  } catch (preduce::error const& e) {
    return e.code();
  }
  FAIL_CHECK("no error under " << policy);
  return preduce::error_code::cuda_failure;
}

}  // namespace empty_tests

TEST_CASE("behaviour 4, promise 2: n = 0 gives the identity, under every policy and result kind" *
          doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    functors::load<float> const never_called{nullptr};
    functors::load<std::int32_t> const never{nullptr};

    float const returned = preduce::parallel_reduce(policy, 0, never_called);
    CHECK_MESSAGE(empty_tests::is_positive_zero(returned), about.name);

    auto sum = memory::poisoned<float>(), product = memory::poisoned<float>();
    auto low = memory::poisoned<float>(), high = memory::poisoned<float>();
    preduce::parallel_reduce(policy, 0, never_called, sum);
    preduce::parallel_reduce(policy, 0, never_called, preduce::prod(product));
    preduce::parallel_reduce(policy, 0, never_called, preduce::min(low));
    preduce::parallel_reduce(policy, 0, never_called, preduce::max(high));
    CHECK_MESSAGE(empty_tests::is_positive_zero(sum), about.name);
    CHECK_MESSAGE(product == 1.0f, about.name);
    CHECK_MESSAGE(low == std::numeric_limits<float>::infinity(), about.name);
    CHECK_MESSAGE(high == -std::numeric_limits<float>::infinity(), about.name);

    auto whole = memory::poisoned<std::int32_t>();
    preduce::parallel_reduce(policy, 0, never, preduce::min(whole));
    CHECK_MESSAGE(whole == std::numeric_limits<std::int32_t>::max(), about.name);
    preduce::parallel_reduce(policy, 0, never, preduce::max(whole));
    CHECK_MESSAGE(whole == std::numeric_limits<std::int32_t>::lowest(), about.name);
    preduce::parallel_reduce(policy, 0, never, whole);
    CHECK_MESSAGE(whole == 0, about.name);

    memory::buffer<float> const out(about.place, 1);
    preduce::parallel_reduce(policy, 0, never_called, out.data());
    CHECK_MESSAGE(empty_tests::is_positive_zero(out.read()), about.name);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

TEST_CASE("behaviour 4: an empty range, an empty sequence and null pointers with n = 0" *
          doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    float const* const nothing = nullptr;
    CHECK_MESSAGE(empty_tests::is_positive_zero(preduce::reduce(policy, nothing, nothing)), about.name);
    CHECK_MESSAGE(preduce::reduce(policy, nothing, nothing, 42.0f) == 42.0f, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, preduce::range{7, 7}, functors::index{}) == 0, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, preduce::range{-7, -7}, functors::index{}) == 0, about.name);

    memory::buffer<float> const out(about.place, 1);
    preduce::reduce_into(policy, nothing, nothing, out.data(), -42.0f, preduce::plus<float>{});
    CHECK_MESSAGE(out.read() == -42.0f, about.name);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

TEST_CASE("behaviour 4, promise 2: an empty range with neither identity nor init is an error" *
          doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    auto total = memory::poisoned<std::uint64_t>();
    auto const reduce = [&](std::int64_t n) {
      preduce::parallel_reduce(policy, n, functors::scrambled_index{}, preduce::reducer(operators::hash{}, total));
    };
    CHECK_MESSAGE(empty_tests::code_of([&] { reduce(0); }, about.name) == preduce::error_code::invalid_argument,
                  about.name);
    CHECK_MESSAGE(total == memory::poisoned<std::uint64_t>(), about.name);
    reduce(1);  // the next call works
    CHECK_MESSAGE(total == functors::scrambled_index{}(0), about.name);

    // The identity that a caller gives is what an empty range gives, and is mixed into no data.
    preduce::parallel_reduce(policy, 0, functors::scrambled_index{},
                             preduce::reducer(operators::hash{}, std::uint64_t{99}, total));
    CHECK_MESSAGE(total == 99, about.name);
    preduce::parallel_reduce(policy, 1, functors::scrambled_index{},
                             preduce::reducer(operators::hash{}, std::uint64_t{99}, total));
    CHECK_MESSAGE(total == functors::scrambled_index{}(0), about.name);
  });
}

TEST_CASE("behaviour 5, promise 3: init enters exactly once, last, on the left" * doctest::skip(device::missing())) {
  auto const values = sample::values<std::uint64_t>(40000, 80);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  constexpr auto greatest = std::numeric_limits<std::uint64_t>::max();
  walk::totals<std::uint64_t> known;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<std::uint64_t> const data(about.place, values);
    auto const* const first = data.data();
    for (std::int64_t const n : {0, 1, 2, 1000, 4097, 40000}) {
      auto const oracle_total = [&](std::int64_t m) {
        return oracle::total<std::uint64_t>(m, element, operators::hash{});
      };
      for (std::uint64_t const init : {std::uint64_t{42}, std::uint64_t{0}, greatest}) {
        auto const want = n == 0 ? init : operators::hash{}(init, known.at(n, oracle_total));
        auto const got = preduce::reduce(policy, first, first + n, init, operators::hash{});
        if (!walk::same_bits(want, got, "hash after init", about, n)) return;
      }
      for (std::int64_t const init : {std::int64_t{-42}, std::numeric_limits<std::int64_t>::min()}) {
        auto const want = static_cast<std::uint64_t>(init) + static_cast<std::uint64_t>(n);
        functors::one const one;
        auto const got = preduce::transform_reduce(policy, first, first + n, one, init, preduce::plus<std::int64_t>{});
        if (!walk::same_bits(want, static_cast<std::uint64_t>(got), "count after init", about, n)) return;
      }
    }
  });
}

TEST_CASE("behaviour 6, promise 4: an operator without identity is seeded from data" *
          doctest::skip(device::missing())) {
  // Every rank is positive: a T{} mixed in anywhere would win.
  std::vector<operators::ranked> values;
  sample::generator g(81);
  for (int i = 0; i < 40000; ++i) values.push_back({static_cast<std::int32_t>(g.below(1000000)) + 5, i});
  operators::lower_rank const lower;
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<operators::ranked> const data(about.place, values);
    for (auto const n : lists::few_sizes(about)) {
      if (n == 0 || n > static_cast<std::int64_t>(values.size())) continue;
      auto want = values[0];
      for (std::int64_t i = 1; i < n; ++i) want = lower.combine(want, values[static_cast<std::size_t>(i)]);
      auto got = memory::poisoned<operators::ranked>();
      preduce::parallel_reduce(policy, n, functors::load<operators::ranked>{data.data()}, preduce::reducer(lower, got));
      if (!walk::same_bits(want, got, "lowest rank", about, n)) break;
    }
  });
}

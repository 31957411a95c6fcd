#pragma once
// Behaviour 16: operators that do not commute keep the order of their operands.

#include "../support/golden.hpp"
#include "../support/operators.hpp"
#include "../support/walk.hpp"

TEST_CASE("behaviour 16, promise 8: affine maps compose to the serial left fold under every policy" *
          doctest::skip(device::missing())) {
  operators::affine_from_index const element;
  operators::then const then;
  auto const left_fold = [&](std::int64_t n) {
    auto fold = element(0);
    for (std::int64_t i = 1; i < n; ++i) fold = then.combine(fold, element(i));
    return fold;
  };
  walk::indices<operators::affine>("affine maps", element, then, left_fold, lists::few_sizes);
}

TEST_CASE("behaviour 16, promise 8: affine maps in memory, after an initial one" * doctest::skip(device::missing())) {
  operators::then const then;
  std::vector<operators::affine> maps;
  for (std::int64_t i = 0; i < 40000; ++i) maps.push_back(operators::affine_from_index{}(i));
  operators::affine const init{12345, 678};
  walk::totals<operators::affine> known;
  auto const left_fold = [&](std::int64_t n) {
    auto fold = init;
    for (std::int64_t i = 0; i < n; ++i) fold = then.combine(fold, maps[static_cast<std::size_t>(i)]);
    return fold;
  };
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<operators::affine> const data(about.place, maps);
    for (auto const n : lists::few_sizes(about)) {
      if (n > static_cast<std::int64_t>(maps.size())) break;
      auto const* const first = data.first(static_cast<std::size_t>(n));
      auto const got = preduce::reduce(policy, first, first + n, init, then);
      if (!walk::same_bits(known.at(n, left_fold), got, "affine maps in memory", about, n)) break;
    }
  });
}

TEST_CASE("promises 7 and 8: the order-keeping map gives one tree, so even a hash has defined bits" *
          doctest::skip(device::missing())) {
  functors::scrambled_index const element;
  auto const total = [&](std::int64_t n) {
    return oracle::total_in_order<std::uint64_t>(n, element, operators::hash{});
  };
  walk::indices<std::uint64_t>("ordered hash", element, operators::ordered_hash{}, total, lists::boundary_sizes);
}

TEST_CASE("promise 8: golden totals in order under every policy" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    auto const most = about.pace == sizes::pace::fast ? 3000001 : 100000;
    for (auto const& row : golden::totals) {
      if (row.n > most) break;
      auto total = memory::poisoned<std::uint64_t>();
      preduce::parallel_reduce(policy, row.n, functors::scrambled_index{},
                               preduce::reducer(operators::ordered_hash{}, total));
      if (!walk::same_bits(row.in_order, total, "golden total in order", about, row.n)) break;
    }
  });
}

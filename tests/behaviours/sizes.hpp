#pragma once
// Behaviour 1: sizes. Compiled for the host by sizes_test.cpp, for the GPU by gpu/order.cu.

#include "../support/golden.hpp"
#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

TEST_CASE("behaviour 1, promise 7: float sums of every size have the canonical order's bits" *
          doctest::skip(device::missing())) {
  auto const values = sample::floats<float>(2200001, sample::spread::even, 1);
  walk::pointers("sum of float", values, 0.5f, preduce::plus<float>{}, reference::plus{}, lists::every_size);
}

TEST_CASE("behaviour 1, promise 7: a hash that neither commutes nor associates is the same tree at every boundary" *
          doctest::skip(device::missing())) {
  functors::scrambled_index const element;
  auto const total = [&](std::int64_t n) { return oracle::total<std::uint64_t>(n, element, operators::hash{}); };
  walk::indices<std::uint64_t>("hash of indices", element, operators::hash{}, total, lists::boundary_sizes);
}

TEST_CASE("promise 7: golden totals under every policy" * doctest::skip(device::missing())) {
  lists::for_each_policy([](auto const& policy, lists::entry const& about) {
    auto const most = about.pace == sizes::pace::fast ? 3000001 : lists::covers(about) ? 100000 : 4097;
    for (auto const& row : golden::totals) {
      if (row.n > most) break;
      auto total = memory::poisoned<std::uint64_t>();
      preduce::parallel_reduce(policy, row.n, functors::scrambled_index{}, preduce::reducer(operators::hash{}, total));
      if (!walk::same_bits(row.by_lanes, total, "golden total", about, row.n)) break;
    }
  });
}

TEST_CASE("promises 7 and 8: golden totals of more tiles than partial lanes, under every policy" *
          doctest::skip(device::missing() || device::sanitized)) {
  auto const& row = golden::many_tiles;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    // Seconds each on the simulated machine, where the policies fold their partials by the same code: half of it each.
    bool const all = about.pace == sizes::pace::fast || std::string(policy.name()) == "single_thread";
    bool const two_pass = std::string(policy.name()) == "two_pass";
    auto total = memory::poisoned<std::uint64_t>();
    if (all || two_pass) {
      preduce::parallel_reduce(policy, row.n, functors::scrambled_index{}, preduce::reducer(operators::hash{}, total));
      walk::same_bits(row.by_lanes, total, "golden total", about, row.n);
    }
    if (all || !two_pass) {
      preduce::parallel_reduce(policy, row.n, functors::scrambled_index{},
                               preduce::reducer(operators::ordered_hash{}, total));
      walk::same_bits(row.in_order, total, "golden total in order", about, row.n);
    }
  });
}

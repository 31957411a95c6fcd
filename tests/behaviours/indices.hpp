#pragma once
// Behaviours 2 and 3: counting ranges without memory, and the arithmetic of indices.

#include "../support/operators.hpp"
#include "../support/walk.hpp"

#include <limits>
#include <vector>

namespace index_tests {

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto greatest = std::numeric_limits<std::int64_t>::max();

/// The sum of begin .. end - 1, modulo 2^64.
inline std::uint64_t sum_of(std::int64_t begin, std::int64_t end) {
  auto const n = static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
  auto const pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  return static_cast<std::uint64_t>(begin) * n + pairs;
}

template <class Call>
bool refused(Call const& call, std::string const& policy) {
  try {
    call();
    FAIL_CHECK("accepted under " << policy);
    return false;
  } catch (preduce::error const& e) {
    CHECK_MESSAGE(e.code() == preduce::error_code::invalid_argument, policy, ": ", e.what());
    return true;
  }
}

}  // namespace index_tests

TEST_CASE("behaviour 3: ranges begin and end anywhere in 64 bits" * doctest::skip(device::missing())) {
  using namespace index_tests;
  std::vector<preduce::range> ranges{{7, 1007},
                                     {-500, 500},
                                     {-1000, -1},
                                     {-1, 0},
                                     {5, 5},
                                     {least, least + 10},
                                     {least, least + 5000},
                                     {greatest - 10, greatest},
                                     {greatest - 5000, greatest},
                                     {(std::int64_t{1} << 31) - 100, (std::int64_t{1} << 31) + 100},
                                     {-(std::int64_t{1} << 31) - 100, -(std::int64_t{1} << 31) + 100},
                                     {(std::int64_t{1} << 32) - 3000, (std::int64_t{1} << 32) + 3000}};
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    if (device::sanitized && !lists::covers(about)) return;
    for (auto const r : ranges) {
      auto const got = preduce::parallel_reduce(policy, r, functors::unsigned_index{});
      if (!walk::same_bits(sum_of(r.begin, r.end), got, "sum of indices", about, r.end - r.begin)) break;
    }
  });
}

TEST_CASE("behaviour 3: a range is the count shifted, with the same tree" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    for (std::int64_t const begin : {-12345, 1, 4096}) {
      auto const element = [=](std::int64_t i) { return functors::scrambled_index{}(begin + i); };
      auto const want = oracle::total<std::uint64_t>(9000, element, operators::hash{});
      auto got = memory::poisoned<std::uint64_t>();
      preduce::parallel_reduce(policy, preduce::range{begin, begin + 9000}, functors::scrambled_index{},
                               preduce::reducer(operators::hash{}, got));
      if (!walk::same_bits(want, got, "hash of a range", about, 9000)) break;
    }
  });
}

TEST_CASE("behaviour 3: begin behind end, and ranges longer than 2^63 - 1, are refused" *
          doctest::skip(device::missing())) {
  using namespace index_tests;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    auto total = memory::poisoned<std::uint64_t>();
    for (auto const r : {preduce::range{5, 4}, preduce::range{0, -1}, preduce::range{greatest, least},
                         preduce::range{least, greatest}, preduce::range{-1, greatest}}) {
      refused([&] { preduce::parallel_reduce(policy, r, functors::unsigned_index{}, total); }, about.name);
    }
    CHECK_MESSAGE(total == memory::poisoned<std::uint64_t>(), about.name);
    preduce::parallel_reduce(policy, preduce::range{4, 5}, functors::unsigned_index{}, total);
    CHECK_MESSAGE(total == 4, about.name);
  });
}

TEST_CASE("behaviour 3: every integral type of n" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    functors::index const index;
    CHECK_MESSAGE(preduce::parallel_reduce(policy, 100, index) == 4950, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, 100u, index) == 4950, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, std::size_t{100}, index) == 4950, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, std::int64_t{100}, index) == 4950, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, short{100}, index) == 4950, about.name);
  });
}

TEST_CASE("behaviour 3: a functor of 32-bit indices" * doctest::skip(device::missing())) {
  using namespace index_tests;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    functors::narrow_index const narrow;
    CHECK_MESSAGE(preduce::parallel_reduce(policy, 5000, narrow) == 12497500, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, preduce::range{-10, 5}, narrow) == -45, about.name);
    preduce::range const last{most - 4, most};
    CHECK_MESSAGE(preduce::parallel_reduce(policy, last, narrow) == 4 * most - 10, about.name);
    auto total = memory::poisoned<std::int64_t>();
    auto const refuses = [&](auto range) {
      return refused([&] { preduce::parallel_reduce(policy, range, narrow, total); }, about.name);
    };
    // Refused before launch: no policy walks 2^31 indices to find out. Those that would take hours come last.
    if (!refuses(preduce::range{most, most + 4}) || !refuses(preduce::range{-most - 3, -most})) return;
    if (!refuses(most + 2) || !refuses(std::int64_t{1} << 40)) return;
    CHECK_MESSAGE(total == memory::poisoned<std::int64_t>(), about.name);
  });
}

TEST_CASE("behaviour 2, promise 1: a counting range needs no memory" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    std::vector<std::int64_t> counts{std::int64_t{1} << 20, (std::int64_t{1} << 22) + 1};
    if (about.place == memory::place::gpu && about.pace == sizes::pace::fast) {
      counts = {(std::int64_t{1} << 31) - 1, std::int64_t{1} << 31, (std::int64_t{1} << 32) + 1, std::int64_t{1} << 33};
    } else if (about.pace != sizes::pace::fast && device::sanitized) {
      counts = {(std::int64_t{1} << 18) + 1};
    }
    for (auto const n : counts) {
      auto const got = preduce::parallel_reduce(policy, n, functors::unsigned_index{});
      if (!walk::same_bits(index_tests::sum_of(0, n), got, "sum of indices", about, n)) break;
    }
  });
}

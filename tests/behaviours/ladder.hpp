#pragma once
// The rungs of the classic ladder, which combine in orders of their own: exact where order cannot matter, within an
// error bound where it can. Compiled for the host by ladder_test.cpp, for the GPU by gpu/ladder.cu.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ladder_tests {

/// Calls check(policy, about) for every rung as it is and with launches that no textbook has.
template <class Check>
void for_each_launch(Check&& check) {
  lists::for_each_rung([&](auto const& rung, lists::entry const& about) {
    check(rung, about);
    for (int const threads : {32, 96, 512}) {
      if (about.pace != sizes::pace::fast && threads != 96) continue;
      auto changed = about;
      changed.plain = false;
      changed.name += ", block_size " + std::to_string(threads);
      check(rung.block_size(threads), changed);
    }
    auto changed = about;
    changed.plain = false;
    changed.name += ", 3 blocks of 64";
    check(rung.block_size(64).blocks(3), changed);
  });
}

inline std::vector<std::int64_t> sizes_for(lists::entry const& about) {
  if (about.place == memory::place::gpu && !device::sanitized)
    return {0,   1,   2,   3,   31,   32,   33,   63,   64,   65,    95,     127,    128,    129,
            255, 257, 511, 513, 1000, 1023, 1025, 2049, 5000, 65537, 100000, 262145, 1000003};
  if (device::sanitized) return {0, 1, 33, 300};
  return {0, 1, 2, 31, 33, 65, 129, 257, 513, 1000, 5000};
}

/// The value of the larger key; no identity, and the order of equal keys cannot matter.
struct keyed {
  float key;
  std::uint32_t tag;
};
struct larger_key {
  PREDUCE_FUNCTION keyed operator()(keyed const& a, keyed const& b) const {
    if (a.key < b.key) return b;
    if (b.key < a.key) return a;
    return a.tag < b.tag ? a : b;
  }
};

}  // namespace ladder_tests

TEST_CASE("behaviour 1: every rung sums bytes exactly, at every size, launch and alignment" *
          doctest::skip(device::missing())) {
  using namespace ladder_tests;
  sample::generator random(70);
  std::vector<signed char> values(1000020);
  for (auto& value : values) value = static_cast<signed char>(random.next());
  std::vector<int> totals(values.size() + 1, 0);
  for (auto const shift : {std::size_t{0}, std::size_t{1}, std::size_t{5}}) {
    for (std::size_t i = shift; i < values.size(); ++i) totals[i - shift + 1] = totals[i - shift] + values[i];
    for_each_launch([&](auto const& policy, lists::entry const& about) {
      if (shift > 0 && !about.plain) return;
      memory::buffer<signed char> const data(about.place, values);
      for (auto const n : sizes_for(about)) {
        auto const* const first = data.data() + shift;
        int const got = preduce::reduce(policy, first, first + n);
        if (!walk::same_bits(totals[static_cast<std::size_t>(n)], got, "sum of bytes", about, n)) break;
      }
    });
  }
}

TEST_CASE("promise 7: under every rung float sums are within their bound, and minima have their bits" *
          doctest::skip(device::missing())) {
  using namespace ladder_tests;
  auto const values = sample::floats<float>(1000003, sample::spread::even, 71);
  auto with_nan = values;
  with_nan[777] = std::numeric_limits<float>::quiet_NaN();
  for_each_launch([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values), spoilt(about.place, with_nan);
    memory::buffer<float> const result(about.place, 1);
    for (auto const n : sizes_for(about)) {
      double exact = 0.5, sizes = 0.5;
      float least = std::numeric_limits<float>::infinity();
      for (std::int64_t i = 0; i < n; ++i) {
        double const value = values[static_cast<std::size_t>(i)];
        exact += value;
        sizes += std::abs(value);
        least = reference::minimum{}(least, values[static_cast<std::size_t>(i)]);
      }
      auto const* const first = data.data();
      float const sum = preduce::reduce(policy, first, first + n, 0.5f);
      double const bound = (static_cast<double>(n) + 1) * std::numeric_limits<float>::epsilon() * sizes;
      CHECK_MESSAGE(std::abs(sum - exact) <= bound, about.name, "; n = ", n, "; ", sum, " for ", exact);
      preduce::parallel_reduce(policy, n, functors::load<float>{first}, preduce::min(result.data()));
      if (!walk::same_bits(least, result.read(), "minimum", about, n)) break;
      CHECK_MESSAGE(result.margins_intact(), about.name);
      if (n > 777) {
        auto lowest = memory::poisoned<float>();
        preduce::parallel_reduce(policy, n, functors::load<float>{spoilt.data()}, preduce::min(lowest));
        walk::same_bits(reference::canonical_nan<float>(), lowest, "minimum with a NaN", about, n);
      }
    }
  });
}

TEST_CASE("promise 4: every rung takes an operator without identity, and one value of 12 bytes whole" *
          doctest::skip(device::missing())) {
  using namespace ladder_tests;
  using triple = operators::words<std::uint32_t, 3>;
  sample::generator random(72);
  std::vector<keyed> values(10'000);
  std::vector<triple> triples(values.size());
  for (auto& value : values)
    value = {static_cast<float>(random.below(1000)), static_cast<std::uint32_t>(random.next())};
  for (auto& value : triples) {
    for (auto& word : value.word) word = static_cast<std::uint32_t>(random.next());
  }
  for_each_launch([&](auto const& policy, lists::entry const& about) {
    memory::buffer<keyed> const data(about.place, values);
    memory::buffer<triple> const three(about.place, triples);
    for (auto const n : sizes_for(about)) {
      // Compare-and-swap by everybody on one cell: a million of them take seconds.
      if (n == 0 || n > 10'000) continue;
      keyed want = values[0];
      triple sum = triples[0];
      for (std::int64_t i = 1; i < n; ++i) {
        want = larger_key{}(want, values[static_cast<std::size_t>(i)]);
        sum = operators::add_words{}(sum, triples[static_cast<std::size_t>(i)]);
      }
      auto got = memory::poisoned<keyed>();
      preduce::parallel_reduce(policy, n, functors::load<keyed>{data.data()}, preduce::reducer(larger_key{}, got));
      if (!walk::same_bits(want, got, "largest key", about, n)) break;
      auto words = memory::poisoned<triple>();
      preduce::parallel_reduce(policy, n, functors::load<triple>{three.data()},
                               preduce::reducer(operators::add_words{}, words));
      if (!walk::same_bits(sum, words, "12 bytes", about, n)) break;
    }
  });
}

TEST_CASE("behaviours 8, 9 and 10: ties, zeros and NaN do not depend on the rung" * doctest::skip(device::missing())) {
  lists::for_each_rung([](auto const& policy, lists::entry const& about) {
    for (std::int64_t const n : {5, 300, 5000}) {
      std::vector<float> values(static_cast<std::size_t>(n), 2.0f);
      auto const lowest = [&](std::int64_t want_index, float want) {
        memory::buffer<float> const data(about.place, values);
        preduce::located<float> found{0.0f, -7};
        preduce::parallel_reduce(policy, n, functors::load<float>{data.data()}, preduce::min_loc(found));
        CHECK_MESSAGE(found.index == want_index, about.name, "; n = ", n, "; index ", found.index);
        walk::same_bits(want, found.value, "least value", about, n);
      };
      lowest(0, 2.0f);
      values[static_cast<std::size_t>(n - 1)] = 0.0f;
      lowest(n - 1, 0.0f);
      values[static_cast<std::size_t>(n / 2)] = -0.0f;
      lowest(n / 2, -0.0f);
      values[static_cast<std::size_t>(n / 2 + 1)] = std::numeric_limits<float>::quiet_NaN();
      lowest(n / 2 + 1, reference::canonical_nan<float>());
    }
  });
}

TEST_CASE("behaviour 14: whole objects move under every rung, up to 16 bytes where they meet by atomics" *
          doctest::skip(device::missing())) {
  using namespace ladder_tests;
  sample::generator random(74);
  lists::for_each_rung([&](auto const& policy, lists::entry const& about) {
    auto const sums = [&]<class Words>(Words) {
      std::vector<Words> values(3000);
      for (auto& value : values) {
        for (auto& word : value.word) word = static_cast<std::remove_cvref_t<decltype(word)>>(random.next());
      }
      memory::buffer<Words> const data(about.place, values);
      for (std::int64_t const n : {1, 33, 3000}) {
        Words want = values[0];
        for (std::int64_t i = 1; i < n; ++i) want = operators::add_words{}(want, values[static_cast<std::size_t>(i)]);
        auto got = memory::poisoned<Words>();
        preduce::parallel_reduce(policy, n, functors::load<Words>{data.data()},
                                 preduce::reducer(operators::add_words{}, got));
        if (!walk::same_bits(want, got, "object", about, n)) break;
      }
    };
    sums(operators::words<std::uint8_t, 3>{});
    sums(operators::words<std::uint32_t, 4>{});
    constexpr auto facts = std::remove_cvref_t<decltype(policy)>::classic;
    if constexpr (facts.second_kernel || facts.one_block) sums(operators::words<std::uint64_t, 8>{});
  });
}

TEST_CASE("behaviours 3, 5 and 19: ranges with an offset, init once, and a hundred calls, under every rung" *
          doctest::skip(device::missing())) {
  using namespace ladder_tests;
  lists::for_each_rung([](auto const& policy, lists::entry const& about) {
    int const calls = device::sanitized ? 5 : about.pace == sizes::pace::fast ? 100 : 20;
    for (int call = 0; call < calls; ++call) {
      std::int64_t const n = (call * 7919) % 3001;
      std::int64_t const begin = -1000 + call;
      std::int64_t got = memory::poisoned<std::int64_t>();
      preduce::parallel_reduce(policy, preduce::range{begin, begin + n}, functors::index{}, got);
      if (!walk::same_bits(n * begin + n * (n - 1) / 2, got, "indices from an offset", about, n)) break;
    }
  });
}

#ifdef __CUDACC__
TEST_CASE("behaviour 2, promise 1: rungs count beyond 32 bits" *
          doctest::skip(device::missing() || device::sanitized)) {
  lists::for_each_rung([](auto const& policy, lists::entry const& about) {
    // An atomic for every few elements, or one block for all, would take seconds.
    if (about.name.starts_with("atomic") || about.name.ends_with("a_warp") || about.name.ends_with("one_block")) return;
    std::int64_t const n = (std::int64_t{1} << 32) + 1;
    auto got = memory::poisoned<std::uint64_t>();
    preduce::parallel_reduce(policy, n, functors::unsigned_index{}, got);
    walk::same_bits(static_cast<std::uint64_t>(n / 2) * static_cast<std::uint64_t>(n), got, "indices", about, n);
  });
}
#endif

TEST_CASE("promise 7: a rung says what its bits depend on, and refuses to promise more" *
          doctest::skip(device::missing())) {
  using preduce::determinism;
  preduce::device_facts h200;
  h200.compute_capability = 90;
  h200.multiprocessors = 132;
  h200.cooperative_launch = true;
  CHECK(preduce::atomic.plan_for<float>(1000, h200).bits == determinism::none);
  CHECK(preduce::block_tree.plan_for<double>(1000, h200).bits == determinism::none);
  CHECK(preduce::warp_shuffle.plan_for<int>(1000, h200).bits == determinism::portable);
  CHECK(preduce::ladder::block_tree_two_stages.plan_for<float>(1000, h200).bits == determinism::run_to_run);
  CHECK(preduce::grid_sync.plan_for<float>(1000, h200).bits == determinism::portable);
  CHECK(preduce::automatic.plan_for<float>(1000, h200).bits == determinism::portable);

  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    CHECK_MESSAGE(preduce::parallel_reduce(policy.require(determinism::portable), 100, functors::index{}) == 4950,
                  about.name);
  });
  auto const fold_refuses = [](auto const& fold) {
    auto const strict = fold.require(determinism::portable);
    CHECK(preduce::parallel_reduce(strict, 100, functors::index{}) == 4950);
    try {
      (void)preduce::parallel_reduce(strict, 100, functors::load<float>{nullptr});
      FAIL_CHECK("accepted under " << fold.name());
    } catch (preduce::error const& e) {
      CHECK_MESSAGE(
          std::string(e.what()).find("n = 100, type float: the caller requires portable") != std::string::npos,
          e.what());
    }
  };
  fold_refuses(preduce::serial.left_fold());
  fold_refuses(preduce::single_thread.left_fold());
  CHECK(preduce::single_thread.left_fold().plan_for<float>(1000, h200).bits == determinism::run_to_run);

  lists::for_each_rung([](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, std::vector<float>(100, 1.0f));
    float const* const first = data.data();
    auto const strict = policy.require(determinism::portable);
    auto const least = preduce::reduce(strict, first, first + 100, 9.0f, preduce::minimum<float>{});
    CHECK_MESSAGE(least == 1.0f, about.name);
    try {
      (void)preduce::reduce(strict, first, first + 100);
      FAIL_CHECK("accepted under " << about.name);
    } catch (preduce::error const& e) {
      CHECK(e.code() == preduce::error_code::unsupported);
      CHECK_MESSAGE(std::string(e.what()).find("requires portable bits") != std::string::npos, e.what());
    }
  });
}

TEST_CASE("promise 12: a rung refuses options that it does not have" * doctest::skip(device::missing())) {
  lists::for_each_rung([](auto const& policy, lists::entry const& about) {
    CHECK_THROWS_AS((void)preduce::parallel_reduce(policy.unit_lanes(256), 100, functors::index{}), preduce::error);
    CHECK_THROWS_AS((void)preduce::parallel_reduce(policy.block_size(48), 100, functors::index{}), preduce::error);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, 100, functors::index{}) == 4950, about.name);
  });
}

TEST_CASE("behaviour 24: more shared memory than a block can have is refused" * doctest::skip(device::missing())) {
  using kilobyte = operators::words<std::uint64_t, 128>;
  auto const rung = preduce::ladder::block_tree_two_stages;
#ifdef __CUDACC__
  auto const policy = rung;
  auto const place = memory::place::gpu;
#else
  auto const policy = rung.on(preduce::simt_host);
  auto const place = memory::place::host;
#endif
  std::vector<kilobyte> values(70);
  kilobyte want{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (auto& word : values[i].word) word = i;
    want = i == 0 ? values[0] : operators::add_words{}(want, values[i]);
  }
  memory::buffer<kilobyte> const data(place, values);
  functors::load<kilobyte> const load{data.data()};
  auto got = memory::poisoned<kilobyte>();
  preduce::parallel_reduce(policy, 70, load, preduce::reducer(operators::add_words{}, got));
  CHECK(memory::same_bits(want, got));
  try {
    preduce::parallel_reduce(policy.block_size(1024), 70, load, preduce::reducer(operators::add_words{}, got));
    FAIL_CHECK("accepted");
  } catch (preduce::error const& e) {
    CHECK(e.code() == preduce::error_code::unsupported);
    CHECK_MESSAGE(std::string(e.what()).find("shared memory") != std::string::npos, e.what());
  }
}

TEST_CASE("promise 8: left folds are a plain loop's, for any operator" * doctest::skip(device::missing())) {
  auto const values = sample::floats<float>(5000, sample::spread::even, 73);
#ifdef __CUDACC__
  auto const one = preduce::single_thread.left_fold();
  auto const place = memory::place::gpu;
#else
  auto const one = preduce::single_thread.left_fold().on(preduce::simt_host);
  auto const place = memory::place::host;
#endif
  memory::buffer<float> const data(place, values);
  for (std::int64_t const n : {0, 1, 2, 33, 5000}) {
    float sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum = i == 0 ? values[0] : sum + values[static_cast<std::size_t>(i)];
    sum = n == 0 ? 0.5f : 0.5f + sum;
    CHECK(memory::same_bits(sum, preduce::reduce(one, data.data(), data.data() + n, 0.5f)));
#ifndef __CUDACC__
    CHECK(memory::same_bits(sum, preduce::reduce(preduce::serial.left_fold(), data.data(), data.data() + n, 0.5f)));
#endif
    if (n == 0) continue;
    operators::affine_from_index const map;
    operators::affine want = map(0);
    for (std::int64_t i = 1; i < n; ++i) want = operators::then{}.combine(want, map(i));
    auto got = memory::poisoned<operators::affine>();
    preduce::parallel_reduce(one, n, map, preduce::reducer(operators::then{}, got));
    CHECK(want == got);
#ifndef __CUDACC__
    preduce::parallel_reduce(preduce::serial.left_fold(), n, map, preduce::reducer(operators::then{}, got));
    CHECK(want == got);
#endif
  }
}

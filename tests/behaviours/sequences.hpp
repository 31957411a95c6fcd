#pragma once
// parallel_reduce of a sequence: every reducer over [first, last), the same bits as over its indices.

#include "../support/locations.hpp"
#include "../support/operators.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/ignoring_nan.hpp>
#include <preduce/location.hpp>
#include <preduce/logic.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <ranges>
#include <string>
#include <vector>

namespace sequence_tests {

using locations::finds;

template <class T>
struct totals {
  T sum, product, low, high, number, first, last;
  preduce::extent<T> both;
};

template <class T>
struct larger {
  PREDUCE_FUNCTION T operator()(T a, T b) const { return a < b ? b : a; }
};

/// Every reducer over source..., a sequence or a count and a functor.
template <class T, class Policy, class... Source>
totals<T> every_reducer(Policy const& policy, Source... source) {
  auto all = memory::poisoned<totals<T>>();
  preduce::parallel_reduce(policy, source..., all.sum);
  preduce::parallel_reduce(policy, source..., preduce::prod(all.product));
  preduce::parallel_reduce(policy, source..., preduce::min(all.low));
  preduce::parallel_reduce(policy, source..., preduce::max(all.high));
  preduce::parallel_reduce(policy, source..., preduce::min_ignoring_nan(all.number));
  preduce::parallel_reduce(policy, source..., preduce::reducer(larger<T>{}, T(-9), all.first));
  preduce::parallel_reduce(policy, source..., preduce::reducer(preduce::plus<T>{}, all.last));
  preduce::parallel_reduce(policy, source..., preduce::min_max(all.both));
  return all;
}

}  // namespace sequence_tests

TEST_CASE("promise 7: a sequence and a functor that reads it give the same bits under every reducer" *
          doctest::skip(device::missing())) {
  using namespace sequence_tests;
  auto const values = sample::floats<float>(40000, sample::spread::near_one, 352);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values, 4);
    float const* const x = data.data();
    for (std::int64_t const n : {1, 2, 33, 1000, 4097, 40000}) {
      auto const want = every_reducer<float>(policy, n, functors::load<float>{x});
      auto const got = every_reducer<float>(policy, x, x + n);
      if (!walk::same_bits(want, got, "every reducer", about, n)) break;
    }
    auto nothing = memory::poisoned<float>();
    preduce::parallel_reduce(policy, x, x, nothing);
    walk::same_bits(0.0f, nothing, "sum of nothing", about, 0);
    preduce::parallel_reduce(policy, x, x, preduce::reducer(larger<float>{}, 3.0f, nothing));
    walk::same_bits(3.0f, nothing, "identity", about, 0);

    double wide = 0, wanted = 1;
    preduce::parallel_reduce(policy, x, x + 40000, wide);
    preduce::parallel_reduce(policy, 40000, functors::load<float>{x}, wanted);
    walk::same_bits(wanted, wide, "float summed as double", about, 40000);

    memory::buffer<preduce::located<float>> const where(about.place, 1);
    memory::buffer<float> const out(about.place, 3);
    preduce::parallel_reduce(policy, x, x + 40000, preduce::min_loc(where.data()));
    preduce::parallel_reduce(policy, x, x + 40000, out.data());
    preduce::parallel_reduce(policy, x, x + 40000, preduce::max(out.data() + 1));
    auto const want = every_reducer<float>(policy, 40000, functors::load<float>{x});
    locations::same(locations::wanted<false>(values, 40000, 0), where.read(), "location in memory", about, 40000);
    walk::same_bits(want.sum, out.read(), "sum in memory", about, 40000);
    walk::same_bits(want.high, out.read(1), "maximum in memory", about, 40000);
    CHECK_MESSAGE(out.margins_intact(), about.name);
    CHECK_MESSAGE(where.margins_intact(), about.name);
  });
}

TEST_CASE("integers of a sequence: logic, bits, and operators that keep their operands in order" *
          doctest::skip(device::missing())) {
  auto const values = sample::random_bytes<std::uint64_t>(40000, 353);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<std::uint64_t> const data(about.place, values);
    std::uint64_t const* const x = data.data();
    functors::load<std::uint64_t> const load{x};
    for (std::int64_t const n : {1, 33, 4097, 40000}) {
      std::array<std::uint64_t, 2> want{}, got{};
      preduce::parallel_reduce(policy, n, load, preduce::bits_xor(want[0]));
      preduce::parallel_reduce(policy, n, load, preduce::reducer(operators::ordered_hash{}, want[1]));
      preduce::parallel_reduce(policy, x, x + n, preduce::bits_xor(got[0]));
      preduce::parallel_reduce(policy, x, x + n, preduce::reducer(operators::ordered_hash{}, got[1]));
      walk::same_bits(want, got, "bits and order", about, n);
      bool all = false, any = false;
      preduce::parallel_reduce(policy, x, x + n, preduce::all(all));
      preduce::parallel_reduce(policy, x, x + n, preduce::any(any));
      CHECK_MESSAGE(all, about.name);
      CHECK_MESSAGE(any, about.name);
    }
  });
}

TEST_CASE("behaviour 24, promise 12: a sequence that is none is refused before launch" *
          doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, std::vector<float>(10, 1.0f));
    float const* const x = data.data();
    float const* const null = nullptr;
    auto const* const behind_null = reinterpret_cast<float const*>(5 * sizeof(float));  // null + 5 is undefined
    auto where = memory::poisoned<preduce::located<float>>();
    auto const refused = [&](auto first, auto last, auto&& result, preduce::error_code code, char const* part) {
      try {
        preduce::parallel_reduce(policy, first, last, preduce::min_loc(result));
        FAIL_CHECK("accepted under " << about.name);
      } catch (preduce::error const& e) {
        CHECK_MESSAGE(e.code() == code, e.what());
        CHECK_MESSAGE(std::string(e.what()).find(part) != std::string::npos, e.what());
      }
    };
    preduce::located<float>* const nowhere = nullptr;
    refused(x + 7, x, where, preduce::error_code::invalid_argument, "n = -7");
    refused(null, behind_null, where, preduce::error_code::invalid_pointer, "n = 5");
    refused(x, x + 10, nowhere, preduce::error_code::invalid_pointer, "n = 10");
    preduce::parallel_reduce(policy, null, null, preduce::min_loc(where));
    CHECK_MESSAGE(where.index == -1, about.name);
  });
}

TEST_CASE("a sequence without a policy is automatic's" * doctest::skip(device::missing())) {
  auto const place = device::compiled_for_gpu ? memory::place::gpu : memory::place::host;
  memory::buffer<float> const data(place, std::vector<float>{2, 1, 3, 1});
  preduce::located<float> least{};
  float sum = 0;
  preduce::parallel_reduce(data.data(), data.data() + 4, preduce::min_loc(least));
  preduce::parallel_reduce(data.data(), data.data() + 4, sum);
  CHECK(least.index == 1);
  CHECK(sum == 7);
}

// Iterators of the host's containers, under policies that run there.
#ifndef __CUDACC__
#  if !defined(__clang__) || __clang_major__ >= 16  // older ones cannot compile g++ 12's <ranges>
TEST_CASE("promises 1, 12: a sequence of 2^63 elements or more is refused for what it is") {
  auto const all = std::views::iota(std::uint64_t{0}, ~std::uint64_t{0});
  auto const first = all.begin();
  auto const refused = [](auto const& policy, auto from, auto to, char const* part) {
    try {
      (void)preduce::reduce(policy, from, to);
      FAIL_CHECK("accepted under " << policy.name());
    } catch (preduce::error const& e) {
      CHECK_MESSAGE(e.code() == preduce::error_code::invalid_argument, e.what());
      CHECK_MESSAGE(std::string(e.what()).find(part) != std::string::npos, e.what());
    }
  };
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    auto const halfway = std::views::iota(std::uint64_t{1} << 63, ~std::uint64_t{0}).begin();
    refused(policy, first, all.end(), "longer than 2^63 - 1");
    refused(policy, first, halfway, "longer than 2^63 - 1");
    refused(policy, all.end(), first, "last lies before first");
    refused(policy, halfway, first, "last lies before first");
    refused(policy, all.end(), halfway, "last lies before first");
    std::uint64_t const sum = preduce::reduce(policy, first, first + 1000, std::uint64_t{0});
    CHECK_MESSAGE(sum == 499500, about.name);
  });
}
#  endif

TEST_CASE("behaviour 17: vectors, deques, reverse iterators and bits under every reducer") {
  using namespace sequence_tests;
  auto values = sample::floats<float>(5000, sample::spread::even, 354);
  std::deque<float> const deque(values.begin(), values.end());
  std::vector<float> const reversed(values.rbegin(), values.rend());
  std::vector<bool> bits(5000);
  for (std::size_t i = 100; i < bits.size(); i += 3) bits[i] = true;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    for (std::int64_t const n : {0, 1, 1000, 5000}) {
      finds(policy, about, "vector", values, values.begin(), n);
      finds(policy, about, "deque", values, deque.cbegin(), n);
      finds(policy, about, "reverse", reversed, values.crbegin(), n);
      if (n == 0) continue;
      auto const want = every_reducer<float>(policy, values.data(), values.data() + n);
      auto const got = every_reducer<float>(policy, deque.cbegin(), deque.cbegin() + n);
      walk::same_bits(want, got, "deque, every reducer", about, n);
    }
    float const array[3] = {3, 1, 2};
    float sum = 0;
    preduce::parallel_reduce(policy, array, array + 3, sum);
    CHECK_MESSAGE(sum == 6, about.name);
    preduce::located<int> most{};
    std::int64_t count = 0;
    bool all = true;
    preduce::parallel_reduce(policy, bits.begin(), bits.end(), preduce::max_loc(most));
    preduce::parallel_reduce(policy, bits.begin(), bits.end(), count);
    preduce::parallel_reduce(policy, bits.begin(), bits.end(), preduce::all(all));
    CHECK_MESSAGE((most.value == 1 && most.index == 100), about.name);
    CHECK_MESSAGE(count == 1634, about.name);
    CHECK_MESSAGE(!all, about.name);
  });
}

#endif

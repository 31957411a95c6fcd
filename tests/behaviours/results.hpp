#pragma once
// Behaviours 18 and 19: where results go, and what calls leave behind.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <vector>

namespace result_tests {

/// A host variable between neighbours.
template <class T>
struct guarded {
  T before = memory::poisoned<T>();
  T value = memory::poisoned<T>();
  T after = memory::poisoned<T>();

  [[nodiscard]] bool neighbours_untouched() const {
    return memory::same_bits(before, memory::poisoned<T>()) && memory::same_bits(after, memory::poisoned<T>());
  }
};

/// Every kind of result for one size; each must be `want`.
template <class T, class Policy>
bool all_kinds(Policy const& policy, lists::entry const& about, memory::buffer<T> const& data, std::int64_t n, T want) {
  auto const* const first = data.data();
  functors::load<T> const load{first};
  guarded<T> variable, summed, combined;
  // Misaligned for vectors of T, so that a store wider than T would spill.
  memory::buffer<T> const pointer(about.place, 1, sizeof(T)), bound(about.place, 1, sizeof(T));
  memory::buffer<T> const into(about.place, 1, sizeof(T)), mapped(about.place, 1, sizeof(T));

  T const returned = preduce::parallel_reduce(policy, n, load);
  preduce::parallel_reduce(policy, n, load, variable.value);
  preduce::parallel_reduce(policy, n, load, preduce::sum(summed.value));
  preduce::parallel_reduce(policy, n, load, preduce::reducer(preduce::plus<T>{}, combined.value));
  preduce::parallel_reduce(policy, n, load, pointer.data());
  preduce::parallel_reduce(policy, n, load, preduce::sum(bound.data()));
  preduce::reduce_into(policy, first, first + n, into.data());
  preduce::transform_reduce_into(policy, first, first + n, mapped.data(), functors::identity{}, -T{0},
                                 preduce::plus<T>{});

  struct {
    char const* what;
    T got;
    bool untouched;
  } const kinds[] = {
      {"return value", returned, true},
      {"variable", variable.value, variable.neighbours_untouched()},
      {"sum(variable)", summed.value, summed.neighbours_untouched()},
      {"reducer(plus, variable)", combined.value, combined.neighbours_untouched()},
      {"pointer", pointer.read(), pointer.margins_intact()},
      {"sum(pointer)", bound.read(), bound.margins_intact()},
      {"reduce_into", into.read(), into.margins_intact()},
      {"transform_reduce_into", mapped.read(), mapped.margins_intact()},
  };
  bool right = true;
  for (auto const& kind : kinds) {
    right = walk::same_bits(want, kind.got, kind.what, about, n) && right;
    CHECK_MESSAGE(kind.untouched, kind.what, " wrote beside the result; ", about.name, "; n = ", n);
  }
  return right;
}

template <class T>
void every_kind() {
  auto const values = sample::values<T>(40000, 100 + sizeof(T));
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    for (std::int64_t const n : {1, 7, 1000, 4097, 40000}) {
      if (!all_kinds(policy, about, data, n, oracle::total<T>(n, element, reference::plus{}))) break;
    }
  });
}

}  // namespace result_tests

TEST_CASE("behaviour 18: every kind of result is written whole, and nothing beside it" *
          doctest::skip(device::missing())) {
  SUBCASE("float") {
    result_tests::every_kind<float>();
  }
  SUBCASE("int64") {
    result_tests::every_kind<std::int64_t>();
  }
}

TEST_CASE("behaviour 18: a reducer of every built-in operator, bound to memory" * doctest::skip(device::missing())) {
  auto const values = sample::values<std::int32_t>(5000, 110);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  auto const n = static_cast<std::int64_t>(values.size());
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<std::int32_t> const data(about.place, values), out(about.place, 4);
    functors::load<std::int32_t> const load{data.data()};
    preduce::parallel_reduce(policy, n, load, preduce::sum(out.data()));
    preduce::parallel_reduce(policy, n, load, preduce::prod(out.data() + 1));
    preduce::parallel_reduce(policy, n, load, preduce::min(out.data() + 2));
    preduce::parallel_reduce(policy, n, load, preduce::max(out.data() + 3));
    CHECK_MESSAGE(out.read(0) == oracle::total<std::int32_t>(n, element, reference::plus{}), about.name);
    CHECK_MESSAGE(out.read(1) == oracle::total<std::int32_t>(n, element, reference::multiplies{}), about.name);
    CHECK_MESSAGE(out.read(2) == oracle::total<std::int32_t>(n, element, reference::minimum{}), about.name);
    CHECK_MESSAGE(out.read(3) == oracle::total<std::int32_t>(n, element, reference::maximum{}), about.name);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

TEST_CASE("behaviour 18: a large object as host result" * doctest::skip(device::missing())) {
  // nvcc takes long over 1 KiB in registers, and objects.hpp has that already.
  using object = operators::words<std::uint64_t, device::compiled_for_gpu ? 8 : 128>;
  auto const values = sample::random_bytes<object>(1000, 111);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  auto const want = oracle::total<object>(1000, element, operators::mix_words{});
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<object> const data(about.place, values);
    result_tests::guarded<object> result;
    preduce::parallel_reduce(policy, 1000, functors::load<object>{data.data()},
                             preduce::reducer(operators::mix_words{}, result.value));
    walk::same_bits(want, result.value, "large object", about, 1000);
    CHECK_MESSAGE(result.neighbours_untouched(), about.name);
  });
}

TEST_CASE("behaviour 19: a hundred calls of growing and shrinking n leave nothing behind" *
          doctest::skip(device::missing())) {
  auto const values = sample::values<float>(300001, 112);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  auto const total = [&](std::int64_t n) {
    return n == 0 ? 0.0f : oracle::total<float>(n, element, reference::plus{});
  };
  walk::totals<float> known;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values), out(about.place, 100);
    std::int64_t const most = about.pace == sizes::pace::fast ? 300001 : device::sanitized ? 9000 : 66000;
    std::vector<std::int64_t> counts;
    for (int i = 0; i < 50; ++i) counts.push_back(most >> (i % 17));  // shrinking, and over again
    for (int i = 0; i < 50; ++i) counts.push_back(most - most / (i + 1));
    for (std::size_t i = 0; i < counts.size(); ++i) {
      auto const n = counts[i];
      auto const* const first = data.data();
      preduce::reduce_into(policy, first, first + n, out.data() + i);
      if (i % 5 != 0) continue;  // host results among the asynchronous ones
      float const now = preduce::reduce(policy, first, first + n);
      if (!walk::same_bits(known.at(n, total), now, "host result", about, n)) return;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (!walk::same_bits(known.at(counts[i], total), out.read(i), "asynchronous result", about, counts[i])) return;
    }
  });
}

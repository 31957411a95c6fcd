#pragma once
// The forms of a call: what a functor may look like, and what may be reduced.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace form_tests {

template <class T>
struct wanted {
  T sum, product, low, high;
};

template <class T>
wanted<T> oracle_of(std::vector<T> const& values, std::int64_t n) {
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  return {oracle::total<T>(n, element, reference::plus{}), oracle::total<T>(n, element, reference::multiplies{}),
          oracle::total<T>(n, element, reference::minimum{}), oracle::total<T>(n, element, reference::maximum{})};
}

template <class T>
void both_forms(sample::spread kind) {
  auto const values = sample::floats<T>(40000, kind, 120 + sizeof(T));
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    T const* const x = data.data();
    for (std::int64_t const n : {1, 2, 33, 1000, 4097, 40000}) {
      auto const want = oracle_of(values, n);
      auto got = memory::poisoned<wanted<T>>();
      preduce::parallel_reduce(policy, n, functors::load<T>{x}, preduce::sum(got.sum));
      preduce::parallel_reduce(policy, n, functors::load<T>{x}, preduce::prod(got.product));
      preduce::parallel_reduce(policy, n, functors::load<T>{x}, preduce::min(got.low));
      preduce::parallel_reduce(policy, n, functors::load<T>{x}, preduce::max(got.high));
      if (!walk::same_bits(want, got, "value form", about, n)) break;
      got = memory::poisoned<wanted<T>>();
      preduce::parallel_reduce(policy, n, functors::add_to<T>{x}, got.sum);
      preduce::parallel_reduce(policy, n, functors::multiply_into<T>{x}, preduce::prod(got.product));
      preduce::parallel_reduce(policy, n, functors::lower_to<T>{x}, preduce::min(got.low));
      preduce::parallel_reduce(policy, n, functors::raise_to<T>{x}, preduce::max(got.high));
      if (!walk::same_bits(want, got, "accumulator form", about, n)) break;
    }
  });
}

// A function template, not a generic lambda: nvcc takes no PREDUCE_LAMBDA inside one of those.
template <class Policy>
void lambdas(Policy const& policy, lists::entry const& about) {
  std::vector<double> const values(5000, 0.5);
  memory::buffer<double> const data(about.place, values);
  double const* const x = data.data();
  double const factor = 3;
  double const returned = preduce::parallel_reduce(
      policy, 5000, PREDUCE_LAMBDA(std::int64_t i) { return factor * x[i]; });
  CHECK_MESSAGE(returned == 7500, about.name);
  double accumulated = -1;
  preduce::parallel_reduce(
      policy, 5000, PREDUCE_LAMBDA(std::int64_t i, double& sum) { sum += factor * x[i]; }, accumulated);
  CHECK_MESSAGE(accumulated == 7500, about.name);
  auto const larger = PREDUCE_LAMBDA(double a, double b) {
    return a < b ? b : a;
  };
  double const largest = preduce::reduce(policy, x, x + 5000, 0.25, larger);
  CHECK_MESSAGE(largest == 0.5, about.name);
  double const mapped = preduce::transform_reduce(
      policy, x, x + 5000, PREDUCE_LAMBDA(double value) { return value + 1; }, 1.0, preduce::plus<double>{});
  CHECK_MESSAGE(mapped == 7501, about.name);
}

}  // namespace form_tests

TEST_CASE("promise 7: value form and accumulator form give the same bits, for sum, prod, min and max" *
          doctest::skip(device::missing())){SUBCASE("float"){form_tests::both_forms<float>(sample::spread::near_one);
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("double") {
  form_tests::both_forms<double>(sample::spread::near_one);
}
#endif
}

TEST_CASE("lambdas, under every policy" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy(
      [](auto const& policy, lists::entry const& about) { form_tests::lambdas(policy, about); });
}

TEST_CASE("transform_reduce maps each element once, before the order combines it" * doctest::skip(device::missing())) {
  auto const values = sample::floats<float>(40000, sample::spread::even, 130);
  std::vector<float> squares;  // through memory, so that nothing fuses them here
  for (auto const x : values) squares.push_back(x * x);
  auto const element = [&](std::int64_t i) { return squares[static_cast<std::size_t>(i)]; };
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values);
    float const* const first = data.data();
    for (std::int64_t const n : {0, 1, 1000, 4097, 40000}) {
      float const want = n == 0 ? 2.0f : 2.0f + oracle::total<float>(n, element, reference::plus{});
      float const got =
          preduce::transform_reduce(policy, first, first + n, functors::square<float>{}, 2.0f, preduce::plus<float>{});
      if (!walk::same_bits(want, got, "sum of squares", about, n)) break;
    }
  });
}

TEST_CASE("init's type is what a reduction accumulates in" * doctest::skip(device::missing())) {
  auto const values = sample::floats<float>(40000, sample::spread::even, 131);
  auto const element = [&](std::int64_t i) { return static_cast<double>(values[static_cast<std::size_t>(i)]); };
  double const want = 0.125 + oracle::total<double>(40000, element, reference::plus{});
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values);
    double const got = preduce::reduce(policy, data.data(), data.data() + 40000, 0.125);
    walk::same_bits(want, got, "float summed as double", about, 40000);
  });
}

// Iterators of the host's containers, under policies that run there.
#ifndef __CUDACC__
TEST_CASE("behaviour 17: pointers, vectors, spans, arrays and deques give the same bits under host policies") {
  auto values = sample::floats<float>(40000, sample::spread::even, 132);
  std::deque<float> const deque(values.begin(), values.end());
  std::span<float const> const span(values);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    for (std::ptrdiff_t const n : {1, 1000, 4097, 40000}) {
      float const total = oracle::total<float>(n, element, reference::plus{});
      float const want = 0.5f + total;
      auto const check = [&](char const* what, auto first) {
        walk::same_bits(total, preduce::reduce(policy, first, first + n), what, about, n);
        walk::same_bits(want, preduce::reduce(policy, first, first + n, 0.5f, preduce::plus<float>{}), what, about, n);
        auto out = memory::poisoned<float>();
        preduce::reduce_into(policy, first, first + n, &out, 0.5f, preduce::plus<float>{});
        walk::same_bits(want, out, what, about, n);
        auto const mapped =
            preduce::transform_reduce(policy, first, first + n, functors::identity{}, 0.5f, preduce::plus<float>{});
        walk::same_bits(want, mapped, what, about, n);
      };
      check("pointer", values.data());
      check("vector", values.begin());
      check("const vector", values.cbegin());
      check("span", span.begin());
      check("deque", deque.begin());
    }
    std::array<int, 5> const array{1, 2, 3, 4, 5};
    CHECK_MESSAGE(preduce::reduce(policy, array.begin(), array.end()) == 15, about.name);
    CHECK_MESSAGE(preduce::reduce(policy, array.rbegin(), array.rend(), 100, std::plus<>{}) == 115, about.name);
    std::vector<float> const nothing;
    CHECK_MESSAGE(preduce::reduce(policy, nothing.begin(), nothing.end(), 7.0f) == 7.0f, about.name);
  });
}

TEST_CASE("behaviour 17: a vector of bool counts") {
  std::vector<bool> bits(5000);
  for (std::size_t i = 0; i < bits.size(); i += 3) bits[i] = true;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    CHECK_MESSAGE(preduce::reduce(policy, bits.begin(), bits.end()) == 1667, about.name);
  });
}
#endif

#pragma once
// Behaviour 13: floating-point data, as bits and as accuracy.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <cmath>
#include <limits>

namespace floating_tests {

constexpr std::size_t most = 2200001;

template <class T>
std::vector<T> data(sample::spread kind) {
  return sample::floats<T>(most, kind, sizeof(T) * 100 + static_cast<std::uint64_t>(kind));
}

template <class T>
void sums() {
  for (auto const kind : {sample::spread::even, sample::spread::wide, sample::spread::denormal}) {
    auto const sizes = kind == sample::spread::even ? lists::boundary_sizes : lists::boundary_sizes_once;
    walk::pointers("sum", data<T>(kind), T(-0.25), preduce::plus<T>{}, reference::plus{}, sizes);
  }
}

template <class T>
void products_and_extremes() {
  walk::pointers("product", data<T>(sample::spread::near_one), T(3), preduce::multiplies<T>{}, reference::multiplies{},
                 lists::few_sizes_once);
  auto const wide = data<T>(sample::spread::wide);
  walk::pointers("minimum", wide, T(1), preduce::minimum<T>{}, reference::minimum{}, lists::few_sizes_once);
  walk::pointers("maximum", wide, T(-1), preduce::maximum<T>{}, reference::maximum{}, lists::few_sizes_once);
}

/// How far a sum of n terms in this order may lie from the exact one: each term takes part in at most `depth`
/// additions, so the error is below depth u / (1 - depth u) times the sum of magnitudes (Higham, Accuracy and
/// Stability, section 4.2).
template <class T>
long double bound(std::int64_t n, long double magnitudes) {
  auto const shape = oracle::layout_of(n);
  auto const depth = static_cast<long double>(shape.rows + 12 + shape.partial_rows + 10);
  auto const unit = static_cast<long double>(std::numeric_limits<T>::epsilon()) / 2;
  return depth * unit / (1 - depth * unit) * magnitudes;
}

template <class T>
void accuracy(char const* what, std::vector<T> const& values) {
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    for (auto const n : lists::few_sizes(about)) {
      long double exact = 0, magnitudes = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        auto const value = static_cast<long double>(values[static_cast<std::size_t>(i)]);
        exact += value;
        magnitudes += std::fabs(value);
      }
      T const* const first = data.first(static_cast<std::size_t>(n));
      auto const got = static_cast<long double>(preduce::reduce(policy, first, first + n));
      // long double carries its own error, far below T's.
      auto const allowed = bound<T>(n, magnitudes) * 1.001L;
      CHECK_MESSAGE(std::fabs(got - exact) <= allowed, what, "; ", about.name, "; n = ", n,
                    "; PREDUCE_TEST_SEED=", sample::seed());
    }
  });
}

}  // namespace floating_tests

TEST_CASE("promise 7: float and double sums have the oracle's bits, huge exponents and denormals included" *
          doctest::skip(device::missing())) {
  SUBCASE("float") {
    floating_tests::sums<float>();
  }
  SUBCASE("double") {
    floating_tests::sums<double>();
  }
}

TEST_CASE("promise 7: floating products, minima and maxima have the oracle's bits" * doctest::skip(device::missing())) {
  SUBCASE("float") {
    floating_tests::products_and_extremes<float>();
  }
  SUBCASE("double") {
    floating_tests::products_and_extremes<double>();
  }
}

TEST_CASE("promise 7: a product is rounded before it is added" * doctest::skip(device::missing())) {
  auto const x = sample::floats<float>(300001, sample::spread::even, 31);
  auto const y = sample::floats<float>(300001, sample::spread::even, 32);
  std::vector<float> products;  // through memory, so that nothing fuses them here
  for (std::size_t i = 0; i < x.size(); ++i) products.push_back(x[i] * y[i]);
  auto const element = [&](std::int64_t i) { return products[static_cast<std::size_t>(i)]; };
  walk::totals<float> known;
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const left(about.place, x), right(about.place, y);
    for (auto const n : lists::few_sizes(about)) {
      if (n == 0) continue;
      functors::product_of<float> const dot{left.data(), right.data()};
      float const got = preduce::parallel_reduce(policy, n, dot);
      auto const total = [&](std::int64_t m) { return oracle::total<float>(m, element, reference::plus{}); };
      if (!walk::same_bits(known.at(n, total), got, "dot product", about, n)) break;
    }
  });
}

TEST_CASE("behaviour 13: sums lie within the order's error bound" * doctest::skip(device::missing())) {
  std::vector<float> swamped(300001, 1.0f);  // a serial float sum of these stays at 2^24
  swamped[0] = 16777216.0f;
  floating_tests::accuracy("2^24, 1, 1, ...", swamped);

  auto cancelling = sample::floats<float>(300001, sample::spread::even, 33);
  for (std::size_t i = 0; i + 1 < cancelling.size(); i += 2) cancelling[i + 1] = -cancelling[i] * 1.0001f;
  floating_tests::accuracy("cancelling float", cancelling);

  floating_tests::accuracy("even double", sample::floats<double>(300001, sample::spread::even, 34));
}

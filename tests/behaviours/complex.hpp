#pragma once
// Complex numbers: promise 7 for sums and products, and the special values of both.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/complex.hpp>

#include <complex>
#include <functional>  // std::bind, which must not come in by argument-dependent lookup
#include <limits>
#include <vector>

namespace complex_tests {

/// Part by part, by the plain formulas.
struct plus {
  template <class R>
  std::complex<R> operator()(std::complex<R> const& a, std::complex<R> const& b) const {
    return {a.real() + b.real(), a.imag() + b.imag()};
  }
};
struct multiplies {
  template <class R>
  std::complex<R> operator()(std::complex<R> const& a, std::complex<R> const& b) const {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

template <class R>
std::vector<std::complex<R>> values(std::size_t count, sample::spread kind, std::uint64_t salt) {
  auto const parts = sample::floats<R>(2 * count, kind, salt);
  std::vector<std::complex<R>> all;
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(parts[2 * i], parts[2 * i + 1]);
  return all;
}

template <class R>
void sums_and_products() {
  using complex = std::complex<R>;
  auto const even = values<R>(100001, sample::spread::even, 211);
  walk::pointers("complex sum", even, complex(R(0.25), R(-3)), preduce::plus<complex>{}, plus{}, lists::few_sizes_once);
  // The GPU's kernels are compiled for what differs there, not for every operator at every width.
  if constexpr (device::compiled_for_gpu && sizeof(R) == 8) return;
  auto circle = even;  // products of these neither vanish nor overflow
  for (auto& z : circle) z /= std::abs(z);
  walk::pointers("complex product", circle, complex(R(0.5), R(1)), preduce::multiplies<complex>{}, multiplies{},
                 lists::few_sizes_once);
}

template <class R>
void special_values() {
  using complex = std::complex<R>;
  R const inf = std::numeric_limits<R>::infinity(), nan = reference::canonical_nan<R>();
  R const odd_nan = -std::numeric_limits<R>::quiet_NaN();
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    auto const check = [&](char const* what, complex want, std::vector<complex> const& all) {
      memory::buffer<complex> const data(about.place, all);
      auto const n = static_cast<std::int64_t>(all.size());
      walk::same_bits(want, preduce::reduce(policy, data.data(), data.data() + n), what, about, n);
    };
    check("empty", {0, 0}, {});
    check("-0 everywhere", {-R(0), -R(0)}, std::vector<complex>(5001, {-R(0), -R(0)}));
    std::vector<complex> all(5000, {1, -R(0)});
    check("-0 in one part", {5000, -R(0)}, all);
    all[4321] = {inf, odd_nan};
    check("infinity and NaN", {inf, nan}, all);

    auto product = memory::poisoned<complex>();
    preduce::parallel_reduce(policy, 0, functors::load<complex>{nullptr}, preduce::prod(product));
    walk::same_bits(complex(1, 0), product, "empty product", about, 0);
    memory::buffer<complex> const one(about.place, std::vector<complex>(1, {-R(0), R(-3)}));
    preduce::parallel_reduce(policy, 1, functors::load<complex>{one.data()}, preduce::prod(product));
    walk::same_bits(complex(-R(0), R(-3)), product, "one is not mixed into a product", about, 1);

    memory::buffer<complex> const out(about.place, 1);
    memory::buffer<complex> const data(about.place, std::vector<complex>(300, {1, 2}));
    preduce::parallel_reduce(policy, 300, functors::load<complex>{data.data()}, out.data());
    walk::same_bits(complex(300, 600), out.read(), "into memory", about, 300);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

}  // namespace complex_tests

TEST_CASE("behaviour 14, promise 7: complex sums and products have the oracle's bits" *
          doctest::skip(device::missing())) {
  SUBCASE("complex<float>") {
    complex_tests::sums_and_products<float>();
  }
  SUBCASE("complex<double>") {
    complex_tests::sums_and_products<double>();
  }
}

TEST_CASE("behaviours 4, 7, 8 and 9: special values of complex numbers" *
          doctest::skip(device::missing())){SUBCASE("complex<float>"){complex_tests::special_values<float>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("complex<double>") {
  complex_tests::special_values<double>();
}
#endif
}

TEST_CASE("complex numbers and reals are summed in a wider complex type" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    using wide = std::complex<double>;
    memory::buffer<std::complex<float>> const data(about.place, std::vector<std::complex<float>>(5000, {0.1f, 1}));
    auto const* const z = data.data();
    auto const sum = preduce::reduce(policy, z, z + 5000, wide(1, 2), preduce::plus<wide>{});
    CHECK_MESSAGE(sum.imag() == 5002, about.name);
    CHECK_MESSAGE(std::abs(sum.real() - (1 + 5000 * static_cast<double>(0.1f))) < 1e-9, about.name);
    memory::buffer<float> const reals(about.place, std::vector<float>(5000, 0.5f));
    auto total = memory::poisoned<wide>();
    preduce::parallel_reduce(policy, 5000, functors::load<float>{reals.data()}, total);
    walk::same_bits(wide(2500, 0), total, "reals", about, 5000);
  });
}

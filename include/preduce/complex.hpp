#pragma once
// Complex numbers as elements, with the guarantees of real ones: every step rounded by itself, so the bits agree on
// every machine, and .cu files need no compiler flag (std::complex's own operators are host code to nvcc).

#include <preduce/monoids.hpp>
#include <preduce/sources.hpp>

#include <complex>
#include <concepts>
#include <type_traits>

namespace preduce {

template <std::floating_point R>
inline constexpr bool is_complex<std::complex<R>> = true;

}  // namespace preduce

namespace preduce::detail::inline PREDUCE_ABI {

template <class R>
struct complex_parts {
  R re, im;
};

template <class Z>
requires is_complex<Z>
[[nodiscard]] PREDUCE_FUNCTION auto parts_of(Z const& z) {
  return __builtin_bit_cast(complex_parts<typename Z::value_type>, z);
}
template <class Z, class R>
[[nodiscard]] PREDUCE_FUNCTION Z complex_of(R re, R im) {
  return __builtin_bit_cast(Z, (complex_parts<typename Z::value_type>{re, im}));
}

template <class Z>
requires is_complex<Z>
struct canonical_form<Z> {
  [[nodiscard]] PREDUCE_FUNCTION static Z of(Z const& total) {
    auto const z = detail::parts_of(total);
    return detail::complex_of<Z>(detail::canonical(z.re), detail::canonical(z.im));
  }
};

template <class Z>
requires is_complex<Z>
struct parts_kept_apart<Z> {
  [[nodiscard]] PREDUCE_FUNCTION static Z of(Z const& value) {
    auto const z = detail::parts_of(value);
    return detail::complex_of<Z>(detail::kept_apart(z.re), detail::kept_apart(z.im));
  }
};

/// Complex numbers of another width, and real ones.
template <class Z>
requires is_complex<Z>
struct convert_to<Z> {
  using real = typename Z::value_type;
  template <class T>
  [[nodiscard]] PREDUCE_FUNCTION Z operator()(T const& value) const {
    if constexpr (std::same_as<T, Z>) {
      return value;
    } else if constexpr (is_complex<T>) {
      auto const z = detail::parts_of(value);
      return detail::complex_of<Z>(static_cast<real>(z.re), static_cast<real>(z.im));
    } else {
      return detail::complex_of<Z>(static_cast<real>(value), real{0});
    }
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Sum of complex numbers, part by part, each addition rounded.
template <class Z>
requires is_complex<Z>
struct plus<Z> {
  using value_type = Z;
  static constexpr bool commutative = true;

  [[nodiscard]] PREDUCE_FUNCTION Z combine(Z const& a, Z const& b) const {
    auto const x = detail::parts_of(a);
    auto const y = detail::parts_of(b);
    return detail::complex_of<Z>(detail::add_rounded(x.re, y.re), detail::add_rounded(x.im, y.im));
  }
  /// (-0.0, -0.0): the only value that changes no bit of the other operand.
  [[nodiscard]] PREDUCE_FUNCTION static Z identity() {
    using real = typename Z::value_type;
    return detail::complex_of<Z>(-real{0}, -real{0});
  }
  /// What an empty range gives.
  [[nodiscard]] PREDUCE_FUNCTION static Z empty() {
    using real = typename Z::value_type;
    return detail::complex_of<Z>(real{0}, real{0});
  }
  [[nodiscard]] PREDUCE_FUNCTION Z operator()(Z const& a, Z const& b) const { return combine(a, b); }
};

/// Product of complex numbers: (re re - im im, re im + im re), four multiplications and two additions, each rounded. No
/// special case for infinities, which Annex G of C has. It has no exact identity (1 changes the sign of zeros), so
/// lanes start from data; 1 is what an empty range gives.
template <class Z>
requires is_complex<Z>
struct multiplies<Z> {
  using value_type = Z;
  static constexpr bool commutative = true;

  [[nodiscard]] PREDUCE_FUNCTION Z combine(Z const& a, Z const& b) const {
    auto const x = detail::parts_of(a);
    auto const y = detail::parts_of(b);
    auto const re = detail::add_rounded(product(x.re, y.re), -product(x.im, y.im));
    auto const im = detail::add_rounded(product(x.re, y.im), product(x.im, y.re));
    return detail::complex_of<Z>(re, im);
  }
  [[nodiscard]] PREDUCE_FUNCTION static Z identity() {
    using real = typename Z::value_type;
    return detail::complex_of<Z>(real{1}, real{0});
  }
  [[nodiscard]] PREDUCE_FUNCTION Z operator()(Z const& a, Z const& b) const { return combine(a, b); }

 private:
  template <class R>
  [[nodiscard]] PREDUCE_FUNCTION static R product(R a, R b) {
    return detail::kept_apart(detail::multiply_rounded(a, b));
  }
};

}  // namespace preduce::inline PREDUCE_ABI

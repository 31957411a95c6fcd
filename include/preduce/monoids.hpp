#pragma once
// The operators a reduction combines with. The built-in ones give the same bits on every machine, but for sums and
// products of floats on a host under -ffast-math (docs/canonical-order.md); a user's operator is any callable op(a, b),
// or a struct with combine(a, b) and, if it has one, identity().

#include <preduce/config.hpp>
#include <preduce/detail/float_bits.hpp>
#include <preduce/value_types.hpp>

#include <concepts>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

template <class T>
struct unsigned_of : std::make_unsigned<T> {};
#ifdef __SIZEOF_INT128__
template <class T>
requires is_int128<T>
struct unsigned_of<T> : std::type_identity<uint128> {
};
#endif

template <class T>
PREDUCE_FUNCTION constexpr T wrapping_add(T a, T b) {
  using word = typename unsigned_of<T>::type;
  return static_cast<T>(static_cast<word>(static_cast<word>(a) + static_cast<word>(b)));
}

template <class T>
PREDUCE_FUNCTION constexpr T wrapping_multiply(T a, T b) {
  // Multiplied as at least unsigned: uint16 * uint16 would promote to int and overflow.
  using word = decltype(typename unsigned_of<T>::type{} * 1U);
  return static_cast<T>(static_cast<word>(a) * static_cast<word>(b));
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Sum. Integers wrap; float and double are rounded to nearest in every addition, never fused with what made the
/// operand. Other types need a + b, have no identity here and so take part in the value form only.
template <class T>
struct plus {
  using value_type = T;
  static constexpr bool commutative = true;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const {
    if constexpr (detail::plain_integer<T>)
      return detail::wrapping_add(a, b);
    else if constexpr (std::floating_point<T>)
      return detail::add_rounded(a, b);
    else
      return a + b;
  }
  /// -0.0 for floating point: the only value that changes no bit of the other operand.
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() requires detail::arithmetic<T> {
    if constexpr (std::floating_point<T>)
      return -T{0};
    else
      return T{0};
  }
  /// What an empty range gives.
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T empty() requires detail::arithmetic<T> { return T{0}; }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

/// Product, with the guarantees of plus.
template <class T>
struct multiplies {
  using value_type = T;
  static constexpr bool commutative = true;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const {
    if constexpr (detail::plain_integer<T>)
      return detail::wrapping_multiply(a, b);
    else if constexpr (std::floating_point<T>)
      return detail::multiply_rounded(a, b);
    else
      return a * b;
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() requires detail::arithmetic<T> { return T{1}; }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

/// Minimum. Floating point: NaN wins over everything wherever it stands, and -0.0 is below +0.0.
template <class T>
struct minimum {
  using value_type = T;
  static constexpr bool commutative = true;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const {
    if constexpr (std::floating_point<T>)
      return detail::float_minimum(a, b);
    else
      return b < a ? b : a;
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() requires detail::arithmetic<T> {
    return detail::greatest<T>;
  }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

/// Maximum. Floating point: NaN wins over everything wherever it stands, and +0.0 is above -0.0.
template <class T>
struct maximum {
  using value_type = T;
  static constexpr bool commutative = true;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const {
    if constexpr (std::floating_point<T>)
      return detail::float_maximum(a, b);
    else
      return a < b ? b : a;
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() requires detail::arithmetic<T> {
    return detail::least<T>;
  }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

}  // namespace preduce::inline PREDUCE_ABI

namespace preduce::detail::inline PREDUCE_ABI {

/// A monoid commutes unless it says that it does not. (Variables, not functions: nvcc lets device code use them.)
template <class M>
inline constexpr bool commutes = true;
template <class M>
requires requires {
  M::commutative;
}
inline constexpr bool commutes<M> = M::commutative;

/// A user's callable op(a, b) as a monoid over T.
template <class T, class Op>
struct callable_monoid {
  using value_type = T;
  static constexpr bool commutative = commutes<Op>;
  Op op;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const { return static_cast<T>(op(a, b)); }

#ifdef __CUDACC__
  /// Never run: nvcc refuses it where op is not for the device, which combine() keeps it from seeing.
  __device__ void must_run_on_device(T const& any) const {
    (void)static_cast<T>(op(any, any));
  }
#endif
};

/// A monoid and the identity that a user gave beside it.
template <class T, class Monoid>
struct with_identity {
  using value_type = T;
  static constexpr bool commutative = commutes<Monoid>;
  Monoid monoid;
  T value;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const { return monoid.combine(a, b); }
  [[nodiscard]] PREDUCE_FUNCTION T identity() const { return value; }

#ifdef __CUDACC__
  __device__ void must_run_on_device(T const& any) const {
    if constexpr (requires { monoid.must_run_on_device(any); })
      monoid.must_run_on_device(any);
    else
      (void)monoid.combine(any, any);
  }
#endif
};

template <class M, class T>
concept has_combine_member = requires {
  &M::combine;
}
|| requires(M const& m, T const& a) {
  m.combine(a, a);
};

template <class M>
concept has_identity = requires(M const& m) {
  m.identity();
};

/// The library's own operators. Their identities change no bit of what they are combined with, so lanes may start from
/// them and idle lanes hold them; combine may run on values that the order never combines.
template <class M>
inline constexpr bool is_builtin_monoid = false;
template <class T>
inline constexpr bool is_builtin_monoid<plus<T>> = arithmetic<T> || is_complex<T>;
template <class T>
inline constexpr bool is_builtin_monoid<multiplies<T>> = arithmetic<T>;
template <class T>
inline constexpr bool is_builtin_monoid<minimum<T>> = arithmetic<T>;
template <class T>
inline constexpr bool is_builtin_monoid<maximum<T>> = arithmetic<T>;

/// Sums and products, which leave the range of an 8- or 16-bit type at once.
template <class M>
inline constexpr bool grows = false;
template <class T>
inline constexpr bool grows<plus<T>> = true;
template <class T>
inline constexpr bool grows<multiplies<T>> = true;

/// Whether every order of combinations gives the same bits: all built-in operators but sums and products that round.
template <class M>
inline constexpr bool order_free = false;
template <class M>
requires is_builtin_monoid<M>
inline constexpr bool order_free<M> = !grows<M> || plain_integer<typename M::value_type>;

/// Whether this file's compiler may combine in another order than the canonical one (-ffast-math), and that may change
/// bits.
template <class M>
inline constexpr bool reassociated = PREDUCE_HOST_REASSOCIATES != 0 && !order_free<M>;

/// The operator that stands in for Op: a built-in one over half or bfloat16 combines in float.
template <class Op>
struct widened : std::type_identity<Op> {};
template <template <class> class Builtin, class T>
requires(!std::same_as<working_t<T>, T> && is_builtin_monoid<Builtin<working_t<T>>>) struct widened<Builtin<T>>
    : std::type_identity<Builtin<working_t<T>>> {
};

template <class Op>
[[nodiscard]] constexpr typename widened<Op>::type widen(Op op) {
  if constexpr (std::same_as<typename widened<Op>::type, Op>)
    return op;
  else
    return {};
}

/// What a reduction by Op accumulates in where the call names T: a user's operator combines values of T itself.
template <class Op, class T>
using accumulated_t = std::conditional_t<is_builtin_monoid<typename widened<Op>::type>, working_t<T>, T>;

}  // namespace preduce::detail::inline PREDUCE_ABI

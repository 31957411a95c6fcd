#pragma once
// Logical and bitwise operators. All of them are free of order.

#include <preduce/monoids.hpp>
#include <preduce/reducers.hpp>

#include <type_traits>
#include <utility>

namespace preduce::inline PREDUCE_ABI {

/// a && b. Anything that converts to bool can be contributed; the empty conjunction is true.
struct logical_and {
  using value_type = bool;
  static constexpr bool commutative = true;
  [[nodiscard]] PREDUCE_FUNCTION bool combine(bool a, bool b) const { return a && b; }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr bool identity() { return true; }
  [[nodiscard]] PREDUCE_FUNCTION bool operator()(bool a, bool b) const { return combine(a, b); }
};

/// a || b. The empty disjunction is false.
struct logical_or {
  using value_type = bool;
  static constexpr bool commutative = true;
  [[nodiscard]] PREDUCE_FUNCTION bool combine(bool a, bool b) const { return a || b; }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr bool identity() { return false; }
  [[nodiscard]] PREDUCE_FUNCTION bool operator()(bool a, bool b) const { return combine(a, b); }
};

/// a & b of integers. An empty range gives all bits.
template <class T>
struct bit_and {
  static_assert(detail::plain_integer<T>, "preduce: bits are combined in an integer, not in bool");
  using value_type = T;
  static constexpr bool commutative = true;
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const { return static_cast<T>(a & b); }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() { return static_cast<T>(~T{0}); }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

/// a | b of integers. An empty range gives 0.
template <class T>
struct bit_or {
  static_assert(detail::plain_integer<T>, "preduce: bits are combined in an integer, not in bool");
  using value_type = T;
  static constexpr bool commutative = true;
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const { return static_cast<T>(a | b); }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() { return T{0}; }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

/// a ^ b of integers. An empty range gives 0.
template <class T>
struct bit_xor {
  static_assert(detail::plain_integer<T>, "preduce: bits are combined in an integer, not in bool");
  using value_type = T;
  static constexpr bool commutative = true;
  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const { return static_cast<T>(a ^ b); }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() { return T{0}; }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

}  // namespace preduce::inline PREDUCE_ABI

namespace preduce::detail::inline PREDUCE_ABI {

template <>
inline constexpr bool is_builtin_monoid<logical_and> = true;
template <>
inline constexpr bool is_builtin_monoid<logical_or> = true;
template <class T>
inline constexpr bool is_builtin_monoid<bit_and<T>> = true;
template <class T>
inline constexpr bool is_builtin_monoid<bit_or<T>> = true;
template <class T>
inline constexpr bool is_builtin_monoid<bit_xor<T>> = true;

template <template <class> class Monoid, class Result>
constexpr auto bind_bits(Result&& result) {
  using given = std::remove_cv_t<result_value_t<Result>>;
  static_assert(plain_integer<given>,
                "preduce: bits are combined in an integer: use preduce::all or preduce::any for bool");
  if constexpr (plain_integer<given>)
    return detail::bind(Monoid<given>{}, std::forward<Result>(result));
  else
    return detail::bind(refused{}, std::forward<Result>(result));
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Whether all of what the functor contributes is true, into result (bool, or what a bool converts to). True for an
/// empty range. Every element is looked at. Order-free.
template <class Result>
constexpr auto all(Result&& result) {
  return detail::bind<bool>(logical_and{}, std::forward<Result>(result));
}

/// Whether any of what the functor contributes is true. False for an empty range.
template <class Result>
constexpr auto any(Result&& result) {
  return detail::bind<bool>(logical_or{}, std::forward<Result>(result));
}

/// Bitwise and into result, an integer of any width. All bits for an empty range. Order-free.
template <class Result>
constexpr auto bits_and(Result&& result) {
  return detail::bind_bits<bit_and>(std::forward<Result>(result));
}

/// Bitwise or into result. 0 for an empty range.
template <class Result>
constexpr auto bits_or(Result&& result) {
  return detail::bind_bits<bit_or>(std::forward<Result>(result));
}

/// Bitwise exclusive or into result. 0 for an empty range.
template <class Result>
constexpr auto bits_xor(Result&& result) {
  return detail::bind_bits<bit_xor>(std::forward<Result>(result));
}

}  // namespace preduce::inline PREDUCE_ABI

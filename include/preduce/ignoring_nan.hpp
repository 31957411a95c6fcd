#pragma once
// Minimum and maximum of what is a number: NaN is skipped, as in numpy.nanmin and IEEE 754-2019's minimumNumber.

#include <preduce/monoids.hpp>
#include <preduce/reducers.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace preduce::inline PREDUCE_ABI {

/// Minimum of the values that are numbers; -0.0 is below +0.0. NaN where there is none: all NaN, or an empty range.
template <class T>
struct minimum_ignoring_nan {
  static_assert(detail::fractional<T>, "preduce: only floating-point values can be NaN");
  using value_type = T;
  static constexpr bool commutative = true;

  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const {
    bool const second = detail::ordered_key(b) < detail::ordered_key(a);
    return detail::is_nan(a) ? b : detail::is_nan(b) || !second ? a : b;
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() {
    return __builtin_bit_cast(T, detail::float_layout<T>::quiet_nan);
  }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

/// Maximum of the values that are numbers; +0.0 is above -0.0. NaN where there is none.
template <class T>
struct maximum_ignoring_nan {
  static_assert(detail::fractional<T>, "preduce: only floating-point values can be NaN");
  using value_type = T;
  static constexpr bool commutative = true;

  [[nodiscard]] PREDUCE_FUNCTION T combine(T const& a, T const& b) const {
    bool const second = detail::ordered_key(a) < detail::ordered_key(b);
    return detail::is_nan(a) ? b : detail::is_nan(b) || !second ? a : b;
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T identity() {
    return __builtin_bit_cast(T, detail::float_layout<T>::quiet_nan);
  }
  [[nodiscard]] PREDUCE_FUNCTION T operator()(T const& a, T const& b) const { return combine(a, b); }
};

}  // namespace preduce::inline PREDUCE_ABI

namespace preduce::detail::inline PREDUCE_ABI {

template <class T>
inline constexpr bool is_builtin_monoid<minimum_ignoring_nan<T>> = std::floating_point<T>;
template <class T>
inline constexpr bool is_builtin_monoid<maximum_ignoring_nan<T>> = std::floating_point<T>;

template <template <class> class Monoid, class Result>
constexpr auto bind_ignoring_nan(Result&& result) {
  using given = std::remove_cv_t<result_value_t<Result>>;
  static_assert(fractional<given>, "preduce: only floating-point values can be NaN: use preduce::min and preduce::max");
  if constexpr (fractional<given>) {
    using value = working_t<given>;
    return detail::bind<value>(Monoid<value>{}, std::forward<Result>(result));
  } else {
    return detail::bind(refused{}, std::forward<Result>(result));
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Minimum into result, NaN skipped; -0.0 is below +0.0. All NaN, or an empty range, gives NaN. Order-free: the same
/// bits under every policy.
template <class Result>
constexpr auto min_ignoring_nan(Result&& result) {
  return detail::bind_ignoring_nan<minimum_ignoring_nan>(std::forward<Result>(result));
}

/// Maximum into result, NaN skipped; +0.0 is above -0.0. All NaN, or an empty range, gives NaN.
template <class Result>
constexpr auto max_ignoring_nan(Result&& result) {
  return detail::bind_ignoring_nan<maximum_ignoring_nan>(std::forward<Result>(result));
}

}  // namespace preduce::inline PREDUCE_ABI

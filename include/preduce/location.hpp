#pragma once
// Where the minimum or maximum lies, and both extremes in one pass. All of it is free of order: the same bits and the
// same index under every policy.

#include <preduce/monoids.hpp>
#include <preduce/reducers.hpp>
#include <preduce/sources.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace preduce {

/// A value and the index that contributed it. An empty range has index -1.
template <class T>
struct located {
  using value_type = T;
  T value;
  std::int64_t index;

  located() = default;
  PREDUCE_FUNCTION constexpr located(T v, std::int64_t i) : value(v), index(i) {}
  template <class U>
  PREDUCE_FUNCTION constexpr explicit located(located<U> const& other)
      : value(static_cast<T>(other.value)), index(other.index) {}
};

/// The least and the greatest of some values; one value is both.
template <class T>
struct extent {
  using value_type = T;
  T min, max;

  extent() = default;
  PREDUCE_FUNCTION constexpr explicit extent(T value) : min(value), max(value) {}
  PREDUCE_FUNCTION constexpr extent(T least, T greatest) : min(least), max(greatest) {}
  template <class U>
  PREDUCE_FUNCTION constexpr explicit extent(extent<U> const& other)
      : min(static_cast<T>(other.min)), max(static_cast<T>(other.max)) {}
};

}  // namespace preduce

namespace preduce::detail::inline PREDUCE_ABI {

template <class T>
inline constexpr bool is_located = false;
template <class T>
inline constexpr bool is_located<located<T>> = true;
template <class T>
inline constexpr bool is_extent = false;
template <class T>
inline constexpr bool is_extent<extent<T>> = true;

template <class T>
struct working<located<T>> : std::type_identity<located<working_t<T>>> {};
template <class T>
struct working<extent<T>> : std::type_identity<extent<working_t<T>>> {};
template <class T>
struct number_in<located<T>> : std::type_identity<T> {};
template <class T>
struct number_in<extent<T>> : std::type_identity<T> {};

/// The identity's index: one that no range contains, above all that do, so that it loses every tie.
inline constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

template <class T>
struct canonical_form<located<T>> {
  [[nodiscard]] PREDUCE_FUNCTION static constexpr located<T> of(located<T> const& total) {
    return {detail::canonical(total.value), total.index == no_index ? -1 : total.index};
  }
};
template <class T>
struct canonical_form<extent<T>> {
  [[nodiscard]] PREDUCE_FUNCTION static constexpr extent<T> of(extent<T> const& total) {
    return {detail::canonical(total.min), detail::canonical(total.max)};
  }
};

/// What values are compared by: floats as ordered_key, NaN in front of all others for Sign -1, behind them for +1.
template <int Sign, class T>
PREDUCE_FUNCTION constexpr auto location_key(T const& value) {
  if constexpr (std::floating_point<T>) {
    auto const key = detail::ordered_key(value);
    using key_type = std::remove_const_t<decltype(key)>;
    return detail::is_nan(value) ? (Sign < 0 ? least<key_type> : greatest<key_type>) : key;
  } else {
    return value;
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// The least value for Sign -1, the greatest for +1, and the lowest index among equal ones. NaN wins over everything;
/// -0.0 is below +0.0, as in minimum and maximum. T is a number, or anything with a < b.
template <class T, int Sign>
struct extreme_location {
  static_assert(Sign == -1 || Sign == 1);
  using value_type = located<T>;
  using part_type = T;
  static constexpr bool commutative = true;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION value_type combine(value_type const& a, value_type const& b) const {
    auto const key_a = detail::location_key<Sign>(a.value);
    auto const key_b = detail::location_key<Sign>(b.value);
    bool const second = stands_before(key_b, key_a) || (!stands_before(key_a, key_b) && b.index < a.index);
    return second ? b : a;
  }
  /// Changes nothing that it is combined with; its index is none of a range's.
  [[nodiscard]] PREDUCE_FUNCTION static constexpr value_type identity() requires detail::arithmetic<T> {
    return {last<T>, detail::no_index};
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr value_type empty() requires detail::arithmetic<T> {
    return {last<T>, -1};
  }
  /// What element `index` contributes.
  template <class U>
  [[nodiscard]] PREDUCE_FUNCTION static value_type element(U const& value, std::int64_t index) {
    return {static_cast<T>(value), index};
  }

 private:
  template <detail::arithmetic U>
  static constexpr U last = Sign < 0 ? detail::greatest<U> : detail::least<U>;

  PREDUCE_HOST_CALLS_ALLOWED
  template <class Key>
  [[nodiscard]] PREDUCE_FUNCTION static bool stands_before(Key const& a, Key const& b) {
    return Sign < 0 ? a < b : b < a;
  }
};

template <class T>
using minimum_location = extreme_location<T, -1>;
template <class T>
using maximum_location = extreme_location<T, 1>;

/// Minimum and maximum side by side, each with the rules of minimum and maximum.
template <class T>
struct minimum_maximum {
  using value_type = extent<T>;
  using part_type = T;
  static constexpr bool commutative = true;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION value_type combine(value_type const& a, value_type const& b) const {
    return {minimum<T>{}.combine(a.min, b.min), maximum<T>{}.combine(a.max, b.max)};
  }
  /// The greatest number and the least: no value lies between them.
  [[nodiscard]] PREDUCE_FUNCTION static constexpr value_type identity() requires detail::arithmetic<T> {
    return {detail::greatest<T>, detail::least<T>};
  }
  template <class U>
  [[nodiscard]] PREDUCE_FUNCTION static value_type element(U const& value, std::int64_t) {
    return value_type(static_cast<T>(value));
  }
};

}  // namespace preduce::inline PREDUCE_ABI

namespace preduce::detail::inline PREDUCE_ABI {

template <class T, int Sign>
inline constexpr bool located_by_vectors<T, extreme_location<T, Sign>> = (plain_integer<T> ||
                                                                          std::floating_point<T>)&&sizeof(T) <= 8;
template <class T, int Sign>
inline constexpr bool is_builtin_monoid<extreme_location<T, Sign>> = arithmetic<T>;
template <class T>
inline constexpr bool is_builtin_monoid<minimum_maximum<T>> = arithmetic<T>;

template <class T, int Sign>
requires(!std::same_as<working_t<T>, T> && arithmetic<working_t<T>>) struct widened<extreme_location<T, Sign>>
    : std::type_identity<extreme_location<working_t<T>, Sign>> {
};

/// Monoid<T> bound to a located<T> or extent<T>, for the type that T is worked in.
template <bool Fits, template <class> class Monoid, class Result>
constexpr auto bind_holder(Result&& result) {
  if constexpr (Fits) {
    using monoid = Monoid<working_t<typename std::remove_cv_t<result_value_t<Result>>::value_type>>;
    return detail::bind<typename monoid::value_type>(monoid{}, std::forward<Result>(result));
  } else {
    return detail::bind(refused{}, std::forward<Result>(result));
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// The minimum and where it is, into result, a located<T> or a pointer to one: `functor(i)` returns a value, and i is
/// its index. Ties give the lowest index; NaN wins, the lowest index of one; -0.0 is below +0.0. An empty range gives
/// T's greatest value (+inf) and index -1.
///
/// For a sequence, parallel_reduce(policy, first, last, min_loc(result)), the index is the position from `first`. A
/// functor may return a located<T> with an index of its own, or take the accumulator: `functor(i, located<T>&)` then
/// decides on ties and NaN within a lane, whose indices ascend; where it never writes, the index is -1. (Of half and
/// bfloat16 it takes a located<float>.)
template <class Result>
constexpr auto min_loc(Result&& result) {
  constexpr bool fits = detail::is_located<std::remove_cv_t<detail::result_value_t<Result>>>;
  static_assert(fits, "preduce: the result of min_loc is a value and its index: a preduce::located<T>");
  return detail::bind_holder<fits, minimum_location>(std::forward<Result>(result));
}

/// The maximum and where it is, with the rules of min_loc. An empty range gives T's least value (-inf) and index -1.
template <class Result>
constexpr auto max_loc(Result&& result) {
  constexpr bool fits = detail::is_located<std::remove_cv_t<detail::result_value_t<Result>>>;
  static_assert(fits, "preduce: the result of max_loc is a value and its index: a preduce::located<T>");
  return detail::bind_holder<fits, maximum_location>(std::forward<Result>(result));
}

/// Minimum and maximum into result, an extent<T> or a pointer to one. NaN makes both NaN. An empty range gives T's
/// greatest value as min and its least as max.
template <class Result>
constexpr auto min_max(Result&& result) {
  constexpr bool fits = detail::is_extent<std::remove_cv_t<detail::result_value_t<Result>>>;
  static_assert(fits, "preduce: the result of min_max is two values: a preduce::extent<T>");
  return detail::bind_holder<fits, minimum_maximum>(std::forward<Result>(result));
}

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// A reducer is a monoid together with where its result goes. Given a variable, the call returns when the value is
// there; given a pointer, the value is written asynchronously, in stream order, to memory that the policy's machine can
// write.

#include <preduce/concepts.hpp>
#include <preduce/monoids.hpp>

#include <type_traits>
#include <utility>

namespace preduce::detail::inline PREDUCE_ABI {

/// `blocking`: out is a host variable.
template <class Monoid, class Out, bool Blocking>
struct bound_reducer {
  using monoid_type = Monoid;
  using result_type = Out;
  static constexpr bool blocking = Blocking;
  Monoid monoid;
  Out* out;
};

template <class R>
inline constexpr bool is_reducer = false;
template <class M, class Out, bool Blocking>
inline constexpr bool is_reducer<bound_reducer<M, Out, Blocking>> = true;

/// A result without what wraps it: <preduce/thrust.hpp> makes plain pointers of its own.
template <class Result>
struct raw_result {
  static constexpr Result& of(Result& result) { return result; }
};
template <class Result>
using raw_result_t = std::remove_reference_t<decltype(raw_result<std::remove_reference_t<Result>>::of(
    std::declval<std::remove_reference_t<Result>&>()))>;

/// The type behind a variable or a pointer to write to.
template <class Result>
using result_value_t = std::remove_pointer_t<raw_result_t<Result>>;

template <class Monoid, class Result>
constexpr auto bind(Monoid monoid, Result&& result) {
  using given_type = result_value_t<Result>;
  using out_type = std::remove_const_t<given_type>;  // goes on with a const one only to say nothing more about it
  static_assert(!std::is_const_v<given_type>, "preduce: the result must not be const");
  if constexpr (std::is_pointer_v<raw_result_t<Result>>) {
    auto* const out = raw_result<std::remove_reference_t<Result>>::of(result);
    return bound_reducer<Monoid, out_type, false>{std::move(monoid), const_cast<out_type*>(out)};
  } else {
    static_assert(std::is_lvalue_reference_v<Result>,
                  "preduce: the result must be a variable, a pointer to memory, or a reducer such as preduce::sum(x)");
    return bound_reducer<Monoid, out_type, true>{std::move(monoid), const_cast<out_type*>(&result)};
  }
}

template <class Result>
constexpr void check_wide_enough() {
  using out_type = std::remove_cv_t<result_value_t<Result>>;
  static_assert(!(std::integral<out_type> && sizeof(out_type) < 4),
                "preduce: a sum or product in an 8- or 16-bit integer wraps at once: give a result of 32 or 64 bits");
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Sum into result (a variable or a pointer), accumulated in the result's type.
template <class Result>
constexpr auto sum(Result&& result) {
  detail::check_wide_enough<Result>();
  return detail::bind(plus<std::remove_cv_t<detail::result_value_t<Result>>>{}, std::forward<Result>(result));
}

/// Product into result.
template <class Result>
constexpr auto prod(Result&& result) {
  detail::check_wide_enough<Result>();
  return detail::bind(multiplies<std::remove_cv_t<detail::result_value_t<Result>>>{}, std::forward<Result>(result));
}

/// Minimum into result. NaN propagates; -0.0 is below +0.0.
template <class Result>
constexpr auto min(Result&& result) {
  return detail::bind(minimum<std::remove_cv_t<detail::result_value_t<Result>>>{}, std::forward<Result>(result));
}

/// Maximum into result. NaN propagates; +0.0 is above -0.0.
template <class Result>
constexpr auto max(Result&& result) {
  return detail::bind(maximum<std::remove_cv_t<detail::result_value_t<Result>>>{}, std::forward<Result>(result));
}

/// A user's associative operator without an identity: an empty range is then an error, and functors return their value.
/// `op` is a callable op(a, b), taken to commute, or a struct with combine(a, b) that may also have identity() and
/// `static constexpr bool commutative = false` (its operands then keep their order).
template <class Op, class Result>
constexpr auto reducer(Op op, Result&& result) {
  using value = std::remove_cv_t<detail::result_value_t<Result>>;
  return detail::bind(detail::as_monoid<value>(std::move(op)), std::forward<Result>(result));
}

/// The same with an identity, which an empty range gives. It is mixed into no data.
template <class Op, class Identity, class Result>
constexpr auto reducer(Op op, Identity identity, Result&& result) {
  using value = std::remove_cv_t<detail::result_value_t<Result>>;
  auto monoid = detail::as_monoid<value>(std::move(op));
  return detail::bind(detail::with_identity<value, decltype(monoid)>{std::move(monoid), static_cast<value>(identity)},
                      std::forward<Result>(result));
}

}  // namespace preduce::inline PREDUCE_ABI

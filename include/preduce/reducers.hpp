#pragma once
// A reducer is a monoid together with where its result goes. Given a variable, the call returns when the value is
// there; given a pointer, the value is written asynchronously, in stream order, to memory that the policy's machine can
// write.

#include <preduce/concepts.hpp>
#include <preduce/monoids.hpp>

#include <type_traits>
#include <utility>

namespace preduce::detail::inline PREDUCE_ABI {

/// `blocking`: out is a host variable. Value is what the monoid combines; the total is converted to Out, once.
template <class Monoid, class Out, bool Blocking, class Value = Out>
struct bound_reducer {
  using monoid_type = Monoid;
  using value_type = Value;
  using result_type = Out;
  static constexpr bool blocking = Blocking;
  Monoid monoid;
  Out* out;
};

template <class R>
inline constexpr bool is_reducer = false;
template <class M, class Out, bool Blocking, class Value>
inline constexpr bool is_reducer<bound_reducer<M, Out, Blocking, Value>> = true;

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

/// Value: void stands for the result's own type. Called as detail::bind: unqualified, a std::complex would bring
/// std::bind along.
template <class Value = void, class Monoid, class Result>
constexpr auto bind(Monoid monoid, Result&& result) {
  using given_type = result_value_t<Result>;
  using out_type = std::remove_const_t<given_type>;  // goes on with a const one only to say nothing more about it
  using value = std::conditional_t<std::is_void_v<Value>, out_type, Value>;
  static_assert(!std::is_const_v<given_type>, "preduce: the result must not be const");
  if constexpr (std::is_pointer_v<raw_result_t<Result>>) {
    auto* const out = raw_result<std::remove_reference_t<Result>>::of(result);
    return bound_reducer<Monoid, out_type, false, value>{std::move(monoid), const_cast<out_type*>(out)};
  } else {
    static_assert(std::is_lvalue_reference_v<Result>,
                  "preduce: the result must be a variable, a pointer to memory, or a reducer such as preduce::sum(x)");
    return bound_reducer<Monoid, out_type, true, value>{std::move(monoid), const_cast<out_type*>(&result)};
  }
}

/// Stands in for the monoid of a reducer that a static_assert has refused: no monoid, so that nothing more is said.
struct refused {};

/// Monoid<T>, for the type that T is worked in, bound to a result of type T.
template <template <class> class Monoid, class Result>
constexpr auto bind_builtin(Result&& result) {
  using value = working_t<std::remove_cv_t<result_value_t<Result>>>;
  return detail::bind<value>(Monoid<value>{}, std::forward<Result>(result));
}

template <class T>
consteval bool check_ordered() {
  constexpr bool ordered = requires(T const& a) {
    a < a;
  };
  static_assert(ordered,
                "preduce: values of this type have no order: use reducer(op, result) with an operator of yours");
  return ordered;
}

template <class Result>
constexpr void check_wide_enough() {
  using out_type = std::remove_cv_t<result_value_t<Result>>;
  static_assert(!(std::integral<out_type> && sizeof(out_type) < 4),
                "preduce: a sum or product in an 8- or 16-bit integer wraps at once: give a result of 32 or 64 bits");
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Sum into result (a variable or a pointer), accumulated in the result's type; half and bfloat16 are accumulated in
/// float and rounded once, at the end.
template <class Result>
constexpr auto sum(Result&& result) {
  detail::check_wide_enough<Result>();
  return detail::bind_builtin<plus>(std::forward<Result>(result));
}

/// Product into result.
template <class Result>
constexpr auto prod(Result&& result) {
  detail::check_wide_enough<Result>();
  return detail::bind_builtin<multiplies>(std::forward<Result>(result));
}

/// Minimum into result. NaN propagates; -0.0 is below +0.0.
template <class Result>
constexpr auto min(Result&& result) {
  (void)detail::check_ordered<detail::working_t<std::remove_cv_t<detail::result_value_t<Result>>>>();
  return detail::bind_builtin<minimum>(std::forward<Result>(result));
}

/// Maximum into result. NaN propagates; +0.0 is above -0.0.
template <class Result>
constexpr auto max(Result&& result) {
  (void)detail::check_ordered<detail::working_t<std::remove_cv_t<detail::result_value_t<Result>>>>();
  return detail::bind_builtin<maximum>(std::forward<Result>(result));
}

/// An associative operator without an identity: an empty range is then an error, and functors return their value.
/// `op` is a callable op(a, b), taken to commute, or a struct with combine(a, b) that may also have identity() and
/// `static constexpr bool commutative = false` (its operands then keep their order).
template <class Op, class Result>
constexpr auto reducer(Op op, Result&& result) {
  using value = detail::accumulated_t<Op, std::remove_cv_t<detail::result_value_t<Result>>>;
  return detail::bind<value>(detail::as_monoid<value>(detail::widen(std::move(op))), std::forward<Result>(result));
}

/// The same with an identity, which an empty range gives. It is mixed into no data.
template <class Op, class Identity, class Result>
constexpr auto reducer(Op op, Identity identity, Result&& result) {
  using value = detail::accumulated_t<Op, std::remove_cv_t<detail::result_value_t<Result>>>;
  auto monoid = detail::as_monoid<value>(detail::widen(std::move(op)));
  return detail::bind<value>(
      detail::with_identity<value, decltype(monoid)>{std::move(monoid), static_cast<value>(identity)},
      std::forward<Result>(result));
}

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// The call.

#include <preduce/concepts.hpp>
#include <preduce/reduction.hpp>
#include <preduce/sequence.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace preduce::detail::inline PREDUCE_ABI {

template <class F>
void check_index_width(index_range r, call_context about) {
  if constexpr (std::same_as<index_t<F>, std::int32_t>) {
    using limits = std::numeric_limits<std::int32_t>;
    about.n = r.n;
    if (r.n > 0 && (r.begin < limits::min() || r.begin + (r.n - 1) > limits::max()))
      fail(error_code::invalid_argument, about, "the functor takes a 32-bit index and the range needs 64",
           "take the index as std::int64_t");
  }
}

/// Whether a contribution of type T may enter a reduction of V by Monoid.
template <class T, class V, class Monoid, bool Computed>
consteval bool check_contribution() {
  using part = typename contribution<Monoid, V>::type;
  detail::check_no_truncation<T, part, Computed>();
  return detail::check_conversion<T, V, part>();
}

/// The same for what a functor or a unary operator gives for an Argument, where the host can tell what that is.
template <class F, class Argument, class V, class Monoid>
consteval bool check_returned() {
  if constexpr (detail::is_device_lambda<F>() && !detail::has_trailing_return_type<F>())
    return true;
  else
    return detail::check_contribution<std::remove_cvref_t<std::invoke_result_t<F const&, Argument>>, V, Monoid, true>();
}

template <class Policy, class Range, class F, class Reducer>
void reduce_indices(Policy const& policy, Range range, F functor, Reducer reducer) {
  using value = typename Reducer::value_type;
  using monoid = typename Reducer::monoid_type;
  if constexpr (is_monoid_over<monoid, value>) {
    if constexpr (detail::check_value_type<value>() && detail::check_functor<F, value, monoid>()) {
      constexpr bool fits = [] {
        if constexpr (value_form<F, value>)
          return detail::check_returned<F, index_t<F>, value, monoid>();
        else
          return true;
      }();
      if constexpr (fits) {
        call_context const about{policy.name(), 0, type_name<value>()};
        auto const indices = checked_range(range, about);
        detail::check_index_width<F>(indices, about);
        using element = std::conditional_t<returns_part<F, value, monoid>, indexed_element<F, monoid>, F>;
        detail::run(policy, functor_source<element, value, index_t<F>>{element{std::move(functor)}, indices.begin},
                    std::move(reducer), maybe<value>{}, indices.n);
      }
    }
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Combines what `functor` contributes for every index of `range` and writes the total.
///
/// `functor(i)` returns a value, or `functor(i, accumulator)` updates one; i is std::int64_t, or std::int32_t where the
/// functor takes that (the range must then fit). `result` is a variable (sum; blocks until the value is there), a
/// pointer (sum; asynchronous, in stream order; memory that the policy's machine can write), or a reducer: sum(x),
/// prod(x), min(x), max(x), reducer(op, x), reducer(op, identity, x), and those of location.hpp, logic.hpp and
/// ignoring_nan.hpp. The total is accumulated in the result's type; half and bfloat16 in float, rounded once.
///
/// An empty range gives the identity (+0.0 for a sum). Determinism is the policy's; the portable policies give the same
/// bits whatever the machine and the launch (docs/canonical-order.md). Throws preduce::error before launch for bad
/// input; a fault of an asynchronous call surfaces at the next call that waits for a host result.
template <policy Policy, index_range Range, class F, class Result>
void parallel_reduce(Policy const& policy, Range range, F functor, Result&& result) {
  if constexpr (detail::is_reducer<std::remove_cvref_t<Result>>)
    detail::reduce_indices(policy, range, std::move(functor), std::forward<Result>(result));
  else
    detail::reduce_indices(policy, range, std::move(functor), preduce::sum(std::forward<Result>(result)));
}

/// The sum of functor(i) over `range`, accumulated in accumulator_t of what the functor returns. Blocks.
template <policy Policy, index_range Range, class F>
[[nodiscard]] auto parallel_reduce(Policy const& policy, Range range, F functor) {
  static_assert(
      !detail::is_device_lambda<F>() || detail::has_trailing_return_type<F>(),
      "preduce: a __device__ lambda needs a trailing return type here, [=] __device__ (std::int64_t i) -> T, or "
      "pass a result");
  if constexpr (!detail::is_device_lambda<F>() && !std::invocable<F const&, detail::index_t<F>>) {
    static_assert(
        std::invocable<F const&, detail::index_t<F>>,
        "preduce: the functor must be callable as f(std::int64_t) or f(std::int64_t, T&), and const; without a "
        "result to accumulate into it must return its value");
  } else {
    using returned = std::remove_cvref_t<std::invoke_result_t<F, detail::index_t<F>>>;
    static_assert(!std::is_void_v<returned>,
                  "preduce: the functor must be callable as f(std::int64_t) or "
                  "f(std::int64_t, T&): this one returns nothing to sum");
    detail::uninitialized<accumulator_t<returned>> total;
    detail::reduce_indices(policy, range, std::move(functor), preduce::sum(total.value));
    return total.value;
  }
}

/// Says what is wrong with a range that is none.
template <policy Policy, class Range, class... Rest>
requires(!index_range<std::remove_cvref_t<Range>> &&
         !detail::is_sequence_call<std::decay_t<Range>, std::decay_t<Rest>...>) void parallel_reduce(Policy const&,
                                                                                                     Range&&,
                                                                                                     Rest&&...) {
  static_assert(index_range<std::remove_cvref_t<Range>>,
                "preduce: the range must be a count, an integer of at most 64 bits, preduce::range{begin, end}, or two "
                "random-access iterators of one type with a result behind them");
}

}  // namespace preduce::inline PREDUCE_ABI

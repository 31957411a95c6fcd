#pragma once
// Reductions of sequences: parallel_reduce with a reducer, and the calls with Thrust's argument order. Contiguous
// iterators and pointers are read as vectors; other random-access iterators element by element.

#include <preduce/parallel_reduce.hpp>
#include <preduce/sequence.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace preduce::detail::inline PREDUCE_ABI {

/// Stands in for a map where an element contributes Monoid::element(element, index).
template <class Monoid>
struct with_index {};

/// The source of elements in memory, or behind an iterator.
template <class V, class T, class Map>
auto elements_from(T const* data, Map map) {
  return pointer_source<T, V, Map>{data, std::move(map)};
}
template <class V, class T, class Monoid>
auto elements_from(T const* data, with_index<Monoid>) {
  return located_source<T, Monoid>{data};
}
template <class V, class Iterator, class Map>
requires(!std::is_pointer_v<Iterator>) auto elements_from(Iterator start, Map map) {
  return functor_source<iterator_element<Iterator, Map>, V, std::int64_t>{{start, std::move(map)}, 0};
}
template <class V, class Iterator, class Monoid>
requires(!std::is_pointer_v<Iterator>) auto elements_from(Iterator start, with_index<Monoid>) {
  using map = convert_to<typename Monoid::part_type>;
  using element = indexed_element<iterator_element<Iterator, map>, Monoid>;
  return functor_source<element, V, std::int64_t>{{{start, map{}}}, 0};
}

/// last - first. Throws invalid_argument for less than 0 and for more than 2^63 - 1: iterators over 64-bit indices may
/// count in a wider type.
template <class Iterator>
std::int64_t checked_distance(Iterator const& first, Iterator const& last, call_context about) {
  auto const distance = last - first;
  using wide = std::remove_const_t<decltype(distance)>;
  about.n = static_cast<std::int64_t>(distance);
  bool const fits = static_cast<wide>(about.n) == distance;
  if (!fits)
    about.n = distance < wide(0) ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  if (about.n < 0) fail(error_code::invalid_argument, about, "last lies before first", "swap them");
  if (!fits) fail(error_code::invalid_argument, about, "the sequence is longer than 2^63 - 1", "reduce it in parts");
  return about.n;
}

template <class V, class Policy, class Iterator, class Map, class Reducer>
void reduce_sequence(Policy const& policy, Iterator first, Iterator last, Map map, Reducer reducer,
                     maybe<V> const& init) {
  auto const n = detail::checked_distance(first, last, {policy.name(), 0, type_name<V>()});
  auto const start = sequence_access<Iterator>::start(first, n);
  detail::run(policy, detail::elements_from<V>(start, std::move(map)), std::move(reducer), init, n);
}

/// parallel_reduce over a sequence.
template <class Policy, class Iterator, class Reducer>
void reduce_elements(Policy const& policy, Iterator first, Iterator last, Reducer reducer) {
  using value = typename Reducer::value_type;
  using monoid = typename Reducer::monoid_type;
  if constexpr (is_monoid_over<monoid, value>) {
    using element = sequence_value_t<Iterator>;
    constexpr bool asked_of = std::same_as<value, bool>;
    if constexpr (detail::check_value_type<value>() && detail::check_contribution<element, value, monoid, asked_of>()) {
      using map = std::conditional_t<is_part<element, value, monoid>, with_index<monoid>, convert_to<value>>;
      detail::reduce_sequence<value>(policy, std::move(first), std::move(last), map{}, std::move(reducer),
                                     maybe<value>{});
    }
  }
}

/// Whether T can take what unary makes of a sequence's elements; says why where it cannot.
template <class Iterator, class Unary, class T>
consteval bool check_unary() {
  constexpr bool callable =
      std::invocable<Unary const&, sequence_element_t<Iterator>> || detail::is_device_lambda<Unary>();
  static_assert(callable, "preduce: unary must be callable with an element, and const");
  if constexpr (callable)
    return detail::check_returned<Unary, sequence_element_t<Iterator>, T, void>();
  else
    return false;
}

template <class V, class Policy, class Iterator, class Out, class Map, class Op>
void reduce_to(Policy const& policy, Iterator first, Iterator last, Out* out, Map map, maybe<V> const& init, Op op) {
  static_assert(!std::is_const_v<Out>, "preduce: the result must not be const");
  detail::reduce_sequence<V>(policy, std::move(first), std::move(last), std::move(map),
                             detail::bind<V>(detail::as_monoid<V>(detail::widen(std::move(op))), out), init);
}

template <class V, class Policy, class Iterator, class Map, class Op>
V reduce_and_wait(Policy const& policy, Iterator first, Iterator last, Map map, maybe<V> const& init, Op op) {
  uninitialized<V> total;
  detail::reduce_sequence<V>(policy, std::move(first), std::move(last), std::move(map),
                             detail::bind(detail::as_monoid<V>(detail::widen(std::move(op))), total.value), init);
  return total.value;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Combines the elements of [first, last) and writes the total. `result` is what it is for a range and a functor: a
/// variable (sum; blocks), a pointer (sum; asynchronous, in stream order), or a reducer: sum(x), min(x), min_loc(x),
/// reducer(op, x) ... In a located result the index is the position from `first`. The total is accumulated in the
/// result's type (half and bfloat16 in float, rounded once); an empty sequence gives the identity. Throws
/// preduce::error before launch for bad input.
template <policy Policy, detail::sequence_iterator Iterator, class Result>
void parallel_reduce(Policy const& policy, Iterator first, Iterator last, Result&& result) {
  if constexpr (detail::is_reducer<std::remove_cvref_t<Result>>)
    detail::reduce_elements(policy, std::move(first), std::move(last), std::forward<Result>(result));
  else
    detail::reduce_elements(policy, std::move(first), std::move(last), preduce::sum(std::forward<Result>(result)));
}

/// combine(init, e0 op e1 op ...) over [first, last), accumulated in T, init's type (half and bfloat16 in float,
/// rounded once). Blocks. An empty sequence gives init.
template <policy Policy, detail::sequence_iterator Iterator, class T, class Op = plus<T>>
[[nodiscard]] T reduce(Policy const& policy, Iterator first, Iterator last, T init, Op op = {}) {
  detail::check_no_truncation<detail::sequence_value_t<Iterator>, T>();
  using value = detail::accumulated_t<Op, T>;
  if constexpr (detail::check_init<T, Op, detail::sequence_value_t<Iterator>>() && detail::check_value_type<value>())
    return static_cast<T>(detail::reduce_and_wait<value>(policy, first, last, detail::convert_to<value>{},
                                                         detail::maybe<value>(value(init)), op));
  else
    return init;
}

/// The sum of [first, last), accumulated in accumulator_t of its elements. Blocks. An empty sequence gives +0.
template <policy Policy, detail::sequence_iterator Iterator>
[[nodiscard]] auto reduce(Policy const& policy, Iterator first, Iterator last) {
  using value = accumulator_t<detail::sequence_value_t<Iterator>>;
  if constexpr (detail::check_value_type<value>())
    return detail::reduce_and_wait<value>(policy, first, last, detail::convert_to<value>{}, detail::maybe<value>{},
                                          plus<value>{});
  else
    return value{};
}

/// The same over unary(element).
template <policy Policy, detail::sequence_iterator Iterator, class Unary, class T, class Op>
[[nodiscard]] T transform_reduce(Policy const& policy, Iterator first, Iterator last, Unary unary, T init, Op op) {
  using value = detail::accumulated_t<Op, T>;
  if constexpr (detail::check_value_type<value>() && detail::check_unary<Iterator, Unary, T>())
    return static_cast<T>(
        detail::reduce_and_wait<value>(policy, first, last, unary, detail::maybe<value>(value(init)), op));
  else
    return init;
}

/// reduce, written to *out asynchronously, in stream order: memory that the policy's machine can write.
template <policy Policy, detail::sequence_iterator Iterator, class Out, class T, class Op = plus<T>>
void reduce_into(Policy const& policy, Iterator first, Iterator last, Out* out, T init, Op op = {}) {
  detail::check_no_truncation<detail::sequence_value_t<Iterator>, T>();
  detail::check_no_truncation<T, Out>();
  using value = detail::accumulated_t<Op, T>;
  if constexpr (detail::check_init<T, Op, detail::sequence_value_t<Iterator>>() && detail::check_value_type<value>() &&
                detail::check_value_type<Out>() && detail::check_conversion<T, Out>())
    detail::reduce_to<value>(policy, first, last, out, detail::convert_to<value>{}, detail::maybe<value>(value(init)),
                             op);
}

/// The sum without init, written to *out asynchronously, accumulated in Out (half and bfloat16 in float, rounded once).
template <policy Policy, detail::sequence_iterator Iterator, class Out>
void reduce_into(Policy const& policy, Iterator first, Iterator last, Out* out) {
  detail::check_no_truncation<detail::sequence_value_t<Iterator>, Out>();
  detail::check_wide_enough<Out*>();
  using value = detail::working_t<Out>;
  if constexpr (detail::check_value_type<value>() &&
                detail::check_conversion<detail::sequence_value_t<Iterator>, value>())
    detail::reduce_to<value>(policy, first, last, out, detail::convert_to<value>{}, detail::maybe<value>{},
                             plus<value>{});
}

/// transform_reduce, written to *out asynchronously.
template <policy Policy, detail::sequence_iterator Iterator, class Out, class Unary, class T, class Op>
void transform_reduce_into(Policy const& policy, Iterator first, Iterator last, Out* out, Unary unary, T init, Op op) {
  detail::check_no_truncation<T, Out>();
  using value = detail::accumulated_t<Op, T>;
  if constexpr (detail::check_value_type<value>() && detail::check_value_type<Out>() &&
                detail::check_conversion<T, Out>() && detail::check_unary<Iterator, Unary, T>())
    detail::reduce_to<value>(policy, first, last, out, unary, detail::maybe<value>(value(init)), op);
}

/// Says what is wrong with a sequence that is none.
template <policy Policy, class First, class Last, class... Rest>
requires(!std::same_as<First, Last> || !detail::sequence_iterator<First>) void reduce(Policy const&, First const&,
                                                                                      Last const&, Rest const&...) {
  static_assert(
      std::same_as<First, Last> && detail::sequence_iterator<First>,
      "preduce: a sequence is two random-access iterators of one type: reduce(policy, first, last, init, op)");
}

}  // namespace preduce::inline PREDUCE_ABI

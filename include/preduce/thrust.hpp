#pragma once
// Thrust's iterators and pointers as guests. Contiguous ones (device_ptr, iterators of device_vector, host_vector and
// universal_vector) are read like plain pointers, and as results they are pointers; counting, constant, transform, zip,
// permutation and reverse iterators are read element by element, where the policy runs. Nothing is dereferenced
// elsewhere. A unary operator is called with values, never with Thrust's references.
//
// Not included by <preduce/preduce.hpp>. Include it before the first call with such an iterator.

#include <preduce/reduce.hpp>

#include <thrust/iterator/iterator_facade.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/memory.h>
#include <thrust/tuple.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace preduce::detail::inline PREDUCE_ABI {

template <class I, class Value, class System, class Traversal, class Reference, class Difference>
std::true_type is_thrust_facade(thrust::iterator_facade<I, Value, System, Traversal, Reference, Difference> const*);
std::false_type is_thrust_facade(void const*);

/// Thrust's own iterators, its pointers, and what users make of iterator_adaptor and iterator_facade.
template <class Iterator>
concept thrust_iterator =
    std::is_class_v<Iterator> && decltype(detail::is_thrust_facade(static_cast<Iterator const*>(nullptr)))::value&&
        std::is_convertible_v<typename thrust::iterator_traversal<Iterator>::type, thrust::random_access_traversal_tag>;

template <class Iterator>
concept contiguous_thrust_iterator = thrust_iterator<Iterator> && thrust::is_contiguous_iterator<Iterator>::value;

/// The address behind a contiguous iterator. A reference is made, and not read.
template <contiguous_thrust_iterator Iterator>
auto* raw_address(Iterator const& at) {
  return thrust::raw_pointer_cast(&*at);
}

template <thrust_iterator Iterator>
struct sequence_access<Iterator> {
  using value_type = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;
  using element_type = value_type const&;

  static auto start(Iterator const& first, std::int64_t) {
    if constexpr (contiguous_thrust_iterator<Iterator>)
      return static_cast<value_type const*>(detail::raw_address(first));
    else
      return first;
  }
};

/// Calls check(address) for the memory that the element at `at` is read from, as far as Thrust's iterators let it be
/// known: a permutation_iterator shows where its indices lie, and keeps the elements to itself.
template <class Iterator, class Check>
void check_addresses(Iterator const& at, Check const& check);

template <class Function, class Base, class Reference, class Value, class Check>
void check_beneath(thrust::transform_iterator<Function, Base, Reference, Value> const& at, Check const& check) {
  detail::check_addresses(at.base(), check);
}
template <class Elements, class Indices, class Check>
void check_beneath(thrust::permutation_iterator<Elements, Indices> const& at, Check const& check) {
  detail::check_addresses(at.base(), check);
}
template <class Base, class Check>
void check_beneath(thrust::reverse_iterator<Base> const& at, Check const& check) {
  detail::check_addresses(at.base() - 1, check);
}
template <class Tuple, class Check>
void check_beneath(thrust::zip_iterator<Tuple> const& at, Check const& check) {
  auto const each = [&]<std::size_t... I>(std::index_sequence<I...>) {
    (detail::check_addresses(thrust::get<I>(at.get_iterator_tuple()), check), ...);
  };
  each(std::make_index_sequence<thrust::tuple_size<Tuple>::value>{});
}

template <class Iterator, class Check>
void check_addresses(Iterator const& at, Check const& check) {
  if constexpr (std::is_pointer_v<Iterator>)
    check(static_cast<void const*>(at));
  else if constexpr (contiguous_thrust_iterator<Iterator>)
    check(static_cast<void const*>(detail::raw_address(at)));
  else if constexpr (std::contiguous_iterator<Iterator>)
    check(static_cast<void const*>(std::to_address(at)));
  else if constexpr (requires { detail::check_beneath(at, check); })
    detail::check_beneath(at, check);
}

template <thrust_iterator Iterator, class Map>
struct iterator_element<Iterator, Map> {
  Iterator first;
  Map map;

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION auto operator()(std::int64_t i) const {
    using value = sequence_value_t<Iterator>;
    // Kept while the element is read: its reference may lie in the iterator.
    Iterator const at = first + static_cast<typename std::iterator_traits<Iterator>::difference_type>(i);
    return map(static_cast<value>(*at));
  }
};

template <thrust_iterator Iterator, class Map>
struct memory_behind<iterator_element<Iterator, Map>> {
  template <class Check>
  static void visit(iterator_element<Iterator, Map> const& element, Check const& check) {
    detail::check_addresses(element.first, check);
  }
};

/// A result in memory, whichever way its address is wrapped.
template <class Result>
requires contiguous_thrust_iterator<std::remove_const_t<Result>>
struct raw_result<Result> {
  static auto of(Result& result) { return detail::raw_address(result); }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// reduce_into and transform_reduce_into with a device_ptr, or an iterator of a vector, as the result.
template <policy Policy, detail::sequence_iterator Iterator, detail::contiguous_thrust_iterator Out, class T,
          class Op = plus<T>>
void reduce_into(Policy const& policy, Iterator first, Iterator last, Out out, T init, Op op = {}) {
  preduce::reduce_into(policy, first, last, detail::raw_address(out), init, op);
}

template <policy Policy, detail::sequence_iterator Iterator, detail::contiguous_thrust_iterator Out>
void reduce_into(Policy const& policy, Iterator first, Iterator last, Out out) {
  preduce::reduce_into(policy, first, last, detail::raw_address(out));
}

template <policy Policy, detail::sequence_iterator Iterator, detail::contiguous_thrust_iterator Out, class Unary,
          class T, class Op>
void transform_reduce_into(Policy const& policy, Iterator first, Iterator last, Out out, Unary unary, T init, Op op) {
  preduce::transform_reduce_into(policy, first, last, detail::raw_address(out), unary, init, op);
}

}  // namespace preduce::inline PREDUCE_ABI

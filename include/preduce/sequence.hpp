#pragma once
// How a call reads an iterator. A header of guests, such as <preduce/thrust.hpp>, says it for its own.

#include <preduce/config.hpp>

#include <array>  // the lightest header with the iterator concepts
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

/// An iterator as a call sees it: the type of its values, the type of what a unary operator is called with, and where
/// reading starts: a pointer where n elements follow each other in memory, else an iterator.
template <class Iterator>
struct standard_sequence {};

template <std::random_access_iterator Iterator>
struct standard_sequence<Iterator> {
  using value_type = std::iter_value_t<Iterator>;
  using element_type = std::iter_reference_t<Iterator>;

  static auto start(Iterator const& first, [[maybe_unused]] std::int64_t n) {
    if constexpr (std::is_pointer_v<Iterator>) {
      return static_cast<std::remove_pointer_t<Iterator> const*>(first);
    } else if constexpr (std::contiguous_iterator<Iterator>) {
      return n > 0 ? static_cast<value_type const*>(std::addressof(*first)) : nullptr;
    } else {
      return first;
    }
  }
};

/// The same: guests specialise this one.
template <class Iterator>
struct sequence_access : standard_sequence<Iterator> {};

template <class Iterator>
concept sequence_iterator = requires {
  typename sequence_access<Iterator>::element_type;
};

template <sequence_iterator Iterator>
using sequence_value_t = typename sequence_access<Iterator>::value_type;
template <sequence_iterator Iterator>
using sequence_element_t = typename sequence_access<Iterator>::element_type;

/// Whether (range, rest...) of a parallel_reduce is (first, last, result).
template <class Range, class... Rest>
inline constexpr bool is_sequence_call = false;
template <sequence_iterator Iterator, class Result>
inline constexpr bool is_sequence_call<Iterator, Iterator, Result> = true;

/// Element i behind a random-access iterator, as a functor.
template <class Iterator, class Map>
struct iterator_element {
  Iterator first;
  Map map;
  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION auto operator()(std::int64_t i) const {
    using difference = decltype(first - first);
    return map(first[static_cast<difference>(i)]);
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// What is reduced over: a count, or a half-open range of indices. Neither needs memory.

#include <preduce/config.hpp>
#include <preduce/errors.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

namespace preduce {

/// The indices begin, begin + 1, ... end - 1. begin may be negative; begin > end is refused by the call.
struct range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

namespace detail {

struct index_range {
  std::int64_t begin;
  std::int64_t n;
};

/// Normalises what a call was given. Throws invalid_argument for a negative count, begin > end, or a length above 2^63
/// - 1.
inline index_range checked_range(range r, call_context about) {
  if (r.begin > r.end)
    fail(error_code::invalid_argument, about, "begin lies after end", "pass range{begin, end} with begin <= end");
  auto const length = static_cast<std::uint64_t>(r.end) - static_cast<std::uint64_t>(r.begin);
  if (length > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    fail(error_code::invalid_argument, about, "the range is longer than 2^63 - 1", "reduce it in parts");
  return {r.begin, static_cast<std::int64_t>(length)};
}

template <std::integral N>
index_range checked_range(N n, call_context const& about) {
  call_context const exactly{about.policy, static_cast<std::int64_t>(n), about.type};
  if constexpr (std::signed_integral<N>) {
    if (n < 0) fail(error_code::invalid_argument, exactly, "n is negative", "pass the number of elements");
  } else {
    if (exactly.n < 0)
      fail(error_code::invalid_argument, exactly, "n is above 2^63 - 1",
           "was a negative number converted to unsigned?");
  }
  return {0, static_cast<std::int64_t>(n)};
}

}  // namespace detail
}  // namespace preduce

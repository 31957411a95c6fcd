#pragma once
// The canonical order, version 1: how the elements of a reduction are laid out into tiles, lanes and rows, as a
// function of n alone. docs/canonical-order.md says what it promises and why these numbers.

#include <preduce/config.hpp>

#include <bit>
#include <cstdint>

namespace preduce {

/// Changes when the order, and so the bits of a floating-point result, change.
inline constexpr int canonical_order_version = 1;

inline constexpr int order_lanes = 4096;          ///< lanes of a tile
inline constexpr int order_partial_lanes = 1024;  ///< lanes that tile partials are dealt to
inline constexpr int order_single_tile_rows = 8;  ///< up to this many rows stay one tile
inline constexpr int order_max_tiles = 65536;     ///< bounds the workspace for any n

/// Element i sits in tile i / (lanes * rows), lane i mod lanes, row (i mod (lanes * rows)) / lanes.
struct order_shape {
  std::int64_t rows = 1;          ///< rows of a tile
  std::int64_t tiles = 1;         ///< at most order_max_tiles
  std::int64_t partial_rows = 1;  ///< ceil(tiles / order_partial_lanes)

  friend constexpr bool operator==(order_shape const&, order_shape const&) = default;
};

namespace detail {
constexpr PREDUCE_FUNCTION std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);  // a + b - 1 could wrap
}
}  // namespace detail

/// The shape for n elements, 0 <= n <= 2^63 - 1. Pure.
constexpr order_shape shape_of(std::int64_t n) {
  auto const all_rows = detail::ceil_div(n, order_lanes);
  order_shape shape;
  if (all_rows <= order_single_tile_rows) {
    shape.rows = all_rows > 0 ? all_rows : 1;
  } else {
    int const half = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all_rows - 1))) / 2 - 1;
    shape.rows = std::int64_t{1} << (half < 3 ? 3 : half > 6 ? 6 : half);
    while (detail::ceil_div(all_rows, shape.rows) > order_max_tiles) shape.rows *= 2;
  }
  shape.tiles = all_rows > 0 ? detail::ceil_div(all_rows, shape.rows) : 1;
  shape.partial_rows = detail::ceil_div(shape.tiles, order_partial_lanes);
  return shape;
}

}  // namespace preduce

#pragma once
// The canonical order, version 1, written down literally: what every portable policy must compute, bit for bit. Slow on
// purpose, and without a line of the library, so that a slip in its shape or its tree has nowhere to hide.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace oracle {

inline constexpr std::int64_t lanes = 4096;
inline constexpr std::int64_t partial_lanes = 1024;
inline constexpr std::int64_t most_tiles = 65536;

/// How n elements are laid out.
struct layout {
  std::int64_t rows = 0;
  std::int64_t tiles = 0;
  std::int64_t partial_rows = 0;
};

/// Where one element sits.
struct position {
  std::int64_t tile = 0;
  std::int64_t lane = 0;
  std::int64_t row = 0;
};

inline std::int64_t quotient_rounded_up(std::int64_t a, std::int64_t b) {
  return a % b == 0 ? a / b : a / b + 1;
}

inline layout layout_of(std::int64_t n) {
  auto const all_rows = quotient_rounded_up(n, lanes);
  layout result;
  if (all_rows <= 8) {
    result.rows = all_rows == 0 ? 1 : all_rows;
  } else {
    int bits = 0;
    for (auto left = all_rows - 1; left > 0; left /= 2) ++bits;
    int exponent = bits / 2 - 1;
    if (exponent < 3) exponent = 3;
    if (exponent > 6) exponent = 6;
    result.rows = 1;
    for (int k = 0; k < exponent; ++k) result.rows *= 2;
    while (quotient_rounded_up(all_rows, result.rows) > most_tiles) result.rows *= 2;
  }
  result.tiles = all_rows == 0 ? 1 : quotient_rounded_up(all_rows, result.rows);
  result.partial_rows = quotient_rounded_up(result.tiles, partial_lanes);
  return result;
}

/// Neighbours in memory are neighbouring lanes.
inline position position_of(std::int64_t i, layout const& shape) {
  auto const in_tile = i % (lanes * shape.rows);
  return {i / (lanes * shape.rows), in_tile % lanes, in_tile / lanes};
}

/// Neighbours in memory are neighbouring rows of one lane: what operators that do not commute need.
inline position in_order_position_of(std::int64_t i, layout const& shape) {
  auto const in_tile = i % (lanes * shape.rows);
  return {i / (lanes * shape.rows), in_tile / shape.rows, in_tile % shape.rows};
}

/// Lanes that values are dealt to, and the tree over them. Those present are a prefix, and both maps touch lanes for
/// the first time in ascending order, so a lane is either there or the next one.
template <class T, class Combine>
class lane_fold {
 public:
  explicit lane_fold(Combine const& combine) : combine_(combine) {}

  void deal(std::int64_t lane, T const& value) {
    auto const at = static_cast<std::size_t>(lane);
    if (at == values_.size()) {
      values_.push_back(value);
    } else {
      values_.at(at) = static_cast<T>(combine_(values_.at(at), value));
    }
  }

  /// s = 1, 2, 4 ..: lane l, a multiple of 2 s, takes in lane l + s where that one is present.
  T tree() {
    auto const present = values_.size();
    for (std::size_t s = 1; s < present; s *= 2) {
      for (std::size_t l = 0; l + s < present; l += 2 * s) {
        values_[l] = static_cast<T>(combine_(values_[l], values_[l + s]));
      }
    }
    return values_.at(0);
  }

 private:
  Combine const& combine_;
  std::vector<T> values_;
};

namespace detail {
template <class T, class Element, class Combine, class Place, class PartialLane>
T total_by(std::int64_t n, Element const& element, Combine const& combine, Place const& place,
           PartialLane const& partial_lane) {
  auto const shape = layout_of(n);
  lane_fold<T, Combine> partials(combine);
  for (std::int64_t tile = 0, i = 0; tile < shape.tiles; ++tile) {
    lane_fold<T, Combine> fold(combine);
    for (; i < n && place(i, shape).tile == tile; ++i) fold.deal(place(i, shape).lane, element(i));
    partials.deal(partial_lane(tile, shape), fold.tree());
  }
  return partials.tree();
}
}  // namespace detail

/// The total of element(0) .. element(n - 1), n >= 1. An initial value comes after it: combine(init, total).
template <class T, class Element, class Combine>
T total(std::int64_t n, Element const& element, Combine const& combine) {
  return detail::total_by<T>(n, element, combine, position_of,
                             [](std::int64_t tile, layout const&) { return tile % partial_lanes; });
}

/// The same in the map for operators that do not commute.
template <class T, class Element, class Combine>
T total_in_order(std::int64_t n, Element const& element, Combine const& combine) {
  return detail::total_by<T>(n, element, combine, in_order_position_of,
                             [](std::int64_t tile, layout const& shape) { return tile / shape.partial_rows; });
}

}  // namespace oracle

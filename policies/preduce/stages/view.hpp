#pragma once
// What the stages agree on: a tile as they see it, and how a source's elements are dealt to the threads of a warp.

#include <preduce/config.hpp>
#include <preduce/plan.hpp>
#include <preduce/sources.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

/// log2 of a tile's lanes, known to the compiler: rows are then constant offsets from one address.
struct order_lane_bits {
  static constexpr int value = std::countr_zero(static_cast<unsigned>(order_lanes));
  static constexpr int most_unroll = 8;
  [[nodiscard]] PREDUCE_FUNCTION constexpr operator int() const { return value; }
};

/// The same for the partials, of which there are never many.
struct any_lane_bits {
  static constexpr int most_unroll = 2;
  int value;
  [[nodiscard]] PREDUCE_FUNCTION constexpr operator int() const { return value; }
};

/// Counts within a tile. 32 bits where elements lie in memory (the planner sees to it): a chain of 64-bit arithmetic
/// before the first load is what a small reduction would wait for.
template <class Source>
using tile_offset = std::conditional_t<Source::in_memory, int, std::int64_t>;

/// A tile of the canonical order, or the partials seen as one. Element (lane, row) is first + row * 2^lane_bits + lane,
/// and in the order-keeping map first + lane * rows + row.
template <class Offset, class LaneBits>
struct tile_view {
  std::int64_t first;  ///< of the source's elements
  Offset count;        ///< elements in the tile
  Offset readable;     ///< count and up to 64 elements more: what a vector may read without leaving the data
  Offset rows;
  LaneBits lane_bits;
  int present;  ///< lanes with at least one element: a prefix
};

/// The lanes of a tile with `count` elements that hold at least one.
template <class Offset>
PREDUCE_FUNCTION constexpr int present_lanes(Offset count, Offset rows, int lane_bits, bool commutative) {
  Offset const lanes = Offset{1} << lane_bits;
  Offset const used = commutative ? count : count / rows + (count % rows != 0 ? 1 : 0);
  return static_cast<int>(used < lanes ? used : lanes);
}

/// Tile `index` of a source of n elements.
template <class Offset>
PREDUCE_FUNCTION constexpr tile_view<Offset, order_lane_bits> tile_at(grid_order const& order, int index,
                                                                      bool commutative) {
  constexpr order_lane_bits lane_bits;
  auto const size = static_cast<Offset>(order.tile_elements);
  auto const tail = static_cast<Offset>(order.tail_elements);
  auto const rows = static_cast<Offset>(order.rows);
  Offset const count = index == order.last_tile ? tail : size;
  Offset const beyond = index == order.last_tile ? 0 : index + 1 == order.last_tile && tail < 64 ? tail : 64;
  return {static_cast<std::int64_t>(index) * size,
          count,
          count + beyond,
          rows,
          lane_bits,
          detail::present_lanes(count, rows, lane_bits, commutative)};
}

/// The tile of a reduction that has only one.
template <class Offset>
PREDUCE_FUNCTION constexpr tile_view<Offset, order_lane_bits> only_tile(grid_order const& order, bool commutative) {
  auto const count = static_cast<Offset>(order.tail_elements);
  auto const rows = static_cast<Offset>(order.rows);
  return {0, count, count, rows, {}, detail::present_lanes(count, rows, order_lane_bits{}, commutative)};
}

/// How many of the rows of an element at `position` leave room for `width` elements before `count`.
template <class Offset>
PREDUCE_FUNCTION Offset rows_that_fit(Offset count, Offset position, int width, int lane_bits) {
  Offset const room = count - position - width;
  return room < 0 ? 0 : (room >> lane_bits) + 1;
}

/// The partials of all units as one tile. Up to order_partial_lanes tiles this is one neighbour tree over the units,
/// since a tile's units are an aligned power of two; beyond, there is one unit a tile, and tiles are dealt to lanes.
PREDUCE_FUNCTION constexpr tile_view<int, any_lane_bits> partials_as_tile(grid_order const& order, bool commutative) {
  return {0,
          order.units,
          order.units,
          order.partial_rows,
          any_lane_bits{order.partial_lane_bits},
          detail::present_lanes(order.units, order.partial_rows, order.partial_lane_bits, commutative)};
}

PREDUCE_FUNCTION constexpr int floor_power_of_two(int x) {
  int power = 1;
  while (power <= x / 2) power *= 2;
  return power;
}
PREDUCE_FUNCTION constexpr int least_of(int a, int b) {
  return a < b ? a : b;
}
PREDUCE_FUNCTION constexpr int clamp_int(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}

/// The ways in which kernels can read a source under a monoid, of which access_for picks one a call.
template <class Source, class Monoid>
struct readings {
  static constexpr bool any = true;
  static constexpr bool one_by_one = false;
  static constexpr bool aligned = false;
  static constexpr bool skipping = false;
};
/// Where order does not matter, misaligned data is aligned data that begins a few elements early.
template <class T, class V, class Map, class Monoid>
struct readings<pointer_source<T, V, Map>, Monoid> {
  static constexpr bool aligned = commutes<Monoid> && sizeof(T) <= 16 && std::has_single_bit(sizeof(T)) &&
                                  (alignof(T) == sizeof(T) || sizeof(T) == 16);
  static constexpr bool skipping = aligned && order_free<Monoid> && alignof(T) == sizeof(T) && sizeof(T) <= 8;
  static constexpr bool any = !skipping;
  /// Elements of 2 and 4 bytes, for which the vectors of misaligned data are put together from several loads.
  static constexpr bool one_by_one = aligned && !skipping && (sizeof(T) == 2 || sizeof(T) == 4);
  static constexpr std::int64_t most_rows = std::numeric_limits<std::int64_t>::max();
  static auto skipped(pointer_source<T, V, Map> const& source) { return source.as_skipping(); }
};

/// The same for kernels whose place of an element is its number in the range.
template <class Readings>
struct readings_in_place {
  static constexpr bool any = true;
  static constexpr bool one_by_one = false;
  static constexpr bool aligned = Readings::aligned;
  static constexpr bool skipping = false;
};

template <class Readings, class Source>
access access_for(Source const& source, std::int64_t n, device_facts const& device) {
  if constexpr (Readings::aligned) {
    if (reinterpret_cast<std::uintptr_t>(source.data) % 16 == 0) return access::aligned;
  }
  if constexpr (Readings::skipping) {
    // The kernel walks over what it skips, too: that may be what makes one more row.
    if (shape_of(n + detail::elements_beyond_boundary(source.data)).rows <= Readings::most_rows)
      return access::skipping;
  }
  if constexpr (Readings::one_by_one) {
    if (detail::reads_one_by_one(n, sizeof(typename Source::element_type), device)) return access::one_by_one;
  }
  return access::any;
}

/// Calls f with the source as it is read so.
template <class Readings, class Source, class F>
void read_as(access how, Source const& source, F&& f) {
  if constexpr (Readings::aligned) {
    if (how == access::aligned) return f(source.as_aligned());
  }
  if constexpr (Readings::skipping) {
    if (how == access::skipping) return f(Readings::skipped(source));
  }
  if constexpr (Readings::one_by_one) {
    if (how == access::one_by_one) return f(source.as_one_by_one());
  }
  if constexpr (Readings::any) f(source);
}

/// Whether a source's elements are read one at a time although they would tile vectors.
template <class Source>
inline constexpr bool is_one_by_one = false;
template <class T, class V, class Map, access Access>
inline constexpr bool is_one_by_one<pointer_source<T, V, Map, Access>> = Access == access::one_by_one;

/// How a warp takes a chunk: each thread `vector` neighbouring lanes in each of `strips` strips of 32 * vector lanes,
/// over `unroll` rows at a time. 128 bytes of loads in flight a thread fill the memory system at half occupancy, and
/// fit, with the accumulators, into the 64 registers that a block of 1024 leaves a thread.
template <class Source, bool Commutative>
struct arrangement {
  using element = typename Source::element_type;
  using value = typename Source::value_type;
  static constexpr int element_bytes = static_cast<int>(sizeof(element));
  static constexpr int value_words = static_cast<int>((sizeof(value) + 3) / 4);

  /// Elements that tile a 16-byte vector and are aligned like a machine word; or vectors themselves, where the data is
  /// aligned.
  static constexpr bool divides_vector =
      element_bytes <= 8 && std::has_single_bit(sizeof(element)) && alignof(element) == sizeof(element);
  static constexpr bool wide = Commutative && Source::in_memory && !is_one_by_one<Source> &&
                               (maps_elements<Source> || Source::aligned) &&
                               (divides_vector || (element_bytes == 16 && Source::aligned));
  static constexpr int vector = wide ? 16 / element_bytes : 1;
  static constexpr int strips = wide || !Commutative ? 1 : sizeof(value) <= 8 ? 2 : 1;
  static constexpr int chunk = 32 * vector * strips;

  static constexpr int row_words = wide ? 4 : strips * (element_bytes + 3) / 4;
  static constexpr int lane_words = wide && !maps_elements<Source> ? 8 : vector * strips * value_words;
  static constexpr int register_budget = 48 - detail::clamp_int(lane_words, 0, 40);
  static constexpr int unroll = detail::floor_power_of_two(detail::clamp_int(
      register_budget / row_words, 1, (Source::in_memory ? vector <= 4 : sizeof(value) <= 8) ? 8 : 4));
};

}  // namespace preduce::detail::inline PREDUCE_ABI

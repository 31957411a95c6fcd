#pragma once
// The rows of a chunk stream through the lanes that a warp's threads hold: aligned vectors, misaligned ones, and
// elements one by one. This is where the time of a large reduction goes.

#include <preduce/contexts/context.hpp>
#include <preduce/monoids.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/borrowed_rows.hpp>
#include <preduce/stages/raw_vectors.hpp>
#include <preduce/stages/shuffle_tree.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// A thread's neighbouring lanes of a tile, a value each: what any operator can do with the rows of them.
template <class Source, class Monoid, int Width>
struct value_lanes {
  using element = typename Source::element_type;
  using value = typename Source::value_type;
  static constexpr bool any_lane = order_free<Monoid>;

  Source const& source;
  Monoid const& monoid;
  uninitialized<value> (&lanes)[Width];

  PREDUCE_FUNCTION void add(simt::raw16 const& vector, int row) const {
    PREDUCE_UNROLL
    for (int w = 0; w < Width; ++w) add(detail::vector_element<element>(vector, w), w, row);
  }
  PREDUCE_FUNCTION void add(element const& next, int w, int row) const {
    detail::add_to(monoid, lanes[w].value, source.mapped(next), row == 0);
  }
};

/// Lanes that look at several rows at once.
template <class Lanes>
concept takes_rows_together = Lanes::together;

/// Lanes that do not mind in which of them an element ends up.
template <class Lanes>
concept takes_any_lane = Lanes::any_lane;

/// How vectors of rows are read, and added to lanes.
template <simt::context C, class Source, class Lanes, class Loads, int Width>
struct vector_reader {
  using element = typename Source::element_type;
  static constexpr bool spreads_first = Source::skips && takes_any_lane<Lanes>;

  C const& ctx;
  Loads const& loads;
  int lane_bits;
  Lanes& lanes;
  bool without_first;  ///< where spreads_first: this thread's vector in row 0 is not to be read

  /// Rows `row` ... of the vectors at `from`, Rows of them, all in flight before the first is added.
  template <int Rows>
  PREDUCE_FUNCTION void add_rows(element const* from, int row) const {
    bool const all = !(spreads_first && without_first && row == 0);
    simt::raw16 raw[Rows];
    if constexpr (spreads_first) raw[0] = {};  // else its registers count as used from the start
    PREDUCE_UNROLL
    for (int u = 0; u < Rows; ++u) {
      if (u > 0 || all) raw[u] = loads.load(ctx, from + (static_cast<std::int64_t>(u) << lane_bits));
    }
    if constexpr (takes_rows_together<Lanes>) {
      lanes.add_together(raw, row);
    } else {
      PREDUCE_UNROLL
      for (int u = 0; u < Rows; ++u) {
        if (u > 0 || all) lanes.add(raw[u], row + u);
      }
    }
  }

  /// The same for `left` rows, at most Most: a branch to code for just that many.
  template <int Most>
  PREDUCE_FUNCTION void add_last_rows(element const* from, int row, int left) const {
    if constexpr (Most > 0) {
      if (left == Most)
        add_rows<Most>(from, row);
      else
        add_last_rows<Most - 1>(from, row, left);
    }
  }

  /// Row 0 without its first `skip` elements, of which `room` are there.
  PREDUCE_FUNCTION void add_elements_from(int skip, element const* from, int room) const {
    lanes.begin_in_row_1(skip);
    PREDUCE_UNROLL
    for (int w = 0; w < Width; ++w) {
      if (w >= skip && w < room) lanes.add(from[w], w, 0);
    }
  }

  /// The elements of one row that lie before `count`, one by one.
  PREDUCE_FUNCTION void add_elements(element const* from, int row, int room) const {
    PREDUCE_UNROLL
    for (int w = 0; w < Width; ++w) {
      if (w < room) lanes.add(from[w], w, row);
    }
  }
};

/// Vectors of the elements at lane `position` of the tile and up. `shift` elements lie between the last 16-byte
/// boundary and the data.
template <simt::context C, class Source, class LaneBits, class Loads, class Lanes>
PREDUCE_FUNCTION void read_shifted_vectors(C const& ctx, Source const& source, tile_view<int, LaneBits> const& tile,
                                           int position, Loads const& loads, int shift, Lanes& lanes) {
  constexpr int width = arrangement<Source, true>::vector;
  constexpr int most = detail::least_of(arrangement<Source, true>::unroll, LaneBits::most_unroll);
  constexpr int unroll = Loads::vectors == 1 ? most : detail::least_of(most, 4);
  int const bits = tile.lane_bits;
  // Data that begins within a vector: where any lane will do, its first elements go to a thread each, all at once.
  bool const begins = Source::skips && tile.first + position == 0;
  using reader_type = vector_reader<C, Source, Lanes, Loads, width>;
  constexpr bool spread_first = reader_type::spreads_first;
  reader_type const reader{ctx, loads, bits, lanes, begins};
  auto const* at = source.data + (tile.first + position);
  uninitialized<typename Source::element_type> first;
  detail::leave_blank(first);
  bool has_first = false;
  if constexpr (spread_first) {
    int const thread = simt::warp_lane(ctx);
    bool const here = tile.first + position == thread * width && thread < width && thread < tile.count;
    has_first = here && thread >= source.skip;
    if (has_first) first.value = source.data[thread];
  }

  // Rows in which this thread's vector is whole, and what is loaded for it lies within the data.
  int whole = detail::rows_that_fit(tile.count, position, width, bits);
  int row = 0;
  if constexpr (Loads::vectors > 1) {
    int const readable = detail::rows_that_fit(tile.readable, position - shift, Loads::vectors * width, bits);
    if (readable < whole) whole = readable;
    if (tile.first + position < shift) {
      reader.add_elements(at, 0, tile.count - position);
      row = 1;
      at += std::int64_t{1} << bits;
    }
  }
  if constexpr (Source::skips && !spread_first) {
    if (begins && source.skip > 0) {
      reader.add_elements_from(source.skip, at, tile.count - position);
      row = 1;
      at += std::int64_t{1} << bits;
    }
  }
  PREDUCE_UNROLL_NOT
  for (; row + unroll <= whole; row += unroll) {
    reader.template add_rows<unroll>(at, row);
    at += static_cast<std::int64_t>(unroll) << bits;
  }
  if (row < whole) {
    reader.template add_last_rows<unroll - 1>(at, row, whole - row);
    at += static_cast<std::int64_t>(whole - row) << bits;
    row = whole;
  }
  PREDUCE_UNROLL_NOT
  for (; position + (row << bits) < tile.count; ++row) {  // what the end of the data cuts: a row or two
    if (!spread_first || !begins || row > 0) reader.add_elements(at, row, tile.count - position - (row << bits));
    at += std::int64_t{1} << bits;
  }
  if (has_first) lanes.add(first.value, 0, 0);
}

/// The same, whatever the data's alignment, by a warp or by one thread.
template <int Threads, simt::context C, class Source, class LaneBits, class Lanes>
PREDUCE_FUNCTION void read_vectors(C const& ctx, Source const& source, tile_view<int, LaneBits> const& tile,
                                   int position, Lanes& lanes) {
  if constexpr (Source::aligned) {
    detail::read_shifted_vectors(ctx, source, tile, position, aligned_loads{}, 0, lanes);
  } else {
    using element = typename Source::element_type;
    constexpr int bytes = static_cast<int>(sizeof(element));
    auto const past = static_cast<int>(reinterpret_cast<std::uintptr_t>(source.data) % 16);
    auto const read = [&](auto const& loads, int elements) {
      detail::read_shifted_vectors(ctx, source, tile, position, loads, elements, lanes);
    };
    if constexpr (Threads == simt::warp_threads && borrows<element>) {
      if (past > 0 && past <= 4)
        return detail::read_borrowed_rows<lender::next>(ctx, source, tile, position, past, lanes);
      if (past >= 12) return detail::read_borrowed_rows<lender::previous>(ctx, source, tile, position, past, lanes);
    }
    if constexpr (bytes == 8)
      read(piecewise_loads<0>{}, 0);
    else if constexpr (bytes == 4)
      past % 8 == 0 ? read(piecewise_loads<0>{}, 0) : read(piecewise_loads<4>{}, 0);
    else
      read(shifted_loads{past}, past / bytes);
  }
}

/// Elements one by one: functors, sizes that tile no vector, unaligned data, and the order-keeping map. A lane's
/// elements are `step` apart from `start`. This thread's lanes begin at `position` and are Apart from each other.
template <int Apart, simt::context C, class Source, class Monoid, int Strips, class Offset, class LaneBits>
PREDUCE_FUNCTION void read_elements(C const&, Source const& source, Monoid const& monoid,
                                    tile_view<Offset, LaneBits> const& tile, int position,
                                    uninitialized<typename Source::value_type> (&lanes)[Strips][1]) {
  constexpr bool commutative = commutes<Monoid>;
  constexpr int unroll = detail::least_of(arrangement<Source, commutative>::unroll, LaneBits::most_unroll);
  Offset const step = commutative ? Offset{1} << tile.lane_bits : Offset{1};

  Offset start[Strips];
  Offset rows[Strips];
  PREDUCE_UNROLL
  for (int k = 0; k < Strips; ++k) {
    Offset const lane = position + k * Apart;
    if constexpr (commutative) {
      start[k] = lane;
      rows[k] = detail::rows_that_fit(tile.count, lane, 1, tile.lane_bits);
    } else {
      start[k] = lane * tile.rows;
      Offset const left = tile.count - start[k];
      rows[k] = left < 0 ? 0 : left < tile.rows ? left : tile.rows;
    }
  }
  Offset const shared_rows = rows[Strips - 1];  // the last strip's lanes are never longer than the others'
  Offset row = 0;
  PREDUCE_UNROLL_NOT
  for (; row + unroll <= shared_rows; row += unroll) {
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      PREDUCE_UNROLL
      for (int k = 0; k < Strips; ++k)
        source.contribute(monoid, lanes[k][0].value, tile.first + start[k] + (row + u) * step, u == 0 && row == 0);
    }
  }
  PREDUCE_UNROLL_NOT
  for (; row < rows[0]; row += unroll) {
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      PREDUCE_UNROLL
      for (int k = 0; k < Strips; ++k) {
        if (row + u < rows[k])
          source.contribute(monoid, lanes[k][0].value, tile.first + start[k] + (row + u) * step, u == 0 && row == 0);
      }
    }
  }
}

/// Streams the rows of the chunk at `first_lane` into the lanes that Threads neighbouring threads hold, each Width
/// neighbours in each strip: a warp, or one thread. A lane with no element is left without a value.
template <int Threads, simt::context C, class Source, class Monoid, int Strips, int Width, class Offset, class LaneBits>
PREDUCE_FUNCTION void read_rows(C const& ctx, Source const& source, Monoid const& monoid,
                                tile_view<Offset, LaneBits> const& tile, int first_lane,
                                uninitialized<typename Source::value_type> (&lanes)[Strips][Width]) {
  int const position = Threads == 1 ? first_lane : first_lane + simt::warp_lane(ctx) * Width;
  if constexpr (!arrangement<Source, commutes<Monoid>>::wide) {
    detail::read_elements<Threads>(ctx, source, monoid, tile, position, lanes);
  } else {
    value_lanes<Source, Monoid, Width> all{source, monoid, lanes[0]};
    detail::read_vectors<Threads>(ctx, source, tile, position, all);
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// The rows of a chunk stream through the lanes that a warp's threads hold: aligned vectors, misaligned ones, and
// elements one by one. This is where the time of a large reduction goes.

#include <preduce/contexts/context.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>
#include <cstring>

namespace preduce::detail::inline PREDUCE_ABI {

/// The elements of a raw vector.
template <class T>
PREDUCE_FUNCTION T vector_element(simt::raw16 const& raw, int w) {
  T element;
  memcpy(&element, reinterpret_cast<unsigned char const*>(&raw) + w * static_cast<int>(sizeof(T)), sizeof(T));
  return element;
}

/// Rows r, r + 1, ... that keep r * 2^lane_bits + position + width <= count.
PREDUCE_FUNCTION inline std::int64_t whole_rows(std::int64_t count, std::int64_t position, int width, int lane_bits) {
  std::int64_t const room = count - position - width;
  return room < 0 ? 0 : (room >> lane_bits) + 1;
}

template <class Monoid, class V>
PREDUCE_FUNCTION void add_to(Monoid const& monoid, uninitialized<V>& lane, V const& next, bool first) {
  lane.value = first ? next : monoid.combine(lane.value, next);
}

/// Elements of a thread one by one: for lanes without a whole vector.
template <class Source, class Monoid, int Width>
PREDUCE_FUNCTION void read_row_by_element(Source const& source, Monoid const& monoid, tile_view const& tile,
                                          std::int64_t row, std::int64_t const (&lane_of)[Width],
                                          uninitialized<typename Source::value_type> (&lanes)[Width]) {
  PREDUCE_UNROLL
  for (int w = 0; w < Width; ++w) {
    std::int64_t const at = lane_of[w] + (row << tile.lane_bits);
    if (at < tile.count) add_to(monoid, lanes[w], source.value(tile.first + at), row == 0);
  }
}

/// Data aligned to 16 bytes: thread t holds lanes first_lane + t * width ...
template <simt::context C, class Source, class Monoid, int Width>
PREDUCE_FUNCTION void read_aligned(C const& ctx, Source const& source, Monoid const& monoid, tile_view const& tile,
                                   int first_lane, uninitialized<typename Source::value_type> (&lanes)[1][Width]) {
  using element = typename Source::element_type;
  constexpr int unroll = arrangement<Source, true>::unroll;
  std::int64_t const position = first_lane + simt::warp_lane(ctx) * Width;
  std::int64_t const whole = whole_rows(tile.count, position, Width, tile.lane_bits);
  element const* at = source.data + tile.first + position;

  simt::raw16 raw[unroll];
  std::int64_t row = 0;
  for (; row + unroll <= whole; row += unroll) {
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) raw[u] = ctx.load16(at + (static_cast<std::int64_t>(u) << tile.lane_bits));
    at += static_cast<std::int64_t>(unroll) << tile.lane_bits;
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      PREDUCE_UNROLL
      for (int w = 0; w < Width; ++w)
        add_to(monoid, lanes[0][w], source.mapped(vector_element<element>(raw[u], w)), u == 0 && row == 0);
    }
  }
  if (row < whole) {  // fewer than `unroll` rows are left: still all in flight at once
    PREDUCE_UNROLL
    for (int u = 0; u + 1 < unroll; ++u) {
      if (row + u < whole) raw[u] = ctx.load16(at + (static_cast<std::int64_t>(u) << tile.lane_bits));
    }
    PREDUCE_UNROLL
    for (int u = 0; u + 1 < unroll; ++u) {
      if (row + u < whole) {
        PREDUCE_UNROLL
        for (int w = 0; w < Width; ++w)
          add_to(monoid, lanes[0][w], source.mapped(vector_element<element>(raw[u], w)), u == 0 && row == 0);
      }
    }
  }
  if (position + (whole << tile.lane_bits) < tile.count) {  // the one thread whose vector the end of the data cuts
    std::int64_t lane_of[Width];
    PREDUCE_UNROLL
    for (int w = 0; w < Width; ++w) lane_of[w] = position + w;
    read_row_by_element(source, monoid, tile, whole, lane_of, lanes[0]);
  }
}

/// Data `shift` elements past a 16-byte boundary: threads load the aligned vectors that cover the chunk, so thread t's
/// components hold lanes first_lane + t * width - shift ... Thread 0 also takes the vector that sticks out at the end:
/// its first `shift` components complete the chunk. Then the lanes are rotated into place.
template <simt::context C, class Source, class Monoid, int Width>
PREDUCE_FUNCTION void read_shifted(C const& ctx, Source const& source, Monoid const& monoid, tile_view const& tile,
                                   int first_lane, int shift,
                                   uninitialized<typename Source::value_type> (&lanes)[1][Width]) {
  using element = typename Source::element_type;
  using value = typename Source::value_type;
  constexpr int unroll = arrangement<Source, true>::unroll > 2 ? arrangement<Source, true>::unroll / 2 : 1;
  constexpr int chunk = Width * simt::warp_threads;
  int const thread = simt::warp_lane(ctx);
  bool const ends_chunk = thread == 0;

  std::int64_t const position = first_lane + thread * Width - shift;
  std::int64_t lane_of[Width];
  PREDUCE_UNROLL
  for (int w = 0; w < Width; ++w) lane_of[w] = position + w + (ends_chunk && w < shift ? chunk : 0);

  // Rows whose vectors lie within the readable data: the very first vector may begin before it, the last may end after
  // it.
  std::int64_t const begin = tile.first + position < 0 ? 1 : 0;
  std::int64_t const reach = ends_chunk ? position + chunk : position;
  std::int64_t whole = whole_rows(tile.limit, reach, Width, tile.lane_bits);
  std::int64_t const last_lane = ends_chunk ? position + chunk + shift - 1 : position + Width - 1;
  std::int64_t const used = whole_rows(tile.count, last_lane, 1, tile.lane_bits);
  if (used < whole) whole = used;
  element const* at = source.data + tile.first + position;

  std::int64_t row = 0;
  if (begin == 1) {
    read_row_by_element(source, monoid, tile, 0, lane_of, lanes[0]);
    row = 1;
    at += std::int64_t{1} << tile.lane_bits;
  }
  simt::raw16 raw[unroll];
  simt::raw16 end[unroll];
  for (; row < whole; row += unroll) {
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      element const* const from = at + (static_cast<std::int64_t>(u) << tile.lane_bits);
      if (row + u < whole) {
        raw[u] = ctx.load16(from);
        if (ends_chunk) end[u] = ctx.load16(from + chunk);
      }
    }
    at += static_cast<std::int64_t>(unroll) << tile.lane_bits;
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      if (row + u < whole) {
        PREDUCE_UNROLL
        for (int w = 0; w < Width; ++w) {
          element const loaded = vector_element<element>(ends_chunk && w < shift ? end[u] : raw[u], w);
          add_to(monoid, lanes[0][w], source.mapped(loaded), row + u == 0);
        }
      }
    }
  }
  // What is left has no whole vector: a cut one, and lanes that reach a row further than the thread's others.
  std::int64_t const lowest_lane = ends_chunk ? position + shift : position;
  std::int64_t const rows = whole_rows(tile.count, lowest_lane, 1, tile.lane_bits);
  for (std::int64_t left = whole > begin ? whole : begin; left < rows; ++left)
    read_row_by_element(source, monoid, tile, left, lane_of, lanes[0]);

  // Rotate by `shift` lanes, one binary digit at a time, so that every register index is known.
  PREDUCE_UNROLL
  for (int step = 1; step < Width; step *= 2) {
    if ((shift & step) != 0) {
      uninitialized<value> carried[Width];
      PREDUCE_UNROLL
      for (int w = 0; w < step; ++w) {
        value const next = ctx.shuffle(lanes[0][w].value, (thread + 1) % simt::warp_threads);
        carried[w].value = next;
      }
      PREDUCE_UNROLL
      for (int w = 0; w + step < Width; ++w) lanes[0][w].value = lanes[0][w + step].value;
      PREDUCE_UNROLL
      for (int w = 0; w < step; ++w) lanes[0][Width - step + w].value = carried[w].value;
    }
  }
}

/// Elements one by one: functors, sizes that tile no vector, unaligned data, and the order-keeping map. A lane's
/// elements are `step` apart from `start`; neighbouring threads hold neighbouring lanes.
template <simt::context C, class Source, class Monoid, int Strips>
PREDUCE_FUNCTION void read_elements(C const& ctx, Source const& source, Monoid const& monoid, tile_view const& tile,
                                    int first_lane, uninitialized<typename Source::value_type> (&lanes)[Strips][1]) {
  constexpr bool commutative = commutes<Monoid>();
  constexpr int unroll = arrangement<Source, commutative>::unroll;
  std::int64_t const step = commutative ? std::int64_t{1} << tile.lane_bits : 1;

  std::int64_t start[Strips];
  std::int64_t rows[Strips];
  PREDUCE_UNROLL
  for (int k = 0; k < Strips; ++k) {
    std::int64_t const lane = first_lane + k * simt::warp_threads + simt::warp_lane(ctx);
    if constexpr (commutative) {
      start[k] = lane;
      rows[k] = whole_rows(tile.count, lane, 1, tile.lane_bits);
    } else {
      start[k] = lane * tile.rows;
      std::int64_t const left = tile.count - start[k];
      rows[k] = left < 0 ? 0 : left < tile.rows ? left : tile.rows;
    }
  }
  std::int64_t const shared_rows = rows[Strips - 1];  // the last strip's lanes are never longer than the others'
  std::int64_t row = 0;
  for (; row + unroll <= shared_rows; row += unroll) {
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      PREDUCE_UNROLL
      for (int k = 0; k < Strips; ++k)
        source.contribute(monoid, lanes[k][0].value, tile.first + start[k] + (row + u) * step, u == 0 && row == 0);
    }
  }
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

/// Streams the rows of the chunk at `first_lane` into the lanes that this warp's threads hold. A lane with no element
/// is left without a value.
template <simt::context C, class Source, class Monoid, int Strips, int Width>
PREDUCE_FUNCTION void read_rows(C const& ctx, Source const& source, Monoid const& monoid, tile_view const& tile,
                                int first_lane, uninitialized<typename Source::value_type> (&lanes)[Strips][Width]) {
  if constexpr (arrangement<Source, commutes<Monoid>()>::wide) {
    using element = typename Source::element_type;
    auto const misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(source.data) % 16);
    if (misaligned == 0) {
      read_aligned(ctx, source, monoid, tile, first_lane, lanes);
    } else if constexpr (Width > 1) {
      read_shifted(ctx, source, monoid, tile, first_lane, misaligned / static_cast<int>(sizeof(element)), lanes);
    } else {
      read_elements(ctx, source, monoid, tile, first_lane,
                    lanes);  // one element is a vector, and the data is not aligned to it
    }
  } else {
    read_elements(ctx, source, monoid, tile, first_lane, lanes);
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

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

/// The 16 bytes from `shift` bytes into two neighbouring vectors. Every register index is known to the compiler.
PREDUCE_FUNCTION inline simt::raw16 straddled(simt::raw16 const& low, simt::raw16 const& high, int shift) {
  std::uint32_t words[8] = {low.words[0],  low.words[1],  low.words[2],  low.words[3],
                            high.words[0], high.words[1], high.words[2], high.words[3]};
  PREDUCE_UNROLL
  for (int w = 0; w < 6; ++w) words[w] = (shift & 8) != 0 ? words[w + 2] : words[w];
  PREDUCE_UNROLL
  for (int w = 0; w < 5; ++w) words[w] = (shift & 4) != 0 ? words[w + 1] : words[w];
  simt::raw16 result;
  int const bits = 8 * (shift & 3);
  PREDUCE_UNROLL
  for (int w = 0; w < 4; ++w) {
    auto const pair = (static_cast<std::uint64_t>(words[w + 1]) << 32) | words[w];
    result.words[w] = static_cast<std::uint32_t>(pair >> bits);
  }
  return result;
}

/// A vector of elements, from data aligned to 16 bytes.
struct aligned_loads {
  static constexpr int vectors = 1;
  template <simt::context C>
  PREDUCE_FUNCTION simt::raw16 load(C const& ctx, void const* from) const {
    return ctx.load16(from);
  }
};

/// The same from data `shift` bytes past such a boundary: the two aligned vectors that cover it. Neighbouring threads share
/// them, so the second one comes from the first-level cache.
struct shifted_loads {
  static constexpr int vectors = 2;
  int shift;
  template <simt::context C>
  PREDUCE_FUNCTION simt::raw16 load(C const& ctx, void const* from) const {
    auto const* const low = static_cast<unsigned char const*>(from) - shift;
    return straddled(ctx.load16(low), ctx.load16(low + 16), shift);
  }
};

/// Vectors of Width elements: thread t holds lanes first_lane + t * Width ... `shift` elements lie between the last 16-byte
/// boundary and the data. Counts are 32-bit here: a chain of 64-bit arithmetic before the first load is what a small
/// reduction would wait for.
template <simt::context C, class Source, class Monoid, class LaneBits, class Loads, int Width>
PREDUCE_FUNCTION void read_vectors(C const& ctx, Source const& source, Monoid const& monoid,
                                   tile_view<LaneBits> const& tile, int first_lane, Loads const& loads, int shift,
                                   uninitialized<typename Source::value_type> (&lanes)[1][Width]) {
  using element = typename Source::element_type;
  constexpr int unroll = least_of(clamp_int(arrangement<Source, true>::unroll / Loads::vectors, 1, 8), LaneBits::most_unroll);
  int const bits = tile.lane_bits;
  int const count = static_cast<int>(tile.count);
  int const position = first_lane + simt::warp_lane(ctx) * Width;
  auto const rows_from = [bits](int room) { return room < 0 ? 0 : (room >> bits) + 1; };

  // Rows in which this thread's vector is whole, and what is loaded for it lies within the data.
  int whole = rows_from(count - position - Width);
  int row = 0;
  if constexpr (Loads::vectors > 1) {
    int const readable = rows_from(tile.readable - (position - shift) - Loads::vectors * Width);
    if (readable < whole) whole = readable;
    if (tile.first + position < shift) row = 1;
  }
  element const* const at = source.data + (tile.first + position);
  auto const by_element = [&](int r) {
    PREDUCE_UNROLL
    for (int w = 0; w < Width; ++w) {
      if (position + w + (r << bits) < count)
        add_to(monoid, lanes[0][w].value, source.mapped(at[(static_cast<std::int64_t>(r) << bits) + w]), r == 0);
    }
  };
  auto const add_vector = [&](simt::raw16 const& raw, bool first) {
    PREDUCE_UNROLL
    for (int w = 0; w < Width; ++w)
      add_to(monoid, lanes[0][w].value, source.mapped(vector_element<element>(raw, w)), first);
  };
  if (Loads::vectors > 1 && row == 1) by_element(0);

  element const* next = at + (static_cast<std::int64_t>(row) << bits);
  PREDUCE_UNROLL_NOT
  for (; row + unroll <= whole; row += unroll) {
    simt::raw16 raw[unroll];
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) raw[u] = loads.load(ctx, next + (static_cast<std::int64_t>(u) << bits));
    next += static_cast<std::int64_t>(unroll) << bits;
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) add_vector(raw[u], u == 0 && row == 0);
  }
  if (row < whole) {  // fewer than `unroll` rows are left: still all in flight at once
    simt::raw16 raw[unroll] = {};  // set, or the compiler keeps what was there across units
    PREDUCE_UNROLL
    for (int u = 0; u + 1 < unroll; ++u) {
      if (row + u >= whole) break;
      raw[u] = loads.load(ctx, next + (static_cast<std::int64_t>(u) << bits));
    }
    PREDUCE_UNROLL
    for (int u = 0; u + 1 < unroll; ++u) {
      if (row + u >= whole) break;
      add_vector(raw[u], u == 0 && row == 0);
    }
    row = whole;
  }
  PREDUCE_UNROLL_NOT
  for (; position + (row << bits) < count; ++row) by_element(row);  // what the end of the data cuts: a row or two
}

/// Elements one by one: functors, sizes that tile no vector, unaligned data, and the order-keeping map. A lane's
/// elements are `step` apart from `start`; neighbouring threads hold neighbouring lanes.
template <simt::context C, class Source, class Monoid, int Strips, class LaneBits>
PREDUCE_FUNCTION void read_elements(C const& ctx, Source const& source, Monoid const& monoid, tile_view<LaneBits> const& tile,
                                    int first_lane, uninitialized<typename Source::value_type> (&lanes)[Strips][1]) {
  constexpr bool commutative = commutes<Monoid>;
  constexpr int unroll = least_of(arrangement<Source, commutative>::unroll, LaneBits::most_unroll);
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
template <simt::context C, class Source, class Monoid, int Strips, int Width, class LaneBits>
PREDUCE_FUNCTION void read_rows(C const& ctx, Source const& source, Monoid const& monoid, tile_view<LaneBits> const& tile,
                                int first_lane, uninitialized<typename Source::value_type> (&lanes)[Strips][Width]) {
  if constexpr (arrangement<Source, commutes<Monoid>>::wide) {
    using element = typename Source::element_type;
    auto const misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(source.data) % 16);
    if (misaligned == 0) {
      read_vectors(ctx, source, monoid, tile, first_lane, aligned_loads{}, 0, lanes);
    } else if constexpr (Width > 1) {
      read_vectors(ctx, source, monoid, tile, first_lane, shifted_loads{misaligned},
                   misaligned / static_cast<int>(sizeof(element)), lanes);
    } else {
      read_elements(ctx, source, monoid, tile, first_lane,
                    lanes);  // one element is a vector, and the data is not aligned to it
    }
  } else {
    read_elements(ctx, source, monoid, tile, first_lane, lanes);
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

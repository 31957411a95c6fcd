#pragma once
// Where every order gives the same answer, a thread need not keep a value for each of its lanes. It keeps what takes
// the fewest instructions an element, and says at the end what its lanes come to: sums of bytes four at a time,
// extremes of small integers two at a time, locations as a key and a row of the tile.

#include <preduce/contexts/context.hpp>
#include <preduce/monoids.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/fold_warp.hpp>
#include <preduce/stages/keyed_location.hpp>
#include <preduce/stages/read_rows.hpp>
#include <preduce/stages/small_integers.hpp>
#include <preduce/stages/view.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

template <class T>
concept small_integer = plain_integer<T> && sizeof(T) <= 2;

/// Sums of 1- and 2-byte integers in 32 bits. Each word of a vector has a total of its own: four short chains.
template <small_integer T, class V>
class packed_sum {
 public:
  static constexpr bool any_lane = true;
  static constexpr int width = 16 / static_cast<int>(sizeof(T));

  PREDUCE_FUNCTION void add(simt::raw16 const& vector, int) {
    PREDUCE_UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(T) == 1)
        totals_[i] = packed::add_bytes<std::is_signed_v<T>>(vector.words[i], totals_[i]);
      else
        totals_[i] = packed::add_halves<std::is_signed_v<T>>(vector.words[i], totals_[i]);
    }
  }
  PREDUCE_FUNCTION void add(T element, int, int) { totals_[0] += static_cast<std::uint32_t>(element); }

  /// The warp's sum, in its first thread.
  template <simt::context C, class Tile>
  PREDUCE_FUNCTION V fold(C const& ctx, Tile const&, int, std::int64_t) const {
    std::uint32_t const mine = (totals_[0] + totals_[1]) + (totals_[2] + totals_[3]);
    return static_cast<V>(ctx.warp_sum(mine));
  }

 private:
  std::uint32_t totals_[4] = {};
};

/// Minima (Sign -1) and maxima (+1) of 1- and 2-byte integers, by halves of words. A byte is compared as the upper one
/// of a half: what the lower one holds then only decides between equals.
template <small_integer T, class V, int Sign>
class packed_extreme {
 public:
  static constexpr bool any_lane = true;
  static constexpr int width = 16 / static_cast<int>(sizeof(T));

  PREDUCE_FUNCTION void add(simt::raw16 const& vector, int) {
    PREDUCE_UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(T) == 1) {
        take(0, vector.words[i]);
        take(1, vector.words[i] << 8);
      } else {
        take(i & 1, vector.words[i]);
      }
    }
  }
  PREDUCE_FUNCTION void add(T element, int, int) {
    constexpr int shift = sizeof(T) == 1 ? 8 : 0;
    auto const half = static_cast<std::uint16_t>(static_cast<std::uint32_t>(element) << shift);
    take(0, half | (std::uint32_t{half} << 16));
  }

  template <simt::context C, class Tile>
  PREDUCE_FUNCTION V fold(C const& ctx, Tile const&, int, std::int64_t) const {
    auto const better = [](std::uint32_t a, std::uint32_t b) {
      return packed::extreme_of_halves<Sign, std::is_signed_v<T>>(a, b);
    };
    std::uint32_t const both = better(best_[0], best_[1]);
    std::uint32_t const one = better(both, both >> 16);
    auto const mine = static_cast<T>(sizeof(T) == 1 ? (one >> 8) & 0xffu : one & 0xffffu);
    return static_cast<V>(detail::extreme_of_warp<Sign>(ctx, mine));
  }

 private:
  PREDUCE_FUNCTION void take(int i, std::uint32_t halves) {
    best_[i] = packed::extreme_of_halves<Sign, std::is_signed_v<T>>(best_[i], halves);
  }
  /// Loses against everything, or is equal to it.
  static constexpr std::uint32_t last_half =
      !std::is_signed_v<T> ? (Sign < 0 ? 0xffffu : 0u) : (Sign < 0 ? 0x7fffu : 0x8000u);
  static constexpr std::uint32_t last = last_half | (last_half << 16);
  std::uint32_t best_[2] = {last, last};
};

/// What a comparison of floats may say where ordered keys would not: NaN, and zeros of either sign. Bits are asked on a
/// host, whose compiler may have been told that there is no NaN.
template <std::floating_point T>
PREDUCE_FUNCTION bool is_unordered(T value) {
#ifdef __CUDA_ARCH__
  return value != value;
#else
  return detail::is_nan(value);
#endif
}

/// Locations of elements of 4 and 8 bytes: each lane's best key, and the row it was first seen in. Floats are compared
/// as such, a batch of rows at a time; only the batch's best becomes a key.
template <class T, int Sign>
class located_lanes {
 public:
  static constexpr bool together = std::floating_point<T>;

  static constexpr int width = 16 / static_cast<int>(sizeof(T));
  using key = location_key_t<T, Sign>;

  PREDUCE_FUNCTION located_lanes() {
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) {
      keys_[w] = last;
      rows_[w] = 0;
    }
  }

  PREDUCE_FUNCTION void add(simt::raw16 const& vector, int row) {
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) add(detail::vector_element<T>(vector, w), w, row);
  }
  PREDUCE_FUNCTION void add(T element, int w, int row) {
    auto const next = detail::location_key<Sign>(element);
    bool const better = best::before(next, keys_[w]);
    keys_[w] = better ? next : keys_[w];
    rows_[w] = better ? row : rows_[w];
  }
  template <int Rows>
  PREDUCE_FUNCTION void add_together(simt::raw16 const (&vectors)[Rows], int row) {
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) {
      T batch[Rows];
      PREDUCE_UNROLL
      for (int r = 0; r < Rows; ++r) batch[r] = detail::vector_element<T>(vectors[r], w);
      T extreme = batch[0];
      bool odd = detail::is_unordered(extreme);
      PREDUCE_UNROLL
      for (int r = 1; r < Rows; ++r) extreme = better_float(extreme, batch[r], odd);
      if (odd || detail::is_unordered(extreme) || extreme == T{0}) {  // rare: one after another, as keys
        PREDUCE_UNROLL
        for (int r = 0; r < Rows; ++r) add(batch[r], w, row + r);
        continue;
      }
      auto const next = detail::ordered_key(extreme);
      if (best::before(next, keys_[w])) {
        int first = row;
        PREDUCE_UNROLL
        for (int r = Rows - 1; r >= 0; --r) first = batch[r] == extreme ? row + r : first;
        keys_[w] = next;
        rows_[w] = first;
      }
    }
  }

  PREDUCE_FUNCTION void begin_in_row_1(int lanes) {
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) rows_[w] = w < lanes ? 1 : 0;
  }

  template <simt::context C, class Tile>
  PREDUCE_FUNCTION keyed<T, Sign> fold(C const& ctx, Tile const& tile, int position, std::int64_t first) const {
    uninitialized<best> lanes[width];
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) {
      // A lane whose keys are all the last one there is has its first in the row that it began with, if it has any.
      int const index = (rows_[w] << tile.lane_bits) + position + w;
      lanes[w].value = {keys_[w], index < tile.count ? index : no_tile_index};
    }
    PREDUCE_UNROLL
    for (int s = 1; s < width; s *= 2) {
      PREDUCE_UNROLL
      for (int w = 0; w < width; w += 2 * s) lanes[w].value = best::better(lanes[w].value, lanes[w + s].value);
    }
    best const found = detail::best_of_warp(ctx, lanes[0].value);
    if (found.index == no_tile_index) return keyed_location<T, Sign>::identity();
    return {found.key, first + found.index};
  }

 private:
  using best = key_and_index<key, Sign, std::int32_t>;

  /// The better of two numbers; where one is none, either a NaN or odd = true says so.
  PREDUCE_FUNCTION static T better_float(T a, T b, bool& odd) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 4) return Sign < 0 ? detail::float_minimum(a, b) : detail::float_maximum(a, b);
#endif
    odd = odd || detail::is_unordered(b);
    return (Sign < 0 ? b < a : a < b) ? b : a;
  }

  static constexpr key last = Sign < 0 ? greatest<key> : least<key>;

  key keys_[width];
  int rows_[width];
};

/// Locations of 1- and 2-byte elements: a lane's best is one number, the element above the row, which needs no more
/// bits than that (most_packed_rows). Bytes lie two to a word.
template <small_integer T, int Sign>
class located_small {
 public:
  static constexpr int width = 16 / static_cast<int>(sizeof(T));

  PREDUCE_FUNCTION located_small() {
    PREDUCE_UNROLL
    for (int i = 0; i < 8; ++i) best_[i] = last;
  }

  PREDUCE_FUNCTION void add(simt::raw16 const& vector, int row) {
    std::uint32_t const low = low_part(row);
    PREDUCE_UNROLL
    for (int i = 0; i < 4; ++i) {
      take(2 * i, packed::pick_bytes(vector.words[i], low, sizeof(T) == 1 ? 0x2404u : 0x1054u));
      take(2 * i + 1, packed::pick_bytes(vector.words[i], low, sizeof(T) == 1 ? 0x3414u : 0x3254u));
    }
  }
  PREDUCE_FUNCTION void add(T element, int w, int row) {
    auto const bits = static_cast<std::uint32_t>(static_cast<std::make_unsigned_t<T>>(element));
    auto const number = (bits << (8 * sizeof(T))) | low_part(row);
    if constexpr (sizeof(T) == 1)
      take(word_of(w), ((w & 2) != 0 ? (number << 16) | last_half : number | (last_half << 16)));
    else
      take(word_of(w), number);
  }
  PREDUCE_FUNCTION void begin_in_row_1(int) {}  // the first row is part of a lane's best number

  /// The best number of the warp first, then the lowest of the lanes that hold it.
  template <simt::context C, class Tile>
  PREDUCE_FUNCTION keyed<T, Sign> fold(C const& ctx, Tile const& tile, int position, std::int64_t first) const {
    std::uint32_t best = best_[0];
    PREDUCE_UNROLL
    for (int i = 1; i < 8; ++i) best = better(best, best_[i]);
    if constexpr (sizeof(T) == 1) best = better(best, best >> 16) & 0xffffu;
    using number = std::conditional_t<sizeof(T) == 1, std::conditional_t<is_signed, std::int16_t, std::uint16_t>,
                                      std::conditional_t<is_signed, std::int32_t, std::uint32_t>>;
    auto const of_warp = detail::extreme_of_warp<Sign>(ctx, static_cast<number>(best));
    best = static_cast<std::make_unsigned_t<number>>(of_warp);
    std::int32_t lane = no_tile_index;
    PREDUCE_UNROLL
    for (int w = width - 1; w >= 0; --w) {
      std::uint32_t const word = best_[word_of(w)];
      std::uint32_t const mine = sizeof(T) == 2 ? word : (w & 2) != 0 ? word >> 16 : word & 0xffffu;
      if (mine == best && position + w < tile.count) lane = position + w;
    }
    lane = ctx.warp_min(lane);
    if (lane == no_tile_index) return keyed_location<T, Sign>::identity();
    constexpr std::uint32_t low_mask = sizeof(T) == 1 ? 0xffu : 0xffffu;
    auto const row = static_cast<std::int64_t>((Sign < 0 ? best : ~best) & low_mask);
    return {static_cast<T>(best >> (8 * sizeof(T))), first + (row << tile.lane_bits) + lane};
  }

 private:
  static constexpr bool is_signed = std::is_signed_v<T>;
  static constexpr std::uint32_t last_half = !is_signed ? (Sign < 0 ? 0xffffu : 0u) : (Sign < 0 ? 0x7fffu : 0x8000u);
  /// Loses against everything, or is equal to it.
  static constexpr std::uint32_t last =
      sizeof(T) == 1 ? last_half | (last_half << 16) : (last_half << 16) | (Sign < 0 ? 0xffffu : 0u);

  PREDUCE_FUNCTION static constexpr int word_of(int w) { return sizeof(T) == 1 ? w / 4 * 2 + (w & 1) : w; }
  /// A row such that the lower one is the better.
  PREDUCE_FUNCTION static std::uint32_t low_part(int row) {
    auto const bits = static_cast<std::uint32_t>(row);
    return sizeof(T) == 1 ? (Sign < 0 ? bits : ~bits) & 0xffu : (Sign < 0 ? bits : ~bits) & 0xffffu;
  }
  PREDUCE_FUNCTION static std::uint32_t better(std::uint32_t a, std::uint32_t b) {
    if constexpr (sizeof(T) == 1) {
      return packed::extreme_of_halves<Sign, is_signed>(a, b);
    } else {
      using number = std::conditional_t<is_signed, std::int32_t, std::uint32_t>;
      bool const second =
          Sign < 0 ? static_cast<number>(b) < static_cast<number>(a) : static_cast<number>(a) < static_cast<number>(b);
      return second ? b : a;
    }
  }
  PREDUCE_FUNCTION void take(int i, std::uint32_t number) { best_[i] = better(best_[i], number); }

  std::uint32_t best_[8];
};

/// What a thread keeps for a source under a monoid; void: a value for each lane.
template <class Source, class Monoid>
struct own_lanes : std::type_identity<void> {};
template <small_integer T, class V, access Access>
requires(plain_integer<V> && sizeof(V) == 4) struct own_lanes<pointer_source<T, V, convert_to<V>, Access>, plus<V>>
    : std::type_identity<packed_sum<T, V>> {
};
/// Whether every T is the same number as a V.
template <class T, class V>
concept embeds_into = plain_integer<V> && !is_int128<V> &&
                      (std::is_signed_v<T> == std::is_signed_v<V> ? sizeof(T) <= sizeof(V)
                                                                  : std::is_signed_v<V> && sizeof(T) < sizeof(V));
template <small_integer T, class V, access Access>
requires embeds_into<T, V>
struct own_lanes<pointer_source<T, V, convert_to<V>, Access>, minimum<V>>
    : std::type_identity<packed_extreme<T, V, -1>> {
};
template <small_integer T, class V, access Access>
requires embeds_into<T, V>
struct own_lanes<pointer_source<T, V, convert_to<V>, Access>, maximum<V>>
    : std::type_identity<packed_extreme<T, V, 1>> {
};
template <class T, int Sign>
struct own_lanes<keyed_source<T, Sign>, keyed_location<T, Sign>> : std::type_identity<located_lanes<T, Sign>> {};
template <small_integer T, int Sign>
struct own_lanes<keyed_source<T, Sign>, keyed_location<T, Sign>> : std::type_identity<located_small<T, Sign>> {};

template <class Source, class Monoid>
inline constexpr bool has_own_lanes = !std::is_void_v<typename own_lanes<Source, Monoid>::type>;

}  // namespace preduce::detail::inline PREDUCE_ABI

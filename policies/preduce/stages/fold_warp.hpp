#pragma once
// The tree over a value from each thread of a warp. Where every order gives the same bits, integers, and floats as
// keys, take the machine's own reduction instead: one instruction for a tree of five shuffles.

#include <preduce/contexts/context.hpp>
#include <preduce/monoids.hpp>
#include <preduce/stages/keyed_location.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

/// The least (Sign -1) or greatest (+1) of a warp's integers, in all its threads. Eight bytes are two halves: the upper
/// one decides, the lower one among those that have it.
template <int Sign, simt::context C, plain_integer V>
requires(sizeof(V) <= 8) PREDUCE_FUNCTION V extreme_of_warp(C const& ctx, V value) {
  using word = std::conditional_t<std::is_signed_v<V>, std::int32_t, std::uint32_t>;
  if constexpr (sizeof(V) <= 4) {
    auto const mine = static_cast<word>(value);
    return static_cast<V>(Sign < 0 ? ctx.warp_min(mine) : ctx.warp_max(mine));
  } else {
    auto const mine = static_cast<word>(value >> 32);
    word const upper = detail::extreme_of_warp<Sign>(ctx, mine);
    std::uint32_t const loses = Sign < 0 ? 0xffffffffu : 0u;
    std::uint32_t const lower =
        detail::extreme_of_warp<Sign>(ctx, mine == upper ? static_cast<std::uint32_t>(value) : loses);
    return static_cast<V>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(upper)) << 32) | lower);
  }
}

/// The best key of a warp's and the lowest index that it has, in all its threads.
template <simt::context C, class Key, int Sign, class Index>
PREDUCE_FUNCTION key_and_index<Key, Sign, Index> best_of_warp(C const& ctx,
                                                              key_and_index<Key, Sign, Index> const& mine) {
  Key const key = detail::extreme_of_warp<Sign>(ctx, mine.key);
  return {key, detail::extreme_of_warp<-1>(ctx, mine.key == key ? mine.index : greatest<Index>)};
}

/// How a warp's values are folded without shuffles, under the operators that have such a way.
template <class Monoid>
struct warp_instruction {
  static constexpr bool exists = false;
};
template <plain_integer V>
requires(sizeof(V) == 4) struct warp_instruction<plus<V>> {
  static constexpr bool exists = true;
  template <simt::context C>
  PREDUCE_FUNCTION static V fold(C const& ctx, V value) {
    return static_cast<V>(ctx.warp_sum(static_cast<std::uint32_t>(value)));
  }
};
/// Floats as keys, of which the least, or greatest, names the total.
template <int Sign, class V>
struct warp_extreme {
  static constexpr bool exists = true;
  template <simt::context C>
  PREDUCE_FUNCTION static V fold(C const& ctx, V value) {
    if constexpr (std::floating_point<V>) {
      using key = key_with_nan<V, (Sign < 0)>;
      return key::value(detail::extreme_of_warp<Sign>(ctx, key::of(value)));
    } else {
      return detail::extreme_of_warp<Sign>(ctx, value);
    }
  }
};
template <class V>
requires((plain_integer<V> || std::floating_point<V>)&&sizeof(V) <= 8) struct warp_instruction<minimum<V>>
    : warp_extreme<-1, V> {
};
template <class V>
requires((plain_integer<V> || std::floating_point<V>)&&sizeof(V) <= 8) struct warp_instruction<maximum<V>>
    : warp_extreme<+1, V> {
};
template <class T, int Sign>
struct warp_instruction<keyed_location<T, Sign>> {
  static constexpr bool exists = true;
  template <simt::context C>
  PREDUCE_FUNCTION static keyed<T, Sign> fold(C const& ctx, keyed<T, Sign> const& value) {
    return {detail::best_of_warp<C, location_key_t<T, Sign>, Sign, std::int64_t>(ctx, value)};
  }
};

/// What the values of a warp's 32 threads come to, by the neighbour tree; in lane 0.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION V fold_warp(C const& ctx, Monoid const& monoid, V value) {
  if constexpr (warp_instruction<Monoid>::exists) {
    return warp_instruction<Monoid>::fold(ctx, value);
  } else {
    PREDUCE_UNROLL
    for (int s = 1; s < simt::warp_threads; s *= 2) value = monoid.combine(value, ctx.shuffle_down(value, s));
    return value;
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

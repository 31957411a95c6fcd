#pragma once
// A warp folds a chunk: consecutive lanes of a tile over all rows, then the tree over them. Any assignment of chunks to
// warps computes the same values, because a chunk is a whole subtree of the canonical order.

#include <preduce/contexts/context.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/fold_warp.hpp>
#include <preduce/stages/own_lanes.hpp>
#include <preduce/stages/read_rows.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// fold_chunk where each lane is a value.
template <simt::context C, class Source, class Monoid, class Offset, class LaneBits>
PREDUCE_FUNCTION typename Source::value_type fold_values(C const& ctx, Source const& source, Monoid const& monoid,
                                                         tile_view<Offset, LaneBits> const& tile, int first_lane) {
  using value = typename Source::value_type;
  using how = arrangement<Source, commutes<Monoid>>;
  constexpr int width = how::vector;
  constexpr int strips = how::strips;
  constexpr int strip_lanes = width * simt::warp_threads;

  uninitialized<value> lanes[strips][width];
  if constexpr (is_builtin_monoid<Monoid>) {
    PREDUCE_UNROLL
    for (int k = 0; k < strips; ++k) {
      PREDUCE_UNROLL
      for (int w = 0; w < width; ++w) lanes[k][w].value = monoid.identity();
    }
  }
  detail::read_rows<simt::warp_threads>(ctx, source, monoid, tile, first_lane, lanes);

  // Under a user's operator idle lanes hold no value, and it must not see what the order never combines.
  constexpr bool all_present = is_builtin_monoid<Monoid>;
  int const thread = simt::warp_lane(ctx);

  PREDUCE_UNROLL
  for (int k = 0; k < strips; ++k) {
    int const lane = first_lane + k * strip_lanes + thread * width;
    PREDUCE_UNROLL
    for (int s = 1; s < width; s *= 2) {
      PREDUCE_UNROLL
      for (int w = 0; w < width; w += 2 * s) {
        if (all_present || lane + w + s < tile.present)
          lanes[k][w].value = monoid.combine(lanes[k][w].value, lanes[k][w + s].value);
      }
    }
    if constexpr (all_present) {
      lanes[k][0].value = detail::fold_warp(ctx, monoid, lanes[k][0].value);
    } else {
      PREDUCE_UNROLL
      for (int s = 1; s < simt::warp_threads; s *= 2) {
        value const other = ctx.shuffle_down(lanes[k][0].value, s);
        if (thread % (2 * s) == 0 && lane + s * width < tile.present)
          lanes[k][0].value = monoid.combine(lanes[k][0].value, other);
      }
    }
  }
  PREDUCE_UNROLL
  for (int s = 1; s < strips; s *= 2) {
    PREDUCE_UNROLL
    for (int k = 0; k < strips; k += 2 * s) {
      if (all_present || (thread == 0 && first_lane + (k + s) * strip_lanes < tile.present))
        lanes[k][0].value = monoid.combine(lanes[k][0].value, lanes[k + s][0].value);
    }
  }
  return lanes[0][0].value;
}

/// Folds lanes [first_lane, first_lane + chunk) of `tile`; the value is in lane 0 of the warp, and means something if
/// first_lane < tile.present. All 32 threads of the warp call it.
template <simt::context C, class Source, class Monoid, class Offset, class LaneBits>
PREDUCE_FUNCTION typename Source::value_type fold_chunk(C const& ctx, Source const& source, Monoid const& monoid,
                                                        tile_view<Offset, LaneBits> const& tile, int first_lane) {
  using how = arrangement<Source, commutes<Monoid>>;
  if constexpr (how::wide && has_own_lanes<Source, Monoid>) {
    typename own_lanes<Source, Monoid>::type own;
    int const position = first_lane + simt::warp_lane(ctx) * how::vector;
    detail::read_vectors<simt::warp_threads>(ctx, source, tile, position, own);
    return own.fold(ctx, tile, position, tile.first - source.skip);
  } else {
    return detail::fold_values(ctx, source, monoid, tile, first_lane);
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

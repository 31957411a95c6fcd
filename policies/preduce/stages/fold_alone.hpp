#pragma once
// One thread folds everything in the canonical order: a few lanes at a time, so that several loads are in flight, and a
// binary counter of subtrees for the rest. Any lane and any tile can be read at any time, so nothing is stored but
// that.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/carry_stack.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/read_rows.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// The elements of a whole reduction.
PREDUCE_FUNCTION constexpr std::int64_t element_count(grid_order const& order) {
  return order.last_tile * order.tile_elements + order.tail_elements;
}

/// The first thread's lanes of `tile`, Strips * Width at a time, into one value.
template <simt::context C, class Source, class Monoid, class Offset, class LaneBits>
PREDUCE_FUNCTION typename Source::value_type fold_tile_alone(C const& ctx, Source const& source, Monoid const& monoid,
                                                             tile_view<Offset, LaneBits> const& tile) {
  using value = typename Source::value_type;
  using how = arrangement<Source, commutes<Monoid>>;
  constexpr int width = how::vector;
  constexpr int strips = how::wide ? 1 : sizeof(value) <= 16 ? 4 : 1;
  constexpr int step = strips * width;
  carry_stack<value, levels_for<order_lanes>> stack;
  PREDUCE_UNROLL_NOT
  for (int lane = 0; lane < tile.present; lane += step) {
    uninitialized<value> lanes[strips][width];
    if constexpr (is_builtin_monoid<Monoid>) {
      PREDUCE_UNROLL
      for (int k = 0; k < step; ++k) lanes[k / width][k % width].value = monoid.identity();
    }
    detail::read_rows<1>(ctx, source, monoid, tile, lane, lanes);
    PREDUCE_UNROLL
    for (int s = 1; s < step; s *= 2) {
      PREDUCE_UNROLL
      for (int k = 0; k < step; k += 2 * s) {
        auto& left = lanes[k / width][k % width].value;
        if (is_builtin_monoid<Monoid> || lane + k + s < tile.present)
          left = monoid.combine(left, lanes[(k + s) / width][(k + s) % width].value);
      }
    }
    stack.push(monoid, lanes[0][0].value);
  }
  return stack.total(monoid);
}

/// All tiles: a neighbour tree over them, or where they are dealt to partial lanes, over those.
template <simt::context C, class Job>
PREDUCE_FUNCTION typename Job::value fold_alone(C const& ctx, Job const& job) {
  using value = typename Job::value;
  auto const& finish = job.finish;
  auto const& order = finish.order;
  int const tiles = order.last_tile + 1;
  bool const dealt = tiles > order_partial_lanes;
  int const lanes = dealt ? order_partial_lanes : tiles;
  carry_stack<value, levels_for<order_partial_lanes>> stack;
  PREDUCE_UNROLL_NOT
  for (int lane = 0; lane < lanes; ++lane) {
    // In the order-keeping map a partial lane takes neighbouring tiles, else every order_partial_lanes-th one.
    int const first = finish.commutative ? lane : lane * order.partial_rows;
    int const step = finish.commutative ? order_partial_lanes : 1;
    int const end = !dealt                               ? lane + 1
                    : finish.commutative                 ? tiles
                    : first + order.partial_rows < tiles ? first + order.partial_rows
                                                         : tiles;
    if (first >= end) break;
    auto const fold_tile = [&](int index) {
      auto const tile = detail::tile_at<tile_offset<typename Job::source_type>>(order, index, finish.commutative);
      return detail::fold_tile_alone(ctx, job.source, finish.monoid, tile);
    };
    value total = fold_tile(first);
    PREDUCE_UNROLL_NOT
    for (int index = first + step; index < end; index += step) total = finish.monoid.combine(total, fold_tile(index));
    stack.push(finish.monoid, total);
  }
  return stack.total(finish.monoid);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

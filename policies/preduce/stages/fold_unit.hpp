#pragma once
// A block folds a unit: its warps fold chunks, one value a chunk meets in shared memory, the first warp folds those.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/carry_stack.hpp>
#include <preduce/stages/fold_chunk.hpp>
#include <preduce/stages/fold_registers.hpp>
#include <preduce/stages/fold_warp.hpp>
#include <preduce/stages/shuffle_tree.hpp>
#include <preduce/stages/view.hpp>

#include <cstddef>
#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// Values that meet in shared memory. Large types get fewer slots; a warp then folds several chunks into one.
template <class V>
struct slot_plan {
  static constexpr int capacity =
      detail::clamp_int(detail::floor_power_of_two(static_cast<int>(16384 / sizeof(V))), 1, 128);
  static constexpr std::size_t bytes_of_one = sizeof(V) * capacity;
  /// Two sets, taken in turn: a warp may go on to the next unit while the first warp still reads this one's.
  static constexpr std::size_t bytes = 2 * bytes_of_one;
};

/// Levels of a carry_stack that takes in up to Count values. A variable, because nvcc lets no device function call
/// std::bit_width, not even in a constant.
template <int Count>
inline constexpr int levels_for = static_cast<int>(std::bit_width(static_cast<unsigned>(Count)));

/// The first warp folds `count` values that lie in shared memory, by the neighbour tree; the total is in its lane 0.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION V fold_slots(C const& ctx, Monoid const& monoid, V const* slots, int count) {
  constexpr int capacity = slot_plan<V>::capacity;
  constexpr int most_a_lane = capacity > simt::warp_threads ? capacity / simt::warp_threads : 1;
  int const lane = simt::warp_lane(ctx);
  uninitialized<V> mine[most_a_lane];
  if constexpr (is_builtin_monoid<Monoid>) {  // identities stand in for absent slots: no branch depends on count but
                                              // one
    bool const one_a_lane = count <= simt::warp_threads;
    int const begin = one_a_lane ? lane : lane * most_a_lane;
    PREDUCE_UNROLL
    for (int i = 0; i < most_a_lane; ++i)
      mine[i].value = (i == 0 || !one_a_lane) && begin + i < count ? slots[begin + i] : monoid.identity();
    return detail::fold_warp(ctx, monoid, detail::fold_registers(monoid, mine));
  }
  int a_lane = 1;  // slots a lane starts with: the least power of two that suffices
  while (a_lane * simt::warp_threads < count) a_lane *= 2;
  int const begin = lane * a_lane;

  PREDUCE_UNROLL
  for (int i = 0; i < most_a_lane; ++i) {
    detail::leave_blank(mine[i]);
    if (i < a_lane && begin + i < count) mine[i].value = slots[begin + i];
  }
  PREDUCE_UNROLL
  for (int s = 1; s < most_a_lane; s *= 2) {
    PREDUCE_UNROLL
    for (int i = 0; i < most_a_lane; i += 2 * s) {
      if (i + s < a_lane && begin + i + s < count) mine[i].value = monoid.combine(mine[i].value, mine[i + s].value);
    }
  }
  PREDUCE_UNROLL
  for (int s = 1; s < simt::warp_threads; s *= 2) {
    if (s * a_lane >= count) break;  // the same for the whole warp
    V const other = ctx.shuffle_down(mine[0].value, s);
    if (lane % (2 * s) == 0 && begin + s * a_lane < count) mine[0].value = monoid.combine(mine[0].value, other);
  }
  return mine[0].value;
}

/// Folds lanes [first_lane, first_lane + lanes) of `tile` with the whole block; thread 0 calls then(value). At least
/// one of the lanes holds an element. `slots` are slot_plan bytes of shared memory; `turn` says which set is next, the
/// same in every thread.
template <simt::context C, class Source, class Monoid, class Then, class Offset, class LaneBits>
PREDUCE_FUNCTION void fold_unit(C const& ctx, Source const& source, Monoid const& monoid,
                                tile_view<Offset, LaneBits> const& tile, int first_lane, int lanes,
                                typename Source::value_type* slots, int& turn, Then&& then) {
  using value = typename Source::value_type;
  constexpr int chunk = arrangement<Source, commutes<Monoid>>::chunk;
  constexpr int capacity = slot_plan<value>::capacity;
  constexpr int most_a_slot = order_lanes / chunk > capacity ? order_lanes / chunk / capacity : 1;

  int const here = tile.present - first_lane < lanes ? tile.present - first_lane : lanes;
  int const chunks = (here + chunk - 1) / chunk;
  bool const alone = chunks == 1;  // the same for the whole block: then there is nothing to meet for
  value* const mine = slots + turn * capacity;
  if (!alone) turn ^= 1;
  int used = chunks;
  if constexpr (most_a_slot == 1) {
    for (int c = simt::warp_rank(ctx); c < chunks; c += simt::warps(ctx)) {
      value const folded = detail::fold_chunk(ctx, source, monoid, tile, first_lane + c * chunk);
      if (simt::warp_lane(ctx) == 0) {
        if (alone)
          then(folded);
        else
          mine[c] = folded;
      }
    }
  } else {
    int a_slot = 1;
    while (a_slot * capacity < chunks) a_slot *= 2;
    used = (chunks + a_slot - 1) / a_slot;
    for (int slot = simt::warp_rank(ctx); slot < used; slot += simt::warps(ctx)) {
      carry_stack<value, levels_for<most_a_slot>> stack;
      for (int c = slot * a_slot; c < (slot + 1) * a_slot && c < chunks; ++c) {
        value const folded = detail::fold_chunk(ctx, source, monoid, tile, first_lane + c * chunk);
        if (simt::warp_lane(ctx) == 0) stack.push(monoid, folded);
      }
      if (simt::warp_lane(ctx) == 0) {
        if (alone)
          then(stack.total(monoid));
        else
          mine[slot] = stack.total(monoid);
      }
    }
  }
  if (alone) return;
  ctx.sync_block();  // the values before the first warp reads them; and its last reads of these slots before their next
                     // use
  if (simt::warp_rank(ctx) == 0) {
    value const total = detail::fold_slots(ctx, monoid, mine, used);
    if (ctx.thread_rank() == 0) then(total);
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// The end of a reduction with few partials: a vector of them for each thread, one tree. The same combinations as
// fold_partials, in half its instructions: this is what a small reduction waits for.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/fold_unit.hpp>
#include <preduce/stages/read_rows.hpp>
#include <preduce/stages/shuffle_tree.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Partials that a thread takes with one load; 0 where their type tiles no vector.
template <class Finish>
inline constexpr int partials_a_thread = 16 % sizeof(typename Finish::value) == 0
                                             ? 16 / static_cast<int>(sizeof(typename Finish::value))
                                             : 0;

/// The tree over a value from each thread of a warp, which stands for places `place` ... of `count`, `apart` of each
/// other; the total is in lane 0. Under a built-in operator absent values are identities; under a user's they are
/// combined with nothing.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION V fold_places(C const& ctx, Monoid const& monoid, V value, int place, int apart, int count) {
  if constexpr (is_builtin_monoid<Monoid>) {
    return detail::fold_warp(ctx, monoid, value);
  } else {
    int const lane = simt::warp_lane(ctx);
    PREDUCE_UNROLL
    for (int s = 1; s < simt::warp_threads; s *= 2) {
      V const other = ctx.shuffle_down(value, s);
      if (lane % (2 * s) == 0 && place + s * apart < count) value = monoid.combine(value, other);
    }
    return value;
  }
}

/// One block of at least units / partials_a_thread threads folds the partials and delivers the total. Waits for the
/// previous kernel when everything else is at hand.
template <simt::context C, class Finish>
PREDUCE_FUNCTION void fold_few_partials(C const& ctx, Finish const& finish) {
  using value = typename Finish::value;
  using monoid_type = decltype(Finish::monoid);
  constexpr int width = partials_a_thread<Finish>;
  constexpr bool identities = is_builtin_monoid<monoid_type>;
  auto const& monoid = finish.monoid;
  int const units = finish.order.units;
  int const position = ctx.thread_rank() * width;
  int const warps_used = (units + simt::warp_threads * width - 1) / (simt::warp_threads * width);
  auto const start = [&](uninitialized<value>& lane) {
    if constexpr (identities)
      lane.value = monoid.identity();
    else
      detail::leave_blank(lane);
  };
  uninitialized<value> lanes[width];
  PREDUCE_UNROLL
  for (int w = 0; w < width; ++w) start(lanes[w]);
  ctx.touch_parameters(finish);
  ctx.wait_for_previous_kernel();
  ctx.release_next_kernel();  // not before: blocks of the next kernel would crowd where the previous one's end first

  if (position + width <= units) {
    auto const raw = ctx.load16(finish.partials + position);
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) lanes[w].value = detail::vector_element<value>(raw, w);
  } else {
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) {
      if (position + w < units) lanes[w].value = finish.partials[position + w];
    }
  }
  PREDUCE_UNROLL
  for (int s = 1; s < width; s *= 2) {
    PREDUCE_UNROLL
    for (int w = 0; w < width; w += 2 * s) {
      if (identities || position + w + s < units) lanes[w].value = monoid.combine(lanes[w].value, lanes[w + s].value);
    }
  }
  value total = detail::fold_places(ctx, monoid, lanes[0].value, position, width, units);
  if (warps_used > 1) {
    auto* const slots = ctx.template shared<value>(0);
    if (simt::warp_lane(ctx) == 0) slots[simt::warp_rank(ctx)] = total;
    ctx.sync_block();
    if (simt::warp_rank(ctx) != 0) return;
    int const lane = simt::warp_lane(ctx);
    uninitialized<value> of_warp;
    start(of_warp);
    if (lane < warps_used) of_warp.value = slots[lane];
    total = detail::fold_places(ctx, monoid, of_warp.value, lane, 1, warps_used);
  }
  if (ctx.thread_rank() == 0) finish.deliver(ctx, total);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// The end of a reduction with few partials: a vector of them for each thread, one tree. The same combinations as
// fold_partials, in half its instructions: this is what a small reduction waits for.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/fold_unit.hpp>
#include <preduce/stages/fold_warp.hpp>
#include <preduce/stages/raw_vectors.hpp>
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

/// What a lane holds before it has a partial: under a built-in operator its identity.
template <class Monoid, class V>
PREDUCE_FUNCTION void start_lane(Monoid const& monoid, uninitialized<V>& lane) {
  if constexpr (is_builtin_monoid<Monoid>)
    lane.value = monoid.identity();
  else
    detail::leave_blank(lane);
}

/// Each thread of a warp takes Vectors neighbouring vectors of partials from `position` on; what the warp's come to is
/// in lane 0. `begin()` is called before the first one is read.
template <int Vectors, simt::context C, class Finish, class Begin>
PREDUCE_FUNCTION typename Finish::value fold_partial_vectors(C const& ctx, Finish const& finish, int position,
                                                             Begin const& begin) {
  using value = typename Finish::value;
  constexpr int width = partials_a_thread<Finish>;
  constexpr int mine = Vectors * width;
  constexpr bool identities = is_builtin_monoid<decltype(Finish::monoid)>;
  auto const& monoid = finish.monoid;
  int const units = finish.order.units;
  uninitialized<value> lanes[mine];
  PREDUCE_UNROLL
  for (int k = 0; k < mine; ++k) detail::start_lane(monoid, lanes[k]);
  begin();
  PREDUCE_UNROLL
  for (int v = 0; v < Vectors; ++v) {
    int const at = position + v * width;
    if (at + width <= units) {
      auto const raw = ctx.load16(finish.partials + at);
      PREDUCE_UNROLL
      for (int w = 0; w < width; ++w) lanes[v * width + w].value = detail::vector_element<value>(raw, w);
    } else {
      PREDUCE_UNROLL
      for (int w = 0; w < width; ++w) {
        if (at + w < units) lanes[v * width + w].value = finish.partials[at + w];
      }
    }
  }
  PREDUCE_UNROLL
  for (int s = 1; s < mine; s *= 2) {
    PREDUCE_UNROLL
    for (int k = 0; k < mine; k += 2 * s) {
      if (identities || position + k + s < units) lanes[k].value = monoid.combine(lanes[k].value, lanes[k + s].value);
    }
  }
  return detail::fold_places(ctx, monoid, lanes[0].value, position, mine, units);
}

/// One block of at least units / partials_a_thread threads folds the partials and delivers the total. Waits for the
/// previous kernel when everything else is at hand. One warp does it while its threads' vectors hold all partials: to
/// meet in shared memory costs more than to load a few more each.
template <simt::context C, class Finish>
PREDUCE_FUNCTION void fold_few_partials(C const& ctx, Finish const& finish) {
  using value = typename Finish::value;
  constexpr int width = partials_a_thread<Finish>;
  constexpr int of_warp = simt::warp_threads * width;
  auto const& monoid = finish.monoid;
  int const units = finish.order.units;
  int const thread = ctx.thread_rank();
  auto const begin = [&] {
    ctx.touch_parameters(finish);
    ctx.wait_for_previous_kernel();
    ctx.release_next_kernel();  // not before: blocks of the next kernel would crowd where the previous one's end first
  };
  constexpr int most = width <= 4 ? 4 : 1;  // vectors that the registers hold
  if (units <= most * of_warp) {
    if (thread >= simt::warp_threads) return;
    auto const deliver = [&](value const& total) {
      if (thread == 0) finish.deliver(ctx, total);
    };
    if (most == 1 || units <= of_warp)
      return deliver(detail::fold_partial_vectors<1>(ctx, finish, thread * width, begin));
    if constexpr (most > 1) {
      if (units <= 2 * of_warp) return deliver(detail::fold_partial_vectors<2>(ctx, finish, thread * 2 * width, begin));
      return deliver(detail::fold_partial_vectors<4>(ctx, finish, thread * 4 * width, begin));
    }
  }
  auto* const slots = ctx.template shared<value>(0);
  value const folded = detail::fold_partial_vectors<1>(ctx, finish, thread * width, begin);
  if (simt::warp_lane(ctx) == 0) slots[simt::warp_rank(ctx)] = folded;
  ctx.sync_block();
  if (simt::warp_rank(ctx) != 0) return;
  int const warps_used = (units + of_warp - 1) / of_warp;
  uninitialized<value> of_all;
  detail::start_lane(monoid, of_all);
  if (thread < warps_used) of_all.value = slots[thread];
  value const total = detail::fold_places(ctx, monoid, of_all.value, thread, 1, warps_used);
  if (thread == 0) finish.deliver(ctx, total);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

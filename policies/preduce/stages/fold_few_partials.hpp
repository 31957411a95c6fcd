#pragma once
// The end of a reduction with few partials of a built-in operator: a vector of them for each thread, one tree. The same
// combinations as fold_partials, in half its instructions: this is what a small reduction waits for.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/fold_unit.hpp>
#include <preduce/stages/read_rows.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Partials that a thread takes with one load; 0 where their type tiles no vector or their operator is a user's.
template <class Finish>
inline constexpr int partials_a_thread = is_builtin_monoid<decltype(Finish::monoid)> &&
                                                 16 % sizeof(typename Finish::value) == 0
                                             ? 16 / static_cast<int>(sizeof(typename Finish::value))
                                             : 0;

/// One block of at least units / partials_a_thread threads folds the partials and delivers the total. Waits for the
/// previous kernel when everything else is at hand.
template <simt::context C, class Finish>
PREDUCE_FUNCTION void fold_few_partials(C const& ctx, Finish const& finish) {
  using value = typename Finish::value;
  constexpr int width = partials_a_thread<Finish>;
  auto const& monoid = finish.monoid;
  int const units = finish.order.units;
  int const position = ctx.thread_rank() * width;
  int const warps_used = (units + simt::warp_threads * width - 1) / (simt::warp_threads * width);
  uninitialized<value> lanes[width];
  PREDUCE_UNROLL
  for (int w = 0; w < width; ++w) lanes[w].value = monoid.identity();
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
  auto total = detail::fold_warp(ctx, monoid, detail::fold_registers(monoid, lanes));
  if (warps_used > 1) {
    auto* const slots = ctx.template shared<value>(0);
    if (simt::warp_lane(ctx) == 0) slots[simt::warp_rank(ctx)] = total;
    ctx.sync_block();
    if (simt::warp_rank(ctx) != 0) return;
    int const lane = simt::warp_lane(ctx);
    total = detail::fold_warp(ctx, monoid, lane < warps_used ? slots[lane] : monoid.identity());
  }
  if (ctx.thread_rank() == 0) finish.deliver(ctx, total);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// Trees of shuffles for operators of any kind: values of absent threads are never combined.

#include <preduce/contexts/context.hpp>
#include <preduce/plan.hpp>
#include <preduce/sources.hpp>

#include <cstring>

namespace preduce::detail::inline PREDUCE_ABI {

/// What a thread without a value holds: bytes that shuffles may carry and nobody combines.
template <class V>
PREDUCE_FUNCTION void leave_blank(uninitialized<V>& value) {
  memset(static_cast<void*>(&value.value), 0, sizeof(V));
}

/// Folds the values of the first `present` >= 1 lanes into lane 0; all 32 threads call it.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION V shuffle_tree(C const& ctx, Monoid const& monoid, V value, int present) {
  int const lane = simt::warp_lane(ctx);
  PREDUCE_UNROLL
  for (int s = simt::warp_threads / 2; s > 0; s /= 2) {
    V const other = ctx.shuffle_down(value, s);
    if (lane < s && lane + s < present) value = monoid.combine(value, other);
  }
  return value;
}

/// Folds the values of the first `present` >= 1 threads into thread 0; the whole block calls it.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION V shuffle_block(C const& ctx, Monoid const& monoid, V value, int present) {
  auto* const words = ctx.template shared<V>(rung_answer_bytes);
  int const warp = simt::warp_rank(ctx);
  int const lane = simt::warp_lane(ctx);
  int const here = present - warp * simt::warp_threads;
  if (here > 0) value = detail::shuffle_tree(ctx, monoid, value, here);
  int const warps_present = (present + simt::warp_threads - 1) / simt::warp_threads;
  if (warps_present == 1) return value;
  ctx.sync_block();  // the words of an earlier call have been read
  if (lane == 0 && here > 0) words[warp] = value;
  ctx.sync_block();
  if (warp != 0) return value;
  uninitialized<V> of_warp;
  detail::leave_blank(of_warp);
  if (lane < warps_present) of_warp.value = words[lane];
  return detail::shuffle_tree(ctx, monoid, of_warp.value, warps_present);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// Trees over a block's values in shared memory. Each folds the first `present` of them into place 0, which thread 0 may
// read at once; all threads of the block call it.

#include <preduce/contexts/context.hpp>

namespace preduce::detail::inline PREDUCE_ABI::trees {

/// Thread t works in step s where t is a multiple of 2 s.
struct interleaved_modulo {
  PREDUCE_FUNCTION static constexpr int place(int thread) { return thread; }

  template <simt::context C, class Monoid, class V>
  PREDUCE_FUNCTION static void fold(C const& ctx, Monoid const& monoid, V* shared, int present) {
    int const thread = ctx.thread_rank();
    PREDUCE_UNROLL_NOT
    for (int s = 1; s < present; s *= 2) {
      if (thread % (2 * s) == 0 && thread + s < present)
        shared[thread] = monoid.combine(shared[thread], shared[thread + s]);
      ctx.sync_block();
    }
  }
};

/// Thread t works at place 2 s t. Padded: with a hole after every 32 places.
template <bool Padded>
struct interleaved_strided {
  PREDUCE_FUNCTION static constexpr int place(int thread) { return Padded ? thread + thread / 32 : thread; }

  template <simt::context C, class Monoid, class V>
  PREDUCE_FUNCTION static void fold(C const& ctx, Monoid const& monoid, V* shared, int present) {
    int const thread = ctx.thread_rank();
    PREDUCE_UNROLL_NOT
    for (int s = 1; s < present; s *= 2) {
      int const left = 2 * s * thread;
      if (left + s < present) shared[place(left)] = monoid.combine(shared[place(left)], shared[place(left + s)]);
      ctx.sync_block();
    }
  }
};

/// The second half is folded onto the first, until `most` values are left; returns how many are.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION int fold_halves(C const& ctx, Monoid const& monoid, V* shared, int present, int most) {
  int const thread = ctx.thread_rank();
  PREDUCE_UNROLL_NOT
  while (present > most) {
    int const half = (present + 1) / 2;
    if (thread < present - half) shared[thread] = monoid.combine(shared[thread], shared[thread + half]);
    ctx.sync_block();
    present = half;
  }
  return present;
}

struct sequential {
  PREDUCE_FUNCTION static constexpr int place(int thread) { return thread; }

  template <simt::context C, class Monoid, class V>
  PREDUCE_FUNCTION static void fold(C const& ctx, Monoid const& monoid, V* shared, int present) {
    detail::trees::fold_halves(ctx, monoid, shared, present, 1);
  }
};

/// The first warp folds up to 64 values. What a lane reads was written by another: a warp barrier stands between, which
/// the textbook's `volatile` no longer replaces since threads of a warp are scheduled apart (sm_70).
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION void fold_last_warp(C const& ctx, Monoid const& monoid, V* shared, int present) {
  int const lane = ctx.thread_rank();
  if (lane >= simt::warp_threads) return;
  PREDUCE_UNROLL
  for (int s = 32; s > 0; s /= 2) {
    if (lane < s && lane + s < present) shared[lane] = monoid.combine(shared[lane], shared[lane + s]);
    ctx.sync_warp();
  }
}

struct unrolled_last_warp {
  PREDUCE_FUNCTION static constexpr int place(int thread) { return thread; }

  template <simt::context C, class Monoid, class V>
  PREDUCE_FUNCTION static void fold(C const& ctx, Monoid const& monoid, V* shared, int present) {
    detail::trees::fold_last_warp(ctx, monoid, shared, detail::trees::fold_halves(ctx, monoid, shared, present, 64));
  }
};

/// Every step written out, for blocks of more than Threads / 2 and at most Threads threads.
template <int Threads>
struct unrolled {
  PREDUCE_FUNCTION static constexpr int place(int thread) { return thread; }

  template <simt::context C, class Monoid, class V>
  PREDUCE_FUNCTION static void fold(C const& ctx, Monoid const& monoid, V* shared, int present) {
    step<Threads / 2>(ctx, monoid, shared, present);
    detail::trees::fold_last_warp(ctx, monoid, shared, present);
  }

 private:
  template <int S, simt::context C, class Monoid, class V>
  PREDUCE_FUNCTION static void step(C const& ctx, Monoid const& monoid, V* shared, int present) {
    if constexpr (S >= 64) {
      int const thread = ctx.thread_rank();
      if (thread < S && thread + S < present) shared[thread] = monoid.combine(shared[thread], shared[thread + S]);
      ctx.sync_block();
      step<S / 2>(ctx, monoid, shared, present);
    }
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI::trees

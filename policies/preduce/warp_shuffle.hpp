#pragma once
// Shuffles in registers: a warp folds without shared memory, a block with one word a warp. On the way up: a loop over
// the grid, 16-byte vectors, and other ways for blocks to meet.

#include <preduce/rung.hpp>
#include <preduce/stages/fold_vectors.hpp>
#include <preduce/stages/shuffle_tree.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// One element a thread, an atomic a warp or a block.
template <bool AtomicAWarp>
struct shuffle_each {
  static constexpr char const* name = AtomicAWarp ? "warp_shuffle_atomic_a_warp" : "warp_shuffle_atomic_a_block";
  static constexpr auto meets = meeting::atomics;
  static constexpr classic_facts facts{};

  template <simt::context C, class RungJob>
  PREDUCE_FUNCTION static void fold(C const& ctx, RungJob const& job) {
    using value = typename RungJob::value;
    auto const& monoid = job.monoid();
    int const threads = ctx.block_size();
    int const thread = ctx.thread_rank();
    detail::for_each_run(ctx, job, threads, [&](std::int64_t base) {
      int const present = detail::present_threads(job, base, threads);
      uninitialized<value> mine;
      detail::leave_blank(mine);
      if (thread < present) mine.value = job.element(base + thread);
      if constexpr (AtomicAWarp) {
        int const here = present - (thread - simt::warp_lane(ctx));
        if (here <= 0) return;
        value const total = detail::shuffle_tree(ctx, monoid, mine.value, here);
        if (simt::warp_lane(ctx) == 0) detail::combine_atomically(ctx, monoid, job.cell(), total);
      } else {
        value const total = detail::shuffle_block(ctx, monoid, mine.value, present);
        if (thread == 0) detail::combine_atomically(ctx, monoid, job.cell(), total);
      }
    });
  }
};

/// As many blocks as are resident, each thread a loop over the grid; the blocks' values meet as Meets says.
template <bool Vectors, meeting Meets>
struct shuffle_grid {
  static constexpr auto meets = Meets;
  static constexpr classic_facts facts{0, 0, Meets == meeting::second_kernel, Meets == meeting::nowhere, Vectors};

  template <simt::context C, class RungJob>
  PREDUCE_FUNCTION static void fold(C const& ctx, RungJob const& job) {
    using value = typename RungJob::value;
    auto const& monoid = job.monoid();
    int const threads = ctx.block_size();
    uninitialized<value> mine;
    detail::leave_blank(mine);
    int present = 0;
    if constexpr (Vectors && folds_vectors<RungJob>) {
      detail::fold_vectors(ctx, job, mine.value);
      present = threads;  // the identity where a thread had nothing
    } else {
      detail::fold_strided(ctx, job, mine.value);
      std::int64_t const base = job.first + std::int64_t{ctx.block_rank()} * threads;
      present = base < job.n ? detail::present_threads(job, base, threads) : 0;
    }
    if (present == 0) return;  // a block of a grid for one element, which seeded the cell
    value const total = detail::shuffle_block(ctx, monoid, mine.value, present);
    if (ctx.thread_rank() != 0) return;
    if constexpr (Meets == meeting::atomics)
      detail::combine_atomically(ctx, monoid, job.cell(), total);
    else if constexpr (Meets == meeting::second_kernel)
      job.cell()[ctx.block_rank()] = total;
    else
      job.job.finish.deliver(ctx, total);
  }
};

struct shuffle_grid_stride : shuffle_grid<false, meeting::atomics> {
  static constexpr char const* name = "warp_shuffle_grid_stride";
};
struct shuffle_vectors : shuffle_grid<true, meeting::atomics> {
  static constexpr char const* name = "warp_shuffle";
};
struct shuffle_two_stages : shuffle_grid<false, meeting::second_kernel> {
  static constexpr char const* name = "warp_shuffle_two_stages";
};
struct shuffle_one_block : shuffle_grid<true, meeting::nowhere> {
  static constexpr char const* name = "warp_shuffle_one_block";
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// Register shuffles over 16-byte vectors and a loop over the grid, one word a warp in shared memory, an atomic a
/// block. Bits vary from run to run where order matters; values of at most 8 bytes, 16 in code compiled for sm_90 or
/// newer; operators that commute. A GPU's float atomics take denormals for zero.
inline constexpr rung<detail::shuffle_vectors>::policy<default_place> warp_shuffle{};

namespace ladder {
/// Shuffles in registers, an atomic a warp: no shared memory, no barrier.
inline constexpr rung<detail::shuffle_each<true>>::policy<default_place> warp_shuffle_atomic_a_warp{};
/// One word a warp in shared memory, an atomic a block.
inline constexpr rung<detail::shuffle_each<false>>::policy<default_place> warp_shuffle_atomic_a_block{};
/// A loop over the grid in front of it: as many blocks as are resident.
inline constexpr rung<detail::shuffle_grid_stride>::policy<default_place> warp_shuffle_grid_stride{};
/// The loop, shuffles, and a second kernel for the blocks' values. Bits depend on n and the launch only.
inline constexpr rung<detail::shuffle_two_stages>::policy<default_place> warp_shuffle_two_stages{};
/// One block, one kernel, nobody to meet. Bits depend on n, the block size and the data's alignment to 16 bytes only.
inline constexpr rung<detail::shuffle_one_block>::policy<default_place> warp_shuffle_one_block{};
}  // namespace ladder

}  // namespace preduce::inline PREDUCE_ABI

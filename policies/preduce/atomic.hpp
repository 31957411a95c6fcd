#pragma once
// Everybody adds to one cell. The naive parallel reduction, and what becomes of it when the lanes of a warp, or the
// threads of a block, first let one of them add.

#include <preduce/rung.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// An atomic for every element.
struct atomic_each {
  static constexpr char const* name = "atomic";
  static constexpr auto meets = meeting::atomics;
  static constexpr classic_facts facts{};

  template <simt::context C, class RungJob>
  PREDUCE_FUNCTION static void fold(C const& ctx, RungJob const& job) {
    detail::for_each_run(ctx, job, ctx.block_size(), [&](std::int64_t base) {
      std::int64_t const i = base + ctx.thread_rank();
      if (i < job.n) detail::combine_atomically(ctx, job.monoid(), job.cell(), job.element(i));
    });
  }
};

/// The elements of Group neighbouring threads, added by the first of them.
template <bool WholeBlock>
struct atomic_serial {
  static constexpr char const* name = WholeBlock ? "atomic_block_serial" : "atomic_lane_serial";
  static constexpr auto meets = meeting::atomics;
  static constexpr classic_facts facts{};

  template <simt::context C, class RungJob>
  PREDUCE_FUNCTION static void fold(C const& ctx, RungJob const& job) {
    int const group = WholeBlock ? ctx.block_size() : simt::warp_threads;
    detail::for_each_run(ctx, job, ctx.block_size(), [&](std::int64_t base) {
      std::int64_t const begin = base + ctx.thread_rank();
      if (ctx.thread_rank() % group != 0 || begin >= job.n) return;
      std::int64_t const end = begin + group < job.n ? begin + group : job.n;
      auto total = job.element(begin);
      PREDUCE_UNROLL_NOT
      for (std::int64_t i = begin + 1; i < end; ++i) total = job.monoid().combine(total, job.element(i));
      detail::combine_atomically(ctx, job.monoid(), job.cell(), total);
    });
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// An atomic for every element. Bits vary from run to run where order matters (float sums); values of at most 8 bytes,
/// 16 in code compiled for sm_90 or newer; operators that commute. A GPU's float atomics take denormals for zero.
inline constexpr rung<detail::atomic_each>::policy<default_place> atomic{};

namespace ladder {
/// Lane 0 of each warp adds its warp's elements, an atomic a warp.
inline constexpr rung<detail::atomic_serial<false>>::policy<default_place> atomic_lane_serial{};
/// Thread 0 of each block adds its block's elements, an atomic a block.
inline constexpr rung<detail::atomic_serial<true>>::policy<default_place> atomic_block_serial{};
}  // namespace ladder

}  // namespace preduce::inline PREDUCE_ABI

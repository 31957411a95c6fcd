#pragma once
// A tree in shared memory, and blocks that meet by atomics: the steps of Mark Harris's "Optimizing Parallel Reduction
// in CUDA" (2007), each right for any n and any block size that is a multiple of 32.

#include <preduce/rung.hpp>
#include <preduce/stages/tree.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Elements to shared memory, PerThread each, a tree over them, and an atomic or a partial for each block.
template <class Tree, int PerThread, meeting Meets>
struct tree_rung {
  static constexpr auto meets = Meets;
  static constexpr classic_facts facts{PerThread, 1, Meets == meeting::second_kernel, false};

  template <simt::context C, class RungJob>
  PREDUCE_FUNCTION static void fold(C const& ctx, RungJob const& job) {
    using value = typename RungJob::value;
    auto const& monoid = job.monoid();
    auto* const shared = ctx.template shared<value>(rung_answer_bytes);
    int const threads = ctx.block_size();
    int const thread = ctx.thread_rank();
    uninitialized<value> of_block;
    bool first_run = true;
    detail::for_each_run(ctx, job, PerThread * threads, [&](std::int64_t base) {
      int const present = detail::present_threads(job, base, threads);
      if (!first_run) ctx.sync_block();  // the last run's tree has been read
      if (thread < present) {
        value mine = job.element(base + thread);
        if constexpr (PerThread == 2) {
          std::int64_t const second = base + threads + thread;
          if (second < job.n) mine = monoid.combine(mine, job.element(second));
        }
        shared[Tree::place(thread)] = mine;
      }
      ctx.sync_block();
      Tree::fold(ctx, monoid, shared, present);
      if (thread == 0) {
        if constexpr (Meets == meeting::atomics)
          detail::combine_atomically(ctx, monoid, job.cell(), shared[0]);
        else
          of_block.value = first_run ? shared[0] : monoid.combine(of_block.value, shared[0]);
      }
      first_run = false;
    });
    if constexpr (Meets == meeting::second_kernel) {
      if (thread == 0 && !first_run) job.cell()[ctx.block_rank()] = of_block.value;
    }
  }
};

struct tree_interleaved_modulo : tree_rung<trees::interleaved_modulo, 1, meeting::atomics> {
  static constexpr char const* name = "block_tree_interleaved_modulo";
};
struct tree_interleaved_strided : tree_rung<trees::interleaved_strided<false>, 1, meeting::atomics> {
  static constexpr char const* name = "block_tree_interleaved_strided";
};
struct tree_padded : tree_rung<trees::interleaved_strided<true>, 1, meeting::atomics> {
  static constexpr char const* name = "block_tree_padded";
};
struct tree_sequential : tree_rung<trees::sequential, 1, meeting::atomics> {
  static constexpr char const* name = "block_tree_sequential";
};
struct tree_first_add : tree_rung<trees::sequential, 2, meeting::atomics> {
  static constexpr char const* name = "block_tree_first_add";
};
struct tree_last_warp : tree_rung<trees::unrolled_last_warp, 2, meeting::atomics> {
  static constexpr char const* name = "block_tree_last_warp";
};
struct tree_unrolled : tree_rung<trees::unrolled<1024>, 2, meeting::atomics> {
  static constexpr char const* name = "block_tree";
  template <int Threads>
  using for_block = tree_rung<trees::unrolled<Threads>, 2, meeting::atomics>;
};
struct tree_two_stages : tree_rung<trees::sequential, 1, meeting::second_kernel> {
  static constexpr char const* name = "block_tree_two_stages";
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// The best tree in shared memory: two elements a thread, fully unrolled by block size, an atomic a block. Bits vary
/// from run to run where order matters; values of at most 8 bytes, 16 in code compiled for
/// sm_90 or newer; operators that commute. A GPU's float atomics take denormals for zero.
inline constexpr rung<detail::tree_unrolled>::policy<default_place> block_tree{};

namespace ladder {
/// Threads whose index is a multiple of the stride work: warps diverge.
inline constexpr rung<detail::tree_interleaved_modulo>::policy<default_place> block_tree_interleaved_modulo{};
/// Neighbouring threads work, at strided places: banks conflict.
inline constexpr rung<detail::tree_interleaved_strided>::policy<default_place> block_tree_interleaved_strided{};
/// The same with a hole after every 32 values: no two threads of a warp in one bank.
inline constexpr rung<detail::tree_padded>::policy<default_place> block_tree_padded{};
/// Neighbouring threads at neighbouring places.
inline constexpr rung<detail::tree_sequential>::policy<default_place> block_tree_sequential{};
/// The first addition on the way to shared memory: half as many blocks.
inline constexpr rung<detail::tree_first_add>::policy<default_place> block_tree_first_add{};
/// The last 64 values by one warp, without block barriers.
inline constexpr rung<detail::tree_last_warp>::policy<default_place> block_tree_last_warp{};
/// A tree, and a second kernel for the blocks' values instead of atomics. Bits depend on n and the launch only.
inline constexpr rung<detail::tree_two_stages>::policy<default_place> block_tree_two_stages{};
}  // namespace ladder

}  // namespace preduce::inline PREDUCE_ABI

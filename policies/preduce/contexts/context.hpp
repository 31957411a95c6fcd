#pragma once
// What a kernel body sees of the machine. cuda_context and simt_context model it; a test may wrap one to plant a fault.

#include <preduce/config.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace preduce::simt::inline PREDUCE_ABI {

/// 16 bytes as they come from memory.
struct alignas(16) raw16 {
  std::uint32_t words[4];
};

/// Two neighbouring words, each read whole.
struct word_pair {
  std::uint64_t first, second;
};

template <class C>
concept context = requires(C const& ctx, unsigned* counter, void const* memory, std::uint64_t* flag) {
  { ctx.thread_rank() } -> std::same_as<int>;  // within the block
  { ctx.block_size() } -> std::same_as<int>;
  { ctx.block_rank() } -> std::same_as<int>;  // within the grid
  { ctx.grid_size() } -> std::same_as<int>;
  ctx.sync_block();                                                   // orders memory within the block
  ctx.sync_warp();                                                    // orders memory within the warp
  { ctx.template shared<int>(std::size_t{}) } -> std::same_as<int*>;  // byte offset into the block's shared memory
  { ctx.shuffle_down(0, 1) } -> std::same_as<int>;  // the value of lane + 1, own beyond the warp; orders no memory
  { ctx.shuffle(0, 1) } -> std::same_as<int>;       // the value of the given lane; orders no memory
  // What the 32 threads' integers come to, in all of them.
  { ctx.warp_sum(0u) } -> std::same_as<unsigned>;
  { ctx.warp_min(0) } -> std::same_as<int>;  // and of unsigned, as warp_max
  { ctx.warp_max(0) } -> std::same_as<int>;
  { ctx.all_of_warp(true) } -> std::same_as<bool>;       // whether it is true of all 32
  { ctx.load16(memory) } -> std::same_as<raw16>;         // memory is aligned to 16
  { ctx.load8(memory) } -> std::same_as<std::uint64_t>;  // to 8
  { ctx.load4(memory) } -> std::same_as<std::uint32_t>;  // to 4
  { ctx.load2(memory) } -> std::same_as<std::uint32_t>;  // to 2
  {
    ctx.take_ticket(counter, 1u)
    } -> std::same_as<unsigned>;            // atomic, acquire and release at grid scope; wraps to 0 after the limit
  ctx.publish_flag(flag, std::uint64_t{});  // release at system scope: the host reads what was written before
  ctx.sync_grid(counter);                   // under a cooperative launch; counter is workspace_lease::barrier()
  // Words that are read and written whole, at grid scope, and order nothing else. flag is aligned to 16 for a pair.
  ctx.store_relaxed(flag, std::uint64_t{});
  { ctx.load_relaxed_pair(flag) } -> std::same_as<word_pair>;
  ctx.pause();  // in every loop that waits for another thread
  // Replaces *word by the third argument if it holds the second; what it held. Relaxed, at grid scope.
  { ctx.compare_exchange(counter, 0u, 1u) } -> std::same_as<unsigned>;
  // C::has_atomic_add<V>: then atomic_add(V*, V), relaxed, at grid scope. C::has_atomic_min_max<V>: likewise.
  ctx.wait_for_previous_kernel();  // with dependent launch; else nothing
  ctx.release_next_kernel();       // likewise
  ctx.touch_parameters(memory);    // a kernel's parameters: brings them near, so that later reads do not wait
};

inline constexpr int warp_threads = 32;

template <class C>
PREDUCE_FUNCTION int warp_lane(C const& ctx) {
  return ctx.thread_rank() & (warp_threads - 1);
}
template <class C>
PREDUCE_FUNCTION int warp_rank(C const& ctx) {
  return ctx.thread_rank() >> 5;
}
template <class C>
PREDUCE_FUNCTION int warps(C const& ctx) {
  return ctx.block_size() >> 5;
}

/// warp_sum, warp_min and warp_max of machines that have no instruction for it.
template <class C>
PREDUCE_FUNCTION unsigned sum_by_shuffles(C const& ctx, unsigned value) {
  for (int s = 1; s < warp_threads; s *= 2) value += ctx.shuffle(value, simt::warp_lane(ctx) ^ s);
  return value;
}
template <int Sign, class C, class V>
PREDUCE_FUNCTION V extreme_by_shuffles(C const& ctx, V value) {
  for (int s = 1; s < warp_threads; s *= 2) {
    V const other = ctx.shuffle(value, simt::warp_lane(ctx) ^ s);
    value = (Sign < 0 ? other < value : value < other) ? other : value;
  }
  return value;
}

}  // namespace preduce::simt::inline PREDUCE_ABI

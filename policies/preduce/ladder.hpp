#pragma once
// The classic ladder as a list: every textbook kernel by name, from one thread to one kernel with a barrier. Tests and
// benchmarks walk it; docs/ladder.md tells its story.

#include <preduce/atomic.hpp>
#include <preduce/block_tree.hpp>
#include <preduce/grid_sync.hpp>
#include <preduce/last_block.hpp>
#include <preduce/look_back.hpp>
#include <preduce/single_thread.hpp>
#include <preduce/two_pass.hpp>
#include <preduce/warp_shuffle.hpp>

namespace preduce::inline PREDUCE_ABI {
namespace ladder {

/// Calls visit(policy, what_it_changes) for every rung, bottom to top. policy.name() is its name.
template <class Visit>
void for_each_rung(Visit&& visit) {
  visit(single_thread, "one GPU thread in a loop");
  visit(atomic, "every element an atomic");
  visit(atomic_lane_serial, "lane 0 of each warp adds its warp's elements, an atomic a warp");
  visit(atomic_block_serial, "thread 0 of each block adds its block's elements, an atomic a block");
  visit(block_tree_two_stages, "a tree in shared memory, a second kernel");
  visit(block_tree_interleaved_modulo, "tree, interleaved with modulo: warps diverge");
  visit(block_tree_interleaved_strided, "tree, interleaved with a strided index: banks conflict");
  visit(block_tree_padded, "the same, padded against bank conflicts");
  visit(block_tree_sequential, "tree, sequential addressing");
  visit(block_tree_first_add, "the first addition during the load");
  visit(block_tree_last_warp, "the last warp unrolled, with __syncwarp");
  visit(block_tree, "fully unrolled by block size");
  visit(warp_shuffle_atomic_a_warp, "shuffles in registers, an atomic a warp");
  visit(warp_shuffle_atomic_a_block, "shuffles, one word a warp in shared memory, an atomic a block");
  visit(warp_shuffle_grid_stride, "the same behind a grid-stride loop");
  visit(warp_shuffle_two_stages, "the same, a second kernel");
  visit(warp_shuffle, "16-byte vectors and a grid-stride loop");
  visit(warp_shuffle_one_block, "one block, one kernel");
  visit(two_pass, "canonical order, partials and a second kernel");
  visit(last_block, "canonical order, one kernel with a semaphore");
  visit(look_back, "canonical order, one kernel, partials that announce themselves");
  visit(grid_sync, "canonical order, one kernel with a cooperative grid barrier");
}

}  // namespace ladder
}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// The memory of a simulated grid: each block's shared memory and each warp's shuffle buffers.

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "engine.hpp"
#include "exchange.hpp"

namespace preduce::simt::internal {

class grid_memory {
 public:
  /// Fresh shared memory for every block, each an allocation of its own so that AddressSanitizer sees an overrun. It is
  /// filled with 0xff bytes (NaN, -1): CUDA promises no contents.
  void prepare(grid_shape const& shape) {
    shared_.resize(static_cast<std::size_t>(shape.blocks));
    for (auto& block : shared_) {
      block.reset(static_cast<std::byte*>(::operator new(shape.shared_bytes, alignment)));
      std::memset(block.get(), 0xff, shape.shared_bytes);
    }
    auto const warps = static_cast<std::size_t>(shape.blocks) * static_cast<std::size_t>(shape.threads / warp_size);
    while (offers_.size() < warps) offers_.push_back(std::make_unique_for_overwrite<std::byte[]>(2 * one_turn));
  }

  void free_shared() noexcept { shared_.clear(); }

  /// Gives a seated thread its part.
  void hand_out(thread_state& state) const {
    auto const block = static_cast<std::size_t>(state.rank.block);
    auto const warp = static_cast<std::size_t>(state.rank.thread / warp_size);
    state.shared = shared_[block].get();
    state.offers = offers_[block * static_cast<std::size_t>(state.rank.threads / warp_size) + warp].get();
  }

  static constexpr std::size_t one_turn = warp_size * largest_exchange;

 private:
  static constexpr std::align_val_t alignment{64};
  struct aligned_delete {
    void operator()(std::byte* memory) const noexcept { ::operator delete(memory, alignment); }
  };

  std::vector<std::unique_ptr<std::byte, aligned_delete>> shared_;
  std::vector<std::unique_ptr<std::byte[]>> offers_;
};

}  // namespace preduce::simt::internal

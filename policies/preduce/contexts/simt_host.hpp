#pragma once
// The machine as the simulated one offers it. In a .cu file its device versions are never called.

#include <preduce/contexts/context.hpp>
#include <preduce/simt.hpp>

#include <cstring>

namespace preduce::simt::inline PREDUCE_ABI {

class simt_context {
 public:
  explicit simt_context(preduce::simt::thread_state& self) : self_(&self), ranks_(preduce::simt::ranks_of(self)) {}

  [[nodiscard]] PREDUCE_FUNCTION int thread_rank() const { return ranks_.thread; }
  [[nodiscard]] PREDUCE_FUNCTION int block_size() const { return ranks_.threads; }
  [[nodiscard]] PREDUCE_FUNCTION int block_rank() const { return ranks_.block; }
  [[nodiscard]] PREDUCE_FUNCTION int grid_size() const { return ranks_.blocks; }

#ifndef __CUDA_ARCH__
  PREDUCE_FUNCTION void sync_block() const {
    preduce::simt::sync_block(*self_);
  }
  PREDUCE_FUNCTION void sync_warp() const {
    preduce::simt::sync_warp(*self_);
  }

  template <class T>
  [[nodiscard]] PREDUCE_FUNCTION T* shared(std::size_t byte_offset) const {
    return reinterpret_cast<T*>(preduce::simt::shared_memory(*self_) + byte_offset);
  }

  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V shuffle_down(V const& value, int offset) const {
    return shuffle(value, warp_lane(*this) + offset);
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V shuffle(V const& value, int source) const {
    V received = value;
    preduce::simt::exchange(*self_, &value, &received, sizeof(V), source);
    return received;
  }

  [[nodiscard]] PREDUCE_FUNCTION unsigned warp_sum(unsigned value) const {
    return simt::sum_by_shuffles(*this, value);
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V warp_min(V value) const {
    return simt::extreme_by_shuffles<-1>(*this, value);
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V warp_max(V value) const {
    return simt::extreme_by_shuffles<1>(*this, value);
  }

  [[nodiscard]] PREDUCE_FUNCTION bool all_of_warp(bool mine) const {
    return simt::extreme_by_shuffles<-1>(*this, mine ? 1 : 0) != 0;
  }

  [[nodiscard]] PREDUCE_FUNCTION raw16 load16(void const* memory) const {
    raw16 loaded;
    std::memcpy(&loaded, memory, sizeof(loaded));
    return loaded;
  }
  [[nodiscard]] PREDUCE_FUNCTION std::uint64_t load8(void const* memory) const {
    std::uint64_t loaded;
    std::memcpy(&loaded, memory, sizeof(loaded));
    return loaded;
  }
  [[nodiscard]] PREDUCE_FUNCTION std::uint32_t load4(void const* memory) const {
    std::uint32_t loaded;
    std::memcpy(&loaded, memory, sizeof(loaded));
    return loaded;
  }

  [[nodiscard]] PREDUCE_FUNCTION std::uint32_t load2(void const* memory) const {
    std::uint16_t loaded;
    std::memcpy(&loaded, memory, sizeof(loaded));
    return loaded;
  }

  [[nodiscard]] PREDUCE_FUNCTION unsigned take_ticket(unsigned* counter, unsigned limit) const {
    return preduce::simt::increment_wrapping(counter, limit);
  }

  PREDUCE_FUNCTION void publish_flag(std::uint64_t* flag, std::uint64_t value) const {
    preduce::simt::store_release(flag, value);
  }

  PREDUCE_FUNCTION void store_relaxed(std::uint64_t* word, std::uint64_t value) const {
    preduce::simt::store_relaxed(word, value);
  }
  [[nodiscard]] PREDUCE_FUNCTION word_pair load_relaxed_pair(std::uint64_t const* words) const {
    return {preduce::simt::load_relaxed(words), preduce::simt::load_relaxed(words + 1)};
  }
  PREDUCE_FUNCTION void pause() const {
    preduce::simt::yield(*self_);
  }

  PREDUCE_FUNCTION void sync_grid(unsigned*) const {
    preduce::simt::sync_grid(*self_);
  }

  template <class Word>
  [[nodiscard]] PREDUCE_FUNCTION Word compare_exchange(Word* word, Word const& expected, Word const& desired) const {
    Word found = expected;
    preduce::simt::compare_exchange(word, &found, &desired, sizeof(Word));
    return found;
  }
#else
  PREDUCE_FUNCTION void sync_block() const {}
  PREDUCE_FUNCTION void sync_warp() const {}
  template <class T>
  [[nodiscard]] PREDUCE_FUNCTION T* shared(std::size_t) const {
    return nullptr;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V shuffle_down(V const& value, int) const {
    return value;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V shuffle(V const& value, int) const {
    return value;
  }
  [[nodiscard]] PREDUCE_FUNCTION unsigned warp_sum(unsigned value) const {
    return value;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V warp_min(V value) const {
    return value;
  }
  template <class V>
  [[nodiscard]] PREDUCE_FUNCTION V warp_max(V value) const {
    return value;
  }
  [[nodiscard]] PREDUCE_FUNCTION bool all_of_warp(bool mine) const {
    return mine;
  }
  [[nodiscard]] PREDUCE_FUNCTION raw16 load16(void const*) const {
    return {};
  }
  [[nodiscard]] PREDUCE_FUNCTION std::uint64_t load8(void const*) const {
    return 0;
  }
  [[nodiscard]] PREDUCE_FUNCTION std::uint32_t load4(void const*) const {
    return 0;
  }
  [[nodiscard]] PREDUCE_FUNCTION std::uint32_t load2(void const*) const {
    return 0;
  }
  [[nodiscard]] PREDUCE_FUNCTION unsigned take_ticket(unsigned*, unsigned) const {
    return 0;
  }
  PREDUCE_FUNCTION void publish_flag(std::uint64_t*, std::uint64_t) const {}
  PREDUCE_FUNCTION void store_relaxed(std::uint64_t*, std::uint64_t) const {}
  [[nodiscard]] PREDUCE_FUNCTION word_pair load_relaxed_pair(std::uint64_t const*) const {
    return {};
  }
  PREDUCE_FUNCTION void pause() const {}
  PREDUCE_FUNCTION void sync_grid(unsigned*) const {}
  template <class Word>
  [[nodiscard]] PREDUCE_FUNCTION Word compare_exchange(Word*, Word const& expected, Word const&) const {
    return expected;
  }
#endif
  template <class V>
  static constexpr bool has_atomic_add = false;
  template <class V>
  static constexpr bool has_atomic_min_max = false;
  PREDUCE_FUNCTION void wait_for_previous_kernel() const {}
  PREDUCE_FUNCTION void release_next_kernel() const {}
  template <class P>
  PREDUCE_FUNCTION void touch_parameters(P const&) const {}

 private:
  preduce::simt::thread_state* self_;
  preduce::simt::ranks ranks_;
};
static_assert(context<simt_context>);

}  // namespace preduce::simt::inline PREDUCE_ABI

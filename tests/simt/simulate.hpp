#pragma once
// Runs a callable once for every thread of a simulated grid.

#include <preduce/simt.hpp>

namespace simulate {

template <class Body>
void run(preduce::simt::machine how, preduce::simt::grid_shape const& shape, Body const& body) {
  preduce::simt::launch(how, shape, &body, [](void const* what, preduce::simt::thread_state& self) {
    (*static_cast<Body const*>(what))(self);
  });
}

/// One simulated thread, with what the bodies in these tests need.
class context {
 public:
  explicit context(preduce::simt::thread_state& self) : self_(self) {}

  [[nodiscard]] int thread() const { return preduce::simt::ranks_of(self_).thread; }
  [[nodiscard]] int block() const { return preduce::simt::ranks_of(self_).block; }
  [[nodiscard]] int threads() const { return preduce::simt::ranks_of(self_).threads; }
  [[nodiscard]] int lane() const { return thread() % preduce::simt::warp_size; }
  [[nodiscard]] int index() const { return block() * threads() + thread(); }

  template <class Value>
  [[nodiscard]] Value* shared() const {
    return reinterpret_cast<Value*>(preduce::simt::shared_memory(self_));
  }

  void sync_block() const { preduce::simt::sync_block(self_); }
  void sync_warp() const { preduce::simt::sync_warp(self_); }
  void sync_grid() const { preduce::simt::sync_grid(self_); }
  void yield() const { preduce::simt::yield(self_); }

  template <class Value>
  [[nodiscard]] Value shuffle(Value mine, int source) const {
    Value theirs = mine;
    preduce::simt::exchange(self_, &mine, &theirs, sizeof mine, source);
    return theirs;
  }

 private:
  preduce::simt::thread_state& self_;
};

}  // namespace simulate

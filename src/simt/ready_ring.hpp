#pragma once
// The fibers that could run now, and which of them is next: the one that has been ready for longest, or with a seed any
// one of them. Part of the scheduler, so ThreadSanitizer does not see it (see fiber_engine.cpp).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace preduce::simt::internal {

template <class Fiber>
class ready_ring {
 public:
  /// Before a launch: empty, with room for `fibers`.
  void reset(int fibers, std::uint64_t seed) {
    memory_.resize(static_cast<std::size_t>(fibers));
    slots_ = memory_.data();
    size_ = fibers;
    head_ = count_ = 0;
    seeded_ = seed != 0;
    random_ = seed;
  }

  [[nodiscard]] __attribute__((no_sanitize("thread"))) bool seeded() const { return seeded_; }

  /// A fiber may be in the ring once.
  __attribute__((no_sanitize("thread"))) void push(Fiber* fiber) { slots_[wrapped(head_ + count_++)] = fiber; }

  /// Null where none is ready.
  __attribute__((no_sanitize("thread"))) Fiber* pick() {
    if (count_ == 0) return nullptr;
    if (seeded_) swap(slots_[head_], slots_[wrapped(head_ + any_below(count_))]);
    Fiber* const next = slots_[head_];
    head_ = wrapped(head_ + 1);
    --count_;
    return next;
  }

 private:
  [[nodiscard]] __attribute__((no_sanitize("thread"))) int wrapped(int slot) const {
    return slot < size_ ? slot : slot - size_;
  }

  __attribute__((no_sanitize("thread"))) static void swap(Fiber*& a, Fiber*& b) {
    Fiber* const was = a;
    a = b;
    b = was;
  }

  // splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). The bias is of no matter
  // here.
  __attribute__((no_sanitize("thread"))) int any_below(int count) {
    std::uint64_t bits = random_ += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return static_cast<int>((bits ^ bits >> 31) % static_cast<unsigned int>(count));
  }

  Fiber** slots_ = nullptr;
  int size_ = 0, head_ = 0, count_ = 0;
  bool seeded_ = false;
  std::uint64_t random_ = 0;
  std::vector<Fiber*> memory_;  // owns slots_
};

}  // namespace preduce::simt::internal

#pragma once
// One line on stderr now and then, so that a long run is seen to go on.

#include <chrono>
#include <cstddef>
#include <cstdio>

namespace perf {

class progress {
 public:
  explicit progress(std::size_t of) : of_(of) {}

  /// Called as each case begins. The time left is a guess: that the rest takes as long a case as those so far.
  void next() {
    ++at_;
    auto const now = clock::now();
    if (now - said_ < std::chrono::seconds(5)) return;
    said_ = now;
    auto const so_far = std::chrono::duration<double>(now - start_).count();
    auto const left = so_far / static_cast<double>(at_ - 1) * static_cast<double>(of_ - at_ + 1);
    std::fprintf(stderr, "preduce_bench: case %zu of %zu, ~%.0f s left\n", at_, of_, left);
  }

 private:
  using clock = std::chrono::steady_clock;
  std::size_t of_, at_ = 0;
  clock::time_point start_ = clock::now(), said_ = start_;
};

}  // namespace perf

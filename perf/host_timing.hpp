#pragma once
// Timing on the CPU's clock.

#include <algorithm>
#include <chrono>
#include <utility>

namespace perf {

/// Makes the compiler believe that `value` is read, so that what computes it cannot be left out.
template <class T>
void keep(T const& value) {
  asm volatile("" : : "m"(value) : "memory");
}

/// A sample is the mean over so many calls that the clock's grain does not show, at least `at_least_us` in all.
template <class F>
class host_sampler {
 public:
  explicit host_sampler(F f, double at_least_us = 200, int most_calls = 1000) : f_(std::move(f)) {
    time(1);  // caches, page tables, thread pools
    auto const one = std::max(time(1), 0.01);
    calls_ = static_cast<int>(std::clamp(at_least_us / one, 1.0, static_cast<double>(most_calls)));
  }

  /// Microseconds per call.
  double operator()() { return time(calls_); }

 private:
  double time(int calls) {
    using clock = std::chrono::steady_clock;
    auto const start = clock::now();
    for (int i = 0; i < calls; ++i) f_();
    return std::chrono::duration<double, std::micro>(clock::now() - start).count() / calls;
  }

  F f_;
  int calls_ = 1;
};

}  // namespace perf

#pragma once
// Host threads kept over launches, for the thread engine. They come in squads of 32, because a grid is a multiple of
// that: a launch wakes only the squads that it needs.

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace preduce::simt::internal {

class thread_pool {
 public:
  using job = void (*)(void* context, int index);

  /// Runs job(context, i) for every i in [0, count), each on a host thread of its own, all at the same time. `count` is
  /// a multiple of 32. Calls from several host threads take turns. Throws std::system_error where the host gives no
  /// more threads. The job must not throw.
  void run(int count, job what, void* context) {
    std::lock_guard const one_at_a_time(mutex_);
    auto const needed = static_cast<std::size_t>(count / squad::size);
    while (squads_.size() < needed) squads_.push_back(std::make_unique<squad>(*this, squads_.size()));
    job_ = what;
    context_ = context;
    left_.store(count, std::memory_order_relaxed);
    for (std::size_t i = 0; i < needed; ++i) squads_[i]->wake();
    // acquire, with each thread's decrement: what the jobs wrote is seen by the caller.
    for (int left; (left = left_.load(std::memory_order_acquire)) != 0;) left_.wait(left, std::memory_order_acquire);
  }

  [[nodiscard]] bool busy() const { return left_.load() != 0; }

 private:
  class squad {
   public:
    static constexpr int size = 32;

    squad(thread_pool& pool, std::size_t rank) {
      int const first = static_cast<int>(rank) * size;
      try {
        for (int i = 0; i < size; ++i) {
          threads_[static_cast<std::size_t>(i)] = std::thread([this, &pool, first, i] { serve(pool, first + i); });
        }
      } catch (...) {
        dismiss();
        throw;
      }
    }
    ~squad() { dismiss(); }

    void wake() {
      // release, with the acquire in serve: the job is seen by whoever wakes.
      launches_.fetch_add(1, std::memory_order_release);
      launches_.notify_all();
    }

   private:
    void serve(thread_pool& pool, int index) {
      for (unsigned int seen = 0;; ++seen) {
        launches_.wait(seen, std::memory_order_acquire);
        if (dismissed_) return;
        pool.job_(pool.context_, index);
        if (pool.left_.fetch_sub(1, std::memory_order_acq_rel) == 1) pool.left_.notify_one();
      }
    }

    void dismiss() {
      dismissed_ = true;
      wake();
      for (std::thread& each : threads_) {
        if (each.joinable()) each.join();
      }
    }

    std::atomic<unsigned int> launches_{0};
    bool dismissed_ = false;  // published by launches_
    std::array<std::thread, size> threads_;
  };

  std::mutex mutex_;
  job job_ = nullptr;
  void* context_ = nullptr;
  std::atomic<int> left_{0};
  std::vector<std::unique_ptr<squad>> squads_;  // last: its threads end before what they use
};

}  // namespace preduce::simt::internal

// Two ways to run tasks on all host threads: OpenMP's pool, so that a program that uses OpenMP keeps one pool; else a
// pool of std::thread. ThreadSanitizer does not understand libgomp's barriers and reports correct programs, so it
// always gets the second.

#include <preduce/host_threads.hpp>

#include <algorithm>
#include <atomic>
#include <exception>

#include "sanitizers.hpp"

#if defined(_OPENMP) && !PREDUCE_UNDER_TSAN && !PREDUCE_UNDER_ASAN
#  define PREDUCE_OVER_OPENMP 1
#else
#  define PREDUCE_OVER_OPENMP 0
#endif

#if PREDUCE_OVER_OPENMP
#  include <omp.h>
#else
#  include <condition_variable>
#  include <mutex>
#  include <system_error>
#  include <thread>
#  include <vector>
#endif

namespace preduce::detail {
namespace {

/// One call of for_each_index. Whoever takes part claims index after index from a share of its own, then from the
/// others': none waits while there is work. Under OpenMP a thread has the same share in every call, and finds in its
/// caches what it read before.
class work {
 public:
  work(std::int64_t count, int threads, host_task task, void* context)
      : shares_(static_cast<int>(std::min<std::int64_t>({count, threads, most_shares}))),
        task_(task),
        context_(context) {
    for (int s = 0; s < shares_; ++s) {
      share_[s].next.store(first_of(count, s), std::memory_order_relaxed);
      share_[s].end = first_of(count, s + 1);
    }
  }

  void take_part(int rank) noexcept {
    for (int s = 0; s < shares_; ++s) take(share_[(rank + s) % shares_]);
  }

  [[nodiscard]] bool exhausted() const noexcept {
    return std::all_of(share_, share_ + shares_,
                       [](share const& one) { return one.next.load(std::memory_order_relaxed) >= one.end; });
  }

  /// Once all who took part have ended.
  void rethrow_fault() const {
    if (first_fault_) std::rethrow_exception(first_fault_);
  }

 private:
  static constexpr int most_shares = 64;  // more threads begin two to a share
  struct alignas(64) share {              // a cache line, so that claims from one do not slow those from another
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };

  [[nodiscard]] std::int64_t first_of(std::int64_t count, int s) const {
    return count / shares_ * s + std::min<std::int64_t>(count % shares_, s);
  }

  void take(share& from) noexcept {
    // Relaxed: the claim orders nothing. Publishing the work and waiting for its end do.
    for (std::int64_t i; (i = from.next.fetch_add(1, std::memory_order_relaxed)) < from.end;) {
      try {
        task_(context_, i);
      } catch (...) {
        for (int s = 0; s < shares_; ++s) share_[s].next.store(share_[s].end, std::memory_order_relaxed);
        if (!failed_.exchange(true, std::memory_order_relaxed)) first_fault_ = std::current_exception();
      }
    }
  }

  share share_[most_shares];
  int const shares_;
  host_task const task_;
  void* const context_;
  std::atomic<bool> failed_{false};
  std::exception_ptr first_fault_;
};

#if PREDUCE_OVER_OPENMP

void run_on_threads(work& all, int threads) {
#  pragma omp parallel num_threads(threads) default(none) shared(all)
  all.take_part(omp_get_thread_num());
}

int available_threads() noexcept {
  return omp_get_max_threads();
}

#else

/// Helpers wait for work that is listed; whoever lists it takes part too, so that work inside work always gets on.
class helper_pool {
 public:
  explicit helper_pool(int helpers) {
    try {
      for (int i = 0; i < helpers; ++i) threads_.emplace_back([this] { help(); });
    } catch (std::system_error const&) {
      // The host gives no more threads: those that it gave, and the caller, do the work.
    }
  }

  ~helper_pool() {
    {
      std::lock_guard const lock(mutex_);
      ended_ = true;
    }
    listed_.notify_all();
    for (std::thread& each : threads_) each.join();
  }

  void run(work& all, int helpers) {
    listing mine{&all, helpers, 0, 1, nullptr};
    {
      std::lock_guard const lock(mutex_);
      mine.next = first_;
      first_ = &mine;
    }
    for (int i = 0; i < helpers; ++i) listed_.notify_one();
    all.take_part(0);
    std::unique_lock lock(mutex_);
    listing** at = &first_;
    while (*at != &mine) at = &(*at)->next;
    *at = mine.next;
    left_.wait(lock, [&] { return mine.helping == 0; });
  }

 private:
  struct listing {
    work* all;
    int wanted;   // helpers that may still join
    int helping;  // helpers inside
    int rank;     // of the next one that joins
    listing* next;
  };

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      listing* found = nullptr;
      listed_.wait(lock, [&] {
        for (found = first_; found && (found->wanted == 0 || found->all->exhausted());) found = found->next;
        return found || ended_;
      });
      if (!found) return;
      --found->wanted;
      ++found->helping;
      int const rank = found->rank++;
      lock.unlock();
      found->all->take_part(rank);
      lock.lock();
      if (--found->helping == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable listed_, left_;
  listing* first_ = nullptr;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

int available_threads() noexcept {
  return static_cast<int>(std::thread::hardware_concurrency());
}

void run_on_threads(work& all, int threads) {
  // More than the host has, if asked for on first use, so that a single core still shows what runs at once.
  static helper_pool pool(std::max(available_threads(), 4) - 1);
  pool.run(all, threads - 1);
}

#endif

}  // namespace

int host_thread_count() noexcept {
  return std::max(available_threads(), 1);
}

void for_each_index(std::int64_t count, int max_threads, host_task task, void* context) {
  if (count <= 0) return;
  int const most = max_threads > 0 ? max_threads : host_thread_count();
  int const threads = static_cast<int>(std::min<std::int64_t>(count, most));
  if (threads == 1) {
    for (std::int64_t i = 0; i < count; ++i) task(context, i);
    return;
  }
  work all(count, threads, task, context);
  run_on_threads(all, threads);
  all.rethrow_fault();
}

}  // namespace preduce::detail

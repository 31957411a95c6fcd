// The thread engine: every simulated thread is a pooled host thread, so the host decides the schedule. Much slower than
// fibers, but really concurrent.

#include <preduce/errors.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "grid_memory.hpp"
#include "thread_pool.hpp"

namespace preduce::simt::internal {
namespace {

constexpr int most_threads = 4096;

struct barrier {
  meeting kind{};
  int members = 0;
  // Low half: how many have arrived. High half: how many members have ended. In one word, so that of a thread that
  // arrives and one that ends at the same time one always sees the other.
  std::atomic<std::uint64_t> counts{0};
  std::atomic<unsigned int> generation{0};
  std::atomic<int> left_by{0};  // the index of a member that has ended

  static constexpr std::uint64_t one_gone = std::uint64_t{1} << 32;
  static int arrived(std::uint64_t counts) { return static_cast<int>(counts & (one_gone - 1)); }
  static bool any_gone(std::uint64_t counts) { return counts >= one_gone; }

  void set_up(meeting what, int how_many) {
    kind = what;
    members = how_many;
  }
  void wake() {
    generation.fetch_add(1);
    generation.notify_all();
  }
};

struct seat_of_thread : thread_state {
  int index = 0;
  barrier* at[meeting_kinds] = {};
  std::atomic<barrier*> waits_at{nullptr};
};

class thread_crew final : public crew {
 public:
  thread_crew(grid_shape const&, void const* body, entry);

  void work(int index) noexcept;
  void rethrow_fault() {
    if (first_fault_) std::rethrow_exception(std::exchange(first_fault_, nullptr));
  }

  void meet(thread_state&, meeting) override;
  void yield(thread_state&) override;

 private:
  void leave(seat_of_thread&);
  void report(barrier&, int arrived, ranks const& waiter, ranks const& missing);
  void report_stuck();
  void fault(std::exception_ptr);

  void const* body_;
  entry entry_;
  grid_memory memory_;
  std::vector<barrier> barriers_;
  std::vector<seat_of_thread> seats_;
  std::atomic<int> alive_;     // have not ended
  std::atomic<int> runnable_;  // neither ended nor waiting at a barrier; never too low
  std::atomic<bool> failed_{false};
  std::exception_ptr first_fault_;
};

thread_crew::thread_crew(grid_shape const& shape, void const* body, entry run)
    : body_(body),
      entry_(run),
      barriers_(static_cast<std::size_t>(shape.blocks) * static_cast<std::size_t>(1 + 2 * (shape.threads / warp_size)) +
                1),
      seats_(static_cast<std::size_t>(shape.blocks) * static_cast<std::size_t>(shape.threads)),
      alive_(static_cast<int>(seats_.size())),
      runnable_(static_cast<int>(seats_.size())) {
  memory_.prepare(shape);
  int const warps = shape.threads / warp_size;
  int const per_block = 1 + 2 * warps;
  barrier& grid = barriers_.back();
  grid.set_up(meeting::grid, static_cast<int>(seats_.size()));
  for (int block = 0; block < shape.blocks; ++block) {
    barrier* const own = barriers_.data() + static_cast<std::ptrdiff_t>(block) * per_block;
    own[0].set_up(meeting::block, shape.threads);
    for (int warp = 0; warp < warps; ++warp) {
      own[1 + warp].set_up(meeting::warp, warp_size);
      own[1 + warps + warp].set_up(meeting::shuffle, warp_size);
    }
  }
  int index = 0;
  for (seat_of_thread& each : seats_) {
    each.index = index++;
    seat(each, shape, each.index, *this);
    memory_.hand_out(each);
    barrier* const own = barriers_.data() + static_cast<std::ptrdiff_t>(each.rank.block) * per_block;
    int const warp = each.rank.thread / warp_size;
    each.at[static_cast<int>(meeting::block)] = own;
    each.at[static_cast<int>(meeting::warp)] = own + 1 + warp;
    each.at[static_cast<int>(meeting::shuffle)] = own + 1 + warps + warp;
    each.at[static_cast<int>(meeting::grid)] = &grid;
  }
}

void thread_crew::work(int index) noexcept {
  seat_of_thread& me = seats_[static_cast<std::size_t>(index)];
  inside_launch const mark;
  if (!failed_) {
    try {
      entry_(body_, me);
    } catch (unwinding const&) {
    } catch (...) {
      fault(std::current_exception());
    }
  }
  leave(me);
}

// Sequentially consistent throughout: a waiter reads the generation before `failed_`, fault() writes them the other way
// round, so a waiter that misses the failure is woken by it.
void thread_crew::meet(thread_state& state, meeting kind) {
  auto& me = static_cast<seat_of_thread&>(state);
  barrier& here = *me.at[static_cast<int>(kind)];
  unsigned int const generation = here.generation;
  if (failed_) throw unwinding{};
  std::uint64_t const before = here.counts.fetch_add(1);
  int const arrived = barrier::arrived(before) + 1;
  if (barrier::any_gone(before)) {
    report(here, arrived, me.rank, seats_[static_cast<std::size_t>(here.left_by.load())].rank);
  } else if (arrived == here.members) {
    here.counts.fetch_sub(static_cast<std::uint64_t>(arrived));
    runnable_ += arrived - 1;  // before anyone is woken: only ever too high
    here.wake();
  } else {
    me.waits_at = &here;
    if (--runnable_ == 0) report_stuck();
    here.generation.wait(generation);
    me.waits_at = nullptr;
  }
  if (failed_) throw unwinding{};
}

void thread_crew::yield(thread_state&) {
  if (failed_) throw unwinding{};
  std::this_thread::yield();
}

void thread_crew::leave(seat_of_thread& me) {
  if (!failed_) {
    for (barrier* each : me.at) {
      each->left_by = me.index;
      int const arrived = barrier::arrived(each->counts.fetch_add(barrier::one_gone));
      if (arrived > 0) report(*each, arrived, me.rank, me.rank);  // whoever waits there is of the same block and warp
    }
  }
  int const others = --alive_;
  if (--runnable_ == 0 && others > 0) report_stuck();
}

void thread_crew::report(barrier& stuck, int arrived, ranks const& waiter, ranks const& missing) {
  fault(divergence(stuck.kind, arrived, stuck.members, waiter, missing));
}

/// Nobody can run, and not all have ended: every thread left waits at a barrier that will never be complete.
void thread_crew::report_stuck() {
  for (seat_of_thread& waiter : seats_) {
    barrier* const stuck = waiter.waits_at;
    if (!stuck) continue;
    for (seat_of_thread& missing : seats_) {
      if (missing.at[static_cast<int>(stuck->kind)] != stuck || missing.waits_at == stuck) continue;
      return report(*stuck, barrier::arrived(stuck->counts), waiter.rank, missing.rank);
    }
  }
}

/// Keeps the first failure and wakes everyone, to be unwound.
void thread_crew::fault(std::exception_ptr what) {
  if (failed_.exchange(true)) return;
  first_fault_ = std::move(what);  // read by the launching thread after the pool's acquire
  for (barrier& each : barriers_) each.wake();
}

}  // namespace

void launch_on_threads(grid_shape const& shape, void const* body, entry run) {
  struct kept {
    thread_pool* pool = new thread_pool;
    ~kept() {
      if (!pool->busy()) delete pool;  // else this is exit() from inside a launch, whose threads cannot be waited for
    }
  };
  static kept const process;
  auto const threads = static_cast<std::int64_t>(shape.blocks) * shape.threads;
  char what[128];
  if (threads > most_threads) {
    std::snprintf(what, sizeof what, "a simulated grid of %lld threads: the thread engine runs at most %d",
                  static_cast<long long>(threads), most_threads);
    preduce::detail::fail(error_code::unsupported, {}, what, "use fewer or smaller blocks, or fibers");
  }
  thread_crew all(shape, body, run);
  try {
    process.pool->run(
        static_cast<int>(threads), [](void* context, int index) { static_cast<thread_crew*>(context)->work(index); },
        &all);
  } catch (std::system_error const& refusal) {
    std::snprintf(what, sizeof what, "the host gives no %lld threads (%s)", static_cast<long long>(threads),
                  refusal.what());
    preduce::detail::fail(error_code::unsupported, {}, what, "use fewer or smaller blocks, or fibers");
  }
  all.rethrow_fault();
}

}  // namespace preduce::simt::internal

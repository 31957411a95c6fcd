// The fiber engine: every simulated thread is a fiber of the calling host thread and runs until it meets a barrier,
// yields or ends. One host thread, one seed: one schedule.
//
// The functions marked no_sanitize("thread") are the scheduler. Its data passes from fiber to fiber with no order that
// ThreadSanitizer may know of, so they touch plain pointers and numbers only: a library template called here would be
// instrumented, and reported.

#include <preduce/errors.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "../sanitizers.hpp"
#include "engine.hpp"
#include "fiber.hpp"
#include "grid_memory.hpp"
#include "ready_ring.hpp"

namespace preduce::simt::internal {
namespace {

// ThreadSanitizer holds 8128 threads and fibers; a plain process 65530 mappings (vm.max_map_count), two for each stack.
constexpr int most_fibers = PREDUCE_UNDER_TSAN ? 8000 : 16384;
std::atomic<int> fibers_of_process{0};

struct barrier;

struct fiber : thread_state {
  fiber_stack stack;
  barrier* at[meeting_kinds] = {};
  barrier* waits_at = nullptr;
  fiber* next_waiter = nullptr;
};

struct barrier {
  meeting kind{};
  int members = 0;
  int arrived = 0;
  fiber* left_by = nullptr;  // a member that has ended
  unsigned int generation = 0;
  // What ThreadSanitizer hangs the happens-before on. Two, used by turns: a thread that is already at the next barrier
  // would otherwise release into what a slower one of this barrier has yet to acquire.
  char order[2] = {};
  fiber* first_waiter = nullptr;
  fiber* last_waiter = nullptr;
};

class fiber_crew final : public crew {
 public:
  fiber_crew() = default;
  fiber_crew(fiber_crew const&) = delete;
  fiber_crew& operator=(fiber_crew const&) = delete;
  ~fiber_crew() { fibers_of_process -= static_cast<int>(fibers_.size()); }

  void run(std::uint64_t seed, grid_shape const&, void const* body, entry);
  [[nodiscard]] bool running() const { return running_; }

  void meet(thread_state&, meeting) override;
  void yield(thread_state&) override;

 private:
  static void fiber_main(unsigned int high, unsigned int low);
  void grow(std::int64_t count);
  void seat_all(grid_shape const&);
  void run_body(fiber&);
  void leave(fiber&);
  void complete(barrier&);
  void suspend(fiber&);
  void report(barrier&, fiber* waiter, fiber* missing);
  void report_stuck();
  void fault(std::exception_ptr);

  fiber** fiber_at_ = nullptr;  // fiber_pointers_, as the scheduler may see it
  int count_ = 0;
  int alive_ = 0;
  ready_ring<fiber> ready_;
  bool failed_ = false;
  bool running_ = false;
  char launched_ = 0, finished_ = 0;  // what ThreadSanitizer hangs the launch's own order on

  void const* body_ = nullptr;
  entry entry_ = nullptr;
  std::exception_ptr first_fault_;
  continuation host_;

  grid_memory memory_;
  std::vector<barrier> barriers_;
  std::vector<std::unique_ptr<fiber>> fibers_;
  std::vector<fiber*> fiber_pointers_;
};

// ---- a launch, on the host thread

void fiber_crew::grow(std::int64_t count) {
  std::int64_t const more = count - static_cast<std::int64_t>(fibers_.size());
  if (more <= 0) return;
  if (fibers_of_process.load() + more > most_fibers) {
    char what[128];
    std::snprintf(what, sizeof what, "a simulated grid of %lld threads: a process can have %d fibers%s",
                  static_cast<long long>(count), most_fibers, PREDUCE_UNDER_TSAN ? " under ThreadSanitizer" : "");
    preduce::detail::fail(error_code::unsupported, {}, what,
                          "use fewer or smaller blocks; fibers kept by other host threads count too");
  }
  fibers_.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < more; ++i) {
    auto made = std::make_unique<fiber>();
    if (!made->stack.start(fiber_main, made.get())) {
      preduce::detail::fail(error_code::unsupported, {}, "no memory for the stacks of the simulated threads",
                            "use fewer or smaller blocks");
    }
    fibers_.push_back(std::move(made));
    ++fibers_of_process;
  }
}

void fiber_crew::seat_all(grid_shape const& shape) {
  int const warps = shape.threads / warp_size;
  int const per_block = 1 + 2 * warps;
  barriers_.assign(static_cast<std::size_t>(per_block) * static_cast<std::size_t>(shape.blocks) + 1, barrier{});
  barrier* const grid = &barriers_.back();
  *grid = {.kind = meeting::grid, .members = count_};
  for (int block = 0; block < shape.blocks; ++block) {
    barrier* const own = barriers_.data() + static_cast<std::ptrdiff_t>(block) * per_block;
    own[0] = {.kind = meeting::block, .members = shape.threads};
    std::fill(own + 1, own + 1 + warps, barrier{.kind = meeting::warp, .members = warp_size});
    std::fill(own + 1 + warps, own + per_block, barrier{.kind = meeting::shuffle, .members = warp_size});
  }
  fiber_pointers_.resize(static_cast<std::size_t>(count_));
  fiber_at_ = fiber_pointers_.data();
  for (int i = 0; i < count_; ++i) {
    fiber& each = *fibers_[static_cast<std::size_t>(i)];
    seat(each, shape, i, *this);
    memory_.hand_out(each);
    barrier* const own = barriers_.data() + static_cast<std::ptrdiff_t>(each.rank.block) * per_block;
    int const warp = each.rank.thread / warp_size;
    each.at[static_cast<int>(meeting::block)] = own;
    each.at[static_cast<int>(meeting::warp)] = own + 1 + warp;
    each.at[static_cast<int>(meeting::shuffle)] = own + 1 + warps + warp;
    each.at[static_cast<int>(meeting::grid)] = grid;
    each.waits_at = nullptr;
    fiber_at_[i] = &each;
    ready_.push(&each);
    if constexpr (PREDUCE_UNDER_TSAN) {
      char name[64];
      std::snprintf(name, sizeof name, "simulated block %d thread %d", each.rank.block, each.rank.thread);
      sanitizers::name_fiber(each.stack.here.tsan, name);
    }
  }
}

void fiber_crew::run(std::uint64_t seed, grid_shape const& shape, void const* body, entry program) {
  auto const threads = static_cast<std::int64_t>(shape.blocks) * shape.threads;
  grow(threads);
  count_ = alive_ = static_cast<int>(threads);
  memory_.prepare(shape);
  ready_.reset(count_, seed);
  seat_all(shape);
  failed_ = false;
  body_ = body;
  entry_ = program;
  running_ = true;
  host_.tsan = sanitizers::this_fiber();
  sanitizers::release(&launched_);  // with each fiber's acquire in fiber_main
  switch_to(host_, ready_.pick()->stack.here);
  sanitizers::acquire(&finished_);  // with each fiber's release in leave
  running_ = false;
  memory_.free_shared();
  if (first_fault_) std::rethrow_exception(std::exchange(first_fault_, nullptr));
}

// ---- a simulated thread

__attribute__((no_sanitize("thread"))) void fiber_crew::fiber_main(unsigned int high, unsigned int low) {
  auto const bits = static_cast<std::uint64_t>(high) << 32 | low;
  fiber& me = *reinterpret_cast<fiber*>(static_cast<std::uintptr_t>(bits));
  auto& all = static_cast<fiber_crew&>(*me.runs_in);
  // The first fiber ever entered comes from the host thread, whose stack is known only now.
  sanitizers::arrive_on_stack(nullptr, all.host_.stack.bottom ? nullptr : &all.host_.stack);
  for (;;) {  // a turn for each launch
    sanitizers::acquire(&all.launched_);
    if (!all.failed_) all.run_body(me);
    all.leave(me);
  }
}

__attribute__((noinline)) void fiber_crew::run_body(fiber& me) {
  try {
    entry_(body_, me);
  } catch (unwinding const&) {
  } catch (...) {
    fault(std::current_exception());
  }
}

__attribute__((no_sanitize("thread"))) void fiber_crew::leave(fiber& me) {
  if (!failed_) {
    for (barrier* each : me.at) {
      each->left_by = &me;
      if (each->arrived > 0) {
        report(*each, each->first_waiter, &me);
        break;
      }
    }
  }
  --alive_;
  fiber* next = ready_.pick();
  if (!next && alive_ > 0) {
    report_stuck();
    next = ready_.pick();
  }
  sanitizers::release(&finished_);  // last: a fault reported here must be the host's to read
  switch_to(me.stack.here, next ? next->stack.here : host_);
}

__attribute__((no_sanitize("thread"))) void fiber_crew::meet(thread_state& state, meeting kind) {
  if (failed_) throw unwinding{};
  fiber& me = static_cast<fiber&>(state);
  barrier& here = *me.at[static_cast<int>(kind)];
  void* const order = &here.order[here.generation & 1];
  if (kind != meeting::shuffle) sanitizers::release(order);
  ++here.arrived;
  if (here.left_by) {
    report(here, &me, here.left_by);
  } else if (here.arrived == here.members) {
    complete(here);
    if (ready_.seeded()) {  // else the last to arrive would always be the first to go on
      ready_.push(&me);
      suspend(me);
    }
  } else {
    me.waits_at = &here;
    me.next_waiter = nullptr;
    (here.last_waiter ? here.last_waiter->next_waiter : here.first_waiter) = &me;
    here.last_waiter = &me;
    suspend(me);
  }
  if (failed_) throw unwinding{};
  if (kind != meeting::shuffle) sanitizers::acquire(order);
}

__attribute__((no_sanitize("thread"))) void fiber_crew::yield(thread_state& state) {
  if (failed_) throw unwinding{};
  fiber& me = static_cast<fiber&>(state);
  ready_.push(&me);
  suspend(me);
  if (failed_) throw unwinding{};
}

// ---- the scheduler

__attribute__((no_sanitize("thread"))) void fiber_crew::complete(barrier& done) {
  done.arrived = 0;
  ++done.generation;
  for (fiber* each = done.first_waiter; each; each = each->next_waiter) {
    each->waits_at = nullptr;
    ready_.push(each);
  }
  done.first_waiter = done.last_waiter = nullptr;
}

/// Lets others run until `me`, which is in the ready ring or waits at a barrier, is picked.
__attribute__((no_sanitize("thread"))) void fiber_crew::suspend(fiber& me) {
  fiber* next = ready_.pick();
  if (!next) {
    report_stuck();
    next = ready_.pick();
  }
  if (next != &me) switch_to(me.stack.here, next->stack.here);
}

// ---- failure

/// Nobody can run, and not all have ended: every thread left waits at a barrier that will never be complete.
__attribute__((no_sanitize("thread"))) void fiber_crew::report_stuck() {
  fiber* waiter = nullptr;
  for (int i = 0; i < count_ && !waiter; ++i) {
    if (fiber_at_[i]->waits_at) waiter = fiber_at_[i];
  }
  barrier* const stuck = waiter->waits_at;
  int const kind = static_cast<int>(stuck->kind);
  fiber* missing = waiter;
  for (int i = 0; i < count_; ++i) {
    if (fiber_at_[i]->at[kind] == stuck && fiber_at_[i]->waits_at != stuck) {
      missing = fiber_at_[i];
      break;
    }
  }
  report(*stuck, waiter, missing);
}

__attribute__((no_sanitize("thread"))) void fiber_crew::report(barrier& stuck, fiber* waiter, fiber* missing) {
  fault(divergence(stuck.kind, stuck.arrived, stuck.members, waiter->rank, missing->rank));
}

/// Keeps the first failure and wakes everyone, to be unwound.
__attribute__((no_sanitize("thread"))) void fiber_crew::fault(std::exception_ptr what) {
  if (failed_) return;
  failed_ = true;
  first_fault_ = std::move(what);
  for (int i = 0; i < count_; ++i) {
    if (!fiber_at_[i]->waits_at) continue;
    fiber_at_[i]->waits_at = nullptr;
    ready_.push(fiber_at_[i]);
  }
}

}  // namespace

void launch_on_fibers(std::uint64_t seed, grid_shape const& shape, void const* body, entry run) {
  struct kept {
    std::unique_ptr<fiber_crew> crew;
    ~kept() {
      if (crew && crew->running()) crew.release();  // exit() from inside a fiber, which stands on a stack to be freed
    }
  };
  thread_local kept mine;
  if (!mine.crew) mine.crew = std::make_unique<fiber_crew>();
  inside_launch const mark;
  mine.crew->run(seed, shape, body, run);
}

}  // namespace preduce::simt::internal

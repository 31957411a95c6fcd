#pragma once
// One fiber: a stack and a saved point of execution, with what the sanitizers must be told when it is entered or left.

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

#include "../sanitizers.hpp"

namespace preduce::simt::internal {

/// The C++ runtime's record of exceptions in flight (Itanium C++ ABI, 2.2.2). It belongs to the host thread, so each
/// fiber's is swapped in and out; otherwise a barrier inside a catch block would mix up two fibers' exceptions.
struct exceptions_in_flight {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

/// A place that can be left and come back to: a fiber, or the host thread that runs them.
struct continuation {
  ucontext_t registers{};
  exceptions_in_flight exceptions;
  void* tsan = nullptr;
  void* fake_stack = nullptr;
  sanitizers::stack_bounds stack;
};

/// Not seen by ThreadSanitizer, like all that decides who runs: the schedule is no order that a kernel may rely on.
__attribute__((no_sanitize("thread"), noinline)) inline void switch_to(continuation& from, continuation& to) {
  auto* const exceptions = reinterpret_cast<exceptions_in_flight*>(abi::__cxa_get_globals());
  from.exceptions = *exceptions;
  *exceptions = to.exceptions;
  sanitizers::leave_stack(&from.fake_stack, to.stack);
  sanitizers::enter_fiber(to.tsan);
  swapcontext(&from.registers, &to.registers);
  sanitizers::arrive_on_stack(from.fake_stack);
}

/// A continuation with a stack of its own, whose end is guarded by a page that faults. `main` is entered by the first
/// switch and must never return.
class fiber_stack {
 public:
  static constexpr std::size_t usable_bytes = 128 * 1024;

  fiber_stack() = default;
  fiber_stack(fiber_stack const&) = delete;
  fiber_stack& operator=(fiber_stack const&) = delete;

  /// False where the host has no more memory or mappings to give.
  bool start(void (*main)(unsigned int high, unsigned int low), void* argument) {
    std::size_t const guard = page_bytes();
    void* const pages = mmap(nullptr, guard + usable_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (pages == MAP_FAILED) return false;
    mapped_ = static_cast<char*>(pages);
    if (mprotect(mapped_, guard, PROT_NONE) != 0) return false;
    here.stack = {.bottom = mapped_ + guard, .bytes = usable_bytes};
    getcontext(&here.registers);
    here.registers.uc_stack.ss_sp = mapped_ + guard;
    here.registers.uc_stack.ss_size = usable_bytes;
    // makecontext hands over ints only.
    auto const bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(argument));
    makecontext(&here.registers, reinterpret_cast<void (*)()>(main), 2, static_cast<unsigned int>(bits >> 32),
                static_cast<unsigned int>(bits));
    // AddressSanitizer's swapcontext clears the red zones of the stack it finds here, at every switch. With none to be
    // found they stay, and a switch costs less than half.
    here.registers.uc_stack.ss_size = 0;
    here.tsan = sanitizers::make_fiber();
    return true;
  }

  ~fiber_stack() {
    if (here.tsan) sanitizers::destroy_fiber(here.tsan);
    if (!mapped_) return;
    if (here.stack.bottom) sanitizers::forget_stack(here.stack);
    munmap(mapped_, page_bytes() + usable_bytes);
  }

  continuation here;

 private:
  static std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

  char* mapped_ = nullptr;
};

}  // namespace preduce::simt::internal

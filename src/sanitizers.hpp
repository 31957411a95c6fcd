#pragma once
// What the compiled part tells ThreadSanitizer and AddressSanitizer. In a plain build every function here does nothing.

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#  define PREDUCE_UNDER_TSAN 1
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#    define PREDUCE_UNDER_TSAN 1
#  endif
#endif
#ifndef PREDUCE_UNDER_TSAN
#  define PREDUCE_UNDER_TSAN 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#  define PREDUCE_UNDER_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define PREDUCE_UNDER_ASAN 1
#  endif
#endif
#ifndef PREDUCE_UNDER_ASAN
#  define PREDUCE_UNDER_ASAN 0
#endif

#if PREDUCE_UNDER_TSAN
#  include <sanitizer/tsan_interface.h>
#endif
#if PREDUCE_UNDER_ASAN
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif

namespace preduce::sanitizers {

struct stack_bounds {
  void const* bottom = nullptr;
  std::size_t bytes = 0;
};

// ThreadSanitizer: a release at an address happens before each later acquire at it.
inline void release([[maybe_unused]] void* address) {
#if PREDUCE_UNDER_TSAN
  __tsan_release(address);
#endif
}

inline void acquire([[maybe_unused]] void* address) {
#if PREDUCE_UNDER_TSAN
  __tsan_acquire(address);
#endif
}

// ThreadSanitizer's view of a fiber: a thread of its own.
inline void* make_fiber() {
#if PREDUCE_UNDER_TSAN
  return __tsan_create_fiber(0);
#else
  return nullptr;
#endif
}

inline void destroy_fiber([[maybe_unused]] void* fiber) {
#if PREDUCE_UNDER_TSAN
  __tsan_destroy_fiber(fiber);
#endif
}

inline void name_fiber([[maybe_unused]] void* fiber, [[maybe_unused]] char const* name) {
#if PREDUCE_UNDER_TSAN
  __tsan_set_fiber_name(fiber, name);
#endif
}

inline void* this_fiber() {
#if PREDUCE_UNDER_TSAN
  return __tsan_get_current_fiber();
#else
  return nullptr;
#endif
}

// Without the flag, the switch itself would order all that ran before it, and no race would ever be seen. Inlined
// always: a function entered as one fiber and left as another unbalances ThreadSanitizer's record of both call stacks.
__attribute__((always_inline, no_sanitize("thread"))) inline void enter_fiber([[maybe_unused]] void* fiber) {
#if PREDUCE_UNDER_TSAN
  __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
#endif
}

// AddressSanitizer: called before and after a change of stacks. `fake` keeps the left stack's fake frames.
inline void leave_stack([[maybe_unused]] void** fake, [[maybe_unused]] stack_bounds const& to) {
#if PREDUCE_UNDER_ASAN
  __sanitizer_start_switch_fiber(fake, to.bottom, to.bytes);
#endif
}

inline void arrive_on_stack([[maybe_unused]] void* fake, [[maybe_unused]] stack_bounds* from = nullptr) {
#if PREDUCE_UNDER_ASAN
  __sanitizer_finish_switch_fiber(fake, from ? &from->bottom : nullptr, from ? &from->bytes : nullptr);
#endif
}

// Before a stack is unmapped: whatever is mapped there next must not inherit its red zones.
inline void forget_stack([[maybe_unused]] stack_bounds const& stack) {
#if PREDUCE_UNDER_ASAN
  __asan_unpoison_memory_region(stack.bottom, stack.bytes);
#endif
}

}  // namespace preduce::sanitizers

#pragma once
// The simulated machine: runs a kernel body once for every simulated thread of a grid, on the CPU. Compiled in
// src/simt; policies reach it through contexts/simt_host.hpp.

#include <preduce/config.hpp>

#include <cstddef>
#include <cstdint>

namespace preduce::simt {

/// How simulated threads are carried. `fibers`: on the calling host thread, switched at barriers only, the schedule
/// reproducible from a seed. `threads`: each by a pooled host thread of its own.
enum class engine : std::uint8_t { fibers, threads };

inline constexpr int warp_size = 32;

/// A grid. `threads` a block is a multiple of 32; `shared_bytes` is the dynamic shared memory of one block.
struct grid_shape {
  int blocks = 1;
  int threads = warp_size;
  std::size_t shared_bytes = 0;
};

/// Which engine, and the seed of the fiber engine's schedule (0: round robin).
struct machine {
  engine kind = engine::fibers;
  std::uint64_t seed = 0;
};

/// One simulated thread as the engine sees it. Opaque to kernel bodies.
struct thread_state;

/// The body of one simulated thread.
using entry = void (*)(void const* body, thread_state& self);

/// Runs `run(body, self)` for every thread of the grid; returns when all have finished. Any number of host threads may
/// call it at once (the thread engine takes them in turn); a body may not. A barrier that only some of its threads
/// reach is reported as `preduce::error`; a spin-wait that never ends is not. The first exception that leaves a body is
/// rethrown here, after the other threads have been unwound: their next barrier or `yield` throws something that a
/// `catch (...)` should let pass. A process can have 16384 fibers, 8000 under ThreadSanitizer (about 1 MB each), with a
/// stack of 128 KiB; a launch on the thread engine can have 4096 threads.
PREDUCE_API void launch(machine, grid_shape const&, void const* body, entry run);

struct ranks {
  int thread, block, threads, blocks;
};
PREDUCE_API ranks ranks_of(thread_state const&) noexcept;
/// Aligned to 64; shared by the threads of one block; every byte is 0xff (NaN, -1) when a launch begins.
PREDUCE_API std::byte* shared_memory(thread_state&) noexcept;

/// An atomic increment of *counter that wraps to 0 after `limit`; returns the value before. `ordered`: acquire and
/// release, else relaxed, for tests that plant a fault.
PREDUCE_API unsigned increment_wrapping(unsigned* counter, unsigned limit, bool ordered = true) noexcept;
PREDUCE_API void store_release(std::uint64_t* flag, std::uint64_t value) noexcept;
PREDUCE_API void store_relaxed(std::uint64_t* word, std::uint64_t value) noexcept;
[[nodiscard]] PREDUCE_API std::uint64_t load_relaxed(std::uint64_t const* word) noexcept;
/// An atomic compare-and-swap of 4, 8 or 16 bytes, relaxed: where *word holds *expected it becomes *desired; *expected
/// becomes what it held.
PREDUCE_API void compare_exchange(void* word, void* expected, void const* desired, std::size_t bytes) noexcept;

PREDUCE_API void sync_block(thread_state&);  ///< a barrier; ThreadSanitizer sees happens-before
PREDUCE_API void sync_warp(thread_state&);   ///< the same among the 32 threads of a warp
PREDUCE_API void sync_grid(thread_state&);   ///< the same among all threads of the grid
PREDUCE_API void yield(thread_state&);       ///< lets others run: every spin-wait in a body calls it

/// Every thread of the warp offers `bytes` at `mine` and receives what lane `source` offered (its own, where source is
/// outside 0..31). All lanes offer the same number of bytes, at most 1024. Waits for the warp, but gives no
/// happens-before: CUDA's shuffles promise none.
PREDUCE_API void exchange(thread_state&, void const* mine, void* theirs, std::size_t bytes, int source);

}  // namespace preduce::simt

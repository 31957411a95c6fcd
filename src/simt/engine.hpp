#pragma once
// What the two engines of the simulated machine share: a simulated thread, the barriers it can meet others at, and how
// a launch fails.

#include <preduce/simt.hpp>

#include <cstddef>
#include <exception>

namespace preduce::simt {
namespace internal {

/// Where simulated threads wait for each other. A shuffle has a barrier of its own: it orders nothing, and a lane in a
/// shuffle does not meet a lane in sync_warp.
enum class meeting : std::uint8_t { warp, shuffle, block, grid };
inline constexpr int meeting_kinds = 4;

/// One engine during one launch. Both functions throw `unwinding` once the launch has failed.
class crew {
 public:
  virtual void meet(thread_state&, meeting) = 0;
  virtual void yield(thread_state&) = 0;

 protected:
  ~crew() = default;
};

/// Thrown out of a barrier to end a simulated thread whose launch has failed elsewhere. Never leaves launch.
struct unwinding {};

}  // namespace internal

struct thread_state {
  ranks rank{};
  internal::crew* runs_in = nullptr;
  std::byte* shared = nullptr;  // of its block
  std::byte* offers = nullptr;  // of its warp: two buffers, used by turns
  int turn = 0;
};

namespace internal {

void launch_on_fibers(std::uint64_t seed, grid_shape const&, void const* body, entry run);
void launch_on_threads(grid_shape const&, void const* body, entry run);

/// Marks the host thread as running simulated threads, where no launch may start.
class inside_launch {
 public:
  inside_launch() noexcept;
  ~inside_launch();
  inside_launch(inside_launch const&) = delete;
  inside_launch& operator=(inside_launch const&) = delete;
};

/// The error for a barrier at which `arrived` of `members` threads wait, `waiter` among them, while `missing` has
/// finished or waits elsewhere.
std::exception_ptr divergence(meeting, int arrived, int members, ranks const& waiter, ranks const& missing);

/// Fills in who thread `index` of the grid is; the engine adds its own part.
inline void seat(thread_state& state, grid_shape const& shape, int index, crew& runs_in) {
  state.rank = {.thread = index % shape.threads,
                .block = index / shape.threads,
                .threads = shape.threads,
                .blocks = shape.blocks};
  state.runs_in = &runs_in;
  state.turn = 0;
}

}  // namespace internal
}  // namespace preduce::simt

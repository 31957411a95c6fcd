#pragma once
// Everything that is decided before a launch. Making a plan is pure: a function of the request alone, for any device,
// with none at hand. The canonical order is fixed, so no plan can change an answer.

#include <preduce/device_facts.hpp>
#include <preduce/errors.hpp>
#include <preduce/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace preduce {

/// What a policy promises about the bits of a result.
enum class determinism : std::uint8_t {
  portable,    ///< the same on every machine, under every portable policy
  run_to_run,  ///< the same each time on one machine with one launch
  none,
};

/// How the blocks of a GPU policy come to one value.
enum class grid_algorithm : std::uint8_t {
  second_kernel,  ///< two_pass
  last_ticket,    ///< last_block
  look_back,      ///< look_back
  grid_barrier,   ///< grid_sync
  one_thread,     ///< single_thread
  classic,        ///< a rung of the classic ladder, as its classic_facts say
  automatic,      ///< two_pass, look_back or last_block: the planner picks
};

/// Shared memory of a rung's block in front of its values: what thread 0 tells the block. Their alignment, too.
inline constexpr std::size_t rung_answer_bytes = 64;

/// What a rung of the classic ladder asks of its launch.
struct classic_facts {
  int elements_a_thread = 1;  ///< 0: as many as it takes, in a loop over the grid
  int shared_values = 0;      ///< values of shared memory a thread; 0: one a warp
  bool second_kernel = false;
  bool one_block = false;
  bool vectors = false;  ///< 16-byte loads where the elements allow it
};

/// Words of 8 bytes that announce a partial of so many bytes (stages/look_back.hpp); 0: too large.
constexpr int announcing_words(int value_bytes) {
  return value_bytes <= 4 ? 1 : value_bytes <= 8 ? 2 : value_bytes <= 16 ? 4 : 0;
}
/// Of those a thread of the block that looks back watches at most so many, and a call has at most so many bytes.
inline constexpr int watched_words = 8;
inline constexpr std::size_t most_announced_bytes = 32768;

/// Bytes of device memory that a call's launches share.
struct workspace_size {
  std::size_t partials = 0;
  std::size_t announced = 0;  ///< zero between calls

  [[nodiscard]] constexpr bool none() const { return partials == 0 && announced == 0; }
  [[nodiscard]] bool operator==(workspace_size const&) const = default;
};

/// The user's options; 0 leaves the choice to the planner.
struct grid_options {
  int block_threads = 0;                     ///< a multiple of 32, at most 1024
  int max_blocks = 0;                        ///< upper bound of the grid
  int unit_lanes = 0;                        ///< lanes of a unit: a power of two from 32 to 4096
  determinism at_least = determinism::none;  ///< a policy that promises less refuses
  bool overlap_previous = false;             ///< the first kernel may start before the stream's previous one has ended

  [[nodiscard]] bool operator==(grid_options const&) const = default;
};

/// What the planner knows of the elements.
struct element_facts {
  int element_bytes = 0;  ///< as read; for a functor, of its value
  int value_bytes = 0;    ///< of the accumulator
  int chunk_lanes = 0;    ///< lanes that a warp folds at a time
  int vector = 1;         ///< elements a load takes
  bool in_memory = false;
  int one_tile_rows = 0;       ///< a single tile of up to so many has kernels of its own: stages/fold_one_tile.hpp
  std::size_t slot_bytes = 0;  ///< shared memory of one set of slots, at most
};

/// The canonical order as kernels walk it.
struct grid_order {
  std::int64_t rows = 1;           ///< of a tile
  std::int64_t tile_elements = 1;  ///< rows times lanes
  std::int64_t tail_elements = 1;  ///< of the last tile
  int last_tile = 0;
  int units = 1;
  int group_bits = 0;         ///< log2 of the units of a tile
  int partial_rows = 1;       ///< tiles that a partial lane takes
  int partial_lane_bits = 0;  ///< log2 of the lanes that the partials are seen as
};

struct plan_request {
  call_context about;  ///< policy, n, type
  int skipped = 0;     ///< elements that kernels walk over before the first of the n
  element_facts element;
  grid_options options;
  device_facts device;
  bool commutative = true;
  grid_algorithm algorithm = grid_algorithm::second_kernel;
  classic_facts classic;
  bool order_free = false;  ///< every order gives the same bits: integers, minima, maxima
  bool capturing = false;   ///< the call goes into a graph
  bool fast_math = false;   ///< compiled under -ffast-math, which may change the bits
};

struct plan {
  char const* policy = "";
  std::int64_t n = 0;
  determinism bits = determinism::portable;
  grid_algorithm algorithm = grid_algorithm::second_kernel;  ///< of a GPU policy; what automatic picked
  order_shape shape;
  element_facts element;
  device_facts device;
  // GPU policies:
  grid_order order;
  int blocks = 0;
  int threads = 0;
  int finish_threads = 0;  ///< of the second kernel; 0 where the plan has none
  int kernels = 0;
  bool one_tile_code = false;      ///< the kernel for a single tile, for just these threads
  bool overlaps_previous = false;  ///< how the first kernel is launched, where the device can
  std::size_t shared_bytes = 0;
  std::size_t finish_shared_bytes = 0;
  workspace_size workspace;
  // Host policies:
  int host_threads = 0;
  // Why, one sentence each; static storage, "" where there was nothing to decide.
  char const* why_order = "";   ///< what the order is where it is not the canonical one
  char const* why_policy = "";  ///< why automatic picked what it did
  char const* why_units = "";
  char const* why_threads = "";
  char const* why_kernels = "";
};

/// The canonical order of n elements cut into `wanted` units or more, while a unit keeps least_lanes lanes and there
/// are no more than most_units. Pure.
PREDUCE_API grid_order split_order(std::int64_t n, std::int64_t wanted, int least_lanes, int most_units,
                                   bool commutative);

namespace detail {
/// What is advised where values of more than 8 bytes lack an atomic: the policies whose blocks meet without one.
inline constexpr char const* advice_without_wide_atomics =
    "use two_pass, grid_sync, last_block, look_back or automatic";

/// Refuses a call whose caller requires more of its bits than is given; fast_math: because of how it was compiled.
/// Throws unsupported.
PREDUCE_API void check_promise(call_context const& about, determinism required, determinism given, bool fast_math);

/// Whether n misaligned elements of so many bytes are read one at a time, and not by vectors that several loads make
/// up. Tuning: nothing that changes an answer. Pure.
PREDUCE_API bool reads_one_by_one(std::int64_t n, std::size_t bytes, device_facts const& device);
}  // namespace detail

/// Plans a GPU policy. Pure. Throws invalid_argument for options that no launch can have.
PREDUCE_API plan plan_grid(plan_request const&);

}  // namespace preduce

// Plans: pure functions of the request. Tuning is data, in tuning.hpp.

#include <preduce/plan.hpp>
#include <preduce/range.hpp>

#include "tuning.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace preduce {
namespace {

/// Kernels count the elements of a tile in 32 bits where these lie in memory; no memory holds more.
constexpr std::int64_t most_in_memory = std::int64_t{1} << 46;

/// Elements that kernels walk over.
std::int64_t walked(plan_request const& request) {
  return request.about.n + request.skipped;
}

int log2_of(std::int64_t power_of_two) {
  return std::countr_zero(static_cast<std::uint64_t>(power_of_two));
}

grid_order cut(order_shape const& shape, std::int64_t n, int group_bits, bool commutative) {
  grid_order order;
  order.rows = shape.rows;
  order.tile_elements = shape.rows * order_lanes;
  order.last_tile = static_cast<int>(shape.tiles - 1);
  order.tail_elements = n - order.last_tile * order.tile_elements;
  order.group_bits = group_bits;
  // All units of the whole tiles, and those of the last that have an element.
  std::int64_t const lanes_used = commutative ? order.tail_elements : detail::ceil_div(order.tail_elements, shape.rows);
  std::int64_t const present = std::clamp<std::int64_t>(lanes_used, 1, order_lanes);
  order.units =
      (order.last_tile << group_bits) + static_cast<int>(detail::ceil_div(present, order_lanes >> group_bits));
  bool const dealt = shape.tiles > order_partial_lanes;  // then group_bits is 0: a partial is a whole tile
  order.partial_rows = dealt ? static_cast<int>(shape.partial_rows) : 1;
  order.partial_lane_bits =
      dealt ? log2_of(order_partial_lanes) : static_cast<int>(std::bit_width(static_cast<unsigned>(order.units - 1)));
  return order;
}

/// Finer cuts that keep the partials one tree: no more units than a tile has lanes, and none beyond order_partial_lanes
/// tiles.
bool may_cut(order_shape const& shape, int group_bits, int least_lanes, std::int64_t most_units) {
  return shape.tiles <= order_partial_lanes && (order_lanes >> group_bits) >= least_lanes &&
         (shape.tiles << group_bits) <= most_units;
}

std::int64_t announced_words(plan const& made) {
  return std::int64_t{made.order.units} * announcing_words(made.element.value_bytes);
}

std::size_t announced_bytes(plan const& made) {
  return static_cast<std::size_t>(detail::ceil_div(announced_words(made), 2)) * 16;  // they are read in pairs
}

/// The least block size whose threads can watch all partials.
int threads_to_watch(plan const& made) {
  return static_cast<int>(detail::ceil_div(detail::ceil_div(announced_words(made), watched_words), 32) * 32);
}

/// Why a block cannot watch the partials, which then would be one tree; null where it can.
char const* why_not_watched(plan const& made) {
  if (announcing_words(made.element.value_bytes) == 0)
    return "values too large to announce: the block that draws the last ticket folds the partials";
  if (made.order.partial_rows > 1 || announced_bytes(made) > most_announced_bytes)
    return "more partials than one block watches: the block that draws the last ticket folds them";
  if (threads_to_watch(made) > made.threads)
    return "blocks too small to watch the partials: the one that draws the last ticket folds them";
  return nullptr;
}

void check_options(plan_request const& request) {
  auto const& options = request.options;
  if (options.block_threads != 0 &&
      (options.block_threads < 32 || options.block_threads > 1024 || options.block_threads % 32 != 0))
    detail::fail(error_code::invalid_argument, request.about, "the block size is not a multiple of 32 from 32 to 1024",
                 "pass one, or leave block_size() out");
  if (options.max_blocks < 0)
    detail::fail(error_code::invalid_argument, request.about, "the number of blocks is not positive",
                 "pass at least 1");
  if (options.unit_lanes != 0 && (options.unit_lanes < 32 || options.unit_lanes > order_lanes ||
                                  !std::has_single_bit(static_cast<unsigned>(options.unit_lanes))))
    detail::fail(error_code::invalid_argument, request.about, "unit_lanes is not a power of two from 32 to 4096",
                 "pass one, or leave unit_lanes() out");
}

}  // namespace

grid_order split_order(std::int64_t n, std::int64_t wanted, int least_lanes, int most_units, bool commutative) {
  auto const shape = shape_of(n);
  int bits = 0;
  while ((shape.tiles << bits) < wanted && may_cut(shape, bits + 1, least_lanes, most_units)) ++bits;
  return cut(shape, n, bits, commutative);
}

namespace {

char const* name_of(determinism bits) {
  return bits == determinism::portable ? "portable" : bits == determinism::run_to_run ? "run_to_run" : "none";
}

}  // namespace

void detail::check_promise(call_context const& about, determinism required, determinism given, bool fast_math) {
  if (given > required)  // none is the last
    detail::fail(error_code::unsupported, about,
                 (std::string("the caller requires ") + name_of(required) + " bits, and this policy gives " +
                  name_of(given) + " for this operator and type")
                     .c_str(),
                 fast_math
                     ? "compile without -ffast-math and -fassociative-math"
                     : "use two_pass, last_block, look_back, grid_sync, single_thread, automatic, serial or openmp");
}

namespace {

/// For the policies of the canonical order.
void check_promise(plan_request const& request, determinism given) {
  detail::check_promise(request.about, request.options.at_least, given, request.fast_math);
}

plan start(plan_request const& request) {
  check_options(request);
  (void)detail::checked_range(request.about.n, request.about);
  if (request.device.multiprocessors < 1)
    detail::fail(error_code::invalid_argument, request.about, "the device has no multiprocessor",
                 "fill in device_facts, or take current_device_facts()");
  if (request.element.in_memory && request.about.n > most_in_memory)
    detail::fail(error_code::invalid_argument, request.about, "more than 2^46 elements in memory",
                 "reduce them in parts");
  plan made;
  made.policy = request.about.policy;
  made.n = request.about.n;
  made.algorithm = request.algorithm;
  made.element = request.element;
  made.device = request.device;
  made.shape = shape_of(walked(request));
  if (request.fast_math) made.bits = determinism::run_to_run;
  return made;
}

void check_shared_memory(plan_request const& request, std::size_t bytes) {
  if (static_cast<std::int64_t>(bytes) > request.device.shared_bytes_per_block)
    detail::fail(error_code::unsupported, request.about, "a block's values need more shared memory than it can have",
                 "take a smaller block_size(), or two_pass, last_block or look_back, which need little");
}

/// Blocks of this size that every device can hold at a time, whatever their kernel: run_body's launch bounds leave a
/// thread at most 64 registers, and no device takes fewer than 16 blocks a multiprocessor.
std::int64_t resident_for_certain(device_facts const& device, int threads, std::size_t shared_bytes) {
  constexpr std::int64_t shared_of_the_system = 1024;
  std::int64_t const by_memory =
      device.shared_bytes_per_multiprocessor / (static_cast<std::int64_t>(shared_bytes) + shared_of_the_system);
  return device.multiprocessors * std::clamp<std::int64_t>(std::min<std::int64_t>(1024 / threads, by_memory), 1, 16);
}

plan plan_one_thread(plan_request const& request) {
  auto made = start(request);
  check_promise(request, made.bits);
  made.order = cut(made.shape, walked(request), 0, request.commutative);
  made.blocks = made.kernels = 1;
  made.threads = 32;
  made.why_units = "one thread folds them all, a few lanes at a time";
  made.why_threads = "a warp, of which one thread works";
  made.why_kernels = "one thread leaves nothing to bring together";
  return made;
}

plan plan_classic(plan_request const& request) {
  auto made = start(request);
  if (!request.classic.vectors) made.element.vector = 1;
  auto const& rung = request.classic;
  auto const& options = request.options;
  if (options.unit_lanes != 0)
    detail::fail(error_code::invalid_argument, request.about, "this policy has no units for unit_lanes() to size",
                 "leave it out, or use two_pass, last_block, look_back or grid_sync");
  made.bits = request.order_free                     ? determinism::portable
              : rung.second_kernel || rung.one_block ? determinism::run_to_run
                                                     : determinism::none;
  detail::check_promise(request.about, options.at_least, made.bits, false);  // and no other flags give more
  auto const shared_for = [&](int threads) {
    // A value a thread, with holes against bank conflicts, or one a warp.
    auto const values = static_cast<std::size_t>(rung.shared_values > 0 ? threads + threads / 32 : 32);
    return rung_answer_bytes + values * static_cast<std::size_t>(request.element.value_bytes);
  };
  auto const most_shared = static_cast<std::size_t>(request.device.shared_bytes_per_block);
  made.threads = options.block_threads != 0 ? options.block_threads : rung.one_block ? 1024 : 256;
  made.why_threads = options.block_threads != 0 ? "the caller asked for this block size" : "what textbooks take";
  while (options.block_threads == 0 && made.threads > 32 && shared_for(made.threads) > most_shared) made.threads /= 2;
  made.shared_bytes = shared_for(made.threads);
  check_shared_memory(request, made.shared_bytes);
  bool const by_atomics = !rung.second_kernel && !rung.one_block;
  if (by_atomics && request.element.value_bytes > 8 && request.device.compute_capability > 0 &&
      request.device.compute_capability < 90)
    detail::fail(error_code::unsupported, request.about, "values of more than 8 bytes need the atomics of sm_90",
                 detail::advice_without_wide_atomics);

  bool const simulated = request.device.compute_capability == 0;
  std::int64_t const span = made.threads * std::max(rung.elements_a_thread, 1);
  std::int64_t most = INT32_MAX;
  if (options.max_blocks > 0) most = options.max_blocks;
  if (rung.second_kernel) most = std::min<std::int64_t>(most, order_lanes);  // as many partials as one block folds
  if (rung.elements_a_thread == 0)
    most = std::min<std::int64_t>(most, std::int64_t{request.device.multiprocessors} *
                                            std::max(request.device.threads_per_multiprocessor / made.threads, 1));
  if (simulated) most = std::min<std::int64_t>(most, std::max(2048 / made.threads, 2));  // every thread has a stack
  if (rung.one_block) most = 1;
  made.blocks = static_cast<int>(std::clamp<std::int64_t>(detail::ceil_div(request.about.n, span), 1, most));
  made.why_order = "as the launch makes it";
  made.why_units = rung.elements_a_thread == 0 ? "threads walk the range by strides of the grid"
                                               : "a block takes as many elements at a time as its threads do";

  made.order.units = made.blocks;
  made.order.partial_lane_bits = static_cast<int>(std::bit_width(static_cast<unsigned>(made.blocks - 1)));
  made.workspace.partials = rung.one_block ? 0
                                           : static_cast<std::size_t>(rung.second_kernel ? made.blocks : 1) *
                                                 static_cast<std::size_t>(std::max(request.element.value_bytes, 16));
  made.kernels = rung.one_block ? 1 : 2;
  if (rung.second_kernel) {
    made.finish_threads = 256;
    made.finish_shared_bytes = 2 * request.element.slot_bytes;
  }
  made.why_kernels = rung.one_block       ? "one block leaves nothing to bring together"
                     : rung.second_kernel ? "a second kernel of one block folds the blocks' values"
                                          : "the first one gives the total its first value";
  return made;
}

}  // namespace

plan plan_grid(plan_request const& asked) {
  auto request = asked;
  char const* why_policy = "";
  if (request.algorithm == grid_algorithm::automatic) {
    auto const picked = detail::choice_for(request);
    request.algorithm = picked.algorithm;
    why_policy = picked.why;
  }
  bool const may_overlap = request.algorithm == grid_algorithm::second_kernel ||
                           request.algorithm == grid_algorithm::last_ticket ||
                           request.algorithm == grid_algorithm::look_back;
  if (request.options.overlap_previous && !may_overlap)
    detail::fail(error_code::unsupported, request.about, "this policy's first kernel cannot overlap the previous one",
                 "leave overlap_previous() out, or use automatic, two_pass, look_back or last_block");
  if (request.algorithm == grid_algorithm::one_thread) return plan_one_thread(request);
  if (request.algorithm == grid_algorithm::classic) return plan_classic(request);
  if (request.algorithm == grid_algorithm::grid_barrier && !request.device.cooperative_launch)
    detail::fail(error_code::unsupported, request.about, "the device has no cooperative launch",
                 "use look_back, last_block or two_pass");
  auto made = start(request);
  check_promise(request, made.bits);
  made.why_policy = why_policy;
  made.overlaps_previous = detail::overlaps_previous(request);
  auto const& element = request.element;
  auto const& options = request.options;

  auto const row = detail::tuning_for(request);
  int const chunk = element.chunk_lanes;
  int const lanes = std::max(options.unit_lanes != 0 ? options.unit_lanes : chunk * row.chunks_a_unit, chunk);
  int bits = 0;
  while ((order_lanes >> bits) > lanes && may_cut(made.shape, bits + 1, chunk, order_lanes)) ++bits;
  made.order = cut(made.shape, walked(request), bits, request.commutative);
  made.why_units =
      options.unit_lanes != 0 ? "the caller asked for units of this many lanes, as far as the order allows" : row.why;

  std::int64_t const lanes_of_unit = std::min<std::int64_t>(order_lanes >> bits, walked(request));
  int const chunks_of_unit = std::max(static_cast<int>(detail::ceil_div(lanes_of_unit, chunk)), 1);
  made.threads = options.block_threads != 0 ? options.block_threads : std::min(row.threads, 32 * chunks_of_unit);
  made.why_threads = options.block_threads != 0           ? "the caller asked for this block size"
                     : made.threads < row.threads         ? "a unit has no more chunks, and a warp takes one at a time"
                     : made.threads < 32 * chunks_of_unit ? "a warp takes a chunk at a time, several in turn"
                                                          : "a warp for each chunk of a unit";

  bool const one_tile = made.shape.tiles == 1 && made.shape.rows <= element.one_tile_rows;
  if (one_tile && bits == 0 && options.block_threads == 0) {
    made.one_tile_code = true;
    made.threads = 32 * (made.order.rows == 1 ? 8 : std::min(16, order_lanes / chunk));
    made.why_threads =
        "one tile: a warp takes several chunks side by side, which is fewer instructions than more warps";
  }

  if (request.algorithm == grid_algorithm::look_back && options.block_threads == 0 && !made.one_tile_code) {
    int const least = threads_to_watch(made);
    if (made.threads < least && least <= 1024) {
      made.threads = least;
      made.why_threads = "as many as can watch the partials";
    }
  }

  std::int64_t const resident =
      row.threads_a_multiprocessor == 0
          ? made.order.units
          : std::int64_t{request.device.multiprocessors} * std::max(row.threads_a_multiprocessor / made.threads, 1);
  std::int64_t most = options.max_blocks > 0 ? options.max_blocks : resident;
  char const* const why_not = made.algorithm == grid_algorithm::look_back ? why_not_watched(made) : nullptr;
  if (why_not != nullptr && asked.algorithm == grid_algorithm::automatic) {
    made.algorithm = grid_algorithm::second_kernel;
    made.why_policy = "one block cannot watch so many partials";
  } else if (why_not != nullptr) {
    made.algorithm = grid_algorithm::last_ticket;
  }
  made.shared_bytes = 2 * element.slot_bytes;
  check_shared_memory(request, made.shared_bytes + 16);
  if (made.algorithm == grid_algorithm::grid_barrier)
    most = std::min(most, resident_for_certain(request.device, made.threads, made.shared_bytes));
  std::int64_t const rounds = detail::ceil_div(made.order.units, most);
  made.blocks = static_cast<int>(detail::ceil_div(made.order.units, rounds));  // every block in every round

  if (made.order.units > 1 && made.algorithm == grid_algorithm::look_back)
    made.workspace.announced = announced_bytes(made);
  else if (made.order.units > 1)
    made.workspace.partials =
        static_cast<std::size_t>(made.order.units) * static_cast<std::size_t>(element.value_bytes);
  if (made.order.units == 1) {
    made.kernels = 1;
    made.why_kernels = "one unit holds all elements, so its block writes the result";
  } else if (made.algorithm == grid_algorithm::second_kernel) {
    made.kernels = 2;
    made.finish_shared_bytes = made.shared_bytes;
    int const values_a_thread = std::max(16 / element.value_bytes, 1);
    auto const useful =
        detail::ceil_div(std::min<std::int64_t>(made.order.units, order_lanes), 32 * values_a_thread) * 32;
    made.finish_threads = options.block_threads != 0 ? options.block_threads
                                                     : static_cast<int>(std::clamp<std::int64_t>(useful, 256, 1024));
    made.why_kernels = "a second kernel of one block folds the partials";
  } else if (made.algorithm == grid_algorithm::grid_barrier) {
    made.kernels = 1;
    made.why_kernels = "all blocks run at a time, meet at a barrier, and the first one folds the partials";
  } else if (made.algorithm == grid_algorithm::look_back) {
    made.kernels = 1;
    made.why_kernels = "the grid's last block folds the partials as all blocks announce them";
  } else {
    made.kernels = 1;
    made.shared_bytes += 16;  // the answer that a block's first thread shares
    made.why_kernels = why_not != nullptr ? why_not : "the block that draws the last ticket folds the partials";
  }
  return made;
}

}  // namespace preduce

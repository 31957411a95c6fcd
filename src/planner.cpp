// Plans: pure functions of the request. Tuning is data, in tuning.hpp.

#include <preduce/plan.hpp>

#include "tuning.hpp"

#include <algorithm>
#include <bit>

namespace preduce {
namespace {

/// Kernels count the elements of a tile in 32 bits where these lie in memory; no memory holds more.
constexpr std::int64_t most_in_memory = std::int64_t{1} << 46;

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

void check_options(plan_request const& request) {
  auto const& options = request.options;
  if (options.block_threads != 0 &&
      (options.block_threads < 32 || options.block_threads > 1024 || options.block_threads % 32 != 0))
    detail::fail(error_code::invalid_argument, request.about, "the block size is not a multiple of 32 from 32 to 1024",
                 "pass one, or leave block_size() out");
  if (options.max_blocks < 0)
    detail::fail(error_code::invalid_argument, request.about, "the number of blocks is negative", "pass at least 1");
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

plan plan_grid(plan_request const& request) {
  check_options(request);
  if (request.element.in_memory && request.about.n > most_in_memory)
    detail::fail(error_code::invalid_argument, request.about, "more than 2^46 elements in memory",
                 "reduce them in parts");
  auto const& element = request.element;
  auto const& options = request.options;
  plan made;
  made.policy = request.about.policy;
  made.n = request.about.n;
  made.element = element;
  made.device = request.device;
  made.shape = shape_of(request.about.n);

  auto const row = detail::tuning_for(request);
  int const chunk = element.chunk_lanes;
  int const lanes = std::max(options.unit_lanes != 0 ? options.unit_lanes : chunk * row.chunks_a_unit, chunk);
  int bits = 0;
  while ((order_lanes >> bits) > lanes && may_cut(made.shape, bits + 1, chunk, order_lanes)) ++bits;
  made.order = cut(made.shape, request.about.n, bits, request.commutative);
  made.why_units =
      options.unit_lanes != 0 ? "the caller asked for units of this many lanes, as far as the order allows" : row.why;

  std::int64_t const lanes_of_unit = std::min<std::int64_t>(order_lanes >> bits, request.about.n);
  int const chunks_of_unit = std::max(static_cast<int>(detail::ceil_div(lanes_of_unit, chunk)), 1);
  made.threads = options.block_threads != 0 ? options.block_threads : std::min(row.threads, 32 * chunks_of_unit);
  made.why_threads = options.block_threads != 0           ? "the caller asked for this block size"
                     : made.threads < row.threads         ? "a unit has no more chunks, and a warp takes one at a time"
                     : made.threads < 32 * chunks_of_unit ? "a warp takes a chunk at a time, several in turn"
                                                          : "a warp for each chunk of a unit";

  std::int64_t const resident =
      std::int64_t{request.device.multiprocessors} * std::max(row.threads_a_multiprocessor / made.threads, 1);
  std::int64_t const most = options.max_blocks > 0 ? options.max_blocks : resident;
  std::int64_t const rounds = detail::ceil_div(made.order.units, most);
  made.blocks = static_cast<int>(detail::ceil_div(made.order.units, rounds));  // every block in every round

  made.shared_bytes = 2 * element.slot_bytes;
  if (made.order.units == 1) {
    made.kernels = 1;
    made.why_kernels = "one unit holds all elements, so its block writes the result";
  } else if (request.separate_finish) {
    made.kernels = 2;
    made.finish_shared_bytes = made.shared_bytes;
    made.workspace_bytes = static_cast<std::size_t>(made.order.units) * static_cast<std::size_t>(element.value_bytes);
    int const values_a_thread = std::max(16 / element.value_bytes, 1);
    auto const useful =
        detail::ceil_div(std::min<std::int64_t>(made.order.units, order_lanes), 32 * values_a_thread) * 32;
    made.finish_threads = options.block_threads != 0 ? options.block_threads
                                                     : static_cast<int>(std::clamp<std::int64_t>(useful, 256, 1024));
    made.why_kernels = "a second kernel of one block folds the partials";
  } else {
    made.kernels = 1;
    made.shared_bytes += 16;  // the answer that a block's first thread shares
    made.workspace_bytes = static_cast<std::size_t>(made.order.units) * static_cast<std::size_t>(element.value_bytes);
    made.why_kernels = "the block that draws the last ticket folds the partials";
  }
  return made;
}

}  // namespace preduce

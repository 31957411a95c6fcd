#include "tuning.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace preduce::detail {
namespace {

/// A row holds up to `most_chunks` chunks in all; the first that fits is taken.
struct ranged_row {
  std::int64_t most_chunks;
  tuning_row row;
};

// Float32 sums on one H200 (sm_90), two_pass, GPU microseconds a call in a graph beside CUB 3.0.1's in the same run.
// Other devices use the same rows, unmeasured. docs/performance.md says how they were found.
constexpr ranged_row hopper[] = {
    // 2^16: 2.26 (CUB 2.42)
    {128, {1, 32, 2048, "few chunks: a block of one warp for each spreads them over the device"}},
    // 2^18: 2.47 (CUB 2.51)
    {256, {4, 128, 2048, "few chunks: small units spread them over the device"}},
    // 2^20: 2.90 (CUB 2.98), 3 * 10^7: 29.7 (CUB 30.4)
    {INT64_MAX, {8, 256, 1024, "units of eight chunks, small enough to share them out evenly"}},
};

// 2^24: 17.8 (CUB 17.9), 2^26: 62.1 (CUB 63.1), 10^8: 90.8 (CUB 91.7)
constexpr tuning_row large_units{
    32, 1024, 1024, "one block a multiprocessor, a unit of 32 chunks at a time, in rounds that are nearly full"};
constexpr std::int64_t large_unit_rows = 32;  // fewer rows make the tree at a unit's end a noticeable share
constexpr double nearly_full = 0.93;

// Where there are many rounds, a block for each unit: multiprocessors get unequal shares of the memory's bandwidth, by
// a half and more between small and large clusters, and when few are left at the end they do not use all of it. With an
// equal number of units each, some H200s lose 2.5% so, and others nothing; blocks that come as multiprocessors are free
// lose up to 0.7% where nothing was lost. Microseconds on three of them, equal shares / a block for each unit, CUB:
//   float32 2^28  237.7 243.7 243.5 / halves 238.9 240.4 239.8 (32 chunks: 238.8 243.7 241.2)  CUB 239.4 239.5 241.1
//   float32 2^30  936 960 959 / 935.5 937.4 937.4 (halves: 945)                                CUB 942 943 959
//   float64 2^28  470 482 482 / 471.5 472.5 471.6 (halves: 473)                                CUB 475 476 480
//   float16 2^28  122.4 123.3 124.5 / 122.3 122.9 122.6, in quarters
// Bytes lose nothing in equal shares: int8 2^30 239.7 and, on one that loses, 238.5; a block for each unit 242.4. Nor
// do structs of 12 and 24 bytes: 2^26 184.0 358.8 and, on one that loses, 185.9 358.7; a block for each unit 186.2
// 360.2.
constexpr int every_unit = 0;
constexpr tuning_row by_units{32, 1024, every_unit, "large units, many times as many as multiprocessors"};
constexpr tuning_row by_halves{16, 512, every_unit, "units of 16 chunks, many times as many as multiprocessors"};
constexpr tuning_row by_quarters{8, 256, every_unit, "units of 8 chunks, many times as many as multiprocessors"};
constexpr double many_rounds = 12, some_rounds = 6, rounds_of_two_bytes = 3;  ///< of 32 chunks a multiprocessor

// Values of more than 8 bytes, whose chunks are 32 lanes, from 2^20 elements on: fewer partials for the second kernel.
// Structs of 12, 20 and 24 bytes, 2^20: 4.71, 6.05, 6.99; in units of eight chunks 4.80, 6.64, 7.56.
constexpr tuning_row large_values{16, 256, 1024, "large values: units of sixteen chunks, for fewer partials"};
constexpr tuning_row larger_values{32, 512, 1024, "larger values: units of thirty-two chunks, for fewer partials"};
constexpr std::int64_t many_chunks = 4096;

// One kernel whose last block watches the partials: fewer of them, where eight chunks a unit make more than 64.
// 2^20: 3.07 microseconds in a graph, in units of eight chunks 3.19; 2^19: 3.07 and 2.76; 2^22: 4.65 and 4.56.
constexpr tuning_row watched{16, 512, 1024, "units of sixteen chunks: half the partials to watch"};
constexpr std::int64_t least_watched_chunks = 513, most_watched_chunks = 1024;

// The simulated machine: small, so that a check is quick, and cut finely, so that few elements already use several
// blocks.
constexpr tuning_row simulated{2, 64, 128, "a small machine, cut finely so that few elements use several blocks"};

/// Rows that one block folds faster than several blocks and a second kernel would, without code of its own for it.
/// Locations of float32 at 2^14, four rows: 3.7 in one block of 1024 threads, 2.6 in blocks of one warp.
constexpr std::int64_t most_rows_of_one_block = 2;
constexpr tuning_row one_block{order_lanes, 1024, 1024, "one tile: one block reads all its rows in one round"};

/// The row for many rounds, or null where equal shares are as good or larger values were not measured. Functors and
/// values of more than 8 bytes were measured in whole units only: sums of a functor, 2^28, 241.8 either way, locations
/// of float32 247.6 and 248.6. On 132 multiprocessors elements of 4 bytes have rounds enough from 2.08 * 10^8 on, up to
/// 2^28 in halves; those of 8 bytes from 1.04 * 10^8, up to 2.08 * 10^8 in halves; those of 2 bytes from 2.08 * 10^8.
tuning_row const* a_block_for_each_unit(plan_request const& request, order_shape const& shape, std::int64_t chunks) {
  if (request.algorithm == grid_algorithm::grid_barrier) return nullptr;  // whose blocks all run at a time
  auto const& element = request.element;
  if (element.value_bytes > 16 || !std::has_single_bit(static_cast<unsigned>(element.value_bytes))) return nullptr;
  double const rounds = static_cast<double>(chunks) / (32.0 * request.device.multiprocessors);
  bool const in_parts = element.value_bytes <= 8 && element.in_memory && shape.tiles <= order_partial_lanes;
  if (element.chunk_lanes > 128) {
    bool const aligned = element.one_tile_rows > 0;  // float16 2^29 one element off: 240.3 in equal shares, else 247.6
    return element.element_bytes == 2 && in_parts && aligned && rounds >= rounds_of_two_bytes ? &by_quarters : nullptr;
  }
  if (rounds < some_rounds) return nullptr;
  return rounds < many_rounds && in_parts ? &by_halves : &by_units;
}

}  // namespace

tuning_row tuning_for(plan_request const& request) {
  if (request.device.compute_capability == 0) return simulated;
  auto const shape = shape_of(request.about.n + request.skipped);
  if (shape.tiles == 1 && shape.rows <= std::max<std::int64_t>(request.element.one_tile_rows, most_rows_of_one_block))
    return one_block;
  // What is skipped before the first element is no more work, even where it makes one more tile.
  std::int64_t const chunks = shape_of(request.about.n).tiles * (order_lanes / request.element.chunk_lanes);
  if (shape.rows >= large_unit_rows) {
    if (auto const* row = a_block_for_each_unit(request, shape, chunks)) return *row;
    // The last round of blocks decides: 229 units for 132 multiprocessors would leave a good part of them idle in it.
    auto const units = ceil_div(chunks, large_units.chunks_a_unit);
    auto const places = ceil_div(units, request.device.multiprocessors) * request.device.multiprocessors;
    if (static_cast<double>(units) >= nearly_full * static_cast<double>(places)) return large_units;
  }
  if (request.element.chunk_lanes == 32 && request.element.value_bytes > 8 && chunks >= many_chunks)
    return request.element.value_bytes <= 16 ? large_values : larger_values;
  if (request.algorithm == grid_algorithm::look_back && chunks >= least_watched_chunks && chunks <= most_watched_chunks)
    return watched;
  for (auto const& ranged : hopper) {
    if (chunks <= ranged.most_chunks) return ranged.row;
  }
  return std::rbegin(hopper)->row;
}

bool reads_one_by_one(std::int64_t n, std::size_t bytes, device_facts const& device) {
  // Of the aligned sum's speed on one H200, float32 at 2^20 / 2^22 / 2^24 / 2^28: one by one 0.95 / 0.95 / 0.93 / 0.98,
  // by vectors 0.91 / 0.87 / 0.94 / 0.99; float16 at 2^20 / 2^22 / 2^24 / 2^29: 0.98 / 0.89 / 0.81 / 0.78 and 0.87 /
  // 0.86 / 0.95 / 0.99. Where the loads' latency is what takes time, fewer of the first-level cache's cycles count.
  // Other devices are unmeasured.
  constexpr std::int64_t most_bytes = std::int64_t{16} << 20;
  if (device.compute_capability == 0) return n / 2 % 2 == 0;  // the simulated machine: both, at all sizes
  return n <= most_bytes / static_cast<std::int64_t>(bytes);
}

choice choice_for(plan_request const& request) {
  // Microseconds a call on one H200, float32 sums. In a graph two_pass / last_block / look_back take 2.16 / 3.03 / 2.21
  // at 2^16, 2.83 / 3.69 / 3.07 at 2^20, 6.4 / 7.3 / 6.4 at 2^23; where calls overlap two_pass / look_back 1.82 / 1.74,
  // 2.52 / 2.52 and 6.1 / 5.8; issued on a stream 6.6 / 3.9 / 3.7, 6.4 / 4.5 / 3.9 and 7.4 / 8.2 / 7.4.
  constexpr std::int64_t worth_a_launch = std::int64_t{32} << 20;  // bytes that take longer to read than to launch for
  bool const announces = announcing_words(request.element.value_bytes) > 0;
  if (request.capturing && !(announces && overlaps_previous(request)))
    return {grid_algorithm::second_kernel, "in a graph a second kernel costs less than to watch or to draw tickets"};
  if (request.about.n > worth_a_launch / (request.element.element_bytes > 0 ? request.element.element_bytes : 1))
    return {grid_algorithm::second_kernel, "reading takes longer than two launches, and the second kernel is quicker"};
  return {announces ? grid_algorithm::look_back : grid_algorithm::last_ticket,
          request.capturing ? "calls that overlap hide a launch, not a second kernel"
                            : "the launch is what takes time, and one is enough"};
}

}  // namespace preduce::detail

#include "tuning.hpp"

#include <iterator>

namespace preduce::detail {
namespace {

/// A row holds up to `most_chunks` chunks in all and `most_rows` rows a tile; the first that fits is taken.
struct ranged_row {
  std::int64_t most_chunks;
  std::int64_t most_rows;
  tuning_row row;
};

constexpr std::int64_t any = INT64_MAX;

// Float32 sums on one H200 (sm_90), GPU microseconds a call in a graph, two_pass: the row's choice and the best of the
// sweep (perf/order_sweep.cu; perf/results/h200/order_sweep_4096.csv). Other devices use the same rows, unmeasured.
constexpr ranged_row hopper[] = {
    // 2^16: 2.34 of 2.34, 2^17: 2.40 of 2.40
    {128, any, {1, 32, 2048, "few chunks: a block of one warp for each spreads them over the device"}},
    // 2^18: 2.57 of 2.57, 2^20: 2.95 of 2.95, 2^22: 4.73 of 4.58, 2^24: 17.7 of 17.5, 3 * 10^7: 29.7 of 29.7
    {any,
     32,
     {8, 256, 1024,
      "small units of eight chunks keep the last round full, and half the resident threads fill the memory system"}},
    // 10^8: 90.1 of 89.9, 2 * 10^8: 175.1 of 175.1, 2^28: 234.0 of 233.3
    {any, any, {16, 512, 1024, "many rows a tile: larger units, and half the resident threads fill the memory system"}},
};

// The simulated machine: small, so that a check is quick, and cut finely, so that few elements already use several
// blocks.
constexpr tuning_row simulated{2, 64, 128, "a small machine, cut finely so that few elements use several blocks"};

constexpr tuning_row one_block{order_lanes, 1024, 1024, "one tile: one block reads all its rows in one round"};

}  // namespace

tuning_row tuning_for(plan_request const& request) {
  if (request.device.compute_capability == 0) return simulated;
  auto const shape = shape_of(request.about.n);
  if (shape.tiles == 1) return one_block;
  std::int64_t const chunks = shape.tiles * (order_lanes / request.element.chunk_lanes);
  for (auto const& ranged : hopper) {
    if (chunks <= ranged.most_chunks && shape.rows <= ranged.most_rows) return ranged.row;
  }
  return std::rbegin(hopper)->row;
}

}  // namespace preduce::detail

#include "tuning.hpp"

#include <algorithm>

namespace preduce::detail {
namespace {

// The simulated machine: small, so that a check is quick, and cut finely, so that few elements already use several
// blocks.
constexpr tuning_row simulated{2, 64, 128, "a small machine, cut finely so that few elements use several blocks",
                               "two warps, so that warps meet"};

}  // namespace

tuning_row tuning_for(plan_request const& request) {
  if (request.device.compute_capability == 0) return simulated;
  auto const shape = shape_of(request.about.n);
  if (shape.tiles == 1)
    return {order_lanes, 1024, 2048, "one tile: one block reads it in one round", "one chunk a warp"};
  if (shape.rows <= 16)
    return {4, 128, 2048, "few rows a tile: small units spread the tiles over the device", "one chunk a warp"};
  return {32, 512, 1024, "many rows a tile: whole tiles keep the partials few",
          "half the resident threads keep enough loads in flight"};
}

}  // namespace preduce::detail

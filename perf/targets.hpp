#pragma once
// What the library is held to, target by target, and the choice that runs by default.

#include "configuration.hpp"

#include <cstdint>
#include <vector>

namespace perf {

struct target_row {
  configuration what;
  bool by_default;
};

std::vector<target_row> all_targets();

/// Case `reduce`: sums, minima and maxima of four types under every policy of the canonical order, in every mode.
std::vector<configuration> reduce_grid(std::vector<std::int64_t> const& sizes);

}  // namespace perf

#pragma once
// Tuning as data: how a reduction is cut for a device, with the measurement behind each row. Nothing here can change an
// answer.

#include <preduce/plan.hpp>

namespace preduce::detail {

struct tuning_row {
  int chunks_a_unit;             ///< chunks that a block folds at a time
  int threads;                   ///< of a block; fewer where a unit has fewer chunks than warps
  int threads_a_multiprocessor;  ///< of all blocks of a grid; 0: a block for each unit
  char const* why;
};

tuning_row tuning_for(plan_request const&);

/// Whether the first kernel is scheduled before the stream's previous one has ended: asked for, and the device can.
inline bool overlaps_previous(plan_request const& request) {
  return request.options.overlap_previous && request.device.compute_capability >= 90;
}

/// What automatic picks, and why.
struct choice {
  grid_algorithm algorithm;
  char const* why;
};
choice choice_for(plan_request const&);

}  // namespace preduce::detail

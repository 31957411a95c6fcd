#pragma once
// One kernel with a semaphore: the block that draws the last ticket folds the partials. Saves the second launch.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/last_ticket.hpp>

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct last_block_policy : grid_policy<last_block_policy, Place> {
  static constexpr auto algorithm = grid_algorithm::last_ticket;
  [[nodiscard]] static constexpr char const* name() { return "last_block"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->submit_units_or_one(reduction, [](auto const& call, plan const& made, auto const& job, auto& workspace) {
      detail::launch_last_ticket(call, made, job, workspace.ticket());
    });
  }
};

/// One kernel, the block with the last ticket folds the partials. Canonical order, portable bits; any n, block size,
/// type and operator.
inline constexpr last_block_policy<default_place> last_block{};

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// One kernel without a ticket: blocks announce their partials, and the grid's last block looks back at them all.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/look_back.hpp>

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct look_back_policy : grid_policy<look_back_policy, Place> {
  static constexpr auto algorithm = grid_algorithm::look_back;
  [[nodiscard]] static constexpr char const* name() { return "look_back"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->submit_units_or_one(reduction, [](auto const& call, plan const& made, auto const& job, auto& workspace) {
      detail::launch_look_back(call, made, job, workspace);
    });
  }
};

/// One kernel, the grid's last block folds what the others announce. Canonical order, portable bits; any n, block size,
/// type and operator. The last block watches 8 words a thread, at most 4096; a partial of up to 4, 8 or 16 bytes takes
/// 1, 2 or 4. Larger values, and more partials than that, are folded as last_block does; plan_for() and explain() say
/// which.
inline constexpr look_back_policy<default_place> look_back{};

}  // namespace preduce::inline PREDUCE_ABI

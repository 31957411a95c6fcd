#pragma once
// Partials to memory, and a second kernel that folds them: what high-performance codes have done since the first GPUs.
// Two launches; on sm_90 and newer the second is already waiting when the first one ends.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/two_kernels.hpp>

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct two_pass_policy : grid_policy<two_pass_policy, Place> {
  static constexpr auto algorithm = grid_algorithm::second_kernel;
  [[nodiscard]] static constexpr char const* name() { return "two_pass"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->submit_units_or_one(reduction, [](auto const& call, plan const& made, auto const& job, auto&) {
      detail::launch_two_kernels(call, made, job);
    });
  }
};

/// Partials to memory, a second kernel folds them. Canonical order, portable bits; any n, block size, type and
/// operator.
inline constexpr two_pass_policy<default_place> two_pass{};

}  // namespace preduce::inline PREDUCE_ABI

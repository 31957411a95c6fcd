#pragma once
// One kernel without a ticket: blocks announce their partials, and the grid's last block looks back at them all.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/last_ticket.hpp>
#include <preduce/stages/look_back.hpp>

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct look_back_policy : grid_policy<look_back_policy, Place> {
  static constexpr auto algorithm = grid_algorithm::look_back;
  [[nodiscard]] static constexpr char const* name() { return "look_back"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->submit_units_or_one(reduction, [](auto const& call, plan const& made, auto const& job, auto& workspace) {
      using job_type = std::remove_cvref_t<decltype(job)>;
      if constexpr (detail::announcement<typename job_type::value>::possible) {
        if (made.algorithm == grid_algorithm::look_back)
          return detail::launch_look_back(call, made, job, workspace.announced());
      }
      detail::launch_last_ticket(call, made, job, workspace.ticket());
    });
  }
};

/// One kernel, the grid's last block folds what the others announce. Canonical order, portable bits; any n, block size,
/// type and operator. Values of more than 16 bytes, and more partials than a block can watch (8 words of 4 bytes of
/// value a thread, 4096 in all), are folded as last_block does; plan_for() and explain() say which it is.
inline constexpr look_back_policy<default_place> look_back{};

}  // namespace preduce::inline PREDUCE_ABI

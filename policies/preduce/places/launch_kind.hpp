#pragma once
// How a plan's first kernel is launched.

#include <preduce/config.hpp>
#include <preduce/launch.hpp>
#include <preduce/plan.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

constexpr launch_kind first_launch(plan const& made) {
  return made.overlaps_previous ? launch_kind::overlaps_previous : launch_kind::plain;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

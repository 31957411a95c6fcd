#pragma once
// How a kernel is launched.

#include <preduce/config.hpp>
#include <preduce/plan.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

enum class launch_kind : std::uint8_t {
  plain,
  overlaps_previous,  ///< may be scheduled before the stream's previous kernel has ended, and waits for it itself
  cooperative,        ///< all blocks run at a time, so that they may meet at a grid barrier
};

/// How a plan's first kernel is launched.
constexpr launch_kind first_launch(plan const& made) {
  return made.overlaps_previous ? launch_kind::overlaps_previous : launch_kind::plain;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

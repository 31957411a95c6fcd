#pragma once
// How a kernel is launched.

#include <preduce/config.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

enum class launch_kind : std::uint8_t {
  plain,
  overlaps_previous,  ///< may be scheduled before the stream's previous kernel has ended, and waits for it itself
  cooperative,        ///< all blocks run at a time, so that they may meet at a grid barrier
};

}  // namespace preduce::detail::inline PREDUCE_ABI

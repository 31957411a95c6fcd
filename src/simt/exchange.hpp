#pragma once
// The shuffle's copy. Kept apart from the rest, because its translation unit is built without -fsanitize=thread.

#include <cstddef>

namespace preduce::simt::internal {

inline constexpr std::size_t largest_exchange = 1024;  // bytes a lane

/// Copies in a way that ThreadSanitizer does not see: neither as an access nor as an order.
void copy_unseen(void* to, void const* from, std::size_t bytes) noexcept;

}  // namespace preduce::simt::internal

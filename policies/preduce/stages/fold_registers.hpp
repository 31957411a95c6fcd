#pragma once
// The tree over values that one thread holds.

#include <preduce/config.hpp>
#include <preduce/sources.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Folds neighbours into lanes[0], all of them present. Count is a power of two.
template <class Monoid, class V, int Count>
PREDUCE_FUNCTION V fold_registers(Monoid const& monoid, uninitialized<V> (&lanes)[Count]) {
  PREDUCE_UNROLL
  for (int s = 1; s < Count; s *= 2) {
    PREDUCE_UNROLL
    for (int w = 0; w < Count; w += 2 * s) lanes[w].value = monoid.combine(lanes[w].value, lanes[w + s].value);
  }
  return lanes[0].value;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// A tree over values that come one after another, in memory for its height.

#include <preduce/config.hpp>
#include <preduce/sources.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Combines values as they come into the tree of an aligned power-of-two run: a binary counter, one value a digit.
template <class V, int Levels>
struct carry_stack {
  uninitialized<V> level[Levels];
  unsigned used = 0;  // bit l: level l holds the value of 2^l

  template <class Monoid>
  PREDUCE_FUNCTION void push(Monoid const& monoid, V value) {
    int l = 0;
    for (; (used >> l) & 1u; ++l) {
      value = monoid.combine(level[l].value, value);
      used &= ~(1u << l);
    }
    level[l].value = value;
    used |= 1u << l;
  }
  /// The total of what was pushed, at least one value.
  template <class Monoid>
  [[nodiscard]] PREDUCE_FUNCTION V total(Monoid const& monoid) const {
    int l = 0;
    while (((used >> l) & 1u) == 0) ++l;
    V value = level[l].value;
    for (++l; l < Levels; ++l) {
      if ((used >> l) & 1u) value = monoid.combine(level[l].value, value);
    }
    return value;
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

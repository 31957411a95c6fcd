#pragma once
// Blocks meet in one cell of memory: by the machine's own atomic where there is one for the operator and type, else by
// compare-and-swap on the 4, 8 or 16 bytes that hold the value.

#include <preduce/contexts/context.hpp>
#include <preduce/monoids.hpp>
#include <preduce/sources.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

inline constexpr int largest_atomic = 16;  ///< bytes

/// What compare-and-swap takes for a V.
template <class V>
using cell_word =
    std::conditional_t<sizeof(V) <= 4, std::uint32_t, std::conditional_t<sizeof(V) <= 8, std::uint64_t, simt::raw16>>;

/// A V and zeros behind it, so that equal values are equal words.
template <class V>
PREDUCE_FUNCTION cell_word<V> cell_of(V const& value) {
  cell_word<V> word{};
  memcpy(static_cast<void*>(&word), static_cast<void const*>(&value), sizeof(V));
  return word;
}
template <class V>
PREDUCE_FUNCTION V value_of(cell_word<V> const& word) {
  uninitialized<V> value;
  memcpy(static_cast<void*>(&value.value), static_cast<void const*>(&word), sizeof(V));
  return value.value;
}
PREDUCE_FUNCTION inline bool same_word(std::uint32_t a, std::uint32_t b) {
  return a == b;
}
PREDUCE_FUNCTION inline bool same_word(std::uint64_t a, std::uint64_t b) {
  return a == b;
}
PREDUCE_FUNCTION inline bool same_word(simt::raw16 const& a, simt::raw16 const& b) {
  return a.words[0] == b.words[0] && a.words[1] == b.words[1] && a.words[2] == b.words[2] && a.words[3] == b.words[3];
}

/// The bits that the cell holds: by an exchange that changes nothing. Bits, not a V: what comes out of a V's padding is
/// undefined, and the compiler may take it for equal to anything.
template <simt::context C, class V>
PREDUCE_FUNCTION cell_word<V> load_cell(C const& ctx, V* cell) {
  cell_word<V> const any{};
  return ctx.compare_exchange(reinterpret_cast<cell_word<V>*>(cell), any, any);
}

/// *cell = combine(*cell, value), all at once. Relaxed: who reads the total must be ordered behind by other means.
template <simt::context C, class Monoid, class V>
PREDUCE_FUNCTION void combine_atomically(C const& ctx, Monoid const& monoid, V* cell, V const& value) {
  if constexpr (std::is_same_v<Monoid, plus<V>> && C::template has_atomic_add<V>) {
    ctx.atomic_add(cell, value);
  } else if constexpr (std::is_same_v<Monoid, minimum<V>> && C::template has_atomic_min_max<V>) {
    ctx.atomic_min(cell, value);
  } else if constexpr (std::is_same_v<Monoid, maximum<V>> && C::template has_atomic_min_max<V>) {
    ctx.atomic_max(cell, value);
  } else {
    using word = cell_word<V>;
    auto* const at = reinterpret_cast<word*>(cell);
    word seen = detail::load_cell(ctx, cell);
    while (true) {
      word const wanted = detail::cell_of<V>(monoid.combine(detail::value_of<V>(seen), value));
      if (detail::same_word(wanted, seen)) return;  // a minimum that is one already
      word const found = ctx.compare_exchange(at, seen, wanted);
      if (detail::same_word(found, seen)) return;
      seen = found;
    }
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

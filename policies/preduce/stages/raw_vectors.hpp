#pragma once
// 16 bytes of elements as they come from memory: from aligned data, and from data that is not.

#include <preduce/contexts/context.hpp>
#include <preduce/sources.hpp>

#include <cstdint>
#include <cstring>

namespace preduce::detail::inline PREDUCE_ABI {

/// The elements of a raw vector.
template <class T>
PREDUCE_FUNCTION T vector_element(simt::raw16 const& raw, int w) {
  uninitialized<T> element;  // a default constructor may be one of the host's only
  memcpy(&element.value, reinterpret_cast<unsigned char const*>(&raw) + w * static_cast<int>(sizeof(T)), sizeof(T));
  return element.value;
}

/// The 16 bytes from `shift` bytes into two neighbouring vectors. Every register index is known to the compiler.
PREDUCE_FUNCTION inline simt::raw16 straddled(simt::raw16 const& low, simt::raw16 const& high, int shift) {
  std::uint32_t words[8] = {low.words[0],  low.words[1],  low.words[2],  low.words[3],
                            high.words[0], high.words[1], high.words[2], high.words[3]};
  PREDUCE_UNROLL
  for (int w = 0; w < 6; ++w) words[w] = (shift & 8) != 0 ? words[w + 2] : words[w];
  PREDUCE_UNROLL
  for (int w = 0; w < 5; ++w) words[w] = (shift & 4) != 0 ? words[w + 1] : words[w];
  simt::raw16 result;
  int const bits = 8 * (shift & 3);
  PREDUCE_UNROLL
  for (int w = 0; w < 4; ++w) {
    auto const pair = (static_cast<std::uint64_t>(words[w + 1]) << 32) | words[w];
    result.words[w] = static_cast<std::uint32_t>(pair >> bits);
  }
  return result;
}

/// A vector of elements, from data aligned to 16 bytes.
struct aligned_loads {
  static constexpr int vectors = 1;
  template <simt::context C>
  PREDUCE_FUNCTION simt::raw16 load(C const& ctx, void const* from) const {
    return ctx.load16(from);
  }
};

/// The same from data `shift` bytes past such a boundary: the two aligned vectors that cover it. Neighbouring threads
/// share them, so the second one comes from the first-level cache.
struct shifted_loads {
  static constexpr int vectors = 2;
  int shift;
  template <simt::context C>
  PREDUCE_FUNCTION simt::raw16 load(C const& ctx, void const* from) const {
    auto const* const low = static_cast<unsigned char const*>(from) - shift;
    return detail::straddled(ctx.load16(low), ctx.load16(low + 16), shift);
  }
};

/// A vector of larger elements in pieces that are aligned, and hold nothing else: as many bytes and registers as in
/// one. From data aligned to 8, two halves; from data 4 past that, a word, a half and a word.
template <int Past>
struct piecewise_loads {
  static constexpr int vectors = 1;
  template <simt::context C>
  PREDUCE_FUNCTION simt::raw16 load(C const& ctx, void const* from) const {
    auto const* const bytes = static_cast<unsigned char const*>(from);
    auto const upper = [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair >> 32); };
    auto const lower = [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair); };
    if constexpr (Past == 0) {
      std::uint64_t const a = ctx.load8(bytes), b = ctx.load8(bytes + 8);
      return {{lower(a), upper(a), lower(b), upper(b)}};
    } else {
      std::uint64_t const middle = ctx.load8(bytes + 4);
      return {{ctx.load4(bytes), lower(middle), upper(middle), ctx.load4(bytes + 12)}};
    }
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

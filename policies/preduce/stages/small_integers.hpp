#pragma once
// Several small integers in one machine word: what a GPU has instructions for, and the same in plain C++ for a host.

#include <preduce/config.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI::packed {

/// Byte i of the result is the byte of the eight in (a, b), a's first, that nibble i of `selector` names.
PREDUCE_FUNCTION inline std::uint32_t pick_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
#ifdef __CUDA_ARCH__
  return __byte_perm(a, b, selector);
#else
  std::uint64_t const both = (std::uint64_t{b} << 32) | a;
  std::uint32_t picked = 0;
  for (unsigned i = 0; i < 4; ++i) {
    auto const from = (selector >> (4 * i)) & 7u;
    picked |= static_cast<std::uint32_t>((both >> (8 * from)) & 0xffu) << (8 * i);
  }
  return picked;
#endif
}

/// The lesser (Sign -1) or the greater (+1) of each of two 16-bit halves.
template <int Sign, bool Signed>
PREDUCE_FUNCTION inline std::uint32_t extreme_of_halves(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  if constexpr (Signed)
    return Sign < 0 ? __vmins2(a, b) : __vmaxs2(a, b);
  else
    return Sign < 0 ? __vminu2(a, b) : __vmaxu2(a, b);
#else
  // With the sign turned over, signed halves compare like unsigned ones.
  constexpr std::uint32_t turn = Signed ? 0x8000u : 0;
  auto const of_half = [](std::uint32_t x, std::uint32_t y) {
    bool const first = Sign < 0 ? (x ^ turn) < (y ^ turn) : (y ^ turn) < (x ^ turn);
    return first ? x : y;
  };
  return of_half(a & 0xffffu, b & 0xffffu) | (of_half(a >> 16, b >> 16) << 16);
#endif
}

/// total + the four bytes of `word`, modulo 2^32.
template <bool Signed>
PREDUCE_FUNCTION inline std::uint32_t add_bytes(std::uint32_t word, std::uint32_t total) {
#ifdef __CUDA_ARCH__
  if constexpr (Signed)
    return static_cast<std::uint32_t>(__dp4a(static_cast<int>(word), 0x01010101, static_cast<int>(total)));
  else
    return __dp4a(word, 0x01010101u, total);
#else
  for (int i = 0; i < 4; ++i) {
    auto const byte = static_cast<std::uint8_t>(word >> (8 * i));
    total += Signed ? static_cast<std::uint32_t>(static_cast<std::int8_t>(byte)) : byte;
  }
  return total;
#endif
}

/// total + the two halves of `word`, modulo 2^32.
template <bool Signed>
PREDUCE_FUNCTION inline std::uint32_t add_halves(std::uint32_t word, std::uint32_t total) {
#ifdef __CUDA_ARCH__
  if constexpr (Signed)
    return static_cast<std::uint32_t>(__dp2a_lo(static_cast<int>(word), 0x0101, static_cast<int>(total)));
  else
    return __dp2a_lo(word, 0x0101u, total);
#else
  for (int i = 0; i < 2; ++i) {
    auto const half = static_cast<std::uint16_t>(word >> (16 * i));
    total += Signed ? static_cast<std::uint32_t>(static_cast<std::int16_t>(half)) : half;
  }
  return total;
#endif
}

}  // namespace preduce::detail::inline PREDUCE_ABI::packed

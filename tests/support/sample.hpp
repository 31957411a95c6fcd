#pragma once
// Random data from the seed of the run.

#include "seed.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace sample {

/// splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
class generator {
 public:
  /// `salt` keeps the data of one test apart from another's.
  explicit generator(std::uint64_t salt) : state_(seed() ^ (salt * 0xd1342543de82ef95u)) {}

  std::uint64_t next() {
    auto z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// 0 .. bound - 1; the bias does not matter here.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

/// What kind of floating-point data: each shows mistakes that the others hide.
enum class spread : std::uint8_t {
  even,      ///< -1 .. 1: nearly every change of the order changes the bits of a sum
  wide,      ///< every exponent that a sum of 2^20 of them survives, denormals and zeros among them
  denormal,  ///< denormals only: a flush to zero shows
  near_one,  ///< close to 1 in size: products stay finite and keep rounding
};

template <class T>
T floating(spread kind, generator& g) {
  using bits_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;
  constexpr auto max_exponent = static_cast<std::uint64_t>(2 * std::numeric_limits<T>::max_exponent - 1);
  constexpr auto bias = max_exponent / 2;
  auto const random = g.next();
  std::uint64_t exponent = 0;
  switch (kind) {
    case spread::even:
      exponent = bias - 1 - g.below(g.below(8) + 1);
      break;
    case spread::wide:
      exponent = g.below(4) == 0 ? g.below(2) : g.below(max_exponent - 24);
      break;
    case spread::denormal:
      exponent = 0;
      break;
    case spread::near_one:
      exponent = bias - g.below(2);
      break;
  }
  auto mantissa = random & ((std::uint64_t{1} << mantissa_bits) - 1);
  if (kind == spread::wide && g.below(16) == 0) mantissa = 0;
  if (kind == spread::near_one) {  // 1 +- a little
    auto const little = mantissa >> (mantissa_bits / 2);
    mantissa = exponent == bias ? little : ((std::uint64_t{1} << mantissa_bits) - 1) ^ little;
  }
  auto const sign = random >> 63;
  return std::bit_cast<T>(static_cast<bits_type>(sign << (sizeof(T) * 8 - 1) | exponent << mantissa_bits | mantissa));
}

template <class T>
std::vector<T> floats(std::size_t count, spread kind, std::uint64_t salt) {
  generator g(salt);
  std::vector<T> values(count);
  for (auto& value : values) value = floating<T>(kind, g);
  return values;
}

/// Objects of random bytes: integers, or structs of them.
template <class T>
std::vector<T> random_bytes(std::size_t count, std::uint64_t salt) {
  generator g(salt);
  std::vector<T> values(count);
  auto* const bytes = reinterpret_cast<unsigned char*>(values.data());
  for (std::size_t k = 0; k < count * sizeof(T); ++k) bytes[k] = static_cast<unsigned char>(g.next() >> 56);
  return values;
}

/// Random data that suits the type.
template <class T>
std::vector<T> values(std::size_t count, std::uint64_t salt) {
  if constexpr (std::is_floating_point_v<T>) {
    return floats<T>(count, spread::even, salt);
  } else {
    return random_bytes<T>(count, salt);
  }
}

}  // namespace sample

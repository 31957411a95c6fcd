#pragma once
// The reductions that are measured, and the data they run over.

#include <preduce/config.hpp>
#include <preduce/monoids.hpp>

#include <cstdint>
#include <type_traits>

namespace perf {

enum class operation : std::uint8_t { sum, min, max };

constexpr char const* operation_name(operation op) {
  return op == operation::sum ? "sum" : op == operation::min ? "min" : "max";
}

template <class T>
constexpr char const* type_name() {
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, double>) return "float64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "int64";
}

template <operation Op, class T>
using monoid_of =
    std::conditional_t<Op == operation::sum, preduce::plus<T>,
                       std::conditional_t<Op == operation::min, preduce::minimum<T>, preduce::maximum<T>>>;

/// What the result starts from: 0 for a sum, else the identity.
template <operation Op, class T>
constexpr T initial_value() {
  if constexpr (Op == operation::sum)
    return T{0};
  else
    return monoid_of<Op, T>::identity();
}

/// Element i of the data: the same on CPU and GPU. Floating point lies in [0, 1), with random low bits so that another
/// order shows in the bits of a sum; integers in -512 .. 511, so that 2^30 of them do not overflow the baselines' int.
template <class T>
PREDUCE_FUNCTION T element(std::int64_t i) {
  auto h = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(h >> 40) * 0x1p-24f;
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(h >> 11) * 0x1p-53;
  else
    return static_cast<T>(static_cast<std::int64_t>(h & 1023) - 512);
}

}  // namespace perf

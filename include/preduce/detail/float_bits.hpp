#pragma once
// Floating-point steps whose bits do not depend on the machine, nor on compiler flags; but -ffast-math lets a host
// compiler regroup additions and multiplications, and flushes denormals where a program is linked with it.

#include <preduce/config.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// a + b, rounded to nearest even, denormals kept. On a device the rounding mode is spelled out: an add without it may
/// be fused with the multiplication that made an operand, and flushes denormals under --use_fast_math.
template <std::floating_point T>
PREDUCE_FUNCTION T add_rounded(T a, T b) {
#ifdef __CUDA_ARCH__
  T sum;
  if constexpr (sizeof(T) == 4)
    asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
  else
    asm("add.rn.f64 %0, %1, %2;" : "=d"(sum) : "d"(a), "d"(b));
  return sum;
#else
  return a + b;  // what made the operands is kept apart: kept_apart() in sources.hpp, stages/host_fold.hpp
#endif
}

template <std::floating_point T>
PREDUCE_FUNCTION T multiply_rounded(T a, T b) {
#ifdef __CUDA_ARCH__
  T product;
  if constexpr (sizeof(T) == 4)
    asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(a), "f"(b));
  else
    asm("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
  return product;
#else
  return a * b;
#endif
}

template <std::floating_point T>
struct float_layout {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "float and double");
  using word = bits_of<T>;
  static constexpr word sign = word{1} << (sizeof(T) * 8 - 1);
  static constexpr word infinity =
      sizeof(T) == 4 ? static_cast<word>(0x7f800000u) : static_cast<word>(0x7ff0000000000000ull);
  static constexpr word quiet_nan =
      sizeof(T) == 4 ? static_cast<word>(0x7fc00000u) : static_cast<word>(0x7ff8000000000000ull);
};

/// Decided on the bits: -ffast-math lets a compiler assume that x != x is false.
template <std::floating_point T>
PREDUCE_FUNCTION constexpr bool is_nan(T value) {
  using layout = float_layout<T>;
  return (__builtin_bit_cast(typename layout::word, value) & ~layout::sign) > layout::infinity;
}

/// For types of several parts, specialised beside them: `static T of(T)`, the total as a user is to see it.
template <class T>
struct canonical_form;

/// NaN results carry one bit pattern everywhere: x86 keeps payloads, GPUs do not.
template <class T>
PREDUCE_FUNCTION constexpr T canonical(T value) {
  if constexpr (std::floating_point<T>) {
    if (is_nan(value)) return __builtin_bit_cast(T, float_layout<T>::quiet_nan);
  } else if constexpr (requires { canonical_form<T>::of(value); }) {
    return canonical_form<T>::of(value);
  }
  return value;
}

/// Orders floats as integers: negative ones have their magnitude bits turned over. -0.0 < +0.0, denormals in their
/// place.
template <std::floating_point T>
PREDUCE_FUNCTION constexpr std::make_signed_t<bits_of<T>> ordered_key(T value) {
  using word = bits_of<T>;
  using key = std::make_signed_t<word>;
  auto const bits = __builtin_bit_cast(key, value);
  return bits ^ static_cast<key>(static_cast<word>(bits >> (sizeof(T) * 8 - 1)) >> 1);
}

/// On a host: the same order turned round so that NaNs of either sign come first, for minima, or last, for maxima. A
/// comparison is then all that there is to do, which a CPU can do for a vector at a time.
template <bool NanFirst, std::floating_point T>
PREDUCE_FUNCTION constexpr std::make_signed_t<bits_of<T>> ordered_key_with_nan(T value) {
  using layout = float_layout<T>;
  using word = typename layout::word;
  constexpr word nans = (layout::sign - 1) - layout::infinity;  // of one sign
  auto const key = static_cast<word>(ordered_key(value));
  return static_cast<std::make_signed_t<word>>(NanFirst ? key + nans : key - nans);
}

template <std::floating_point T>
PREDUCE_FUNCTION T float_minimum(T a, T b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == 4) {
    T smaller;  // PTX ISA, min: with .NaN a NaN operand gives the canonical NaN; -0.0 < +0.0
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(smaller) : "f"(a), "f"(b));
    return smaller;
  } else
#endif
  {
#ifdef __CUDA_ARCH__
    T const smaller = ordered_key(b) < ordered_key(a) ? b : a;
    return is_nan(a) ? a : is_nan(b) ? b : smaller;
#else
    return ordered_key_with_nan<true>(b) < ordered_key_with_nan<true>(a) ? b : a;
#endif
  }
}

template <std::floating_point T>
PREDUCE_FUNCTION T float_maximum(T a, T b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == 4) {
    T larger;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
    return larger;
  } else
#endif
  {
#ifdef __CUDA_ARCH__
    T const larger = ordered_key(a) < ordered_key(b) ? b : a;
    return is_nan(a) ? a : is_nan(b) ? b : larger;
#else
    return ordered_key_with_nan<false>(a) < ordered_key_with_nan<false>(b) ? b : a;
#endif
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

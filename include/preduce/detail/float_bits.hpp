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

/// The number whose ordered_key it is.
template <std::floating_point T>
PREDUCE_FUNCTION constexpr T from_ordered_key(std::make_signed_t<bits_of<T>> key) {
  using word = bits_of<T>;
  // What turned over the bits of negative numbers turns them back.
  return __builtin_bit_cast(T, key ^ static_cast<decltype(key)>(static_cast<word>(key >> (sizeof(T) * 8 - 1)) >> 1));
}

/// The same order turned round so that NaNs of either sign come first, for minima, or last, for maxima: a comparison of
/// integers is then all that there is to do, which a CPU can do for a vector at a time, and a GPU for a warp.
template <std::floating_point T, bool NanFirst>
struct key_with_nan {
  using word = bits_of<T>;
  using type = std::make_signed_t<word>;

  [[nodiscard]] PREDUCE_FUNCTION static constexpr type of(T value) {
    auto const key = static_cast<word>(ordered_key(value));
    return static_cast<type>(NanFirst ? key + nans : key - nans);
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr T value(type key) {
    auto const turned = static_cast<word>(key);
    return detail::from_ordered_key<T>(static_cast<type>(NanFirst ? turned - nans : turned + nans));
  }

 private:
  static constexpr word nans = (float_layout<T>::sign - 1) - float_layout<T>::infinity;  // of one sign
};

/// The lesser (Sign -1) or greater (+1) of two, where the machine offers nothing better.
template <int Sign, std::floating_point T>
PREDUCE_FUNCTION T extreme_by_keys(T a, T b) {
  using key = key_with_nan<T, (Sign < 0)>;
  return (Sign < 0 ? key::of(b) < key::of(a) : key::of(a) < key::of(b)) ? b : a;
}

#ifdef __CUDA_ARCH__
/// The lesser (Sign -1) or greater (+1) of two doubles. Comparisons of doubles take denormals as they are under every
/// flag; those of floats do not under --use_fast_math.
template <int Sign>
PREDUCE_FUNCTION double double_extreme(double a, double b) {
  bool const takes_a = (Sign < 0 ? a <= b : a >= b) || a != a;  // a NaN b compares with nothing, and is then taken
  int const high_a = __double2hiint(a), high_b = __double2hiint(b);
  // Equal numbers have the same bits, but for zeros: their total is negative if either is, or only if both are.
  int const high = a != b ? (takes_a ? high_a : high_b) : Sign < 0 ? high_a | high_b : high_a & high_b;
  return __hiloint2double(high, takes_a ? __double2loint(a) : __double2loint(b));
}
#endif

template <std::floating_point T>
PREDUCE_FUNCTION T float_minimum(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 8) {
    return double_extreme<-1>(a, b);
  } else {
#  if __CUDA_ARCH__ >= 800
    T smaller;  // PTX ISA, min: with .NaN a NaN operand gives the canonical NaN; -0.0 < +0.0
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(smaller) : "f"(a), "f"(b));
    return smaller;
#  else
    return extreme_by_keys<-1>(a, b);
#  endif
  }
#else
  return extreme_by_keys<-1>(a, b);
#endif
}

template <std::floating_point T>
PREDUCE_FUNCTION T float_maximum(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 8) {
    return double_extreme<+1>(a, b);
  } else {
#  if __CUDA_ARCH__ >= 800
    T larger;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
    return larger;
#  else
    return extreme_by_keys<+1>(a, b);
#  endif
  }
#else
  return extreme_by_keys<+1>(a, b);
#endif
}

}  // namespace preduce::detail::inline PREDUCE_ABI

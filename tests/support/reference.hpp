#pragma once
// The built-in operators in the tests' own words.

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace reference {

/// The quiet NaN that every NaN result must be.
template <class T>
T canonical_nan() {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(std::uint32_t{0x7fc00000});
  } else {
    return std::bit_cast<T>(std::uint64_t{0x7ff8000000000000});
  }
}

struct plus {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));  // wraps
    } else {
      return a + b;
    }
  }
};

struct multiplies {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else {
      return a * b;
    }
  }
};

/// NaN wins; -0 is below +0.
struct minimum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) return canonical_nan<T>();
      if (a == b) return std::signbit(a) ? a : b;
    }
    return b < a ? b : a;
  }
};

/// NaN wins; +0 is above -0.
struct maximum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a) || std::isnan(b)) return canonical_nan<T>();
      if (a == b) return std::signbit(a) ? b : a;
    }
    return a < b ? b : a;
  }
};

}  // namespace reference

#pragma once
// What the library knows of the types that it reduces: which are numbers, their bounds, and what sums of them are
// accumulated in.

#include <preduce/config.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

struct __half;         // NOLINT: CUDA's names, so that a call that lacks half.hpp gets a sentence
struct __nv_bfloat16;  // NOLINT

namespace preduce {

/// Types moved byte by byte: trivially copyable ones, and those a user vouches for, such as std::pair of such types.
template <class T>
inline constexpr bool is_bitwise_copyable = std::is_trivially_copyable_v<T>;

/// Types that are two floats or two doubles in memory, real part first, value_type their type: complex.hpp says so of
/// std::complex, and a user may of another's.
template <class T>
inline constexpr bool is_complex = false;

}  // namespace preduce

namespace preduce::detail::inline PREDUCE_ABI {

// 128-bit integers: the standard library's traits do not know them where the compiler is asked for standard C++.
template <class T>
inline constexpr bool is_int128 = false;
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 int128;  // NOLINT: `using` takes no __extension__
__extension__ typedef unsigned __int128 uint128;
template <>
inline constexpr bool is_int128<int128> = true;
template <>
inline constexpr bool is_int128<uint128> = true;
#endif

template <class T>
concept integer = std::integral<T> || is_int128<T>;
template <class T>
concept arithmetic = std::is_arithmetic_v<T> || is_int128<T>;
template <class T>
concept plain_integer = integer<T> && !std::same_as<T, bool>;

// Variables: device code may read them, and may not call numeric_limits' members.
template <class T>
inline constexpr T greatest = std::numeric_limits<T>::max();
template <class T>
inline constexpr T least = std::numeric_limits<T>::lowest();
template <std::floating_point T>
inline constexpr T greatest<T> = std::numeric_limits<T>::infinity();
template <std::floating_point T>
inline constexpr T least<T> = -std::numeric_limits<T>::infinity();
#ifdef __SIZEOF_INT128__
template <class T>
requires is_int128<T>
inline constexpr T greatest<T> = static_cast<T>(~uint128{0} >> (std::same_as<T, int128> ? 1 : 0));
template <class T>
requires is_int128<T>
inline constexpr T least<T> = std::same_as<T, int128> ? -greatest<T> - 1 : T{0};
#endif

/// What the built-in operators combine values of T in: T, but float for half and bfloat16, whose headers say so.
template <class T>
struct working : std::type_identity<T> {};
template <class T>
using working_t = typename working<T>::type;
/// The type that a T holds numbers of: its own, or that of a located value.
template <class T>
struct number_in : std::type_identity<T> {};
template <class T>
inline constexpr bool is_small_float = std::same_as<T, __half> || std::same_as<T, __nv_bfloat16>;
/// T holds fractions.
template <class T>
concept fractional = std::floating_point<working_t<T>>;

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// What a sum or product of T accumulates in where the call names no type: 32 bits for 8- and 16-bit integers, 64 for
/// bool (a count), float for half and bfloat16, else T.
template <class T>
using accumulator_t =
    std::conditional_t<std::same_as<T, bool>, std::int64_t,
                       std::conditional_t<!std::integral<T> || (sizeof(T) >= 4), detail::working_t<T>,
                                          std::conditional_t<std::signed_integral<T>, std::int32_t, std::uint32_t>>>;

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// Golden totals of the canonical order. A change of the order is a visible event: it changes these constants, and
// preduce::canonical_order_version with them.

#include <cstdint>

namespace golden {

struct total {
  std::int64_t n;
  std::uint64_t by_lanes;  ///< the map of operators that commute
  std::uint64_t in_order;  ///< the map of operators that do not
};

inline constexpr int version = 1;

/// operators::hash over functors::scrambled_index.
inline constexpr total totals[] = {
    {1, 0x9e3779b97f4a7c15, 0x9e3779b97f4a7c15},       {2, 0x6aae5fffd1a3d93f, 0x6aae5fffd1a3d93f},
    {3, 0x288719ff445a84f3, 0x288719ff445a84f3},       {100, 0xbb371da2168fe63f, 0xbb371da2168fe63f},
    {1000, 0xb4c13a1450c549cd, 0xb4c13a1450c549cd},    {4096, 0x8d4bd0af90464cb2, 0x8d4bd0af90464cb2},
    {4097, 0x1ac7cf3f023167c9, 0xd99bc27680d2a03e},    {12289, 0x6759bc1d2383f7a9, 0x5241090ca5c9e727},
    {32768, 0xa33b9986a4722ce4, 0xda6e43ad74ff6ca2},   {32769, 0xea43402932e31487, 0x422896dc96214402},
    {100000, 0xa342b87d505a2a2b, 0x8740c94c1916fd1d},  {1000000, 0x82ca0772a6a04ed6, 0x5446aa05dbf6183d},
    {3000001, 0x586de9b16d98d9f0, 0x1c277518e8382762},
};

/// The same with more tiles than partial lanes: two rows of partials.
inline constexpr total many_tiles = {269484037, 0xdd5d50804b0eab91, 0xe0859caf0116d4f9};

}  // namespace golden

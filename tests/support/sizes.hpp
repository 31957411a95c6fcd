#pragma once
// The sizes that tests walk: every boundary where some policy changes what it does, one less and one more.

#include "device.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sizes {

/// How much a policy can be asked for.
enum class pace : std::uint8_t {
  fast,    ///< microseconds a call
  launch,  ///< about a millisecond: fibers
  crawl,   ///< ten milliseconds: a host thread for every simulated one
};

namespace detail {
inline void add_around(std::vector<std::int64_t>& all, std::int64_t boundary) {
  for (auto const n : {boundary - 1, boundary, boundary + 1}) {
    if (n >= 0) all.push_back(n);
  }
}

inline std::vector<std::int64_t> sorted(std::vector<std::int64_t> all, std::int64_t most) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase_if(all, [=](std::int64_t n) { return n > most; });
  return all;
}
}  // namespace detail

/// A couple of dozen: one for every regime of the order and of the data path. Under a sanitizer the slow policies get
/// one for each way through a kernel.
inline std::vector<std::int64_t> few(pace how) {
  if (device::sanitized && how == pace::launch) return {0, 1, 3, 33, 1000, 4097, 32769};
  if (device::sanitized && how == pace::crawl) return {33, 1000, 4097};
  std::vector<std::int64_t> all{0,     1,     2,     3,     7,      31,     32,    33,    63,    65,
                                127,   129,   255,   257,   500,    1000,   1023,  1025,  2049,  4095,
                                4096,  4097,  5000,  8191,  8193,   12289,  32767, 32768, 32769, 40000,
                                49153, 65535, 65536, 65537, 100000, 131073, 262145};
  auto const most = how == pace::launch ? 70000 : how == pace::crawl ? 9000 : device::sanitized ? 140000 : 300000;
  return detail::sorted(all, most);
}

/// Powers of two; warps, vectors, blocks, chunks, rows and tiles: each one less and one more.
inline std::vector<std::int64_t> boundaries(pace how) {
  if (how == pace::crawl || device::sanitized) return few(how);
  std::vector<std::int64_t> all{0, 5000, 100000, 300000, 1000000, 2097153, 2101249};
  for (int k = 0; k <= 20; ++k) detail::add_around(all, std::int64_t{1} << k);
  for (auto const threads : {96, 160, 992}) {
    for (auto const vector : {1, 4, 16}) detail::add_around(all, threads * vector);
  }
  for (auto const rows : {2, 3, 5, 7, 8, 9, 12, 16, 17, 31, 33, 64, 65, 129}) detail::add_around(all, 4096 * rows);
  for (auto const rows : {8, 9, 12, 16}) {  // a last tile with few and with nearly all of its lanes
    all.push_back(4096 * rows + 5);
    all.push_back(4096 * rows + 4091);
  }
  auto const most = how == pace::launch ? 70000 : 2200000;
  return detail::sorted(all, most);
}

/// Every n up to 3000, and the boundaries.
inline std::vector<std::int64_t> every(pace how) {
  auto all = boundaries(how);
  auto const last = how == pace::crawl  ? 0
                    : device::watched   ? 70
                    : device::sanitized ? (how == pace::fast ? 1100 : 70)
                                        : 3000;
  for (std::int64_t n = 0; n <= last; ++n) all.push_back(n);
  return detail::sorted(all, std::int64_t{1} << 40);
}

}  // namespace sizes

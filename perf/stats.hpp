#pragma once
// Medians with an interval, for timings: skewed, with outliers on one side, so nothing here assumes a distribution.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perf {

struct interval {
  double low = 0, high = 0;
};

/// The middle value, or the mean of the two middle ones; 0 for no values.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  auto const middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The largest k with P(Binomial(count, 1/2) < k) <= tail, or 0: the k-th smallest and the k-th largest of `count`
/// values then hold the median between them, each side failing with probability at most `tail`.
inline std::size_t interval_rank(std::size_t count, double tail) {
  double term = 1;  // C(count, i) / 2^count, built up without factorials
  for (std::size_t i = 0; i < count; ++i) term /= 2;
  double below = 0;
  std::size_t rank = 0;
  while (rank < count && below + term <= tail) {
    below += term;
    term *= static_cast<double>(count - rank) / static_cast<double>(rank + 1);
    ++rank;
  }
  return rank;
}

/// An interval that holds the median with probability `confidence`, from order statistics (David and Nagaraja, Order
/// Statistics, section 7.1). Below six values none reaches 95%: then it is the whole range, and covers less.
inline interval median_interval(std::vector<double> values, double confidence = 0.95) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  auto const rank = std::max<std::size_t>(interval_rank(values.size(), (1 - confidence) / 2), 1);
  return {values[rank - 1], values[values.size() - rank]};
}

}  // namespace perf

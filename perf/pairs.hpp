#pragma once
// Two things are compared by timing them in turn, in one process on the same data: what the machine does meanwhile
// (clock, temperature, neighbours) then hits both, and drops out of each pair's ratio.

#include "stats.hpp"

#include <cstddef>
#include <vector>

namespace perf {

struct comparison {
  double ours_us = 0;    ///< median, microseconds per call
  double theirs_us = 0;  ///< median, microseconds per call
  double ratio = 0;      ///< median over the pairs of theirs / ours: above 1 is faster than the baseline
  interval ratio_95;     ///< of that median
  interval ours_95;      ///< of ours_us
};

/// Sample i of one side belongs with sample i of the other.
inline comparison compare_samples(std::vector<double> const& ours, std::vector<double> const& theirs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size() && i < theirs.size(); ++i) ratios.push_back(theirs[i] / ours[i]);
  return {median(ours), median(theirs), median(ratios), median_interval(ratios), median_interval(ours)};
}

/// `ours()` and `theirs()` each take one sample and return microseconds per call. The order alternates, so that
/// neither always runs in the other's wake.
template <class Ours, class Theirs>
comparison compare(int pairs, Ours&& ours, Theirs&& theirs) {
  ours();
  theirs();
  std::vector<double> our_samples, their_samples;
  for (int pair = 0; pair < pairs; ++pair) {
    double a = 0, b = 0;
    if (pair % 2 == 0) {
      a = ours();
      b = theirs();
    } else {
      b = theirs();
      a = ours();
    }
    our_samples.push_back(a);
    their_samples.push_back(b);
  }
  return compare_samples(our_samples, their_samples);
}

}  // namespace perf

// The statistics behind the benchmark's tables.
#include "../perf/pairs.hpp"
#include "../perf/stats.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

TEST_CASE("the median of an odd count is the middle value, of an even count the mean of the two") {
  CHECK(perf::median({}) == 0);
  CHECK(perf::median({7}) == 7);
  CHECK(perf::median({9, 1, 5}) == 5);
  CHECK(perf::median({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("the ranks of the 95% interval are those of the tables of the sign test") {
  // Largest k with P(Binomial(count, 1/2) < k) <= 0.025: Conover, Practical Nonparametric Statistics, table A3.
  std::vector<std::pair<std::size_t, std::size_t>> const table{{1, 0},  {5, 0},  {6, 1},  {8, 1},  {9, 2},   {10, 2},
                                                               {12, 3}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {100, 40}};
  for (auto const& row : table) {
    auto const count = row.first;
    CAPTURE(count);
    CHECK(perf::interval_rank(count, 0.025) == row.second);
  }
}

TEST_CASE("the interval is made of order statistics, and of the whole range where there are too few values") {
  std::vector<double> values;
  for (int i = 30; i >= 1; --i) values.push_back(i);
  CHECK(perf::median_interval(values).low == 10);
  CHECK(perf::median_interval(values).high == 21);
  CHECK(perf::median_interval({3, 1, 2}).low == 1);
  CHECK(perf::median_interval({3, 1, 2}).high == 3);
  CHECK(perf::median_interval({}).low == 0);
}

TEST_CASE("the 95% interval holds the true median about 95% of the time, for a skewed distribution") {
  unsigned const seed = 20261129;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::exponential_distribution<double> skewed(1);
  double const true_median = 0.6931471805599453;  // ln 2
  int held = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(30);
    for (auto& value : values) value = skewed(random);
    auto const interval = perf::median_interval(values);
    if (interval.low <= true_median && true_median <= interval.high) ++held;
  }
  CHECK(held >= trials * 94 / 100);  // exact coverage at 30 values: 95.7%
  CHECK(held <= trials * 98 / 100);
}

TEST_CASE("a comparison takes the median of the ratios of pairs, and alternates who goes first") {
  std::vector<char> order;
  double drift = 1;  // the machine slows down: it hits both, and leaves the ratio alone
  auto const sample = [&](char who, double us) {
    order.push_back(who);
    drift += 0.1;
    return us * (order.size() % 2 != 0 ? drift : drift - 0.1);
  };
  auto const result = perf::compare(
      4, [&] { return sample('a', 2); }, [&] { return sample('b', 3); });
  CHECK(result.ratio == doctest::Approx(1.5));
  CHECK(result.ratio_95.low == doctest::Approx(1.5));
  CHECK(result.ratio_95.high == doctest::Approx(1.5));
  CHECK(order == std::vector<char>{'a', 'b', 'a', 'b', 'b', 'a', 'a', 'b', 'b', 'a'});
}

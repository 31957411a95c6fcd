// The benchmark's own checks must be able to fail.
#include "../perf/check.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using perf::check_results;
using perf::policy_result;

TEST_CASE("results that agree and lie within the tolerance pass") {
  CHECK(check_results<float>({{"serial", 1.5F}, {"two_pass", 1.5F}}, 1.5000001, 1e-6).empty());
  CHECK(check_results<std::int64_t>({{"serial", 7}, {"two_pass", 7}}, 7, 0).empty());
}

TEST_CASE("a result off the reference is named with its policy") {
  CHECK(check_results<float>({{"serial", 2}}, 1.5, 0.1).find("serial gave 2") == 0);
  CHECK(check_results<std::int32_t>({{"two_pass", 8}}, 7, 0).find("two_pass gave 8, the reference is 7") == 0);
  CHECK_FALSE(check_results<float>({{"serial", std::numeric_limits<float>::quiet_NaN()}}, 1.5, 0.1).empty());
  CHECK_FALSE(check_results<float>({}, 0, 0).empty());
}

TEST_CASE("one differing bit is named, also where the values compare equal") {
  auto const wrong = check_results<float>({{"serial", 0.0F}, {"last_block", -0.0F}}, 0, 0);
  CHECK(wrong.find("last_block gave the bits 0x80000000") == 0);
  CHECK(wrong.find("serial 0x00000000") != std::string::npos);
}

TEST_CASE("the tolerance of a sum stays small where n is large, and is nothing for integers") {
  auto const n = std::int64_t{1} << 20;
  auto const total = static_cast<double>(n) / 2;
  CHECK(perf::sum_tolerance<double>(n, total) < 1e-6);
  CHECK(perf::sum_tolerance<float>(n, total) < 2);
  CHECK(perf::sum_tolerance<std::int32_t>(n, total) == 0);
}

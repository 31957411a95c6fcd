// A plan for the host refuses what the call refuses, in the same words.

#include <preduce/preduce.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace {

struct ones {
  float operator()(std::int64_t) const { return 1; }
};

template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (preduce::error const& e) {
    return e.what();
  }
  return "accepted";
}

/// The plan for n floats, and the call, are refused with a sentence that has `part`.
template <class Policy>
void both_refused(Policy const& policy, std::int64_t n, char const* part) {
  auto const planned = refusal([&] {
    if constexpr (requires { policy.template plan_for<float>(n); })
      (void)policy.template plan_for<float>(n);
    else
      (void)policy.template plan_for<float>(n, preduce::simulated_device_facts());
  });
  auto const called = refusal([&] { (void)preduce::parallel_reduce(policy, n, ones{}); });
  CHECK(planned == called);
  CHECK_MESSAGE(planned.find(part) != std::string::npos, planned, " lacks ", part);
}

TEST_CASE("promise 12: a plan for a negative number of elements is refused as the call is") {
  for (std::int64_t const n : {std::int64_t{-1}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::min()}) {
    both_refused(preduce::serial, n, "n is negative");
    both_refused(preduce::serial.left_fold(), n, "n is negative");
    both_refused(preduce::openmp, n, "n is negative");
    both_refused(preduce::openmp.threads(3), n, "n is negative");
    both_refused(preduce::automatic, n, "automatic");
    both_refused(preduce::automatic.block_size(64), n, "n is negative");
    both_refused(preduce::two_pass, n, "n is negative");
    both_refused(preduce::single_thread, n, "n is negative");
  }
}

TEST_CASE("promise 12: a plan with options that no call can have is refused as the call is") {
  both_refused(preduce::openmp.threads(-1), 100, "the number of threads is negative");
  both_refused(preduce::automatic.block_size(7), 100, "multiple of 32");
  both_refused(preduce::automatic.blocks(0), 100, "the number of blocks is not positive");
  both_refused(preduce::automatic.unit_lanes(0), 100, "power of two");
  both_refused(preduce::two_pass.blocks(0), 100, "the number of blocks is not positive");
  both_refused(preduce::two_pass.unit_lanes(0), 100, "power of two");
  CHECK(preduce::automatic.block_size(64).blocks(1).unit_lanes(32).plan_for<float>(100).host_threads == 1);
}

TEST_CASE("promises 7, 12: a left fold that is to have portable bits is refused by its call and by its plan") {
  using preduce::determinism;
  constexpr auto portable = determinism::portable;
  constexpr auto fold = preduce::serial.left_fold().require(portable);  // a setter, which refuses nothing
  both_refused(fold, 100, "n = 100, type float: the caller requires portable bits, and a left fold has its own");
  both_refused(preduce::serial.require(portable).left_fold(), 100, "left fold");
  both_refused(preduce::single_thread.left_fold().require(portable), 100, "left fold");
  CHECK(fold.plan_for<int>(100).bits == portable);
  CHECK(preduce::serial.left_fold().plan_for<float>(100).bits == determinism::run_to_run);
  CHECK(preduce::openmp.require(portable).threads(2).plan_for<float>(100).bits == portable);
}

TEST_CASE("promise 1: plans for more threads than there are, and more elements than memory holds") {
  auto const n = std::int64_t{1} << 50;
  auto const made = preduce::openmp.threads(std::numeric_limits<std::int32_t>::max()).plan_for<float>(n);
  CHECK(made.host_threads == std::numeric_limits<std::int32_t>::max());
  CHECK(made.order.units == preduce::openmp.threads(1 << 20).plan_for<float>(n).order.units);
  CHECK(preduce::serial.plan_for<float>(std::numeric_limits<std::int64_t>::max()).order.units > 0);
}

TEST_CASE("promise 12: for values that have no atomic a refusal names every policy without one") {
  struct sixteen_bytes {
    double first, second;
  };
  preduce::device_facts a100;
  a100.compute_capability = 80;
  a100.multiprocessors = 108;
  auto const words = refusal([&] { (void)preduce::block_tree.plan_for<sixteen_bytes>(1000, a100); });
  for (char const* const each : {"sm_90", "two_pass", "grid_sync", "last_block", "look_back", "automatic"})
    CHECK_MESSAGE(words.find(each) != std::string::npos, words, " lacks ", each);
}

}  // namespace

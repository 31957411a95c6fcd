// Promise 7 in a file whose compiler may reorder what floats are combined in: compiled with -ffast-math, or with those
// of its flags that are enough for that.

#include "without_flags.hpp"

#include <preduce/location.hpp>
#include <preduce/preduce.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using preduce::determinism;

constexpr std::int64_t n = 10000;

template <class Visit>
void for_each_policy(Visit&& visit) {
  visit(preduce::serial);
  visit(preduce::openmp);
  visit(preduce::openmp.threads(2));
  visit(preduce::two_pass.on(preduce::simt_host));
  visit(preduce::single_thread.on(preduce::simt_host));
  visit(preduce::automatic);
  visit(preduce::automatic.on(preduce::simt_host));
}

template <class T, class Policy>
preduce::plan plan_of(Policy const& policy) {
  if constexpr (requires { policy.template plan_for<T>(n); })
    return policy.template plan_for<T>(n);
  else
    return policy.template plan_for<T>(n, preduce::simulated_device_facts());
}

/// What a call is refused with; "" where it is not.
template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (preduce::error const& e) {
    CHECK(e.code() == preduce::error_code::unsupported);
    return e.what();
  }
  return "";
}

TEST_CASE("promise 7: no policy promises portable bits of a float sum that the compiler may reorder") {
  std::vector<float> const values(n, 1.0f);
  float const* const x = values.data();
  for_each_policy([&](auto const& policy) {
    auto const strict = policy.require(determinism::portable);
    auto const words = refusal([&] { (void)preduce::reduce(strict, x, x + n); });
    CHECK(words == std::string("preduce: ") + policy.name() +
                       ", n = 10000, type float: the caller requires portable bits, and this policy gives run_to_run "
                       "for this operator and type; compile without -ffast-math and -fassociative-math");
    CHECK(words == refusal([&] { (void)plan_of<float>(strict); }));
    CHECK(refusal([&] { (void)preduce::reduce(strict, x, x, 1.0f); }) != "");
    CHECK(refusal([&] { (void)preduce::reduce(strict, x, x + n, 1.0, preduce::multiplies<double>{}); }) != "");
    auto const functor = [=](std::int64_t i) { return x[i]; };
    CHECK(refusal([&] { (void)preduce::parallel_reduce(strict, n, functor); }) != "");
    CHECK(plan_of<float>(policy).bits == determinism::run_to_run);
    CHECK(plan_of<double>(policy).bits == determinism::run_to_run);

    CHECK(preduce::reduce(policy, x, x + n) == 10000.0f);
    CHECK(preduce::reduce(policy.require(determinism::run_to_run), x, x + n) == 10000.0f);
    CHECK(plan_of<float>(policy.require(determinism::run_to_run)).bits == determinism::run_to_run);
  });
}

TEST_CASE("promise 7: integers, minima and locations stay portable, whatever the compiler reorders") {
  std::vector<float> values(n, 2.0f);
  values[7000] = 1.0f;
  std::vector<int> const ones(n, 1);
  float const* const x = values.data();
  for_each_policy([&](auto const& policy) {
    INFO(policy.name());
    auto const strict = policy.require(determinism::portable);
    CHECK(preduce::reduce(strict, ones.data(), ones.data() + n) == n);
    CHECK(preduce::parallel_reduce(strict, n, [](std::int64_t i) { return i; }) == n * (n - 1) / 2);
    CHECK(preduce::reduce(strict, x, x + n, 5.0f, preduce::minimum<float>{}) == 1.0f);
    preduce::located<float> least{};
    preduce::parallel_reduce(strict, x, x + n, preduce::min_loc(least));
    CHECK(least.index == 7000);
    CHECK(plan_of<int>(policy).bits == determinism::portable);
    CHECK(plan_of<int>(strict).bits == determinism::portable);
  });
}

TEST_CASE("promise 7: a left fold of floats has bits of its own, under these flags too") {
  std::vector<float> const values(n, 1.0f);
  float const* const x = values.data();
  auto const fold = preduce::serial.left_fold();
  CHECK(refusal([&] { (void)preduce::reduce(fold.require(determinism::portable), x, x + n); }).find("left fold") !=
        std::string::npos);
  CHECK(preduce::reduce(fold.require(determinism::run_to_run), x, x + n) == 10000.0f);
  CHECK(fold.plan_for<float>(n).bits == determinism::run_to_run);
  CHECK(fold.plan_for<int>(n).bits == determinism::portable);
}

TEST_CASE("promise 7: a file without such flags keeps its promise in the same program") {
  std::vector<float> const values(n, 1.0f);
  CHECK(without_flags::sum_of_portable_bits(values.data(), n) == 10000.0f);
  CHECK(without_flags::plan_is_portable());
}

}  // namespace

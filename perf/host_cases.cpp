#include "host_cases.hpp"

#include "baselines/host_loops.hpp"
#include "check.hpp"
#include "host_description.hpp"
#include "host_timing.hpp"

#include <preduce/preduce.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace perf {
namespace {

constexpr std::int64_t simulated_limit = std::int64_t{1} << 16;  // the simulated machine is for checking, not for speed

std::vector<std::int64_t> default_sizes() {
  return {1000, std::int64_t{1} << 12, std::int64_t{1} << 16, std::int64_t{1} << 20, 3'000'000, std::int64_t{1} << 24};
}

template <operation Op, class T, class Policy>
T reduce_under(Policy const& policy, T const* data, std::int64_t n) {
  return preduce::reduce(policy, data, data + n, initial_value<Op, T>(), monoid_of<Op, T>{});
}

/// Exact for integers; for floating point long double, which no policy uses.
template <operation Op, class T>
reference_t<T> reference(T const* data, std::int64_t n) {
  if constexpr (Op == operation::sum && std::is_floating_point_v<T>) {
    long double total = 0;
    for (std::int64_t i = 0; i < n; ++i) total += data[i];
    return static_cast<double>(total);
  } else {
    return baseline::plain_loop(Op, data, n);
  }
}

/// One operation over the first n elements of `data`.
template <operation Op, class T>
class host_case {
 public:
  host_case(options const& chosen, report& out, T const* data, std::int64_t n)
      : chosen_(chosen), out_(out), data_(data), n_(n) {}

  void run(bool time_simulated) {
    auto const what = describe("", "cpu");
    std::vector<policy_result<T>> results;
    with_policies([&](auto const& policy, char const*) { results.push_back({policy.name(), result_of(policy)}); });
    auto const expected = reference<Op>(data_, n_);
    auto const tolerance = Op == operation::sum ? sum_tolerance<T>(n_, static_cast<double>(expected)) : 0;
    if (auto const wrong = check_results(results, expected, tolerance); !wrong.empty()) {
      out_.fail(what.in_words(), wrong);
      return;
    }
    with_policies([&](auto const& policy, char const* mode) {
      if (mode == std::string("cpu"))
        time(policy);
      else if (time_simulated)
        time_alone(policy, mode);
    });
  }

 private:
  /// Calls `f(policy, mode)` for each policy that was asked for.
  template <class F>
  void with_policies(F&& f) const {
    if (wants(chosen_.policies, "serial")) f(preduce::serial, "cpu");
    if (wants(chosen_.policies, "openmp")) f(preduce::openmp, "cpu");
    if (wants(chosen_.policies, "automatic")) f(preduce::automatic, "cpu");
    if (n_ > simulated_limit) return;
    if (wants(chosen_.policies, "two_pass")) f(preduce::two_pass.on(preduce::simt_host), "simt");
    if (wants(chosen_.policies, "grid_sync")) f(preduce::grid_sync.on(preduce::simt_host), "simt");
    if (wants(chosen_.policies, "last_block")) f(preduce::last_block.on(preduce::simt_host), "simt");
  }

  template <class Policy>
  T result_of(Policy const& policy) const {
    return reduce_under<Op>(policy, data_, n_);
  }

  [[nodiscard]] std::int64_t bytes() const { return n_ * static_cast<std::int64_t>(sizeof(T)); }

  [[nodiscard]] measured_case describe(char const* policy, char const* mode) const {
    measured_case what;
    what.op = operation_name(Op);
    what.input_type = what.accum_type = type_name<T>();
    what.n = n_;
    what.mode = mode;
    what.policy = policy;
    return what;
  }

  template <class Policy>
  void time(Policy const& policy) const {
    host_sampler ours([&] { keep(result_of(policy)); });
    auto const against = [&](char const* name, auto loop) {
      host_sampler theirs([&] { keep(loop(Op, data_, n_)); });
      out_.add(describe(policy.name(), "cpu"), bytes(), {name, baseline::host_compiler()},
               compare(pairs_for(chosen_, n_), ours, theirs));
    };
    against("plain_loop", baseline::plain_loop<T>);
    against("omp_simd", baseline::omp_simd<T>);
    if (policy.name() == std::string("openmp")) against("omp_parallel_simd", baseline::omp_parallel_simd<T>);
  }

  template <class Policy>
  void time_alone(Policy const& policy, char const* mode) const {
    host_sampler sample([&] { keep(result_of(policy)); });
    std::vector<double> samples;
    for (int i = 0; i < 3; ++i) samples.push_back(sample());
    out_.add(describe(policy.name(), mode), bytes(), median(samples));
  }

  options const& chosen_;
  report& out_;
  T const* data_;
  std::int64_t n_;
};

template <class T>
void run_type(options const& chosen, report& out, bool gpu_present) {
  if (!wants(chosen.types, type_name<T>())) return;
  auto const sizes = chosen.sizes.empty() ? default_sizes() : chosen.sizes;
  auto const room = physical_memory() / 2 / static_cast<std::int64_t>(sizeof(T));
  std::int64_t most = 0;
  for (auto const n : sizes) {
    if (n <= room)
      most = std::max(most, n);
    else
      out.leave_out(std::string("cpu, ") + type_name<T>() + ", n = " + std::to_string(n), "above half of the memory");
  }
  std::vector<T> data(static_cast<std::size_t>(most));
  for (std::int64_t i = 0; i < most; ++i) data[static_cast<std::size_t>(i)] = element<T>(i);

  auto const run_one = [&]<operation Op>(std::int64_t n) {
    if (!wants(chosen.ops, operation_name(Op))) return;
    try {
      host_case<Op, T>(chosen, out, data.data(), n).run(!gpu_present);
    } catch (std::exception const& fault) {
      out.fail(std::string("cpu ") + operation_name(Op) + ' ' + type_name<T>() + " n=" + std::to_string(n),
               fault.what());
    }
  };
  for (auto const n : sizes) {
    if (n > room) continue;
    run_one.template operator()<operation::sum>(n);
    run_one.template operator()<operation::min>(n);
    run_one.template operator()<operation::max>(n);
  }
}

}  // namespace

void run_host_cases(options const& chosen, report& out, bool gpu_present) {
  if (!wants(chosen.modes, "cpu")) return;
  out.heading("CPU: wall time of a call, median of interleaved pairs; ratio is baseline / ours");
  run_type<float>(chosen, out, gpu_present);
  run_type<double>(chosen, out, gpu_present);
  run_type<std::int32_t>(chosen, out, gpu_present);
  run_type<std::int64_t>(chosen, out, gpu_present);
  if (!gpu_present)
    out.leave_out(
        "two_pass, grid_sync and last_block on this CPU",
        "run on the simulated machine up to n = 65536 to compare bits (mode simt); it is made for checking, so "
        "its time is no claim and has no baseline");
}

template <class T>
T serial_result(operation op, T const* data, std::int64_t n) {
  switch (op) {
    case operation::min:
      return reduce_under<operation::min>(preduce::serial, data, n);
    case operation::max:
      return reduce_under<operation::max>(preduce::serial, data, n);
    default:
      return reduce_under<operation::sum>(preduce::serial, data, n);
  }
}

template float serial_result(operation, float const*, std::int64_t);
template double serial_result(operation, double const*, std::int64_t);
template std::int32_t serial_result(operation, std::int32_t const*, std::int64_t);
template std::int64_t serial_result(operation, std::int64_t const*, std::int64_t);

}  // namespace perf

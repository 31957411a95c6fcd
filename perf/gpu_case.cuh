#pragma once
// The body of run_gpu_case.

#include "baselines/cub_reduce.cuh"
#include "baselines/cub_version.cuh"
#include "check.hpp"
#include "gpu_case.hpp"
#include "gpu_timing.hpp"
#include "host_cases.hpp"

#include <preduce/preduce.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace perf {

/// Calls a sample holds: many where one is short, so that the events' grain does not show.
inline int calls_in_graph(std::int64_t n) {
  return n <= (std::int64_t{1} << 20) ? 100 : n <= (std::int64_t{1} << 24) ? 50 : 20;
}
inline int calls_to_host(std::int64_t n) {
  return n <= (std::int64_t{1} << 22) ? 20 : n <= (std::int64_t{1} << 26) ? 5 : 1;
}

template <operation Op, class T>
class gpu_case {
 public:
  gpu_case(options const& chosen, report& out, gpu_data<T> data, std::int64_t n)
      : chosen_(chosen), out_(out), data_(data), n_(n), cub_(data.device, result_.get(), n, data.stream) {}

  void run() {
    if (!correct()) return;
    with_policies([&](auto const& policy) { time(policy); });
  }

 private:
  /// Calls f(policy) for each policy that was asked for.
  template <class F>
  void with_policies(F&& f) const {
    if (wants(chosen_.policies, "automatic")) f(preduce::automatic);
    if (wants(chosen_.policies, "two_pass")) f(preduce::two_pass);
    if (wants(chosen_.policies, "grid_sync")) f(preduce::grid_sync);
    if (wants(chosen_.policies, "last_block")) f(preduce::last_block);
  }

  /// Reports and returns false where a result is wrong.
  bool correct() {
    std::vector<policy_result<T>> results;
    auto const both_forms = [&](auto const& policy) {
      std::string const name = policy.name();
      results.push_back({name + " (to device)", to_device(policy)});
      results.push_back({name + " (to host)", to_host(policy)});
    };
    with_policies(both_forms);
    if (results.empty()) return false;
    if (n_ <= data_.host_count) results.push_back({"serial on the CPU", serial_result(Op, data_.host, n_)});

    auto const expected = reference();
    auto const tolerance = Op == operation::sum ? sum_tolerance<T>(n_, static_cast<double>(expected)) : 0;
    auto const wrong = check_results(results, expected, tolerance);
    if (!wrong.empty()) out_.fail("gpu " + describe("", "").in_words(), wrong);
    return wrong.empty();
  }

  reference_t<T> reference() {
    if constexpr (Op == operation::sum && std::is_floating_point_v<T>) {
      return baseline::sum_in_double(data_.device, n_, data_.stream);
    } else {
      poison();
      cub_.issue();
      return fetch();
    }
  }

  template <class Policy>
  void issue(Policy const& policy) {
    preduce::reduce_into(policy.on(data_.stream), data_.device, data_.device + n_, result_.get(),
                         initial_value<Op, T>(), monoid_of<Op, T>{});
  }

  template <class Policy>
  T to_host(Policy const& policy) {
    return preduce::reduce(policy.on(data_.stream), data_.device, data_.device + n_, initial_value<Op, T>(),
                           monoid_of<Op, T>{});
  }

  template <class Policy>
  T to_device(Policy const& policy) {
    poison();
    issue(policy);
    return fetch();
  }

  /// A result that nobody writes must not look right by what an earlier call left there.
  void poison() { check(cudaMemsetAsync(result_.get(), 0xcd, sizeof(T), data_.stream), "poisoning the result"); }

  T fetch() {
    check(cudaMemcpyAsync(scalar_.get(), result_.get(), sizeof(T), cudaMemcpyDeviceToHost, data_.stream),
          "copying the result");
    check(cudaStreamSynchronize(data_.stream), "waiting for the result");
    return *scalar_.get();
  }

  template <class Policy>
  void time(Policy const& policy) {
    auto const pairs = pairs_for(chosen_, n_);
    auto const ours = [&] { issue(policy); };
    auto const theirs = [&] { cub_.issue(); };
    auto const attempt = [&](char const* mode, auto measure) {
      if (!wants(chosen_.modes, mode)) return;
      auto const what = describe(policy.name(), mode);
      try {
        out_.add(what, n_ * static_cast<std::int64_t>(sizeof(T)), {"cub::DeviceReduce", baseline::cub_version()},
                 measure());
      } catch (std::exception const& fault) {
        if (!gpu_still_works()) throw;
        out_.fail("gpu " + what.in_words(), fault.what());
      }
    };
    attempt("graph", [&] {
      graph_sampler a(data_.stream, calls_in_graph(n_), ours);
      graph_sampler b(data_.stream, calls_in_graph(n_), theirs);
      return compare(pairs, a, b);
    });
    attempt("stream", [&] {
      stream_sampler a(data_.stream, calls_in_graph(n_), ours);
      stream_sampler b(data_.stream, calls_in_graph(n_), theirs);
      return compare(pairs, a, b);
    });
    attempt("host", [&] {
      scalar_sampler a(data_.stream, calls_to_host(n_), [&] { to_host(policy); });
      scalar_sampler b(data_.stream, calls_to_host(n_), [&] {
        cub_.issue();
        fetch();
      });
      return compare(pairs, a, b);
    });
  }

  [[nodiscard]] measured_case describe(char const* policy, char const* mode) const {
    measured_case what;
    what.op = operation_name(Op);
    what.input_type = what.accum_type = type_name<T>();
    what.n = n_;
    what.mode = mode;
    what.policy = policy;
    return what;
  }

  options const& chosen_;
  report& out_;
  gpu_data<T> data_;
  std::int64_t n_;
  device_array<T> result_{1};
  pinned_value<T> scalar_;
  baseline::cub_reduce<Op, T> cub_;
};

template <operation Op, class T>
void run_gpu_case(options const& chosen, report& out, gpu_data<T> const& data, std::int64_t n) {
  gpu_case<Op, T>(chosen, out, data, n).run();
}

}  // namespace perf

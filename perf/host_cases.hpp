#pragma once
// The CPU's part of the benchmark. Compiled by the host compiler alone: nvcc's host pass makes slower code.

#include "operations.hpp"
#include "options.hpp"
#include "report.hpp"

#include <cstdint>

namespace perf {

/// Checks and times `serial` and `openmp`; runs the GPU policies on the simulated machine at small n, where
/// their bits must be the same, and prints their time too where no GPU will (`gpu_present`).
void run_host_cases(options const&, report&, bool gpu_present);

/// `serial`'s result, for comparison with a GPU's bits. T is float, double, int32 or int64.
template <class T>
T serial_result(operation, T const* data, std::int64_t n);

}  // namespace perf

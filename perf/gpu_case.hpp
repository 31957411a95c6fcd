#pragma once
// One operation over the first n elements on the GPU. Each operation is compiled in a file of its own: gpu_sum.cu and
// so on.

#include "operations.hpp"
#include "options.hpp"
#include "report.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace perf {

/// Where a case's elements lie.
template <class T>
struct gpu_data {
  T const* device;
  T const* host;  ///< the first host_count of them, to be reduced on the CPU
  std::int64_t host_count;
  cudaStream_t stream;
};

/// Checked under every policy, then timed beside CUB. T is float, double, int32 or int64.
template <operation Op, class T>
void run_gpu_case(options const&, report&, gpu_data<T> const&, std::int64_t n);

}  // namespace perf

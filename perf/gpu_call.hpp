#pragma once
// A reduction on the GPU with its type erased, so that each side is compiled in a file of its own: preduce's calls in
// ours/, a baseline's in baselines/, the latter also a second time against another CCCL.

#include "configuration.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace perf {

/// Where a reduction's operands lie, and its result: enough device memory for any.
struct gpu_operands {
  void const* data;
  void const* other;  ///< of a dot product
  std::int64_t n;
  void* result;
  cudaStream_t stream;
};

/// Memory of a result: located<double>, floats<6>.
inline constexpr std::int64_t result_bytes = 64;

class gpu_call {
 public:
  gpu_call() = default;
  gpu_call(gpu_call const&) = delete;
  gpu_call& operator=(gpu_call const&) = delete;
  virtual ~gpu_call() = default;

  /// Puts the reduction of the n elements from element `offset` on into `result`, on the stream; does not wait.
  virtual cudaError_t issue(std::int64_t offset) = 0;

  /// The same, and returns when the result is in `result` on the host. Where a side has no call of its own for that
  /// this returns cudaErrorNotSupported, and the benchmark copies and waits.
  virtual cudaError_t to_host(std::int64_t, void*) { return cudaErrorNotSupported; }
};

}  // namespace perf

#pragma once
// CUB and Thrust on the GPU. The same sources are compiled against the toolkit's CCCL into the program, and against a
// newer one into a library of its own whose only visible name is the factory: inline functions of the two do not mix.

#include "../gpu_call.hpp"

#include <cstdint>

namespace perf::baseline {

/// The factory of one build: a call, or null where this version has none for the request.
struct gpu_library {
  char const* version;  ///< CUB's, e.g. "3.0.1"
  gpu_call* (*make)(baseline_kind, operation, element, gpu_operands const&);
};

}  // namespace perf::baseline

extern "C" {
__attribute__((visibility("default"))) perf::baseline::gpu_library const* preduce_bench_cccl_toolkit();
__attribute__((visibility("default"))) perf::baseline::gpu_library const* preduce_bench_cccl_newest();
}

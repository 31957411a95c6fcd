#include "gpu_cases.hpp"

namespace perf {

bool gpu_usable(report& out) {
  out.leave_out("GPU modes (graph, stream, host)", "built without CUDA: no nvcc was found, or PREDUCE_CUDA is OFF");
  return false;
}

void describe_gpu(report& out) {
  out.header("GPU", "none (built without CUDA)");
}

void run_gpu_cases(options const&, report&) {}

}  // namespace perf

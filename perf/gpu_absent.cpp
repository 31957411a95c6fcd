#include "gpu.hpp"

namespace perf {

std::string why_no_gpu() {
  return "built without CUDA: no nvcc was found, or PREDUCE_CUDA is OFF";
}

void describe_gpu(results& out) {
  out.header("GPU", "none (built without CUDA)");
}

contest prepare_on_gpu(configuration const&, options const&, results&) {
  throw left_out(why_no_gpu());
}

bool gpu_still_works() {
  return false;
}

void release_gpu_data() {}

}  // namespace perf

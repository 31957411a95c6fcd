// The factory of one build; PREDUCE_BENCH_CCCL_ENTRY names it.
#include "cub_call.cuh"

#include <cub/version.cuh>

#include <string>

namespace perf::baseline {
namespace {

gpu_call* make(baseline_kind kind, operation op, element type, gpu_operands const& on) {
  if (kind == baseline_kind::thrust) return op == operation::sum ? make_thrust(type, on) : nullptr;
  if (kind == baseline_kind::cub_gpu_to_gpu) return op == operation::sum ? make_gpu_to_gpu(type, on) : nullptr;
  if (kind == baseline_kind::cub_transform_reduce) return make_transformed(op, type, on);
  if (kind != baseline_kind::cub) return nullptr;
  switch (op) {
    case operation::sum:
      return make_sum(type, on);
    case operation::min:
    case operation::max:
      return make_extreme(op, type, on);
    case operation::min_loc:
    case operation::max_loc:
      return make_location(op, type, on);
    case operation::dot:
      return make_transformed(op, type, on);
    default:
      return make_objects(op, on);
  }
}

std::string const version = std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                            std::to_string(CUB_SUBMINOR_VERSION);
gpu_library const library = {version.c_str(), make};

}  // namespace
}  // namespace perf::baseline

perf::baseline::gpu_library const* PREDUCE_BENCH_CCCL_ENTRY() {
  return &perf::baseline::library;
}

#include "cub_call.cuh"

#include <cub/device/device_reduce.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace perf::baseline {
namespace {

template <class T, class Out = T>
gpu_call* sum_of(gpu_operands const& on) {
  return new cub_call([on](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::Sum(storage, bytes, static_cast<T const*>(on.data) + offset, static_cast<Out*>(on.result),
                                  on.n, on.stream);
  });
}

}  // namespace

gpu_call* make_sum(element type, gpu_operands const& on) {
  switch (type) {
    case element::f32:
      return sum_of<float>(on);
    case element::f64:
      return sum_of<double>(on);
    case element::i32:
      return sum_of<std::int32_t>(on);
    case element::i64:
      return sum_of<std::int64_t>(on);
    case element::i8:
      return sum_of<std::int8_t, std::int32_t>(on);
    case element::f16:
      return sum_of<__half>(on);
    case element::bf16:
      return sum_of<__nv_bfloat16>(on);
    default:
      return nullptr;
  }
}

}  // namespace perf::baseline

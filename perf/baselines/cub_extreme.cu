#include "cub_call.cuh"

#include <cub/device/device_reduce.cuh>

namespace perf::baseline {
namespace {

template <class T>
gpu_call* extreme_of(operation op, gpu_operands const& on) {
  auto const minimum = [on](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::Min(storage, bytes, static_cast<T const*>(on.data) + offset, static_cast<T*>(on.result),
                                  on.n, on.stream);
  };
  auto const maximum = [on](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::Max(storage, bytes, static_cast<T const*>(on.data) + offset, static_cast<T*>(on.result),
                                  on.n, on.stream);
  };
  if (op == operation::min) return new cub_call(minimum);
  return new cub_call(maximum);
}

}  // namespace

gpu_call* make_extreme(operation op, element type, gpu_operands const& on) {
  switch (type) {
    case element::f32:
      return extreme_of<float>(op, on);
    case element::f64:
      return extreme_of<double>(op, on);
    case element::i32:
      return extreme_of<std::int32_t>(op, on);
    case element::i64:
      return extreme_of<std::int64_t>(op, on);
    case element::i8:
      return extreme_of<std::int8_t>(op, on);
    default:
      return nullptr;
  }
}

}  // namespace perf::baseline

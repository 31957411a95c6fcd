#include "cub_call.cuh"

#include <cub/device/device_reduce.cuh>

namespace perf::baseline {
namespace {

/// As preduce::located<T> lies in memory, so that one check reads both.
template <class T>
struct value_and_index {
  T value;
  std::int64_t index;
};

template <class T>
gpu_call* location_of(operation op, gpu_operands const& on) {
  auto* const out = static_cast<value_and_index<T>*>(on.result);
  auto const minimum = [on, out](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::ArgMin(storage, bytes, static_cast<T const*>(on.data) + offset, &out->value, &out->index,
                                     on.n, on.stream);
  };
  auto const maximum = [on, out](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::ArgMax(storage, bytes, static_cast<T const*>(on.data) + offset, &out->value, &out->index,
                                     on.n, on.stream);
  };
  if (op == operation::min_loc) return new cub_call(minimum);
  return new cub_call(maximum);
}

}  // namespace

gpu_call* make_location(operation op, element type, gpu_operands const& on) {
  switch (type) {
    case element::f32:
      return location_of<float>(op, on);
    case element::f64:
      return location_of<double>(op, on);
    case element::i8:
      return location_of<std::int8_t>(op, on);
    case element::i16:
      return location_of<std::int16_t>(op, on);
    case element::i32:
      return location_of<std::int32_t>(op, on);
    default:
      return nullptr;
  }
}

}  // namespace perf::baseline

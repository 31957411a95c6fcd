// Reductions with an operator or a transformation of the user's.
#include "../operations.hpp"
#include "cub_call.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <cub/device/device_reduce.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace perf::baseline {
namespace {

struct widen {
  template <class T>
  __host__ __device__ float operator()(T value) const {
    return static_cast<float>(value);
  }
};

struct product {
  __host__ __device__ float operator()(thrust::tuple<float, float> const& pair) const {
    return thrust::get<0>(pair) * thrust::get<1>(pair);
  }
};

template <class T>
gpu_call* widened_sum_of(gpu_operands const& on) {
  return new cub_call([on](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, static_cast<T const*>(on.data) + offset,
                                              static_cast<float*>(on.result), on.n, add{}, widen{}, 0.0F, on.stream);
  });
}

gpu_call* dot_of(gpu_operands const& on) {
  return new cub_call([on](void* storage, std::size_t& bytes, std::int64_t offset) {
    auto const both = thrust::make_zip_iterator(static_cast<float const*>(on.data) + offset,
                                                static_cast<float const*>(on.other) + offset);
    return cub::DeviceReduce::TransformReduce(storage, bytes, both, static_cast<float*>(on.result), on.n, add{},
                                              product{}, 0.0F, on.stream);
  });
}

struct element_of {
  float const* data;
  __host__ __device__ float operator()(std::int64_t i) const { return data[i]; }
};

gpu_call* sum_by_index(gpu_operands const& on) {
  return new cub_call([on](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, thrust::counting_iterator<std::int64_t>(0),
                                              static_cast<float*>(on.result), on.n, add{},
                                              element_of{static_cast<float const*>(on.data) + offset}, 0.0F, on.stream);
  });
}

template <class T, class Op>
gpu_call* reduction_of(gpu_operands const& on, Op op, T init) {
  return new cub_call([=](void* storage, std::size_t& bytes, std::int64_t offset) {
    return cub::DeviceReduce::Reduce(storage, bytes, static_cast<T const*>(on.data) + offset,
                                     static_cast<T*>(on.result), on.n, op, init, on.stream);
  });
}

}  // namespace

gpu_call* make_transformed(operation op, element type, gpu_operands const& on) {
  if (op == operation::dot) return dot_of(on);
  if (type == element::f32) return sum_by_index(on);
  if (type == element::f16) return widened_sum_of<__half>(on);
  if (type == element::bf16) return widened_sum_of<__nv_bfloat16>(on);
  return nullptr;
}

gpu_call* make_objects(operation op, gpu_operands const& on) {
  switch (op) {
    case operation::sum_struct12:
      return reduction_of(on, add{}, floats<3>{});
    case operation::sum_struct16:
      return reduction_of(on, add{}, floats<4>{});
    case operation::sum_struct24:
      return reduction_of(on, add{}, floats<6>{});
    case operation::affine:
      return reduction_of(on, shifted_add{affine_shift}, -affine_shift);
    default:
      return nullptr;
  }
}

}  // namespace perf::baseline

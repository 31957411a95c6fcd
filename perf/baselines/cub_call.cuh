#pragma once
// cub::DeviceReduce as its documentation says to use it: storage queried once and kept, then one call a reduction.

#include "cub.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace perf::baseline {

/// Call(storage, bytes, offset) is one of cub::DeviceReduce's.
template <class Call>
class cub_call : public gpu_call {
 public:
  explicit cub_call(Call call) : call_(std::move(call)) {
    auto status = call_(nullptr, bytes_, 0);
    if (status == cudaSuccess) status = cudaMalloc(&storage_, bytes_ > 0 ? bytes_ : 1);
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
  }
  ~cub_call() override { cudaFree(storage_); }

  cudaError_t issue(std::int64_t offset) override {
    auto bytes = bytes_;
    return call_(storage_, bytes, offset);
  }

 private:
  Call call_;
  std::size_t bytes_ = 0;
  void* storage_ = nullptr;
};

/// Sums, minima and maxima of numbers; the families below live in files of their own, to compile side by side.
gpu_call* make_sum(element, gpu_operands const&);
gpu_call* make_extreme(operation, element, gpu_operands const&);
gpu_call* make_location(operation, element, gpu_operands const&);
/// f16 and bf16 widened to float by TransformReduce; dot products over a zip iterator.
gpu_call* make_transformed(operation, element, gpu_operands const&);
gpu_call* make_objects(operation, gpu_operands const&);
gpu_call* make_gpu_to_gpu(element, gpu_operands const&);
gpu_call* make_thrust(element, gpu_operands const&);

}  // namespace perf::baseline

// Sums with the same bits on every GPU, which CUB has since 3.1: through an environment, which also asks for storage at
// every call. It is given storage that was allocated once, as the other baselines are.
#include "cub_call.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include <new>
#include <type_traits>

#if CUB_VERSION >= 300100

#  include <cuda/__execution/determinism.h>
#  include <cuda/__execution/require.h>
#  include <cuda/__memory_resource/get_memory_resource.h>
#  include <cuda/__stream/get_stream.h>
#  include <cuda/std/__execution/env.h>

namespace perf::baseline {

/// Memory that grows with the first call, and stays.
class kept_storage {
 public:
  kept_storage() = default;
  kept_storage(kept_storage const&) = delete;
  kept_storage& operator=(kept_storage const&) = delete;
  ~kept_storage() { cudaFree(memory_); }

  void* at_least(std::size_t bytes) {
    if (bytes <= bytes_) return memory_;
    cudaFree(memory_);
    memory_ = nullptr;
    bytes_ = cudaMalloc(&memory_, bytes) == cudaSuccess ? bytes : 0;
    if (memory_ == nullptr) throw std::bad_alloc();
    return memory_;
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A cuda::mr::resource over it.
struct storage_resource {
  kept_storage* storage;
  void* allocate(cuda::stream_ref, std::size_t bytes, std::size_t) { return storage->at_least(bytes); }
  void deallocate(cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
  void* allocate_sync(std::size_t bytes, std::size_t) { return storage->at_least(bytes); }
  void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}
  bool operator==(storage_resource const&) const = default;
  friend void get_property(storage_resource const&, cuda::mr::device_accessible) noexcept {}
};

namespace {

template <class T>
class deterministic_sum : public gpu_call {
 public:
  explicit deterministic_sum(gpu_operands const& on) : on_(on) {}

  cudaError_t issue(std::int64_t offset) override {
    namespace execution = cuda::std::execution;
    auto const environment =
        execution::env{execution::prop{cuda::get_stream_t{}, cuda::stream_ref{on_.stream}},
                       execution::prop{cuda::mr::get_memory_resource_t{}, storage_resource{&storage_}},
                       cuda::execution::require(cuda::execution::determinism::gpu_to_gpu)};
    // An environment without what CUB looks for is taken all the same, and memory then comes from cudaMallocAsync.
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(cuda::mr::get_memory_resource_t{}(environment))>,
                                 storage_resource>);
    return cub::DeviceReduce::Sum(static_cast<T const*>(on_.data) + offset, static_cast<T*>(on_.result), on_.n,
                                  environment);
  }

 private:
  gpu_operands on_;
  kept_storage storage_;
};

}  // namespace

gpu_call* make_gpu_to_gpu(element type, gpu_operands const& on) {
  if (type == element::f32) return new deterministic_sum<float>(on);
  if (type == element::f64) return new deterministic_sum<double>(on);
  return nullptr;
}

}  // namespace perf::baseline

#else

namespace perf::baseline {

gpu_call* make_gpu_to_gpu(element, gpu_operands const&) {
  return nullptr;
}

}  // namespace perf::baseline

#endif

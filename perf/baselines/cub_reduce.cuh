#pragma once
// cub::DeviceReduce as its documentation says to use it: storage queried once and kept, then one call a reduction.

#include "../cuda_objects.hpp"
#include "../operations.hpp"

#include <cub/device/device_reduce.cuh>

#include <cstddef>
#include <cstdint>

namespace perf::baseline {

/// Sum, Min or Max of n values into device memory, asynchronously. Counts are int64, as preduce's are.
template <operation Op, class T>
class cub_reduce : pinned_to_scope {
 public:
  cub_reduce(T const* in, T* out, std::int64_t n, cudaStream_t stream)
      : in_(in), out_(out), n_(n), stream_(stream), bytes_(query()), storage_(static_cast<std::int64_t>(bytes_)) {}

  void issue() {
    auto bytes = bytes_;
    check(call(storage_.get(), bytes), "cub::DeviceReduce");
  }

 private:
  std::size_t query() {
    std::size_t bytes = 0;
    check(call(nullptr, bytes), "asking cub::DeviceReduce for its storage");
    return bytes;
  }

  cudaError_t call(void* storage, std::size_t& bytes) {
    if constexpr (Op == operation::sum)
      return cub::DeviceReduce::Sum(storage, bytes, in_, out_, n_, stream_);
    else if constexpr (Op == operation::min)
      return cub::DeviceReduce::Min(storage, bytes, in_, out_, n_, stream_);
    else
      return cub::DeviceReduce::Max(storage, bytes, in_, out_, n_, stream_);
  }

  T const* in_;
  T* out_;
  std::int64_t n_;
  cudaStream_t stream_;
  std::size_t bytes_;
  device_array<unsigned char> storage_;
};

struct widen {
  template <class T>
  __host__ __device__ double operator()(T value) const {
    return static_cast<double>(value);
  }
};

struct add {
  __host__ __device__ double operator()(double a, double b) const { return a + b; }
};

/// The sum in double, whatever the element type: a reference that owes nothing to preduce. Waits for the stream.
template <class T>
double sum_in_double(T const* in, std::int64_t n, cudaStream_t stream) {
  device_array<double> out(1);
  std::size_t bytes = 0;
  auto const call = [&](void* storage) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, in, out.get(), n, add{}, widen{}, 0.0, stream);
  };
  check(call(nullptr), "asking cub::DeviceReduce for its storage");
  device_array<unsigned char> storage(static_cast<std::int64_t>(bytes));
  check(call(storage.get()), "cub::DeviceReduce::TransformReduce");
  double value = 0;
  check(cudaMemcpyAsync(&value, out.get(), sizeof value, cudaMemcpyDeviceToHost, stream), "copying the reference");
  check(cudaStreamSynchronize(stream), "computing the reference");
  return value;
}

}  // namespace perf::baseline

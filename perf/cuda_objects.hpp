#pragma once
// Owners of CUDA objects, and the check that every CUDA call of the benchmark goes through.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace perf {

inline void check(cudaError_t status, char const* during) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // reported here: the next call starts clean
  throw std::runtime_error(std::string(during) + ": " + cudaGetErrorName(status) + ", " + cudaGetErrorString(status));
}

/// Neither copied nor moved, like all owners here: each stays where it was made.
class pinned_to_scope {
 public:
  pinned_to_scope() = default;
  pinned_to_scope(pinned_to_scope const&) = delete;
  pinned_to_scope& operator=(pinned_to_scope const&) = delete;
};

class cuda_stream : pinned_to_scope {
 public:
  cuda_stream() { check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "creating a stream"); }
  ~cuda_stream() { cudaStreamDestroy(handle_); }
  [[nodiscard]] cudaStream_t get() const { return handle_; }
  void wait() const { check(cudaStreamSynchronize(handle_), "waiting for the stream"); }

 private:
  cudaStream_t handle_ = nullptr;
};

class cuda_event : pinned_to_scope {
 public:
  cuda_event() { check(cudaEventCreate(&handle_), "creating an event"); }
  ~cuda_event() { cudaEventDestroy(handle_); }
  void record(cudaStream_t stream) const { check(cudaEventRecord(handle_, stream), "recording an event"); }
  void wait() const { check(cudaEventSynchronize(handle_), "waiting for an event"); }
  [[nodiscard]] double us_since(cuda_event const& start) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start.handle_, handle_), "reading the time between events");
    return static_cast<double>(ms) * 1e3;
  }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Device memory for `count` values of T, uninitialised.
template <class T>
class device_array : pinned_to_scope {
 public:
  explicit device_array(std::int64_t count) : count_(count) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T)), "allocating device memory");
    data_ = static_cast<T*>(memory);
  }
  ~device_array() { cudaFree(data_); }
  [[nodiscard]] T* get() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return count_; }

 private:
  T* data_ = nullptr;
  std::int64_t count_;
};

/// One value of T in page-locked host memory: the target of a copy that need not be staged.
template <class T>
class pinned_value : pinned_to_scope {
 public:
  pinned_value() {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, sizeof(T)), "allocating page-locked memory");
    data_ = static_cast<T*>(memory);
  }
  ~pinned_value() { cudaFreeHost(data_); }
  [[nodiscard]] T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace perf

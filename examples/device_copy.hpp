#pragma once
// The bytes on the GPU, in a program that nvcc compiled and that finds one; elsewhere there is nothing to copy to.

#include <preduce/preduce.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

#ifdef __CUDACC__

inline bool runs_on_gpu() {
  return preduce::gpu_available();
}

class device_copy {
 public:
  /// Throws std::runtime_error with one sentence where the GPU has no room.
  device_copy(void const* bytes, std::size_t size) {
    check(cudaMalloc(&data_, size), "the GPU has no room for the file's " + std::to_string(size) + " bytes");
    auto const status = cudaMemcpy(data_, bytes, size, cudaMemcpyHostToDevice);
    if (status != cudaSuccess) cudaFree(data_);
    check(status, "cannot copy the file to the GPU");
  }
  ~device_copy() { cudaFree(data_); }
  device_copy(device_copy const&) = delete;
  device_copy& operator=(device_copy const&) = delete;

  [[nodiscard]] void const* data() const { return data_; }

 private:
  static void check(cudaError_t status, std::string const& what) {
    if (status != cudaSuccess) throw std::runtime_error(what + ": " + cudaGetErrorString(status));
  }

  void* data_ = nullptr;
};

#else

inline bool runs_on_gpu() {
  return false;
}

class device_copy {
 public:
  device_copy(void const*, std::size_t) {}
  [[nodiscard]] void const* data() const { return nullptr; }
};

#endif

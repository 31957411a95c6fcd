// Who can reach a pointer, and what state a stream is in.

#include <preduce/workspace.hpp>

#if PREDUCE_WITH_CUDA

#  include <preduce/device_facts.hpp>

#  include "status.hpp"

#  include <dlfcn.h>

#  include <string>

namespace preduce::detail {
namespace {

constexpr char const* use_device_memory =
    "pass device, pinned or managed memory, or use serial, openmp or .on(preduce::simt_host)";

/// The driver is loaded by a process's first CUDA call.
bool cuda_in_use() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver != nullptr) dlclose(driver);
  return driver != nullptr;
}

}  // namespace

stream_facts inspect_stream(cudaStream_t stream, call_context const& about) {
  if (auto const earlier = cudaPeekAtLastError(); earlier != cudaSuccess && earlier != cudaErrorInsufficientDriver)
    fail(error_code::pending_error, about,
         (std::string(cudaGetErrorName(earlier)) + " (" + cudaGetErrorString(earlier) + ") is pending").c_str(),
         "an earlier CUDA call, not this one, left it: handle it and clear it with cudaGetLastError()");
  stream_facts facts{};
  if (cudaGetDevice(&facts.device) != cudaSuccess) {
    (void)cudaGetLastError();
    fail(error_code::no_device, about, "no usable CUDA device",
         "run on a machine with a GPU and its driver, or use serial, openmp or .on(preduce::simt_host)");
  }
  cudaStreamCaptureStatus capture{};
  check(cudaStreamIsCapturing(stream, &capture), about, "asking whether the stream is captured");
  if (capture == cudaStreamCaptureStatusInvalidated)
    fail(error_code::unsupported, about, "the stream's capture was invalidated", "end the capture and begin it anew");
  facts.state = capture == cudaStreamCaptureStatusActive ? stream_state::capturing : stream_state::running;
  return facts;
}

void check_reachable(void const* memory, int device, char const* what, call_context const& about) {
  if (current_device_facts().reads_pageable_memory) return;
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory), about, "asking what kind of memory a pointer names");
  if (attributes.type == cudaMemoryTypeUnregistered)
    fail(error_code::invalid_pointer, about,
         (std::string("the pointer to ") + what + " names host memory that the device cannot reach").c_str(),
         use_device_memory);
  if (attributes.type != cudaMemoryTypeDevice || attributes.device == device) return;
  // Whether access between two devices that can have it was enabled, CUDA does not tell.
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, device, attributes.device), about, "asking for access between devices");
  if (possible == 0)
    fail(error_code::invalid_pointer, about,
         (std::string("the pointer to ") + what + " names memory of another GPU, which this one cannot reach").c_str(),
         "make the GPU that holds it current, or copy it");
}

bool only_host_reads(void const* memory) noexcept {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) {
    (void)cudaGetLastError();
    return true;
  }
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
    (void)cudaGetLastError();
    return false;  // the call will say what is wrong
  }
  try {
    return attributes.type == cudaMemoryTypeUnregistered && !current_device_facts().reads_pageable_memory;
  } catch (error const&) {
    return false;
  }
}

void check_host_reachable(void const* memory, char const* what, call_context const& about) {
  if (!cuda_in_use()) return;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
    (void)cudaGetLastError();
    return;
  }
  if (attributes.type == cudaMemoryTypeDevice)
    fail(error_code::invalid_pointer, about,
         (std::string("the pointer to ") + what + " names memory of the GPU, and this policy runs on the CPU").c_str(),
         "copy the data to the host, or use a GPU policy in a file compiled by nvcc");
}

}  // namespace preduce::detail

#else

namespace preduce::detail {
bool only_host_reads(void const*) noexcept {
  return true;
}
void check_host_reachable(void const*, char const*, call_context const&) {}
}  // namespace preduce::detail

#endif

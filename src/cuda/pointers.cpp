// Who can reach a pointer, and what state a stream is in.

#include <preduce/workspace.hpp>

#if PREDUCE_WITH_CUDA

#  include <preduce/device_facts.hpp>

#  include "driver.hpp"
#  include "status.hpp"

#  include <dlfcn.h>
#  include <link.h>

#  include <array>
#  include <atomic>
#  include <cstddef>
#  include <cstdint>
#  include <string>

namespace preduce::detail {
namespace {

constexpr char const* use_device_memory =
    "pass device, pinned or managed memory, or use serial, openmp or .on(preduce::simt_host)";

/// How many libraries this process has ever loaded.
unsigned long long libraries_loaded() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;  // the first one knows
      },
      &count);
  return count;
}

/// The driver is loaded by a process's first CUDA call. Where there is none, looking for it costs more than a small
/// reduction does, so that is done again only when some library has been loaded since.
bool cuda_in_use() {
  static std::atomic<unsigned long long> absent_at = 0;
  static std::atomic<bool> present = false;
  if (present.load(std::memory_order_relaxed)) return true;
  auto const loaded = libraries_loaded();
  if (loaded == absent_at.load(std::memory_order_relaxed)) return false;
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) {
    absent_at.store(loaded, std::memory_order_relaxed);
    return false;
  }
  dlclose(driver);
  present.store(true, std::memory_order_relaxed);
  return true;
}

/// The stretches of memory that this thread's latest calls found to be a device's own: a call a reduction less to the
/// driver. Device memory is mapped by stretches of this size, which hold nothing else. Memory that was freed since may
/// pass, for a while: a kernel's fault then says what the check would have said.
class known_memory {
 public:
  [[nodiscard]] bool has(void const* memory, int device) {
    auto& known = entry_of(memory);
    return known.stretch == stretch_of(memory) && known.device == device && known.uses_left-- > 0;
  }
  void keep(void const* memory, int device) { entry_of(memory) = {stretch_of(memory), device, uses}; }

 private:
  static constexpr unsigned size_bits = 6;
  static constexpr unsigned stretch_bits = 21;
  static constexpr int uses = 1000;
  struct entry {
    std::uintptr_t stretch;  // 0 holds no memory
    int device;
    int uses_left;
  };
  static std::uintptr_t stretch_of(void const* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) >> stretch_bits;
  }
  // Arrays are often a power of two apart: by the upper bits of a product, which all bits of the stretch move.
  entry& entry_of(void const* memory) {
    return entries_[(std::uint64_t{stretch_of(memory)} * 0x9e3779b97f4a7c15u) >> (64 - size_bits)];
  }
  std::array<entry, 1 << size_bits> entries_{};
};
constinit thread_local known_memory known;

}  // namespace

int device_of_call(call_context const& about) {
  if (auto const earlier = cudaPeekAtLastError(); earlier != cudaSuccess && earlier != cudaErrorInsufficientDriver)
    fail(error_code::pending_error, about,
         (std::string(cudaGetErrorName(earlier)) + " (" + cudaGetErrorString(earlier) + ") is pending").c_str(),
         "an earlier CUDA call, not this one, left it: handle it and clear it with cudaGetLastError()");
  int device = 0;
  // The driver's handle of a device is its ordinal.
  if (auto const ask = driver().device_of_context; ask != nullptr && ask(&device) == CUDA_SUCCESS) return device;
  if (cudaGetDevice(&device) != cudaSuccess) {
    (void)cudaGetLastError();
    fail(error_code::no_device, about, "no usable CUDA device",
         "run on a machine with a GPU and its driver, or use serial, openmp or .on(preduce::simt_host)");
  }
  return device;
}

void check_stream(cudaStream_t stream, [[maybe_unused]] int device, [[maybe_unused]] call_context const& about) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) return;
  // A thread's calls are mostly on one stream. (One of another device that has the handle of the latest, which is gone,
  // passes.)
  constinit static thread_local struct {
    cudaStream_t stream;
    int device;
  } latest{};
  if (latest.stream == stream && latest.device == device) return;
  auto const& ask = driver_without_context();
  CUcontext current = nullptr, its = nullptr;
  if (ask.context == nullptr || ask.context_of_stream == nullptr) return;
  if (ask.context(&current) != CUDA_SUCCESS || current == nullptr) return;
  if (ask.context_of_stream(stream, &its) != CUDA_SUCCESS) return;
#  if CUDART_VERSION >= 12080
  int device_of_stream = device;  // one device may have several contexts
  if (its != current && cudaStreamGetDevice(stream, &device_of_stream) != cudaSuccess) (void)cudaGetLastError();
  if (device_of_stream != device)
    fail(error_code::invalid_argument, about, "the stream belongs to another device than the current one",
         "make the stream's device current with cudaSetDevice()");
#  endif
  latest = {stream, device};
}

stream_state state_of(cudaStream_t stream, call_context const& about) {
  auto const ask = driver().stream_is_capturing;
  CUstreamCaptureStatus told{};
  if (ask != nullptr && ask(stream, &told) == CUDA_SUCCESS && told == CU_STREAM_CAPTURE_STATUS_NONE)
    return stream_state::running;
  cudaStreamCaptureStatus capture{};
  check(cudaStreamIsCapturing(stream, &capture), about, "asking whether the stream is captured");
  if (capture == cudaStreamCaptureStatusInvalidated)
    fail(error_code::unsupported, about, "the stream's capture was invalidated", "end the capture and begin it anew");
  return capture == cudaStreamCaptureStatusActive ? stream_state::capturing : stream_state::running;
}

void check_reachable(void const* memory, int device, char const* what, call_context const& about) {
  if (known.has(memory, device) || facts_of_device(device).reads_pageable_memory) return;
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory), about, "asking what kind of memory a pointer names");
  if (attributes.type == cudaMemoryTypeUnregistered)
    fail(error_code::invalid_pointer, about,
         (std::string("the pointer to ") + what + " names host memory that the device cannot reach").c_str(),
         use_device_memory);
  if (attributes.type != cudaMemoryTypeDevice) return;
  if (attributes.device == device) return known.keep(memory, device);
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
    return attributes.type == cudaMemoryTypeUnregistered && !facts_of_device(device).reads_pageable_memory;
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

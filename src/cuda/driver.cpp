#include <preduce/launch.hpp>

#if PREDUCE_WITH_CUDA

#  include "driver.hpp"
#  include "status.hpp"

#  include <cuda_runtime_api.h>

namespace preduce::detail {
namespace {

template <class Function>
void find(char const* name, Function*& function) {
#  if CUDART_VERSION >= 12050
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  // Functions as of 12.0, with handles of streams as this library's own calls have them.
  if (cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableLegacyStream, &result) != cudaSuccess) {
    (void)cudaGetLastError();
    return;
  }
  if (result == cudaDriverEntryPointSuccess) function = reinterpret_cast<Function*>(found);
#  else
  (void)name, (void)function;
#  endif
}

driver_functions find_all() {
  driver_functions found;
  find("cuLaunchKernelEx", found.launch);
  find("cuCtxGetCurrent", found.context);
  find("cuCtxGetId", found.id_of_context);
  find("cuKernelGetFunction", found.function_of_kernel);
  find("cuStreamGetCtx", found.context_of_stream);
  find("cuCtxGetDevice", found.device_of_context);
  find("cuStreamIsCapturing", found.stream_is_capturing);
  find("cuStreamGetId", found.stream_id);
  return found;
}

constinit thread_local bool has_launched = false;

/// Of the context that is current, or 0.
unsigned long long context_id(driver_functions const& ask) noexcept {
  unsigned long long id = 0;
  return ask.id_of_context != nullptr && ask.id_of_context(nullptr, &id) == CUDA_SUCCESS ? id : 0;
}

/// The kernel's function in the current context, or what the driver takes for any context and looks up at every launch.
CUfunction function_here(driver_functions const& ask, known_kernel& kernel) noexcept {
  auto* const in_any = static_cast<CUfunction>(kernel.kernel);
  auto const context = context_id(ask);
  if (context == 0 || ask.function_of_kernel == nullptr) return in_any;
  if (kernel.context != context) {
    relaxed_capture const relaxed;  // it may have to be loaded first
    CUfunction found = nullptr;
    if (ask.function_of_kernel(&found, static_cast<CUkernel>(kernel.kernel)) != CUDA_SUCCESS) return in_any;
    kernel.function = found;
    kernel.context = context;
  }
  return static_cast<CUfunction>(kernel.function);
}

}  // namespace

driver_functions const& driver_without_context() noexcept {
  static driver_functions const found = find_all();
  return found;
}

driver_functions const& driver() noexcept {
  static constexpr driver_functions none;
  return has_launched ? driver_without_context() : none;
}

unsigned long long current_context() noexcept {
  auto const& ask = driver_without_context();
  if (ask.id_of_context != nullptr) {
    if (auto const id = context_id(ask); id != 0) return id;
    relaxed_capture const relaxed;
    if (cudaFree(nullptr) != cudaSuccess) (void)cudaGetLastError();  // makes the runtime's context
    if (auto const id = context_id(ask); id != 0) return id;
  }
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) (void)cudaGetLastError();
  return ~static_cast<unsigned long long>(device);
}

bool launch_directly(known_kernel& kernel, launch_shape const& shape, void** arguments) noexcept {
  auto const& ask = driver();
  has_launched = true;
  if (ask.launch == nullptr || kernel.kernel == nullptr) return false;
  CUlaunchAttribute attribute{};
  CUlaunchConfig config{};
  config.gridDimX = shape.blocks;
  config.blockDimX = shape.threads;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = static_cast<unsigned>(shape.shared_bytes);
  config.hStream = shape.stream;
  if (shape.kind == launch_kind::cooperative) {
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.cooperative = 1;
  } else if (shape.kind == launch_kind::overlaps_previous) {
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  config.attrs = &attribute;
  config.numAttrs = shape.kind == launch_kind::plain ? 0 : 1;
  return ask.launch(&config, function_here(ask, kernel), arguments, nullptr) == CUDA_SUCCESS;
}

}  // namespace preduce::detail

#endif

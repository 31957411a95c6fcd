#include <preduce/launch.hpp>

#if PREDUCE_WITH_CUDA

#  include "driver.hpp"

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
  find("cuStreamGetCtx", found.context_of_stream);
  find("cuCtxGetDevice", found.device_of_context);
  find("cuStreamIsCapturing", found.stream_is_capturing);
  find("cuStreamGetId", found.stream_id);
  return found;
}

constinit thread_local bool has_launched = false;

}  // namespace

driver_functions const& driver_without_context() noexcept {
  static driver_functions const found = find_all();
  return found;
}

driver_functions const& driver() noexcept {
  static constexpr driver_functions none;
  return has_launched ? driver_without_context() : none;
}

bool launch_directly(void* kernel, launch_shape const& shape, void** arguments) noexcept {
  auto const launch = driver().launch;
  has_launched = true;
  if (launch == nullptr || kernel == nullptr) return false;
  CUlaunchConfig config{};
  config.gridDimX = shape.blocks;
  config.blockDimX = shape.threads;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = static_cast<unsigned>(shape.shared_bytes);
  config.hStream = shape.stream;
  return launch(&config, static_cast<CUfunction>(kernel), arguments, nullptr) == CUDA_SUCCESS;
}

}  // namespace preduce::detail

#endif

#pragma once
// Checked CUDA calls of the compiled part. An error that one of its own calls caused is cleared before it is thrown, so
// that nobody else's next check finds it.

#include <preduce/errors.hpp>

#include <cuda_runtime_api.h>

namespace preduce::detail {

inline void check(cudaError_t status, call_context const& about, char const* during) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  fail_cuda(static_cast<int>(status), about, during);
}

/// Allocation is not allowed to a thread while any stream is captured in global mode, unless the thread says that it
/// knows.
class relaxed_capture {
 public:
  relaxed_capture() noexcept { (void)cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~relaxed_capture() { (void)cudaThreadExchangeStreamCaptureMode(&mode_); }
  relaxed_capture(relaxed_capture const&) = delete;
  relaxed_capture& operator=(relaxed_capture const&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace preduce::detail

#pragma once
// Functions of the driver that every call of a small reduction needs, found once. The runtime's versions do the same
// and take 30 to 200 ns longer. All have a fallback: a null pointer, or any error, sends the caller to the runtime,
// which sees to contexts and says what is wrong.

#include <cuda.h>

namespace preduce::detail {

struct driver_functions {
  CUresult (*launch)(CUlaunchConfig const*, CUfunction, void** arguments, void** extra) = nullptr;
  CUresult (*context)(CUcontext*) = nullptr;
  CUresult (*id_of_context)(CUcontext, unsigned long long*) = nullptr;
  CUresult (*function_of_kernel)(CUfunction*, CUkernel) = nullptr;
  CUresult (*context_of_stream)(CUstream, CUcontext*) = nullptr;
  CUresult (*device_of_context)(CUdevice*) = nullptr;
  CUresult (*stream_is_capturing)(CUstream, CUstreamCaptureStatus*) = nullptr;
  CUresult (*stream_id)(CUstream, unsigned long long*) = nullptr;
};

/// Thread-safe. Null pointers where there is no driver.
driver_functions const& driver_without_context() noexcept;

/// The same; all null until the calling thread first asks for a launch: that one is the runtime's, which gives the
/// thread its context.
driver_functions const& driver() noexcept;

/// The id of the calling thread's context, which is made if there is none: what is allocated in it goes with it, as
/// when a device is reset, and no other of the process ever has its id. Where the driver cannot tell, one for each
/// device.
unsigned long long current_context() noexcept;

}  // namespace preduce::detail

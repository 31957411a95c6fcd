#pragma once
// Launches by the driver's own function. The runtime looks a kernel up at every launch, which a call of a few
// microseconds can feel. Compiled; policies reach it through places/cuda_stream.hpp.

#include <preduce/config.hpp>

#include <cstddef>

struct CUstream_st;  // cudaStream_t is CUstream_st*

namespace preduce::detail {

struct launch_shape {
  unsigned blocks, threads;
  std::size_t shared_bytes;
  CUstream_st* stream;
};

/// Launches `kernel`, a cudaKernel_t. False: that was not possible here, and nothing was launched; the runtime will do
/// it, or say why not. (The driver is too old, say, or this is the thread's first launch.)
PREDUCE_API bool launch_directly(void* kernel, launch_shape const&, void** arguments) noexcept;

}  // namespace preduce::detail

#pragma once
// Launches by the driver's own function. The runtime looks a kernel up at every launch, and so does the driver where it
// is given a cudaKernel_t and not the function of a context, which a call of a few microseconds can feel. Compiled;
// policies reach it through places/cuda_stream.hpp.

#include <preduce/config.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;  // cudaStream_t is CUstream_st*

namespace preduce::detail {

enum class launch_kind : std::uint8_t {
  plain,
  overlaps_previous,  ///< may be scheduled before the stream's previous kernel has ended, and waits for it itself
  cooperative,        ///< all blocks run at a time, so that they may meet at a grid barrier
};

struct launch_shape {
  unsigned blocks, threads;
  std::size_t shared_bytes;
  CUstream_st* stream;
  launch_kind kind;
};

/// A kernel as one thread's launches know it.
struct known_kernel {
  void* kernel = nullptr;          ///< a cudaKernel_t, good in every context; null where there is none
  void* function = nullptr;        ///< what it is in the context that the thread last launched it in
  unsigned long long context = 0;  ///< that one's id; no two contexts of a process ever have the same; 0: none yet
};

/// Launches `kernel`. False: that was not possible here, and nothing was launched; the runtime will do it, or say why
/// not. (The driver is too old, say, or this is the thread's first launch.)
PREDUCE_API bool launch_directly(known_kernel& kernel, launch_shape const&, void** arguments) noexcept;

}  // namespace preduce::detail

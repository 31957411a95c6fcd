#pragma once
// A GPU's stream as the place of a policy: what a plan may know of it, its workspace, launches with every status
// checked, and the way of a result to the user. Kernels are launched here, in the user's own code: their addresses mean
// nothing elsewhere.

#ifdef __CUDACC__

#  include <preduce/contexts/cuda.hpp>
#  include <preduce/device_facts.hpp>
#  include <preduce/errors.hpp>
#  include <preduce/launch.hpp>
#  include <preduce/places/launch_kind.hpp>
#  include <preduce/workspace.hpp>

#  include <cuda_runtime_api.h>

#  include <cstddef>
#  include <cstdint>
#  include <cstring>

namespace preduce::detail::inline PREDUCE_ABI {

/// Kernels are hidden: two shared libraries that instantiate the same reduction must each launch their own. (By pragma:
/// an attribute earns a warning where a user's functor lies in an anonymous namespace.)
#  pragma GCC visibility push(hidden)
template <class Body>
inline constexpr int most_threads = 1024;
template <class Body>
requires(Body::most_threads > 0) inline constexpr int most_threads<Body> = Body::most_threads;

template <class Body>
__global__ void __launch_bounds__(most_threads<Body>, 1) run_body(Body const __grid_constant__ body) {
  body(simt::cuda_context{});
  // Never run. Kernel bodies also compile for the host, so nvcc lets them call anything; this makes it look.
  if constexpr (requires { body.job.must_run_on_device(); }) {
    if (false) body.job.must_run_on_device();
  }
}
/// Whether a kernel's code on the current device was compiled for sm_90 or newer, and so has the instructions of
/// dependent launch and 16-byte atomics: older code, or its PTX compiled by the driver on a newer device, has not.
template <class Body>
struct sm_90_code {
  static constexpr int devices = 64;
  inline static signed char known[devices] = {};  // 0: not asked yet, 1: no, 2: yes

  static bool present(int device, call_context const& about) {
    if (device >= devices) return false;
    auto const answer = __atomic_load_n(&known[device], __ATOMIC_RELAXED);  // <atomic> costs a tenth of a second
    if (answer != 0) return answer == 2;
    cudaFuncAttributes attributes{};
    if (auto const status = cudaFuncGetAttributes(&attributes, run_body<Body>); status != cudaSuccess) {
      (void)cudaGetLastError();
      fail_cuda(static_cast<int>(status), about, "asking for a kernel's attributes");
    }
    bool const yes = attributes.ptxVersion >= 90 && attributes.binaryVersion >= 90;
    __atomic_store_n(&known[device], static_cast<signed char>(yes ? 2 : 1), __ATOMIC_RELAXED);
    return yes;
  }
};

/// A kernel's names to the driver.
template <class Body>
struct kernel_of {
  inline static constinit thread_local known_kernel known{};

  static known_kernel& get() {
#  if CUDART_VERSION >= 12050
    if (known.kernel == nullptr) {
      cudaKernel_t found = nullptr;
      if (cudaGetKernel(&found, reinterpret_cast<void const*>(run_body<Body>)) == cudaSuccess)
        known.kernel = found;
      else
        (void)cudaGetLastError();
    }
#  endif
    return known;
  }
};

#  pragma GCC visibility pop

/// One call on a stream.
class cuda_call {
 public:
  cuda_call(cudaStream_t stream, call_context const& about)
      : stream_(stream), about_(about), device_(device_of_call(about)) {
    check_stream(stream, device_, about);
    // A launch on the legacy stream would spoil a capture that another thread has begun; the question does not.
    if (stream == nullptr || stream == cudaStreamLegacy) (void)state();
  }

  [[nodiscard]] device_facts const& device() const { return facts_of_device(device_); }
  [[nodiscard]] bool capturing() const { return state() == stream_state::capturing; }

  void check_readable(void const* memory) const { check_reachable(memory, device_, "the data", about_); }
  void check_writable(void const* memory) const { check_reachable(memory, device_, "the result", about_); }

  /// Whether this kernel may exchange 16 bytes atomically.
  template <class Body>
  [[nodiscard]] bool exchanges_16_bytes() const {
    return sm_90_code<Body>::present(device_, about_);
  }

  void check_may_wait() const {
    if (capturing())
      fail(error_code::unsupported, about_, "the stream is being captured, so no value can be waited for",
           "pass a pointer to device memory as the result");
  }

  /// Returns when the stream has done all that it was given.
  void wait() const {
    check_may_wait();
    if (auto const status = cudaStreamSynchronize(stream_); status != cudaSuccess) {
      (void)cudaGetLastError();
      detail::fail_cuda(static_cast<int>(status), about_, "waiting for the stream");
    }
  }

  using workspace = workspace_lease;
  [[nodiscard]] workspace_lease lease(workspace_size const& wanted) const {
    return workspace_lease(stream_, wanted.none() ? stream_state::running : state(), wanted, about_);
  }

  template <class Body>
  void launch(int blocks, int threads, std::size_t shared_bytes, Body const& body,
              launch_kind kind = launch_kind::plain) const {
    static_assert(sizeof(Body) <= 4000,
                  "preduce: the functor is larger than a kernel's parameters may be (about 4000 bytes)");
    if (kind == launch_kind::overlaps_previous && !sm_90_code<Body>::present(device_, about_))
      kind = launch_kind::plain;
    void* arguments[] = {const_cast<Body*>(__builtin_addressof(body))};
    launch_shape const shape{static_cast<unsigned>(blocks), static_cast<unsigned>(threads), shared_bytes, stream_,
                             kind};
    if (!launch_directly(kernel_of<Body>::get(), shape, arguments))
      launch_by_runtime(reinterpret_cast<void const*>(run_body<Body>), shape, arguments);
  }

  /// Runs `go(out, flag, flag_value)` with memory that kernels can write, and brings the value to the user: at once for
  /// a host variable, in stream order for a pointer.
  template <bool Blocking, class Out, class Go>
  void with_result(Out* out, Go&& go) const {
    if constexpr (Blocking) {
      check_may_wait();
      static_assert(sizeof(Out) <= result_cell::capacity);
      result_cell cell(about_);
      go(static_cast<Out*>(cell.device_value()), cell.device_flag(), cell.flag_value());
      cell.wait(stream_, about_);
      std::memcpy(static_cast<void*>(out), cell.host_value(), sizeof(Out));
    } else {
      check_writable(out);
      go(out, nullptr, 0);
    }
  }

 private:
  void launch_by_runtime(void const* kernel, launch_shape const& shape, void** arguments) const {
    cudaLaunchAttribute attribute{};
    if (shape.kind == launch_kind::cooperative) {
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
    } else if (shape.kind == launch_kind::overlaps_previous) {
      attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attribute.val.programmaticStreamSerializationAllowed = 1;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.stream = shape.stream;
    config.attrs = &attribute;
    config.numAttrs = shape.kind == launch_kind::plain ? 0 : 1;
    if (auto const status = cudaLaunchKernelExC(&config, kernel, arguments); status != cudaSuccess) {
      (void)cudaGetLastError();  // this call's own: the next one must not find it
      fail_cuda(static_cast<int>(status), about_, "launching a kernel");
    }
  }

  [[nodiscard]] stream_state state() const {
    if (!known_) state_ = state_of(stream_, about_);
    known_ = true;
    return state_;
  }

  cudaStream_t stream_;
  call_context about_;
  int device_;
  mutable bool known_ = false;  // what state the stream is in: asked only where it matters
  mutable stream_state state_{};
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// The place of a GPU policy: a stream of the current device.
struct cuda_place {
  cudaStream_t stream = nullptr;
  using call = detail::cuda_call;
  [[nodiscard]] call begin(call_context const& about) const {
#  ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    // This file's launches on the null stream go to the thread's own; the library was compiled without the flag.
    return call(stream == nullptr ? cudaStreamPerThread : stream, about);
#  else
    return call(stream, about);
#  endif
  }
};

}  // namespace preduce::inline PREDUCE_ABI

#endif

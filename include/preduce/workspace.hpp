#pragma once
// Device memory for partials and tickets, and pinned memory for host results. Compiled; policies reach it through
// places/cuda_stream.hpp.

#include <preduce/config.hpp>
#include <preduce/errors.hpp>
#include <preduce/plan.hpp>

#include <cstddef>
#include <cstdint>

struct CUstream_st;  // cudaStream_t is CUstream_st*

namespace preduce::detail {

/// A stream that is captured into a graph cannot be waited for, and its launches run again at every replay.
enum class stream_state : std::uint8_t { running, capturing };

/// The device that a call runs on. Throws pending_error for an earlier CUDA error (and leaves it), no_device.
PREDUCE_API int device_of_call(call_context const&);

/// Throws invalid_argument for a stream of another device than `device`, the current one: its kernels would run there,
/// on workspace of this one.
PREDUCE_API void check_stream(CUstream_st* stream, int device, call_context const&);

/// Throws unsupported for a capture that was invalidated.
PREDUCE_API stream_state state_of(CUstream_st* stream, call_context const&);

/// Throws invalid_pointer unless device `device` can read (or write) `memory`. Costs no synchronisation.
PREDUCE_API void check_reachable(void const* memory, int device, char const* what, call_context const&);

/// Throws invalid_pointer if `memory` lies on a GPU only: for policies that run on the CPU. Asks nothing of a process
/// that has not used CUDA yet.
PREDUCE_API void check_host_reachable(void const* memory, char const* what, call_context const&);

/// Whether there is a GPU in use that cannot read `memory`, or none: then the host must. Asks the driver, and throws
/// nothing.
PREDUCE_API bool only_host_reads(void const* memory) noexcept;

/// Partials and a ticket for one call. A running stream has one slot, kept for its next call and held from the first
/// launch of a call to its last; the first launch of the next call is ordered behind it by the stream. The calls that
/// one stream captures share a slot, which their graph owns for as long as it lives. The ticket and the words of
/// announced() are zero between calls.
class PREDUCE_API workspace_lease {
 public:
  workspace_lease(CUstream_st* stream, stream_state, workspace_size const&, call_context const&);
  ~workspace_lease();
  workspace_lease(workspace_lease const&) = delete;
  workspace_lease& operator=(workspace_lease const&) = delete;

  [[nodiscard]] void* partials() const noexcept { return partials_; }             ///< aligned to 256
  [[nodiscard]] std::uint64_t* announced() const noexcept { return announced_; }  ///< aligned to 256
  [[nodiscard]] unsigned* ticket() const noexcept { return ticket_; }
  /// A counter for grid barriers, in a line of its own. Its top bit turns at each; nobody resets it.
  [[nodiscard]] unsigned* barrier() const noexcept { return ticket_ == nullptr ? nullptr : ticket_ + 32; }

 private:
  void* partials_ = nullptr;
  std::uint64_t* announced_ = nullptr;
  unsigned* ticket_ = nullptr;
  void* slot_ = nullptr;  // locked, where the stream is running
  CUstream_st* stream_;
};

/// A cell of mapped pinned memory that a kernel writes a result to, and a flag that it raises behind it.
class PREDUCE_API result_cell {
 public:
  explicit result_cell(call_context const&);
  ~result_cell();
  result_cell(result_cell const&) = delete;
  result_cell& operator=(result_cell const&) = delete;

  static constexpr std::size_t capacity = 1024;  ///< bytes of a value

  [[nodiscard]] void* device_value() const noexcept;
  [[nodiscard]] std::uint64_t* device_flag() const noexcept;
  [[nodiscard]] std::uint64_t flag_value() const noexcept;
  [[nodiscard]] void const* host_value() const noexcept;

  /// Returns when the flag is up: spins for a short while, then synchronises the stream. Throws cuda_failure for a
  /// kernel that faulted.
  void wait(CUstream_st* stream, call_context const&);

 private:
  void* cell_;
};

}  // namespace preduce::detail

#pragma once
// What goes wrong is thrown as preduce::error, with the policy, n, the type and what to do.

#include <preduce/config.hpp>

#include <cstdint>
#include <exception>

namespace preduce {

enum class error_code : std::uint8_t {
  invalid_argument,   ///< negative n, begin > end, a bad block size, no identity for an empty range
  invalid_pointer,    ///< null, or memory that the policy's machine cannot reach
  no_device,          ///< a GPU policy without a usable GPU
  unsupported,        ///< the device or the stream's state cannot do what was asked
  pending_error,      ///< an earlier CUDA error, not of this call; left as it was
  cuda_failure,       ///< a CUDA call or a kernel of this call failed
  divergent_barrier,  ///< simulated machine: a barrier that not all of its threads reach
};

/// What a message is about: filled in by the call, printed by error. Strings have static storage.
struct call_context {
  char const* policy = "";
  std::int64_t n = 0;
  char const* type = "";
};

/// Thrown before launch for bad input; for kernel faults, by the next call that waits for a host result.
class PREDUCE_API error : public std::exception {
 public:
  /// "preduce: <policy>, n = <n>, type <type>: <what>; <advice>"
  error(error_code, call_context const&, char const* what, char const* advice);
  error(error const&) noexcept;
  error& operator=(error const&) = delete;
  ~error() override;

  [[nodiscard]] char const* what() const noexcept override;
  [[nodiscard]] error_code code() const noexcept { return code_; }

 private:
  struct text;
  text* text_;  // shared, counted: copying an exception must not throw
  error_code code_;
};

namespace detail {
/// Out of line, so that headers need neither <string> nor the code that builds the message.
[[noreturn]] PREDUCE_API void fail(error_code, call_context const&, char const* what, char const* advice);
/// The same for a CUDA status: appends the runtime's name and text of it.
[[noreturn]] PREDUCE_API void fail_cuda(int status, call_context const&, char const* during);
}  // namespace detail

}  // namespace preduce

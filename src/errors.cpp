#include <preduce/errors.hpp>

#include <atomic>
#include <string>

#if PREDUCE_WITH_CUDA
#  include <cuda_runtime_api.h>
#endif

namespace preduce {
namespace {

std::string message(call_context const& call, char const* what, char const* advice) {
  std::string words = "preduce: ";
  bool const has_type = *call.type != '\0';
  if (*call.policy != '\0') {
    words.append(call.policy).append(", n = ").append(std::to_string(call.n));
    if (has_type) words.append(", type ").append(call.type);
    words.append(": ");
  } else if (has_type) {
    words.append("type ").append(call.type).append(": ");
  }
  words.append(what);
  if (*advice != '\0') words.append("; ").append(advice);
  return words;
}

}  // namespace

struct error::text {
  std::atomic<int> owners{1};
  std::string words;
};

error::error(error_code code, call_context const& call, char const* what, char const* advice)
    : text_(new text{.owners = 1, .words = message(call, what, advice)}), code_(code) {}

error::error(error const& other) noexcept : std::exception(other), text_(other.text_), code_(other.code_) {
  text_->owners.fetch_add(1, std::memory_order_relaxed);
}

error::~error() {
  // acq_rel pairs with itself: the last owner deletes after every other owner's reads.
  if (text_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete text_;
}

char const* error::what() const noexcept {
  return text_->words.c_str();
}

namespace detail {

void fail(error_code code, call_context const& call, char const* what, char const* advice) {
  throw error(code, call, what, advice);
}

void fail_cuda(int status, call_context const& call, char const* during) {
  std::string what = during;
#if PREDUCE_WITH_CUDA
  auto const code = static_cast<cudaError_t>(status);
  what.append(" gave ").append(cudaGetErrorName(code)).append(" (").append(cudaGetErrorString(code)).append(")");
#else
  what.append(" gave CUDA error ").append(std::to_string(status));
#endif
  throw error(error_code::cuda_failure, call, what.c_str(), "");
}

}  // namespace detail
}  // namespace preduce

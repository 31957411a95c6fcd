// Host results: a kernel writes the value to mapped pinned memory and raises a flag behind it; the host watches the
// flag.

#include <preduce/workspace.hpp>

#if PREDUCE_WITH_CUDA

#  include "driver.hpp"
#  include "status.hpp"

#  include <atomic>
#  include <chrono>
#  include <map>
#  include <mutex>
#  include <new>
#  include <vector>

namespace preduce::detail {
namespace {

struct alignas(128) cell {
  std::uint64_t flag = 0;
  std::uint64_t awaited = 0;
  bool abandoned = false;  // a kernel of a failed call may still write here
  unsigned long long context = 0;
  alignas(128) unsigned char value[result_cell::capacity];
};

constexpr int cells_at_a_time = 16;
constexpr auto spin_time =
    std::chrono::microseconds(100);  // about ten kernels of the smallest kind; then the thread sleeps

/// Cells by context: a device that is reset takes its own away.
class cell_pool {
 public:
  cell* take(call_context const& about) {
    auto const context = current_context();
    std::scoped_lock const lock(mutex_);
    auto& idle = idle_[context];
    if (idle.empty()) {
      relaxed_capture const relaxed;
      void* memory = nullptr;
      check(cudaHostAlloc(&memory, cells_at_a_time * sizeof(cell), cudaHostAllocMapped), about,
            "allocating pinned memory for a result");
      auto* const cells = static_cast<cell*>(memory);
      for (int i = 0; i < cells_at_a_time; ++i) {
        idle.push_back(new (cells + i) cell);
        idle.back()->context = context;
      }
    }
    auto* const taken = idle.back();
    idle.pop_back();
    return taken;
  }

  void give_back(cell& used) {
    std::scoped_lock const lock(mutex_);
    idle_[used.context].push_back(&used);
  }

 private:
  std::mutex mutex_;
  std::map<unsigned long long, std::vector<cell*>> idle_;
};

cell_pool& pool() {
  static auto* const the_pool = new cell_pool;
  return *the_pool;
}

cell& as_cell(void* erased) {
  return *static_cast<cell*>(erased);
}

void pause() {
#  if defined(__x86_64__)
  __builtin_ia32_pause();
#  endif
}

}  // namespace

result_cell::result_cell(call_context const& about) : cell_(pool().take(about)) {
  ++as_cell(cell_).awaited;
}

result_cell::~result_cell() {
  if (!as_cell(cell_).abandoned) pool().give_back(as_cell(cell_));
}

// With unified addressing, which every supported device has, pinned memory has one address everywhere.
void* result_cell::device_value() const noexcept {
  return as_cell(cell_).value;
}
std::uint64_t* result_cell::device_flag() const noexcept {
  return &as_cell(cell_).flag;
}
std::uint64_t result_cell::flag_value() const noexcept {
  return as_cell(cell_).awaited;
}
void const* result_cell::host_value() const noexcept {
  return as_cell(cell_).value;
}

void result_cell::wait(cudaStream_t stream, call_context const& about) {
  auto& mine = as_cell(cell_);
  auto const raised = [&] {
    // Pairs with the kernel's release at system scope: the value is visible when the flag is.
    return std::atomic_ref<std::uint64_t>(mine.flag).load(std::memory_order_acquire) == mine.awaited;
  };
  auto const until = std::chrono::steady_clock::now() + spin_time;
  do {
    for (int i = 0; i < 64; ++i) {
      if (raised()) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < until);

  auto const status = cudaStreamSynchronize(stream);
  if (status == cudaSuccess && raised()) return;
  mine.abandoned = true;
  check(status, about, "waiting for the result (a kernel of this stream failed)");
  fail(error_code::cuda_failure, about, "the stream ended without a result", "report this as a bug");
}

}  // namespace preduce::detail

#endif

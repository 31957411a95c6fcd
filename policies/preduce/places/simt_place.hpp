#pragma once
// The simulated machine as the place of a GPU policy: the same kernel bodies on the CPU, for checking, not for speed.

#include <preduce/contexts/simt_host.hpp>
#include <preduce/device_facts.hpp>
#include <preduce/errors.hpp>
#include <preduce/places/launch_kind.hpp>
#include <preduce/simt.hpp>
#include <preduce/workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace preduce::detail::inline PREDUCE_ABI {

/// One call on the simulated machine. Every launch has ended when it returns.
class simt_call {
 public:
  simt_call(preduce::simt::machine machine, call_context const& about) : machine_(machine), about_(about) {}

  [[nodiscard]] static device_facts const& device() { return facts_of_simulation(); }
  [[nodiscard]] static bool capturing() { return false; }
  template <class Body>
  [[nodiscard]] static bool exchanges_16_bytes() {
    return true;
  }

  void check_readable(void const* memory) const { check_host_reachable(memory, "the data", about_); }

  class workspace {
   public:
    explicit workspace(workspace_size const& wanted)
        : announced_bytes_((wanted.announced + 255) / 256 * 256),
          memory_(::operator new(announced_bytes_ + wanted.partials, alignment)) {
      std::memset(memory_, 0, announced_bytes_);
    }
    ~workspace() { ::operator delete(memory_, alignment); }
    workspace(workspace const&) = delete;
    workspace& operator=(workspace const&) = delete;
    [[nodiscard]] std::uint64_t* announced() const { return static_cast<std::uint64_t*>(memory_); }
    [[nodiscard]] void* partials() const { return static_cast<unsigned char*>(memory_) + announced_bytes_; }
    [[nodiscard]] unsigned* ticket() { return &ticket_; }
    [[nodiscard]] static unsigned* barrier() { return nullptr; }  // the engine has its own

   private:
    static constexpr std::align_val_t alignment{256};
    std::size_t announced_bytes_;
    void* memory_;
    unsigned ticket_ = 0;
  };
  [[nodiscard]] workspace lease(workspace_size const& wanted) const { return workspace(wanted); }

  template <class Body>
  void launch(int blocks, int threads, std::size_t shared_bytes, Body const& body,
              launch_kind = launch_kind::plain) const {
    preduce::simt::launch(machine_, {blocks, threads, shared_bytes}, __builtin_addressof(body),
                          [](void const* erased, preduce::simt::thread_state& self) {
                            (*static_cast<Body const*>(erased))(simt::simt_context(self));
                          });
  }

  template <bool Blocking, class Out, class Go>
  void with_result(Out* out, Go&& go) const {
    if constexpr (!Blocking) check_host_reachable(out, "the result", about_);
    go(out, nullptr, 0);
  }

 private:
  preduce::simt::machine machine_;
  call_context about_;
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// The place of a GPU policy that runs on the simulated machine. `.fibers(seed)` and `.threads()` pick the engine.
struct simt_place {
  preduce::simt::machine machine;
  using call = detail::simt_call;

  [[nodiscard]] constexpr simt_place fibers(std::uint64_t seed = 0) const {
    return {{preduce::simt::engine::fibers, seed}};
  }
  [[nodiscard]] constexpr simt_place threads() const { return {{preduce::simt::engine::threads, 0}}; }
  [[nodiscard]] call begin(call_context const& about) const { return call(machine, about); }
};

inline constexpr simt_place simt_host{};

}  // namespace preduce::inline PREDUCE_ABI

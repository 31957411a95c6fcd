// The simulated machine's atomics. Compiled, so that user's files need not include <atomic>.

#include <preduce/simt.hpp>

#include <atomic>

namespace preduce::simt {

unsigned increment_wrapping(unsigned* counter, unsigned limit, bool ordered) noexcept {
  auto const order = ordered ? std::memory_order_acq_rel : std::memory_order_relaxed;
  std::atomic_ref<unsigned> const ticket(*counter);
  unsigned drawn = ticket.load(std::memory_order_relaxed);
  while (!ticket.compare_exchange_weak(drawn, drawn >= limit ? 0u : drawn + 1, order, std::memory_order_relaxed)) {
  }
  return drawn;
}

void store_release(std::uint64_t* flag, std::uint64_t value) noexcept {
  std::atomic_ref<std::uint64_t>(*flag).store(value, std::memory_order_release);
}

}  // namespace preduce::simt

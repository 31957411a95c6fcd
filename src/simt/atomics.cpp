// The simulated machine's atomics. Compiled, so that user's files need not include <atomic>.

#include <preduce/simt.hpp>

#include <atomic>
#include <cstring>
#include <mutex>

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

void store_relaxed(std::uint64_t* word, std::uint64_t value) noexcept {
  std::atomic_ref<std::uint64_t>(*word).store(value, std::memory_order_relaxed);
}

std::uint64_t load_relaxed(std::uint64_t const* word) noexcept {
  return std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(word)).load(std::memory_order_relaxed);
}

namespace {

template <class Word>
void exchange_word(void* word, void* expected, void const* desired) noexcept {
  Word seen, wanted;
  std::memcpy(&seen, expected, sizeof(Word));
  std::memcpy(&wanted, desired, sizeof(Word));
  std::atomic_ref<Word>(*static_cast<Word*>(word)).compare_exchange_strong(seen, wanted, std::memory_order_relaxed);
  std::memcpy(expected, &seen, sizeof(Word));
}

/// 16 bytes, of which not every CPU has an atomic: under a lock, as long as all accesses to them come here.
void exchange_16(void* word, void* expected, void const* desired) noexcept {
  static std::mutex held;
  std::scoped_lock const lock(held);
  unsigned char found[16];
  std::memcpy(found, word, 16);
  if (std::memcmp(found, expected, 16) == 0) std::memcpy(word, desired, 16);
  std::memcpy(expected, found, 16);
}

}  // namespace

void compare_exchange(void* word, void* expected, void const* desired, std::size_t bytes) noexcept {
  if (bytes == 4)
    exchange_word<std::uint32_t>(word, expected, desired);
  else if (bytes == 8)
    exchange_word<std::uint64_t>(word, expected, desired);
  else
    exchange_16(word, expected, desired);
}

}  // namespace preduce::simt

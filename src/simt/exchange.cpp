// Built without -fsanitize=thread: a shuffle orders nothing, so ThreadSanitizer must neither take it for a
// happens-before nor report its buffer as a race. Nothing inline or templated is used here: the linker could pick this
// file's copy, which ThreadSanitizer cannot look into, for the whole program.

#include "exchange.hpp"

namespace preduce::simt::internal {
namespace {

// May stand for an object of any type, at any address.
typedef unsigned long long word __attribute__((may_alias, aligned(1)));

}  // namespace

// The accesses are volatile so that no compiler turns the loops into memcpy, which ThreadSanitizer intercepts.
void copy_unseen(void* to, void const* from, std::size_t bytes) noexcept {
  auto* out = static_cast<char volatile*>(to);
  auto const* in = static_cast<char const volatile*>(from);
  std::size_t at = 0;
  for (; at + sizeof(word) <= bytes; at += sizeof(word)) {
    *reinterpret_cast<word volatile*>(out + at) = *reinterpret_cast<word const volatile*>(in + at);
  }
  for (; at < bytes; ++at) out[at] = in[at];
}

}  // namespace preduce::simt::internal

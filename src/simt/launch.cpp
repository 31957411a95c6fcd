// The simulated machine's interface: checks a launch, hands it to an engine, and passes a thread's calls on.

#include <preduce/errors.hpp>
#include <preduce/simt.hpp>

#include <cstdio>

#include "engine.hpp"
#include "exchange.hpp"
#include "grid_memory.hpp"

namespace preduce::simt {
namespace {

constexpr int most_threads = 1024;  // a block, as on a GPU

thread_local constinit bool runs_simulated_threads = false;

void check(grid_shape const& shape, entry run) {
  auto const refuse = [](char const* what, char const* advice) {
    preduce::detail::fail(error_code::invalid_argument, {}, what, advice);
  };
  if (run == nullptr) refuse("simt::launch has no body to run", "pass a function");
  if (shape.blocks < 1) refuse("a simulated grid has less than one block", "launch at least one block");
  if (shape.threads < warp_size || shape.threads > most_threads || shape.threads % warp_size != 0) {
    refuse("a simulated block has a size that is not a multiple of 32 in 32..1024", "choose such a block size");
  }
  if (runs_simulated_threads) {
    preduce::detail::fail(error_code::unsupported, {}, "simt::launch was called from inside a simulated thread",
                          "launch from the host, after the first launch has returned");
  }
}

}  // namespace

namespace internal {

inside_launch::inside_launch() noexcept {
  runs_simulated_threads = true;
}
inside_launch::~inside_launch() {
  runs_simulated_threads = false;
}

std::exception_ptr divergence(meeting kind, int arrived, int members, ranks const& waiter, ranks const& missing) {
  char where[64] = "";
  char const* barrier = "grid barrier";
  char const* scope = "grid";
  if (kind == meeting::block) {
    barrier = "block barrier";
    scope = "block";
    std::snprintf(where, sizeof where, " of block %d", waiter.block);
  } else if (kind != meeting::grid) {
    barrier = kind == meeting::warp ? "warp barrier" : "shuffle";
    scope = "warp";
    std::snprintf(where, sizeof where, " of warp %d of block %d", waiter.thread / warp_size, waiter.block);
  }
  char what[256];
  std::snprintf(what, sizeof what, "%d of %d threads wait at a %s%s, which thread %d of block %d does not reach",
                arrived, members, barrier, where, missing.thread, missing.block);
  char advice[128];
  std::snprintf(advice, sizeof advice, "all threads of a %s must reach the same barriers in the same order", scope);
  return std::make_exception_ptr(error(error_code::divergent_barrier, {}, what, advice));
}

}  // namespace internal

void launch(machine how, grid_shape const& shape, void const* body, entry run) {
  check(shape, run);
  if (how.kind == engine::threads) {
    internal::launch_on_threads(shape, body, run);
  } else {
    internal::launch_on_fibers(how.seed, shape, body, run);
  }
}

ranks ranks_of(thread_state const& self) noexcept {
  return self.rank;
}
std::byte* shared_memory(thread_state& self) noexcept {
  return self.shared;
}

void sync_block(thread_state& self) {
  self.runs_in->meet(self, internal::meeting::block);
}
void sync_warp(thread_state& self) {
  self.runs_in->meet(self, internal::meeting::warp);
}
void sync_grid(thread_state& self) {
  self.runs_in->meet(self, internal::meeting::grid);
}
void yield(thread_state& self) {
  self.runs_in->yield(self);
}

// One barrier is enough with two buffers used by turns: a lane can write the same buffer again only after every lane
// has met it at the next shuffle, that is, after every lane has read.
void exchange(thread_state& self, void const* mine, void* theirs, std::size_t bytes, int source) {
  if (bytes > internal::largest_exchange) {
    preduce::detail::fail(error_code::unsupported, {}, "a simulated shuffle of more than 1024 bytes",
                          "exchange larger values in pieces");
  }
  std::byte* const offers = self.offers + static_cast<std::size_t>(self.turn) * internal::grid_memory::one_turn;
  self.turn ^= 1;
  int const lane = self.rank.thread % warp_size;
  int const from = source < 0 || source >= warp_size ? lane : source;
  internal::copy_unseen(offers + static_cast<std::size_t>(lane) * bytes, mine, bytes);
  self.runs_in->meet(self, internal::meeting::shuffle);
  internal::copy_unseen(theirs, offers + static_cast<std::size_t>(from) * bytes, bytes);
}

}  // namespace preduce::simt

// A program, not a test case: the workspace pool under eight host threads, without a GPU. Threads share one stream and
// each makes many of its own; nobody may wait for ever, and nobody may hold a slot that another holds.

#include "cuda_runtime.hpp"

#include <preduce/launch.hpp>
#include <preduce/workspace.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

namespace {

using namespace preduce::detail;

CUstream_st* stream(std::uintptr_t number) {
  return reinterpret_cast<CUstream_st*>(number);
}

preduce::call_context const about{"workspace_pool", 1, "int"};

void use_many(std::uintptr_t thread) {
  known_kernel none;
  if (launch_directly(none, {}, nullptr)) std::abort();  // from now on this thread asks the driver
  for (std::uintptr_t i = 0; i < 3000; ++i) {
    auto* const mine = i % 3 == 0 ? stream(16) : stream(1'000'000 * (thread + 1) + i);
    workspace_lease const lease(mine, stream_state::running, {64, 64}, about);
    auto volatile& value = *static_cast<std::uintptr_t*>(lease.partials());
    value = thread * 10'000 + i;
    if (*lease.ticket() != 0 || value != thread * 10'000 + i) std::abort();
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (std::uintptr_t t = 0; t < 8; ++t) threads.emplace_back(use_many, t);
  for (auto& thread : threads) thread.join();

  auto const capturing = stream_state::capturing;
  workspace_lease const first(stream(77), capturing, {64, 64}, about);
  workspace_lease const second(stream(77), capturing, {64, 64}, about);
  workspace_lease const other(stream(78), capturing, {64, 64}, about);
  bool right = first.partials() == second.partials() && first.partials() != other.partials();
  std::printf("captured calls of a stream share a slot, streams do not: %s\n", right ? "yes" : "no");

  bool zero = *first.ticket() == 0;
  for (int word = 0; word < 8; ++word) zero = zero && first.announced()[word] == 0;
  std::printf("a new slot's ticket and announced words are zero: %s\n", zero ? "yes" : "no");
  right = right && zero;

  std::set<void*> slots;  // calls with partials and calls that announce them, in turn
  for (std::size_t i = 0; i < 100; ++i) {
    workspace_lease const lease(
        stream(79), capturing, i % 2 == 0 ? preduce::workspace_size{8192, 0} : preduce::workspace_size{0, 8192}, about);
    slots.insert(lease.ticket());
  }
  std::printf("two kinds of calls in turn have %zu slots\n", slots.size());
  right = right && slots.size() <= 2;

  auto const slot_of_new_graph = [&] {
    stand_in::destroy_graphs();
    return workspace_lease(stream(80), capturing, {16384, 16384}, about).ticket();
  };
  auto const* const before = slot_of_new_graph();
  bool const again = slot_of_new_graph() == before;
  stand_in::context = 2;
  bool const fresh = slot_of_new_graph() != before;
  std::printf("a destroyed graph's slot serves the next one: %s, in another context: %s\n", again ? "yes" : "no",
              fresh ? "no" : "yes");
  right = right && again && fresh;
  return right ? 0 : 1;
}

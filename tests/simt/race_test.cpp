// A program, not a test case: runs a kernel with the planted fault named by its first argument. Under g++'s
// ThreadSanitizer it must be reported (exit status 66), and `none` must pass in silence.
// faults: missing_block_barrier missing_warp_barrier racy_sum

#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

#include "simulate.hpp"

namespace {

namespace simt = preduce::simt;
using simulate::context;

enum class fault { none, missing_block_barrier, missing_warp_barrier, racy_sum };

// Sums the squares of 0..127 by a tree in shared memory, after a turn around the warp.
struct kernel {
  fault planted;
  double* sum;
  double* by_atomic;

  void operator()(simt::thread_state& self) const {
    context const ctx(self);
    auto* const values = ctx.shared<double>();
    int const me = ctx.thread();

    double const index = me;
    values[me] = index * index;
    // The shuffle makes all lanes wait, but orders nothing: only the barrier makes the neighbour's store visible.
    if (planted != fault::missing_warp_barrier) ctx.sync_warp();
    double const turned = ctx.shuffle(index, (ctx.lane() + 1) % simt::warp_size);
    int const neighbour = me - ctx.lane() + (ctx.lane() + 1) % simt::warp_size;
    double const square = values[neighbour];
    bool const same = turned * turned == square;
    ctx.sync_block();

    for (int half = ctx.threads() / 2; half > 0; half /= 2) {
      if (me < half) values[me] += values[me + half];
      if (planted != fault::missing_block_barrier || half != 16) ctx.sync_block();
    }
    if (planted == fault::racy_sum) {
      *sum += same ? 1 : 0;
    } else if (me == 0) {
      sum[ctx.block()] = values[0];
    }
    std::atomic_ref(*by_atomic).fetch_add(same ? 1.0 : 0.0, std::memory_order_relaxed);
    ctx.sync_grid();
    if (ctx.index() == 0 && planted != fault::racy_sum) sum[0] += sum[1];
  }
};

fault named(char const* name) {
  if (std::strcmp(name, "missing_block_barrier") == 0) return fault::missing_block_barrier;
  if (std::strcmp(name, "missing_warp_barrier") == 0) return fault::missing_warp_barrier;
  if (std::strcmp(name, "racy_sum") == 0) return fault::racy_sum;
  return fault::none;
}

}  // namespace

int main(int argc, char** argv) {
  fault const planted = named(argc > 1 ? argv[1] : "none");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<double> sum(2);
    double by_atomic = 0;
    simulate::run({.kind = simt::engine::fibers, .seed = seed},
                  {.blocks = 2, .threads = 128, .shared_bytes = 128 * sizeof(double)},
                  kernel{planted, sum.data(), &by_atomic});
    if (planted == fault::none && (sum[0] != 2 * 690880.0 || by_atomic != 256)) {
      std::printf("wrong: %g, %g\n", sum[0], by_atomic);
      return 1;
    }
  }
}

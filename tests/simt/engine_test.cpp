// What the simulated machine offers to threads that behave.

#include "machines.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace machines_under_test;

TEST_CASE("every thread of a grid runs once and knows its ranks") {
  // A fiber takes about 1 MB under ThreadSanitizer, hence no block of 1024 there.
#ifdef __SANITIZE_THREAD__
  int const largest = 256;
#else
  int const largest = 1024;
#endif
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    for (auto const shape : {simt::grid_shape{1, 32}, {7, 32}, {3, 96}, {1, largest}, {2, 64}}) {
      std::vector<int> runs(size_of(shape));
      std::atomic<bool> right{true};
      simulate::run(how, shape, [&](simt::thread_state& self) {
        auto const rank = simt::ranks_of(self);
        if (rank.threads != shape.threads || rank.blocks != shape.blocks) right = false;
        ++runs[static_cast<std::size_t>(rank.block * rank.threads + rank.thread)];
      });
      CHECK(right);
      CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
    }
  }
}

TEST_CASE("a block barrier makes the whole block's writes visible") {
  simt::grid_shape const shape{2, 96, 96 * sizeof(int)};
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<int> wrong(size_of(shape));
    run(how, shape, [&](context ctx) {
      int* const slots = ctx.shared<int>();
      for (int round = 0; round < 10; ++round) {
        slots[ctx.thread()] = 1000 * round + ctx.index();
        ctx.sync_block();
        int const other = (ctx.thread() + 37) % ctx.threads();
        if (slots[other] != 1000 * round + ctx.block() * ctx.threads() + other) {
          ++wrong[static_cast<std::size_t>(ctx.index())];
        }
        ctx.sync_block();
      }
    });
    CHECK(std::accumulate(wrong.begin(), wrong.end(), 0) == 0);
  }
}

TEST_CASE("a warp barrier makes the warp's writes visible") {
  simt::grid_shape const shape{2, 64, 64 * sizeof(int)};
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<int> wrong(size_of(shape));
    run(how, shape, [&](context ctx) {
      int* const slots = ctx.shared<int>();
      // Warps meet at unequal numbers of barriers: they must not wait for each other.
      for (int round = 0; round < 5 + ctx.thread() / 32; ++round) {
        slots[ctx.thread()] = 1000 * round + ctx.thread();
        ctx.sync_warp();
        int const other = ctx.thread() ^ 21;
        if (slots[other] != 1000 * round + other) ++wrong[static_cast<std::size_t>(ctx.index())];
        ctx.sync_warp();
      }
    });
    CHECK(std::accumulate(wrong.begin(), wrong.end(), 0) == 0);
  }
}

TEST_CASE("a grid barrier makes the whole grid's writes visible") {
  simt::grid_shape const shape{4, 32};
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<int> slots(size_of(shape)), wrong(size_of(shape));
    run(how, shape, [&](context ctx) {
      auto const me = static_cast<std::size_t>(ctx.index());
      for (int round = 0; round < 5; ++round) {
        slots[me] = 1000 * round + ctx.index();
        ctx.sync_grid();
        std::size_t const other = (me + 77) % slots.size();
        if (slots[other] != 1000 * round + static_cast<int>(other)) ++wrong[me];
        ctx.sync_grid();
      }
    });
    CHECK(std::accumulate(wrong.begin(), wrong.end(), 0) == 0);
  }
}

unsigned char byte_of(int index, std::size_t at, int round) {
  return static_cast<unsigned char>(index * 7 + static_cast<int>(at) * 13 + round * 31);
}

TEST_CASE("a shuffle brings values of 1 to 1024 bytes from any lane, and the own value for a lane outside the warp") {
  std::vector<std::size_t> sizes(20);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  sizes.insert(sizes.end(), {24, 31, 32, 33, 64, 100, 255, 512, 1023, 1024});
  simt::grid_shape const shape{2, 64};
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<int> wrong(size_of(shape));
    simulate::run(how, shape, [&](simt::thread_state& self) {
      context const ctx(self);
      int round = 0;
      for (std::size_t const bytes : sizes) {
        for (int const step : {1, 16, 31, -5, 100}) {  // the source lanes: some outside the warp
          int const source = step == 100 ? (ctx.lane() % 2 ? 32 : -1) : ctx.lane() + step;
          int const from = source < 0 || source > 31 ? ctx.index() : ctx.index() - ctx.lane() + source;
          std::array<unsigned char, 1026> mine{}, theirs{};
          ++round;
          for (std::size_t i = 0; i < bytes; ++i) mine[i + 1] = byte_of(ctx.index(), i, round);  // + 1: unaligned
          theirs.fill(0xee);
          simt::exchange(self, mine.data() + 1, theirs.data() + 1, bytes, source);
          bool right = theirs[0] == 0xee && theirs[bytes + 1] == 0xee;
          for (std::size_t i = 0; i < bytes; ++i) right = right && theirs[i + 1] == byte_of(from, i, round);
          wrong[static_cast<std::size_t>(ctx.index())] += !right;
        }
      }
    });
    CHECK(std::accumulate(wrong.begin(), wrong.end(), 0) == 0);
  }
}

TEST_CASE("a shuffle may take and give the same object, and refuses more than 1024 bytes") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<int> got(32);
    simulate::run(how, {1, 32}, [&](simt::thread_state& self) {
      int value = simt::ranks_of(self).thread;
      simt::exchange(self, &value, &value, sizeof value, 31 - value);
      got[static_cast<std::size_t>(simt::ranks_of(self).thread)] = value;
    });
    for (int lane = 0; lane < 32; ++lane) CHECK(got[static_cast<std::size_t>(lane)] == 31 - lane);
    struct large {
      char bytes[1025];
    };
    error const e = failure(how, {1, 32}, [](context ctx) { (void)ctx.shuffle(large{}, 0); });
    CHECK(e.code() == error_code::unsupported);
  }
}

TEST_CASE("shared memory is each block's own, aligned to 64 bytes, and starts with bytes that are no value") {
  simt::grid_shape const shape{3, 32, 1000};
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<std::byte*> at(3);
    std::atomic<bool> right{true};
    for (int launches = 0; launches < 2; ++launches) {
      simulate::run(how, shape, [&](simt::thread_state& self) {
        auto const rank = simt::ranks_of(self);
        if (rank.thread == 0) {
          std::byte* const memory = simt::shared_memory(self);
          at[static_cast<std::size_t>(rank.block)] = memory;
          for (int i = 0; i < 1000; ++i) {
            if (memory[i] != std::byte{0xff}) right = false;
          }
          std::memset(memory, rank.block, 1000);
        }
        simt::sync_grid(self);
        if (simt::shared_memory(self)[999] != static_cast<std::byte>(rank.block)) right = false;
      });
      CHECK(right);
      for (auto* const each : at) CHECK(reinterpret_cast<std::uintptr_t>(each) % 64 == 0);
      CHECK((at[0] != at[1] && at[1] != at[2] && at[0] != at[2]));
    }
  }
}

std::vector<int> schedule(std::uint64_t seed) {
  std::vector<int> order(2 * 2 * 64);
  std::atomic<std::size_t> steps{0};
  run({simt::engine::fibers, seed}, {2, 64}, [&](context ctx) {
    order[steps.fetch_add(1, std::memory_order_relaxed)] = ctx.index();
    ctx.sync_block();
    order[steps.fetch_add(1, std::memory_order_relaxed)] = ctx.index();
  });
  return order;
}

TEST_CASE("a seed gives the same schedule every time, and another seed another one") {
  for (std::uint64_t const seed : {0u, 1u, 2u, 99u}) CHECK(schedule(seed) == schedule(seed));
  CHECK(schedule(0) != schedule(1));
  CHECK(schedule(1) != schedule(2));
  std::vector<int> in_rank_order(128);
  std::iota(in_rank_order.begin(), in_rank_order.end(), 0);
  auto const round_robin = schedule(0);
  CHECK(std::count(round_robin.begin(), round_robin.end(), 17) == 2);
  CHECK(std::equal(in_rank_order.begin(), in_rank_order.begin() + 64, round_robin.begin()));
}

TEST_CASE("several host threads may launch at once") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::array<std::atomic<int>, 3> sums{};
    std::vector<std::thread> hosts;
    for (auto& sum : sums) {
      hosts.emplace_back([&sum, how] {
        for (int launches = 0; launches < 10; ++launches) {
          run(how, {2, 32}, [&](context ctx) {
            int const from_next = ctx.shuffle(ctx.lane(), (ctx.lane() + 1) % 32);
            ctx.sync_grid();
            sum += from_next;
          });
        }
      });
    }
    for (auto& host : hosts) host.join();
    for (auto const& sum : sums) CHECK(sum == 10 * 2 * 496);
  }
}

TEST_CASE("launches of changing shape reuse the machine") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    for (int launches = 0; launches < 20; ++launches) {
      simt::grid_shape const shape{1 + launches % 3, 32 * (1 + launches % 4), static_cast<std::size_t>(launches)};
      std::atomic<int> runs{0};
      run(how, shape, [&](context ctx) {
        ctx.sync_block();
        ctx.sync_grid();
        ctx.sync_warp();
        ++runs;
      });
      CHECK(static_cast<std::size_t>(runs) == size_of(shape));
    }
  }
}

int sum_on_the_stack(int depth) {
  std::array<int volatile, 256> local;
  for (auto& each : local) each = depth;
  int const deeper = depth > 0 ? sum_on_the_stack(depth - 1) : 0;
  return deeper + local[static_cast<std::size_t>(depth)];
}

TEST_CASE("a simulated thread has a stack of its own of 128 KiB") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::atomic<int> right{0};
    run(how, {1, 64}, [&](context ctx) {
      ctx.sync_warp();
      if (sum_on_the_stack(60) == 1830) ++right;
    });
    CHECK(right == 64);
  }
}

}  // namespace

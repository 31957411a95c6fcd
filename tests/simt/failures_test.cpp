// What the simulated machine does where threads fail, diverge, or cannot be launched.

#include "machines.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace {

using namespace machines_under_test;

TEST_CASE("an exception that leaves a body is rethrown after the other threads are unwound, and the machine goes on") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::atomic<int> alive{0}, passed{0};
    struct counted {
      std::atomic<int>& count;
      explicit counted(std::atomic<int>& c) : count(c) { ++count; }
      ~counted() { --count; }
    };
    for (int repeat = 0; repeat < 3; ++repeat) {
      CHECK_THROWS_WITH_AS(run(how, {3, 64},
                               [&](context ctx) {
                                 counted const object(alive);
                                 ctx.sync_block();
                                 if (ctx.block() == 1 && ctx.thread() == 7) throw std::runtime_error("thread 7");
                                 ctx.block() == 2 ? ctx.sync_grid() : ctx.sync_block();
                                 ctx.sync_grid();
                                 ++passed;
                               }),
                           "thread 7", std::runtime_error);
      CHECK(alive == 0);
      CHECK(passed == 0);
      std::atomic<int> runs{0};
      run(how, {3, 64}, [&](context ctx) {
        ctx.sync_grid();
        ++runs;
      });
      CHECK(runs == 3 * 64);
    }
  }
}

TEST_CASE("of many exceptions one is rethrown") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    CHECK_THROWS_AS(run(how, {2, 64}, [](context ctx) { throw ctx.index(); }), int);
  }
}

TEST_CASE("a spin-wait that yields ends when another thread gets there, or when the launch fails") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::atomic<int> flag{0};
    run(how, {2, 32}, [&](context ctx) {
      if (ctx.block() == 0) {
        while (flag < 32) ctx.yield();
      } else {
        ++flag;
      }
    });
    CHECK(flag == 32);
    CHECK_THROWS_AS(run(how, {2, 32},
                        [&](context ctx) {
                          if (ctx.index() == 40) throw std::runtime_error("never sets it");
                          for (;;) ctx.yield();
                        }),
                    std::runtime_error);
  }
}

TEST_CASE("a barrier that some threads end without reaching is an error that names it") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    error const block = failure(how, {4, 64}, [](context ctx) {
      if (ctx.block() != 2 || ctx.thread() < 32) ctx.sync_block();
    });
    CHECK(block.code() == error_code::divergent_barrier);
    CHECK(says(block, "block barrier of block 2"));
    CHECK(says(block, "of 64 threads"));

    error const warp = failure(how, {2, 64}, [](context ctx) {
      if (ctx.index() != 64 + 40) ctx.sync_warp();
    });
    CHECK(warp.code() == error_code::divergent_barrier);
    CHECK(says(warp, "warp barrier of warp 1 of block 1, which thread 40 of block 1 does not reach"));

    error const shuffle = failure(how, {2, 64}, [](context ctx) {
      if (ctx.index() != 3) (void)ctx.shuffle(1, 0);
    });
    CHECK(shuffle.code() == error_code::divergent_barrier);
    CHECK(says(shuffle, "shuffle of warp 0 of block 0, which thread 3 of block 0 does not reach"));

    error const grid = failure(how, {3, 32}, [](context ctx) {
      if (ctx.block() != 1) ctx.sync_grid();
    });
    CHECK(grid.code() == error_code::divergent_barrier);
    CHECK(says(grid, "grid barrier, which thread"));
    CHECK(says(grid, "of block 1 does not reach"));
  }
}

TEST_CASE("threads that wait for each other at different barriers are an error") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    error const e = failure(how, {2, 64}, [](context ctx) {
      if (ctx.block() == 0) return;
      ctx.thread() < 32 ? ctx.sync_block() : ctx.sync_grid();
    });
    CHECK(e.code() == error_code::divergent_barrier);
    error const f = failure(how, {1, 32}, [](context ctx) {
      if (ctx.thread() % 2) {
        ctx.sync_warp();
      } else {
        (void)ctx.shuffle(1.0, 0);
      }
    });
    CHECK(f.code() == error_code::divergent_barrier);
    CHECK(says(f, "16 of 32 threads wait at a"));
    std::atomic<int> runs{0};
    run(how, {2, 64}, [&](context ctx) {
      ctx.sync_grid();
      ++runs;
    });
    CHECK(runs == 128);
  }
}

TEST_CASE("a launch from inside a simulated thread is refused") {
  for (auto const outer : machines) {
    for (auto const inner : machines) {
      CAPTURE(name_of(outer));
      CAPTURE(name_of(inner));
      error const e = failure(outer, {1, 32}, [&](context ctx) {
        if (ctx.thread() == 5) run(inner, {1, 32}, [](context) {});
        ctx.sync_block();
      });
      CHECK(e.code() == error_code::unsupported);
      CHECK(says(e, "inside a simulated thread"));
    }
  }
}

TEST_CASE("a grid that cannot be is refused before any thread runs") {
  auto const never = [](context) { std::abort(); };
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    for (auto const shape : {simt::grid_shape{0, 32}, {-1, 32}, {1, 0}, {1, 33}, {1, 16}, {1, 1056}, {1, -32}}) {
      CHECK(failure(how, shape, never).code() == error_code::invalid_argument);
    }
    CHECK(failure(how, {1000, 1024}, never).code() == error_code::unsupported);
    CHECK(failure(how, {2000000000, 1024}, never).code() == error_code::unsupported);
  }
  CHECK_THROWS_AS(simt::launch({}, {}, nullptr, nullptr), error);
}

TEST_CASE("a barrier inside a catch block keeps each thread's own exception") {
  for (auto const how : machines) {
    CAPTURE(name_of(how));
    std::vector<int> caught(64);
    run(how, {1, 64}, [&](context ctx) {
      try {
        try {
          throw ctx.thread();
        } catch (...) {
          ctx.sync_block();
          throw;
        }
      } catch (int mine) {
        caught[static_cast<std::size_t>(ctx.thread())] = mine;
      }
    });
    for (int i = 0; i < 64; ++i) CHECK(caught[static_cast<std::size_t>(i)] == i);
  }
}

}  // namespace

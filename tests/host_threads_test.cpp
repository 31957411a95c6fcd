#include <preduce/host_threads.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using preduce::detail::for_each_index;
using preduce::detail::host_thread_count;

template <class Task>
void each(std::int64_t count, int max_threads, Task const& task) {
  for_each_index(
      count, max_threads, [](void* context, std::int64_t i) { (*static_cast<Task const*>(context))(i); },
      const_cast<Task*>(&task));
}

TEST_CASE("every index runs exactly once, and what it wrote is seen afterwards") {
  for (int const max_threads : {0, 1, 2, 3, 16}) {
    for (std::int64_t const count : {0, 1, 2, 3, 7, 64, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(count));  // no atomics: the call itself must order the writes
      each(count, max_threads, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
      CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
    }
  }
}

TEST_CASE("a negative count runs nothing") {
  each(-3, 0, [](std::int64_t) { FAIL("ran"); });
}

TEST_CASE("there is at least one host thread") {
  CHECK(host_thread_count() >= 1);
}

TEST_CASE("one index, or one thread, runs on the calling thread") {
  auto const here = std::this_thread::get_id();
  each(1, 0, [&](std::int64_t) { CHECK(std::this_thread::get_id() == here); });
  std::int64_t last = -1;
  each(9, 1, [&](std::int64_t i) {
    CHECK(std::this_thread::get_id() == here);
    CHECK(i == ++last);
  });
}

TEST_CASE("two tasks run at the same time where two threads are asked for") {
  std::atomic<int> inside{0};
  each(2, 2, [&](std::int64_t) {
    ++inside;
    while (inside < 2) std::this_thread::yield();
  });
  CHECK(inside == 2);
}

TEST_CASE("two threads begin with a share of the indices each") {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> inside{0};
    std::atomic<std::int64_t> first[2] = {-1, -1};
    each(9, 2, [&](std::int64_t i) {
      int const turn = inside++;
      if (turn < 2) first[turn] = i;
      while (inside < 2) std::this_thread::yield();
    });
    CHECK(std::min<std::int64_t>(first[0], first[1]) == 0);
    CHECK(std::max<std::int64_t>(first[0], first[1]) == 5);
  }
}

TEST_CASE("no more threads than allowed take part") {
  std::atomic<int> inside{0}, most{0};
  each(200, 2, [&](std::int64_t) {
    int const now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::yield();
    --inside;
  });
  CHECK(most <= 2);
}

TEST_CASE("an exception that leaves a task reaches the caller, and the next call is not troubled by it") {
  for (int const max_threads : {0, 1, 4}) {
    CHECK_THROWS_WITH_AS(each(100, max_threads,
                              [](std::int64_t i) {
                                if (i == 37) throw std::runtime_error("task 37");
                              }),
                         "task 37", std::runtime_error);
    CHECK_THROWS_AS(each(100, max_threads, [](std::int64_t i) { throw i; }), std::int64_t);
    std::atomic<int> runs{0};
    each(100, max_threads, [&](std::int64_t) { ++runs; });
    CHECK(runs == 100);
  }
}

TEST_CASE("a task may call for_each_index") {
  std::vector<int> runs(64);
  each(8, 4, [&](std::int64_t outer) {
    each(8, 4, [&](std::int64_t inner) { ++runs[static_cast<std::size_t>(8 * outer + inner)]; });
  });
  CHECK(std::all_of(runs.begin(), runs.end(), [](int n) { return n == 1; }));
}

TEST_CASE("several host threads may call it at once") {
  std::vector<std::int64_t> sums(4);
  std::vector<std::thread> callers;
  for (auto& sum : sums) {
    callers.emplace_back([&sum] {
      for (int round = 0; round < 50; ++round) {
        std::vector<std::int64_t> squares(20);
        each(20, 3, [&](std::int64_t i) { squares[static_cast<std::size_t>(i)] = i * i; });
        for (auto const square : squares) sum += square;
      }
    });
  }
  for (auto& caller : callers) caller.join();
  for (auto const sum : sums) CHECK(sum == 50 * 2470);
}

}  // namespace

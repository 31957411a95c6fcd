#pragma once
// Behaviour 20: many host threads, and on a GPU many streams, at once.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace concurrency_tests {

constexpr int host_threads = 8;

/// Runs work(thread) on 8 host threads. What leaves one as an exception is reported here.
template <class Work>
void on_threads(Work const& work, std::string const& policy) {
  std::vector<std::string> failures(host_threads);
  std::vector<std::thread> threads;
  for (int t = 0; t < host_threads; ++t) {
    threads.emplace_back([&, t] {
      try {
        work(t);
      } catch (std::exception const& e) {
        failures[static_cast<std::size_t>(t)] = e.what();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (auto const& failure : failures) CHECK_MESSAGE(failure.empty(), policy, ": ", failure);
}

/// The sizes that thread t walks, changing all the time.
inline std::int64_t size_of(int thread, int call) {
  constexpr std::int64_t all[] = {1, 40000, 33, 4097, 12000, 500, 32769, 4096, 0, 20000, 1000};
  return all[(thread * 3 + call) % 11];
}

struct fixture {
  std::vector<float> values = sample::floats<float>(40000, sample::spread::even, 140);
  walk::totals<float> known;

  fixture() {
    for (int call = 0; call < 11; ++call) (void)want(size_of(0, call));
  }
  /// Known before threads start, and then only read.
  float want(std::int64_t n) {
    return known.at(n, [&](std::int64_t m) {
      auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
      return m == 0 ? 0.0f : oracle::total<float>(m, element, reference::plus{});
    });
  }
};

inline int calls_of(lists::entry const& about) {
  int const calls = about.pace == sizes::pace::fast ? 1000 : about.pace == sizes::pace::launch ? 60 : 3;
  return device::sanitized ? calls / 4 : calls;
}

}  // namespace concurrency_tests

TEST_CASE("behaviour 20, promise 10: 8 host threads call at once, with host results" *
          doctest::skip(device::missing())) {
  using namespace concurrency_tests;
  fixture f;
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    if (!about.plain && about.pace != sizes::pace::crawl) return;
    memory::buffer<float> const data(about.place, f.values);
    auto const* const first = data.data();
    std::atomic<int> wrong{0};
    auto const work = [&](int t) {
      for (int call = 0; call < calls_of(about); ++call) {
        auto const n = size_of(t, call);
        float const got = preduce::reduce(policy, first, first + n);
        if (!memory::same_bits(got, f.want(n))) ++wrong;
      }
    };
    on_threads(work, about.name);
    CHECK_MESSAGE(wrong == 0, about.name);
  });
}

#ifdef __CUDACC__
namespace concurrency_tests {

class stream {
 public:
  stream() { device::check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags"); }
  ~stream() { cudaStreamDestroy(handle_); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  [[nodiscard]] cudaStream_t get() const { return handle_; }
  void wait() const { device::check(cudaStreamSynchronize(handle_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t handle_ = nullptr;
};

}  // namespace concurrency_tests

TEST_CASE("behaviour 20, promise 10: 8 threads with a stream each, 1000 asynchronous calls on every one" *
          doctest::skip(device::missing())) {
  using namespace concurrency_tests;
  fixture f;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(memory::place::gpu, f.values);
    constexpr int calls = 1000;
    memory::buffer<float> const out(memory::place::gpu, host_threads * calls);
    auto const* const first = data.data();
    auto const work = [&](int t) {
      stream const mine;
      for (int call = 0; call < calls; ++call) {
        preduce::reduce_into(policy.on(mine.get()), first, first + size_of(t, call), out.data() + t * calls + call);
      }
      mine.wait();
    };
    on_threads(work, about.name);
    int wrong = 0;
    std::vector<float> got(host_threads * calls);
    device::check(cudaMemcpy(got.data(), out.data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (int t = 0; t < host_threads; ++t) {
      for (int call = 0; call < calls; ++call) {
        if (!memory::same_bits(got[static_cast<std::size_t>(t * calls + call)], f.want(size_of(t, call)))) ++wrong;
      }
    }
    CHECK_MESSAGE(wrong == 0, about.name);
    CHECK_MESSAGE(out.margins_intact(), about.name);
  });
}

TEST_CASE("behaviour 20, promise 10: one thread, 8 streams in turn" * doctest::skip(device::missing())) {
  using namespace concurrency_tests;
  fixture f;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(memory::place::gpu, f.values);
    constexpr int calls = 400;
    memory::buffer<float> const out(memory::place::gpu, calls);
    auto const* const first = data.data();
    std::vector<stream> const streams(8);
    for (int call = 0; call < calls; ++call) {
      auto const& on = streams[static_cast<std::size_t>(call % 8)];
      preduce::reduce_into(policy.on(on.get()), first, first + size_of(0, call), out.data() + call);
    }
    for (auto const& s : streams) s.wait();
    for (int call = 0; call < calls; ++call) {
      auto const n = size_of(0, call);
      if (!walk::same_bits(f.want(n), out.read(static_cast<std::size_t>(call)), "8 streams", about, n)) break;
    }
  });
}
#endif

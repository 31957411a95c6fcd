// Captured into CUDA graphs: the same answers at every replay.

#include "../support/device.hpp"
#include "../support/operators.hpp"

#include <preduce/location.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

using device::check;

struct captured {
  cudaStream_t stream = nullptr;
  cudaGraphExec_t ready = nullptr;
  float* data = nullptr;
  float* results = nullptr;
  std::int64_t n;

  explicit captured(std::int64_t size) : n(size) {
    check(cudaStreamCreate(&stream), "stream");
    check(cudaMalloc(&data, static_cast<std::size_t>(n) * sizeof(float)), "data");
    check(cudaMalloc(&results, 256 * sizeof(float)), "results");
  }
  ~captured() {
    if (ready != nullptr) (void)cudaGraphExecDestroy(ready);
    (void)cudaFree(data);
    (void)cudaFree(results);
    (void)cudaStreamDestroy(stream);
  }

  template <class Calls>
  void capture(Calls&& calls) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin");
    calls();
    check(cudaStreamEndCapture(stream, &graph), "end");
    check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
    check(cudaGraphDestroy(graph), "destroy");
  }

  void fill(float value) {
    std::vector<float> const host(static_cast<std::size_t>(n), value);
    check(cudaMemcpy(data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice), "fill");
    check(cudaMemset(results, 0xff, 256 * sizeof(float)), "poison");
  }

  std::vector<float> replay(std::size_t count) {
    std::vector<float> host(count);
    check(cudaGraphLaunch(ready, stream), "launch");
    check(cudaStreamSynchronize(stream), "replay");
    check(cudaMemcpy(host.data(), results, count * sizeof(float), cudaMemcpyDeviceToHost), "results");
    return host;
  }
};

template <class Policy>
void replays(Policy const& policy) {
  for (std::int64_t const n : {1, 1000, 40'000, 1'000'000}) {
    captured graph(n);
    graph.capture([&] { preduce::reduce_into(policy.on(graph.stream), graph.data, graph.data + n, graph.results); });
    for (float const value : {1.0f, 2.0f, 0.5f}) {
      graph.fill(value);
      CHECK_MESSAGE(graph.replay(1)[0] == value * static_cast<float>(n), policy.name(), " n = ", n);
    }
  }
}

struct reader {
  float const* data;
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return data[i]; }
};

__global__ void write_all(float* data, std::int64_t n, float value) {
  for (auto i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += std::int64_t{gridDim.x} * blockDim.x)
    data[i] = value;
}

}  // namespace

TEST_CASE("behaviour 21, promise 10: a captured call is right at every replay, with changed data" *
          doctest::skip(device::missing())) {
  replays(preduce::automatic);
  preduce::ladder::for_each_rung([](auto const& policy, char const*) { replays(policy); });
}

TEST_CASE("promise 9: a call that overlaps the kernel that makes its data still sees all of it" *
          doctest::skip(device::missing())) {
  auto const chain = [](auto const& policy) {
    for (std::int64_t const n : {100, 5000, 300'000, 3'000'000}) {
      captured graph(n);
      graph.capture([&] {  // each call's data is written just before it; results follow one another
        for (int call = 0; call < 20; ++call) {
          write_all<<<64, 256, 0, graph.stream>>>(graph.data, n, static_cast<float>(call));
          preduce::reduce_into(policy.on(graph.stream).overlap_previous(), graph.data, graph.data + n,
                               graph.results + call);
        }
        for (int call = 20; call < 40; ++call)  // and reductions that overlap each other
          preduce::reduce_into(policy.on(graph.stream).overlap_previous(), graph.data, graph.data + n,
                               graph.results + call);
      });
      graph.fill(0.0f);
      auto const got = graph.replay(40);
      for (int call = 0; call < 40; ++call)
        CHECK_MESSAGE(
            got[static_cast<std::size_t>(call)] == static_cast<float>(call < 20 ? call : 19) * static_cast<float>(n),
            policy.name(), " n = ", n, " call ", call);
    }
  };
  chain(preduce::two_pass);
  chain(preduce::last_block);
  chain(preduce::look_back);
  chain(preduce::automatic);
}

TEST_CASE("behaviour 21: many calls in one graph, of growing and shrinking n, policies mixed" *
          doctest::skip(device::missing())) {
  std::int64_t const n = 300'000;
  captured graph(n);
  auto const size = [&](int i) { return (i * std::int64_t{7919} * 37) % n; };
  graph.capture([&] {
    for (int i = 0; i < 100; ++i) {
      auto* const end = graph.data + size(i);
      if (i % 5 == 1)
        preduce::reduce_into(preduce::grid_sync.on(graph.stream), graph.data, end, graph.results + i);
      else if (i % 5 == 2)
        preduce::reduce_into(preduce::atomic.on(graph.stream), graph.data, end, graph.results + i);
      else if (i % 5 == 3)
        preduce::reduce_into(preduce::look_back.on(graph.stream), graph.data, end, graph.results + i);
      else if (i % 3 == 0)
        preduce::reduce_into(preduce::last_block.on(graph.stream), graph.data, end, graph.results + i);
      else
        preduce::reduce_into(preduce::two_pass.on(graph.stream), graph.data, end, graph.results + i);
    }
  });
  for (float const value : {1.0f, 0.25f}) {
    graph.fill(value);
    auto const got = graph.replay(100);
    for (int i = 0; i < 100; ++i) CHECK(got[static_cast<std::size_t>(i)] == value * static_cast<float>(size(i)));
  }
}

TEST_CASE("automatic in a graph: a second kernel wherever several blocks work, unless calls overlap" *
          doctest::skip(device::missing())) {
  auto const kernels = [](std::int64_t n, auto const& call) {
    captured at(n);
    cudaGraph_t graph = nullptr;
    std::size_t nodes = 0;
    check(cudaStreamBeginCapture(at.stream, cudaStreamCaptureModeGlobal), "begin");
    call(at);
    check(cudaStreamEndCapture(at.stream, &graph), "end");
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    check(cudaGraphDestroy(graph), "destroy");
    return nodes;
  };
  auto const sum = [](captured& at) {
    preduce::reduce_into(preduce::automatic.on(at.stream), at.data, at.data + at.n, at.results);
  };
  auto const misaligned_sum = [](captured& at) {
    preduce::reduce_into(preduce::automatic.on(at.stream), at.data + 1, at.data + at.n, at.results);
  };
  auto const overlapping_sum = [](captured& at) {
    preduce::reduce_into(preduce::automatic.on(at.stream).overlap_previous(), at.data, at.data + at.n, at.results);
  };
  auto const functor_sum = [](captured& at) {
    preduce::parallel_reduce(preduce::automatic.on(at.stream), at.n, reader{at.data}, at.results);
  };
  CHECK(kernels(20'000, sum) == 1);  // one block, straight on
  CHECK(kernels(40'000, sum) == 2);
  CHECK(kernels(20'000, misaligned_sum) == 2);
  CHECK(kernels(20'000, functor_sum) == 2);
  CHECK(kernels(5'000, functor_sum) == 1);
  CHECK(kernels(300'000, overlapping_sum) == (preduce::current_device_facts().compute_capability >= 90 ? 1 : 2));
}

TEST_CASE(
    "behaviour 19: partials of different widths are announced in one slot, with any options, replay after replay" *
    doctest::skip(device::missing())) {
  std::int64_t const n = 300'000;
  captured graph(n);
  struct totals {
    std::int64_t indices[40];
    preduce::located<float> greatest[40];
    float sums[40];
  };
  totals* there = nullptr;
  check(cudaMalloc(&there, sizeof(totals)), "totals");
  auto const size = [&](int i) { return 1 + (i * std::int64_t{7919} * 37) % (n - 1); };
  graph.capture([&] {
    auto const on = preduce::look_back.on(graph.stream);
    for (int i = 0; i < 40; ++i) {
      auto const policy = i % 4 == 0   ? on
                          : i % 4 == 1 ? on.block_size(96).unit_lanes(32)
                          : i % 4 == 2 ? on.blocks(3)
                                       : on.overlap_previous();
      preduce::reduce_into(policy, graph.data, graph.data + size(i), there->sums + i);
      preduce::parallel_reduce(policy, size(i), functors::index{}, there->indices + i);
      preduce::parallel_reduce(policy, graph.data, graph.data + size(i), preduce::max_loc(there->greatest + i));
    }
  });
  totals got;
  for (float const value : {1.0f, 0.5f, -2.0f}) {
    graph.fill(value);
    check(cudaMemset(there, 0xff, sizeof(totals)), "poison");
    (void)graph.replay(1);
    check(cudaMemcpy(&got, there, sizeof(totals), cudaMemcpyDeviceToHost), "totals");
    for (int i = 0; i < 40; ++i) {
      INFO("call ", i, ", n = ", size(i), ", value ", value);
      CHECK(got.sums[i] == value * static_cast<float>(size(i)));
      CHECK(got.indices[i] == size(i) * (size(i) - 1) / 2);
      CHECK((got.greatest[i].value == value && got.greatest[i].index == 0));
    }
  }
  check(cudaFree(there), "free");
}

TEST_CASE("behaviour 21: graphs come and go, and their workspace is used again" * doctest::skip(device::missing())) {
  std::int64_t const n = 100'000;
  for (int round = 0; round < 20; ++round) {
    captured graph(n);
    graph.capture(
        [&] { preduce::reduce_into(preduce::last_block.on(graph.stream), graph.data, graph.data + n, graph.results); });
    graph.fill(1);
    CHECK(graph.replay(1)[0] == static_cast<float>(n));
  }
}

TEST_CASE("promise 9: a host result is refused while the stream captures, and the capture goes on" *
          doctest::skip(device::missing())) {
  std::int64_t const n = 1000;
  captured graph(n);
  graph.capture([&] {
    try {
      (void)preduce::reduce(preduce::two_pass.on(graph.stream), graph.data, graph.data + n);
      FAIL("a host result was accepted");
    } catch (preduce::error const& refused) {
      CHECK(refused.code() == preduce::error_code::unsupported);
    }
    preduce::reduce_into(preduce::two_pass.on(graph.stream), graph.data, graph.data + n, graph.results);
  });
  graph.fill(3);
  CHECK(graph.replay(1)[0] == 3.0f * static_cast<float>(n));
}

TEST_CASE("promise 10: ten thousand streams come and go" * doctest::skip(device::missing())) {
  std::int64_t const n = 50'000;
  captured memory(n);
  memory.fill(1);
  std::size_t before = 0;
  std::size_t after = 0;
  std::size_t total = 0;
  int const streams = device::sanitized ? 600 : 10'000;
  for (int i = 0; i < streams; ++i) {
    if (i == 520) check(cudaMemGetInfo(&before, &total), "memory");  // after the pool has met its bound once
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream), "stream");
    preduce::reduce_into(preduce::last_block.on(stream), memory.data, memory.data + n, memory.results);
    check(cudaStreamSynchronize(stream), "wait");
    check(cudaStreamDestroy(stream), "destroy");
  }
  check(cudaMemGetInfo(&after, &total), "memory");
  float got = 0;
  check(cudaMemcpy(&got, memory.results, sizeof(got), cudaMemcpyDeviceToHost), "result");
  CHECK(got == static_cast<float>(n));
  CHECK(after + (std::size_t{8} << 20) >= before);
}

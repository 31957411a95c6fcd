// What belongs to a device and a process: memory that calls keep, and several GPUs at once.

#include "../support/operators.hpp"
#include "../support/walk.hpp"

#include <cstdint>
#include <thread>
#include <vector>

namespace {

using device::check;

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) (void)cudaGetLastError();
  return count;
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaDeviceSynchronize(), "wait");
  check(cudaMemGetInfo(&free, &total), "memory");
  return free;
}

}  // namespace

TEST_CASE("promise 9: no policy allocates after its first call, whatever n" * doctest::skip(device::missing())) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    memory::buffer<std::int64_t> const result(memory::place::gpu, 1);
    auto const call = [&](std::int64_t n) { preduce::parallel_reduce(policy, n, functors::index{}, result.data()); };
    call(30'000);
    auto const before = free_memory();
    int const calls = device::sanitized ? 20 : 5000;  // 512 bytes a call, the least there is, would need a new page
    for (int i = 0; i < calls; ++i) call((i * 7919) % 30'000);
    call(30'000);
    CHECK_MESSAGE(free_memory() == before, about.name);
    CHECK_MESSAGE(result.read() == std::int64_t{30'000} * 29'999 / 2, about.name);
  });
}

TEST_CASE("promise 10: two devices in one process, in turn and at once" * doctest::skip(device_count() < 2)) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    std::int64_t const n = 20'000;
    auto const want = n * (n - 1) / 2;
    std::vector<std::int64_t*> results(2);
    for (int round = 0; round < 3; ++round) {
      for (int gpu : {0, 1}) {
        check(cudaSetDevice(gpu), "device");
        if (round == 0) check(cudaMalloc(&results[static_cast<std::size_t>(gpu)], sizeof(std::int64_t)), "result");
        CHECK_MESSAGE(preduce::parallel_reduce(policy, n, functors::index{}) == want, about.name, " on ", gpu);
        preduce::parallel_reduce(policy, n, functors::index{}, results[static_cast<std::size_t>(gpu)]);
      }
    }
    std::vector<std::thread> threads;
    std::vector<int> wrong(2, 0);
    for (int gpu : {0, 1}) {
      threads.emplace_back([&, gpu] {
        (void)cudaSetDevice(gpu);
        for (int i = 0; i < 200; ++i) {
          if (preduce::parallel_reduce(policy, n - i, functors::index{}) != (n - i) * (n - i - 1) / 2)
            ++wrong[static_cast<std::size_t>(gpu)];
        }
      });
    }
    for (auto& thread : threads) thread.join();
    CHECK_MESSAGE(wrong == std::vector<int>(2, 0), about.name);
    for (int gpu : {0, 1}) {
      std::int64_t got = 0;
      check(cudaSetDevice(gpu), "device");
      check(cudaMemcpy(&got, results[static_cast<std::size_t>(gpu)], sizeof(got), cudaMemcpyDeviceToHost), "read");
      check(cudaFree(results[static_cast<std::size_t>(gpu)]), "free");
      CHECK_MESSAGE(got == want, about.name, " on ", gpu);
    }
    check(cudaSetDevice(0), "device");
  });
}

TEST_CASE("promise 12: a stream of another device is refused" * doctest::skip(device_count() < 2)) {
  check(cudaSetDevice(0), "device");
  cudaStream_t of_0 = nullptr;
  check(cudaStreamCreate(&of_0), "stream");
  auto const sum = [](auto const& policy, std::int64_t n) {
    return preduce::parallel_reduce(policy, n, functors::index{});
  };
  CHECK(sum(preduce::two_pass.on(of_0), 1000) == 499'500);
  check(cudaSetDevice(1), "device");
  CHECK(sum(preduce::two_pass, 1000) == 499'500);
  for (std::int64_t const n : {1000, 1'000'000}) {
    CHECK_THROWS_AS((void)sum(preduce::two_pass.on(of_0), n), preduce::error);
    CHECK_THROWS_AS((void)sum(preduce::last_block.on(of_0), n), preduce::error);
    CHECK_THROWS_AS((void)sum(preduce::look_back.on(of_0), n), preduce::error);
    CHECK(sum(preduce::two_pass, n) == n * (n - 1) / 2);
  }
  check(cudaSetDevice(0), "device");
  CHECK(sum(preduce::two_pass.on(of_0), 1000) == 499'500);
  check(cudaStreamDestroy(of_0), "destroy");
}

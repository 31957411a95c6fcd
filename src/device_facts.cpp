#include <preduce/device_facts.hpp>
#include <preduce/errors.hpp>

#if PREDUCE_WITH_CUDA
#  include <cuda_runtime_api.h>

#  include <array>
#  include <mutex>
#  include <string_view>
#endif

namespace preduce {

device_facts const& detail::facts_of_simulation() noexcept {
  static constexpr device_facts facts{.name = "the simulated machine",
                                      .multiprocessors = 2,
                                      .threads_per_multiprocessor = 128,
                                      .reads_pageable_memory = true,
                                      .cooperative_launch = true};
  return facts;
}

device_facts simulated_device_facts() noexcept {
  return detail::facts_of_simulation();
}

#if PREDUCE_WITH_CUDA

namespace {

constexpr int most_devices = 64;

struct known_device {
  std::once_flag asked;
  device_facts facts;
};
std::array<known_device, most_devices> known_devices;

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) (void)cudaGetLastError();
  return value;
}

device_facts ask(int device) {
  device_facts facts;
  cudaDeviceProp properties{};
  if (auto const status = cudaGetDeviceProperties(&properties, device); status != cudaSuccess) {
    (void)cudaGetLastError();
    detail::fail_cuda(static_cast<int>(status), {}, "asking for a device's properties");
  }
  std::string_view(properties.name).substr(0, sizeof(facts.name) - 1).copy(facts.name, sizeof(facts.name) - 1);
  facts.compute_capability = 10 * properties.major + properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  facts.shared_bytes_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlock);
  facts.shared_bytes_per_multiprocessor = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor);
  facts.l2_bytes = properties.l2CacheSize;
  facts.reads_pageable_memory = attribute(cudaDevAttrPageableMemoryAccess, device) != 0;
  facts.cooperative_launch = attribute(cudaDevAttrCooperativeLaunch, device) != 0;
  return facts;
}

}  // namespace

bool gpu_available() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    (void)cudaGetLastError();  // caused here, so cleared here
    return false;
  }
  return count > 0;
}

device_facts const& detail::facts_of_device(int device) {
  if (device < 0 || device >= most_devices)
    detail::fail(error_code::no_device, {}, "more CUDA devices than the library keeps count of",
                 "hide some with CUDA_VISIBLE_DEVICES");
  auto& known = known_devices[static_cast<std::size_t>(device)];
  std::call_once(known.asked, [&] { known.facts = ask(device); });
  return known.facts;
}

device_facts current_device_facts() {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) {
    (void)cudaGetLastError();
    detail::fail(error_code::no_device, {}, "no usable CUDA device",
                 "run on a machine with a GPU and its driver, or use serial, openmp or .on(preduce::simt_host)");
  }
  return detail::facts_of_device(device);
}

#else

bool gpu_available() noexcept {
  return false;
}

device_facts const& detail::facts_of_device(int) {
  detail::fail(error_code::no_device, {}, "the library was built without CUDA",
               "build it with nvcc, or use serial, openmp or .on(preduce::simt_host)");
}

device_facts current_device_facts() {
  return detail::facts_of_device(0);
}

#endif

}  // namespace preduce

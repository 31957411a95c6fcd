#include "baselines/cub.hpp"
#include "cuda_objects.hpp"
#include "device_data.hpp"
#include "gpu.hpp"
#include "host_description.hpp"

#include <cstdio>
#include <string>

namespace perf {
namespace {

std::string version_of(int packed) {
  return std::to_string(packed / 1000) + '.' + std::to_string(packed % 1000 / 10);
}

/// "580.65.06 (CUDA 13.0)": the kernel module's version where the system says it.
std::string driver_version() {
  int cuda = 0;
  check(cudaDriverGetVersion(&cuda), "asking for the driver's version");
  auto const line = first_line_with("/proc/driver/nvidia/version", "Kernel Module");
  // "... Kernel Module for x86_64  580.65.06  Release Build ...": the first word that begins with a digit.
  auto start = line.find("Kernel Module");
  while (start != std::string::npos && (start == 0 || line[start - 1] != ' ' || line[start] < '0' || line[start] > '9'))
    start = line.find_first_of("0123456789", start + 1);
  auto const module = start == std::string::npos ? "unknown" : line.substr(start, line.find(' ', start) - start);
  return module + " (CUDA " + version_of(cuda) + ')';
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "asking for an attribute of the device");
  return value;
}

std::string cub_versions() {
  std::string versions = preduce_bench_cccl_toolkit()->version;
#ifdef PREDUCE_BENCH_CCCL_NEWEST
  versions += std::string(" and ") + preduce_bench_cccl_newest()->version;
#endif
  return versions;
}

void describe_memory(results& out) {
  auto const kilohertz = attribute(cudaDevAttrMemoryClockRate);
  auto const rated = 2e-6 * kilohertz * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  cuda_stream stream;
  auto const ceiling = read_ceiling(stream.get());
  char text[160];
  std::snprintf(text, sizeof text, "rated %.0f GB/s; a kernel that only reads reaches %.0f GB/s", rated, ceiling);
  out.header("memory", text);
  out.metadata("clock_sm_mhz", attribute(cudaDevAttrClockRate) / 1000);
  out.metadata("clock_memory_mhz", kilohertz / 1000);
  out.metadata("l2_bytes", attribute(cudaDevAttrL2CacheSize));
  out.metadata("bandwidth_rated_gbps", rated);
  out.metadata("bandwidth_read_ceiling_gbps", ceiling);
}

}  // namespace

std::string why_no_gpu() {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status == cudaSuccess && count > 0) return {};
  return std::string("no usable GPU: ") + (status != cudaSuccess ? cudaGetErrorString(status) : "none found");
}

bool gpu_still_works() {
  cudaGetLastError();
  return cudaDeviceSynchronize() == cudaSuccess;
}

void describe_gpu(results& out) {
  auto const toolkit = version_of(CUDART_VERSION);
  out.metadata("toolkit", toolkit);
  out.metadata("cub", cub_versions());
  if (!why_no_gpu().empty()) {
    out.header("GPU", "none (built with toolkit " + toolkit + ", CUB " + cub_versions() + ')');
    return;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "asking for the device's properties");
  out.header("GPU", std::string(properties.name) + ", sm_" + std::to_string(properties.major) +
                        std::to_string(properties.minor) + ", " + std::to_string(properties.multiProcessorCount) +
                        " SMs, L2 " + std::to_string(properties.l2CacheSize >> 20) + " MiB");
  out.header("driver", driver_version());
  out.header("CUDA", "toolkit " + toolkit + ", CUB " + cub_versions());
  out.metadata("gpu", properties.name);
  out.metadata("driver", driver_version());
  describe_memory(out);
}

}  // namespace perf

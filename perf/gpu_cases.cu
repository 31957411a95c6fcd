#include "gpu_cases.hpp"

#include "baselines/cub_version.cuh"
#include "cuda_objects.hpp"
#include "gpu_case.hpp"
#include "host_description.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace perf {
namespace {

std::vector<std::int64_t> default_sizes() {
  std::vector<std::int64_t> sizes;
  for (int exponent = 10; exponent <= 30; exponent += 2) sizes.push_back(std::int64_t{1} << exponent);
  sizes.insert(sizes.end(), {1000, 100'000, 1'000'000, 3'000'000, 30'000'000, 100'000'000});
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

template <class T>
__global__ void fill(T* data, std::int64_t n) {
  auto const stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (auto i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    data[i] = element<T>(i);
}

template <operation Op, class T>
bool run_case(options const& chosen, report& out, gpu_data<T> const& data, std::int64_t n) {
  if (!wants(chosen.ops, operation_name(Op))) return true;
  try {
    run_gpu_case<Op>(chosen, out, data, n);
    return true;
  } catch (std::exception const& fault) {
    out.fail(std::string("gpu ") + operation_name(Op) + ' ' + type_name<T>() + " n=" + std::to_string(n), fault.what());
    return gpu_still_works();
  }
}

/// Sizes that fit on the device beside some room for workspaces; the others are reported.
template <class T>
std::vector<std::int64_t> fitting_sizes(options const& chosen, report& out) {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the free device memory");
  auto const room = static_cast<std::int64_t>(free / 10 * 9 / sizeof(T));
  std::vector<std::int64_t> sizes;
  for (auto const n : chosen.sizes.empty() ? default_sizes() : chosen.sizes) {
    if (n <= room)
      sizes.push_back(n);
    else
      out.leave_out(std::string("gpu, ") + type_name<T>() + ", n = " + std::to_string(n), "does not fit on the device");
  }
  return sizes;
}

template <class T>
bool run_sizes(options const& chosen, report& out, cudaStream_t stream) {
  auto const sizes = fitting_sizes<T>(chosen, out);
  if (sizes.empty()) return true;
  device_array<T> data(*std::max_element(sizes.begin(), sizes.end()));
  fill<<<1024, 512, 0, stream>>>(data.get(), data.size());
  check(cudaGetLastError(), "launching the kernel that fills the data");
  std::vector<T> on_host(static_cast<std::size_t>(std::min(data.size(), chosen.cpu_check)));
  check(cudaMemcpyAsync(on_host.data(), data.get(), on_host.size() * sizeof(T), cudaMemcpyDeviceToHost, stream),
        "copying the data to the host");
  check(cudaStreamSynchronize(stream), "filling the data");

  gpu_data<T> const where{data.get(), on_host.data(), static_cast<std::int64_t>(on_host.size()), stream};
  for (auto const n : sizes) {
    if (n > where.host_count)
      out.leave_out("comparison with serial's bits on the CPU above n = " + std::to_string(chosen.cpu_check),
                    "takes long; --cpu-check sets the limit");
    if (!run_case<operation::sum, T>(chosen, out, where, n)) return false;
    if (!run_case<operation::min, T>(chosen, out, where, n)) return false;
    if (!run_case<operation::max, T>(chosen, out, where, n)) return false;
  }
  return true;
}

/// Returns false where the GPU can no longer be used.
template <class T>
bool run_type(options const& chosen, report& out, cudaStream_t stream) {
  if (!wants(chosen.types, type_name<T>())) return true;
  try {
    return run_sizes<T>(chosen, out, stream);
  } catch (std::exception const& fault) {
    out.fail(std::string("gpu ") + type_name<T>(), fault.what());
    return gpu_still_works();
  }
}

/// Clocks rise under load: the first case would be timed at the idle ones.
void warm_up(cudaStream_t stream) {
  constexpr std::int64_t count = std::int64_t{1} << 26;
  device_array<float> data(count);
  for (int i = 0; i < 2000; ++i) fill<<<1024, 512, 0, stream>>>(data.get(), count);
  check(cudaGetLastError(), "launching the warm-up");
  check(cudaStreamSynchronize(stream), "warming up");
}

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

}  // namespace

bool gpu_usable(report& out) {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status == cudaSuccess && count > 0) return true;
  out.leave_out("GPU modes (graph, stream, host)",
                std::string("no usable GPU: ") + (status != cudaSuccess ? cudaGetErrorString(status) : "none found"));
  return false;
}

void describe_gpu(report& out) {
  auto const toolkit = "toolkit " + version_of(CUDART_VERSION) + ", CUB " + baseline::cub_version();
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  if (status != cudaSuccess || count < 1) {
    out.header("GPU", "none (built with " + toolkit + ')');
    return;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "asking for the device's properties");
  out.header("GPU", std::string(properties.name) + ", sm_" + std::to_string(properties.major) +
                        std::to_string(properties.minor) + ", " + std::to_string(properties.multiProcessorCount) +
                        " SMs, L2 " + std::to_string(properties.l2CacheSize >> 20) + " MiB");
  out.header("driver", driver_version());
  out.header("CUDA", toolkit + ", nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + '.' +
                         std::to_string(__CUDACC_VER_MINOR__) + '.' + std::to_string(__CUDACC_VER_BUILD__));
}

void run_gpu_cases(options const& chosen, report& out) {
  auto const any_mode = wants(chosen.modes, "graph") || wants(chosen.modes, "stream") || wants(chosen.modes, "host");
  if (!any_mode) return;
  out.heading("GPU: median of interleaved pairs; ratio is baseline / ours; every call reads the same buffer");
  try {
    cuda_stream stream;
    warm_up(stream.get());
    if (run_type<float>(chosen, out, stream.get()) && run_type<double>(chosen, out, stream.get()) &&
        run_type<std::int32_t>(chosen, out, stream.get()) && run_type<std::int64_t>(chosen, out, stream.get()))
      return;
    out.leave_out("the GPU cases after the last failure", "the CUDA context is lost");
  } catch (std::exception const& fault) {
    out.fail("gpu", fault.what());
  }
}

}  // namespace perf

// A program, not a test case, because it resets its device: kernels, workspace and results are found again in every
// context that a thread calls from. Right totals are known beforehand: each element is 1.

#include <preduce/preduce.hpp>

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

int failed = 0;

void expect(bool right, char const* where, char const* what, std::int64_t n) {
  if (right) return;
  std::printf("%s, %s, n = %lld: wrong\n", where, what, static_cast<long long>(n));
  ++failed;
}

void must(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

struct ones {
  PREDUCE_FUNCTION int operator()(std::int64_t) const { return 1; }
};

/// A functor's type makes kernels of its own: of these each is first launched where it is named.
template <int Number>
struct own_ones : ones {};

template <class Policy>
void reduce_all(char const* where, Policy const& policy, cudaStream_t stream) {
  for (std::int64_t const n : {100, 10'000, 1'000'000}) {
    int const on_host = preduce::parallel_reduce(policy.on(stream), n, ones{});
    expect(on_host == n, where, policy.name(), n);
    int* out = nullptr;
    must(cudaMalloc(&out, sizeof(int)), "cudaMalloc");
    preduce::parallel_reduce(policy.on(stream), n, ones{}, out);
    preduce::parallel_reduce(policy.on(stream), n, ones{}, out);
    int on_device = 0;
    must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    must(cudaMemcpy(&on_device, out, sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
    expect(on_device == n, where, policy.name(), n);
    must(cudaFree(out), "cudaFree");
  }
}

void reduce_everywhere(char const* where) {
  std::printf("%s\n", where);
  std::fflush(stdout);
  cudaStream_t own = nullptr;
  must(cudaStreamCreate(&own), "cudaStreamCreate");
  for (cudaStream_t stream : {cudaStream_t{nullptr}, own}) {
    reduce_all(where, preduce::automatic, stream);
    reduce_all(where, preduce::two_pass, stream);
    reduce_all(where, preduce::last_block, stream);
    reduce_all(where, preduce::look_back, stream);
    reduce_all(where, preduce::grid_sync, stream);
  }
  must(cudaStreamDestroy(own), "cudaStreamDestroy");
}

/// The first launch of a kernel may have to load it, which a capture in global mode forbids to careless code.
template <int Number>
void capture_kernel_never_launched(char const* where) {
  constexpr std::int64_t n = 1'000'000;
  int* out = nullptr;
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  must(cudaMalloc(&out, sizeof(int)), "cudaMalloc");
  must(cudaStreamCreate(&stream), "cudaStreamCreate");
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  preduce::parallel_reduce(preduce::two_pass.on(stream), n, own_ones<Number>{}, out);
  preduce::parallel_reduce(preduce::grid_sync.on(stream), n, own_ones<Number>{}, out);
  must(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  must(cudaGraphInstantiate(&instance, graph, 0), "cudaGraphInstantiate");
  must(cudaGraphLaunch(instance, stream), "cudaGraphLaunch");
  must(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  int total = 0;
  must(cudaMemcpy(&total, out, sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
  expect(total == n, where, "captured", n);
  must(cudaGraphExecDestroy(instance), "cudaGraphExecDestroy");
  must(cudaGraphDestroy(graph), "cudaGraphDestroy");
  must(cudaStreamDestroy(stream), "cudaStreamDestroy");
  must(cudaFree(out), "cudaFree");
}

/// A context that the caller makes, beside the runtime's own on the same device.
void reduce_in_callers_context() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  using create_function = CUresult(CUcontext*, unsigned, CUdevice);
  using destroy_function = CUresult(CUcontext);
  auto const find = [&](char const* name) {  // as they were in 4.0: later versions take other arguments
    must(cudaGetDriverEntryPointByVersion(name, &found, 4000, cudaEnableDefault, &result), name);
    return found;
  };
  auto* const create = reinterpret_cast<create_function*>(find("cuCtxCreate"));
  auto* const destroy = reinterpret_cast<destroy_function*>(find("cuCtxDestroy"));
  CUcontext context = nullptr;
  if (create(&context, 0, 0) != CUDA_SUCCESS) {
    std::printf("no context of the caller's own here\n");
    return;
  }
  reduce_everywhere("in the caller's context");
  capture_kernel_never_launched<3>("in the caller's context");
  destroy(context);
  must(cudaSetDevice(0), "cudaSetDevice");
}

}  // namespace

int main() {
  if (!preduce::gpu_available()) {
    std::printf("no usable GPU\n");
    return 0;
  }
  reduce_everywhere("first");
  capture_kernel_never_launched<1>("first");
  int devices = 0;
  must(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  if (devices > 1) {
    for (int turn = 0; turn < 4; ++turn) {
      must(cudaSetDevice(turn % 2), "cudaSetDevice");
      reduce_everywhere(turn % 2 == 0 ? "back on device 0" : "on device 1");
    }
    must(cudaSetDevice(0), "cudaSetDevice");
  }
  std::thread([] {
    reduce_everywhere("in another thread");
    capture_kernel_never_launched<2>("in another thread");
  }).join();
  reduce_in_callers_context();
  reduce_everywhere("back in the first context");
  must(cudaDeviceReset(), "cudaDeviceReset");
  reduce_everywhere("after a reset");
  capture_kernel_never_launched<4>("after a reset");
  must(cudaDeviceReset(), "cudaDeviceReset");
  reduce_everywhere("after another reset");
  std::printf("%s\n", failed == 0 ? "all totals are right" : "some are wrong");
  return failed == 0 ? 0 : 1;
}

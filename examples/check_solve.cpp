// Calls solve() as a judge does: real data on the GPU, many sizes, an output that holds rubbish before.

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" void solve(float const* input, float* output, int n);

namespace {

void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// Device memory for `count` floats, filled with 0x4b bytes.
class device_floats {
 public:
  explicit device_floats(std::size_t count) {
    check(cudaMalloc(&data_, count * sizeof(float)), "cudaMalloc");
    check(cudaMemset(data_, 0x4b, count * sizeof(float)), "cudaMemset");
  }
  ~device_floats() { cudaFree(data_); }
  device_floats(device_floats const&) = delete;
  device_floats& operator=(device_floats const&) = delete;
  [[nodiscard]] float* data() const { return static_cast<float*>(data_); }

 private:
  void* data_ = nullptr;
};

/// Whether the sum of `values` is as near to the sum in double as a tree of float additions must be.
bool right(std::vector<float> const& values) {
  device_floats const input(values.size() + 1);
  device_floats const output(1);
  check(cudaMemcpy(input.data(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  solve(input.data(), output.data(), static_cast<int>(values.size()));
  float got = 0;
  check(cudaMemcpy(&got, output.data(), sizeof(got), cudaMemcpyDeviceToHost), "cudaMemcpy");

  double sum = 0, magnitude = 0;
  for (float const value : values) {
    sum += static_cast<double>(value);
    magnitude += std::abs(static_cast<double>(value));
  }
  // Each element takes part in at most 64 + 12 + 64 + 10 additions here (docs/canonical-order.md).
  double const bound = 150 * 0x1p-24 * magnitude;
  bool const same = std::abs(static_cast<double>(got) - sum) <= bound;
  std::printf("n = %zu: %.9g, in double %.17g: %s\n", values.size(), static_cast<double>(got), sum,
              same ? "right" : "WRONG");
  return same;
}

}  // namespace

int main() try {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("no usable GPU\n");
    return 0;
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<float> level(-1.0F, 10.0F);
  bool all = true;
  for (std::size_t const n : {0U, 1U, 2U, 3U, 31U, 1000U, 4096U, 4097U, 1000000U, 1U << 24, 100000000U}) {
    std::vector<float> values(n);
    for (auto& value : values) value = level(random);
    all = right(values) && all;
  }
  return all ? 0 : 1;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

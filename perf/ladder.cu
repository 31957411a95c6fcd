// Times every rung of the classic ladder over float32 sums, each checked before it is timed.
//
//   ladder [CSV]
//
// GPU microseconds a call in a captured graph, median of nine. "of peak": bytes read over the time, as a share of the
// memory's rated bandwidth (beyond 1 where the data stays in the second-level cache). "over one thread": how many times
// as fast as single_thread. Columns of the CSV: rung,n,us,gbps,of_peak,over_one_thread.

#include "cuda_objects.hpp"
#include "gpu_timing.hpp"
#include "stats.hpp"

#include <preduce/preduce.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

__global__ void fill(float* values, std::int64_t n) {
  for (auto i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n; i += std::int64_t{gridDim.x} * blockDim.x)
    values[i] = static_cast<float>((static_cast<unsigned>(i) * 2654435761u) >> 9) / 8388608.0f;
}

double rated_bytes_a_second() {
  int kilohertz = 0, bits = 0;
  perf::check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0), "asking for the memory's clock");
  perf::check(cudaDeviceGetAttribute(&bits, cudaDevAttrGlobalMemoryBusWidth, 0), "asking for the memory's width");
  return 2e3 * kilohertz * bits / 8;
}

class ladder {
 public:
  explicit ladder(char const* csv)
      : csv_(csv == nullptr ? nullptr : std::fopen(csv, "w")), data_(std::int64_t{1} << 25) {
    fill<<<1024, 512, 0, stream_.get()>>>(data_.get(), data_.size());
    perf::check(cudaGetLastError(), "filling the data");
    stream_.wait();
    if (csv_ != nullptr) std::fprintf(csv_, "rung,n,us,gbps,of_peak,over_one_thread\n");
    std::printf("memory rated at %.0f GB/s\n", rated_bytes_a_second() / 1e9);
  }
  ~ladder() {
    if (csv_ != nullptr) std::fclose(csv_);
  }

  /// Returns false where a result is wrong.
  bool run(std::int64_t n) {
    std::printf("\nn = %lld\n%-34s %12s %10s %8s %16s\n", static_cast<long long>(n), "rung", "us", "GB/s", "of peak",
                "over one thread");
    bool right = true;
    double one_thread = 0;
    double const exact = preduce::reduce(preduce::two_pass.on(stream_.get()), data_.get(), data_.get() + n, 0.0);
    preduce::ladder::for_each_rung([&](auto const& rung, char const*) {
      auto const issue = [&] {
        preduce::reduce_into(rung.on(stream_.get()), data_.get(), data_.get() + n, result_.get());
      };
      float const got = preduce::reduce(rung.on(stream_.get()), data_.get(), data_.get() + n);
      // Positive values: a sum's error is at most n epsilons of it; a serial loop comes close to the square root of
      // that.
      if (!(std::abs(got - exact) <= 1e-3 * exact)) {
        std::printf("%-34s wrong: %g for %g\n", rung.name(), got, exact);
        right = false;
        return;
      }
      int const calls = one_thread == 0 && n > 100000 ? 1 : n <= 100000 ? 50 : 10;
      perf::graph_sampler sample(stream_.get());
      sample.capture(calls, issue);
      std::vector<double> times;
      for (int i = 0; i < 9; ++i) times.push_back(sample());
      double const us = perf::median(times);
      if (one_thread == 0) one_thread = us;
      double const bytes_a_second = static_cast<double>(n) * sizeof(float) / us * 1e6;
      double const share = bytes_a_second / rated_bytes_a_second();
      std::printf("%-34s %12.2f %10.2f %7.2f%% %15.1fx\n", rung.name(), us, bytes_a_second / 1e9, 100 * share,
                  one_thread / us);
      if (csv_ != nullptr)
        std::fprintf(csv_, "%s,%lld,%.3f,%.3f,%.5f,%.2f\n", rung.name(), static_cast<long long>(n), us,
                     bytes_a_second / 1e9, share, one_thread / us);
    });
    return right;
  }

 private:
  std::FILE* csv_;
  perf::cuda_stream stream_;
  perf::device_array<float> data_;
  perf::device_array<float> result_{1};
};

}  // namespace

int main(int argc, char** argv) {
  if (!preduce::gpu_available()) {
    std::printf("no usable GPU\n");
    return 0;
  }
  try {
    ladder all(argc > 1 ? argv[1] : nullptr);
    bool right = true;
    for (std::int64_t const n : {1024, 40960, 10'000'000, 1 << 25}) right = all.run(n) && right;
    return right ? 0 : 1;
  } catch (std::exception const& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
}

// What a field of sensors measured, straight from Thrust's containers and iterators: on the GPU where there is one,
// else the same lines over host memory under `openmp`.

#include <preduce/preduce.hpp>
#include <preduce/thrust.hpp>

#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>

namespace {

constexpr std::int64_t sensors = 1'000'000;
constexpr std::int64_t columns = 1000;

using reading = thrust::tuple<float, std::int64_t>;  // degrees, sensor

struct squared_distance {
  double from;
  PREDUCE_FUNCTION double operator()(float degrees) const { return (degrees - from) * (degrees - from); }
};

/// Of equally hot ones the first.
struct hotter {
  PREDUCE_FUNCTION reading operator()(reading const& a, reading const& b) const {
    if (thrust::get<0>(a) != thrust::get<0>(b)) return thrust::get<0>(a) < thrust::get<0>(b) ? b : a;
    return thrust::get<1>(a) < thrust::get<1>(b) ? a : b;
  }
};

struct diagonal {
  PREDUCE_FUNCTION std::int64_t operator()(std::int64_t row) const { return row * (columns + 1); }
};

template <class Degrees, class Policy>
void report(Policy const& policy, Degrees const& degrees) {
  // A vector's iterators are read like pointers.
  double const mean = preduce::reduce(policy, degrees.begin(), degrees.end(), 0.0) / sensors;
  double const squares = preduce::transform_reduce(policy, degrees.begin(), degrees.end(), squared_distance{mean}, 0.0,
                                                   preduce::plus<double>{});

  // Fancy iterators are read where the policy runs.
  auto const first = thrust::make_counting_iterator(std::int64_t{0});
  auto const numbered = thrust::make_zip_iterator(thrust::make_tuple(degrees.begin(), first));
  reading const hottest = preduce::reduce(policy, numbered, numbered + sensors, reading(-300, -1), hotter{});
  auto const along =
      thrust::make_permutation_iterator(degrees.begin(), thrust::make_transform_iterator(first, diagonal{}));
  double const on_diagonal = preduce::reduce(policy, along, along + columns, 0.0) / columns;

  // A device_ptr takes a result that stays on the device.
  auto copy = degrees;
  preduce::reduce_into(policy, degrees.begin(), degrees.end(), copy.data());
  float const sum = copy[0];

  std::printf("%-10s mean %.4f, deviation %.4f, diagonal %.4f, hottest %.2f at sensor %lld, sum %.9g\n", policy.name(),
              mean, std::sqrt(squares / sensors), on_diagonal, static_cast<double>(thrust::get<0>(hottest)),
              static_cast<long long>(thrust::get<1>(hottest)), static_cast<double>(sum));
}

}  // namespace

int main() try {
  thrust::host_vector<float> degrees(sensors);
  std::uint32_t noise = 1;
  for (auto& value : degrees) {
    noise = noise * 1664525 + 1013904223;
    value = 20.0F + static_cast<float>(noise >> 8) * 0x1p-22F;
  }
  report(preduce::openmp, degrees);
  if (preduce::gpu_available())
    report(preduce::last_block, thrust::device_vector<float>(degrees));
  else
    std::printf("no usable GPU\n");
  return 0;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

// What a user writes, under the warnings a user may turn on: every call, and every policy. every_call.cu is the same
// file for nvcc.
#include <preduce/complex.hpp>
#include <preduce/preduce.hpp>
#if __has_include(<cuda_fp16.h>)
#  include <preduce/bfloat16.hpp>
#  include <preduce/half.hpp>
#endif

#include <complex>
#include <cstdint>

namespace {

struct weight {
  float grams;
  std::int32_t id;
};

struct heavier {
  PREDUCE_FUNCTION weight operator()(weight const& a, weight const& b) const { return a.grams < b.grams ? b : a; }
};

struct affine_map {
  std::uint32_t slope, offset;
};

struct compose {
  static constexpr bool commutative = false;
  PREDUCE_FUNCTION affine_map combine(affine_map const& f, affine_map const& g) const {
    return {f.slope * g.slope, f.slope * g.offset + f.offset};
  }
  PREDUCE_FUNCTION affine_map identity() const { return {1, 0}; }
};

struct square {
  PREDUCE_FUNCTION double operator()(float x) const { return static_cast<double>(x) * static_cast<double>(x); }
};

}  // namespace

template <class Policy>
void functor_calls(Policy const& policy, float const* data, std::int64_t n, float* out) {
  float total = preduce::parallel_reduce(
      policy, n, PREDUCE_LAMBDA(std::int64_t i) { return data[i]; });
  preduce::parallel_reduce(
      policy, preduce::range{1, n}, PREDUCE_LAMBDA(std::int64_t i) { return data[i]; }, total);
  preduce::parallel_reduce(
      policy, n, PREDUCE_LAMBDA(std::int64_t i, float& sum) { sum += data[i]; }, total);
  preduce::parallel_reduce(
      policy, n, PREDUCE_LAMBDA(std::int32_t i) { return data[i]; }, out);
  preduce::parallel_reduce(
      policy, 100, PREDUCE_LAMBDA(std::int64_t i) { return data[i]; }, preduce::min(total));
  preduce::parallel_reduce(
      policy, 100U, PREDUCE_LAMBDA(std::int64_t i) { return data[i]; }, preduce::max(out));

  std::int64_t count = 0;
  preduce::parallel_reduce(
      policy, n, PREDUCE_LAMBDA(std::int64_t i) { return i; }, preduce::prod(count));
  weight heaviest{};
  auto const weigh = PREDUCE_LAMBDA(std::int64_t i)->weight {
    return {data[i], static_cast<std::int32_t>(i)};
  };
  preduce::parallel_reduce(policy, n, weigh, preduce::reducer(heavier{}, heaviest));
  preduce::parallel_reduce(policy, n, weigh, preduce::reducer(heavier{}, weight{}, heaviest));
  affine_map map{};
  auto const shift = PREDUCE_LAMBDA(std::int64_t i)->affine_map {
    return {1, static_cast<std::uint32_t>(i)};
  };
  preduce::parallel_reduce(policy, n, shift, preduce::reducer(compose{}, map));
}

template <class Policy>
double sequence_calls(Policy const& policy, float const* data, std::int8_t const* bytes, std::int64_t n, float* out) {
  double total = preduce::reduce(policy, data, data + n);
  total += preduce::reduce(policy, bytes, bytes + n);
  total += preduce::reduce(policy, data, data + n, 0.0);
  total += preduce::reduce(policy, data, data + n, 0.0F, preduce::maximum<float>{});
  total += preduce::transform_reduce(policy, data, data + n, square{}, 0.0, preduce::plus<double>{});
  preduce::reduce_into(policy, data, data + n, out, 0.0F, preduce::minimum<float>{});
  preduce::transform_reduce_into(policy, data, data + n, out, square{}, 0.0, preduce::plus<double>{});
  preduce::located<std::int8_t> least{};
  preduce::parallel_reduce(policy, data, data + n, total);
  preduce::parallel_reduce(policy, data, data + n, preduce::max(out));
  preduce::parallel_reduce(policy, bytes, bytes + n, preduce::min_loc(least));
  return total;
}

template <class Policy>
void reducers_of_their_own_headers(Policy const& policy, float const* data, std::int64_t n) {
  auto const load = PREDUCE_LAMBDA(std::int64_t i) {
    return data[i];
  };
  auto const positive = PREDUCE_LAMBDA(std::int64_t i) {
    return data[i] > 0;
  };
  auto const bits = PREDUCE_LAMBDA(std::int64_t i) {
    return static_cast<std::uint8_t>(i);
  };
  preduce::located<float> where{};
  preduce::extent<float> both{};
  float least = 0;
  bool yes = false;
  std::uint8_t mask = 0;
  preduce::parallel_reduce(policy, n, load, preduce::min_loc(where));
  preduce::parallel_reduce(policy, n, load, preduce::max_loc(where));
  preduce::parallel_reduce(policy, n, load, preduce::min_max(both));
  preduce::parallel_reduce(policy, n, load, preduce::min_ignoring_nan(least));
  preduce::parallel_reduce(policy, n, positive, preduce::all(yes));
  preduce::parallel_reduce(policy, n, positive, preduce::any(yes));
  preduce::parallel_reduce(policy, n, bits, preduce::bits_xor(mask));
}

template <class T, class Policy>
T other_types(Policy const& policy, T const* data, std::int64_t n, T* out) {
  preduce::reduce_into(policy, data, data + n, out);
  T total = preduce::reduce(policy, data, data + n, T{});
  preduce::parallel_reduce(
      policy, n, PREDUCE_LAMBDA(std::int64_t i) { return data[i]; }, preduce::prod(total));
  return total;
}

template <class Policy>
void every_other_type(Policy const& policy, void const* data, std::int64_t n, void* out) {
  using complex = std::complex<float>;
  other_types(policy, static_cast<complex const*>(data), n, static_cast<complex*>(out));
  other_types(policy, static_cast<__int128 const*>(data), n, static_cast<__int128*>(out));
#if __has_include(<cuda_fp16.h>)
  other_types(policy, static_cast<__half const*>(data), n, static_cast<__half*>(out));
  other_types(policy, static_cast<__nv_bfloat16 const*>(data), n, static_cast<__nv_bfloat16*>(out));
#endif
}

// Not every call under every policy: each pair is a kernel or two, and what a call instantiates around them is shared.
double every_policy(float const* data, std::int8_t const* bytes, std::int64_t n, float* out) {
  functor_calls(preduce::two_pass, data, n, out);
  reducers_of_their_own_headers(preduce::look_back, data, n);
  every_other_type(preduce::look_back, data, n, out);
  double total = sequence_calls(preduce::last_block.block_size(96).blocks(7), data, bytes, n, out);
  float const* const last = data + n;
  // In a .cpp file too, where automatic is the host's: one source, compiled either way.
  total += preduce::reduce(preduce::automatic.block_size(128).blocks(64).unit_lanes(256), data, last);
  total += preduce::reduce(preduce::serial, data, last);
  total += preduce::reduce(preduce::openmp.threads(2), data, last);
  total += preduce::reduce(preduce::two_pass.on(preduce::simt_host), data, last);
  total += preduce::reduce(preduce::last_block.on(preduce::simt_host.fibers(7)), data, last);
  return total;
}

// Plain kernels: each thread folds a strided part, the host folds the threads' parts in order.
#include "device_data.hpp"
#include "operations.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <limits>

namespace perf {
namespace {

constexpr int blocks = 1024, threads = 256;

struct part {
  double value;
  std::int64_t index;
};

template <class T>
struct scalars {
  T const* data;
  std::int64_t stride, component;
  __device__ double operator()(std::int64_t i) const { return static_cast<double>(data[i * stride + component]); }
};
template <>
__device__ double scalars<__half>::operator()(std::int64_t i) const {
  return static_cast<double>(__half2float(data[i]));
}
template <>
__device__ double scalars<__nv_bfloat16>::operator()(std::int64_t i) const {
  return static_cast<double>(__bfloat162float(data[i]));
}

struct products {
  float const* a;
  float const* b;
  __device__ double operator()(std::int64_t i) const { return static_cast<double>(a[i]) * static_cast<double>(b[i]); }
};

template <class Values>
__global__ void sum_parts(Values values, std::int64_t n, part* parts) {
  auto const rank = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  double total = 0;
  for (auto i = rank; i < n; i += std::int64_t{gridDim.x} * blockDim.x) total += values(i);
  parts[rank] = {total, 0};
}

/// sign -1: the greatest.
template <class Values>
__global__ void least_parts(Values values, std::int64_t n, double sign, part* parts) {
  auto const rank = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  part best = {0, -1};
  for (auto i = rank; i < n; i += std::int64_t{gridDim.x} * blockDim.x) {
    auto const value = sign * values(i);
    if (best.index < 0 || value < best.value) best = {value, i};
  }
  parts[rank] = best;
}

std::vector<part> fetch(device_array<part> const& from, cudaStream_t stream) {
  check(cudaGetLastError(), "launching the reference");
  std::vector<part> parts(static_cast<std::size_t>(from.size()));
  check(cudaMemcpyAsync(parts.data(), from.get(), parts.size() * sizeof(part), cudaMemcpyDeviceToHost, stream),
        "copying the reference");
  check(cudaStreamSynchronize(stream), "computing the reference");
  return parts;
}

template <class Values>
double sum(Values values, std::int64_t n, cudaStream_t stream) {
  device_array<part> parts(blocks * threads);
  sum_parts<<<blocks, threads, 0, stream>>>(values, n, parts.get());
  long double total = 0;
  for (auto const& p : fetch(parts, stream)) total += p.value;
  return static_cast<double>(total);
}

template <class Values>
part extreme(Values values, std::int64_t n, bool least, cudaStream_t stream) {
  device_array<part> parts(blocks * threads);
  auto const sign = least ? 1.0 : -1.0;
  least_parts<<<blocks, threads, 0, stream>>>(values, n, sign, parts.get());
  part best = {std::numeric_limits<double>::infinity(), -1};
  for (auto const& p : fetch(parts, stream))
    if (p.index >= 0 && (p.value < best.value || (p.value == best.value && p.index < best.index))) best = p;
  return {sign * best.value, best.index};
}

template <class T>
std::vector<double> reference_of(configuration const& what, void const* data, cudaStream_t stream) {
  auto const at = [&](std::int64_t component) {
    return scalars<T>{static_cast<T const*>(data), components(what.op), component};
  };
  switch (what.op) {
    case operation::min:
    case operation::max:
      return {extreme(at(0), what.n, what.op == operation::min, stream).value};
    case operation::min_loc:
    case operation::max_loc: {
      auto const found = extreme(at(0), what.n, what.op == operation::min_loc, stream);
      return {found.value, static_cast<double>(found.index)};
    }
    case operation::affine:  // n elements and the init, which is the identity: n shifts, and one that it takes back
      return {sum(at(0), what.n, stream) + static_cast<double>(what.n - 1) * static_cast<double>(affine_shift)};
    default: {
      std::vector<double> totals;
      for (std::int64_t c = 0; c < components(what.op); ++c) totals.push_back(sum(at(c), what.n, stream));
      return totals;
    }
  }
}

}  // namespace

std::vector<double> reference(configuration const& what, void const* data, void const* other, cudaStream_t stream) {
  if (what.op == operation::dot)
    return {sum(products{static_cast<float const*>(data), static_cast<float const*>(other)}, what.n, stream)};
  switch (what.type) {
    case element::f32:
      return reference_of<float>(what, data, stream);
    case element::f64:
      return reference_of<double>(what, data, stream);
    case element::i8:
      return reference_of<std::int8_t>(what, data, stream);
    case element::u8:
      return reference_of<std::uint8_t>(what, data, stream);
    case element::i16:
      return reference_of<std::int16_t>(what, data, stream);
    case element::i32:
      return reference_of<std::int32_t>(what, data, stream);
    case element::i64:
      return reference_of<std::int64_t>(what, data, stream);
    case element::f16:
      return reference_of<__half>(what, data, stream);
    case element::bf16:
      return reference_of<__nv_bfloat16>(what, data, stream);
  }
  return {};
}

}  // namespace perf

#include "device_data.hpp"

#include "contest.hpp"
#include "operations.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <string>

namespace perf {
namespace {

template <class T>
__global__ void fill_kernel(T* data, std::int64_t n, std::int64_t first) {
  auto const stride = std::int64_t{gridDim.x} * blockDim.x;
  for (auto i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride)
    data[i] = element_at<T>(first + i);
}

template <class T>
void fill_with(void* data, std::int64_t count, std::int64_t first, cudaStream_t stream) {
  fill_kernel<<<1024, 512, 0, stream>>>(static_cast<T*>(data), count, first);
  check(cudaGetLastError(), "launching the kernel that fills the data");
}

__global__ void touch_kernel(unsigned char volatile* data, std::int64_t bytes) {
  if (threadIdx.x < bytes) data[threadIdx.x] = data[threadIdx.x];
}

/// The sink is never written, and the compiler cannot know.
template <int Unroll>
__global__ void read_kernel(uint4 const* data, std::int64_t count, unsigned* sink) {
  auto const stride = std::int64_t{gridDim.x} * blockDim.x;
  unsigned bits = 0;
  auto i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (Unroll - 1) * stride < count; i += Unroll * stride) {
    uint4 loaded[Unroll];
#pragma unroll
    for (int k = 0; k < Unroll; ++k) loaded[k] = data[i + k * stride];
#pragma unroll
    for (int k = 0; k < Unroll; ++k) bits |= loaded[k].x | loaded[k].y | loaded[k].z | loaded[k].w;
  }
  for (; i < count; i += stride) bits |= data[i].x | data[i].y | data[i].z | data[i].w;
  if (sink != nullptr && bits == 0x7fffffffU) *sink = bits;
}

template <int Unroll>
double best_rate(void const* data, std::int64_t bytes, int blocks, int threads, cudaStream_t stream) {
  cuda_event start, stop;
  double best = 0;
  for (int i = 0; i < 6; ++i) {
    start.record(stream);
    read_kernel<Unroll>
        <<<blocks, threads, 0, stream>>>(static_cast<uint4 const*>(data), bytes / 16, static_cast<unsigned*>(nullptr));
    check(cudaGetLastError(), "launching the kernel that reads");
    stop.record(stream);
    stop.wait();
    best = std::max(best, static_cast<double>(bytes) / stop.us_since(start) / 1e3);
  }
  return best;
}

int multiprocessors() {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "asking for the multiprocessors");
  return count;
}

std::int64_t free_memory() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the free device memory");
  return static_cast<std::int64_t>(free);
}

}  // namespace

void fill(element type, void* data, std::int64_t count, std::int64_t first, cudaStream_t stream) {
  switch (type) {
    case element::f32:
      return fill_with<float>(data, count, first, stream);
    case element::f64:
      return fill_with<double>(data, count, first, stream);
    case element::i8:
      return fill_with<std::int8_t>(data, count, first, stream);
    case element::u8:
      return fill_with<std::uint8_t>(data, count, first, stream);
    case element::i16:
      return fill_with<std::int16_t>(data, count, first, stream);
    case element::i32:
      return fill_with<std::int32_t>(data, count, first, stream);
    case element::i64:
      return fill_with<std::int64_t>(data, count, first, stream);
    case element::f16:
      return fill_with<__half>(data, count, first, stream);
    case element::bf16:
      return fill_with<__nv_bfloat16>(data, count, first, stream);
  }
}

void const* filled_array::of(element type, std::int64_t count, std::int64_t first, cudaStream_t stream) {
  auto const bytes = count * scalar_bytes(type);
  if (memory_ != nullptr && type == type_ && first == first_ && bytes <= memory_->size()) return memory_->get();
  release();
  // Some room stays for workspaces, and for the copies that some configurations make.
  if (bytes > free_memory() / 10 * 9)
    throw left_out(std::to_string(bytes >> 20) + " MiB of data do not fit on the device");
  memory_ = std::make_unique<device_array<unsigned char>>(bytes);
  type_ = type;
  first_ = first;
  fill(type, memory_->get(), count, first, stream);
  check(cudaStreamSynchronize(stream), "filling the data");
  return memory_->get();
}

void filled_array::release() {
  memory_.reset();
}

void touch(void* data, std::int64_t bytes, cudaStream_t stream) {
  touch_kernel<<<1, 1024, 0, stream>>>(static_cast<unsigned char*>(data), bytes);
  check(cudaGetLastError(), "launching the user's kernel");
}

void read_all(void const* data, std::int64_t bytes, cudaStream_t stream) {
  read_kernel<4><<<2 * multiprocessors(), 1024, 0, stream>>>(static_cast<uint4 const*>(data), bytes / 16,
                                                             static_cast<unsigned*>(nullptr));
  check(cudaGetLastError(), "launching the kernel that reads");
}

double read_ceiling(cudaStream_t stream) {
  auto const bytes = std::min(std::int64_t{4} << 30, free_memory() / 2) / 16 * 16;
  device_array<unsigned char> data(bytes);
  check(cudaMemsetAsync(data.get(), 0, static_cast<std::size_t>(bytes), stream), "clearing memory");
  double best = 0;
  for (int const threads : {256, 512, 1024})
    for (int const waves : {1, 2, 4, 16}) {
      auto const blocks = multiprocessors() * 2048 / threads * waves;
      best = std::max(best, best_rate<4>(data.get(), bytes, blocks, threads, stream));
      best = std::max(best, best_rate<8>(data.get(), bytes, blocks, threads, stream));
    }
  return best;
}

}  // namespace perf

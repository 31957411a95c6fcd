#pragma once
// The kernels of the benchmark that are neither preduce's nor a baseline's, and the data they fill.

#include "configuration.hpp"
#include "cuda_objects.hpp"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace perf {

/// Writes element_at<type>(first), element_at<type>(first + 1), ... into `count` scalars.
void fill(element type, void* data, std::int64_t count, std::int64_t first, cudaStream_t);

/// One array on the device, kept from one configuration to the next where type and start are the same.
class filled_array {
 public:
  /// At least `count` scalars, filled. Throws left_out where the device has no room.
  void const* of(element type, std::int64_t count, std::int64_t first, cudaStream_t);
  void release();

 private:
  element type_ = element::f32;
  std::int64_t first_ = 0;
  std::unique_ptr<device_array<unsigned char>> memory_;
};

/// What a small kernel of a user's does before each call in mode graph_user: rewrites the first `bytes` bytes, at most
/// 1024, with what is there.
void touch(void* data, std::int64_t bytes, cudaStream_t);

/// Reads `bytes` bytes with plain 16-byte loads: replaces what the second-level cache holds.
void read_all(void const* data, std::int64_t bytes, cudaStream_t);

/// The best rate, 10^9 bytes a second, of such kernels over 4 GiB, or half the free memory where that is less.
double read_ceiling(cudaStream_t);

/// The result of a reduction computed by no library: sums in double (exact for integers), the lowest index of equal
/// extremes. One number; a value and an index; or one for each component of a struct. Waits for the stream.
std::vector<double> reference(configuration const&, void const* data, void const* other, cudaStream_t);

}  // namespace perf

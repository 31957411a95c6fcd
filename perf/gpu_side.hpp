#pragma once
// What the sides of a comparison on the GPU share, and one side: its call, and the ways to its result.

#include "answer.hpp"
#include "cuda_objects.hpp"
#include "device_data.hpp"
#include "gpu_call.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace perf {

/// Calls of one configuration share a stream, the data, and what the second-level cache is emptied with.
class gpu_state : pinned_to_scope {
 public:
  cuda_stream stream;
  filled_array data, other;
  device_array<unsigned char> result{result_bytes};

  /// Several times the second-level cache.
  static std::int64_t more_than_cache() {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0), "asking for the size of the cache");
    return std::int64_t{4} * bytes;
  }
  void empty_cache() {
    if (flush_ == nullptr) flush_ = std::make_unique<device_array<unsigned char>>(more_than_cache());
    read_all(flush_->get(), flush_->size(), stream.get());
  }

 private:
  std::unique_ptr<device_array<unsigned char>> flush_;
};

inline void run(gpu_call& call, std::int64_t offset) {
  check(call.issue(offset), "issuing a reduction");
}

/// One side: its call, and the ways to its result.
struct side {
  std::function<std::shared_ptr<gpu_call>()> make;  ///< the same call once more, with a workspace of its own
  std::shared_ptr<gpu_call> call;
  gpu_operands on;
  std::string name;

  [[nodiscard]] answer on_device(configuration const& what) const {
    // A result that nobody writes must not look right by what an earlier call left there.
    check(cudaMemsetAsync(on.result, 0xcd, result_bytes, on.stream), "poisoning the result");
    run(*call, 0);
    return decode(name + " (to device)", what.op, what.type, fetch().data());
  }
  [[nodiscard]] answer on_host(configuration const& what) const {
    std::array<unsigned char, result_bytes> memory;
    memory.fill(0xcd);
    check(call->to_host(0, memory.data()), "reducing to the host");
    return decode(name + " (to host)", what.op, what.type, memory.data());
  }
  /// A call, and its result on the host: by the side's own means, or by a copy into page-locked memory.
  void finish_on_host(std::int64_t offset, std::int64_t bytes, void* pinned) const {
    auto const status = call->to_host(offset, pinned);
    if (status != cudaErrorNotSupported) return check(status, "reducing to the host");
    run(*call, offset);
    check(cudaMemcpyAsync(pinned, on.result, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, on.stream),
          "copying the result");
    check(cudaStreamSynchronize(on.stream), "waiting for the result");
  }

 private:
  [[nodiscard]] std::array<unsigned char, result_bytes> fetch() const {
    std::array<unsigned char, result_bytes> memory;
    check(cudaMemcpyAsync(memory.data(), on.result, result_bytes, cudaMemcpyDeviceToHost, on.stream),
          "copying the result");
    check(cudaStreamSynchronize(on.stream), "waiting for the result");
    return memory;
  }
};

/// Where the calls of a sample read: the same elements again and again, or others each time.
struct rotation {
  std::int64_t regions = 1;
  std::int64_t stride = 0;
  [[nodiscard]] std::int64_t offset(std::int64_t call) const { return call % regions * stride; }
};

inline constexpr int most_calls = 100;

}  // namespace perf

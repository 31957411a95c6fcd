#pragma once
// The CPU's copy of the data, kept from one configuration to the next.

#include "contest.hpp"
#include "host_description.hpp"
#include "operations.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace perf {

/// Elements element_at(first), element_at(first + 1), ... Pages are first touched by the threads that will read them.
template <class T>
class host_array {
 public:
  /// At least n elements. Throws left_out where that is above a third of the memory.
  T const* of(std::int64_t n, std::int64_t first) {
    if (n <= size_ && first == first_) return data_.get();
    data_.reset();
    size_ = 0;
    if (n > physical_memory() / 3 / static_cast<std::int64_t>(sizeof(T)))
      throw left_out("cpu, n = " + std::to_string(n) + ": above a third of the memory");
    data_ = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(n));
#pragma omp parallel for
    for (std::int64_t i = 0; i < n; ++i) data_[static_cast<std::size_t>(i)] = element_at<T>(first + i);
    size_ = n;
    first_ = first;
    return data_.get();
  }
  void release() {
    data_.reset();
    size_ = 0;
  }

 private:
  std::unique_ptr<T[]> data_;
  std::int64_t size_ = 0, first_ = 0;
};

}  // namespace perf

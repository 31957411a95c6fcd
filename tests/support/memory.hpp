#pragma once
// Memory that a policy's machine can read and write, with poison where no value belongs.

#include "device.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#  define PREDUCE_TEST_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define PREDUCE_TEST_ASAN 1
#  endif
#endif
#ifdef PREDUCE_TEST_ASAN
#  include <sanitizer/asan_interface.h>
#endif

namespace memory {

enum class place : unsigned char { host, gpu };

/// Whatever was not written still holds this byte. As a float it is a plausible number, not a NaN that would spread.
inline constexpr unsigned char poison = 0x4b;

/// Room in front of and behind the bytes of a block; poisoned.
inline constexpr std::size_t margin = 256;

/// `size` bytes that start `shift` bytes after a 256-byte boundary, between two margins of poison.
class block {
 public:
  block(place where, std::size_t size, std::size_t shift = 0) : where_(where), size_(size), shift_(shift) {
    auto const all = total_size();
#ifdef __CUDACC__
    if (where_ == place::gpu) {
      void* p = nullptr;
      device::check(cudaMalloc(&p, all), "cudaMalloc");
      start_ = static_cast<std::byte*>(p);
      device::check(cudaMemset(p, poison, all), "cudaMemset");
      return;
    }
#endif
    auto const rounded = (all + 255) / 256 * 256;
    start_ = static_cast<std::byte*>(std::aligned_alloc(256, rounded));
    if (start_ == nullptr) throw std::bad_alloc();
    std::memset(start_, poison, rounded);
    allow_only(0, size_);
  }

  block(block const&) = delete;
  block& operator=(block const&) = delete;

  ~block() {
#ifdef __CUDACC__
    if (where_ == place::gpu) {
      cudaFree(start_);
      return;
    }
#endif
    allow_all();
    std::free(start_);
  }

  [[nodiscard]] std::byte* data() const {
    return start_ + margin + shift_;
  }

  /// AddressSanitizer reports every access but those to `count` bytes from byte `first` on. (Its granules are 8 bytes,
  /// whole at the front.)
  void allow_only([[maybe_unused]] std::size_t first, [[maybe_unused]] std::size_t count) const {
#ifdef PREDUCE_TEST_ASAN
    if (where_ == place::host) {
      ASAN_POISON_MEMORY_REGION(start_, total_size());
      ASAN_UNPOISON_MEMORY_REGION(data() + first, count);
    }
#endif
  }

  void allow_all() const {
#ifdef PREDUCE_TEST_ASAN
    if (where_ == place::host) ASAN_UNPOISON_MEMORY_REGION(start_, total_size());
#endif
  }

  void write(void const* from, std::size_t count) const {
    if (count == 0) return;
#ifdef __CUDACC__
    if (where_ == place::gpu) {
      device::check(cudaMemcpy(data(), from, count, cudaMemcpyHostToDevice), "cudaMemcpy to the GPU");
      return;
    }
#endif
    std::memcpy(data(), from, count);
  }

  /// Waits for the GPU. `first` may lie in the margins.
  void read(void* to, std::ptrdiff_t first, std::size_t count) const {
    if (count == 0) return;
#ifdef __CUDACC__
    if (where_ == place::gpu) {
      device::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      device::check(cudaMemcpy(to, data() + first, count, cudaMemcpyDeviceToHost), "cudaMemcpy from the GPU");
      return;
    }
#endif
    allow_all();
    std::memcpy(to, data() + first, count);
    allow_only(0, size_);
  }

  /// Both margins as they were.
  [[nodiscard]] bool margins_intact() const {
    std::vector<unsigned char> bytes(margin);
    for (auto const first : {-static_cast<std::ptrdiff_t>(margin), static_cast<std::ptrdiff_t>(size_)}) {
      read(bytes.data(), first, margin);
      for (auto const byte : bytes) {
        if (byte != poison) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] std::size_t total_size() const {
    return margin + shift_ + size_ + margin;
  }

  place where_;
  std::size_t size_, shift_;
  std::byte* start_ = nullptr;
};

/// `count` objects, poisoned, or a copy of `values`; `shift` bytes after a 256-byte boundary.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  buffer(place where, std::size_t count, std::size_t shift = 0)
      : count_(count), block_(where, count * sizeof(T), shift) {}

  buffer(place where, std::vector<T> const& values, std::size_t shift = 0) : buffer(where, values.size(), shift) {
    write(values);
  }

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(block_.data()); }

  /// The first n objects; AddressSanitizer reports an access to the others.
  [[nodiscard]] T* first(std::size_t n) const {
    block_.allow_only(0, n * sizeof(T));
    return data();
  }

  void write(std::vector<T> const& values) const { block_.write(values.data(), values.size() * sizeof(T)); }

  /// Waits for the GPU.
  [[nodiscard]] T read(std::size_t at = 0) const {
    T value;
    block_.read(&value, static_cast<std::ptrdiff_t>(at * sizeof(T)), sizeof(T));
    return value;
  }

  [[nodiscard]] bool margins_intact() const { return block_.margins_intact(); }

 private:
  std::size_t count_;
  block block_;
};

/// Object representation, padding included: types with padding do not belong in tests of bits.
template <class T>
bool same_bits(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// An object whose bytes are all poison.
template <class T>
T poisoned() {
  T value;
  std::memset(static_cast<void*>(&value), poison, sizeof(T));
  return value;
}

}  // namespace memory

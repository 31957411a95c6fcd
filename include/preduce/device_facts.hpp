#pragma once
// What a plan needs to know of a device: a plain struct, so that plans for any device can be made and tested anywhere.

#include <preduce/config.hpp>

#include <cstdint>

namespace preduce {

struct device_facts {
  char name[64] = "";
  int compute_capability = 0;  ///< 90 for sm_90; 0 for the simulated machine
  int multiprocessors = 1;
  int threads_per_multiprocessor = 1024;
  std::int64_t shared_bytes_per_block = 49152;
  std::int64_t shared_bytes_per_multiprocessor = 65536;
  std::int64_t l2_bytes = 0;
  bool reads_pageable_memory = false;  ///< kernels may read what malloc gives
  bool cooperative_launch = false;
};

/// Whether a CUDA device can be used by this process. False in a library built without CUDA.
PREDUCE_API bool gpu_available() noexcept;

/// The facts of the current CUDA device, asked for once a device. Throws no_device.
PREDUCE_API device_facts current_device_facts();

/// The simulated machine as the planner sees it.
PREDUCE_API device_facts simulated_device_facts() noexcept;

namespace detail {
/// The facts of CUDA device `device`, asked for once and kept for good: their address names the device.
PREDUCE_API device_facts const& facts_of_device(int device);
PREDUCE_API device_facts const& facts_of_simulation() noexcept;
}  // namespace detail

}  // namespace preduce

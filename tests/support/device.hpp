#pragma once
// What a test file can count on. Behaviour tests are compiled twice: in a .cpp their policies run on the host, in a .cu
// on the GPU; there test cases are skipped, and counted as skipped, where no GPU is present.

#include <cstdlib>

#ifdef __CUDACC__
#  include <preduce/preduce.hpp>

#  include <cuda_runtime_api.h>

#  include <stdexcept>
#  include <string>
#endif

namespace device {

#ifdef __CUDACC__
inline constexpr bool compiled_for_gpu = true;

inline bool missing() {
  return !preduce::gpu_available();
}

inline void check(cudaError_t status, char const* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
#else
inline constexpr bool compiled_for_gpu = false;

inline bool missing() {
  return false;
}
#endif

// Where every call is slow: under a sanitizer, or where a tool such as compute-sanitizer looks on
// (PREDUCE_TEST_REDUCED=1), the lists of sizes are short.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool built_with_sanitizer = true;
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
inline constexpr bool built_with_sanitizer = true;
#  else
inline constexpr bool built_with_sanitizer = false;
#  endif
#else
inline constexpr bool built_with_sanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__)
inline constexpr bool built_with_thread_sanitizer = true;
#  define PREDUCE_TEST_FEW_TYPES 1
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
inline constexpr bool built_with_thread_sanitizer = true;
#    define PREDUCE_TEST_FEW_TYPES 1
#  else
inline constexpr bool built_with_thread_sanitizer = false;
#  endif
#else
inline constexpr bool built_with_thread_sanitizer = false;
#endif
// A few types show that nvcc compiles a behaviour; and threads race, or do not, whatever the type.
#ifdef __CUDACC__
#  define PREDUCE_TEST_FEW_TYPES 1
#endif
inline bool const watched = std::getenv("PREDUCE_TEST_REDUCED") != nullptr;
inline bool const sanitized = built_with_sanitizer || watched;

}  // namespace device

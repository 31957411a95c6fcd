#include "host_loops.hpp"

#include <limits>

namespace perf::baseline {
namespace {

template <class T>
constexpr T largest = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                           : std::numeric_limits<T>::max();
template <class T>
constexpr T smallest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::lowest();

}  // namespace

template <class T>
T plain_loop(operation op, T const* data, std::int64_t n) {
  if (op == operation::sum) {
    T total{0};
    for (std::int64_t i = 0; i < n; ++i) total += data[i];
    return total;
  }
  if (op == operation::min) {
    T total = largest<T>;
    for (std::int64_t i = 0; i < n; ++i) total = data[i] < total ? data[i] : total;
    return total;
  }
  T total = smallest<T>;
  for (std::int64_t i = 0; i < n; ++i) total = data[i] > total ? data[i] : total;
  return total;
}

template <class T>
T omp_simd(operation op, T const* data, std::int64_t n) {
  if (op == operation::sum) {
    T total{0};
#pragma omp simd reduction(+ : total)
    for (std::int64_t i = 0; i < n; ++i) total += data[i];
    return total;
  }
  if (op == operation::min) {
    T total = largest<T>;
#pragma omp simd reduction(min : total)
    for (std::int64_t i = 0; i < n; ++i) total = data[i] < total ? data[i] : total;
    return total;
  }
  T total = smallest<T>;
#pragma omp simd reduction(max : total)
  for (std::int64_t i = 0; i < n; ++i) total = data[i] > total ? data[i] : total;
  return total;
}

template <class T>
T omp_parallel_simd(operation op, T const* data, std::int64_t n) {
  if (op == operation::sum) {
    T total{0};
#pragma omp parallel for simd reduction(+ : total)
    for (std::int64_t i = 0; i < n; ++i) total += data[i];
    return total;
  }
  if (op == operation::min) {
    T total = largest<T>;
#pragma omp parallel for simd reduction(min : total)
    for (std::int64_t i = 0; i < n; ++i) total = data[i] < total ? data[i] : total;
    return total;
  }
  T total = smallest<T>;
#pragma omp parallel for simd reduction(max : total)
  for (std::int64_t i = 0; i < n; ++i) total = data[i] > total ? data[i] : total;
  return total;
}

template <class T>
T omp_simd_dot(T const* a, T const* b, std::int64_t n) {
  T total{0};
#pragma omp simd reduction(+ : total)
  for (std::int64_t i = 0; i < n; ++i) total += a[i] * b[i];
  return total;
}

template <class T>
T omp_parallel_simd_dot(T const* a, T const* b, std::int64_t n) {
  T total{0};
#pragma omp parallel for simd reduction(+ : total)
  for (std::int64_t i = 0; i < n; ++i) total += a[i] * b[i];
  return total;
}

std::string host_compiler() {
#ifdef __clang__
  return "clang++ " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__);
#else
  return "g++ " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__);
#endif
}

// Instantiated here, so that the loops get this file's flags and not those of the file that calls them.
template float plain_loop(operation, float const*, std::int64_t);
template float omp_simd(operation, float const*, std::int64_t);
template float omp_parallel_simd(operation, float const*, std::int64_t);
template double plain_loop(operation, double const*, std::int64_t);
template double omp_simd(operation, double const*, std::int64_t);
template double omp_parallel_simd(operation, double const*, std::int64_t);
template std::int32_t plain_loop(operation, std::int32_t const*, std::int64_t);
template std::int32_t omp_simd(operation, std::int32_t const*, std::int64_t);
template std::int32_t omp_parallel_simd(operation, std::int32_t const*, std::int64_t);
template std::int64_t plain_loop(operation, std::int64_t const*, std::int64_t);
template std::int64_t omp_simd(operation, std::int64_t const*, std::int64_t);
template std::int64_t omp_parallel_simd(operation, std::int64_t const*, std::int64_t);
template float omp_simd_dot(float const*, float const*, std::int64_t);
template double omp_simd_dot(double const*, double const*, std::int64_t);
template float omp_parallel_simd_dot(float const*, float const*, std::int64_t);
template double omp_parallel_simd_dot(double const*, double const*, std::int64_t);

}  // namespace perf::baseline

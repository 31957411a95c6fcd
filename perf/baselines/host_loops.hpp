#pragma once
// What a programmer would write on a CPU without a library, compiled by the host compiler with -O3 -fopenmp.
// T is float, double, int32 or int64.

#include "../configuration.hpp"

#include <cstdint>
#include <string>

namespace perf::baseline {

/// `for (...) total += data[i]`: the compiler may not reorder a floating-point sum, so that runs one addition at a
/// time.
template <class T>
T plain_loop(operation, T const* data, std::int64_t n);

/// The same under `#pragma omp simd reduction`: one thread, vectors, the compiler's order.
template <class T>
T omp_simd(operation, T const* data, std::int64_t n);

/// The same under `#pragma omp parallel for simd reduction`: all threads, an order that depends on their number.
template <class T>
T omp_parallel_simd(operation, T const* data, std::int64_t n);

/// The two with `total += a[i] * b[i]`. T is float or double.
template <class T>
T omp_simd_dot(T const* a, T const* b, std::int64_t n);
template <class T>
T omp_parallel_simd_dot(T const* a, T const* b, std::int64_t n);

/// Compiler and version, as the rows state them.
std::string host_compiler();

}  // namespace perf::baseline

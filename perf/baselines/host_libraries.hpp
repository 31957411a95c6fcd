#pragma once
// What other libraries offer on a CPU. T is float or double. A version is empty where the library is not built in, and
// its functions must not be called then.

#include <cstdint>
#include <string>

namespace perf::baseline {

/// thrust::reduce and thrust::inner_product with thrust::omp::par: all threads.
std::string thrust_omp_version();
template <class T>
T thrust_omp_sum(T const* data, std::int64_t n);
template <class T>
T thrust_omp_dot(T const* a, T const* b, std::int64_t n);

/// std::reduce and std::transform_reduce with std::execution::par_unseq: TBB's threads.
std::string std_par_version();
template <class T>
T std_par_sum(T const* data, std::int64_t n);
template <class T>
T std_par_dot(T const* a, T const* b, std::int64_t n);

}  // namespace perf::baseline

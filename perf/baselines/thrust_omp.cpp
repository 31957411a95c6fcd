#include "host_libraries.hpp"

#ifdef PREDUCE_BENCH_THRUST_OMP

#  include <thrust/execution_policy.h>
#  include <thrust/functional.h>
#  include <thrust/inner_product.h>
#  include <thrust/reduce.h>
#  include <thrust/system/omp/execution_policy.h>
#  include <thrust/version.h>

namespace perf::baseline {

namespace thrust = perf_thrust_omp::thrust;  // apart from the Thrust that nvcc compiles for this program

std::string thrust_omp_version() {
  return std::to_string(THRUST_MAJOR_VERSION) + '.' + std::to_string(THRUST_MINOR_VERSION) + '.' +
         std::to_string(THRUST_SUBMINOR_VERSION);
}

template <class T>
T thrust_omp_sum(T const* data, std::int64_t n) {
  return thrust::reduce(thrust::omp::par, data, data + n, T{0}, thrust::plus<T>{});
}

template <class T>
T thrust_omp_dot(T const* a, T const* b, std::int64_t n) {
  return thrust::inner_product(thrust::omp::par, a, a + n, b, T{0}, thrust::plus<T>{}, thrust::multiplies<T>{});
}

}  // namespace perf::baseline

#else

namespace perf::baseline {

std::string thrust_omp_version() {
  return {};
}
template <class T>
T thrust_omp_sum(T const*, std::int64_t) {
  return {};
}
template <class T>
T thrust_omp_dot(T const*, T const*, std::int64_t) {
  return {};
}

}  // namespace perf::baseline

#endif

namespace perf::baseline {

template float thrust_omp_sum(float const*, std::int64_t);
template double thrust_omp_sum(double const*, std::int64_t);
template float thrust_omp_dot(float const*, float const*, std::int64_t);
template double thrust_omp_dot(double const*, double const*, std::int64_t);

}  // namespace perf::baseline

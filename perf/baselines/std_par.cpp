#include "host_libraries.hpp"

#ifdef PREDUCE_BENCH_TBB

#  include <execution>
#  include <functional>
#  include <numeric>

#  include <tbb/version.h>

namespace perf::baseline {

std::string std_par_version() {
#  ifdef _GLIBCXX_RELEASE
  return "libstdc++ " + std::to_string(_GLIBCXX_RELEASE) + " with TBB " + TBB_VERSION_STRING;
#  else
  return std::string("TBB ") + TBB_VERSION_STRING;
#  endif
}

template <class T>
T std_par_sum(T const* data, std::int64_t n) {
  return std::reduce(std::execution::par_unseq, data, data + n, T{0});
}

template <class T>
T std_par_dot(T const* a, T const* b, std::int64_t n) {
  return std::transform_reduce(std::execution::par_unseq, a, a + n, b, T{0});
}

}  // namespace perf::baseline

#else

namespace perf::baseline {

std::string std_par_version() {
  return {};
}
template <class T>
T std_par_sum(T const*, std::int64_t) {
  return {};
}
template <class T>
T std_par_dot(T const*, T const*, std::int64_t) {
  return {};
}

}  // namespace perf::baseline

#endif

namespace perf::baseline {

template float std_par_sum(float const*, std::int64_t);
template double std_par_sum(double const*, std::int64_t);
template float std_par_dot(float const*, float const*, std::int64_t);
template double std_par_dot(double const*, double const*, std::int64_t);

}  // namespace perf::baseline

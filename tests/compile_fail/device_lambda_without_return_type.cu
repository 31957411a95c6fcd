// error: a __device__ lambda needs a trailing return type
#include <preduce/preduce.hpp>

double call() {
#ifdef CORRECTED
  return preduce::parallel_reduce(preduce::two_pass, 10,
                                  [] __device__(std::int64_t i) -> double { return static_cast<double>(i); });
#else
  return preduce::parallel_reduce(preduce::two_pass, 10,
                                  [] __device__(std::int64_t i) { return static_cast<double>(i); });
#endif
}

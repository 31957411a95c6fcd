// error: the functor fits both forms
#include <preduce/preduce.hpp>

struct functor {
  PREDUCE_FUNCTION double operator()(std::int64_t i) const { return static_cast<double>(i); }
#ifndef CORRECTED
  PREDUCE_FUNCTION void operator()(std::int64_t i, double& sum) const {
    sum += static_cast<double>(i);
  }
#endif
};

void call(double& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, result);
}

// error: the accumulator form needs an identity
#include <preduce/preduce.hpp>

struct larger {
  PREDUCE_FUNCTION double operator()(double a, double b) const { return a < b ? b : a; }
};

struct functor {
  PREDUCE_FUNCTION void operator()(std::int64_t i, double& so_far) const {
    so_far = larger{}(so_far, static_cast<double>(i));
  }
};

void call(double& result) {
#ifdef CORRECTED
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, preduce::reducer(larger{}, -1.0, result));
#else
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, preduce::reducer(larger{}, result));
#endif
}

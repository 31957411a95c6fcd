// error: calling a __host__ function
#include <preduce/preduce.hpp>

struct functor {
#ifdef CORRECTED
  PREDUCE_FUNCTION
#endif
  double operator()(std::int64_t i) const {
    return static_cast<double>(i);
  }
};

void call(double& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, result);
}

// error: the accumulator must be taken by reference
#include <preduce/preduce.hpp>

#ifdef CORRECTED
using accumulator = double&;
#else
using accumulator = double;
#endif

struct functor {
  PREDUCE_FUNCTION void operator()(std::int64_t i, accumulator sum) const { sum += static_cast<double>(i); }
};

void call(double& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, result);
}

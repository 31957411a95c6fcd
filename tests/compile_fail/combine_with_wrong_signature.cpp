// error: combine must take two values and return one
#include <preduce/preduce.hpp>

struct concatenate {
  using value_type = double;
#ifdef CORRECTED
  PREDUCE_FUNCTION double combine(double const& a, double const& b) const {
    return a + b;
  }
#else
  PREDUCE_FUNCTION void combine(double& a, double const& b) const {
    a += b;
  }
#endif
};

struct functor {
  PREDUCE_FUNCTION double operator()(std::int64_t i) const { return static_cast<double>(i); }
};

void call(double& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, preduce::reducer(concatenate{}, result));
}

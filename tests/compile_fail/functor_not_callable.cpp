// error: the functor must be callable as f(std::int64_t) or f(std::int64_t, T&)
#include <preduce/preduce.hpp>

struct point {
  double x, y;
};

struct functor {
#ifdef CORRECTED
  PREDUCE_FUNCTION double operator()(std::int64_t i) const {
    return static_cast<double>(i);
  }
#else
  PREDUCE_FUNCTION double operator()(point p) const {
    return p.x;
  }
#endif
};

void call(double& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, result);
}

// error: the call starts with a policy, or with the range: a count
#include <preduce/preduce.hpp>

struct functor {
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return static_cast<float>(i); }
};

void call(float& result) {
#ifdef CORRECTED
  preduce::parallel_reduce(1000, functor{}, result);
#else
  preduce::parallel_reduce(1e3, functor{}, result);
#endif
}

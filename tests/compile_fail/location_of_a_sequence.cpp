// error: a sequence's elements have no index to keep
#include <preduce/preduce.hpp>

struct load {
  float const* x;
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return x[i]; }
};

void call(float const* x, preduce::located<float>& result) {
#ifdef CORRECTED
  preduce::parallel_reduce(preduce::serial, 10, load{x}, preduce::min_loc(result));
#else
  result = preduce::reduce(preduce::serial, x, x + 10, result, preduce::minimum_location<float>{});
#endif
}

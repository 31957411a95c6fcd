// error: only floating-point values can be NaN
#include <preduce/preduce.hpp>

struct load {
  float const* data;
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return data[i]; }
};

void call(float const* data, std::int64_t n) {
#ifdef CORRECTED
  float least;
#else
  int least;
#endif
  preduce::parallel_reduce(preduce::two_pass, n, load{data}, preduce::min_ignoring_nan(least));
}

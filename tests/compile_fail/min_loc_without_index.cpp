// error: the result of min_loc is a value and its index: a preduce::located<T>
#include <preduce/preduce.hpp>

struct load {
  float const* data;
  PREDUCE_FUNCTION float operator()(std::int64_t i) const { return data[i]; }
};

void call(float const* data, std::int64_t n) {
#ifdef CORRECTED
  preduce::located<float> least;
#else
  float least;
#endif
  preduce::parallel_reduce(preduce::two_pass, n, load{data}, preduce::min_loc(least));
}

// error: the elements do not convert to the type of init or the result
#include <preduce/complex.hpp>
#include <preduce/preduce.hpp>

struct load {
  std::complex<float> const* data;
  PREDUCE_FUNCTION std::complex<float> operator()(std::int64_t i) const { return data[i]; }
};

void call(std::complex<float> const* data, std::int64_t n) {
#ifdef CORRECTED
  std::complex<float> sum;
#else
  float sum;
#endif
  preduce::parallel_reduce(preduce::serial, n, load{data}, preduce::sum(sum));
}

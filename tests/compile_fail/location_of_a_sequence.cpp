// error: the operator keeps the elements' indices, and reduce has none
#include <preduce/preduce.hpp>

void call(float const* x, preduce::located<float>& result) {
#ifdef CORRECTED
  preduce::parallel_reduce(preduce::serial, x, x + 10, preduce::min_loc(result));
#else
  result = preduce::reduce(preduce::serial, x, x + 10, result, preduce::minimum_location<float>{});
#endif
}

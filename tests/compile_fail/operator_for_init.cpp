// error: an operator stands where init belongs
#include <preduce/preduce.hpp>

float call(float const* x) {
#ifdef CORRECTED
  return preduce::reduce(preduce::serial, x, x + 10, 0.0F, preduce::maximum<float>{});
#else
  preduce::reduce(preduce::serial, x, x + 10, preduce::maximum<float>{});
  return 0;
#endif
}

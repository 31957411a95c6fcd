// error: a floating-point range with an integer init
#include <preduce/preduce.hpp>

float call(float const* first, float const* last) {
#ifdef CORRECTED
  return preduce::reduce(preduce::two_pass, first, last, 0.0F);
#else
  return static_cast<float>(preduce::reduce(preduce::two_pass, first, last, 0));
#endif
}

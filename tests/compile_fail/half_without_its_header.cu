// error: half and bfloat16 are accumulated in float: include <preduce/half.hpp>
#include <cuda_fp16.h>
#ifdef CORRECTED
#  include <preduce/half.hpp>
#endif
#include <preduce/preduce.hpp>

float call(__half const* x) {
  return static_cast<float>(preduce::reduce(preduce::two_pass, x, x + 10));
}

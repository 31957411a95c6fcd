// error: std::complex needs its header: include <preduce/complex.hpp>
#ifdef CORRECTED
#  include <preduce/complex.hpp>
#endif
#include <preduce/preduce.hpp>

#include <complex>

std::complex<float> call(std::complex<float> const* first, std::complex<float> const* last) {
  return preduce::reduce(preduce::two_pass, first, last);
}

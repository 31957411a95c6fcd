// error: the elements do not convert to the type of init or the result
#include <preduce/complex.hpp>
#include <preduce/preduce.hpp>

void call(std::complex<double> const* first, std::complex<double> const* last) {
#ifdef CORRECTED
  (void)preduce::reduce(preduce::serial, first, last, std::complex<double>(0));
#else
  (void)preduce::reduce(preduce::serial, first, last, 0.0);
#endif
}

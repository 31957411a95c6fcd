// error: would be cut element by element
#include <preduce/preduce.hpp>

std::int64_t call(std::int64_t const* x) {
#ifdef CORRECTED
  return preduce::reduce(preduce::serial, x, x + 10, std::int64_t{0}, preduce::maximum<std::int64_t>{});
#else
  return preduce::reduce(preduce::serial, x, x + 10, std::int16_t{0}, preduce::maximum<std::int16_t>{});
#endif
}

// error: bits are combined in an integer
#include <preduce/preduce.hpp>

struct load {
  std::uint32_t const* data;
  PREDUCE_FUNCTION std::uint32_t operator()(std::int64_t i) const { return data[i]; }
};

void call(std::uint32_t const* data, std::int64_t n) {
#ifdef CORRECTED
  std::uint32_t bits;
#else
  float bits;
#endif
  preduce::parallel_reduce(preduce::two_pass, n, load{data}, preduce::bits_or(bits));
}

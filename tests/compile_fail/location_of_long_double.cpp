// error: long double has no bits that two machines agree on
#include <preduce/location.hpp>
#include <preduce/preduce.hpp>

#ifdef CORRECTED
using number = double;
#else
using number = long double;
#endif

void call(number const* data, preduce::located<number>& result) {
  preduce::parallel_reduce(preduce::serial, data, data + 1000, preduce::min_loc(result));
}

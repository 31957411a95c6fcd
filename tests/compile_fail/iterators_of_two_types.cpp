// error: a sequence is two random-access iterators of one type
#include <preduce/preduce.hpp>

#include <vector>

void call(std::vector<float> const& v, float& result) {
#ifdef CORRECTED
  result = preduce::reduce(preduce::serial, v.begin(), v.end());
#else
  (void)result;
  preduce::reduce(preduce::serial, v.begin(), v.data());
#endif
}

// error: the call starts with a policy, or with the sequence, two random-access iterators
#include <preduce/preduce.hpp>

#include <list>
#include <vector>

void call(std::vector<float> const& v, std::list<float> const& list, float& result) {
#ifdef CORRECTED
  (void)list;
  result = preduce::reduce(v.begin(), v.end());
#else
  (void)v;
  (void)result;
  preduce::reduce(list.begin(), list.end());
#endif
}

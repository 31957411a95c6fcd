// error: the result must not be const
#include <preduce/preduce.hpp>

#ifdef CORRECTED
using result_type = double;
#else
using result_type = double const;
#endif

struct functor {
  PREDUCE_FUNCTION double operator()(std::int64_t i) const { return static_cast<double>(i); }
};

void call(result_type& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, result);
}

// error: must be trivially copyable
#include <preduce/preduce.hpp>

struct value {
  value() = default;
#ifdef CORRECTED
  value(value const&) = default;
#else
  PREDUCE_FUNCTION value(value const& other) : x(other.x) {}
#endif
  value& operator=(value const&) = default;
  double x = 0;
};

struct add {
  PREDUCE_FUNCTION value operator()(value const& a, value const& b) const {
    value sum;
    sum.x = a.x + b.x;
    return sum;
  }
};

struct functor {
  PREDUCE_FUNCTION value operator()(std::int64_t) const { return {}; }
};

void call(value& result) {
  preduce::parallel_reduce(preduce::two_pass, 10, functor{}, preduce::reducer(add{}, result));
}

// error: combines in no fixed order, and the operator does not commute
#include <preduce/preduce.hpp>

struct last_one {
#ifdef CORRECTED
  static constexpr bool commutative = true;
#else
  static constexpr bool commutative = false;
#endif
  PREDUCE_FUNCTION int combine(int const&, int const& b) const {
    return b;
  }
};

struct functor {
  PREDUCE_FUNCTION int operator()(std::int64_t i) const { return static_cast<int>(i); }
};

void call(int& result) {
  preduce::parallel_reduce(preduce::atomic, 10, functor{}, preduce::reducer(last_one{}, result));
}

// error: no device has an atomic of more than 16 bytes: use two_pass, grid_sync, last_block, look_back or automatic
#include <preduce/preduce.hpp>

struct many {
#ifdef CORRECTED
  int values[4];
#else
  int values[5];
#endif
};

struct first_one {
  PREDUCE_FUNCTION many operator()(many const& a, many const& b) const { return a.values[0] < b.values[0] ? a : b; }
};

struct functor {
  PREDUCE_FUNCTION many operator()(std::int64_t i) const { return {{static_cast<int>(i)}}; }
};

void call(many& result) {
  preduce::parallel_reduce(preduce::block_tree, 10, functor{}, preduce::reducer(first_one{}, result));
}

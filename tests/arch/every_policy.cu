// One file with every policy, compiled for the architectures that CI has no machine for (target every_policy).
#include <preduce/preduce.hpp>

#include <cstdint>

namespace {

struct point {
  double x, y, z;
};

struct load {
  point const* points;
  PREDUCE_FUNCTION point operator()(std::int64_t i) const { return points[i]; }
};

struct farther {
  PREDUCE_FUNCTION point operator()(point const& a, point const& b) const { return a.x < b.x ? b : a; }
};

}  // namespace

template <class Policy>
void calls(Policy const& policy, float const* floats, point const* points, std::int64_t n, float* sum, point* most) {
  preduce::reduce_into(policy, floats, floats + n, sum, 0.0F, preduce::plus<float>{});
  preduce::parallel_reduce(policy, n, load{points}, preduce::reducer(farther{}, most));
}

void every_policy(float const* floats, point const* points, std::int64_t n, float* sum, point* most) {
  calls(preduce::serial, floats, points, n, sum, most);
  calls(preduce::openmp, floats, points, n, sum, most);
  calls(preduce::automatic, floats, points, n, sum, most);
  calls(preduce::single_thread, floats, points, n, sum, most);
  calls(preduce::two_pass, floats, points, n, sum, most);
  calls(preduce::grid_sync, floats, points, n, sum, most);
  calls(preduce::last_block, floats, points, n, sum, most);
  calls(preduce::look_back, floats, points, n, sum, most);
  // The classic ones combine in no fixed order; a point is too large for an atomic.
  preduce::reduce_into(preduce::atomic, floats, floats + n, sum, 0.0F, preduce::plus<float>{});
  preduce::reduce_into(preduce::block_tree, floats, floats + n, sum, 0.0F, preduce::plus<float>{});
  preduce::reduce_into(preduce::warp_shuffle, floats, floats + n, sum, 0.0F, preduce::plus<float>{});
  preduce::parallel_reduce(preduce::ladder::block_tree_two_stages, n, load{points}, preduce::reducer(farther{}, most));
}

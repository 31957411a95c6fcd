// One file with every policy, compiled for the architectures that CI has no machine for (target every_policy).
#include <preduce/preduce.hpp>

#include <cstdint>
#include <type_traits>

namespace {

struct point {
  double x, y, z;
};

struct farther {
  PREDUCE_FUNCTION point operator()(point const& a, point const& b) const { return a.x < b.x ? b : a; }
};

}  // namespace

template <class Policy>
void calls(Policy const& policy, float const* floats, point const* points, std::int64_t n, float* sum, point* most) {
  preduce::reduce_into(policy, floats, floats + n, sum, 0.0F, preduce::plus<float>{});
  preduce::parallel_reduce(
      policy, n, PREDUCE_LAMBDA(std::int64_t i) { return points[i]; }, preduce::reducer(farther{}, most));
}

void every_policy(float const* floats, point const* points, std::int64_t n, float* sum, point* most) {
  calls(preduce::serial, floats, points, n, sum, most);
  calls(preduce::openmp, floats, points, n, sum, most);
  calls(preduce::automatic, floats, points, n, sum, most);
  preduce::ladder::for_each_rung([&](auto const& rung, char const*) {
    if constexpr (std::remove_cvref_t<decltype(rung)>::algorithm == preduce::grid_algorithm::classic)
      preduce::reduce_into(rung, floats, floats + n, sum, 0.0F, preduce::plus<float>{});
    else
      calls(rung, floats, points, n, sum, most);
  });
}

// Sums of products that are not exact: an instruction that multiplies and adds with one rounding would change them.
// Built once for each set of instructions, as namespace PREDUCE_TEST_SET.

#include "sums.hpp"

#include <preduce/complex.hpp>
#include <preduce/preduce.hpp>

#include <bit>
#include <complex>
#include <cstdint>

PREDUCE_TEST_DECLARE(PREDUCE_TEST_SET)

namespace PREDUCE_TEST_SET {
namespace {

struct two {
  double x, y;
};
struct add_both {
  two operator()(two const& a, two const& b) const { return {a.x + b.x, a.y + b.y}; }
};
struct add_both_in_order : add_both {
  static constexpr bool commutative = false;
};
/// An element whose conversion multiplies.
struct product {
  double a, b;
  operator double() const { return a * b; }  // NOLINT: that it is implicit is what is tried
};

void keep(instructions::bits& to, double value) {
  to.push_back(std::bit_cast<std::uint64_t>(value));
}

template <class Policy>
void add_totals(instructions::bits& to, Policy const& policy, instructions::factors const& of) {
  auto const n = static_cast<std::int64_t>(of.a.size());
  auto const* const a = of.a.data();
  auto const* const b = of.b.data();
  keep(to, preduce::parallel_reduce(policy, n, [=](std::int64_t i) { return a[i] * b[i]; }));
  keep(to, static_cast<double>(preduce::parallel_reduce(
               policy, n, [=](std::int64_t i) { return static_cast<float>(a[i]) * static_cast<float>(b[i]); })));
  keep(to, preduce::transform_reduce(
               policy, a, a + n, [](double x) { return x * 1.1; }, 0.0, preduce::plus<double>{}));
  auto const pairs = [=](std::int64_t i) { return two{a[i] * 1.1, a[i] * b[i]}; };
  two total{};
  preduce::parallel_reduce(policy, n, pairs, preduce::reducer(add_both{}, total));
  keep(to, total.x);
  keep(to, total.y);
  preduce::parallel_reduce(policy, n, pairs, preduce::reducer(add_both_in_order{}, total));
  keep(to, total.x);
  keep(to, total.y);
  auto const complex = preduce::parallel_reduce(
      policy, n, [=](std::int64_t i) { return std::complex<double>(a[i] * b[i], a[i] * 1.3); });
  keep(to, complex.real());
  keep(to, complex.imag());
  std::vector<product> products(of.a.size());
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = {a[i], b[i]};
  keep(to, preduce::reduce(policy, products.data(), products.data() + n, 0.0));
}

}  // namespace

instructions::bits totals(instructions::factors const& of) {
  instructions::bits to;
  add_totals(to, preduce::serial, of);
  add_totals(to, preduce::openmp, of);
  return to;
}

}  // namespace PREDUCE_TEST_SET

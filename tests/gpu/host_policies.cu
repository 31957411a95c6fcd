// The policies that run on the CPU, compiled by nvcc: no GPU is needed, and the bits are those that g++ gives.
#include "../support/operators.hpp"
#include "../support/oracle.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

namespace {

template <class Policy>
void gives_the_oracles_bits(Policy const& policy, char const* name, sizes::pace pace) {
  lists::entry const about{name, memory::place::host, pace};
  auto const values = sample::floats<float>(300001, sample::spread::even, 150);
  functors::scrambled_index const index;
  for (auto const n : sizes::few(pace)) {
    if (n == 0) continue;
    auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
    float const sum = preduce::reduce(policy, values.begin(), values.begin() + n);
    if (!walk::same_bits(oracle::total<float>(n, element, reference::plus{}), sum, "sum", about, n)) break;
    auto hash = memory::poisoned<std::uint64_t>();
    preduce::parallel_reduce(policy, n, index, preduce::reducer(operators::hash{}, hash));
    if (!walk::same_bits(oracle::total<std::uint64_t>(n, index, operators::hash{}), hash, "hash", about, n)) break;
  }
}

}  // namespace

TEST_CASE("promise 7: host policies compiled by nvcc have the oracle's bits") {
  gives_the_oracles_bits(preduce::serial, "serial", sizes::pace::fast);
  gives_the_oracles_bits(preduce::openmp, "openmp", sizes::pace::fast);
  gives_the_oracles_bits(preduce::two_pass.on(preduce::simt_host), "two_pass on simt_host", sizes::pace::launch);
  gives_the_oracles_bits(preduce::look_back.on(preduce::simt_host), "look_back on simt_host", sizes::pace::launch);
}

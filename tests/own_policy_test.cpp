// A policy of a user's own, as docs/write-your-own-policy.md shows it: what it launches never sees a single unit,
// however the elements come.

#include <preduce/location.hpp>
#include <preduce/preduce.hpp>
#include <preduce/stages.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

template <class Job>
struct one_block_body {
  Job job;

  template <preduce::simt::context C>
  void operator()(C const& ctx) const {
    int turn = 0;
    preduce::stages::fold_units(ctx, job, turn);
    ctx.sync_block();
    preduce::stages::fold_partials(ctx, job.finish, turn);
  }
};

template <class Place>
struct one_block_policy : preduce::grid_policy<one_block_policy, Place> {
  static constexpr auto algorithm = preduce::grid_algorithm::last_ticket;
  static constexpr char const* name() { return "one_block"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->submit_units(reduction, [](auto const& call, preduce::plan const& plan, auto const& job, auto&) {
      CHECK(plan.order.units > 1);
      using job_type = std::remove_cvref_t<decltype(job)>;
      call.launch(1, plan.threads, plan.shared_bytes, one_block_body<job_type>{job});
    });
  }
};

template <class Policy>
void reduces_everything(Policy const& policy) {
  std::vector<int> ints(5003);
  std::iota(ints.begin(), ints.end(), 5);
  std::vector<float> const floats(ints.begin(), ints.end());
  for (std::int64_t const n : {1, 2, 100, 4097, 5000}) {
    for (std::ptrdiff_t first = 0; first < 4; ++first) {
      INFO("n = ", n, ", from ", first);
      auto const* const i = ints.data() + first;
      auto const* const f = floats.data() + first;
      std::int64_t const sum = n * (n - 1) / 2 + n * (5 + first);
      CHECK(preduce::reduce(policy, i, i + n, 0) == sum);
      CHECK(preduce::reduce(policy, f, f + n, 0.0f) == preduce::reduce(preduce::serial, f, f + n, 0.0f));
      CHECK(preduce::reduce(policy, i, i + n, 1 << 30, preduce::minimum<int>{}) == 5 + first);
      preduce::located<float> greatest;
      preduce::parallel_reduce(policy, f, f + n, preduce::max_loc(greatest));
      CHECK((greatest.index == n - 1 && greatest.value == f[n - 1]));
    }
  }
}

}  // namespace

TEST_CASE("a policy of one's own reduces pointers, aligned or not, and launches nothing for a single unit") {
  constexpr one_block_policy<preduce::simt_place> one_block{};
  reduces_everything(one_block);
  reduces_everything(one_block.block_size(96));
  reduces_everything(one_block.unit_lanes(4096));
}

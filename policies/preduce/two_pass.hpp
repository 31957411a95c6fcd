#pragma once
// Partials to memory, and a second kernel that folds them: what high-performance codes have done since the first GPUs.
// Two launches; on sm_90 and newer the second is already waiting when the first one ends.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/fold_few_partials.hpp>
#include <preduce/stages/fold_grid.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

template <class Job>
struct two_pass_first {
  Job job;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.release_next_kernel();
    int turn = 0;
    fold_units(ctx, job, turn);
  }
};

template <class Finish>
struct two_pass_second {
  Finish finish;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.wait_for_previous_kernel();  // the first kernel has ended, and its partials are visible
    int turn = 0;
    fold_partials(ctx, finish, turn);
  }
};

template <class Finish>
struct two_pass_second_few {
  Finish finish;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    fold_few_partials(ctx, finish);
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct two_pass_policy : grid_policy<two_pass_policy, Place> {
  static constexpr bool separate_finish = true;
  [[nodiscard]] static constexpr char const* name() { return "two_pass"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->prepare(reduction, [](auto const& call, plan const& made, auto const& job, unsigned*) {
      using job_type = std::remove_cvref_t<decltype(job)>;
      using finish_type = decltype(job_type::finish);
      call.launch(made.blocks, made.threads, made.shared_bytes, detail::two_pass_first<job_type>{job});
      auto const second = [&](auto const& body) {
        call.launch(1, made.finish_threads, made.finish_shared_bytes, body, true);
      };
      if constexpr (detail::partials_a_thread < finish_type >> 0) {
        if (made.order.units <= made.finish_threads * detail::partials_a_thread<finish_type>)
          return second(detail::two_pass_second_few<finish_type>{job.finish});
      }
      second(detail::two_pass_second<finish_type>{job.finish});
    });
  }
};

/// Partials to memory, a second kernel folds them. Canonical order, portable bits; any n, block size, type and
/// operator.
inline constexpr two_pass_policy<default_place> two_pass{};

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// Two kernels: the first leaves partials, the second, of one block, folds them.

#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/fold_few_partials.hpp>
#include <preduce/stages/fold_grid.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

template <class Job>
struct two_pass_first {
  Job job;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.release_next_kernel();
    ctx.wait_for_previous_kernel();  // the user's: the data may come from it
    int turn = 0;
    detail::fold_units(ctx, job, turn);
  }
};

template <class Finish>
struct two_pass_second {
  Finish finish;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.wait_for_previous_kernel();  // the first kernel has ended, and its partials are visible
    ctx.release_next_kernel();       // not before: blocks of the next one would crowd where this one's end first
    int turn = 0;
    detail::fold_partials(ctx, finish, turn);
  }
};

template <class Finish>
struct two_pass_second_few {
  Finish finish;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    detail::fold_few_partials(ctx, finish);
  }
};

/// The second kernel of any plan that has one.
template <class Call, class Finish>
void launch_second_kernel(Call const& call, plan const& made, Finish const& finish) {
  auto const second = [&](auto const& body) {
    call.launch(1, made.finish_threads, made.finish_shared_bytes, body, launch_kind::overlaps_previous);
  };
  if constexpr (partials_a_thread < Finish >> 0) {
    if (made.order.partial_rows == 1 && made.order.units <= made.finish_threads * partials_a_thread<Finish>)
      return second(two_pass_second_few<Finish>{finish});
  }
  second(two_pass_second<Finish>{finish});
}

template <class Call, class Job>
void launch_two_kernels(Call const& call, plan const& made, Job const& job) {
  call.launch(made.blocks, made.threads, made.shared_bytes, two_pass_first<Job>{job}, detail::first_launch(made));
  if (made.order.units > 1) detail::launch_second_kernel(call, made, job.finish);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// One kernel: every block publishes its partials and draws a ticket; the block with the last ticket folds them. Saves
// the second launch. The ticket wraps to zero by itself, so it is ready for the next call.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/fold_grid.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Whether this block is the last of the grid to arrive; the same in all its threads. What any block wrote before its
/// ticket is visible to the block that is told yes: the ticket releases and acquires for thread 0, which wrote the
/// partials, and the barrier passes that on to the block.
template <simt::context C>
PREDUCE_FUNCTION bool take_last_ticket(C const& ctx, unsigned* ticket, int* shared_answer) {
  auto const last = static_cast<unsigned>(ctx.grid_size() - 1);
  if (ctx.thread_rank() == 0) *shared_answer = ctx.take_ticket(ticket, last) == last ? 1 : 0;
  ctx.sync_block();
  return *shared_answer != 0;
}

template <class Job>
struct last_block_body {
  Job job;
  unsigned* ticket;

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    int turn = 0;
    fold_units(ctx, job, turn);
    auto* const answer = ctx.template shared<int>(slot_plan<typename Job::value>::bytes);
    if (take_last_ticket(ctx, ticket, answer)) fold_partials(ctx, job.finish, turn);
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct last_block_policy : grid_policy<last_block_policy, Place> {
  static constexpr bool separate_finish = false;
  [[nodiscard]] static constexpr char const* name() { return "last_block"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->prepare(reduction, [](auto const& call, plan const& made, auto const& job, unsigned* ticket) {
      using job_type = std::remove_cvref_t<decltype(job)>;
      call.launch(made.blocks, made.threads, made.shared_bytes, detail::last_block_body<job_type>{job, ticket});
    });
  }
};

/// One kernel, the block with the last ticket folds the partials. Canonical order, portable bits; any n, block size,
/// type and operator.
inline constexpr last_block_policy<default_place> last_block{};

}  // namespace preduce::inline PREDUCE_ABI

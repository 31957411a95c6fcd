#pragma once
// One kernel: every block publishes its partials and draws a ticket; the block with the last ticket goes on.

#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/fold_grid.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Whether this block is the last of the grid to arrive; the same in all its threads. What any block wrote before its
/// ticket is visible to the block that is told yes: the ticket releases and acquires for thread 0, which wrote the
/// partials, and the barrier passes that on to the block. The ticket wraps to zero, ready for the next call.
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
    ctx.wait_for_previous_kernel();
    int turn = 0;
    detail::fold_units(ctx, job, turn);
    ctx.release_next_kernel();  // not before: its blocks would crowd where this one's end first
    if (detail::is_delivered(job)) return;
    auto* const answer = ctx.template shared<int>(slot_plan<typename Job::value>::bytes);
    if (detail::take_last_ticket(ctx, ticket, answer)) detail::fold_partials(ctx, job.finish, turn);
  }
};

template <class Call, class Job>
void launch_last_ticket(Call const& call, plan const& made, Job const& job, unsigned* ticket) {
  call.launch(made.blocks, made.threads, made.shared_bytes, last_block_body<Job>{job, ticket},
              detail::first_launch(made));
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// The grid's part: which units a block folds, where their partials go, and how the partials become the total.

#include <preduce/contexts/context.hpp>
#include <preduce/plan.hpp>
#include <preduce/reduction.hpp>
#include <preduce/shape.hpp>
#include <preduce/stages/fold_unit.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// What every kernel of a reduction is given.
template <class Work, class Out>
struct grid_job {
  using work_type = Work;
  using value = typename Work::value_type;
  static constexpr bool commutative = commutes<typename Work::monoid_type>;

  Work work;
  grid_order order;
  value* partials;      ///< order.units values of workspace
  Out* out;             ///< where the total goes
  std::uint64_t* flag;  ///< raised at system scope when the total is there, or null
  std::uint64_t flag_value;

  /// The last step, by one thread: init, canonical NaN, the result's type, and the news of it.
  template <simt::context C>
  PREDUCE_FUNCTION void deliver(C const& ctx, value const& total) const {
    *out = static_cast<Out>(work.finished(total));
    if (flag != nullptr) ctx.publish_flag(flag, flag_value);
  }
};

/// Folds the units that fall to this block, and leaves their values in partials; the only unit is the total.
template <simt::context C, class Job>
PREDUCE_FUNCTION void fold_units(C const& ctx, Job const& job, int& turn) {
  auto* const slots = ctx.template shared<typename Job::value>(0);
  using source = typename Job::work_type::source_type;
  int const lanes = order_lanes >> job.order.group_bits;
  for (int unit = ctx.block_rank(); unit < job.order.units; unit += ctx.grid_size()) {
    int const index = unit >> job.order.group_bits;
    int const group = unit - (index << job.order.group_bits);
    auto const tile = tile_at<tile_offset<source>>(job.order, index, Job::commutative);
    fold_unit(ctx, job.work.source, job.work.monoid, tile, group * lanes, lanes, slots, turn, [&](auto const& folded) {
      if (job.order.units == 1)
        job.deliver(ctx, folded);
      else
        job.partials[unit] = folded;
    });
  }
}

/// One block folds the partials and delivers the total.
template <simt::context C, class Job>
PREDUCE_FUNCTION void fold_partials(C const& ctx, Job const& job, int& turn) {
  using value = typename Job::value;
  using partial_source = pointer_source<value, value>;
  auto* const slots = ctx.template shared<value>(0);
  fold_unit(ctx, partial_source{job.partials, {}}, job.work.monoid, partials_as_tile(job.order, Job::commutative), 0,
            1 << job.order.partial_lane_bits, slots, turn, [&](value const& total) { job.deliver(ctx, total); });
}

}  // namespace preduce::detail::inline PREDUCE_ABI

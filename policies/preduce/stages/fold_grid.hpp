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

/// What the end of a reduction is given: partials, what combines them, and where the total goes. Knows no source, so
/// that one kernel serves many.
template <class Monoid, class Value, class Out>
struct grid_finish {
  using value = Value;
  static constexpr bool commutative = commutes<Monoid>;

  Monoid monoid;
  maybe<Value> init;
  grid_order order;
  Value* partials;      ///< order.units values of workspace, aligned to 16
  Out* out;             ///< where the total goes
  std::uint64_t* flag;  ///< raised at system scope when the total is there, or null
  std::uint64_t flag_value;

  /// The last step, by one thread: init, canonical NaN, the result's type, and the news of it.
  template <simt::context C>
  PREDUCE_FUNCTION void deliver(C const& ctx, Value const& total) const {
    *out = static_cast<Out>(detail::with_init(monoid, init, total));
    if (flag != nullptr) ctx.publish_flag(flag, flag_value);
  }

#ifdef __CUDACC__
  __device__ void must_run_on_device() const {
    if constexpr (requires { monoid.must_run_on_device(*partials); })
      monoid.must_run_on_device(*partials);
    else
      (void)monoid.combine(*partials, *partials);
  }
#endif
};

/// What the kernels that read the elements are given. FinishesOne: they end where is_delivered() says so.
template <class Source, class Finish, bool FinishesOne = false>
struct grid_job {
  using source_type = Source;
  using monoid_type = decltype(Finish::monoid);
  using value = typename Finish::value;
  static constexpr bool finishes_one = FinishesOne;
  Source source;
  Finish finish;

#ifdef __CUDACC__
  __device__ void must_run_on_device() const {
    source.must_run_on_device(*finish.partials);
    finish.must_run_on_device();
  }
#endif
};

/// Whether fold_units delivers a single unit's total itself, for kernels that then end. Otherwise a kernel of its own
/// does, which is a little faster; elements in memory that are not aligned are too rare to have one compiled for them.
template <class Job>
inline constexpr bool delivers_only_unit =
    Job::finishes_one&& is_builtin_monoid<typename Job::monoid_type>&& Job::source_type::in_memory &&
    (Job::source_type::skips || (maps_elements<typename Job::source_type> && !Job::source_type::aligned));

/// Folds the units that fall to this block: thread 0 calls keep(unit, value) for each, or delivers the value of an only
/// one.
template <simt::context C, class Job, class Keep>
PREDUCE_FUNCTION void fold_units(C const& ctx, Job const& job, int& turn, Keep const& keep) {
  using source = typename Job::source_type;
  auto* const slots = ctx.template shared<typename Job::value>(0);
  auto const& finish = job.finish;
  auto const& order = finish.order;
  int const lanes = order_lanes >> order.group_bits;
  for (int unit = ctx.block_rank(); unit < order.units; unit += ctx.grid_size()) {
    int const index = unit >> order.group_bits;
    int const group = unit - (index << order.group_bits);
    auto const tile = detail::tile_at<tile_offset<source>>(order, index, finish.commutative);
    detail::fold_unit(ctx, job.source, finish.monoid, tile, group * lanes, lanes, slots, turn, [&](auto const& folded) {
      if constexpr (delivers_only_unit<Job>) {
        if (order.units == 1) return finish.deliver(ctx, folded);
      }
      keep(unit, folded);
    });
  }
}

/// The same; the values become partials.
template <simt::context C, class Job>
PREDUCE_FUNCTION void fold_units(C const& ctx, Job const& job, int& turn) {
  detail::fold_units(ctx, job, turn,
                     [&](int unit, typename Job::value const& folded) { job.finish.partials[unit] = folded; });
}

/// One block folds the only unit of a small reduction and delivers the total.
template <class Job>
struct fold_only_unit {
  Job job;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    using source = typename Job::source_type;
    auto* const slots = ctx.template shared<typename Job::value>(0);
    auto const& finish = job.finish;
    ctx.release_next_kernel();
    ctx.wait_for_previous_kernel();
    int turn = 0;
    detail::fold_unit(ctx, job.source, finish.monoid,
                      detail::only_tile<tile_offset<source>>(finish.order, finish.commutative), 0, order_lanes, slots,
                      turn, [&](auto const& total) { finish.deliver(ctx, total); });
  }
};

/// Whether fold_units has already delivered the total.
template <class Job>
PREDUCE_FUNCTION bool is_delivered(Job const& job) {
  if constexpr (delivers_only_unit<Job>)
    return job.finish.order.units == 1;
  else
    return false;
}

/// One block folds the partials and delivers the total.
template <simt::context C, class Finish>
PREDUCE_FUNCTION void fold_partials(C const& ctx, Finish const& finish, int& turn) {
  using value = typename Finish::value;
  using partial_source = pointer_source<value, value, convert_to<value>, access::aligned>;
  auto* const slots = ctx.template shared<value>(0);
  detail::fold_unit(ctx, partial_source{finish.partials, {}}, finish.monoid,
                    detail::partials_as_tile(finish.order, finish.commutative), 0, 1 << finish.order.partial_lane_bits,
                    slots, turn, [&](value const& total) { finish.deliver(ctx, total); });
}

}  // namespace preduce::detail::inline PREDUCE_ABI

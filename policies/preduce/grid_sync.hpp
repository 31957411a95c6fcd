#pragma once
// One cooperative kernel: all blocks run at a time, meet at a grid barrier, and the first one folds the partials.
// (Where one unit holds everything there is nobody to meet, and the launch is a plain one.)

#include <preduce/grid_policy.hpp>
#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/fold_grid.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

template <class Job>
struct grid_sync_body {
  Job job;
  unsigned* barrier;

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    int turn = 0;
    detail::fold_units(ctx, job, turn);
    if (detail::is_delivered(job)) return;
    ctx.sync_grid(barrier);  // every block's partials are visible behind it
    if (ctx.block_rank() == 0) detail::fold_partials(ctx, job.finish, turn);
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

template <class Place>
struct grid_sync_policy : grid_policy<grid_sync_policy, Place> {
  static constexpr auto algorithm = grid_algorithm::grid_barrier;
  [[nodiscard]] static constexpr char const* name() { return "grid_sync"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    this->submit_units_or_one(reduction, [](auto const& call, plan const& made, auto const& job, auto& workspace) {
      using body = detail::grid_sync_body<std::remove_cvref_t<decltype(job)>>;
      call.launch(made.blocks, made.threads, made.shared_bytes, body{job, workspace.barrier()},
                  made.order.units > 1 ? detail::launch_kind::cooperative : detail::launch_kind::plain);
    });
  }
};

/// One cooperative kernel with a grid barrier between the passes. Canonical order, portable bits; any n, block size,
/// type and operator. A grid larger than what runs at a time is made smaller. Throws unsupported on a device without
/// cooperative launch.
inline constexpr grid_sync_policy<default_place> grid_sync{};

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// A reduction of one tile by a built-in operator over aligned vectors: few warps, each with neighbouring chunks, and no
// loop around the trees. The same combinations as fold_only_unit. At these sizes instructions are what takes time: a
// block of 32 warps issues each of them eight times a scheduler, one of 8 warps twice.

#include <preduce/contexts/context.hpp>
#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/fold_registers.hpp>
#include <preduce/stages/read_rows.hpp>
#include <preduce/stages/shuffle_tree.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// Folds up to MostRows rows with Warps warps and delivers the total.
template <class Job, int Warps, int MostRows>
struct fold_one_tile {
  Job job;

  using source = typename Job::source_type;
  using element = typename source::element_type;
  using value = typename source::value_type;
  static constexpr int most_threads = Warps * simt::warp_threads;  ///< and no fewer
  static constexpr int width = arrangement<source, true>::vector;
  static constexpr int chunk_lanes = arrangement<source, true>::chunk;
  static constexpr int chunks = order_lanes / chunk_lanes / Warps;  ///< of a warp
  static constexpr int rows_in_flight = detail::clamp_int(16 / chunks, 1, MostRows);
  using lane_values = uninitialized<value>[chunks][width];

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.release_next_kernel();
    auto const& monoid = job.finish.monoid;
    int const position = simt::warp_rank(ctx) * (chunks * chunk_lanes) + simt::warp_lane(ctx) * width;
    int const room = static_cast<int>(job.finish.order.tail_elements) - position;
    auto const* const at = job.source.data + position;
    lane_values lanes;
    PREDUCE_UNROLL
    for (int k = 0; k < chunks * width; ++k) lanes[k / width][k % width].value = monoid.identity();

    // The vector that the data's end cuts: `end` elements of it are there, `cut` elements on from this thread's first.
    int const end = room & (width - 1);
    int const cut = room - end;
    int const cut_chunk = (cut & (order_lanes - 1)) / chunk_lanes;
    bool const cuts = end != 0 && cut >= 0 && cut_chunk < chunks && (cut & (chunk_lanes - 1)) == 0;
    uninitialized<element> last[width];
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w) detail::leave_blank(last[w]);
    auto const meanwhile = [&] {
      auto const* const rest = at + cut;
      PREDUCE_UNROLL
      for (int w = 0; w + 1 < width; ++w) {
        if (cuts && w < end) last[w].value = rest[w];  // one condition a load: predicated, no branch that waits
      }
      ctx.touch_parameters(job.finish);  // the total's way out is read from there
    };
    ctx.wait_for_previous_kernel();
    if constexpr (MostRows == 1)
      add_rows<1>(ctx, at, room, lanes, meanwhile);
    else
      add_all_rows<2>(ctx, at, static_cast<int>(job.finish.order.rows), room, lanes, meanwhile);
    if (cuts) {
      PREDUCE_UNROLL
      for (int k = 0; k < chunks; ++k) {
        PREDUCE_UNROLL
        for (int w = 0; w + 1 < width; ++w) {
          if (k == cut_chunk && w < end) add(lanes[k][w].value, last[w].value);
        }
      }
    }

    uninitialized<value> totals[chunks];
    PREDUCE_UNROLL
    for (int k = 0; k < chunks; ++k) totals[k].value = detail::fold_registers(monoid, lanes[k]);
    PREDUCE_UNROLL
    for (int s = 1; s < simt::warp_threads; s *= 2) {  // the chunks' trees side by side
      PREDUCE_UNROLL
      for (int k = 0; k < chunks; ++k)
        totals[k].value = monoid.combine(totals[k].value, ctx.shuffle_down(totals[k].value, s));
    }
    value const total = detail::fold_registers(monoid, totals);

    auto* const slots = ctx.template shared<value>(0);
    if (simt::warp_lane(ctx) == 0) slots[simt::warp_rank(ctx)] = total;
    ctx.sync_block();
    if (ctx.thread_rank() != 0) return;
    uninitialized<value> of_warps[Warps];
    PREDUCE_UNROLL
    for (int w = 0; w < Warps; ++w) of_warps[w].value = slots[w];
    job.finish.deliver(ctx, detail::fold_registers(monoid, of_warps));
  }

 private:
  /// Code for 2, 4 and 8 rows; what is beyond rows_in_flight is a loop of that many.
  template <int Rows, simt::context C, class Meanwhile>
  PREDUCE_FUNCTION void add_all_rows(C const& ctx, element const* at, int rows, int room, lane_values& lanes,
                                     Meanwhile const& meanwhile) const {
    if constexpr (Rows < rows_in_flight) {
      if (rows > Rows) return add_all_rows<2 * Rows>(ctx, at, rows, room, lanes, meanwhile);
      add_rows<Rows>(ctx, at, room, lanes, meanwhile);
    } else {
      add_rows<rows_in_flight>(ctx, at, room, lanes, meanwhile);
      PREDUCE_UNROLL_NOT
      for (int row = rows_in_flight; row < rows; row += rows_in_flight)
        add_rows<rows_in_flight>(ctx, at + row * order_lanes, room - row * order_lanes, lanes, [] {});
    }
  }

  /// Rows from `at`, of which `room` elements are there. All loads are under way before meanwhile() and the first
  /// addition.
  template <int Rows, simt::context C, class Meanwhile>
  PREDUCE_FUNCTION void add_rows(C const& ctx, element const* at, int room, lane_values& lanes,
                                 Meanwhile const& meanwhile) const {
    auto const whole = [&](int r, int k) { return r * order_lanes + k * chunk_lanes + width <= room; };
    simt::raw16 raw[Rows][chunks];
    PREDUCE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      PREDUCE_UNROLL
      for (int k = 0; k < chunks; ++k) {
        if (whole(r, k)) raw[r][k] = ctx.load16(at + r * order_lanes + k * chunk_lanes);
      }
    }
    meanwhile();
    PREDUCE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      PREDUCE_UNROLL
      for (int k = 0; k < chunks; ++k) {
        PREDUCE_UNROLL
        for (int w = 0; w < width; ++w) {
          if (whole(r, k)) add(lanes[k][w].value, detail::vector_element<element>(raw[r][k], w));
        }
      }
    }
  }

  PREDUCE_FUNCTION void add(value& lane, element const& next) const {
    detail::add_to(job.finish.monoid, lane, job.source.mapped(next), false);
  }
};

/// Whether a source under a monoid has that code, where its data is aligned.
template <class Source, class Monoid>
inline constexpr bool has_one_tile_code =
    is_builtin_monoid<Monoid>&& maps_elements<Source>&& arrangement<Source, commutes<Monoid>>::wide && !Source::skips &&
    sizeof(typename Source::element_type) <= 8 && sizeof(typename Source::value_type) <= 8;

/// Its launch, for the threads of a plan with one_tile_code.
template <class Call, class Job>
void launch_one_tile(Call const& call, plan const& made, Job const& job) {
  constexpr int chunk = arrangement<typename Job::source_type, true>::chunk;
  constexpr int warps = detail::least_of(16, order_lanes / chunk);

  if (made.order.rows == 1)
    call.launch(1, made.threads, made.shared_bytes, fold_one_tile<Job, 8, 1>{job}, detail::first_launch(made));
  else
    call.launch(1, made.threads, made.shared_bytes, fold_one_tile<Job, warps, order_single_tile_rows>{job},
                detail::first_launch(made));
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// A reduction of one tile by a built-in operator over aligned vectors: few warps, each with neighbouring chunks, and no
// loop around the trees. The same combinations as fold_units. At these sizes instructions are what takes time: a
// block of 32 warps issues each of them eight times a scheduler, one of 8 warps twice.

#include <preduce/contexts/context.hpp>
#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/fold_registers.hpp>
#include <preduce/stages/fold_warp.hpp>
#include <preduce/stages/keyed_location.hpp>
#include <preduce/stages/one_tile_lanes.hpp>
#include <preduce/stages/raw_vectors.hpp>
#include <preduce/stages/shuffle_tree.hpp>
#include <preduce/stages/view.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

/// Folds up to MostRows rows with Warps warps and delivers the total.
template <class Job, int Warps, int MostRows>
struct fold_one_tile {
  Job job;

  using source = typename Job::source_type;
  using element = typename source::element_type;
  using value = typename Job::value;
  using share = one_tile_share<source, Warps>;
  using lane_state = typename one_tile_lanes<Job, Warps>::type;
  static constexpr int most_threads = Warps * simt::warp_threads;  ///< and no fewer
  static constexpr int width = share::width;
  static constexpr int chunk_lanes = share::chunk_lanes;
  static constexpr int chunks = share::chunks;  ///< of a warp
  static constexpr int rows_in_flight = detail::clamp_int(16 / chunks, 1, MostRows);

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.release_next_kernel();
    auto const& monoid = job.finish.monoid;
    int const position = simt::warp_rank(ctx) * (chunks * chunk_lanes) + simt::warp_lane(ctx) * width;
    int const room = static_cast<int>(job.finish.order.tail_elements) - position;
    auto const* const at = job.source.data + position;
    lane_state lanes(job, position, room);

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
      add_rows<1>(ctx, at, 0, room, lanes, meanwhile);
    else
      add_all_rows<2>(ctx, at, static_cast<int>(job.finish.order.rows), room, lanes, meanwhile);
    if (cuts) {
      PREDUCE_UNROLL
      for (int w = 0; w + 1 < width; ++w) {
        if (w < end) lanes.add_last(last[w].value, cut_chunk, w, cut + w);
      }
    }

    value const total = lanes.fold(ctx);
    auto* const slots = ctx.template shared<value>(0);
    if (simt::warp_lane(ctx) == 0) slots[simt::warp_rank(ctx)] = total;
    ctx.sync_block();
    if constexpr (warp_instruction<typename Job::monoid_type>::exists) {
      int const thread = ctx.thread_rank();
      if (thread >= simt::warp_threads) return;
      value const of_all = detail::fold_warp(ctx, monoid, thread < Warps ? slots[thread] : monoid.identity());
      if (thread == 0) job.finish.deliver(ctx, of_all);
    } else {
      if (ctx.thread_rank() != 0) return;
      uninitialized<value> of_warps[Warps];
      PREDUCE_UNROLL
      for (int w = 0; w < Warps; ++w) of_warps[w].value = slots[w];
      job.finish.deliver(ctx, detail::fold_registers(monoid, of_warps));
    }
  }

 private:
  /// Code for 2, 4 and 8 rows; what is beyond rows_in_flight is a loop of that many.
  template <int Rows, simt::context C, class Meanwhile>
  PREDUCE_FUNCTION void add_all_rows(C const& ctx, element const* at, int rows, int room, lane_state& lanes,
                                     Meanwhile const& meanwhile) const {
    if constexpr (Rows < rows_in_flight) {
      if (rows > Rows) return add_all_rows<2 * Rows>(ctx, at, rows, room, lanes, meanwhile);
      add_rows<Rows>(ctx, at, 0, room, lanes, meanwhile);
    } else {
      add_rows<rows_in_flight>(ctx, at, 0, room, lanes, meanwhile);
      PREDUCE_UNROLL_NOT
      for (int row = rows_in_flight; row < rows; row += rows_in_flight)
        add_rows<rows_in_flight>(ctx, at, row * order_lanes, room, lanes, [] {});
    }
  }

  /// Rows from `begin` elements behind `at` on, where `room` elements are. All loads are under way before meanwhile()
  /// and the first addition.
  template <int Rows, simt::context C, class Meanwhile>
  PREDUCE_FUNCTION void add_rows(C const& ctx, element const* at, int begin, int room, lane_state& lanes,
                                 Meanwhile const& meanwhile) const {
    auto const offset_of = [&](int r, int k) { return begin + r * order_lanes + k * chunk_lanes; };
    auto const whole = [&](int r, int k) { return offset_of(r, k) + width <= room; };
    simt::raw16 raw[Rows][chunks];
    PREDUCE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      PREDUCE_UNROLL
      for (int k = 0; k < chunks; ++k) {
        if (whole(r, k)) raw[r][k] = ctx.load16(at + offset_of(r, k));
      }
    }
    meanwhile();
    PREDUCE_UNROLL
    for (int r = 0; r < Rows; ++r) {
      PREDUCE_UNROLL
      for (int k = 0; k < chunks; ++k) {
        PREDUCE_UNROLL
        for (int w = 0; w < width; ++w) {
          if (whole(r, k)) lanes.add(detail::vector_element<element>(raw[r][k], w), k, w, offset_of(r, k) + w);
        }
      }
    }
  }
};

/// Rows of a single tile that this code folds faster than any other, where the data's vectors are whole; 0: a source
/// under a monoid has none. (Four rows of locations, 2^14 float32: 3.0 us so, 2.8 in blocks of one warp.)
template <class Source, class Monoid>
inline constexpr int one_tile_rows =
    is_builtin_monoid<Monoid>&& maps_elements<Source>&& arrangement<Source, commutes<Monoid>>::wide && !Source::skips &&
            sizeof(typename Source::element_type) <= 8 && sizeof(typename Source::value_type) <= 8
        ? order_single_tile_rows
        : 0;
template <class T, int Sign, class Monoid>
inline constexpr int one_tile_rows<keyed_source<T, Sign>, Monoid> = 2;
template <class T, int Sign>
requires located_by_vectors<T, extreme_location<T, Sign>>
inline constexpr int one_tile_rows<located_source<T, extreme_location<T, Sign>>, extreme_location<T, Sign>> = 2;

template <class Source, class Monoid>
inline constexpr bool has_one_tile_code = one_tile_rows<Source, Monoid> != 0;

/// Its launch, for the threads of a plan with one_tile_code.
template <class Call, class Job>
void launch_one_tile(Call const& call, plan const& made, Job const& job) {
  using source = typename Job::source_type;
  constexpr int chunk = arrangement<source, true>::chunk;
  constexpr int warps = detail::least_of(16, order_lanes / chunk);
  constexpr int most_rows = one_tile_rows<source, typename Job::monoid_type>;

  if (made.order.rows == 1)
    call.launch(1, made.threads, made.shared_bytes, fold_one_tile<Job, 8, 1>{job}, detail::first_launch(made));
  else
    call.launch(1, made.threads, made.shared_bytes, fold_one_tile<Job, warps, most_rows>{job},
                detail::first_launch(made));
}

}  // namespace preduce::detail::inline PREDUCE_ABI

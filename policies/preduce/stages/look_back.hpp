#pragma once
// One kernel without a ticket: a partial is announced in words that carry its bytes and the news that it is there, so
// that nothing needs to be ordered; the last block of the grid looks back at all of them until it has seen each.
//
// It waits for blocks of lower rank only. Every device so far starts blocks in the order of their ranks, so those are
// running or done; CUDA does not promise it, and nothing else is relied on. After Merrill and Garland, "Single-pass
// Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002.

#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/fold_few_partials.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/last_ticket.hpp>

#include <cstdint>
#include <cstring>

namespace preduce::detail::inline PREDUCE_ABI {

/// How a partial is announced: 4 of its bytes a word, in the lower half; the upper half is raised with them.
template <class V>
struct announcement {
  static constexpr int words = announcing_words(sizeof(V));
  static constexpr bool possible = words > 0;
  static constexpr std::uint64_t raised = std::uint64_t{1} << 32;

  template <simt::context C>
  PREDUCE_FUNCTION static void write(C const& ctx, std::uint64_t* place, V const& value) {
    std::uint32_t parts[words] = {};
    memcpy(parts, &value, sizeof(V));
    PREDUCE_UNROLL
    for (int w = 0; w < words; ++w) ctx.store_relaxed(place + w, raised | parts[w]);
  }

  PREDUCE_FUNCTION static V read(std::uint64_t const* place) {
    std::uint32_t parts[words];
    PREDUCE_UNROLL
    for (int w = 0; w < words; ++w) parts[w] = static_cast<std::uint32_t>(place[w]);
    uninitialized<V> value;
    memcpy(static_cast<void*>(&value.value), parts, sizeof(V));
    return value.value;
  }
};

/// Partials that a warp watches: Groups of them side by side, of each of which a lane has one or two, so that a warp's
/// loads are neighbours.
template <class V, int Groups>
class watched_partials {
  using form = announcement<V>;
  static constexpr int a_lane = form::words == 1 ? 2 : 1;  ///< partials of a group
  static constexpr int words = a_lane * form::words;

 public:
  static constexpr int group = simt::warp_threads * a_lane;
  static constexpr int most_groups = watched_words / words;  ///< of a warp

  /// Those from `first` on, of `units` in all.
  PREDUCE_FUNCTION watched_partials(std::uint64_t* announced, int first, int units, int lane)
      : from_(announced + (first + lane * a_lane) * form::words),
        of_warp_(units - first),
        of_lane_(units - first - lane * a_lane) {}

  /// Looks once: whether all of this lane's are there.
  template <simt::context C>
  PREDUCE_FUNCTION bool look(C const& ctx) {
    PREDUCE_UNROLL
    for (int g = 0; g < Groups; ++g) {
      PREDUCE_UNROLL
      for (int w = 0; w < words; w += 2) {
        if (!has(g, w)) continue;
        auto const pair = ctx.load_relaxed_pair(from_ + g * group * form::words + w);
        seen_[g][w] = pair.first;
        seen_[g][w + 1] = pair.second;
      }
    }
    bool all = true;
    PREDUCE_UNROLL
    for (int g = 0; g < Groups; ++g) {
      PREDUCE_UNROLL
      for (int w = 0; w < words; ++w) all = all && (!has(g, w) || (seen_[g][w] >> 32) != 0);
    }
    return all;
  }

  /// Lowers them again, for the next call.
  template <simt::context C>
  PREDUCE_FUNCTION void lower(C const& ctx) const {
    PREDUCE_UNROLL
    for (int g = 0; g < Groups; ++g) {
      PREDUCE_UNROLL
      for (int w = 0; w < words; ++w) {
        if (has(g, w)) ctx.store_relaxed(from_ + g * group * form::words + w, 0);
      }
    }
  }

  /// The neighbour tree over the warp's partials, of which there is at least one; in lane 0.
  template <simt::context C, class Monoid>
  PREDUCE_FUNCTION V fold(C const& ctx, Monoid const& monoid) const {
    uninitialized<V> totals[Groups];
    PREDUCE_UNROLL
    for (int g = 0; g < Groups; ++g) {
      uninitialized<V> own[a_lane];
      PREDUCE_UNROLL
      for (int k = 0; k < a_lane; ++k) {
        detail::start_lane(monoid, own[k]);
        if (g * group + k < of_lane_) own[k].value = form::read(seen_[g] + k * form::words);
      }
      if constexpr (a_lane > 1) {
        if (is_builtin_monoid<Monoid> || g * group + 1 < of_lane_)
          own[0].value = monoid.combine(own[0].value, own[1].value);
      }
      totals[g].value =
          detail::fold_places(ctx, monoid, own[0].value, of_warp_ - of_lane_ + g * group, a_lane, of_warp_);
    }
    PREDUCE_UNROLL
    for (int s = 1; s < Groups; s *= 2) {
      PREDUCE_UNROLL
      for (int g = 0; g < Groups; g += 2 * s) {
        bool const both = (g + s) * group < of_warp_ && of_lane_ == of_warp_;
        if (is_builtin_monoid<Monoid> || both) totals[g].value = monoid.combine(totals[g].value, totals[g + s].value);
      }
    }
    return totals[0].value;
  }

 private:
  [[nodiscard]] PREDUCE_FUNCTION bool has(int g, int w) const { return g * group + w / form::words < of_lane_; }

  std::uint64_t* from_;
  int of_warp_, of_lane_;  ///< partials from the warp's, and from the lane's first on
  std::uint64_t seen_[Groups][words];
};

/// The warp's part of what all have announced, in lane 0, when it is there.
template <int Groups, simt::context C, class Finish>
PREDUCE_FUNCTION typename Finish::value fold_announced(C const& ctx, Finish const& finish, std::uint64_t* announced) {
  using watched_type = watched_partials<typename Finish::value, Groups>;
  int const first = simt::warp_rank(ctx) * Groups * watched_type::group;
  watched_type watched(announced, first, finish.order.units, simt::warp_lane(ctx));
  ctx.touch_parameters(finish);
  while (!ctx.all_of_warp(watched.look(ctx))) ctx.pause();  // together: lanes that look again alone take turns
  watched.lower(ctx);
  return watched.fold(ctx, finish.monoid);
}

/// The grid's last block folds what all have announced, and delivers the total. Needs units * words <=
/// watched_words * threads.
template <simt::context C, class Finish>
PREDUCE_FUNCTION void look_back(C const& ctx, Finish const& finish, std::uint64_t* announced, int turn) {
  using value = typename Finish::value;
  constexpr int group = watched_partials<value, 1>::group;
  constexpr int most_groups = watched_partials<value, 1>::most_groups;
  int const units = finish.order.units;
  int const warps = simt::warps(ctx);
  bool const one_each = units <= warps * group;  // a warp takes a single group where there are enough warps
  int const of_warp = one_each ? group : most_groups * group;
  int const warps_used = (units + of_warp - 1) / of_warp;
  uninitialized<value> folded;
  detail::leave_blank(folded);
  if (simt::warp_rank(ctx) < warps_used)
    folded.value = one_each ? detail::fold_announced<1>(ctx, finish, announced)
                            : detail::fold_announced<most_groups>(ctx, finish, announced);
  if (warps_used > 1) {
    auto* const slots = ctx.template shared<value>(0) + turn * slot_plan<value>::capacity;
    if (simt::warp_lane(ctx) == 0 && simt::warp_rank(ctx) < warps_used) slots[simt::warp_rank(ctx)] = folded.value;
    ctx.sync_block();
    if (simt::warp_rank(ctx) == 0) folded.value = detail::fold_slots(ctx, finish.monoid, slots, warps_used);
  }
  if (ctx.thread_rank() == 0) finish.deliver(ctx, folded.value);
}

template <class Job>
struct look_back_body {
  Job job;
  std::uint64_t* announced;  ///< zero, and zero again at the end

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    using value = typename Job::value;
    using form = announcement<value>;
    ctx.wait_for_previous_kernel();
    int turn = 0;
    detail::fold_units(ctx, job, turn, [&](int unit, value const& folded) {
      form::write(ctx, announced + unit * form::words, folded);
    });
    ctx.release_next_kernel();  // not before: its blocks would crowd where this one's end first
    if (ctx.block_rank() != ctx.grid_size() - 1 || detail::is_delivered(job)) return;
    detail::look_back(ctx, job.finish, announced, turn);
  }
};

/// For plans whose algorithm is look_back.
template <class Call, class Job>
void launch_announcing(Call const& call, plan const& made, Job const& job, std::uint64_t* announced) {
  call.launch(made.blocks, made.threads, made.shared_bytes, look_back_body<Job>{job, announced},
              detail::first_launch(made));
}

/// For plans that asked for look_back: where the planner found that the partials cannot be watched, by a ticket.
template <class Call, class Job, class Workspace>
void launch_look_back(Call const& call, plan const& made, Job const& job, Workspace& workspace) {
  if constexpr (announcement<typename Job::value>::possible) {
    if (made.algorithm == grid_algorithm::look_back)
      return detail::launch_announcing(call, made, job, workspace.announced());
  }
  detail::launch_last_ticket(call, made, job, workspace.ticket());
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// A rung of the classic ladder as a policy: how a textbook's kernel meets any n, type, operator and result. The rungs
// themselves, a kernel each, are in atomic.hpp, block_tree.hpp and warp_shuffle.hpp. They combine in no order that
// another launch would keep, so their operators must commute.
//
// A Rung has a name, classic_facts, and fold(ctx, job), which leaves the blocks' values where `meets` says.

#include <preduce/grid_policy.hpp>
#include <preduce/places/launch_kind.hpp>
#include <preduce/stages/combine_atomically.hpp>
#include <preduce/stages/last_ticket.hpp>
#include <preduce/stages/two_kernels.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// What a rung's kernel is given.
template <class Job>
struct rung_job {
  using source_type = typename Job::source_type;
  using value = typename Job::value;

  Job job;             ///< its partials: the cell where blocks meet, or a value of each block
  std::int64_t first;  ///< 1 where element 0 gave the cell its first value
  std::int64_t n;
  unsigned* ticket;

  [[nodiscard]] PREDUCE_FUNCTION auto const& monoid() const { return job.finish.monoid; }
  [[nodiscard]] PREDUCE_FUNCTION value* cell() const { return job.finish.partials; }

  /// What index i contributes.
  [[nodiscard]] PREDUCE_FUNCTION value element(std::int64_t i) const {
    uninitialized<value> lane;
    if constexpr (is_builtin_monoid<std::remove_cvref_t<decltype(monoid())>>) lane.value = monoid().identity();
    job.source.contribute(monoid(), lane.value, i, true);
    return lane.value;
  }

#ifdef __CUDACC__
  __device__ void must_run_on_device() const {
    job.must_run_on_device();
  }
#endif
};

/// How many of a block's `threads` threads have an element where its run begins at `base`: its first ones.
template <class RungJob>
PREDUCE_FUNCTION int present_threads(RungJob const& job, std::int64_t base, int threads) {
  std::int64_t const left = job.n - base;
  return static_cast<int>(left < threads ? left : threads);
}

/// Calls with_block(base) for every run of `span` elements that falls to this block: one, unless the grid is too small.
template <simt::context C, class RungJob, class WithBlock>
PREDUCE_FUNCTION void for_each_run(C const& ctx, RungJob const& job, int span, WithBlock&& with_block) {
  std::int64_t const step = std::int64_t{ctx.grid_size()} * span;
  for (std::int64_t base = job.first + std::int64_t{ctx.block_rank()} * span; base < job.n; base += step)
    with_block(base);
}

/// This thread's elements by strides of the grid, four in flight; leaves `total` alone where there are none. Threads
/// without any are the grid's last.
template <simt::context C, class RungJob>
PREDUCE_FUNCTION void fold_strided(C const& ctx, RungJob const& job, typename RungJob::value& total) {
  auto const& monoid = job.monoid();
  std::int64_t const step = std::int64_t{ctx.grid_size()} * ctx.block_size();
  std::int64_t i = job.first + std::int64_t{ctx.block_rank()} * ctx.block_size() + ctx.thread_rank();
  if (i >= job.n) return;
  total = job.element(i);
  i += step;
  PREDUCE_UNROLL_NOT
  for (; i + 3 * step < job.n; i += 4 * step) {
    typename RungJob::value const a = job.element(i);
    typename RungJob::value const b = job.element(i + step);
    typename RungJob::value const c = job.element(i + 2 * step);
    typename RungJob::value const d = job.element(i + 3 * step);
    total = monoid.combine(total, monoid.combine(monoid.combine(a, b), monoid.combine(c, d)));
  }
  PREDUCE_UNROLL_NOT
  for (; i < job.n; i += step) total = monoid.combine(total, job.element(i));
}

/// Gives the cell its first value: the identity of a built-in operator, or element 0. (A user's identity is mixed into
/// no data.)
template <class RungJob>
struct seed_cell {
  RungJob job;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    ctx.release_next_kernel();
    if (ctx.thread_rank() != 0) return;
    using value = typename RungJob::value;
    auto* const cell = reinterpret_cast<cell_word<value>*>(job.cell());
    if constexpr (is_builtin_monoid<std::remove_cvref_t<decltype(job.monoid())>>)
      *cell = detail::cell_of<value>(job.monoid().identity());
    else
      *cell = detail::cell_of<value>(job.element(0));
  }
};

enum class meeting : std::uint8_t { atomics, second_kernel, nowhere };

template <class Rung, class RungJob>
struct rung_body {
  RungJob job;
  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    if constexpr (Rung::meets == meeting::atomics) ctx.wait_for_previous_kernel();  // the one that seeds the cell
    if constexpr (Rung::meets == meeting::second_kernel) ctx.release_next_kernel();
    Rung::fold(ctx, job);
    if constexpr (Rung::meets == meeting::atomics) {
      using value = typename RungJob::value;
      ctx.sync_block();  // this block has combined all that it has
      if (detail::take_last_ticket(ctx, job.ticket, ctx.template shared<int>(0)) && ctx.thread_rank() == 0)
        job.job.finish.deliver(ctx, detail::value_of<value>(detail::load_cell(ctx, job.cell())));
    }
  }
};

/// Whether a rung has a kernel for each power of two of a block's threads.
template <class Rung>
concept sized_by_block = requires {
  typename Rung::template for_block<32>;
};

template <class Rung, int Threads = 32, class Call, class RungJob>
void launch_rung(Call const& call, plan const& made, RungJob const& job) {
  constexpr auto kind = Rung::meets == meeting::atomics ? launch_kind::overlaps_previous : launch_kind::plain;
  if constexpr (!sized_by_block<Rung>) {
    call.launch(made.blocks, made.threads, made.shared_bytes, rung_body<Rung, RungJob>{job}, kind);
  } else {
    if constexpr (Threads < 1024) {
      if (made.threads > Threads) return detail::launch_rung<Rung, 2 * Threads>(call, made, job);
    }
    using body = rung_body<typename Rung::template for_block<Threads>, RungJob>;
    call.launch(made.blocks, made.threads, made.shared_bytes, body{job}, kind);
  }
}

/// Whether a rung can do a reduction; says why where it cannot.
template <class Rung, class Reduction>
consteval bool check_rung() {
  using value = typename Reduction::value_type;
  constexpr bool commutes_here = commutes<typename Reduction::work_type::monoid_type>;
  constexpr bool fits = Rung::meets != meeting::atomics || sizeof(value) <= largest_atomic;
  static_assert(commutes_here,
                "preduce: this policy combines in no fixed order, and the operator does not commute: use serial, "
                "openmp, single_thread, two_pass, grid_sync, last_block, look_back or automatic");
  static_assert(  // advice_without_wide_atomics, which has to be a literal here
      fits,
      "preduce: no device has an atomic of more than 16 bytes: use two_pass, grid_sync, last_block, look_back "
      "or automatic for this value type");
  return commutes_here && fits;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

template <class Rung>
struct rung {
  template <class Place>
  struct policy : grid_policy<rung<Rung>::template policy, Place> {
    static constexpr auto algorithm = grid_algorithm::classic;
    static constexpr classic_facts classic = Rung::facts;
    [[nodiscard]] static constexpr char const* name() { return Rung::name; }

    template <class Reduction>
    void execute(Reduction const& r) const {
      if constexpr (detail::check_rung<Rung, Reduction>()) {
        using value = typename Reduction::value_type;
        detail::submit<policy>(
            this->place, this->options, r, [&](auto const& call, plan const& made, auto const& job, auto& workspace) {
              using job_type = detail::rung_job<std::remove_cvref_t<decltype(job)>>;
              constexpr bool meets = Rung::meets == detail::meeting::atomics;
              constexpr bool seeds = meets && !detail::is_builtin_monoid<typename Reduction::work_type::monoid_type>;
              if constexpr (meets && sizeof(value) > 8) {
                if (!call.template exchanges_16_bytes<detail::seed_cell<job_type>>())
                  detail::fail(
                      error_code::unsupported, r.about,
                      "values of more than 8 bytes need the atomics of sm_90, and this code was compiled for less "
                      "(CMAKE_CUDA_ARCHITECTURES)",
                      detail::advice_without_wide_atomics);
              }
              job_type const given{job, seeds ? 1 : 0, r.work.n, workspace.ticket()};
              if constexpr (meets) call.launch(1, simt::warp_threads, 0, detail::seed_cell<job_type>{given});
              detail::launch_rung<Rung>(call, made, given);
              if constexpr (Rung::meets == detail::meeting::second_kernel)
                detail::launch_second_kernel(call, made, job.finish);
            });
      }
    }
  };
};

}  // namespace preduce::inline PREDUCE_ABI

#pragma once
// One GPU thread: what a kernel<<<1, 1>>> with a loop does, and what the others are measured against.

#include <preduce/grid_policy.hpp>
#include <preduce/stages/fold_alone.hpp>
#include <preduce/stages/fold_left.hpp>

namespace preduce::detail::inline PREDUCE_ABI {

template <class Job, bool LeftFold>
struct single_thread_body {
  Job job;

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    if (ctx.thread_rank() != 0) return;
    if constexpr (LeftFold)
      job.finish.deliver(ctx,
                         detail::fold_left(job.source, job.finish.monoid, detail::element_count(job.finish.order)));
    else
      job.finish.deliver(ctx, detail::fold_alone(ctx, job));
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

template <class Place, bool LeftFold = false>
struct single_thread_policy {
  using policy_tag = void;
  static constexpr auto algorithm = grid_algorithm::one_thread;
  Place place{};
  grid_options options{};

  [[nodiscard]] static constexpr char const* name() { return LeftFold ? "single_thread.left_fold" : "single_thread"; }
  [[nodiscard]] constexpr single_thread_policy<simt_place, LeftFold> on(simt_place where) const {
    return {where, options};
  }
#ifdef __CUDACC__
  [[nodiscard]] constexpr single_thread_policy<cuda_place, LeftFold> on(cudaStream_t stream) const {
    return {{stream}, options};
  }
#endif
  /// ((e0 op e1) op e2) ...: the order of a plain loop, for any operator. Its bits are those of serial.left_fold().
  [[nodiscard]] constexpr single_thread_policy<Place, true> left_fold() const {
    return {place, options};
  }

  /// Refuses a call whose bits the policy does not promise.
  [[nodiscard]] constexpr single_thread_policy require(determinism least) const {
    auto changed = options;
    changed.at_least = least;
    return {place, changed};
  }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    if constexpr (LeftFold)
      detail::check_left_fold_promise<typename Reduction::work_type::monoid_type>(reduction.about, options.at_least);
    detail::submit<single_thread_policy>(
        place, options, reduction, [](auto const& call, plan const& made, auto const& job, auto&) {
          using body = detail::single_thread_body<std::remove_cvref_t<decltype(job)>, LeftFold>;
          call.launch(1, made.threads, 0, body{job});
        });
  }

  /// The plan for n elements of type T in memory, summed. Pure.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n, device_facts const& device) const {
    using value = accumulator_t<T>;
    auto const request =
        detail::request_of<single_thread_policy, detail::pointer_source<T, value>, plus<value>>(n, options, device);
    if constexpr (LeftFold) detail::check_left_fold_promise<plus<value>>(request.about, options.at_least);
    auto made = plan_grid(request);
    if constexpr (LeftFold) {
      made.bits = detail::left_fold_bits<plus<value>>;
      made.why_order = "that of a plain loop";
    }
    return made;
  }
};

/// One GPU thread. Canonical order, portable bits; any n, type and operator. With .left_fold() the order of a plain
/// loop, whose bits are the same on every machine too, but no other policy's than serial.left_fold()'s.
inline constexpr single_thread_policy<default_place> single_thread{};

}  // namespace preduce::inline PREDUCE_ABI

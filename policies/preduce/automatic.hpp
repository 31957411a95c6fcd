#pragma once
// The planner picks. In a .cpp file between the host policies; in a file compiled by nvcc between two_pass and
// look_back (last_block for values that cannot be announced), or openmp for data that only the host can read. And the
// calls that name no policy.

#include <preduce/grid_policy.hpp>
#include <preduce/openmp.hpp>
#include <preduce/reduce.hpp>
#include <preduce/stages/last_ticket.hpp>
#include <preduce/stages/look_back.hpp>
#include <preduce/stages/two_kernels.hpp>

#include <concepts>
#include <cstdint>

namespace preduce::inline PREDUCE_ABI {

/// Where automatic runs in a .cpp file: on the host, as openmp does, which takes one thread where that is quicker.
struct host_place {};

template <class Place>
struct automatic_policy : grid_policy<automatic_policy, Place> {
  static constexpr auto algorithm = grid_algorithm::automatic;
  [[nodiscard]] static constexpr char const* name() { return "automatic"; }

  template <class Reduction>
  void execute(Reduction const& r) const {
    if (belongs_to_host(r)) {
      prepare_for_host(r);
      return openmp.execute(r);
    }
    this->submit_units_or_one(r, [](auto const& call, plan const& made, auto const& job, auto& workspace) {
      using value = typename std::remove_cvref_t<decltype(job)>::value;
      if (made.algorithm == grid_algorithm::second_kernel || made.order.units == 1)
        detail::launch_two_kernels(call, made, job);
      else if constexpr (detail::announcement<value>::possible)
        detail::launch_announcing(call, made, job, workspace.announced());
      else
        detail::launch_last_ticket(call, made, job, workspace.ticket());
    });
  }

 private:
  /// What a call on the GPU would have checked and waited for: options, an earlier error, a capture, the stream's work.
  template <class Reduction>
  void prepare_for_host([[maybe_unused]] Reduction const& r) const {
    if constexpr (!std::is_same_v<Place, simt_place>) {
      using work = typename Reduction::work_type;
      (void)plan_grid(detail::request_of<automatic_policy, typename work::source_type, typename work::monoid_type>(
          r.work.n, this->options, device_facts{}));
      if (!gpu_available()) return;
      this->place.begin(r.about).wait();
    }
  }

  /// Data in memory that the GPU cannot read, a result that the call waits for, and operators that need no nvcc: the
  /// host can do it, and nothing else can.
  template <class Reduction>
  static bool belongs_to_host([[maybe_unused]] Reduction const& r) {
    using source = typename Reduction::work_type::source_type;
    if constexpr (std::is_same_v<Place, simt_place> || !Reduction::blocking || !source::in_memory ||
                  !detail::is_builtin_monoid<typename Reduction::work_type::monoid_type>)
      return false;
    else if constexpr (!source::is_plain)
      return false;
    else
      return detail::only_host_reads(r.work.source.data);
  }
};

/// Takes the options that the same source sets where nvcc compiles it: checked, and otherwise nothing to a CPU.
template <>
struct automatic_policy<host_place> : grid_policy<automatic_policy, host_place> {
  static constexpr auto algorithm = grid_algorithm::automatic;
  [[nodiscard]] static constexpr char const* name() { return "automatic"; }

  template <class Reduction>
  void execute(Reduction const& r) const {
    using work = typename Reduction::work_type;
    check_options<typename work::source_type, typename work::monoid_type>(r.work.n);
    openmp.execute(r);
  }

  using grid_policy::plan_for;  // for a GPU, where this call is compiled by nvcc
  /// The plan for n elements of type T, summed, on this machine's CPU.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n) const {
    using value = accumulator_t<T>;
    (void)detail::checked_range(n, detail::about_sum<T>(name(), n));
    check_options<detail::pointer_source<T, value>, plus<value>>(n);
    auto made = openmp.plan_for<T>(n);
    made.policy = name();
    made.why_policy = made.host_threads == 1 ? "openmp with one thread: too few elements to wake others"
                                             : "openmp: this file is compiled without nvcc";
    return made;
  }

 private:
  template <class Source, class Monoid>
  void check_options(std::int64_t n) const {
    if (options != grid_options{})
      (void)plan_grid(detail::request_of<automatic_policy, Source, Monoid>(n, options, device_facts{}));
  }
};

#ifdef __CUDACC__
using automatic_place = cuda_place;
#else
using automatic_place = host_place;
#endif

/// The planner's choice for this n, type, operator, device and stream; plan_for and explain say which and why.
/// Canonical order, portable bits, whatever it picks; any n, type and operator.
inline constexpr automatic_policy<automatic_place> automatic{};

/// The calls without a policy are automatic's.
template <index_range Range, class F, class Result>
void parallel_reduce(Range range, F functor, Result&& result) {
  preduce::parallel_reduce(automatic, range, std::move(functor), std::forward<Result>(result));
}
template <index_range Range, class F>
[[nodiscard]] auto parallel_reduce(Range range, F functor) {
  return preduce::parallel_reduce(automatic, range, std::move(functor));
}
template <detail::sequence_iterator Iterator, class Result>
void parallel_reduce(Iterator first, Iterator last, Result&& result) {
  preduce::parallel_reduce(automatic, first, last, std::forward<Result>(result));
}
template <detail::sequence_iterator Iterator, class T, class Op = plus<T>>
[[nodiscard]] T reduce(Iterator first, Iterator last, T init, Op op = {}) {
  return preduce::reduce(automatic, first, last, init, op);
}
template <detail::sequence_iterator Iterator>
[[nodiscard]] auto reduce(Iterator first, Iterator last) {
  return preduce::reduce(automatic, first, last);
}
template <detail::sequence_iterator Iterator, class Out, class T, class Op = plus<T>>
void reduce_into(Iterator first, Iterator last, Out out, T init, Op op = {}) {
  preduce::reduce_into(automatic, first, last, out, init, op);
}
template <detail::sequence_iterator Iterator, class Out>
void reduce_into(Iterator first, Iterator last, Out out) {
  preduce::reduce_into(automatic, first, last, out);
}
template <detail::sequence_iterator Iterator, class Out, class Unary, class T, class Op>
void transform_reduce_into(Iterator first, Iterator last, Out out, Unary unary, T init, Op op) {
  preduce::transform_reduce_into(automatic, first, last, out, unary, init, op);
}
template <detail::sequence_iterator Iterator, class Unary, class T, class Op>
[[nodiscard]] T transform_reduce(Iterator first, Iterator last, Unary unary, T init, Op op) {
  return preduce::transform_reduce(automatic, first, last, unary, init, op);
}

// What is wrong with a call that is none. By value, so that these are chosen last: in a file with `using namespace` for
// several libraries, one of the others' calls may fit.
template <class First, class... Rest>
requires(!policy<First> && !index_range<First> &&
         !detail::is_sequence_call<First, Rest...>) void parallel_reduce(First, Rest...) {
  static_assert(index_range<First>,
                "preduce: the call starts with a policy, or with the range: a count, an integer of at most 64 bits, "
                "preduce::range{begin, end}, or two random-access iterators of one type with a result behind them");
}
template <class First, class Last, class... Rest>
requires(!policy<First> && (!std::same_as<First, Last> || !detail::sequence_iterator<First>)) void reduce(First, Last,
                                                                                                          Rest...) {
  static_assert(std::same_as<First, Last> && detail::sequence_iterator<First>,
                "preduce: the call starts with a policy, or with the sequence, two random-access iterators of one "
                "type: reduce(first, last, init, op)");
}

}  // namespace preduce::inline PREDUCE_ABI

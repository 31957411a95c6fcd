#pragma once
// All host threads, in the canonical order: tiles, or groups of their lanes where tiles are few, are dealt to threads.
// The threads belong to the compiled library, so a user's file needs no compiler flag.

#include <preduce/host_policy.hpp>
#include <preduce/host_threads.hpp>

#include <cstdint>

namespace preduce::inline PREDUCE_ABI {

struct openmp_policy {
  using policy_tag = void;
  int most_threads = 0;  ///< 0: all
  determinism at_least = determinism::none;

  [[nodiscard]] static constexpr char const* name() { return "openmp"; }
  [[nodiscard]] constexpr openmp_policy threads(int most) const { return {most, at_least}; }

  /// Refuses a call whose bits the policy does not promise.
  [[nodiscard]] constexpr openmp_policy require(determinism least) const { return {most_threads, least}; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    constexpr bool commutative = detail::commutes<typename Reduction::work_type::monoid_type>;
    auto const n = reduction.work.n;
    check_threads(reduction.about);
    int const team = team_for(n);
    auto const deal = [team](std::int64_t count, auto&& task) {
      using task_type = std::remove_reference_t<decltype(task)>;
      detail::for_each_index(
          count, team, [](void* erased, std::int64_t i) { (*static_cast<task_type*>(erased))(i); }, &task);
    };
    detail::execute_on_host(reduction, at_least, [&](auto const& work) {
      return detail::host_reduce(work, order(n, team, commutative), deal);
    });
  }

  /// The plan for n elements of type T, summed, on this machine.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n) const {
    auto const about = detail::about_sum<T>(name(), n);
    auto made = detail::host_plan<T>(about, at_least);
    check_threads(about);
    made.host_threads = team_for(n);
    made.order = order(n, made.host_threads, true);
    made.why_threads = "a thread is worth waking for 32768 elements or more";
    return made;
  }

 private:
  static constexpr std::int64_t least_elements_a_thread = 32768;

  void check_threads(call_context const& about) const {
    if (most_threads < 0)
      detail::fail(error_code::invalid_argument, about, "the number of threads is negative", "0 means all");
  }
  [[nodiscard]] int team_for(std::int64_t n) const {
    std::int64_t const worth = n / least_elements_a_thread;
    int const most = most_threads > 0 ? most_threads : detail::host_thread_count();
    return worth < 1 ? 1 : worth < most ? static_cast<int>(worth) : most;
  }
  [[nodiscard]] static grid_order order(std::int64_t n, int team, bool commutative) {
    return split_order(n, team == 1 ? 1 : std::int64_t{4} * team, 256, order_lanes, commutative);
  }
};

/// All host threads, or .threads(most). Canonical order, portable bits; any n, type and operator.
inline constexpr openmp_policy openmp{};

}  // namespace preduce::inline PREDUCE_ABI

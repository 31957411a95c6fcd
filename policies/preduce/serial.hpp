#pragma once
// One host thread, in the canonical order, or in that of a plain loop.

#include <preduce/host_policy.hpp>
#include <preduce/stages/fold_left.hpp>

#include <cstdint>

namespace preduce::inline PREDUCE_ABI {

template <bool LeftFold>
struct serial_policy {
  using policy_tag = void;
  [[nodiscard]] static constexpr char const* name() { return LeftFold ? "serial.left_fold" : "serial"; }

  /// ((e0 op e1) op e2) ...: the order of a plain loop, for any operator.
  [[nodiscard]] static constexpr serial_policy<true> left_fold() { return {}; }

  /// Refuses what the policy does not promise.
  [[nodiscard]] serial_policy require(determinism least) const {
    if (LeftFold) detail::check_left_fold_promise(name(), least);
    return *this;
  }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    constexpr bool commutative = detail::commutes<typename Reduction::work_type::monoid_type>;
    detail::execute_on_host(reduction, [](auto const& work) {
      if constexpr (LeftFold)
        return detail::with_init(work.monoid, work.init, detail::fold_left(work.source, work.monoid, work.n));
      else
        return detail::host_reduce(work, order(work.n, commutative), [](std::int64_t count, auto&& task) {
          for (std::int64_t i = 0; i < count; ++i) task(i);
        });
    });
  }

  /// The plan for n elements. Pure.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n) const {
    auto made = detail::host_plan(name(), n, order(n, true), 1, "the policy is one thread");
    if (LeftFold) {
      made.bits = determinism::run_to_run;
      made.why_order = "that of a plain loop";
    }
    return made;
  }

 private:
  [[nodiscard]] static grid_order order(std::int64_t n, bool commutative) {
    return split_order(n, 1, order_lanes, order_lanes, commutative);
  }
};

/// One host thread. Canonical order, portable bits; any n, type and operator. With .left_fold() the order of a plain
/// loop, whose bits are the same on every machine too, but no other policy's than single_thread.left_fold()'s.
inline constexpr serial_policy<false> serial{};

}  // namespace preduce::inline PREDUCE_ABI

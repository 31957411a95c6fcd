#pragma once
// One host thread, in the canonical order, or in that of a plain loop.

#include <preduce/host_policy.hpp>
#include <preduce/stages/fold_left.hpp>

#include <cstdint>

namespace preduce::inline PREDUCE_ABI {

template <bool LeftFold>
struct serial_policy {
  using policy_tag = void;
  determinism at_least = determinism::none;

  [[nodiscard]] static constexpr char const* name() { return LeftFold ? "serial.left_fold" : "serial"; }

  /// ((e0 op e1) op e2) ...: the order of a plain loop, for any operator.
  [[nodiscard]] constexpr serial_policy<true> left_fold() const { return {at_least}; }

  /// Refuses a call whose bits the policy does not promise.
  [[nodiscard]] constexpr serial_policy require(determinism least) const { return {least}; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    using monoid = typename Reduction::work_type::monoid_type;
    if constexpr (LeftFold) detail::check_left_fold_promise<monoid>(reduction.about, at_least);
    detail::execute_on_host(reduction, at_least, [](auto const& work) {
      if constexpr (LeftFold)
        return detail::with_init(work.monoid, work.init, detail::fold_left(work.source, work.monoid, work.n));
      else
        return detail::host_reduce(work, order(work.n, detail::commutes<monoid>), [](std::int64_t count, auto&& task) {
          for (std::int64_t i = 0; i < count; ++i) task(i);
        });
    });
  }

  /// The plan for n elements of type T, summed. Pure.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n) const {
    using monoid = plus<accumulator_t<T>>;
    auto const about = detail::about_sum<T>(name(), n);
    if constexpr (LeftFold) detail::check_left_fold_promise<monoid>(about, at_least);
    auto made = detail::host_plan<T>(about, at_least);
    made.order = order(n, true);
    made.host_threads = 1;
    made.why_threads = "the policy is one thread";
    if constexpr (LeftFold) {
      made.bits = detail::left_fold_bits<monoid>;
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

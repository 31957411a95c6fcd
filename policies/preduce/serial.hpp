#pragma once
// One host thread, in the canonical order.

#include <preduce/host_policy.hpp>

#include <cstdint>

namespace preduce::inline PREDUCE_ABI {

struct serial_policy {
  using policy_tag = void;
  [[nodiscard]] static constexpr char const* name() { return "serial"; }

  template <class Reduction>
  void execute(Reduction const& reduction) const {
    constexpr bool commutative = detail::commutes<typename Reduction::work_type::monoid_type>;
    detail::execute_on_host(reduction, order(reduction.work.n, commutative), [](std::int64_t count, auto&& task) {
      for (std::int64_t i = 0; i < count; ++i) task(i);
    });
  }

  /// The plan for n elements. Pure.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n) const {
    return detail::host_plan(name(), n, order(n, true), 1, "the policy is one thread");
  }

 private:
  [[nodiscard]] static grid_order order(std::int64_t n, bool commutative) {
    return split_order(n, 1, order_lanes, order_lanes, commutative);
  }
};

/// One host thread. Canonical order, portable bits; any n, type and operator.
inline constexpr serial_policy serial{};

}  // namespace preduce::inline PREDUCE_ABI

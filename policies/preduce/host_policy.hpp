#pragma once
// What the CPU policies have in common.

#include <preduce/detail/type_name.hpp>
#include <preduce/monoids.hpp>
#include <preduce/plan.hpp>
#include <preduce/range.hpp>
#include <preduce/reduction.hpp>
#include <preduce/stages/host_fold.hpp>
#include <preduce/workspace.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// What a host policy gives of Monoid's bits.
template <class Monoid>
inline constexpr determinism host_bits = reassociated<Monoid> ? determinism::run_to_run : determinism::portable;

template <class Monoid>
void check_host_promise(call_context const& about, determinism required) {
  if constexpr (reassociated<Monoid>) detail::check_promise(about, required, host_bits<Monoid>, true);
}

/// Checks that the CPU can reach what the call was given, and writes what fold(work) gives. It is there on return,
/// whether the user gave a variable or a pointer.
template <class Reduction, class Fold>
void execute_on_host(Reduction const& r, determinism required, Fold&& fold) {
  using out = typename Reduction::out_type;
  detail::check_host_promise<typename Reduction::work_type::monoid_type>(r.about, required);
  if constexpr (!Reduction::blocking) check_host_reachable(r.out, "the result", r.about);
  if (r.work.n == 0) {
    *r.out = static_cast<out>(r.empty_value());
    return;
  }
  r.work.source.check_memory([&](void const* memory) { check_host_reachable(memory, "the data", r.about); });
  *r.out = static_cast<out>(fold(r.work));
}

/// What a plan for n elements of type T, summed, is about.
template <class T>
call_context about_sum(char const* policy, std::int64_t n) {
  return {policy, n, type_name<accumulator_t<T>>()};
}

/// A host policy's plan for n elements of type T, summed, but for the order's cut and the threads. Refuses what the
/// call refuses.
template <class T>
plan host_plan(call_context const& about, determinism required) {
  using monoid = plus<accumulator_t<T>>;
  (void)detail::checked_range(about.n, about);
  detail::check_host_promise<monoid>(about, required);
  plan made;
  made.policy = about.policy;
  made.n = about.n;
  made.bits = host_bits<monoid>;
  made.shape = shape_of(about.n);
  return made;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

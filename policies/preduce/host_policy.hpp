#pragma once
// What the CPU policies have in common.

#include <preduce/plan.hpp>
#include <preduce/reduction.hpp>
#include <preduce/stages/host_fold.hpp>
#include <preduce/workspace.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// Checks that the CPU can reach what the call was given, and writes what fold(work) gives. It is there on return,
/// whether the user gave a variable or a pointer.
template <class Reduction, class Fold>
void execute_on_host(Reduction const& r, Fold&& fold) {
  using out = typename Reduction::out_type;
  if constexpr (!Reduction::blocking) check_host_reachable(r.out, "the result", r.about);
  if (r.work.n == 0) {
    *r.out = static_cast<out>(r.empty_value());
    return;
  }
  r.work.source.check_memory([&](void const* memory) { check_host_reachable(memory, "the data", r.about); });
  *r.out = static_cast<out>(fold(r.work));
}

/// A host policy's plan.
inline plan host_plan(char const* policy, std::int64_t n, grid_order const& order, int threads, char const* why) {
  plan made;
  made.policy = policy;
  made.n = n;
#ifdef __FAST_MATH__
  made.bits = determinism::run_to_run;
#endif
  made.shape = shape_of(n);
  made.order = order;
  made.host_threads = threads;
  made.why_threads = why;
  return made;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

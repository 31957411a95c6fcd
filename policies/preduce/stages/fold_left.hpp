#pragma once
// The order of a plain loop.

#include <preduce/config.hpp>
#include <preduce/errors.hpp>
#include <preduce/monoids.hpp>
#include <preduce/plan.hpp>
#include <preduce/sources.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// A left fold's bits are the same on every machine, and no other policy's: it does not promise the portable ones.
template <class Monoid>
inline constexpr determinism left_fold_bits = order_free<Monoid> ? determinism::portable : determinism::run_to_run;

template <class Monoid>
void check_left_fold_promise(call_context const& about, determinism required) {
  if (left_fold_bits < Monoid >> required)
    fail(error_code::unsupported, about, "the caller requires portable bits, and a left fold has its own",
         "leave left_fold() out");
}

/// ((e0 op e1) op e2) ... over n >= 1 elements.
template <class Source, class Monoid>
PREDUCE_FUNCTION typename Source::value_type fold_left(Source const& source, Monoid const& monoid, std::int64_t n) {
  uninitialized<typename Source::value_type> total;
  if constexpr (is_builtin_monoid<Monoid>) total.value = monoid.identity();
  for (std::int64_t i = 0; i < n; ++i) source.contribute(monoid, total.value, i, i == 0);
  return total.value;
}

}  // namespace preduce::detail::inline PREDUCE_ABI

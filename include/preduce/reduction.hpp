#pragma once
// One reduction, as a policy sees it.

#include <preduce/detail/float_bits.hpp>
#include <preduce/detail/type_name.hpp>
#include <preduce/errors.hpp>
#include <preduce/reducers.hpp>
#include <preduce/sources.hpp>

#include <cstdint>
#include <limits>
#include <utility>

namespace preduce::detail::inline PREDUCE_ABI {

/// init enters once, last, on the left; a NaN becomes the canonical one.
template <class Monoid, class Value>
[[nodiscard]] PREDUCE_FUNCTION Value with_init(Monoid const& monoid, maybe<Value> const& init, Value const& total) {
  return detail::canonical(init.present ? monoid.combine(init.storage.value, total) : total);
}

/// What is reduced: the elements, the operator, and init.
template <class Source, class Monoid>
struct work {
  using source_type = Source;
  using monoid_type = Monoid;
  using value_type = typename Source::value_type;

  Source source;
  Monoid monoid;
  maybe<value_type> init;
  std::int64_t n;
};

/// Work and where its result goes. `blocking`: out is a host variable, written before the call returns; otherwise out
/// is memory of the policy's machine, written in stream order.
template <class Source, class Monoid, class Out, bool Blocking>
struct reduction {
  using work_type = detail::work<Source, Monoid>;
  using value_type = typename work_type::value_type;
  using out_type = Out;
  static constexpr bool blocking = Blocking;

  work_type work;
  Out* out;
  call_context about;

  /// The value of an empty range: init, else what the monoid says. Throws where there is neither.
  [[nodiscard]] value_type empty_value() const {
    if (work.init.present) return detail::canonical(work.init.storage.value);
    if constexpr (requires { Monoid::empty(); })
      return Monoid::empty();
    else if constexpr (has_identity<Monoid>)
      return work.monoid.identity();
    else
      fail(error_code::invalid_argument, about, "an empty range has no value under an operator without identity",
           "give an init or an identity, or check for n = 0");
  }
};

/// Puts a reduction together after the checks that every policy shares, and hands it to the policy.
template <class Policy, class Source, class Reducer>
void run(Policy const& policy, Source source, Reducer reducer, maybe<typename Source::value_type> const& init,
         std::int64_t n) {
  using value = typename Source::value_type;
  using reduction_type =
      reduction<Source, typename Reducer::monoid_type, typename Reducer::result_type, Reducer::blocking>;
  call_context const about{policy.name(), n, type_name<value>()};
  if (reducer.out == nullptr)
    fail(error_code::invalid_pointer, about, "the result pointer is null", "pass memory for one value");
  if constexpr (Source::in_memory) {
    if (source.data == nullptr && n > 0)
      fail(error_code::invalid_pointer, about, "the data pointer is null", "pass the first of n elements");
    if (reinterpret_cast<std::uintptr_t>(source.data) % alignof(typename Source::element_type) != 0)
      fail(error_code::invalid_pointer, about, "the data is not aligned as its type asks",
           "copy it to where it is, or reduce it as bytes");
  }
  policy.execute(reduction_type{{std::move(source), std::move(reducer.monoid), init, n}, reducer.out, about});
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// What a call accepts, and the sentence that a mistake gets.

#include <preduce/detail/type_name.hpp>
#include <preduce/monoids.hpp>
#include <preduce/range.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

template <class F>
constexpr bool is_device_lambda() {
#ifdef __CUDACC__
  return __nv_is_extended_device_lambda_closure_type(F);
#else
  return false;
#endif
}

/// A `__device__` lambda whose return type the host can ask for.
template <class F>
constexpr bool has_trailing_return_type() {
#ifdef __CUDACC__
  return __nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
  return false;
#endif
}

// The first parameter of a functor that is neither overloaded nor a template.
template <class T>
struct first_parameter;
template <class R, class F, class I, class... Rest>
struct first_parameter<R (F::*)(I, Rest...) const> : std::type_identity<std::remove_cvref_t<I>> {};
template <class R, class F, class I, class... Rest>
struct first_parameter<R (F::*)(I, Rest...)> : std::type_identity<std::remove_cvref_t<I>> {};
template <class R, class F, class I, class... Rest>
struct first_parameter<R (F::*)(I, Rest...) const noexcept> : std::type_identity<std::remove_cvref_t<I>> {};
template <class R, class F, class I, class... Rest>
struct first_parameter<R (F::*)(I, Rest...) const&> : std::type_identity<std::remove_cvref_t<I>> {};
template <class R, class F, class I, class... Rest>
struct first_parameter<R (F::*)(I, Rest...) const& noexcept> : std::type_identity<std::remove_cvref_t<I>> {};
template <class R, class I, class... Rest>
struct first_parameter<R (*)(I, Rest...)> : std::type_identity<std::remove_cvref_t<I>> {};
template <class R, class I, class... Rest>
struct first_parameter<R (*)(I, Rest...) noexcept> : std::type_identity<std::remove_cvref_t<I>> {};

/// A functor's own call operator, or a pointer to a function.
template <class F>
struct call_of : std::type_identity<F> {};
template <class F>
requires requires {
  &F::operator();
}
struct call_of<F> : std::type_identity<decltype(&F::operator())> {};

template <class F>
struct index_of : std::type_identity<std::int64_t> {};
template <class F>
requires requires {
  typename first_parameter<typename call_of<F>::type>::type;
}
struct index_of<F> {
  using parameter = typename first_parameter<typename call_of<F>::type>::type;
  using type = std::conditional_t<std::same_as<parameter, std::int32_t>, std::int32_t, std::int64_t>;
};

/// Whether the functor takes an index that would be cut without a word: unsigned int, short ...
template <class F>
inline constexpr bool cuts_index = false;
template <class F>
requires requires {
  typename first_parameter<typename call_of<F>::type>::type;
}
inline constexpr bool cuts_index<F> = [] {
  using parameter = typename first_parameter<typename call_of<F>::type>::type;
  return std::floating_point<parameter> ||
         (std::integral<parameter> && sizeof(parameter) < 8 && !std::same_as<parameter, std::int32_t>);
}();

/// int32 where the functor takes int32, else int64.
template <class F>
using index_t = typename index_of<F>::type;

// An rvalue binds to T by value and to T const&, not to T&, and asking does not instantiate the body of a functor that
// takes `auto&`.
template <class F, class T>
concept value_form =
    std::invocable<F const&, index_t<F>> && !std::is_void_v<std::invoke_result_t<F const&, index_t<F>>>;
template <class F, class T>
concept copies_accumulator = std::invocable<F const&, index_t<F>, T &&>;
template <class F, class T>
concept accumulator_form = !copies_accumulator<F, T> && std::invocable<F const&, index_t<F>, T&>;

template <class M, class T>
concept combines = requires(M const& m, T const& a, T const& b) {
  { m.combine(a, b) } -> std::convertible_to<T>;
};
template <class Op, class T>
concept combines_by_call = requires(Op const& op, T const& a, T const& b) {
  { op(a, b) } -> std::convertible_to<T>;
};

// Each check says what is wrong in one sentence and answers whether all is well: the caller then leaves out the rest,
// which would only add errors of its own.

/// Whether F may contribute to a reduction of T by Monoid.
template <class F, class T, class Monoid>
consteval bool check_functor() {
  if constexpr (!detail::is_device_lambda<F>()) {
    constexpr bool value = value_form<F, T>;
    constexpr bool copies = copies_accumulator<F, T>;
    constexpr bool accumulates = accumulator_form<F, T>;
    static_assert(!cuts_index<F>, "preduce: the index must be a std::int64_t, or a std::int32_t where 32 bits suffice");
    static_assert(value || copies || accumulates,
                  "preduce: the functor must be callable as f(std::int64_t) or f(std::int64_t, T&), and const");
    static_assert(!copies, "preduce: the accumulator must be taken by reference: f(std::int64_t i, T& accumulator)");
    static_assert(!(value && accumulates),
                  "preduce: the functor fits both forms, f(i) and f(i, accumulator): keep one");
    static_assert(!accumulates || has_identity<Monoid>,
                  "preduce: the accumulator form needs an identity: return the value instead, or give the reducer one");
    return !cuts_index<F> && !copies && value != accumulates && (value || has_identity<Monoid>);
  } else {
    return true;
  }
}

/// Computed: by a functor, where small integers have become int on their way, and a bool may be asked of anything.
template <class From, class To, bool Computed = false>
consteval void check_no_truncation() {
  constexpr bool asked_of = Computed && std::same_as<To, bool>;
  constexpr bool promoted = Computed && sizeof(To) < 4 && sizeof(From) <= 4;
  static_assert(asked_of || !(fractional<From> && integer<To>),
                "preduce: a floating-point range with an integer init or result would drop every fraction: write the "
                "init as 0.0 or 0.0f, or reduce into a float or double");
  static_assert(
      asked_of || promoted || !(integer<From> && integer<To> && sizeof(From) > sizeof(To)),
      "preduce: an integer range with a narrower init or result would be cut element by element: write the init "
      "in the range's type, or transform it");
}

/// Whether a From can become a To, or the Part that a monoid makes a To of.
template <class From, class To, class Part = To>
consteval bool check_conversion() {
  constexpr bool converts = std::is_constructible_v<To, From> || std::is_constructible_v<Part, From> ||
                            (is_complex<To> && (arithmetic<From> || is_complex<From>));
  static_assert(converts,
                "preduce: the elements do not convert to the type of init or the result, which they are accumulated "
                "in: write it as theirs, std::complex<double>(0) for complex numbers, or transform them");
  return converts;
}

/// By its name: <complex> is too heavy for those who do not need it.
template <class T>
consteval bool is_std_complex() {
  auto const* given = detail::type_name<T>();
  for (auto const* at = "std::complex<"; *at != '\0'; ++at, ++given) {
    if (*given != *at) return false;
  }
  return true;
}

template <class T>
consteval bool check_value_type() {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "preduce: the result must not be const");
  static_assert(is_bitwise_copyable<T>,
                "preduce: the value type must be trivially copyable; where copying its bytes is right all the same, "
                "specialise preduce::is_bitwise_copyable");
  static_assert(sizeof(T) <= 1024, "preduce: the value type is larger than 1024 bytes");
  static_assert(alignof(T) <= 64, "preduce: the value type is aligned to more than 64 bytes");
  using number = typename number_in<T>::type;
  constexpr bool known_small_float = !is_small_float<number> || !std::same_as<working_t<number>, number>;
  static_assert(known_small_float,
                "preduce: half and bfloat16 are accumulated in float: include <preduce/half.hpp> or "
                "<preduce/bfloat16.hpp>");
  constexpr bool known_float =
      !std::floating_point<number> || std::same_as<number, float> || std::same_as<number, double>;
  static_assert(known_float, "preduce: long double has no bits that two machines agree on: use double");
  constexpr bool known_complex = is_complex<T> || !detail::is_std_complex<T>();
  static_assert(known_complex, "preduce: std::complex needs its header: include <preduce/complex.hpp>");
  return is_bitwise_copyable<T> && sizeof(T) <= 1024 && alignof(T) <= 64 && known_float && known_small_float &&
         known_complex;
}

/// Whether elements of type Element can be reduced into T, init's type, by Op.
template <class T, class Op, class Element>
consteval bool check_init() {
  constexpr bool is_operator = is_builtin_monoid<typename widened<T>::type> || requires {
    &T::combine;
  };
  constexpr bool needs_index = requires {
    typename Op::part_type;
  }
  &&!std::is_constructible_v<T, Element>;
  static_assert(!is_operator, "preduce: an operator stands where init belongs: reduce(policy, first, last, init, op)");
  static_assert(!needs_index,
                "preduce: the operator keeps the elements' indices, and reduce has none: use parallel_reduce(policy, "
                "first, last, preduce::min_loc(result))");
  if constexpr (!is_operator && !needs_index)
    return detail::check_conversion<Element, T>();
  else
    return false;
}

/// Whether a reduction of T can combine with M. as_monoid has said what is wrong, if anything is.
template <class M, class T>
inline constexpr bool is_monoid_over = combines<M, T>;
template <class T, class Op>
inline constexpr bool is_monoid_over<callable_monoid<T, Op>, T> = combines_by_call<Op, T> || is_device_lambda<Op>();
template <class T, class Monoid>
inline constexpr bool is_monoid_over<with_identity<T, Monoid>, T> = is_monoid_over<Monoid, T>;

/// Wraps what a user gave as an operator into a monoid over T, or says what is wrong with it.
template <class T, class Op>
constexpr auto as_monoid(Op op) {
  if constexpr (is_builtin_monoid<Op> && requires { typename Op::value_type; }) {
    static_assert(std::same_as<typename Op::value_type, T>,
                  "preduce: the operator's type is not the accumulator's: preduce::plus<T> combines T, init's type");
    return op;
  } else if constexpr (has_combine_member<Op, T>) {
    static_assert(combines<Op, T>,
                  "preduce: combine must take two values and return one: T combine(T const&, T const&) const");
    return op;
  } else {
    static_assert(
        combines_by_call<Op, T> || detail::is_device_lambda<Op>(),
        "preduce: combine must take two values and return one: op(a, b), or a struct with T combine(T const&, "
        "T const&) const");
    return callable_monoid<T, Op>{op};
  }
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// An execution policy: names itself and runs a detail::reduction.
template <class P>
concept policy = requires(P const& p) {
  { p.name() } -> std::convertible_to<char const*>;
  typename P::policy_tag;
};

/// What a call reduces over.
template <class R>
concept index_range = (std::integral<R> && !std::same_as<R, bool> && sizeof(R) <= 8) || std::same_as<R, range>;

}  // namespace preduce::inline PREDUCE_ABI

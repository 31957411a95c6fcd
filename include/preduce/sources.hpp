#pragma once
// What element i of a reduction is. A source is copied into kernels; it says how an element contributes to a lane.
// No [[no_unique_address]] here, nor in anything else that kernels receive: nvcc 13.0 lays such classes out differently
// in device code than its own front end says, and kernels then read their parameters from the wrong places.

#include <preduce/concepts.hpp>
#include <preduce/config.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

/// For types of several floating-point parts, specialised beside them: `static V of(V)`, kept_apart of each.
template <class V>
struct parts_kept_apart;

/// The value itself. Keeps the compiler from fusing the multiplication that made it into the addition that takes it: on
/// a host with such an instruction that would change the bits. (On a device the addition itself is kept apart.)
template <class V>
PREDUCE_FUNCTION V kept_apart(V value) {
#if !defined(__CUDA_ARCH__) && PREDUCE_HOST_FUSES
  if constexpr (requires { parts_kept_apart<V>::of(value); }) {
    return parts_kept_apart<V>::of(value);
  } else if constexpr (std::is_floating_point_v<V>) {
#  if defined(__x86_64__)
    asm("" : "+x"(value));
#  elif defined(__aarch64__)
    asm("" : "+w"(value));
#  else
    asm("" : "+m"(value));
#  endif
  } else if constexpr (std::is_class_v<V>) {
    asm("" : "+m"(value));
  }
#endif
  return value;
}

/// A lane starts from its first element; under a built-in operator from the identity, where the caller has put it.
template <class Monoid, class V>
PREDUCE_FUNCTION void add_to(Monoid const& monoid, V& lane, V const& next, bool first) {
  if constexpr (is_builtin_monoid<Monoid>)
    lane = monoid.combine(lane, detail::kept_apart(next));
  else
    lane = first ? next : monoid.combine(lane, detail::kept_apart(next));
}

/// For types whose own conversion is slow on a host, specialised beside them: `static V of(T)` with the same bits.
template <class V, class T>
struct host_conversion;

/// The default map: the accumulator's type.
template <class V>
struct convert_to {
  template <class T>
  [[nodiscard]] PREDUCE_FUNCTION constexpr V operator()(T const& value) const {
#ifndef __CUDA_ARCH__
    if constexpr (requires { host_conversion<V, T>::of(value); })
      return host_conversion<V, T>::of(value);
    else
#endif
      return static_cast<V>(value);
  }
};

/// What a kernel may rely on when it reads elements of memory: a type, so that it holds the code for one case only.
enum class access : std::uint8_t {
  any,         ///< nothing
  aligned,     ///< `data` is a multiple of 16
  skipping,    ///< that too, and the first `skip` elements, fewer than 16 bytes, are not the reduction's: nobody reads
               ///< them
  one_by_one,  ///< nothing, and elements are read so, not by vectors
};

constexpr bool is_aligned(access how) {
  return how == access::aligned || how == access::skipping;
}

/// The elements between the last multiple of 16 before `data` and it.
template <class T>
int elements_beyond_boundary(T const* data) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(data) % 16 / sizeof(T));
}

/// n elements in memory, each mapped to V. `data` is valid where the policy runs.
template <class T, class V, class Map = convert_to<V>, access Access = access::any>
struct pointer_source {
  using element_type = T;
  using value_type = V;
  static constexpr bool in_memory = true;
  static constexpr bool aligned = detail::is_aligned(Access);
  static constexpr bool skips = Access == access::skipping;
  static constexpr bool is_plain = std::is_same_v<Map, convert_to<V>>;  ///< elements are only converted
  /// ... which may compute what could be fused, where their type is a user's.
  static constexpr bool is_computed = !is_plain || !(arithmetic<T> || is_small_float<T> || is_complex<T>);

  T const* data;
  Map map;
  int skip = 0;

  [[nodiscard]] pointer_source<T, V, Map, access::aligned> as_aligned() const { return {data, map}; }
  [[nodiscard]] pointer_source<T, V, Map, access::one_by_one> as_one_by_one() const { return {data, map}; }
  [[nodiscard]] pointer_source<T, V, Map, access::skipping> as_skipping() const {
    int const beyond = detail::elements_beyond_boundary(data);
    return {data - beyond, map, beyond};
  }

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION V mapped(T const& element) const { return convert_to<V>{}(map(element)); }
  [[nodiscard]] PREDUCE_FUNCTION V value(std::int64_t i) const { return mapped(data[i]); }

  template <class Monoid>
  PREDUCE_FUNCTION void contribute(Monoid const& monoid, V& lane, std::int64_t i, bool first) const {
    detail::add_to(monoid, lane, value(i), first);
  }

  /// Calls check(address) for whatever the first element is read from. n > 0.
  template <class Check>
  void check_memory(Check const& check) const {
    check(static_cast<void const*>(data));
  }

  [[nodiscard]] static consteval bool returns_value() { return true; }
#ifdef __CUDACC__
  /// Never run: nvcc refuses it where map is not for the device.
  __device__ void must_run_on_device(V& any) const {
    (void)map(*data);
  }
#endif
};

/// Whether a kernel can take elements of T by vectors and keep count of their places itself; location.hpp says for
/// which monoids.
template <class T, class Monoid>
inline constexpr bool located_by_vectors = false;

/// n elements in memory, each with its index: Monoid::element(data[i], i), for monoids over more than the value.
template <class T, class Monoid>
struct located_source {
  using element_type = T;
  using value_type = typename Monoid::value_type;
  static constexpr bool in_memory = true;
  static constexpr bool aligned = false;
  static constexpr bool skips = false;
  static constexpr bool is_plain = true;
  static constexpr bool is_computed = false;

  T const* data;

  [[nodiscard]] PREDUCE_FUNCTION value_type value(std::int64_t i) const { return Monoid::element(data[i], i); }

  template <class M>
  PREDUCE_FUNCTION void contribute(M const& monoid, value_type& lane, std::int64_t i, bool first) const {
    detail::add_to(monoid, lane, value(i), first);
  }

  template <class Check>
  void check_memory(Check const& check) const {
    check(static_cast<void const*>(data));
  }

  [[nodiscard]] static consteval bool returns_value() { return true; }
#ifdef __CUDACC__
  /// Never run: nvcc refuses it where the element's conversion is not for the device.
  __device__ void must_run_on_device(value_type&) const {
    (void)value(0);
  }
#endif
};

/// Whether an element alone says what it contributes, so that vectors of them can be mapped without their indices.
template <class Source>
concept maps_elements = requires(Source const& source, typename Source::element_type const& element) {
  source.mapped(element);
};

/// What a functor reads is its own affair; guests' iterators (<preduce/thrust.hpp>) say what lies behind them. A class,
/// so that those who come later are found without argument-dependent lookup.
template <class F>
struct memory_behind {
  template <class Check>
  static void visit(F const&, Check const&) {}
};

/// f(i) or f(i, lane), for i from `begin`; Index is the type that the functor takes. Which of the two forms it is, is
/// decided where it is instantiated: the host cannot tell for a `__device__` lambda.
template <class F, class V, class Index>
struct functor_source {
  using element_type = V;
  using value_type = V;
  static constexpr bool in_memory = false;
  static constexpr bool aligned = false;
  static constexpr bool skips = false;
  static constexpr bool is_plain = false;
  static constexpr bool is_computed = true;

  F f;
  std::int64_t begin;

  [[nodiscard]] PREDUCE_FUNCTION Index index(std::int64_t i) const { return static_cast<Index>(begin + i); }
  [[nodiscard]] static consteval bool returns_value() { return value_form<F, V>; }

  template <class Check>
  void check_memory(Check const& check) const {
    memory_behind<F>::visit(f, check);
  }

  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION V value(std::int64_t i) const { return convert_to<V>{}(f(index(i))); }

  /// The lane starts from its first element, or in the accumulator form from the identity.
  PREDUCE_HOST_CALLS_ALLOWED
  template <class Monoid>
  PREDUCE_FUNCTION void contribute(Monoid const& monoid, V& lane, std::int64_t i, bool first) const {
    if constexpr (value_form<F, V>) {
      detail::add_to(monoid, lane, value(i), first);
    } else {
      if (first && !is_builtin_monoid<Monoid>) lane = monoid.identity();
      f(index(i), lane);
    }
  }

#ifdef __CUDACC__
  /// Never run: nvcc refuses it where f is not for the device.
  __device__ void must_run_on_device(V& any) const {
    if constexpr (requires { f.must_run_on_device(); })
      f.must_run_on_device();
    else if constexpr (value_form<F, V>)
      (void)f(index(0));
    else
      f(index(0), any);
  }
#endif
};

/// What f(i) contributes to a monoid over more than the value: Monoid::element(f(i), i).
template <class F, class Monoid>
struct indexed_element {
  using value_type = typename Monoid::value_type;
  F f;
  PREDUCE_HOST_CALLS_ALLOWED
  [[nodiscard]] PREDUCE_FUNCTION value_type operator()(index_t<F> i) const { return Monoid::element(f(i), i); }

#ifdef __CUDACC__
  __device__ void must_run_on_device() const {
    (void)f(index_t<F>{});
  }
#endif
};

template <class F, class Monoid>
struct memory_behind<indexed_element<F, Monoid>> {
  template <class Check>
  static void visit(indexed_element<F, Monoid> const& element, Check const& check) {
    memory_behind<F>::visit(element.f, check);
  }
};

/// What a contribution is converted to: a part that the monoid makes its value of, if it has such, or the value.
template <class Monoid, class V>
struct contribution : std::type_identity<V> {};
template <class Monoid, class V>
requires requires {
  typename Monoid::part_type;
}
struct contribution<Monoid, V> : std::type_identity<typename Monoid::part_type> {};

/// Whether a T is such a part of V, not a V itself.
template <class T, class V, class Monoid>
inline constexpr bool is_part =
    !std::same_as<typename contribution<Monoid, V>::type, V> && !std::is_constructible_v<V, T>;

/// Whether f(i) is. (A `__device__` lambda's is taken to be where there are parts: the host cannot ask.)
template <class F, class V, class Monoid>
inline constexpr bool returns_part = false;
template <class F, class V, class Monoid>
requires(value_form<F, V>&& requires { typename Monoid::part_type; }) inline constexpr bool returns_part<F, V, Monoid> =
    detail::is_device_lambda<F>() || is_part<std::invoke_result_t<F const&, index_t<F>>, V, Monoid>;

/// Storage for a V that starts without a value: lanes start from data, and V may have no default constructor.
template <class V>
union uninitialized {
  V value;
  PREDUCE_FUNCTION uninitialized() {}  // NOLINT: leaves value alone on purpose
};

/// V, or nothing. Trivially copyable where V is, for kernels.
template <class V>
struct maybe {
  bool present = false;
  uninitialized<V> storage;
  // Zeros, not V{}: copies of an absent value then read nothing that was never written, which g++ warns of.
  maybe() { __builtin_memset(static_cast<void*>(&storage), 0, sizeof(storage)); }
  PREDUCE_FUNCTION explicit maybe(V const& v) : present(true) { storage.value = v; }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

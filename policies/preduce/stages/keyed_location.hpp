#pragma once
// What kernels combine where a location is asked for: not elements, whose comparison takes care of NaN and of the
// zeros' signs, but keys that were made of them once and compare as integers do.

#include <preduce/location.hpp>
#include <preduce/monoids.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/view.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

template <class T, int Sign>
using location_key_t = std::remove_cvref_t<decltype(detail::location_key<Sign>(T{}))>;

/// A key and where it was seen; the lower index among equals.
template <class Key, int Sign, class Index>
struct key_and_index {
  Key key;
  Index index;

  [[nodiscard]] PREDUCE_FUNCTION static constexpr bool before(Key const& a, Key const& b) {
    return Sign < 0 ? a < b : b < a;
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr key_and_index better(key_and_index const& a, key_and_index const& b) {
    bool const second = before(b.key, a.key) || (b.key == a.key && b.index < a.index);
    return second ? b : a;
  }
};

/// An index beyond every tile's.
inline constexpr std::int32_t no_tile_index = 0x7fffffff;

/// The element that a key was made of. All NaN have one key, and give the canonical NaN.
template <class T, int Sign>
PREDUCE_FUNCTION T from_location_key(location_key_t<T, Sign> key) {
  if constexpr (std::floating_point<T>) {
    using number = location_key_t<T, Sign>;
    if (key == (Sign < 0 ? least<number> : greatest<number>)) return __builtin_bit_cast(T, float_layout<T>::quiet_nan);
    return detail::from_ordered_key<T>(key);
  } else {
    return key;
  }
}

/// located<T> as kernels hold it.
template <class T, int Sign>
struct keyed : key_and_index<location_key_t<T, Sign>, Sign, std::int64_t> {
  static constexpr int sign = Sign;

  template <class U>
  [[nodiscard]] PREDUCE_FUNCTION explicit operator located<U>() const {
    return {static_cast<U>(detail::from_location_key<T, Sign>(this->key)), this->index == no_index ? -1 : this->index};
  }
};

/// extreme_location over it.
template <class T, int Sign>
struct keyed_location {
  using value_type = keyed<T, Sign>;
  static constexpr bool commutative = true;

  [[nodiscard]] PREDUCE_FUNCTION value_type combine(value_type const& a, value_type const& b) const {
    return {value_type::better(a, b)};
  }
  [[nodiscard]] PREDUCE_FUNCTION static constexpr value_type identity() {
    using key = location_key_t<T, Sign>;
    return {{Sign < 0 ? greatest<key> : least<key>, no_index}};
  }
  [[nodiscard]] PREDUCE_FUNCTION static value_type element(T const& value, std::int64_t index) {
    return {{detail::location_key<Sign>(value), index}};
  }
};
template <class T, int Sign>
inline constexpr bool is_builtin_monoid<keyed_location<T, Sign>> = true;

/// Elements of a location, read by vectors from a multiple of 16 on; the first `skip` are not the reduction's.
template <class T, int Sign>
struct keyed_source {
  using element_type = T;
  using value_type = keyed<T, Sign>;
  static constexpr bool in_memory = true;
  static constexpr bool aligned = true;
  static constexpr bool skips = true;

  T const* data;
  int skip;
#ifdef __CUDACC__
  __device__ void must_run_on_device(value_type&) const {}
#endif
};

template <class T, int Sign>
requires located_by_vectors<T, extreme_location<T, Sign>>
struct readings<located_source<T, extreme_location<T, Sign>>, extreme_location<T, Sign>> {
  static constexpr bool any = true;
  static constexpr bool one_by_one = false;
  static constexpr bool aligned = false;
  static constexpr bool skipping = true;
  /// What located_small has bits for, beside the element.
  static constexpr std::int64_t most_rows = sizeof(T) == 1 ? 256 : 65536;
  static keyed_source<T, Sign> skipped(located_source<T, extreme_location<T, Sign>> const& source) {
    int const beyond = detail::elements_beyond_boundary(source.data);
    return {source.data - beyond, beyond};
  }
};

/// What a kernel combines with, and starts from, where a source is read in the kernel's own form.
template <class Source, class Monoid>
struct kernel_form {
  using monoid = Monoid;
  using value = typename Source::value_type;
  static monoid const& of(Monoid const& given) { return given; }
  static maybe<value> const& of(maybe<value> const& init) { return init; }
};
template <class T, int Sign>
struct kernel_form<keyed_source<T, Sign>, extreme_location<T, Sign>> {
  using monoid = keyed_location<T, Sign>;
  using value = keyed<T, Sign>;
  static monoid of(extreme_location<T, Sign>) { return {}; }
  static maybe<value> of(maybe<located<T>> const& init) {
    if (!init.present) return {};
    return maybe<value>(monoid::element(init.storage.value.value, init.storage.value.index));
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

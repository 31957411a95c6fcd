#pragma once
// Three levels of the tree over sums in a CPU's vector registers. Of plain loops compilers make such
// code at one optimisation level, and not at another.

#include <preduce/config.hpp>
#include <preduce/monoids.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

// A fold's code depends on the instructions that a file is compiled for, so its name does: where a program's files are
// compiled for different ones, the linker must not make one fold of two files' parts.
#if defined(__CUDACC__) || !(defined(__SSE2__) || defined(__aarch64__))  // nvcc's host pass knows no such vectors
#  define PREDUCE_HOST_VECTOR_BYTES 0
#  define PREDUCE_HOST_ISA host_without_vectors
#elif defined(__AVX512F__)
#  define PREDUCE_HOST_VECTOR_BYTES 64
#  define PREDUCE_HOST_ISA host_vectors_of_64_bytes
#elif PREDUCE_HOST_FUSES
#  define PREDUCE_HOST_VECTOR_BYTES 16
#  define PREDUCE_HOST_ISA host_vectors_of_16_bytes_fusing
#else
#  define PREDUCE_HOST_VECTOR_BYTES 16
#  define PREDUCE_HOST_ISA host_vectors_of_16_bytes
#endif

namespace preduce::detail::inline PREDUCE_ABI {
inline namespace PREDUCE_HOST_ISA {

/// 64 or 16: AVX2 crosses its halves only at the price of another instruction.
inline constexpr int host_vector_bytes = PREDUCE_HOST_VECTOR_BYTES;

/// Whether fold_eight_vectors has the operator.
template <class Monoid, class V>
inline constexpr bool has_host_vectors = false;

/// Three levels of the neighbour tree over the elements of eight vectors of `Bytes`, into one. `to` may lie in `lanes`,
/// not behind them.
template <int Bytes, class V>
void fold_eight_vectors(V const* lanes, V* to);

#if PREDUCE_HOST_VECTOR_BYTES > 0

template <class V>
inline constexpr bool has_host_vectors<plus<V>, V> = std::same_as<V, float> || std::same_as<V, double> ||
                                                     (plain_integer<V> && (sizeof(V) == 4 || sizeof(V) == 8));

/// What vectors are made of: integers wrap.
template <class V>
struct host_vector_part : std::type_identity<V> {};
template <plain_integer V>
struct host_vector_part<V> : std::make_unsigned<V> {};

template <int Bytes, class Part>
struct host_vector {
  static constexpr int width = Bytes / static_cast<int>(sizeof(Part));
  using places = std::make_integer_sequence<int, width>;
  typedef Part type __attribute__((vector_size(Bytes)));
};

/// The sums of neighbours in two vectors.
template <int Bytes, class Part, int... Place>
inline typename host_vector<Bytes, Part>::type add_neighbours(typename host_vector<Bytes, Part>::type const& a,
                                                              typename host_vector<Bytes, Part>::type const& b,
                                                              std::integer_sequence<int, Place...>) {
#  if defined(__clang__)
  return __builtin_shufflevector(a, b, 2 * Place...) + __builtin_shufflevector(a, b, 2 * Place + 1 ...);
#  else
  using index = typename host_vector<Bytes, std::conditional_t<sizeof(Part) == 4, std::int32_t, std::int64_t> >::type;
  return __builtin_shuffle(a, b, index{2 * Place...}) + __builtin_shuffle(a, b, index{2 * Place + 1 ...});
#  endif
}

template <int Bytes, int Vectors, class V>
inline auto fold_host_vectors(V const* lanes) {
  using part = typename host_vector_part<V>::type;
  using vector = host_vector<Bytes, part>;
  if constexpr (Vectors == 1) {
    typename vector::type loaded;
    __builtin_memcpy(&loaded, lanes, sizeof(loaded));
    return loaded;
  } else {
    constexpr int half = Vectors / 2;
    return detail::add_neighbours<Bytes, part>(detail::fold_host_vectors<Bytes, half>(lanes),
                                               detail::fold_host_vectors<Bytes, half>(lanes + half * vector::width),
                                               typename vector::places{});
  }
}

template <int Bytes, class V>
inline void fold_eight_vectors(V const* lanes, V* to) {
  auto const folded = detail::fold_host_vectors<Bytes, 8>(lanes);
  __builtin_memcpy(to, &folded, sizeof(folded));
}

#endif

}  // namespace PREDUCE_HOST_ISA
}  // namespace preduce::detail::inline PREDUCE_ABI

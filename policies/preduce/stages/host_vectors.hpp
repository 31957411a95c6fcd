#pragma once
// Three levels of the tree over float and double sums in a CPU's vector registers. Of plain loops compilers make such
// code at one optimisation level, and not at another.

#include <preduce/monoids.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

// What the instructions that a file is compiled for change is in a namespace of theirs: the linker must not take a part
// of it from a file that is compiled for others.
#if defined(__CUDACC__) || !(defined(__SSE2__) || defined(__aarch64__))  // nvcc's host pass knows no such vectors
#  define PREDUCE_HOST_ISA host_without_vectors
#  define PREDUCE_HOST_VECTOR_BYTES 0
#elif defined(__AVX512F__)
#  define PREDUCE_HOST_ISA host_vectors_of_64_bytes
#  define PREDUCE_HOST_VECTOR_BYTES 64
#else  // AVX2 crosses its halves only at the price of another instruction
#  define PREDUCE_HOST_ISA host_vectors_of_16_bytes
#  define PREDUCE_HOST_VECTOR_BYTES 16
#endif

namespace preduce::detail::inline PREDUCE_ABI {
inline namespace PREDUCE_HOST_ISA {

inline constexpr int host_vector_bytes = PREDUCE_HOST_VECTOR_BYTES > 0 ? PREDUCE_HOST_VECTOR_BYTES : 16;

/// Whether fold_eight_vectors has the operator.
template <class Monoid, class V>
inline constexpr bool has_host_vectors = false;

/// Three levels of the neighbour tree over the elements of eight vectors, into one. `to` may lie in `lanes`.
template <class V>
void fold_eight_vectors(V const* lanes, V* to);

#if PREDUCE_HOST_VECTOR_BYTES > 0

template <class V>
inline constexpr bool has_host_vectors<plus<V>, V> = std::same_as<V, float> || std::same_as<V, double>;

template <class V>
struct host_vector {
  static constexpr int width = host_vector_bytes / static_cast<int>(sizeof(V));
  using places = std::make_integer_sequence<int, width>;
  typedef V type __attribute__((vector_size(host_vector_bytes)));
};

/// The sums of neighbours in two vectors.
template <class V, int... Place>
inline typename host_vector<V>::type add_neighbours(typename host_vector<V>::type const& a,
                                                    typename host_vector<V>::type const& b,
                                                    std::integer_sequence<int, Place...>) {
#  if defined(__clang__)
  return __builtin_shufflevector(a, b, 2 * Place...) + __builtin_shufflevector(a, b, 2 * Place + 1 ...);
#  else
  using index = typename host_vector<std::conditional_t<sizeof(V) == 4, int, long> >::type;
  return __builtin_shuffle(a, b, index{2 * Place...}) + __builtin_shuffle(a, b, index{2 * Place + 1 ...});
#  endif
}

template <int Vectors, class V>
inline typename host_vector<V>::type fold_host_vectors(V const* lanes) {
  if constexpr (Vectors == 1) {
    typename host_vector<V>::type loaded;
    __builtin_memcpy(&loaded, lanes, sizeof(loaded));
    return loaded;
  } else {
    constexpr int half = Vectors / 2;
    return detail::add_neighbours<V>(detail::fold_host_vectors<half>(lanes),
                                     detail::fold_host_vectors<half>(lanes + half * host_vector<V>::width),
                                     typename host_vector<V>::places{});
  }
}

template <class V>
inline void fold_eight_vectors(V const* lanes, V* to) {
  auto const folded = detail::fold_host_vectors<8>(lanes);
  __builtin_memcpy(to, &folded, sizeof(folded));
}

#endif

}  // namespace PREDUCE_HOST_ISA
}  // namespace preduce::detail::inline PREDUCE_ABI

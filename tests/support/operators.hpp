#pragma once
// Functors and operators of the tests. Namespace-scope structs, because nvcc takes neither a lambda inside a generic
// lambda nor a local struct into a kernel.

#include <preduce/config.hpp>

#include <cstdint>
#include <type_traits>

// nvcc unrolls 128 words, and takes a minute for the kernels around them.
#ifdef __CUDA_ARCH__
#  define PREDUCE_TEST_ROLLED _Pragma("unroll 1")
#else
#  define PREDUCE_TEST_ROLLED
#endif

namespace functors {

/// Element i of an array.
template <class T>
struct load {
  T const* data;
  PREDUCE_FUNCTION T operator()(std::int64_t i) const { return data[i]; }
};

/// Element i of an array, in the accumulator form.
template <class T>
struct add_to {
  T const* data;
  PREDUCE_FUNCTION void operator()(std::int64_t i, T& sum) const { sum += data[i]; }
};

template <class T>
struct multiply_into {
  T const* data;
  PREDUCE_FUNCTION void operator()(std::int64_t i, T& product) const { product *= data[i]; }
};

template <class T>
struct lower_to {
  T const* data;
  PREDUCE_FUNCTION void operator()(std::int64_t i, T& low) const {
    if (data[i] < low) low = data[i];
  }
};

template <class T>
struct raise_to {
  T const* data;
  PREDUCE_FUNCTION void operator()(std::int64_t i, T& high) const {
    if (data[i] > high) high = data[i];
  }
};

/// x[i] * y[i]: invites the compiler to fuse the product into the sum.
template <class T>
struct product_of {
  T const* x;
  T const* y;
  PREDUCE_FUNCTION T operator()(std::int64_t i) const { return x[i] * y[i]; }
};

template <class T>
struct square {
  PREDUCE_FUNCTION T operator()(T const& x) const { return x * x; }
};

/// The element itself, through a functor.
struct identity {
  template <class T>
  PREDUCE_FUNCTION T operator()(T const& x) const {
    return x;
  }
};

/// Counts.
struct one {
  template <class T>
  PREDUCE_FUNCTION std::int64_t operator()(T const&) const {
    return 1;
  }
};

/// The index itself.
struct index {
  PREDUCE_FUNCTION std::int64_t operator()(std::int64_t i) const { return i; }
};

/// The index itself, modulo 2^64: sums wrap without a fuss.
struct unsigned_index {
  PREDUCE_FUNCTION std::uint64_t operator()(std::int64_t i) const { return static_cast<std::uint64_t>(i); }
};

/// Takes a 32-bit index.
struct narrow_index {
  PREDUCE_FUNCTION std::int64_t operator()(std::int32_t i) const { return i; }
};

/// A scrambled index: no two leaves of a tree are alike.
struct scrambled_index {
  PREDUCE_FUNCTION std::uint64_t operator()(std::int64_t i) const {
    return (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
  }
};

}  // namespace functors

namespace operators {

/// splitmix64's finish: every bit of the input changes about half of the output.
PREDUCE_FUNCTION inline std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Neither commutes nor associates: two results are equal only if operands and brackets are the same. The tree is
/// fixed, so its bits are defined all the same.
struct hash {
  PREDUCE_FUNCTION std::uint64_t operator()(std::uint64_t const& a, std::uint64_t const& b) const {
    return scramble(a * 5 + scramble(b));
  }
};

/// The same as a monoid that keeps its operands in order, without identity.
struct ordered_hash {
  using value_type = std::uint64_t;
  static constexpr bool commutative = false;
  PREDUCE_FUNCTION std::uint64_t combine(std::uint64_t const& a, std::uint64_t const& b) const { return hash{}(a, b); }
};

/// x -> slope x + offset, modulo a prime.
struct affine {
  std::uint32_t slope, offset;
  friend bool operator==(affine const&, affine const&) = default;
};

/// First a, then b: associates, does not commute.
struct then {
  using value_type = affine;
  static constexpr bool commutative = false;
  static constexpr std::uint64_t prime = 998244353;
  PREDUCE_FUNCTION affine combine(affine const& a, affine const& b) const {
    auto const slope = std::uint64_t{b.slope} * a.slope % prime;
    auto const offset = (std::uint64_t{b.slope} * a.offset + b.offset) % prime;
    return {static_cast<std::uint32_t>(slope), static_cast<std::uint32_t>(offset)};
  }
  PREDUCE_FUNCTION affine identity() const { return {1, 0}; }
};

struct affine_from_index {
  PREDUCE_FUNCTION affine operator()(std::int64_t i) const {
    auto const random = scramble(static_cast<std::uint64_t>(i) + 1);
    return {static_cast<std::uint32_t>(random % then::prime), static_cast<std::uint32_t>((random >> 32) % then::prime)};
  }
};

/// `Count` words: objects of a given size and alignment, without padding.
template <class Word, int Count>
struct words {
  Word word[Count];
};

/// Over-aligned.
struct alignas(32) wide_words {
  std::uint32_t word[8];
};

/// Adds word by word, modulo 2^bits: associates and commutes.
struct add_words {
  template <class Words>
  PREDUCE_FUNCTION Words operator()(Words const& a, Words const& b) const {
    using word_type = std::remove_cvref_t<decltype(a.word[0])>;
    Words sum;
    PREDUCE_TEST_ROLLED
    for (int k = 0; k < static_cast<int>(sizeof(a.word) / sizeof(a.word[0])); ++k)
      sum.word[k] = static_cast<word_type>(a.word[k] + b.word[k]);
    return sum;
  }
};

/// Mixes every word with its neighbour in the other object: a lost, torn or exchanged word changes the result, and so
/// does any other order.
struct mix_words {
  template <class Words>
  PREDUCE_FUNCTION Words operator()(Words const& a, Words const& b) const {
    using word_type = std::remove_cvref_t<decltype(a.word[0])>;
    constexpr int count = static_cast<int>(sizeof(a.word) / sizeof(a.word[0]));
    Words mixed;
    PREDUCE_TEST_ROLLED
    for (int k = 0; k < count; ++k) {
      auto const x = static_cast<std::uint64_t>(a.word[k]);
      auto const y = static_cast<std::uint64_t>(b.word[(k + 1) % count]);
      mixed.word[k] = static_cast<word_type>((x * 5) ^ (y * 3 + (y >> 1) + static_cast<std::uint64_t>(k)));
    }
    return mixed;
  }
};

/// mix_words for a plain byte.
struct mix_bytes {
  PREDUCE_FUNCTION std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const {
    return static_cast<std::uint8_t>((a * 5) ^ (b * 3 + (b >> 1)));
  }
};

/// The value of lower rank, the left one of equals: a minimum over a struct that has no limits.
struct ranked {
  std::int32_t rank, name;
};

struct lower_rank {
  using value_type = ranked;
  PREDUCE_FUNCTION ranked combine(ranked const& a, ranked const& b) const {
    if (a.rank != b.rank) return a.rank < b.rank ? a : b;
    return a.name < b.name ? a : b;
  }
};

}  // namespace operators

#pragma once
// Walks policies and sizes, and compares what they give with the oracle, bit for bit.

#include "lists.hpp"
#include "memory.hpp"
#include "oracle.hpp"
#include "seed.hpp"

#include <doctest/doctest.h>
#include <preduce/preduce.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace walk {

/// At most 16 bytes, in memory order.
inline std::string hex(void const* object, std::size_t bytes) {
  std::string text;
  for (std::size_t k = 0; k < bytes && k < 16; ++k) {
    char digits[4];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char const*>(object)[k]);
    text += digits;
  }
  return text;
}

/// Not a template, so that the assertion is compiled once a file.
inline bool same_bytes(void const* want, void const* got, std::size_t bytes, char const* what,
                       std::string const& policy, std::int64_t n) {
  bool const same = std::memcmp(want, got, bytes) == 0;
  CHECK_MESSAGE(same, what, "; ", policy, "; n = ", n, "; want ", hex(want, bytes), ", got ", hex(got, bytes),
                "; PREDUCE_TEST_SEED=", sample::seed());
  return same;
}

/// False where the bits differ: callers leave their loop then, one difference says enough.
template <class T>
bool same_bits(T const& want, T const& got, char const* what, lists::entry const& about, std::int64_t n) {
  return same_bytes(&want, &got, sizeof(T), what, about.name, n);
}

using sizes_of = std::vector<std::int64_t> (*)(lists::entry const&);

/// The oracle's totals, each computed once for all policies.
template <class T>
class totals {
 public:
  template <class Compute>
  T const& at(std::int64_t n, Compute const& compute) {
    auto found = known_.find(n);
    if (found == known_.end()) found = known_.emplace(n, compute(n)).first;
    return found->second;
  }

 private:
  std::map<std::int64_t, T> known_;
};

/// reduce(policy, first, first + n, init, op) over the first n values, for every policy and n. `reference` is op in the
/// test's own words.
template <class T, class Op, class Reference>
void pointers(char const* what, std::vector<T> const& values, T init, Op op, Reference reference, sizes_of sizes) {
  totals<T> known;
  auto const total = [&](std::int64_t n) {
    auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
    return n == 0 ? init : static_cast<T>(reference(init, oracle::total<T>(n, element, reference)));
  };
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<T> const data(about.place, values);
    for (auto const n : sizes(about)) {
      if (n > static_cast<std::int64_t>(values.size())) break;
      T const* const first = data.first(static_cast<std::size_t>(n));
      T const got = preduce::reduce(policy, first, first + n, init, op);
      if (!same_bits(known.at(n, total), got, what, about, n)) break;
    }
  });
}

/// parallel_reduce(policy, n, functor, reducer(op, result)) for every policy and n >= 1.
template <class T, class Functor, class Op, class Total>
void indices(char const* what, Functor functor, Op op, Total const& total, sizes_of sizes) {
  totals<T> known;
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    for (auto const n : sizes(about)) {
      if (n == 0) continue;  // op may have no identity
      T got = memory::poisoned<T>();
      preduce::parallel_reduce(policy, n, functor, preduce::reducer(op, got));
      if (!same_bits(known.at(n, total), got, what, about, n)) break;
    }
  });
}

}  // namespace walk

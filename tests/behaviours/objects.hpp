#pragma once
// Behaviour 14: objects of every size move whole.

#include "../support/operators.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <utility>

namespace object_tests {

/// Fewer elements of larger objects: 4 MiB at most.
inline std::vector<std::int64_t> sizes_of_large(lists::entry const& about) {
  auto all = lists::few_sizes(about);
  std::erase_if(all, [](std::int64_t n) { return n > 4097; });
  if (about.pace == sizes::pace::fast) return all;
  std::erase_if(all, [](std::int64_t n) { return device::sanitized ? n > 40 : n > 40 && n % 1024 > 1; });
  return all;
}

inline std::vector<std::int64_t> sizes_of_large_once(lists::entry const& about) {
  return lists::covers(about) ? sizes_of_large(about) : std::vector<std::int64_t>{};
}

/// Whether every launch is walked, or each policy once.
enum class launches : std::uint8_t { all, once };

template <class T>
void moves_whole(launches which = launches::once) {
  bool const large = sizeof(T) > 64;
  auto const values = sample::random_bytes<T>(large ? 4097 : 40000, sizeof(T));
  auto const sizes = which == launches::all ? (large ? sizes_of_large : lists::few_sizes)
                                            : (large ? sizes_of_large_once : lists::few_sizes_once);
  auto const init = values[1];
  walk::pointers("mixed words", values, init, operators::mix_words{}, operators::mix_words{}, sizes);
}

template <class T>
void adds_words() {
  auto const values = sample::random_bytes<T>(sizeof(T) > 64 ? 4097 : 40000, sizeof(T) + 1);
  auto const init = values[2];
  walk::pointers("added words", values, init, operators::add_words{}, operators::add_words{}, sizes_of_large_once);
}

}  // namespace object_tests

TEST_CASE("behaviour 14, promise 11: objects of 1 byte to 1 KiB move whole" * doctest::skip(device::missing())) {
  using namespace operators;
  using byte = std::uint8_t;
  SUBCASE("3 bytes") {
    object_tests::moves_whole<words<byte, 3>>(object_tests::launches::all);
  }
  SUBCASE("12 bytes") {
    object_tests::moves_whole<words<std::uint32_t, 3>>();
  }
  SUBCASE("16 bytes") {
    object_tests::moves_whole<words<std::uint64_t, 2>>();
  }
  SUBCASE("24 bytes") {
    object_tests::moves_whole<words<std::uint64_t, 3>>(object_tests::launches::all);
  }
  SUBCASE("64 bytes") {
    object_tests::moves_whole<words<std::uint64_t, 8>>();
  }
  SUBCASE("1024 bytes") {
    object_tests::moves_whole<words<std::uint64_t, 128>>(object_tests::launches::all);
  }
#ifndef __CUDACC__  // every size costs kernels; these add none of another kind
  SUBCASE("1 byte") {
    object_tests::moves_whole<words<byte, 1>>();
  }
  SUBCASE("2 bytes") {
    object_tests::moves_whole<words<byte, 2>>();
  }
  SUBCASE("4 bytes") {
    object_tests::moves_whole<words<std::uint16_t, 2>>();
  }
  SUBCASE("5 bytes") {
    object_tests::moves_whole<words<byte, 5>>();
  }
  SUBCASE("6 bytes") {
    object_tests::moves_whole<words<std::uint16_t, 3>>();
  }
  SUBCASE("8 bytes") {
    object_tests::moves_whole<words<std::uint32_t, 2>>();
  }
  SUBCASE("9 bytes") {
    object_tests::moves_whole<words<byte, 9>>();
  }
  SUBCASE("18 bytes") {
    object_tests::moves_whole<words<std::uint16_t, 9>>();
  }
  SUBCASE("32 bytes") {
    object_tests::moves_whole<words<std::uint64_t, 4>>();
  }
  SUBCASE("32 bytes, over-aligned") {
    object_tests::moves_whole<wide_words>();
  }
  SUBCASE("48 bytes") {
    object_tests::moves_whole<words<std::uint32_t, 12>>();
  }
  SUBCASE("190 bytes") {
    object_tests::moves_whole<words<std::uint16_t, 95>>();
  }
  SUBCASE("256 bytes") {
    object_tests::moves_whole<words<std::uint64_t, 32>>();
  }
#endif
}

TEST_CASE("behaviour 14: an operator that associates and commutes, over objects" * doctest::skip(device::missing())) {
  using namespace operators;
  SUBCASE("3 bytes") {
    object_tests::adds_words<words<std::uint8_t, 3>>();
  }
#ifndef PREDUCE_TEST_FEW_TYPES
  SUBCASE("16 bytes") {
    object_tests::adds_words<words<std::uint64_t, 2>>();
  }
  SUBCASE("1024 bytes") {
    object_tests::adds_words<words<std::uint64_t, 128>>();
  }
#endif
}

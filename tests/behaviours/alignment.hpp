#pragma once
// Behaviour 15: data may start anywhere.

#include "../support/operators.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <numeric>

namespace alignment_tests {

/// n with a head, whole vectors and a tail in every combination, and with several chunks.
inline std::vector<std::int64_t> sizes_at(sizes::pace how) {
  std::vector<std::int64_t> all{1, 2, 3, 15, 17, 31, 33, 500, 4097};
  if (how == sizes::pace::fast)
    all.insert(all.end(), {4, 5, 7, 8, 9, 16, 32, 63, 64, 129, 1023, 4095, 4096, 12293, 33001});
  if (how == sizes::pace::launch && !device::sanitized) all.insert(all.end(), {8, 16, 129, 12293, 33001});
  return all;
}

/// Starts at every distance from a 16-byte boundary that the element's size allows. Every call has memory of its own,
/// of just its size, so that a checker of memory sees one byte too many.
template <class T, class Op, class Reference>
void starts_anywhere(Op op, Reference reference) {
  auto const values = sample::values<T>(33001, 60 + sizeof(T));
  auto const distances = static_cast<std::size_t>(16 / std::gcd(16, static_cast<int>(sizeof(T))));
  auto const init = values[7];
  walk::totals<T> known;
  auto const total = [&](std::int64_t n) {
    auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
    return static_cast<T>(reference(init, oracle::total<T>(n, element, reference)));
  };
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    if (!about.plain && about.place == memory::place::host) return;  // decided in a warp, whatever the launch
    for (std::size_t k = 0; k <= distances; ++k) {
      for (auto const n : sizes_at(about.pace)) {
        std::vector<T> const part(values.begin(), values.begin() + n);
        memory::buffer<T> const data(about.place, part, k * sizeof(T));
        T const got = preduce::reduce(policy, data.data(), data.data() + n, init, op);
        if (!walk::same_bits(known.at(n, total), got, "misaligned data", about, n)) {
          MESSAGE("starts " << k << " elements of " << sizeof(T) << " bytes after a 16-byte boundary");
          return;
        }
      }
    }
  });
}

}  // namespace alignment_tests

TEST_CASE("behaviour 15, promise 11: data may start at any element, whatever its size" *
          doctest::skip(device::missing())) {
  using namespace operators;
  SUBCASE("1 byte") {
    alignment_tests::starts_anywhere<std::uint8_t>(mix_bytes{}, mix_bytes{});
  }
  SUBCASE("2 bytes") {
    alignment_tests::starts_anywhere<words<std::uint16_t, 1>>(mix_words{}, mix_words{});
  }
  SUBCASE("float") {
    alignment_tests::starts_anywhere<float>(preduce::plus<float>{}, reference::plus{});
  }
  SUBCASE("double") {
    alignment_tests::starts_anywhere<double>(preduce::plus<double>{}, reference::plus{});
  }
  SUBCASE("8 bytes") {
    alignment_tests::starts_anywhere<std::uint64_t>(hash{}, hash{});
  }
  SUBCASE("3 bytes") {
    alignment_tests::starts_anywhere<words<std::uint8_t, 3>>(mix_words{}, mix_words{});
  }
#ifndef __CUDACC__
  SUBCASE("12 bytes") {
    alignment_tests::starts_anywhere<words<std::uint32_t, 3>>(mix_words{}, mix_words{});
  }
  SUBCASE("16 bytes") {
    alignment_tests::starts_anywhere<words<std::uint64_t, 2>>(mix_words{}, mix_words{});
  }
  SUBCASE("24 bytes") {
    alignment_tests::starts_anywhere<words<std::uint64_t, 3>>(mix_words{}, mix_words{});
  }
#endif
}

TEST_CASE("behaviour 15: a functor reads its own memory, aligned or not" * doctest::skip(device::missing())) {
  auto const values = sample::values<float>(5003, 70);
  auto const element = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  float const want = oracle::total<float>(5003, element, reference::plus{});
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    memory::buffer<float> const data(about.place, values, 4);
    float const got = preduce::parallel_reduce(policy, 5003, functors::load<float>{data.data()});
    walk::same_bits(want, got, "sum by index", about, 5003);
  });
}

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
    all.insert(all.end(), {4, 5, 7, 8, 9, 16, 32, 63, 64, 129, 1023, 4095, 4096, 4098, 12293, 12294, 32998, 33001});
  if (how == sizes::pace::launch && !device::sanitized)
    all.insert(all.end(), {8, 16, 129, 4098, 12293, 12294, 32998, 33001});
  return all;
}

/// Starts at every distance from a 16-byte boundary that the element's size allows. Every call has memory of its own,
/// of just its size, so that a checker of memory sees one byte too many. Elements are T, what is combined V.
template <class T, class V = T, class Op, class Reference>
void starts_anywhere(Op op, Reference reference) {
  auto const values = sample::values<T>(33001, 60 + sizeof(T));
  auto const distances = static_cast<std::size_t>(16 / std::gcd(16, static_cast<int>(sizeof(T))));
  auto const init = static_cast<V>(values[7]);
  walk::totals<V> known;
  auto const total = [&](std::int64_t n) {
    auto const element = [&](std::int64_t i) { return static_cast<V>(values[static_cast<std::size_t>(i)]); };
    return static_cast<V>(reference(init, oracle::total<V>(n, element, reference)));
  };
  lists::for_each_policy([&](auto const& policy, lists::entry const& about) {
    if (!about.plain && about.place == memory::place::host) return;  // decided in a warp, whatever the launch
    for (std::size_t k = 0; k <= distances; ++k) {
      for (auto const n : sizes_at(about.pace)) {
        std::vector<T> const part(values.begin(), values.begin() + n);
        memory::buffer<T> const data(about.place, part, k * sizeof(T));
        V const got = preduce::reduce(policy, data.data(), data.data() + n, init, op);
        if (!walk::same_bits(known.at(n, total), got, "misaligned data", about, n)) {
          MESSAGE("starts " << k << " elements of " << sizeof(T) << " bytes after a 16-byte boundary");
          return;
        }
      }
    }
  });
}

/// Passes an element on, and notes one that is none of the range's: a map may be anything, a look into a table, say.
template <class T>
struct pass_positive {
  int* other_seen;
  PREDUCE_FUNCTION T operator()(T x) const {
    if (!(x >= 1 && x <= 2)) *other_seen = 1;
    return x;
  }
};

template <class T>
void maps_see_only_elements() {
  std::vector<T> values(20000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(1 + i % 2);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    for (std::size_t k = 0; k < 16 / sizeof(T); ++k) {
      for (std::int64_t const n : {1, 7, 130, 132, 4098, 4100, 19998, 20000}) {
        std::vector<T> const part(values.begin(), values.begin() + n);
        memory::buffer<T> const data(about.place, part, k * sizeof(T));
        memory::buffer<int> const seen(about.place, std::vector<int>{0});
        float const got = preduce::transform_reduce(policy, data.data(), data.data() + n, pass_positive<T>{seen.data()},
                                                    0.0f, preduce::plus<float>{});
        auto const want = static_cast<float>(n + n / 2);
        if (!walk::same_bits(want, got, "a mapped sum", about, n)) return;
        if (!walk::same_bits(0, seen.read(), "a look at others", about, n)) return;
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
  SUBCASE("2 bytes, summed as floats") {
    alignment_tests::starts_anywhere<std::int16_t, float>(preduce::plus<float>{}, reference::plus{});
  }
#ifndef PREDUCE_TEST_FEW_TYPES
  SUBCASE("1 byte, the least") {
    alignment_tests::starts_anywhere<std::int8_t>(preduce::minimum<std::int8_t>{}, reference::minimum{});
  }
  SUBCASE("2 bytes, the greatest") {
    alignment_tests::starts_anywhere<std::uint16_t>(preduce::maximum<std::uint16_t>{}, reference::maximum{});
  }
  SUBCASE("1 byte, summed as integers") {
    alignment_tests::starts_anywhere<std::int8_t, std::int32_t>(preduce::plus<std::int32_t>{}, reference::plus{});
  }
  SUBCASE("4 bytes, summed as doubles") {
    alignment_tests::starts_anywhere<std::int32_t, double>(preduce::plus<double>{}, reference::plus{});
  }
#endif
  SUBCASE("double") {
    alignment_tests::starts_anywhere<double>(preduce::plus<double>{}, reference::plus{});
  }
  SUBCASE("8 bytes") {
    alignment_tests::starts_anywhere<std::uint64_t>(hash{}, hash{});
  }
  SUBCASE("3 bytes") {
    alignment_tests::starts_anywhere<words<std::uint8_t, 3>>(mix_words{}, mix_words{});
  }
#ifndef PREDUCE_TEST_FEW_TYPES
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

TEST_CASE("behaviour 15: a map of misaligned data sees the range's elements and no others" *
          doctest::skip(device::missing())){SUBCASE("float"){alignment_tests::maps_see_only_elements<float>();
}
#ifndef PREDUCE_TEST_FEW_TYPES
SUBCASE("int16") {
  alignment_tests::maps_see_only_elements<std::int16_t>();
}
SUBCASE("double") {
  alignment_tests::maps_see_only_elements<double>();
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

#ifdef __CUDACC__
namespace alignment_tests {

struct half_of {
  template <class T>
  PREDUCE_FUNCTION float operator()(T x) const {
    return 0.5f * static_cast<float>(x);
  }
};

/// More than 16 MiB: what is read one by one where it is less. On the simulated machine n decides, at any size.
template <class T>
void large_and_misaligned(lists::entry const& about, auto const& policy) {
  std::int64_t const most = (std::int64_t{16} << 20) / static_cast<std::int64_t>(sizeof(T));
  auto const values = sample::values<T>(most + 33'000, 71 + sizeof(T));
  for (std::size_t k = 1; k < 16 / sizeof(T); k += sizeof(T) == 2 && k == 3 ? 3 : 1) {  // 2 bytes: 1, 2, 3, 6, 7
    memory::buffer<T> const data(about.place, values, k * sizeof(T));
    for (std::int64_t const n : {most - 1, most, most + 1, most + 4097, most + 32'999}) {
      float const want = preduce::reduce(preduce::openmp, values.data(), values.data() + n, 0.5f);
      float const got = preduce::reduce(policy, data.data(), data.data() + n, 0.5f);
      if (!walk::same_bits(want, got, "large, misaligned", about, n)) return;
    }
    float const half = preduce::transform_reduce(policy, data.data(), data.data() + most + 4097, half_of{}, 0.5f,
                                                 preduce::plus<float>{});
    float const want = preduce::transform_reduce(preduce::openmp, values.data(), values.data() + most + 4097, half_of{},
                                                 0.5f, preduce::plus<float>{});
    if (!walk::same_bits(want, half, "large, misaligned, mapped", about, most + 4097)) return;
  }
}

}  // namespace alignment_tests

TEST_CASE("behaviour 15: misaligned data by vectors and one by one" *
          doctest::skip(device::missing() || device::sanitized)) {
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    if (about.pace != sizes::pace::fast) return;  // not by one thread
    alignment_tests::large_and_misaligned<float>(about, policy);
    alignment_tests::large_and_misaligned<std::int16_t>(about, policy);
  });
}
#endif

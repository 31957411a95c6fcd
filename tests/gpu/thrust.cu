// Thrust's iterators and pointers: the GPU's under the GPU policies, and the host's under those that run on the CPU.
#include "../support/lists.hpp"
#include "../support/locations.hpp"
#include "../support/operators.hpp"
#include "../support/oracle.hpp"
#include "../support/reference.hpp"
#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <preduce/thrust.hpp>

#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

#include <algorithm>

namespace thrust_tests {

using word = std::uint64_t;  // its sums wrap, and are the same in every order
using pair = thrust::tuple<word, std::int32_t>;

struct scrambled {
  PREDUCE_FUNCTION word operator()(word x) const { return operators::scramble(x); }
};

struct weighted {
  PREDUCE_FUNCTION word operator()(pair const& p) const {
    return thrust::get<0>(p) * static_cast<word>(thrust::get<1>(p) + 1);
  }
};

struct weighted_number {
  PREDUCE_FUNCTION word operator()(thrust::tuple<int, word> const& p) const {
    return thrust::get<1>(p) * static_cast<word>(thrust::get<0>(p) + 1);
  }
};

/// The larger word; of equals the one with the lower number.
struct larger {
  PREDUCE_FUNCTION pair operator()(pair const& a, pair const& b) const {
    if (thrust::get<0>(a) != thrust::get<0>(b)) return thrust::get<0>(a) < thrust::get<0>(b) ? b : a;
    return thrust::get<1>(b) < thrust::get<1>(a) ? b : a;
  }
};

constexpr word init = 7;
constexpr std::int64_t lengths[] = {0, 1, 2, 33, 1000, 4097, 40000};
constexpr std::int64_t most = 40000;

template <class Get>
word wanted(std::int64_t n, Get const& get) {
  word sum = init;
  for (std::int64_t i = 0; i < n; ++i) sum += get(static_cast<std::size_t>(i));
  return sum;
}

/// reduce(policy, first, first + n, init) against the sum of get(0) .. get(n - 1).
template <class Policy, class Iterator, class Get>
void sums(char const* what, Policy const& policy, lists::entry const& about, Iterator first, Get const& get) {
  for (auto const n : lengths) {
    word const got = preduce::reduce(policy, first, first + n, init);
    if (!walk::same_bits(wanted(n, get), got, what, about, n)) return;
  }
}

/// Words, and an order to read them in, in memory that `Vector` names.
template <template <class> class Vector>
struct data {
  std::vector<word> values = sample::random_bytes<word>(most, 170);
  std::vector<std::int32_t> order = numbers();
  Vector<word> words{values};
  Vector<std::int32_t> indices{order};

  static std::vector<std::int32_t> numbers() {
    sample::generator g(171);
    std::vector<std::int32_t> all(most);
    for (auto& number : all) number = static_cast<std::int32_t>(g.below(most));
    return all;
  }
};

template <template <class> class Vector, class Policy>
void contiguous(data<Vector> const& d, Policy const& policy, lists::entry const& about) {
  auto const value = [&](std::size_t i) { return d.values[i]; };
  sums("const_iterator", policy, about, d.words.begin(), value);
  sums("iterator", policy, about, const_cast<data<Vector>&>(d).words.begin(), value);
  sums("pointer", policy, about, d.words.data(), value);
}

template <template <class> class Vector, class Policy>
void fancy(data<Vector> const& d, Policy const& policy, lists::entry const& about) {
  auto const words = d.words.begin();
  sums("counting_iterator", policy, about, thrust::make_counting_iterator(word{5}),
       [](std::size_t i) { return i + 5; });
  sums("constant_iterator", policy, about, thrust::constant_iterator<word>(3), [](std::size_t) { return 3; });
  sums("transform_iterator", policy, about, thrust::make_transform_iterator(words, scrambled{}),
       [&](std::size_t i) { return operators::scramble(d.values[i]); });
  sums("permutation_iterator", policy, about, thrust::make_permutation_iterator(words, d.indices.begin()),
       [&](std::size_t i) { return d.values[static_cast<std::size_t>(d.order[i])]; });
  sums("reverse_iterator", policy, about, thrust::make_reverse_iterator(d.words.end()),
       [&](std::size_t i) { return d.values[most - 1 - i]; });

  auto const zipped = thrust::make_zip_iterator(thrust::make_tuple(words, d.indices.begin()));
  sums("transform of zip", policy, about, thrust::make_transform_iterator(zipped, weighted{}),
       [&](std::size_t i) { return weighted{}(pair(d.values[i], d.order[i])); });
  word const got = preduce::transform_reduce(policy, zipped, zipped + most, weighted{}, init, preduce::plus<word>{});
  walk::same_bits(wanted(most, [&](std::size_t i) { return weighted{}(pair(d.values[i], d.order[i])); }), got,
                  "zip_iterator, unary", about, most);
}

/// Where the extremes are: a pointer's elements, and those behind iterators that have no address.
template <template <class> class Vector, class Policy>
void extremes(data<Vector> const& d, Policy const& policy, lists::entry const& about) {
  std::vector<word> scrambles, reversed(d.values.rbegin(), d.values.rend());
  for (auto const value : d.values) scrambles.push_back(operators::scramble(value));
  for (auto const n : lengths) {
    locations::finds(policy, about, "iterator", d.values, d.words.begin(), n);
    locations::finds(policy, about, "transform_iterator", scrambles,
                     thrust::make_transform_iterator(d.words.begin(), scrambled{}), n);
    locations::finds(policy, about, "reverse_iterator", reversed, thrust::make_reverse_iterator(d.words.end()), n);
  }
  preduce::located<int> last{};
  auto const count = thrust::make_counting_iterator(5);
  preduce::parallel_reduce(policy, count, count + 1000, preduce::max_loc(last));
  CHECK_MESSAGE((last.value == 1004 && last.index == 999), about.name);
  Vector<word> out(2, 0);
  preduce::parallel_reduce(policy, d.words.begin(), d.words.end(), out.data());
  preduce::parallel_reduce(policy, d.words.begin(), d.words.end(), preduce::max(out.begin() + 1));
  word const sum = out[0], largest = out[1];
  CHECK_MESSAGE(sum == wanted(most, [&](std::size_t i) { return d.values[i]; }) - init, about.name);
  CHECK_MESSAGE(largest == *std::max_element(d.values.begin(), d.values.end()), about.name);
}

/// The largest word and its number: a tuple as the value of a reduction.
template <template <class> class Vector, class Policy>
void tuples(data<Vector> const& d, Policy const& policy, lists::entry const& about) {
  auto const zipped =
      thrust::make_zip_iterator(thrust::make_tuple(d.words.begin(), thrust::make_counting_iterator(std::int32_t{0})));
  pair want(0, -1);
  std::int64_t done = 0;
  for (auto const n : lengths) {
    for (; done < n; ++done) {
      auto const i = static_cast<std::size_t>(done);
      want = larger{}(want, pair(d.values[i], static_cast<std::int32_t>(done)));
    }
    pair const got = preduce::reduce(policy, zipped, zipped + n, pair(0, -1), larger{});
    CHECK_MESSAGE(got == want, about.name, ", n = ", n);
  }
}

/// A lambda makes an iterator that cannot be assigned to, which std::random_access_iterator asks for.
template <template <class> class Vector, class Policy>
void lambda(data<Vector> const& d, Policy const& policy, lists::entry const& about) {
  auto const doubled = PREDUCE_LAMBDA(word x) {
    return 2 * x;
  };
  sums("transform_iterator of a lambda", policy, about, thrust::make_transform_iterator(d.words.begin(), doubled),
       [&](std::size_t i) { return 2 * d.values[i]; });
}

/// The same bits as from a plain pointer: the same code reads it.
template <template <class> class Vector, class Policy>
void floats(Policy const& policy, lists::entry const& about) {
  auto const values = sample::floats<float>(most, sample::spread::even, 172);
  Vector<float> const x(values);
  for (auto const n : lengths) {
    if (n == 0) continue;
    float const want = oracle::total<float>(
        n, [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; }, reference::plus{});
    float const got = preduce::reduce(policy, x.begin(), x.begin() + n);
    if (!walk::same_bits(want, got, "float", about, n)) return;
    auto const copied = thrust::make_transform_iterator(x.begin(), functors::identity{});
    float const read = preduce::reduce(policy, copied, copied + n);
    if (!walk::same_bits(want, read, "float, transform_iterator", about, n)) return;
  }
}

/// Results at an address that Thrust wraps.
template <template <class> class Vector, class Policy>
void results(data<Vector> const& d, Policy const& policy, lists::entry const& about) {
  Vector<word> out(8, 0);
  auto const first = d.words.begin();
  auto const last = d.words.end();
  auto const third = out.data() + 3;
  preduce::reduce_into(policy, first, last, out.data(), init);
  preduce::reduce_into(policy, first, last, out.begin() + 1);
  preduce::transform_reduce_into(policy, first, last, out.data() + 2, scrambled{}, init, preduce::plus<word>{});
  preduce::parallel_reduce(policy, most, functors::unsigned_index{}, third);
  preduce::parallel_reduce(policy, most, functors::unsigned_index{}, preduce::sum(out.data() + 4));
  preduce::parallel_reduce(policy, most, functors::unsigned_index{}, preduce::max(out.begin() + 5));
  preduce::reduce_into(policy, first, last, thrust::raw_pointer_cast(out.data()) + 6);
  auto const sum = wanted(most, [&](std::size_t i) { return d.values[i]; });
  word const want[] = {sum,
                       sum - init,
                       wanted(most, [&](std::size_t i) { return operators::scramble(d.values[i]); }),
                       word{most} * (most - 1) / 2,
                       word{most} * (most - 1) / 2,
                       most - 1,
                       sum - init,
                       0};
  for (std::size_t k = 0; k < std::size(want); ++k) {
    word const got = out[k];
    CHECK_MESSAGE(got == want[k], about.name, ", result ", k);
  }
}

template <class T>
using on_device = thrust::device_vector<T>;
template <class T>
using on_host = thrust::host_vector<T>;
template <class T>
using everywhere = thrust::universal_vector<T>;

/// The addresses that a call with this iterator checks.
template <class Iterator>
std::vector<void const*> addresses(Iterator first) {
  using element = preduce::detail::iterator_element<Iterator, functors::identity>;
  preduce::detail::functor_source<element, word, std::int64_t> const source{{first, {}}, 0};
  std::vector<void const*> all;
  source.check_memory([&](void const* address) { all.push_back(address); });
  return all;
}

/// The policies that run on the CPU, in a file that nvcc compiles.
template <class Visit>
void for_each_host_policy(Visit&& visit) {
  auto const at = memory::place::host;
  visit(preduce::serial, lists::entry{"serial", at});
  visit(preduce::openmp, lists::entry{"openmp", at});
  visit(preduce::two_pass.on(preduce::simt_host), lists::entry{"two_pass on simt_host", at});
  visit(preduce::last_block.on(preduce::simt_host), lists::entry{"last_block on simt_host", at});
}

template <class Call>
void refuses(char const* what, Call const& call) {
  try {
    call();
    FAIL_CHECK(what, " was not refused");
  } catch (preduce::error const& e) {
    CHECK_MESSAGE(e.code() == preduce::error_code::invalid_pointer, what, ": ", e.what());
  }
}

bool gpu_reads_pageable_memory() {
  int device = 0, answer = 0;
  device::check(cudaGetDevice(&device), "cudaGetDevice");
  device::check(cudaDeviceGetAttribute(&answer, cudaDevAttrPageableMemoryAccess, device), "cudaDeviceGetAttribute");
  return answer != 0;
}

}  // namespace thrust_tests

using namespace thrust_tests;

static_assert(
    std::is_same_v<decltype(preduce::detail::sequence_access<on_device<float>::iterator>::start({}, 0)), float const*>,
    "an iterator of a device_vector is read like a pointer");
static_assert(std::is_same_v<decltype(preduce::detail::sequence_access<thrust::device_ptr<int const>>::start({}, 0)),
                             int const*>);
static_assert(std::is_same_v<preduce::detail::sequence_value_t<thrust::device_ptr<int const>>, int>);

TEST_CASE("Thrust's iterators on the GPU, under every policy" * doctest::skip(device::missing())) {
  data<on_device> const d;
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    contiguous(d, policy, about);
    fancy(d, policy, about);
    extremes(d, policy, about);
  });
}

TEST_CASE("Thrust's iterators on the GPU: tuples, lambdas, floats and results" * doctest::skip(device::missing())) {
  data<on_device> const d;
  auto const each = [&](auto const& policy) {
    lists::entry const about{policy.name(), memory::place::gpu};
    tuples(d, policy, about);
    lambda(d, policy, about);
    floats<on_device>(policy, about);
    results(d, policy, about);
  };
  each(preduce::two_pass);
  each(preduce::look_back);
}

TEST_CASE("Thrust's iterators on the host, under every policy that runs there") {
  data<on_host> const d;
  for_each_host_policy([&](auto const& policy, lists::entry const& about) {
    contiguous(d, policy, about);
    fancy(d, policy, about);
    extremes(d, policy, about);
    tuples(d, policy, about);
    lambda(d, policy, about);
    floats<on_host>(policy, about);
    results(d, policy, about);
  });
}

TEST_CASE("a universal_vector is read on both sides" * doctest::skip(device::missing())) {
  data<everywhere> const d;
  for_each_host_policy([&](auto const& policy, lists::entry const& about) { contiguous(d, policy, about); });
  contiguous(d, preduce::two_pass, lists::entry{"two_pass", memory::place::gpu});
  fancy(d, preduce::serial, lists::entry{"serial", memory::place::host});
}

TEST_CASE("the memory beneath a fancy iterator is found without reading it") {
  using list = std::vector<void const*>;
  auto* const at = reinterpret_cast<word*>(0x10000);  // nobody's
  thrust::device_ptr<word> const gpu(at);
  auto const count = thrust::make_counting_iterator(0);
  auto const mapped = thrust::make_transform_iterator(gpu, scrambled{});
  CHECK(addresses(count) == list{});
  CHECK(addresses(mapped) == list{at});
  CHECK(addresses(thrust::make_reverse_iterator(mapped)) == list{at - 1});
  CHECK(addresses(thrust::make_permutation_iterator(at + 8, gpu)) == list{at});
  CHECK(addresses(thrust::make_zip_iterator(thrust::make_tuple(gpu + 1, count, at + 2, mapped))) ==
        list{at + 1, at + 2, at});
}

TEST_CASE("memory of the wrong machine is refused, also beneath a fancy iterator" * doctest::skip(device::missing())) {
  data<on_device> const gpu;
  data<on_host> const host;
  std::int64_t const n = 1000;
  auto const under = [&](char const* what, auto const& policy, auto const& d) {
    auto const refused = [&](auto first) {
      refuses(what, [&] { (void)preduce::reduce(policy, first, first + n, init); });
    };
    auto const words = d.words.begin();
    refused(words);
    refuses(what, [&] {
      preduce::located<word> least{};
      auto const mapped = thrust::make_transform_iterator(words, scrambled{});
      preduce::parallel_reduce(policy, mapped, mapped + n, preduce::min_loc(least));
    });
    refused(thrust::make_transform_iterator(words, scrambled{}));
    refused(thrust::make_reverse_iterator(d.words.end()));
    refused(thrust::make_permutation_iterator(words, d.indices.begin()));
    auto const zipped = thrust::make_zip_iterator(thrust::make_tuple(thrust::make_counting_iterator(0), words));
    refuses(what, [&] {
      (void)preduce::transform_reduce(policy, zipped, zipped + n, weighted_number{}, init, preduce::plus<word>{});
    });
  };
  under("the GPU's memory under serial", preduce::serial, gpu);
  under("the GPU's memory on the simulated machine", preduce::two_pass.on(preduce::simt_host), gpu);
  if (!gpu_reads_pageable_memory()) under("the host's memory under last_block", preduce::last_block, host);
}

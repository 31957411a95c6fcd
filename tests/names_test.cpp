// Names in a user's namespace are found by argument-dependent lookup where a call inside the library is not qualified:
// functors, operators and values of that namespace must not bring them along.

#include "support/lists.hpp"

#include <doctest/doctest.h>
#include <preduce/preduce.hpp>

#include <cstdint>

namespace hostile {

struct vec {
  float x, y;
};
struct add {
  vec operator()(vec const& a, vec const& b) const { return {a.x + b.x, a.y + b.y}; }
};
struct element {
  vec operator()(std::int64_t i) const { return {static_cast<float>(i), 1}; }
};
struct number {
  float operator()(std::int64_t i) const { return static_cast<float>(i); }
};

vec canonical(vec /*total*/) {
  return {-1, -1};
}

#define PREDUCE_TEST_TAKES_ALL(name) \
  template <class... Arguments>      \
  void name(Arguments&&... /*all*/) {}
PREDUCE_TEST_TAKES_ALL(add_to)
PREDUCE_TEST_TAKES_ALL(as_monoid)
PREDUCE_TEST_TAKES_ALL(bind)
PREDUCE_TEST_TAKES_ALL(memory_behind)
PREDUCE_TEST_TAKES_ALL(combine_atomically)
PREDUCE_TEST_TAKES_ALL(fold_alone)
PREDUCE_TEST_TAKES_ALL(fold_chunk)
PREDUCE_TEST_TAKES_ALL(fold_left)
PREDUCE_TEST_TAKES_ALL(fold_partials)
PREDUCE_TEST_TAKES_ALL(fold_slots)
PREDUCE_TEST_TAKES_ALL(fold_strided)
PREDUCE_TEST_TAKES_ALL(fold_unit)
PREDUCE_TEST_TAKES_ALL(fold_units)
PREDUCE_TEST_TAKES_ALL(fold_warp)
PREDUCE_TEST_TAKES_ALL(for_each_run)
PREDUCE_TEST_TAKES_ALL(host_fold)
PREDUCE_TEST_TAKES_ALL(host_reduce)
PREDUCE_TEST_TAKES_ALL(kept_apart)
PREDUCE_TEST_TAKES_ALL(launch_rung)
PREDUCE_TEST_TAKES_ALL(launch_second_kernel)
PREDUCE_TEST_TAKES_ALL(leave_blank)
PREDUCE_TEST_TAKES_ALL(load_cell)
PREDUCE_TEST_TAKES_ALL(parallel_reduce)
PREDUCE_TEST_TAKES_ALL(present_threads)
PREDUCE_TEST_TAKES_ALL(read_elements)
PREDUCE_TEST_TAKES_ALL(read_rows)
PREDUCE_TEST_TAKES_ALL(reduce)
PREDUCE_TEST_TAKES_ALL(reduce_indices)
PREDUCE_TEST_TAKES_ALL(run)
PREDUCE_TEST_TAKES_ALL(shuffle_block)
PREDUCE_TEST_TAKES_ALL(shuffle_tree)
PREDUCE_TEST_TAKES_ALL(stream_rows)
PREDUCE_TEST_TAKES_ALL(submit)
PREDUCE_TEST_TAKES_ALL(sum)
PREDUCE_TEST_TAKES_ALL(tile_at)
PREDUCE_TEST_TAKES_ALL(value_of)
PREDUCE_TEST_TAKES_ALL(widen)
PREDUCE_TEST_TAKES_ALL(with_init)
#undef PREDUCE_TEST_TAKES_ALL

}  // namespace hostile

TEST_CASE("a user's names take no call away from the library") {
  auto const right = [](auto const& policy, lists::entry const& about) {
    hostile::vec total{};
    preduce::parallel_reduce(policy, 10, hostile::element{}, preduce::reducer(hostile::add{}, total));
    CHECK_MESSAGE(total.x == 45.0f, about.name);
    CHECK_MESSAGE(total.y == 10.0f, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, 10, hostile::number{}) == 45.0f, about.name);
  };
  lists::for_each_plain_policy(right);
  lists::for_each_rung(right);
  CHECK(preduce::parallel_reduce(10, hostile::number{}) == 45.0f);
}

namespace {

int narrow(int i) {
  return i;
}

}  // namespace

TEST_CASE("behaviour 3: a pointer to a function with a 32-bit index is refused where 64 are needed") {
  CHECK(preduce::parallel_reduce(preduce::serial, 10, narrow) == 45);
  std::int64_t const begin = std::int64_t{1} << 32;
  CHECK_THROWS_AS((void)preduce::parallel_reduce(preduce::serial, preduce::range{begin, begin + 4}, narrow),
                  preduce::error);
}

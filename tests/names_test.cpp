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

template <class... Arguments>
void run(Arguments&&... /*all*/) {}
template <class... Arguments>
void sum(Arguments&&... /*all*/) {}
template <class... Arguments>
void bind(Arguments&&... /*all*/) {}

// Argument-dependent lookup must look into the classes that a type's template arguments name, for friends, and so
// completes them: for this one that is an error. A functor that names it compiles only if no call inside the library,
// whatever its name, depends on such a lookup. (libc++ tests its algorithms this way.)
struct incomplete;
template <class T>
struct holder {
  T value;
};
template <class Never>
struct far_number {
  float operator()(std::int64_t i) const { return static_cast<float>(i); }
};
using sealed_number = far_number<holder<incomplete>>;
template <class Never>
struct far_add {
  float operator()(float a, float b) const { return a + b; }
};
using sealed_add = far_add<holder<incomplete>>;

}  // namespace hostile

TEST_CASE("a user's names take no call away from the library") {
  auto const right = [](auto const& policy, lists::entry const& about) {
    hostile::vec total{};
    preduce::parallel_reduce(policy, 10, hostile::element{}, preduce::reducer(hostile::add{}, total));
    CHECK_MESSAGE(total.x == 45.0f, about.name);
    CHECK_MESSAGE(total.y == 10.0f, about.name);
    CHECK_MESSAGE(preduce::parallel_reduce(policy, 10, hostile::number{}) == 45.0f, about.name);
    float sum = 0;
    preduce::parallel_reduce(policy, 10, hostile::sealed_number{}, preduce::reducer(hostile::sealed_add{}, sum));
    CHECK_MESSAGE(sum == 45.0f, about.name);
    float const data[] = {1, 2, 3};
    CHECK_MESSAGE(preduce::reduce(policy, data, data + 3, 0.5f, hostile::sealed_add{}) == 6.5f, about.name);
  };
  lists::for_each_plain_policy(right);
  lists::for_each_rung(right);
  CHECK(preduce::parallel_reduce(10, hostile::sealed_number{}) == 45.0f);
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

// The canonical order itself: the library's shape against the oracle's, the oracle against hand-written trees, and
// golden totals that make a change of the order a visible event.
#include "support/device.hpp"
#include "support/golden.hpp"
#include "support/operators.hpp"
#include "support/oracle.hpp"

#include <doctest/doctest.h>
#include <preduce/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace {

constexpr auto most = std::numeric_limits<std::int64_t>::max();

/// 0 .. 200000, and every power of two up to 2^63, one less and one more.
std::vector<std::int64_t> counts() {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 0; n <= 200000; ++n) all.push_back(n);
  for (int k = 17; k < 63; ++k) {
    auto const power = std::int64_t{1} << k;
    all.insert(all.end(), {power - 1, power, power + 1, power + power / 2});
  }
  all.insert(all.end(), {most - 4096, most - 1, most});
  return all;
}

std::string text_of(std::int64_t i) {
  return std::to_string(i);
}
std::string brackets(std::string const& a, std::string const& b) {
  return "(" + a + " " + b + ")";
}
std::string tree_of(std::int64_t n) {
  return oracle::total<std::string>(n, text_of, brackets);
}
std::string ordered_tree_of(std::int64_t n) {
  return oracle::total_in_order<std::string>(n, text_of, brackets);
}
bool contains(std::string const& text, char const* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("promise 7: the shape of every n is the one the order says") {
  std::int64_t different = 0, first = -1;
  for (auto const n : counts()) {
    auto const got = preduce::shape_of(n);
    auto const want = oracle::layout_of(n);
    if (got.rows != want.rows || got.tiles != want.tiles || got.partial_rows != want.partial_rows) {
      if (different++ == 0) first = n;
    }
  }
  CHECK_MESSAGE(different == 0, "first at n = ", first);
  CHECK(preduce::order_lanes == oracle::lanes);
  CHECK(preduce::order_partial_lanes == oracle::partial_lanes);
}

TEST_CASE("promise 1: tiles cover every n, stay bounded, and no product wraps") {
  std::int64_t wrong = 0, first = -1;
  for (auto const n : counts()) {
    auto const shape = preduce::shape_of(n);
    bool right = shape.rows >= 1 && shape.tiles >= 1 && shape.tiles <= 65536 && shape.partial_rows <= 64;
    // All tiles but the last are full; that product must fit, the product over all tiles need not.
    __int128 const in_tile = static_cast<__int128>(shape.rows) * oracle::lanes;
    right = right && in_tile <= most && in_tile * (shape.tiles - 1) <= most;
    right = right && in_tile * shape.tiles >= n && (n == 0 || in_tile * (shape.tiles - 1) < n);
    right = right && shape.partial_rows * oracle::partial_lanes >= shape.tiles;
    if (!right && wrong++ == 0) first = n;
  }
  CHECK_MESSAGE(wrong == 0, "first at n = ", first);
}

TEST_CASE("promise 7: every element sits in one place of its own, in both maps") {
  for (std::int64_t const n : {1, 31, 4096, 4097, 12288, 32768, 32769, 65536, 100000, 300001}) {
    auto const shape = oracle::layout_of(n);
    for (auto const map : {oracle::position_of, oracle::in_order_position_of}) {
      std::vector<char> taken(static_cast<std::size_t>(shape.tiles * shape.rows * oracle::lanes));
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        auto const at = map(i, shape);
        bool const inside = at.tile >= 0 && at.tile < shape.tiles && at.lane >= 0 && at.lane < oracle::lanes &&
                            at.row >= 0 && at.row < shape.rows;
        if (!inside || taken[static_cast<std::size_t>((at.tile * shape.rows + at.row) * oracle::lanes + at.lane)]++) {
          ++wrong;
        }
      }
      CHECK_MESSAGE(wrong == 0, "n = ", n);
    }
  }
}

TEST_CASE("promise 7: the tree, in brackets") {
  CHECK(tree_of(1) == "0");
  CHECK(tree_of(2) == "(0 1)");
  CHECK(tree_of(3) == "((0 1) 2)");
  CHECK(tree_of(5) == "(((0 1) (2 3)) 4)");
  CHECK(tree_of(7) == "(((0 1) (2 3)) ((4 5) 6))");
  CHECK(contains(tree_of(4097), "((0 4096) 1)"));
  CHECK(contains(tree_of(8195), "((((0 4096) 8192) ((1 4097) 8193)) (((2 4098) 8194) (3 4099)))"));
  // 9 rows: two tiles of 8 rows; the last one holds a single row
  CHECK(contains(tree_of(36864), "((((((((0 4096) 8192) 12288) 16384) 20480) 24576) 28672) (((((((1 4097) 8193)"));
  CHECK(contains(tree_of(36864), "(32768 32769)"));
  // a last tile of one element
  auto const lonely = tree_of(32769);
  CHECK(lonely.substr(lonely.size() - 8) == ") 32768)");
}

TEST_CASE("promise 8: the tree of operators that do not commute keeps the order of the elements") {
  CHECK(ordered_tree_of(5) == "(((0 1) (2 3)) 4)");
  CHECK(contains(ordered_tree_of(8192), "((((0 1) (2 3)) ((4 5) (6 7)))"));
  CHECK(contains(ordered_tree_of(8195), "((((0 1) 2) ((3 4) 5))"));
  CHECK(contains(ordered_tree_of(36864), "((((((((0 1) 2) 3) 4) 5) 6) 7) (((((((8 9) 10)"));
  for (std::int64_t const n : {1, 2, 4097, 12289, 32769, 100000}) {
    std::string elements;
    for (auto const c : ordered_tree_of(n)) {
      if (c != '(' && c != ')') elements += c;
    }
    std::string want = "0";
    for (std::int64_t i = 1; i < n; ++i) want += " " + text_of(i);
    CHECK_MESSAGE(elements == want, "n = ", n);
  }
}

TEST_CASE("promise 8: an associative operator gives the serial left fold") {
  operators::affine_from_index const element;
  operators::then const then;
  auto const combine = [&](operators::affine const& a, operators::affine const& b) { return then.combine(a, b); };
  for (std::int64_t const n : {1, 2, 3, 4095, 4097, 32769, 65537, 1000003}) {
    auto fold = element(0);
    for (std::int64_t i = 1; i < n; ++i) fold = then.combine(fold, element(i));
    CHECK_MESSAGE(oracle::total_in_order<operators::affine>(n, element, combine) == fold, "n = ", n);
  }
}

TEST_CASE("promise 7: golden totals of the order") {
  REQUIRE(preduce::canonical_order_version == golden::version);
  functors::scrambled_index const element;
  operators::hash const hash;
  for (auto const& row : golden::totals) {
    CHECK_MESSAGE(oracle::total<std::uint64_t>(row.n, element, hash) == row.by_lanes, "n = ", row.n);
    CHECK_MESSAGE(oracle::total_in_order<std::uint64_t>(row.n, element, hash) == row.in_order, "n = ", row.n);
  }
}

TEST_CASE("promise 7: golden total of more tiles than partial lanes" * doctest::skip(device::sanitized)) {
  auto const& row = golden::many_tiles;
  REQUIRE(oracle::layout_of(row.n).partial_rows == 2);
  functors::scrambled_index const element;
  CHECK(oracle::total<std::uint64_t>(row.n, element, operators::hash{}) == row.by_lanes);
  CHECK(oracle::total_in_order<std::uint64_t>(row.n, element, operators::hash{}) == row.in_order);
}

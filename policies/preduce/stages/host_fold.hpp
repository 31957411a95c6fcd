#pragma once
// A CPU thread folds a unit: the rows of a group of lanes stream through an array that stays in the first-level cache,
// then the tree over it. Inner loops have constant trip counts, so that they become vector code at -O2.

#include <preduce/reduction.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/carry_stack.hpp>
#include <preduce/stages/view.hpp>

#include <cstddef>
#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// The lanes of a group: 16 KiB of them, at least 16.
template <class V>
inline constexpr int host_group_lanes = clamp_int(floor_power_of_two(static_cast<int>(16384 / sizeof(V))), 16, 4096);

inline constexpr int host_block = 32;  ///< lanes of an inner loop

/// Keeps the compiler from fusing what made the values into what combines them: contraction would change the bits.
/// Costs nothing.
template <class V>
inline void keep_apart(V* values) {
  asm volatile("" : : "r"(values) : "memory");
}

/// body(l) for every l in 0 .. count - 1, which touch nothing of each other's.
template <class Body>
inline void for_lanes(int count, Body const& body) {
  int l = 0;
  for (; l + host_block <= count; l += host_block) {
    PREDUCE_INDEPENDENT
    for (int i = 0; i < host_block; ++i) body(l + i);
  }
  for (; l < count; ++l) body(l);
}

/// combine(...combine(value, at[0]), at[stride] ...), written out: a loop here would keep the one around it from
/// becoming vector code.
template <int Rows, class Source, class Monoid, class V>
inline V combine_column(Source const& source, Monoid const& monoid, V value, typename Source::element_type const* at,
                        std::int64_t stride) {
  V const combined = monoid.combine(value, source.mapped(*at));
  if constexpr (Rows == 1)
    return combined;
  else
    return detail::combine_column<Rows - 1>(source, monoid, combined, at + stride, stride);
}

/// Rows `first`, first + stride ... into the lanes, in that order.
template <int Rows, class Source, class Monoid, class V>
void combine_memory_rows(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride, int count,
                         V* lanes) {
  auto const* data = source.data + first;
  detail::for_lanes(
      count, [&](int l) { lanes[l] = detail::combine_column<Rows>(source, monoid, lanes[l], data + l, stride); });
}

/// One row of a functor: values first, then combined.
template <class Source, class Monoid, class V>
void combine_functor_row(Source const& source, Monoid const& monoid, std::int64_t first, int count, bool first_row,
                         V* lanes) {
  if constexpr (Source::returns_value()) {
    constexpr int most = host_group_lanes<V> < 256 ? host_group_lanes<V> : 256;
    uninitialized<V> values[most];
    for (int begin = 0; begin < count; begin += most) {
      int const here = count - begin < most ? count - begin : most;
      V* const mine = lanes + begin;
      detail::for_lanes(here, [&](int l) { values[l].value = source.value(first + begin + l); });
      detail::keep_apart(values);
      if (first_row)
        detail::for_lanes(here, [&](int l) { mine[l] = values[l].value; });
      else
        detail::for_lanes(here, [&](int l) { mine[l] = monoid.combine(mine[l], values[l].value); });
    }
  } else {
    if (first_row) detail::for_lanes(count, [&](int l) { lanes[l] = monoid.identity(); });
    for (int l = 0; l < count; ++l) source.contribute(monoid, lanes[l], first + l, first_row);
  }
}

/// The tree over `count` >= 1 neighbours, in place.
template <class Monoid, class V>
V fold_neighbours(Monoid const& monoid, V* lanes, int count) {
  while (count > 1) {
    int const pairs = count / 2;
    int p = 0;
    for (; p + host_block <= pairs; p += host_block) {
      uninitialized<V> in[2 * host_block];  // apart from the output, so that the loop becomes vector code
      for (int i = 0; i < 2 * host_block; ++i) in[i].value = lanes[2 * p + i];
      PREDUCE_INDEPENDENT
      for (int i = 0; i < host_block; ++i) lanes[p + i] = monoid.combine(in[2 * i].value, in[2 * i + 1].value);
    }
    for (; p < pairs; ++p) lanes[p] = monoid.combine(lanes[2 * p], lanes[2 * p + 1]);
    if (count % 2 != 0) lanes[pairs] = lanes[count - 1];
    count -= pairs;
  }
  return lanes[0];
}

/// Lanes [first_lane, first_lane + count) of a tile, all present, into `lanes`.
template <class Source, class Monoid, class V, class Offset, class LaneBits>
void stream_rows(Source const& source, Monoid const& monoid, tile_view<Offset, LaneBits> const& tile, int first_lane,
                 int count, V* lanes) {
  std::int64_t const stride = std::int64_t{1} << tile.lane_bits;
  auto const lanes_of_row = [&](std::int64_t row) {
    std::int64_t const left = tile.count - (row << tile.lane_bits) - first_lane;
    return static_cast<int>(left < 0 ? 0 : left < count ? left : count);
  };
  std::int64_t const first = tile.first + first_lane;
  if constexpr (Source::is_plain && maps_elements<Source>) {
    detail::for_lanes(count, [&](int l) { lanes[l] = source.value(first + l); });
    std::int64_t row = 1;
    for (; row + 4 <= tile.rows && lanes_of_row(row + 3) == count; row += 4)
      detail::combine_memory_rows<4>(source, monoid, first + row * stride, stride, count, lanes);
    for (; row < tile.rows && lanes_of_row(row) > 0; ++row)
      detail::combine_memory_rows<1>(source, monoid, first + row * stride, stride, lanes_of_row(row), lanes);
  } else {
    for (std::int64_t row = 0; row < tile.rows && lanes_of_row(row) > 0; ++row)
      detail::combine_functor_row(source, monoid, first + row * stride, lanes_of_row(row), row == 0, lanes);
  }
}

/// The same in the order-keeping map: a lane holds `rows` consecutive elements.
template <class Source, class Monoid, class V, class Offset, class LaneBits>
void stream_lanes(Source const& source, Monoid const& monoid, tile_view<Offset, LaneBits> const& tile, int first_lane,
                  int count, V* lanes) {
  for (int l = 0; l < count; ++l) {
    std::int64_t const begin = (first_lane + l) * tile.rows;
    std::int64_t const end = begin + tile.rows < tile.count ? begin + tile.rows : tile.count;
    for (std::int64_t i = begin; i < end; ++i) source.contribute(monoid, lanes[l], tile.first + i, i == begin);
  }
}

/// Folds the present ones of lanes [first_lane, first_lane + lanes) of `tile`, at least one.
template <class Source, class Monoid, class Offset, class LaneBits>
typename Source::value_type host_fold(Source const& source, Monoid const& monoid,
                                      tile_view<Offset, LaneBits> const& tile, int first_lane, int lanes) {
  using value = typename Source::value_type;
  constexpr int group = host_group_lanes<value>;
  uninitialized<value> storage[group];
  value* const buffer = &storage[0].value;
  int const end = first_lane + lanes < tile.present ? first_lane + lanes : tile.present;
  carry_stack<value, 10> stack;
  for (int lane = first_lane; lane < end; lane += group) {
    int const count = end - lane < group ? end - lane : group;
    if constexpr (commutes<Monoid>)
      detail::stream_rows(source, monoid, tile, lane, count, buffer);
    else
      detail::stream_lanes(source, monoid, tile, lane, count, buffer);
    stack.push(monoid, detail::fold_neighbours(monoid, buffer, count));
  }
  return stack.total(monoid);
}

/// Memory for values that are written before they are read.
template <class V>
class scratch {
 public:
  explicit scratch(std::size_t count) : values_(new uninitialized<V>[count]) {}
  ~scratch() { delete[] values_; }
  scratch(scratch const&) = delete;
  scratch& operator=(scratch const&) = delete;
  [[nodiscard]] V* data() const { return &values_->value; }

 private:
  uninitialized<V>* values_;
};

/// Folds a whole reduction in the canonical order. for_each(units, task) runs task(unit) for every unit, in any order
/// and on any thread, and returns when all are done.
template <class Work, class ForEach>
typename Work::value_type host_reduce(Work const& work, grid_order const& order, ForEach&& for_each) {
  using value = typename Work::value_type;
  constexpr bool commutative = commutes<typename Work::monoid_type>;
  auto const fold = [&](std::int64_t wide_unit) {
    int const unit = static_cast<int>(wide_unit);
    int const index = unit >> order.group_bits;
    int const lanes = order_lanes >> order.group_bits;
    int const group = unit - (index << order.group_bits);
    auto const tile = detail::tile_at<std::int64_t>(order, index, commutative);
    return detail::host_fold(work.source, work.monoid, tile, group * lanes, lanes);
  };
  if (order.units == 1) return detail::with_init(work.monoid, work.init, fold(0));

  scratch<value> const partials(static_cast<std::size_t>(order.units));
  for_each(order.units, [&](std::int64_t unit) { partials.data()[unit] = fold(unit); });
  pointer_source<value, value> const source{partials.data(), {}};
  auto const total = detail::host_fold(source, work.monoid, detail::partials_as_tile(order, commutative), 0,
                                       1 << order.partial_lane_bits);
  return detail::with_init(work.monoid, work.init, total);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

#pragma once
// A CPU thread folds a unit: the rows of a group of lanes stream through an array that stays in the first-level cache,
// block of lanes after block, and a tree closes each block. Inner loops have constant trip counts, so that they become
// vector code at -O2.

#include <preduce/reduction.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/carry_stack.hpp>
#include <preduce/stages/host_vectors.hpp>
#include <preduce/stages/view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {
inline namespace PREDUCE_HOST_ISA {

/// The lanes of a group: 16 KiB of them, at least 16.
template <class V>
inline constexpr int host_group_lanes = clamp_int(floor_power_of_two(static_cast<int>(16384 / sizeof(V))), 16, 4096);

inline constexpr int host_block = 32;  ///< lanes of an inner loop, at the end of a row
/// Lanes of the other inner loops: where vectors are wide, what three levels of eight of them take.
inline constexpr int host_stretch = host_vector_bytes > 16 ? 2 * host_vector_bytes : host_block;

/// Whether lanes are taken so many at a time: of large values, arrays of them would be large, too.
template <class V>
inline constexpr bool has_host_blocks = sizeof(V) * host_stretch <= 4096;

/// combine(...combine(value, at(0)), at(stride) ...), written out: a loop here would keep the one around it from
/// becoming vector code.
template <int Rows, class Monoid, class V, class At>
inline V combine_column(Monoid const& monoid, V const& value, At const& at, std::int64_t first, std::int64_t stride) {
  V const combined = monoid.combine(value, at(first));
  if constexpr (Rows == 1)
    return combined;
  else
    return detail::combine_column<Rows - 1>(monoid, combined, at, first + stride, stride);
}

/// Rows at first, first + stride ... into a block of lanes, in that order; where `Start`, the lanes start from the
/// first.
template <int Lanes, bool Start, int Rows, class Source, class Monoid, class V>
inline void combine_rows(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride,
                         V* __restrict lanes) {
  constexpr int own = Rows - (Start ? 1 : 0);
  auto const at = [&](std::int64_t i) { return source.value(i); };
  PREDUCE_INDEPENDENT
  for (int l = 0; l < Lanes; ++l) {
    V const value = Start ? source.value(first + l) : lanes[l];
    if constexpr (own == 0)
      lanes[l] = value;
    else
      lanes[l] = detail::combine_column<own>(monoid, value, at, first + l + (Start ? stride : 0), stride);
  }
}

/// The same where what is computed might be fused into its combination: on its way through memory it cannot.
template <int Lanes, bool Start, int Rows, class Source, class Monoid, class V>
inline void combine_rows_apart(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride,
                               V* __restrict lanes) {
  uninitialized<V> values[Rows][Lanes];
  for (int r = 0; r < Rows; ++r) {
    PREDUCE_INDEPENDENT
    for (int l = 0; l < Lanes; ++l) values[r][l].value = source.value(first + r * stride + l);
  }
  asm volatile("" : : "r"(&values) : "memory");
  constexpr int own = Rows - (Start ? 1 : 0);
  PREDUCE_INDEPENDENT
  for (int l = 0; l < Lanes; ++l) {
    V value = Start ? values[0][l].value : lanes[l];
    for (int r = Rows - own; r < Rows; ++r) value = monoid.combine(value, values[r][l].value);
    lanes[l] = value;
  }
}

/// A row of a block by a functor that updates lanes. They are set.
template <int Lanes, class Source, class Monoid, class V>
inline void accumulate_row(Source const& source, Monoid const& monoid, std::int64_t first, V* __restrict lanes) {
  PREDUCE_INDEPENDENT
  for (int l = 0; l < Lanes; ++l) source.contribute(monoid, lanes[l], first + l, false);
}

/// `rows` rows into a block of lanes, which start from the first one where `start`.
template <int Lanes, class Source, class Monoid, class V>
inline void add_rows_of_block(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride,
                              int rows, bool start, V* lanes) {
  if constexpr (Source::returns_value()) {
    constexpr bool apart = PREDUCE_HOST_FUSES && Source::is_computed && !order_free<Monoid>;
    auto const combine = [&]<bool Start, int Rows>(std::bool_constant<Start>, std::integral_constant<int, Rows>,
                                                   int row) {
      if constexpr (apart)
        detail::combine_rows_apart<Lanes, Start, Rows>(source, monoid, first + row * stride, stride, lanes);
      else
        detail::combine_rows<Lanes, Start, Rows>(source, monoid, first + row * stride, stride, lanes);
    };
    constexpr std::integral_constant<int, 4> four;
    constexpr std::integral_constant<int, 1> one;
    int row = 0;
    if (start && rows >= 4) {
      combine(std::true_type{}, four, row);
      row = 4;
    } else if (start && rows > 0) {
      combine(std::true_type{}, one, row);
      row = 1;
    }
    for (; row + 4 <= rows; row += 4) combine(std::false_type{}, four, row);
    for (; row < rows; ++row) combine(std::false_type{}, one, row);
  } else {
    if (start)
      for (int l = 0; l < Lanes; ++l) lanes[l] = monoid.identity();
    for (int row = 0; row < rows; ++row) detail::accumulate_row<Lanes>(source, monoid, first + row * stride, lanes);
  }
}

/// One element into each of a few lanes, which start from it where `start`.
template <class Source, class Monoid, class V>
[[gnu::noinline]] void contribute_row(Source const& source, Monoid const& monoid, std::int64_t first, int count,
                                      bool start, V* lanes) {
  if constexpr (is_builtin_monoid<Monoid>) {
    if (start)
      for (int l = 0; l < count; ++l) lanes[l] = monoid.identity();
  }
  for (int l = 0; l < count; ++l) source.contribute(monoid, lanes[l], first + l, start);
}

/// `rows` rows into `count` lanes, of which the first `more` take one more row. `start`: they start from their first.
template <class Source, class Monoid, class V>
[[gnu::noinline]] void add_rows(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride,
                                int rows, int count, int more, bool start, V* lanes) {
  int l = 0;
  if constexpr (has_host_blocks<V>) {
    for (; l + host_block <= count; l += host_block) {
      bool const all_more = more >= l + host_block;
      detail::add_rows_of_block<host_block>(source, monoid, first + l, stride, rows + (all_more ? 1 : 0), start,
                                            lanes + l);
      if (more > l && !all_more)
        detail::contribute_row(source, monoid, first + rows * stride + l, more - l, start && rows == 0, lanes + l);
    }
  }
  for (int row = 0; row < rows; ++row)
    detail::contribute_row(source, monoid, first + row * stride + l, count - l, start && row == 0, lanes + l);
  if (more > l)
    detail::contribute_row(source, monoid, first + rows * stride + l, more - l, start && rows == 0, lanes + l);
}

/// One level of the tree over `count` neighbours, into `to`, which may be where they are or before; how many are left.
template <class Monoid, class V>
inline int fold_pairs(Monoid const& monoid, V const* lanes, int count, V* to) {
  int const pairs = count / 2;
  for (int p = 0; p < pairs; ++p) to[p] = monoid.combine(lanes[2 * p], lanes[2 * p + 1]);
  if (count % 2 != 0) to[pairs] = lanes[count - 1];
  return count - pairs;
}

/// Three levels of the tree over a block or a stretch of lanes, into `to`, which may be where they are or before.
template <int Lanes, class Monoid, class V>
inline void fold_block(Monoid const& monoid, V const* lanes, V* to) {
  if constexpr (has_host_vectors<Monoid, V>) {
    constexpr int bytes = Lanes == host_stretch ? host_vector_bytes : 16;
    constexpr int of_vector = bytes / static_cast<int>(sizeof(V));
    for (int i = 0; i < Lanes / 8; i += of_vector) detail::fold_eight_vectors<bytes>(lanes + 8 * i, to + i);
  } else {
    uninitialized<V> halves[Lanes / 2], quarters[Lanes / 4], eighths[Lanes / 8];
    PREDUCE_INDEPENDENT
    for (int i = 0; i < Lanes / 2; ++i) halves[i].value = monoid.combine(lanes[2 * i], lanes[2 * i + 1]);
    PREDUCE_INDEPENDENT
    for (int i = 0; i < Lanes / 4; ++i)
      quarters[i].value = monoid.combine(halves[2 * i].value, halves[2 * i + 1].value);
    PREDUCE_INDEPENDENT
    for (int i = 0; i < Lanes / 8; ++i)
      eighths[i].value = monoid.combine(quarters[2 * i].value, quarters[2 * i + 1].value);
    PREDUCE_INDEPENDENT
    for (int i = 0; i < Lanes / 8; ++i) to[i] = eighths[i].value;
  }
}

/// The same over any number of neighbours; how many are left.
template <class Monoid, class V>
[[gnu::noinline]] int fold_three_levels(Monoid const& monoid, V const* lanes, int count, V* to) {
  int done = 0;
  if constexpr (has_host_blocks<V>) {
    for (; done + host_stretch <= count; done += host_stretch)
      detail::fold_block<host_stretch>(monoid, lanes + done, to + done / 8);
    for (; done + host_block <= count; done += host_block)
      detail::fold_block<host_block>(monoid, lanes + done, to + done / 8);
  }
  int left = detail::fold_pairs(monoid, lanes + done, count - done, to + done / 8);
  left = detail::fold_pairs(monoid, to + done / 8, left, to + done / 8);
  return done / 8 + detail::fold_pairs(monoid, to + done / 8, left, to + done / 8);
}

/// The tree over `count` >= 1 neighbours, in place.
template <class Monoid, class V>
V fold_neighbours(Monoid const& monoid, V* lanes, int count) {
  while (count > 1) count = detail::fold_three_levels(monoid, lanes, count, lanes);
  return lanes[0];
}

/// Folds lanes [first_lane, first_lane + count) of a tile, all present. `lanes` take up to most_streams rows at a time,
/// so that a few streams of memory are read side by side; the last rows of a stretch of them are followed by its tree.
template <class Source, class Monoid, class V, class Offset, class LaneBits>
V fold_lanes(Source const& source, Monoid const& monoid, tile_view<Offset, LaneBits> const& tile, int first_lane,
             int count, V* lanes) {
  constexpr int most_streams = 8;
  std::int64_t const stride = std::int64_t{1} << tile.lane_bits;
  std::int64_t const first = tile.first + first_lane;
  std::int64_t const whole_rows = tile.count >> tile.lane_bits;
  // Lanes that have one row more.
  int const cut = detail::clamp_int(static_cast<int>(tile.count - whole_rows * stride) - first_lane, 0, count);

  std::int64_t row = 0;
  for (; row + most_streams < whole_rows; row += most_streams)
    detail::add_rows(source, monoid, first + row * stride, stride, most_streams, count, 0, row == 0, lanes);

  auto const rows = static_cast<int>(whole_rows - row);
  constexpr int most = detail::least_of(host_stretch, host_group_lanes<V>);
  uninitialized<V> few[most];
  int left = 0;
  for (int l = 0; l < count; l += most) {
    std::int64_t const at = first + row * stride + l;
    int const here = detail::least_of(count - l, most);
    int const more = detail::clamp_int(cut - l, 0, here);
    int const all = rows + (more == here ? 1 : 0);  // rows that all of these lanes have
    bool const even = more == 0 || more == here;
    if constexpr (Source::is_plain && std::is_same_v<typename Source::element_type, V>) {
      if (row == 0 && all == 1 && even) {  // the data are the lanes
        if (has_host_blocks<V> && here == host_stretch)
          detail::fold_block<host_stretch>(monoid, source.data + at, lanes + left);
        else
          detail::fold_three_levels(monoid, source.data + at, here, lanes + left);
        left += (here + 7) / 8;
        continue;
      }
    }
    V* const stretch = row == 0 ? &few[0].value : lanes + l;
    if constexpr (has_host_blocks<V>) {
      if (even && here == host_stretch) {
        detail::add_rows_of_block<host_stretch>(source, monoid, at, stride, all, row == 0, stretch);
        detail::fold_block<host_stretch>(monoid, stretch, lanes + left);
        left += host_stretch / 8;
        continue;
      }
    }
    detail::add_rows(source, monoid, at, stride, rows, here, more, row == 0, stretch);
    left += detail::fold_three_levels(monoid, stretch, here, lanes + left);
  }
  return detail::fold_neighbours(monoid, lanes, left);
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

/// Folds the present ones of lanes [first_lane, first_lane + lanes) of `tile`, at least one. Not inlined: a caller that
/// is compiled for more instructions than this file would have them here, too, and fuse with them.
template <class Source, class Monoid, class Offset, class LaneBits>
[[gnu::noinline]] typename Source::value_type host_fold(Source const& source, Monoid const& monoid,
                                                        tile_view<Offset, LaneBits> const& tile, int first_lane,
                                                        int lanes) {
  using value = typename Source::value_type;
  constexpr int group = host_group_lanes<value>;
  uninitialized<value> storage[group];
  value* const buffer = &storage[0].value;
  int const end = first_lane + lanes < tile.present ? first_lane + lanes : tile.present;
  carry_stack<value, 10> stack;
  for (int lane = first_lane; lane < end; lane += group) {
    int const count = end - lane < group ? end - lane : group;
    if constexpr (commutes<Monoid>) {
      stack.push(monoid, detail::fold_lanes(source, monoid, tile, lane, count, buffer));
    } else {
      detail::stream_lanes(source, monoid, tile, lane, count, buffer);
      stack.push(monoid, detail::fold_neighbours(monoid, buffer, count));
    }
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

}  // namespace PREDUCE_HOST_ISA
}  // namespace preduce::detail::inline PREDUCE_ABI

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

/// Lanes of an inner loop: eight vectors of floats.
inline constexpr int host_block = 2 * host_vector_bytes;
/// Whether a group has any: of large values it has few lanes, and arrays of a block of them would fill the stack.
template <class V>
inline constexpr bool has_host_blocks = host_group_lanes<V> >= host_block;

/// Whether this compiler may fuse what a functor computes into the addition that takes it, which would change the bits.
#if (defined(__x86_64__) || defined(__i386__)) && !defined(__FMA__) && !defined(__FMA4__)
inline constexpr bool host_may_fuse = false;  // there is no such instruction
#else
inline constexpr bool host_may_fuse = true;
#endif

/// Keeps the compiler from that, at the price of a way through memory.
template <class V>
inline void keep_apart(V* values) {
  if constexpr (host_may_fuse) asm volatile("" : : "r"(values) : "memory");
}

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
template <bool Start, int Rows, class Source, class Monoid, class V>
inline void combine_rows(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride,
                         V* __restrict lanes) {
  constexpr int own = Rows - (Start ? 1 : 0);
  auto const at = [&](std::int64_t i) { return source.value(i); };
  PREDUCE_INDEPENDENT
  for (int l = 0; l < host_block; ++l) {
    V const value = Start ? source.value(first + l) : lanes[l];
    if constexpr (own == 0)
      lanes[l] = value;
    else
      lanes[l] = detail::combine_column<own>(monoid, value, at, first + l + (Start ? stride : 0), stride);
  }
}

/// The same where a functor's results must not be fused with their combination.
template <bool Start, int Rows, class Source, class Monoid, class V>
inline void combine_rows_apart(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride,
                               V* __restrict lanes) {
  uninitialized<V> values[Rows][host_block];
  for (int r = 0; r < Rows; ++r) {
    PREDUCE_INDEPENDENT
    for (int l = 0; l < host_block; ++l) values[r][l].value = source.value(first + r * stride + l);
  }
  detail::keep_apart(&values[0][0]);
  constexpr int own = Rows - (Start ? 1 : 0);
  PREDUCE_INDEPENDENT
  for (int l = 0; l < host_block; ++l) {
    V value = Start ? values[0][l].value : lanes[l];
    for (int r = Rows - own; r < Rows; ++r) value = monoid.combine(value, values[r][l].value);
    lanes[l] = value;
  }
}

/// One element into each of a few lanes.
template <class Source, class Monoid, class V>
inline void contribute_row(Source const& source, Monoid const& monoid, std::int64_t first, int count, bool start,
                           V* lanes) {
  if constexpr (is_builtin_monoid<Monoid> || !Source::returns_value()) {
    if (start)
      for (int l = 0; l < count; ++l) lanes[l] = monoid.identity();
  }
  for (int l = 0; l < count; ++l) source.contribute(monoid, lanes[l], first + l, start);
}

/// `rows` rows into up to host_block lanes, which start from the first one where `start`.
template <class Source, class Monoid, class V>
inline void add_rows(Source const& source, Monoid const& monoid, std::int64_t first, std::int64_t stride, int rows,
                     int count, bool start, V* lanes) {
  if constexpr (Source::returns_value() && has_host_blocks<V>) {
    if (count == host_block) {
      auto const add = [&]<bool Start, int Rows>(std::bool_constant<Start>, std::integral_constant<int, Rows>) {
        if constexpr (host_may_fuse && !Source::is_plain)
          detail::combine_rows_apart<Start, Rows>(source, monoid, first, stride, lanes);
        else
          detail::combine_rows<Start, Rows>(source, monoid, first, stride, lanes);
        first += Rows * stride;
        rows -= Rows;
      };
      constexpr std::integral_constant<int, 4> four;
      constexpr std::integral_constant<int, 1> one;
      if (start && rows >= 4)
        add(std::true_type{}, four);
      else if (start && rows > 0)
        add(std::true_type{}, one);
      while (rows >= 4) add(std::false_type{}, four);
      while (rows > 0) add(std::false_type{}, one);
      return;
    }
  }
  for (int r = 0; r < rows; ++r)
    detail::contribute_row(source, monoid, first + r * stride, count, start && r == 0, lanes);
}

/// One level of the tree over `count` neighbours, in place; how many are left.
template <class Monoid, class V>
inline int fold_pairs(Monoid const& monoid, V* lanes, int count) {
  int const pairs = count / 2;
  for (int p = 0; p < pairs; ++p) lanes[p] = monoid.combine(lanes[2 * p], lanes[2 * p + 1]);
  if (count % 2 != 0) lanes[pairs] = lanes[count - 1];
  return count - pairs;
}

/// Three levels of the tree over a block's lanes, into `to`, which may be where they are.
template <class Monoid, class V>
inline void fold_block(Monoid const& monoid, V const* lanes, V* to) {
  if constexpr (has_host_vectors<Monoid, V>) {
    constexpr int of_vector = host_vector_bytes / static_cast<int>(sizeof(V));
    for (int i = 0; i < host_block / 8; i += of_vector) detail::fold_eight_vectors(lanes + 8 * i, to + i);
  } else {
    uninitialized<V> halves[host_block / 2], quarters[host_block / 4], eighths[host_block / 8];
    PREDUCE_INDEPENDENT
    for (int i = 0; i < host_block / 2; ++i) halves[i].value = monoid.combine(lanes[2 * i], lanes[2 * i + 1]);
    PREDUCE_INDEPENDENT
    for (int i = 0; i < host_block / 4; ++i)
      quarters[i].value = monoid.combine(halves[2 * i].value, halves[2 * i + 1].value);
    PREDUCE_INDEPENDENT
    for (int i = 0; i < host_block / 8; ++i)
      eighths[i].value = monoid.combine(quarters[2 * i].value, quarters[2 * i + 1].value);
    PREDUCE_INDEPENDENT
    for (int i = 0; i < host_block / 8; ++i) to[i] = eighths[i].value;
  }
}

/// Three levels of the tree over fewer neighbours, in place; how many are left.
template <class Monoid, class V>
inline int fold_part_of_block(Monoid const& monoid, V* lanes, int count) {
  for (int level = 0; level < 3; ++level) count = detail::fold_pairs(monoid, lanes, count);
  return count;
}

/// The tree over `count` >= 1 neighbours, in place.
template <class Monoid, class V>
V fold_neighbours(Monoid const& monoid, V* lanes, int count) {
  if constexpr (has_host_blocks<V>) {
    while (count > host_block) {
      int const blocks = count / host_block;
      for (int b = 0; b < blocks; ++b) detail::fold_block(monoid, lanes + b * host_block, lanes + b * (host_block / 8));
      V* const beyond = lanes + blocks * host_block;
      int const left = detail::fold_part_of_block(monoid, beyond, count - blocks * host_block);
      count = blocks * (host_block / 8);
      for (int i = 0; i < left; ++i) lanes[count++] = beyond[i];
    }
  }
  while (count > 1) count = detail::fold_pairs(monoid, lanes, count);
  return lanes[0];
}

/// Folds lanes [first_lane, first_lane + count) of a tile, all present. `lanes` take up to most_streams rows at a time,
/// so that a few streams of memory are read side by side; after a block's last rows comes its tree.
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
  for (; row + most_streams < whole_rows; row += most_streams) {
    for (int l = 0; l < count; l += host_block)
      detail::add_rows(source, monoid, first + row * stride + l, stride, most_streams,
                       detail::least_of(count - l, host_block), row == 0, lanes + l);
  }
  bool const only = row == 0;
  auto const rows = static_cast<int>(whole_rows - row);
  uninitialized<V> storage[detail::least_of(host_block, host_group_lanes<V>)];
  int left = 0;
  for (int l = 0; l < count; l += host_block) {
    std::int64_t const at = first + row * stride + l;
    int const here = detail::least_of(count - l, host_block);
    int const more = detail::clamp_int(cut - l, 0, here);
    V* const block = only ? &storage[0].value : lanes + l;
    int const common = rows + (more == here ? 1 : 0);  // rows that all these lanes have
    bool const whole = has_host_blocks<V> && here == host_block;
    if constexpr (Source::is_plain && std::is_same_v<typename Source::element_type, V>) {
      if (only && whole && common == 1 && more % host_block == 0) {
        detail::fold_block(monoid, source.data + at, lanes + left);
        left += host_block / 8;
        continue;
      }
    }
    detail::add_rows(source, monoid, at, stride, common, here, only, block);
    if (more < here) detail::contribute_row(source, monoid, at + rows * stride, more, only && rows == 0, block);
    if constexpr (has_host_blocks<V>) {
      if (whole) {
        detail::fold_block(monoid, block, lanes + left);
        left += host_block / 8;
        continue;
      }
    }
    int const some = detail::fold_part_of_block(monoid, block, here);
    for (int i = 0; i < some; ++i) lanes[left++] = block[i];
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

/// Folds the present ones of lanes [first_lane, first_lane + lanes) of `tile`, at least one. Not inlined: a caller for
/// which instructions are allowed that this file is not compiled for would have them here, too.
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

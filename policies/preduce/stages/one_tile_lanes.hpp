#pragma once
// What a thread keeps of a single tile: a value a lane, or where a location is asked for the best of a few chains.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/fold_registers.hpp>
#include <preduce/stages/fold_warp.hpp>
#include <preduce/stages/keyed_location.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>
#include <type_traits>

namespace preduce::detail::inline PREDUCE_ABI {

/// How a warp of Warps takes its part of a single tile: neighbouring chunks, a vector of each a thread and row.
template <class Source, int Warps>
struct one_tile_share {
  static constexpr int width = arrangement<Source, true>::vector;
  static constexpr int chunk_lanes = arrangement<Source, true>::chunk;
  static constexpr int chunks = order_lanes / chunk_lanes / Warps;
};

/// A thread's lanes of a single tile, a value each. Elements are named by how far they lie behind the thread's first.
template <class Job, int Warps>
class one_tile_values {
 public:
  using source = typename Job::source_type;
  using element = typename source::element_type;
  using value = typename Job::value;
  using share = one_tile_share<source, Warps>;

  PREDUCE_FUNCTION one_tile_values(Job const& job, int, int) : job_(job) {
    PREDUCE_UNROLL
    for (int k = 0; k < share::chunks * share::width; ++k)
      lanes_[k / share::width][k % share::width].value = job_.finish.monoid.identity();
  }

  /// Lane `w` of chunk `chunk`, both known to the compiler.
  PREDUCE_FUNCTION void add(element const& next, int chunk, int w, int) {
    detail::add_to(job_.finish.monoid, lanes_[chunk][w].value, job_.source.mapped(next), false);
  }
  /// The same for a chunk that it does not know.
  PREDUCE_FUNCTION void add_last(element const& next, int chunk, int w, int offset) {
    PREDUCE_UNROLL
    for (int k = 0; k < share::chunks; ++k) {
      if (k == chunk) add(next, k, w, offset);
    }
  }

  /// The warp's value, in its first thread.
  template <simt::context C>
  PREDUCE_FUNCTION value fold(C const& ctx) {
    auto const& monoid = job_.finish.monoid;
    uninitialized<value> totals[share::chunks];
    PREDUCE_UNROLL
    for (int k = 0; k < share::chunks; ++k) totals[k].value = detail::fold_registers(monoid, lanes_[k]);
    if constexpr (warp_instruction<typename Job::monoid_type>::exists) {
      return detail::fold_warp(ctx, monoid, detail::fold_registers(monoid, totals));
    } else {
      PREDUCE_UNROLL
      for (int s = 1; s < simt::warp_threads; s *= 2) {  // the chunks' trees side by side
        PREDUCE_UNROLL
        for (int k = 0; k < share::chunks; ++k)
          totals[k].value = monoid.combine(totals[k].value, ctx.shuffle_down(totals[k].value, s));
      }
      return detail::fold_registers(monoid, totals);
    }
  }

 private:
  Job const& job_;
  uninitialized<value> lanes_[share::chunks][share::width];
};

/// The same where a location is asked for: the best key and its place in the tile, in a few chains of elements that
/// follow each other, of which the first among equals stays.
template <class Job, int Warps>
class one_tile_locations {
 public:
  using source = typename Job::source_type;
  using element = typename source::element_type;
  using value = typename Job::value;
  using share = one_tile_share<source, Warps>;

  PREDUCE_FUNCTION one_tile_locations(Job const&, int position, int room) : position_(position) {
    PREDUCE_UNROLL
    for (int c = 0; c < chains; ++c) chains_[c].value = {last, c < room ? position + c : no_tile_index};
  }

  PREDUCE_FUNCTION void add(element const& next, int, int w, int offset) {
    auto const key = detail::location_key<sign>(next);
    auto& chain = chains_[w % chains].value;
    bool const better = best::before(key, chain.key);
    chain.key = better ? key : chain.key;
    chain.index = better ? position_ + offset : chain.index;
  }
  PREDUCE_FUNCTION void add_last(element const& next, int chunk, int w, int offset) { add(next, chunk, w, offset); }

  template <simt::context C>
  PREDUCE_FUNCTION value fold(C const& ctx) {
    PREDUCE_UNROLL
    for (int s = 1; s < chains; s *= 2) {
      PREDUCE_UNROLL
      for (int c = 0; c < chains; c += 2 * s) chains_[c].value = best::better(chains_[c].value, chains_[c + s].value);
    }
    best const found = detail::best_of_warp(ctx, chains_[0].value);
    if (found.index == no_tile_index) return Job::monoid_type::identity();
    return {{found.key, found.index}};
  }

 private:
  static constexpr int sign = value::sign;
  using key_type = location_key_t<element, sign>;
  using best = key_and_index<key_type, sign, std::int32_t>;
  static constexpr key_type last = sign < 0 ? greatest<key_type> : least<key_type>;
  static constexpr int chains = detail::least_of(share::width, 4);

  int position_;
  uninitialized<best> chains_[chains];
};

/// What a thread keeps of a single tile.
template <class Job, int Warps>
struct one_tile_lanes : std::type_identity<one_tile_values<Job, Warps>> {};
template <class T, int Sign, class Finish, int Warps>
struct one_tile_lanes<grid_job<keyed_source<T, Sign>, Finish>, Warps>
    : std::type_identity<one_tile_locations<grid_job<keyed_source<T, Sign>, Finish>, Warps>> {};

}  // namespace preduce::detail::inline PREDUCE_ABI

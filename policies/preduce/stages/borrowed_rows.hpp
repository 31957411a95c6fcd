#pragma once
// Elements of 2 bytes in data that begins a word or less from a 16-byte boundary. Each thread of a warp reads one
// aligned vector a row, and has the word that it lacks from its neighbour; one thread at the warp's end reads its own.
// (Of floats, a vector in three pieces is as fast.)

#include <preduce/contexts/context.hpp>
#include <preduce/sources.hpp>
#include <preduce/stages/small_integers.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// Which neighbour has the missing word: the next one where the data begins just after a boundary, else the one before.
enum class lender : std::uint8_t { next, previous };

/// Whether elements are read so where their data allows it.
template <class Element>
inline constexpr bool borrows = sizeof(Element) == 2;

/// All rows of a warp's chunk; the 32 threads go through them together.
template <lender Who, simt::context C, class Source, class LaneBits, class Lanes>
class borrowed_rows {
 public:
  using element = typename Source::element_type;

  /// `position`: this thread's first lane. `past`: bytes between a boundary and the data.
  PREDUCE_FUNCTION borrowed_rows(C const& ctx, Source const& source, tile_view<int, LaneBits> const& tile, int position,
                                 int past, Lanes& lanes)
      : ctx_(ctx),
        lanes_(lanes),
        lane_bits_(tile.lane_bits),
        past_(past),
        room_(tile.count - position),
        at_(source.data + (tile.first + position)) {
    int const thread = simt::warp_lane(ctx);
    int const first_lane = position - thread * width;
    shared_rows_ = detail::rows_that_fit(tile.count, first_lane, chunk, lane_bits_);
    if constexpr (Who == lender::previous) {  // the last vector ends behind the chunk
      int const readable = detail::rows_that_fit(tile.readable, first_lane, chunk + (16 - past) / bytes, lane_bits_);
      if (readable < shared_rows_) shared_rows_ = readable;
    }
    begins_ = Who == lender::next && tile.first + first_lane == 0;
    at_the_end_ = thread == (Who == lender::next ? simt::warp_threads - 1 : 0);
  }

  PREDUCE_FUNCTION void read() {
    int row = 0;
    PREDUCE_UNROLL_NOT
    for (; row + unroll <= shared_rows_; row += unroll) add_rows<true>(row, unroll);
    if (row < shared_rows_) add_rows<false>(row, shared_rows_ - row);
    PREDUCE_UNROLL_NOT
    for (row = shared_rows_; (row << lane_bits_) < room_; ++row) {  // what the end of the data cuts: a row or two
      PREDUCE_UNROLL
      for (int w = 0; w < width; ++w) {
        if (w + (row << lane_bits_) < room_) lanes_.add(at_[w], w, row);
      }
      at_ += rows(1);
    }
  }

 private:
  static constexpr int bytes = static_cast<int>(sizeof(element));
  static_assert(bytes == 2);
  static constexpr int width = arrangement<Source, true>::vector;
  static constexpr int chunk = simt::warp_threads * width;
  static constexpr int unroll = detail::least_of(arrangement<Source, true>::unroll, LaneBits::most_unroll);

  PREDUCE_FUNCTION std::int64_t rows(int count) const { return static_cast<std::int64_t>(count) << lane_bits_; }

  /// `count` rows from `row` on; All: as many as are unrolled.
  template <bool All>
  PREDUCE_FUNCTION void add_rows(int row, int count) {
    bool const first = begins_ && row == 0;  // nothing may be read before it
    auto const* const vectors =
        reinterpret_cast<unsigned char const*>(at_) + (Who == lender::next ? -past_ : 16 - past_);
    simt::raw16 raw[unroll];
    std::uint32_t own[unroll];
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      own[u] = 0;
      if (!All || u == 0) raw[u] = {};  // else its registers count as used from the start
    }
    PREDUCE_UNROLL
    for (int u = 1; u < unroll; ++u) {
      if (All || u < count) raw[u] = ctx_.load16(vectors + rows(u) * bytes);
    }
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      if ((All || u < count) && at_the_end_) own[u] = own_word(vectors + rows(u) * bytes);
    }
    if (first)  // the same for the whole warp; the other loads are under way
      raw[0] = element_by_element(at_);
    else
      raw[0] = ctx_.load16(vectors);
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) {
      if (All || u < count) {  // the same for the whole warp
        auto vector = completed(raw[u], own[u]);
        PREDUCE_UNROLL
        for (int w = 0; w < 4; ++w) vector.words[w] = u == 0 && first ? raw[0].words[w] : vector.words[w];
        lanes_.add(vector, row + u);
      }
    }
    at_ += rows(count);
  }

  /// The bytes that the thread at the warp's end lacks, where they stand in the missing word. Its own elements.
  PREDUCE_FUNCTION std::uint32_t own_word(unsigned char const* vector) const {
    if constexpr (Who == lender::next) {
      return past_ == 4 ? ctx_.load4(vector + 16) : ctx_.load2(vector + 16);
    } else {
      return past_ == 12 ? ctx_.load4(vector - 4) : ctx_.load2(vector - 2) << 16;
    }
  }

  PREDUCE_FUNCTION simt::raw16 completed(simt::raw16 const& mine, std::uint32_t own) const {
    std::uint32_t words[5];
    PREDUCE_UNROLL
    for (int w = 0; w < 4; ++w) words[w + (Who == lender::next ? 0 : 1)] = mine.words[w];
    if constexpr (Who == lender::next) {
      auto const lent = ctx_.shuffle_down(mine.words[0], 1);
      words[4] = at_the_end_ ? own : lent;
    } else {
      auto const lent = ctx_.shuffle(mine.words[3], (simt::warp_lane(ctx_) - 1) & (simt::warp_threads - 1));
      words[0] = at_the_end_ ? own : lent;
    }
    simt::raw16 whole;
    // Two bytes or four from where the first of two words begins.
    std::uint32_t const picked = (Who == lender::next ? past_ : past_ - 12) == 2 ? 0x5432u
                                 : Who == lender::next                           ? 0x7654u
                                                                                 : 0x3210u;
    PREDUCE_UNROLL
    for (int w = 0; w < 4; ++w) whole.words[w] = packed::pick_bytes(words[w], words[w + 1], picked);
    return whole;
  }

  PREDUCE_FUNCTION simt::raw16 element_by_element(element const* from) const {
    simt::raw16 vector;
    PREDUCE_UNROLL
    for (int w = 0; w < 4; ++w) vector.words[w] = ctx_.load2(from + 2 * w) | (ctx_.load2(from + 2 * w + 1) << 16);
    return vector;
  }

  C const& ctx_;
  Lanes& lanes_;
  int lane_bits_;
  int past_;
  int room_;  ///< elements of the tile from this thread's first on
  element const* at_;
  int shared_rows_;  ///< that every thread of the warp has whole
  bool begins_;      ///< the chunk is the data's first
  bool at_the_end_;  ///< this thread has no neighbour that lends
};

/// See borrowed_rows.
template <lender Who, simt::context C, class Source, class LaneBits, class Lanes>
PREDUCE_FUNCTION void read_borrowed_rows(C const& ctx, Source const& source, tile_view<int, LaneBits> const& tile,
                                         int position, int past, Lanes& lanes) {
  borrowed_rows<Who, C, Source, LaneBits, Lanes>(ctx, source, tile, position, past, lanes).read();
}

}  // namespace preduce::detail::inline PREDUCE_ABI

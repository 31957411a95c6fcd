#pragma once
// A thread's elements by 16-byte vectors and strides of the grid, whatever the alignment: what lies before the first
// boundary and behind the last vector goes to the grid's first threads.

#include <preduce/contexts/context.hpp>
#include <preduce/stages/fold_registers.hpp>
#include <preduce/stages/read_rows.hpp>
#include <preduce/stages/view.hpp>

#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// Where vectors can be used: elements of memory that tile them, and identities for threads that get none.
template <class RungJob>
inline constexpr bool folds_vectors =
    maps_elements<typename RungJob::source_type>&& arrangement<typename RungJob::source_type, true>::wide&&
        is_builtin_monoid<std::remove_cvref_t<decltype(RungJob::job.finish.monoid)>>;

template <simt::context C, class RungJob>
PREDUCE_FUNCTION void fold_vectors(C const& ctx, RungJob const& job, typename RungJob::value& total) {
  using source = typename RungJob::source_type;
  using element = typename source::element_type;
  using value = typename RungJob::value;
  constexpr int width = arrangement<source, true>::vector;
  constexpr int unroll = 4;
  auto const& from = job.job.source;
  auto const& monoid = job.monoid();
  std::int64_t const thread = std::int64_t{ctx.block_rank()} * ctx.block_size() + ctx.thread_rank();
  std::int64_t const step = std::int64_t{ctx.grid_size()} * ctx.block_size();

  int const beyond = static_cast<int>(reinterpret_cast<std::uintptr_t>(from.data) % 16 / sizeof(element));
  std::int64_t const before = beyond == 0 ? 0 : width - beyond;
  std::int64_t const head = before < job.n ? before : job.n;
  std::int64_t const vectors = (job.n - head) / width;
  element const* const aligned = from.data + head;

  uninitialized<value> lanes[width];
  PREDUCE_UNROLL
  for (int w = 0; w < width; ++w) lanes[w].value = monoid.identity();
  auto const add = [&](simt::raw16 const& raw) {
    PREDUCE_UNROLL
    for (int w = 0; w < width; ++w)
      lanes[w].value =
          monoid.combine(lanes[w].value, detail::kept_apart(from.mapped(detail::vector_element<element>(raw, w))));
  };
  std::int64_t v = thread;
  PREDUCE_UNROLL_NOT
  for (; v + (unroll - 1) * step < vectors; v += unroll * step) {
    simt::raw16 raw[unroll];
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) raw[u] = ctx.load16(aligned + (v + u * step) * width);
    PREDUCE_UNROLL
    for (int u = 0; u < unroll; ++u) add(raw[u]);
  }
  PREDUCE_UNROLL_NOT
  for (; v < vectors; v += step) add(ctx.load16(aligned + v * width));

  if (thread < head) lanes[0].value = monoid.combine(lanes[0].value, job.element(thread));
  std::int64_t const tail = head + vectors * width + thread;
  if (thread < width && tail < job.n) lanes[0].value = monoid.combine(lanes[0].value, job.element(tail));
  total = detail::fold_registers(monoid, lanes);
}

}  // namespace preduce::detail::inline PREDUCE_ABI

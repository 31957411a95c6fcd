#pragma once
// What the GPU policies have in common: their options, their place, and the way from a call to a launch.

#include <preduce/concepts.hpp>
#include <preduce/places/default_place.hpp>
#include <preduce/plan.hpp>
#include <preduce/reduction.hpp>
#include <preduce/stages/fold_grid.hpp>
#include <preduce/stages/fold_one_tile.hpp>
#include <preduce/stages/keyed_location.hpp>

#include <cstddef>
#include <cstdint>

namespace preduce::detail::inline PREDUCE_ABI {

/// What the planner is told of a source under a monoid.
template <class Source, class Monoid>
constexpr element_facts facts_of() {
  using how = arrangement<Source, commutes<Monoid>>;
  using value = typename Source::value_type;
  return {how::element_bytes,
          static_cast<int>(sizeof(value)),
          how::chunk,
          how::vector,
          Source::in_memory,
          one_tile_rows<Source, Monoid>,
          slot_plan<value>::bytes_of_one};
}

/// An empty range runs no reduction: one thread writes what is known already.
template <class Out>
struct store_value {
  Out* out;
  std::uint64_t* flag;
  std::uint64_t flag_value;
  uninitialized<Out> value;

  template <simt::context C>
  PREDUCE_FUNCTION void operator()(C const& ctx) const {
    if (ctx.thread_rank() != 0) return;
    *out = value.value;
    if (flag != nullptr) ctx.publish_flag(flag, flag_value);
  }
};

/// What the planner is told of a policy's call, but for what only the place knows.
template <class Policy, class Source, class Monoid>
plan_request request_of(std::int64_t n, grid_options const& options, device_facts const& device) {
  plan_request request;
  request.about = {Policy::name(), n, type_name<typename Source::value_type>()};
  request.element = detail::facts_of<Source, Monoid>();
  request.options = options;
  request.device = device;
  request.commutative = commutes<Monoid>;
  request.order_free = order_free<Monoid>;
  request.fast_math = reassociated<Monoid>;
  request.algorithm = Policy::algorithm;
  if constexpr (Policy::algorithm == grid_algorithm::classic) request.classic = Policy::classic;
  return request;
}

/// What tells two plans apart that one instantiation of submit() makes.
struct plan_key {
  std::int64_t n = -1;
  int skipped = 0;
  access how = access::any;
  bool capturing = false;
  grid_options options;
  device_facts const* device = nullptr;
  friend bool operator==(plan_key const&, plan_key const&) = default;
};
struct latest_plan {
  plan_key key;
  plan made;
};

/// Whether a policy's kernels find an element by its number in the range.
template <class Policy>
inline constexpr bool keeps_places =
    Policy::algorithm == grid_algorithm::classic || Policy::algorithm == grid_algorithm::one_thread;

/// From a policy's execute() to its launches: checks, plans, leases workspace, and calls launch(call, plan, job,
/// workspace) for a range that is not empty. The job's source says whether the data is aligned.
template <class Policy, class Place, class Reduction, class Launch>
void submit(Place const& place, grid_options const& options, Reduction const& r, Launch&& launch) {
  using work = typename Reduction::work_type;
  using source = typename work::source_type;
  using monoid = typename work::monoid_type;
  using out = typename Reduction::out_type;

  auto const call = place.begin(r.about);
  using natural = readings<source, monoid>;
  using reads = std::conditional_t<keeps_places<Policy>, readings_in_place<natural>, natural>;
  device_facts const& device = call.device();
  auto const how = detail::access_for<reads>(r.work.source, r.work.n, device);
  int skipped = 0;
  if constexpr (reads::skipping) {
    if (r.work.n > 0 && how == access::skipping) skipped = detail::elements_beyond_boundary(r.work.source.data);
  }
  // Whether the stream captures is a call to the driver, and decides only where automatic has several blocks.
  constexpr int most_rows = one_tile_rows<source, monoid>;
  bool const whole_vectors = detail::is_aligned(how) && skipped == 0;
  int const rows_of_one_block = whole_vectors && most_rows > 2 ? most_rows : 2;
  bool const one_block = options.block_threads == 0 && options.unit_lanes == 0 &&
                         r.work.n + skipped <= std::int64_t{rows_of_one_block} * order_lanes;
  bool const asks = Policy::algorithm == grid_algorithm::automatic && !one_block;
  // A loop's calls are much alike: the latest plan of this kind of call is often the next one's, too.
  plan_key const key{r.work.n, skipped, how, asks && call.capturing(), options, &device};
  static constinit thread_local latest_plan latest;
  if (!(latest.key == key)) {
    auto request = request_of<Policy, source, monoid>(r.work.n, options, device);
    request.skipped = skipped;
    request.capturing = key.capturing;
    detail::read_as<reads>(how, r.work.source, [&](auto const& from) {
      request.element = detail::facts_of<std::remove_cvref_t<decltype(from)>, monoid>();
    });
    request.element.one_tile_rows = whole_vectors ? most_rows : 0;
    latest.made = plan_grid(request);
    latest.key = key;
  }
  auto const made = latest.made;  // a copy: a functor may itself reduce
  if (r.work.n == 0) {
    store_value<out> empty{};
    empty.value.value = static_cast<out>(r.empty_value());
    call.template with_result<Reduction::blocking>(r.out, [&](out* memory, std::uint64_t* flag, std::uint64_t raised) {
      empty.out = memory;
      empty.flag = flag;
      empty.flag_value = raised;
      call.launch(1, simt::warp_threads, 0, empty);
    });
    return;
  }
  r.work.source.check_memory([&](void const* memory) { call.check_readable(memory); });
  call.template with_result<Reduction::blocking>(r.out, [&](out* memory, std::uint64_t* flag, std::uint64_t raised) {
    auto workspace = call.lease(made.workspace);
    auto const launch_from = [&](auto const& from) {
      using source_type = std::remove_cvref_t<decltype(from)>;
      using form = kernel_form<source_type, monoid>;
      using value = typename form::value;
      using finish_type = grid_finish<typename form::monoid, value, out>;
      finish_type const finish{form::of(r.work.monoid),
                               form::of(r.work.init),
                               made.order,
                               static_cast<value*>(workspace.partials()),
                               memory,
                               flag,
                               raised};
      launch(call, made, grid_job<source_type, finish_type>{from, finish}, workspace);
    };
    // A single unit of aligned data that was not planned for that code is rare: the kernel for other data does it.
    bool const rare = has_one_tile_code<source, monoid> && made.order.units == 1 && !made.one_tile_code;
    auto const otherwise = reads::skipping ? access::skipping : access::any;
    detail::read_as<reads>(how == access::aligned && rare ? otherwise : how, r.work.source, launch_from);
  });
}

}  // namespace preduce::detail::inline PREDUCE_ABI

namespace preduce::inline PREDUCE_ABI {

/// The options of a GPU policy. Each setter returns a changed copy.
template <template <class> class Policy, class Place>
struct grid_policy {
  using policy_tag = void;

  Place place{};
  grid_options options{};

  /// Threads of a block: a multiple of 32, at most 1024; others are refused by the call.
  [[nodiscard]] constexpr Policy<Place> block_size(int threads) const {
    auto changed = options;
    changed.block_threads = threads == 0 ? -1 : threads;
    return {{place, changed}};
  }
  /// Upper bound of the grid, in blocks; at least 1.
  [[nodiscard]] constexpr Policy<Place> blocks(int most) const {
    auto changed = options;
    changed.max_blocks = most == 0 ? -1 : most;
    return {{place, changed}};
  }
  /// Lanes of a unit: a power of two from 32 to 4096.
  [[nodiscard]] constexpr Policy<Place> unit_lanes(int lanes) const {
    auto changed = options;
    changed.unit_lanes = lanes == 0 ? -1 : lanes;
    return {{place, changed}};
  }

  [[nodiscard]] constexpr Policy<simt_place> on(simt_place where) const { return {{where, options}}; }
#ifdef __CUDACC__
  [[nodiscard]] constexpr Policy<cuda_place> on(cudaStream_t stream) const {
    return {{{stream}, options}};
  }
#endif

  /// Lets the first kernel be scheduled before the stream's previous kernel has ended, which hides its launch: about
  /// 0.5 us a call in a graph. It waits for that kernel's end before it reads anything, so the data may come from it.
  /// What changes is what the previous kernel may rely on: if that one was itself launched so ("programmatic stream
  /// serialization"), it must wait for its own predecessor, as preduce's kernels do: else totals may be wrong, or never
  /// come. On a device older than sm_90, or under a policy that one names in code older than that, it changes nothing.
  /// Source: CUDA Programming Guide, "Programmatic Dependent Launch".
  [[nodiscard]] constexpr Policy<Place> overlap_previous() const {
    auto changed = options;
    changed.overlap_previous = true;
    return {{place, changed}};
  }

  /// Refuses a call whose bits the policy does not promise: those of a float sum under `atomic`, say.
  [[nodiscard]] constexpr Policy<Place> require(determinism least) const {
    auto changed = options;
    changed.at_least = least;
    return {{place, changed}};
  }

  /// The plan for n elements of type T in memory, summed. Pure.
  template <class T>
  [[nodiscard]] plan plan_for(std::int64_t n, device_facts const& device) const {
    using value = accumulator_t<T>;
    return plan_grid(
        detail::request_of<Policy<Place>, detail::pointer_source<T, value>, plus<value>>(n, options, device));
  }

 protected:
  /// submit() for the policies of the canonical order, which share the kernel for a single unit: launch() is called for
  /// two units or more.
  template <class Reduction, class Launch>
  void submit_units(Reduction const& r, Launch&& launch) const {
    submit_grid<false>(r, launch);
  }

  /// The same for kernels that end after fold_units where is_delivered(job): launch() may also be called for one unit,
  /// without workspace.
  template <class Reduction, class Launch>
  void submit_units_or_one(Reduction const& r, Launch&& launch) const {
    submit_grid<true>(r, launch);
  }

 private:
  template <bool FinishesOne, class Reduction, class Launch>
  void submit_grid(Reduction const& r, Launch const& launch) const {
    detail::submit<Policy<Place>>(
        place, options, r, [&](auto const& call, plan const& made, auto const& given, auto& workspace) {
          using given_type = std::remove_cvref_t<decltype(given)>;
          using source = typename given_type::source_type;
          using job_type = detail::grid_job<source, decltype(given_type::finish), FinishesOne>;
          constexpr bool one_tile_code =
              source::aligned && detail::has_one_tile_code<source, typename job_type::monoid_type>;
          if constexpr (one_tile_code) {
            if (made.one_tile_code) return detail::launch_one_tile(call, made, given);
          }
          // Aligned data whose single unit is not planned for that code comes here as misaligned.
          if constexpr (!detail::delivers_only_unit<job_type> && (source::skips || !one_tile_code)) {
            if (made.order.units == 1)
              return call.launch(1, made.threads, made.shared_bytes, detail::fold_only_unit<given_type>{given},
                                 detail::first_launch(made));
          }
          launch(call, made, job_type{given.source, given.finish}, workspace);
        });
  }
};

}  // namespace preduce::inline PREDUCE_ABI

#include "baselines/cub.hpp"
#include "gpu.hpp"
#include "gpu_side.hpp"
#include "gpu_timing.hpp"
#include "host.hpp"
#include "ours/ours.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perf {
namespace {

std::unique_ptr<gpu_state>& state() {
  static std::unique_ptr<gpu_state> only;
  return only;
}

gpu_state& shared_state() {
  if (state() == nullptr) {
    state() = std::make_unique<gpu_state>();
    // Clocks rise under load: the first case would be timed at the idle ones.
    for (int i = 0; i < 5000; ++i) state()->empty_cache();
    state()->stream.wait();
  }
  return *state();
}

rotation rotation_of(configuration const& what) {
  if (!what.cold) return {};
  // No region twice in one sample, or only after several caches' worth of others; whole vectors apart.
  auto const stride = (what.n + 4095) / 4096 * 4096;
  auto const bytes = stride * what.element_bytes();
  return {std::min<std::int64_t>(most_calls, gpu_state::more_than_cache() / bytes + 2), stride};
}

class preparation {
 public:
  preparation(configuration const& what, options const& chosen, results& out)
      : what_(what), chosen_(chosen), out_(out), on_(shared_state()), rotation_(rotation_of(what)) {}

  contest make() {
    if (what_.how == mode::graph_overlap && !ours::can_overlap())
      throw left_out("this preduce has no overlap_previous()");
    load();
    auto const mine = ours_under(what_, what_.policy);
    if (mine.call == nullptr) throw left_out("not compiled into this program: " + what_.title());
    refuse_slow(mine);
    check_ours(mine);
    auto rivals = make_rivals();
    auto const calls = calls_of(mine, rivals);
    contest sides;
    sides.ours = timed(mine, calls);
    for (auto& rival : rivals)
      attempt(rival.call.name, [&] { sides.rivals.push_back({rival.kind, rival.version, timed(rival.call, calls)}); });
    return sides;
  }

 private:
  struct named_side {
    baseline_kind kind;
    std::string version;
    side call;
  };

  /// The half of the second-level cache that a workspace happens to lie in moves a small call's time by 5%. So a sample
  /// is the mean over several workspaces.
  static constexpr int workspaces = 8;
  static constexpr int calls_a_workspace = 50;
  static constexpr std::int64_t small_bytes = std::int64_t{1} << 26;  ///< above, nothing of it shows

  static side side_of(std::function<std::shared_ptr<gpu_call>()> const& make, gpu_operands const& on,
                      std::string const& name) {
    return {make, make(), on, name};
  }

  void load() {
    auto const count = (std::max(rotation_.regions * rotation_.stride, what_.n) + 16) * components(what_.op);
    auto const stream = on_.stream.get();
    aligned_ = {on_.data.of(what_.type, count, 0, stream), nullptr, what_.n, on_.result.get(), stream};
    if (what_.op == operation::dot) aligned_.other = on_.other.of(what_.type, count, std::int64_t{1} << 40, stream);
    operands_ = aligned_;
    if (what_.from == source::pointer_1)
      operands_.data = static_cast<unsigned char const*>(aligned_.data) + what_.element_bytes();
  }

  [[nodiscard]] side ours_under(configuration what, std::string const& policy) const {
    what.policy = policy;
    auto const on = what.from == source::pointer_1 ? operands_ : aligned_;
    return side_of([what, on] { return std::shared_ptr<gpu_call>(ours::make(what, on)); }, on, policy);
  }

  /// Above 20 ms a call a rung of the ladder is of no interest, and thirty pairs of it would take a minute.
  void refuse_slow(side const& mine) {
    constexpr double limit = 20e3;
    auto const first = one_call(mine);
    if (first <= limit) return;
    if (first < 10 * limit && one_call(mine) <= limit) return;  // the first one had to load the kernels
    throw left_out(what_.policy + " above 20 ms a call, n = " + std::to_string(what_.n));
  }

  double one_call(side const& of) {
    cuda_event start, stop;
    start.record(of.on.stream);
    run(*of.call, 0);
    stop.record(of.on.stream);
    stop.wait();
    return stop.us_since(start);
  }

  void check_ours(side const& mine) {
    auto const expected = reference(what_, operands_.data, operands_.other, on_.stream.get());
    auto allowed = tolerances(what_, expected);
    bool const canonical = in_canonical_order(what_.policy);
    if (!canonical)  // no order that a bound is known for; all values are positive
      for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = 1e-3 * expected[i];
    auto const first = mine.on_device(what_);
    demand(compare_with_reference(first, expected, allowed));
    auto const second = mine.on_host(what_);
    demand(compare_with_reference(second, expected, allowed));
    if (!canonical) return;
    demand(compare_bits(second, first));
    auto plain = what_;
    if (plain.how == mode::graph_overlap) plain.how = mode::graph;
    if (auto const other = ours_under(plain, "two_pass"); other.call != nullptr)
      demand(compare_bits(other.on_device(what_), first));
    if (what_.from == source::pointer && what_.n <= chosen_.cpu_check)
      if (auto const on_cpu = serial_answer(what_); !on_cpu.bits.empty()) demand(compare_bits(on_cpu, first));
    expected_ = expected;
  }

  static void demand(std::string const& wrong) {
    if (!wrong.empty()) throw std::runtime_error(wrong);
  }

  std::vector<named_side> make_rivals() {
    std::vector<named_side> rivals;
    for (auto const kind : what_.baselines) {
      if (kind == baseline_kind::preduce_aligned) {
        auto plain = what_;
        plain.from = source::pointer;
        auto call = ours_under(plain, plain.policy);
        call.name = name(kind);
        rivals.push_back({kind, preduce_version(), call});
        continue;
      }
      add_rivals(rivals, kind, *preduce_bench_cccl_toolkit());
#ifdef PREDUCE_BENCH_CCCL_NEWEST
      add_rivals(rivals, kind, *preduce_bench_cccl_newest());
#endif
    }
    return rivals;
  }

  void add_rivals(std::vector<named_side>& rivals, baseline_kind kind, baseline::gpu_library const& from) {
    auto const title = std::string(name(kind)) + ' ' + from.version;
    attempt(title, [&] {
      auto const rival =
          side_of([&from, kind, what = what_,
                   on = operands_] { return std::shared_ptr<gpu_call>(from.make(kind, what.op, what.type, on)); },
                  operands_, title);
      if (rival.call == nullptr) return;
      inspect(rival, kind);
      rivals.push_back({kind, from.version, rival});
    });
  }

  /// A baseline that cannot do it is left out; the others, and our time, remain.
  template <class F>
  void attempt(std::string const& baseline, F&& f) {
    try {
      f();
    } catch (std::exception const& fault) {
      if (!gpu_still_works()) throw;
      out_.leave_out(baseline + ", " + what_.title(), fault.what());
    }
  }

  /// A baseline that gives something else is timed all the same, and named: CUB sums half in half.
  void inspect(side const& rival, baseline_kind kind) {
    auto const half_in_half = kind == baseline_kind::cub && what_.op == operation::sum &&
                              (what_.type == element::f16 || what_.type == element::bf16);
    if (half_in_half || expected_.empty()) return;
    auto allowed = tolerances(what_, expected_);
    for (std::size_t i = 0; i < allowed.size(); ++i)
      if (allowed[i] > 0) allowed[i] = std::max(allowed[i], 1e-3 * std::abs(expected_[i]));
    auto const got = kind == baseline_kind::thrust ? rival.on_host(what_) : rival.on_device(what_);
    if (auto const wrong = compare_with_reference(got, expected_, allowed); !wrong.empty())
      out_.leave_out("agreement of a baseline, " + what_.title(), wrong);
  }

  /// As many calls a sample as take about 5 ms: 100 where one is short, so that the events' grain does not show.
  int calls_of(side const& mine, std::vector<named_side> const& rivals) {
    auto const warm = [this](side const& of) { return std::min(one_call(of), one_call(of)); };
    double longest = warm(mine);
    if (what_.how != mode::host)
      for (auto const& rival : rivals) longest = std::max(longest, warm(rival.call));
    constexpr double budget = 5e3;
    auto const most = what_.how == mode::host ? most_calls / 5 : most_calls;
    return static_cast<int>(std::clamp(budget / longest, 1.0, static_cast<double>(most)));
  }

  /// Captured by value: samplers outlive this preparation.
  [[nodiscard]] auto issuer(side const& of) const {
    auto const user = what_.how == mode::graph_user;
    auto const bytes = std::min<std::int64_t>(what_.bytes(), 1024);
    return [call = of.call, on = of.on, rotation = rotation_, user, bytes, i = std::int64_t{0}]() mutable {
      auto const offset = rotation.offset(i++);
      if (user) touch(const_cast<void*>(on.data), bytes, on.stream);
      run(*call, offset);
    };
  }

  std::unique_ptr<contender> timed(side const& of, int calls) {
    auto const stream = on_.stream.get();
    if (what_.how == mode::stream) {
      auto const issue = issuer(of);
      return with_cache(
          std::make_unique<sampled<stream_sampler<std::remove_const_t<decltype(issue)>>>>(stream, calls, issue));
    }
    if (what_.how == mode::host) {
      auto const pinned = std::make_shared<pinned_value<std::array<unsigned char, result_bytes>>>();
      auto const bytes = scalar_bytes(accumulator(what_.op, what_.type)) * components(what_.op);
      auto const call = [of, pinned, bytes, rotation = rotation_, i = std::int64_t{0}]() mutable {
        of.finish_on_host(rotation.offset(i++), bytes, pinned->get());
      };
      return with_cache(
          std::make_unique<sampled<scalar_sampler<std::remove_const_t<decltype(call)>>>>(stream, calls, call));
    }
    auto graphs = std::make_unique<graph_side>(stream);
    if (what_.bytes() > small_bytes) {
      graphs->add(calls, issuer(of), of.call);
    } else {
      for (int place = 0; place < workspaces; ++place) {
        auto placed = of;
        if (place > 0) placed.call = of.make();
        graphs->add(std::min(calls, calls_a_workspace), issuer(placed), placed.call);
      }
    }
    return with_cache(std::move(graphs));
  }

  /// Graphs of the same calls. A graph's nodes hold pointers into what its call owns.
  class graph_side : public contender {
   public:
    explicit graph_side(cudaStream_t stream) : sampler_(stream) {}
    template <class Issue>
    void add(int calls, Issue&& issue, std::shared_ptr<gpu_call> call) {
      calls_.push_back(std::move(call));
      apart_.push_back(std::make_unique<device_array<unsigned char>>(page));
      sampler_.capture(calls, issue);
    }
    double sample() override { return sampler_(); }

   private:
    static constexpr std::int64_t page = 4096;
    std::vector<std::shared_ptr<gpu_call>> calls_;
    std::vector<std::unique_ptr<device_array<unsigned char>>> apart_;  ///< so that workspaces lie in different pages
    graph_sampler sampler_;
  };

  class cold_side : public contender {
   public:
    cold_side(gpu_state& on, std::unique_ptr<contender> inner) : on_(on), inner_(std::move(inner)) {}
    double sample() override {
      on_.empty_cache();
      return inner_->sample();
    }

   private:
    gpu_state& on_;
    std::unique_ptr<contender> inner_;
  };

  std::unique_ptr<contender> with_cache(std::unique_ptr<contender> inner) {
    if (!what_.cold) return inner;
    return std::make_unique<cold_side>(on_, std::move(inner));
  }

  configuration const& what_;
  options const& chosen_;
  results& out_;
  gpu_state& on_;
  rotation rotation_;
  gpu_operands aligned_{}, operands_{};
  std::vector<double> expected_;
};

}  // namespace

contest prepare_on_gpu(configuration const& what, options const& chosen, results& out) {
  return preparation(what, chosen, out).make();
}

void release_gpu_data() {
  state().reset();
}

}  // namespace perf

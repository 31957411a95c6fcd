#include "baselines/host_libraries.hpp"
#include "baselines/host_loops.hpp"
#include "host.hpp"
#include "host_data.hpp"
#include "host_timing.hpp"

#include <preduce/preduce.hpp>
#include <preduce/version.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perf {
namespace {

constexpr std::int64_t simulated_limit = std::int64_t{1} << 16;  // the simulated machine is for checking, not for speed
constexpr std::int64_t other_start = std::int64_t{1} << 40;

template <class T>
host_array<T>& array(bool other = false) {
  static host_array<T> first, second;
  return other ? second : first;
}

/// f is a sampler's call; a std::function in between would show at small n.
template <class F>
std::unique_ptr<contender> timed(F f) {
  return std::make_unique<sampled<host_sampler<F>>>(std::move(f));
}

template <class T>
struct host_operands {
  T const* data;
  T const* other;
  std::int64_t n;
};

/// op(init, total) of a sequence of numbers.
template <operation Op, class T>
struct by_pointer {
  using monoid = std::conditional_t<Op == operation::sum, preduce::plus<T>,
                                    std::conditional_t<Op == operation::min, preduce::minimum<T>, preduce::maximum<T>>>;
  host_operands<T> on;
  template <class Policy>
  T operator()(Policy const& policy) const {
    if constexpr (Op == operation::sum)
      return preduce::reduce(policy, on.data, on.data + on.n, T{0}, monoid{});
    else
      return preduce::reduce(policy, on.data, on.data + on.n, monoid::identity(), monoid{});
  }
};

/// A sum, or a dot product, of what a functor returns.
template <operation Op, class T>
struct by_functor {
  host_operands<T> on;
  template <class Policy>
  T operator()(Policy const& policy) const {
    auto const* const a = on.data;
    if constexpr (Op == operation::dot) {
      auto const* const b = on.other;
      return preduce::parallel_reduce(policy, on.n, [=](std::int64_t i) { return a[i] * b[i]; });
    } else {
      return preduce::parallel_reduce(policy, on.n, [=](std::int64_t i) { return a[i]; });
    }
  }
};

/// Calls visit(policy) for the policy of that name and mode.
template <class Visit>
bool with_policy(std::string const& policy, mode how, Visit&& visit) {
  bool found = false;
  auto const offer = [&](auto const& candidate, mode its) {
    if (found || its != how || policy != candidate.name()) return;
    found = true;
    visit(candidate);
  };
  offer(preduce::serial, mode::cpu);
  offer(preduce::openmp, mode::cpu);
  offer(preduce::automatic, mode::cpu);
  offer(preduce::two_pass.on(preduce::simt_host), mode::simt);
  offer(preduce::grid_sync.on(preduce::simt_host), mode::simt);
  offer(preduce::last_block.on(preduce::simt_host), mode::simt);
  offer(preduce::look_back.on(preduce::simt_host), mode::simt);
  return found;
}

/// Exact for integers; for floating point long double, which no policy uses.
template <class T>
double reference_of(configuration const& what, host_operands<T> const& on) {
  if (what.op == operation::min || what.op == operation::max)
    return static_cast<double>(baseline::plain_loop(what.op, on.data, on.n));
  std::conditional_t<std::is_integral_v<T>, std::int64_t, long double> total = 0;
  for (std::int64_t i = 0; i < on.n; ++i) {
    decltype(total) value = on.data[i];
    if (what.op == operation::dot) value *= on.other[i];
    total += value;
  }
  return static_cast<double>(total);
}

/// The last one is kept: it takes longer than the calls that it is for.
template <class T>
double kept_reference(configuration const& what, host_operands<T> const& on) {
  static configuration of;
  static double value = 0;
  static bool valid = false;
  if (!valid || of.op != what.op || of.n != what.n) value = reference_of(what, on);
  of = what;
  valid = true;
  return value;
}

template <class T, class Body>
void check_answers(configuration const& what, host_operands<T> const& on, Body const& body) {
  std::vector<answer> answers;
  auto const ask = [&](auto const& policy) {
    T const value = body(policy);
    answers.push_back(decode(policy.name(), what.op, what.type, &value));
  };
  with_policy(what.policy, what.how, ask);
  if (what.policy != preduce::serial.name()) ask(preduce::serial);
  std::vector<double> const expected = {kept_reference(what, on)};
  for (auto const& got : answers) {
    auto wrong = compare_with_reference(got, expected, tolerances(what, expected));
    if (wrong.empty()) wrong = compare_bits(got, answers.front());
    if (!wrong.empty()) throw std::runtime_error(wrong);
  }
}

template <class T>
void add_rivals(std::vector<rival>& rivals, configuration const& what, host_operands<T> const& on) {
  auto const offer = [&](baseline_kind kind, std::string const& version, auto call) {
    for (auto const wanted : what.baselines)
      if (wanted == kind && !version.empty())  // empty: not built in here
        rivals.push_back({kind, version, timed([=] { keep(call()); })});
  };
  auto const compiler = baseline::host_compiler();
  auto const op = what.op;
  if (op == operation::dot) {
    if constexpr (std::is_floating_point_v<T>) {
      offer(baseline_kind::omp_simd, compiler, [=] { return baseline::omp_simd_dot(on.data, on.other, on.n); });
      offer(baseline_kind::omp_parallel_simd, compiler,
            [=] { return baseline::omp_parallel_simd_dot(on.data, on.other, on.n); });
      offer(baseline_kind::thrust_omp, baseline::thrust_omp_version(),
            [=] { return baseline::thrust_omp_dot(on.data, on.other, on.n); });
      offer(baseline_kind::std_par_unseq, baseline::std_par_version(),
            [=] { return baseline::std_par_dot(on.data, on.other, on.n); });
    }
    return;
  }
  offer(baseline_kind::plain_loop, compiler, [=] { return baseline::plain_loop(op, on.data, on.n); });
  offer(baseline_kind::omp_simd, compiler, [=] { return baseline::omp_simd(op, on.data, on.n); });
  offer(baseline_kind::omp_parallel_simd, compiler, [=] { return baseline::omp_parallel_simd(op, on.data, on.n); });
  if constexpr (std::is_floating_point_v<T>) {
    if (op != operation::sum) return;
    offer(baseline_kind::thrust_omp, baseline::thrust_omp_version(),
          [=] { return baseline::thrust_omp_sum(on.data, on.n); });
    offer(baseline_kind::std_par_unseq, baseline::std_par_version(),
          [=] { return baseline::std_par_sum(on.data, on.n); });
  }
}

template <class T, class Body>
contest contest_of(configuration const& what, host_operands<T> const& on, Body const& body) {
  check_answers(what, on, body);
  contest sides;
  bool const known = with_policy(
      what.policy, what.how, [&](auto const& policy) { sides.ours = timed([body, policy] { keep(body(policy)); }); });
  if (!known) throw left_out("not compiled into this program: " + what.title());
  add_rivals(sides.rivals, what, on);
  return sides;
}

template <class T>
contest prepare_type(configuration const& what) {
  auto const* const data = array<T>().of(what.n, 0);
  auto const* const other = what.op == operation::dot ? array<T>(true).of(what.n, other_start) : nullptr;
  host_operands<T> const on{data, other, what.n};
  if constexpr (std::is_floating_point_v<T>) {
    if (what.op == operation::dot) return contest_of(what, on, by_functor<operation::dot, T>{on});
    if (what.from == source::functor) return contest_of(what, on, by_functor<operation::sum, T>{on});
  }
  switch (what.op) {
    case operation::sum:
      return contest_of(what, on, by_pointer<operation::sum, T>{on});
    case operation::min:
      return contest_of(what, on, by_pointer<operation::min, T>{on});
    case operation::max:
      return contest_of(what, on, by_pointer<operation::max, T>{on});
    default:
      throw left_out("not compiled into this program: " + what.title());
  }
}

template <class T>
answer serial_of(configuration const& what) {
  host_operands<T> const on{array<T>().of(what.n, 0), nullptr, what.n};
  T value{};
  if (what.op == operation::sum)
    value = by_pointer<operation::sum, T>{on}(preduce::serial);
  else if (what.op == operation::min)
    value = by_pointer<operation::min, T>{on}(preduce::serial);
  else if (what.op == operation::max)
    value = by_pointer<operation::max, T>{on}(preduce::serial);
  else
    return {};
  return decode("serial on the CPU", what.op, what.type, &value);
}

}  // namespace

contest prepare_on_host(configuration const& what, options const&) {
  if (what.how == mode::simt && what.n > simulated_limit) throw left_out("the simulated machine above n = 65536");
  switch (what.type) {
    case element::f32:
      return prepare_type<float>(what);
    case element::f64:
      return prepare_type<double>(what);
    case element::i32:
      return prepare_type<std::int32_t>(what);
    case element::i64:
      return prepare_type<std::int64_t>(what);
    default:
      throw left_out("not compiled into this program: " + what.title());
  }
}

answer serial_answer(configuration const& what) {
  switch (what.type) {
    case element::f32:
      return serial_of<float>(what);
    case element::f64:
      return serial_of<double>(what);
    case element::i32:
      return serial_of<std::int32_t>(what);
    case element::i64:
      return serial_of<std::int64_t>(what);
    default:
      return {};
  }
}

bool in_canonical_order(std::string const& policy) {
  for (auto const* const canonical :
       {"automatic", "serial", "openmp", "two_pass", "last_block", "look_back", "grid_sync", "single_thread"})
    if (policy == canonical) return true;
  return false;
}

std::string preduce_version() {
  return std::to_string(PREDUCE_VERSION_MAJOR) + '.' + std::to_string(PREDUCE_VERSION_MINOR) + '.' +
         std::to_string(PREDUCE_VERSION_PATCH);
}

void release_host_data() {
  array<float>().release();
  array<float>(true).release();
  array<double>().release();
  array<double>(true).release();
  array<std::int32_t>().release();
  array<std::int64_t>().release();
}

}  // namespace perf

#include "targets.hpp"

#include "catalogue.hpp"

#include <cmath>
#include <string>

namespace perf {
namespace {

using enum operation;
using enum element;
using enum baseline_kind;

constexpr std::int64_t two_to(int exponent) {
  return std::int64_t{1} << exponent;
}

class list {
 public:
  std::vector<target_row> rows;

  void add(configuration const& what, bool by_default) { rows.push_back({what, by_default}); }
  void add_modes(configuration what, std::vector<mode> const& modes, bool by_default) {
    for (auto const how : modes) {
      what.how = how;
      add(what, by_default);
    }
  }
};

configuration target(char const* name, operation op, element type, std::int64_t n, mode how,
                     std::vector<baseline_kind> baselines = {cub}) {
  configuration what;
  what.target = name;
  what.op = op;
  what.type = type;
  what.n = n;
  what.how = how;
  what.baselines = std::move(baselines);
  return what;
}

std::vector<mode> const graph_and_stream = {mode::graph, mode::stream};

/// Thirty sizes from 2^10 to 2^24 that are no powers of two: two thirds of the way, and a third, and two round ones.
std::vector<std::int64_t> sizes_between() {
  std::vector<std::int64_t> sizes;
  for (int exponent = 10; exponent < 24; ++exponent) {
    sizes.push_back(two_to(exponent) * 4 / 3);
    sizes.push_back(two_to(exponent) * 5 / 3);
  }
  sizes.insert(sizes.end(), {1'000'000, 10'000'000});
  return sizes;
}

void large_sums(list& to) {
  for (auto const type : {f32, i32, f64, i64})
    for (int const exponent : {26, 28, 30}) to.add(target("P1", sum, type, two_to(exponent), mode::stream), true);
}

void small_sums(list& to) {
  for (int exponent = 10; exponent <= 24; ++exponent)
    to.add_modes(target("P2", sum, f32, two_to(exponent), mode::graph), {mode::graph, mode::graph_user}, true);
  for (auto const n : sizes_between()) to.add(target("P2", sum, f32, n, mode::graph), true);
  for (int exponent = 10; exponent <= 24; ++exponent)
    to.add(target("P2b", sum, f32, two_to(exponent), mode::graph_overlap), true);
  auto const between = sizes_between();
  for (std::size_t i = 0; i < between.size(); i += 3)
    to.add(target("P2b", sum, f32, between[i], mode::graph_overlap), true);
  for (int exponent = 10; exponent <= 20; ++exponent)
    to.add(target("P3", sum, f32, two_to(exponent), mode::stream), true);
  for (int exponent = 10; exponent <= 20; exponent += 2)
    to.add(target("P4", sum, f32, two_to(exponent), mode::host, {thrust, cub}), true);
}

void small_types(list& to) {
  for (auto const type : {f16, bf16})
    for (int const exponent : {20, 28})
      to.add_modes(target("P5", sum, type, two_to(exponent), mode::graph, {cub, cub_transform_reduce}),
                   graph_and_stream, true);
  for (auto const op : {sum, min})
    for (int const exponent : {20, 30})
      to.add_modes(target("P6", op, i8, two_to(exponent), mode::graph), graph_and_stream, true);
}

void other_sources(list& to) {
  auto const add_from = [&](source from, element type, std::vector<baseline_kind> const& baselines) {
    // 2^20 elements, and 1 GiB.
    for (auto const n : {two_to(20), two_to(30) / scalar_bytes(type)}) {
      auto what = target("P7", sum, type, n, mode::graph, baselines);
      what.from = from;
      to.add_modes(what, graph_and_stream, true);
    }
  };
  add_from(source::pointer_1, i8, {preduce_aligned, cub});
  for (auto const type : {f16, f32, f64}) add_from(source::pointer_1, type, {preduce_aligned});
  add_from(source::device_vector, f32, {preduce_aligned});
  add_from(source::device_ptr, f32, {preduce_aligned});
}

void locations(list& to) {
  for (auto const op : {min_loc, max_loc}) {
    for (auto const type : {i8, i16, i32, f32, f64})
      to.add(target("P8", op, type, two_to(30) / scalar_bytes(type), mode::stream), true);
    for (int exponent = 12; exponent <= 20; exponent += 2)
      to.add(target("P8", op, f32, two_to(exponent), mode::graph), true);
  }
}

void functors_and_objects(list& to) {
  auto const add_from = [&](operation op, source from, std::int64_t n, bool by_default) {
    auto what = target("P9", op, f32, n, mode::graph);
    what.from = from;
    if (op == sum) what.baselines = {cub_transform_reduce};  // the same functor, over a counting iterator
    to.add_modes(what, graph_and_stream, by_default);
  };
  add_from(dot, source::functor, two_to(28), true);
  add_from(dot, source::zip, two_to(28), false);
  add_from(dot, source::functor, two_to(20), false);
  add_from(sum, source::functor, two_to(28), true);
  add_from(sum, source::functor, two_to(20), false);
  for (auto const op : {sum_struct12, sum_struct16, sum_struct24})
    for (int const exponent : {20, 26})
      to.add_modes(target("P10", op, f32, two_to(exponent), mode::graph), graph_and_stream, true);
  for (int const exponent : {20, 28})
    to.add_modes(target("P10", affine, f32, two_to(exponent), mode::graph), graph_and_stream, true);
}

void deterministic_sums(list& to) {
  for (auto const type : {f32, f64})
    for (int const exponent : {16, 20, 28})
      to.add_modes(target("P11", sum, type, two_to(exponent), mode::graph, {cub_gpu_to_gpu}), graph_and_stream, true);
}

/// One thread against one, all against all; in cache, and beyond the last level's.
void host_sums(list& to) {
  std::vector<baseline_kind> const all_threads = {omp_simd, omp_parallel_simd, thrust_omp, std_par_unseq};
  auto const add = [&](char const* policy, operation op, source from, element type, std::int64_t n, bool by_default) {
    auto what = target("P12", op, type, n, mode::cpu,
                       policy == std::string("serial") ? std::vector<baseline_kind>{omp_simd} : all_threads);
    what.policy = policy;
    what.from = from;
    to.add(what, by_default);
  };
  for (auto const type : {f32, f64}) {
    auto const large = two_to(30) / scalar_bytes(type);
    for (auto const n : {two_to(12), two_to(16), two_to(20), large}) {
      bool const cached = n == two_to(16) || n == two_to(20);
      add("openmp", sum, source::pointer, type, n, n != two_to(12));
      add("openmp", sum, source::functor, type, n, n == two_to(20));
      add("openmp", dot, source::functor, type, n, n == two_to(20) || (type == f32 && n == large));
      add("serial", sum, source::pointer, type, n, cached);
      add("serial", dot, source::functor, type, n, type == f32 && n == two_to(16));
    }
  }
}

/// Every policy of the library over float32 sums, for a heat map.
void every_policy(list& to) {
  for (auto const& policy : policy_names()) {
    if (policy == "serial" || policy == "openmp") continue;
    for (int const exponent : {10, 14, 18, 22, 25}) {
      auto what = target("policies", sum, f32, two_to(exponent), mode::graph);
      what.policy = policy;
      to.add(what, true);
    }
  }
}

void cold_sums(list& to) {
  for (int exponent = 10; exponent <= 26; exponent += 2) {
    auto what = target("cold", sum, f32, two_to(exponent), mode::graph);
    what.cold = true;
    to.add_modes(what, graph_and_stream, exponent % 4 == 0);
  }
}

/// A policy's modes, and the baselines it is held against there.
void add_grid_row(std::vector<configuration>& to, configuration what) {
  bool const on_host = what.policy == "serial" || what.policy == "openmp";
  std::vector<baseline_kind> loops = {plain_loop, omp_simd};
  if (what.policy != "serial") loops.push_back(omp_parallel_simd);
  if (on_host || what.policy == "automatic") {
    what.how = mode::cpu;
    what.baselines = loops;
    to.push_back(what);
  }
  if (on_host) return;
  if (what.policy != "automatic" && what.n <= two_to(16)) {
    what.how = mode::simt;
    what.baselines = {};
    to.push_back(what);
  }
  for (auto const how : {mode::graph, mode::stream, mode::host}) {
    what.how = how;
    what.baselines = {cub};
    to.push_back(what);
  }
}

}  // namespace

std::vector<configuration> reduce_grid(std::vector<std::int64_t> const& sizes) {
  std::vector<configuration> rows;
  for (auto const type : {f32, f64, i32, i64})
    for (auto const op : {sum, min, max})
      for (auto const n : sizes)
        for (auto const* const policy :
             {"automatic", "serial", "openmp", "two_pass", "last_block", "look_back", "grid_sync"}) {
          auto what = target("reduce", op, type, n, mode::cpu);
          what.policy = policy;
          add_grid_row(rows, what);
        }
  return rows;
}

std::vector<target_row> all_targets() {
  list all;
  large_sums(all);
  small_sums(all);
  small_types(all);
  other_sources(all);
  locations(all);
  functors_and_objects(all);
  deterministic_sums(all);
  host_sums(all);
  every_policy(all);
  cold_sums(all);
  std::vector<std::int64_t> sizes;
  for (int exponent = 10; exponent <= 28; exponent += 2) sizes.push_back(two_to(exponent));
  for (auto const& what : reduce_grid(sizes)) {
    if (what.how == mode::cpu && what.n > two_to(22)) continue;  // a plain loop takes its time; P12 has large ones
    bool const small_on_cpu = !on_gpu(what.how) && (what.n == two_to(16) || what.n == two_to(20));
    bool const on_gpu_too = on_gpu(what.how) && (what.policy == "automatic" || what.policy == "two_pass");
    all.add(what, what.op == sum && what.type == f32 && (small_on_cpu || on_gpu_too));
  }
  return all.rows;
}

}  // namespace perf

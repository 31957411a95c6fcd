#pragma once
// What is measured, in the words of the command line and of the CSV.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf {

enum class operation : std::uint8_t {
  sum,
  min,
  max,
  min_loc,
  max_loc,
  dot,
  sum_struct12,
  sum_struct16,
  sum_struct24,
  affine
};
inline constexpr std::array<char const*, 10> operation_names = {
    "sum", "min", "max", "min_loc", "max_loc", "dot", "sum_struct12", "sum_struct16", "sum_struct24", "affine"};

enum class element : std::uint8_t { f32, f64, i8, u8, i16, i32, i64, f16, bf16 };
inline constexpr std::array<char const*, 9> element_names = {"f32", "f64", "i8",  "u8",  "i16",
                                                             "i32", "i64", "f16", "bf16"};

/// Where elements come from. pointer_1: one element past an aligned address.
enum class source : std::uint8_t { pointer, pointer_1, device_vector, device_ptr, functor, zip };
inline constexpr std::array<char const*, 6> source_names = {"pointer",    "pointer+1", "device_vector",
                                                            "device_ptr", "functor",   "zip"};

/// How a call is timed: docs/benchmarks.md.
enum class mode : std::uint8_t { cpu, simt, graph, graph_overlap, graph_user, stream, host };
inline constexpr std::array<char const*, 7> mode_names = {"cpu",        "simt",   "graph", "graph_overlap",
                                                          "graph_user", "stream", "host"};

enum class baseline_kind : std::uint8_t {
  cub,
  cub_transform_reduce,
  cub_gpu_to_gpu,
  thrust,
  preduce_aligned,
  plain_loop,
  omp_simd,
  omp_parallel_simd,
  thrust_omp,
  std_par_unseq
};
inline constexpr std::array<char const*, 10> baseline_names = {
    "cub",      "cub_transform_reduce", "cub_gpu_to_gpu", "thrust",       "preduce_aligned", "plain_loop",
    "omp_simd", "omp_parallel_simd",    "thrust_omp",     "std_par_unseq"};

constexpr char const* name(operation o) {
  return operation_names[static_cast<std::size_t>(o)];
}
constexpr char const* name(element e) {
  return element_names[static_cast<std::size_t>(e)];
}
constexpr char const* name(source s) {
  return source_names[static_cast<std::size_t>(s)];
}
constexpr char const* name(mode m) {
  return mode_names[static_cast<std::size_t>(m)];
}
constexpr char const* name(baseline_kind b) {
  return baseline_names[static_cast<std::size_t>(b)];
}

constexpr std::int64_t scalar_bytes(element e) {
  constexpr std::array<std::int64_t, element_names.size()> bytes = {4, 8, 1, 1, 2, 4, 8, 2, 2};
  return bytes[static_cast<std::size_t>(e)];
}

/// Scalars that lie behind each other in one element.
constexpr std::int64_t components(operation o) {
  return o == operation::sum_struct12 ? 3 : o == operation::sum_struct16 ? 4 : o == operation::sum_struct24 ? 6 : 1;
}

/// What a reduction accumulates in.
constexpr element accumulator(operation o, element e) {
  if (e == element::f16 || e == element::bf16) return element::f32;
  bool const narrow = e == element::i8 || e == element::u8 || e == element::i16;
  return o == operation::sum && narrow ? element::i32 : e;
}

constexpr bool on_gpu(mode m) {
  return m != mode::cpu && m != mode::simt;
}

/// One thing to measure: a row of the CSV for each of its baselines.
struct configuration {
  std::string target;  ///< the CSV's column `case`
  operation op = operation::sum;
  element type = element::f32;
  source from = source::pointer;
  std::int64_t n = 0;
  mode how = mode::graph;
  bool cold = false;
  std::string policy = "automatic";
  std::vector<baseline_kind> baselines;

  [[nodiscard]] char const* cache() const { return cold ? "cold" : "hot"; }
  [[nodiscard]] std::int64_t element_bytes() const { return scalar_bytes(type) * components(op); }
  /// Bytes that the reduction reads.
  [[nodiscard]] std::int64_t bytes() const { return n * element_bytes() * (op == operation::dot ? 2 : 1); }

  /// "P2/sum/f32/pointer/65536/graph/hot/automatic"
  [[nodiscard]] std::string title() const {
    return target + '/' + name(op) + '/' + name(type) + '/' + name(from) + '/' + std::to_string(n) + '/' + name(how) +
           '/' + cache() + '/' + policy;
  }
};

}  // namespace perf

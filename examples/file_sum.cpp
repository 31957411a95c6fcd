// file_sum FILE --type f32 --op sum --policy all
//
// Reduces a binary file of numbers under one policy or under each, and says whether the bits of the results agree.
// One source for two compilers: as C++ its GPU policies run on the simulated machine; as CUDA on a GPU, where there is
// one.

#include "device_copy.hpp"
#include "mapped_file.hpp"

#include <preduce/preduce.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

constexpr int exit_error = 1;
constexpr int exit_bits_differ = 2;

/// Whether a rung of the ladder combines in an order of its own. The others' bits agree.
template <class Rung>
constexpr bool is_classic = Rung::algorithm == preduce::grid_algorithm::classic;

/// Which types have such rungs, for sums: their kernels for every type and operator would take minutes to compile.
template <class T>
constexpr bool has_classic_rungs = sizeof(T) == 4;

struct arguments {
  std::string file, type = "f32", op = "sum", policy = "all";
};

struct outcome {
  std::string policy, place;
  double ms;
  std::string bits, value;
};

template <class T>
std::string in_decimal(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", std::is_same_v<T, float> ? 9 : 17, static_cast<double>(value));
    return text;
  } else {
    return std::to_string(value);
  }
}

template <class T>
std::string in_hex(T value) {
  using word = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  word bits;
  std::memcpy(&bits, &value, sizeof bits);
  char text[24];
  std::snprintf(text, sizeof text, "0x%0*llx", static_cast<int>(2 * sizeof bits),
                static_cast<unsigned long long>(bits));
  return text;
}

/// The file as n values of T, reduced with Op into its value type. What was asked for is run in turn.
template <class T, class Op>
class file_reduction {
 public:
  using value = typename Op::value_type;

  file_reduction(mapped_file const& file, value init)
      : data_(static_cast<T const*>(file.data())),
        n_(static_cast<std::int64_t>(file.size() / sizeof(T))),
        init_(init) {}

  std::vector<outcome> run(std::string const& wanted) {
    auto const all = wanted == "all";
    if (all || wanted == "serial") on_cpu(preduce::serial);
    if (all || wanted == "openmp") on_cpu(preduce::openmp);
    preduce::ladder::for_each_rung([&]<class Rung>(Rung const& rung, char const*) {
      constexpr bool sums = std::is_same_v<Op, preduce::plus<value>>;
      if constexpr (!is_classic<Rung> || (sums && has_classic_rungs<T>)) {
        if (wanted == rung.name() || (all && !is_classic<Rung>)) on_gpu(rung);
      }
    });
    if (all || wanted == "automatic") automatic();
    return outcomes_;
  }

 private:
  /// In a file compiled without nvcc the planner's choice is among the host's policies.
  void automatic() {
    if (runs_on_gpu())
      on_gpu(preduce::automatic);
    else
      time(preduce::automatic, data_, "CPU");
  }

  template <class Policy>
  void on_cpu(Policy const& policy) {
    reduce(policy, data_);  // starts the threads
    time(policy, data_, "CPU");
  }

  template <class Policy>
  void on_gpu(Policy const& policy) {
    if (runs_on_gpu()) {
      if (!copy_) copy_.emplace(data_, static_cast<std::size_t>(n_) * sizeof(T));
      auto const* const data = static_cast<T const*>(copy_->data());
      reduce(policy, data);  // allocates the workspace, loads the kernels
      time(policy, data, "GPU");
    } else {
      time(policy.on(preduce::simt_host), data_, "simulated");
    }
  }

  template <class Policy>
  value reduce(Policy const& policy, T const* data) {
    return preduce::reduce(policy, data, data + n_, init_, Op{});
  }

  template <class Policy>
  void time(Policy const& policy, T const* data, char const* place) {
    using clock = std::chrono::steady_clock;
    auto const start = clock::now();
    auto const result = reduce(policy, data);
    auto const ms = std::chrono::duration<double, std::milli>(clock::now() - start).count();
    outcomes_.push_back({policy.name(), place, ms, in_hex(result), in_decimal(result)});
  }

  T const* data_;
  std::int64_t n_;
  value init_;
  std::optional<device_copy> copy_;
  std::vector<outcome> outcomes_;
};

template <class T>
std::vector<outcome> reduce_file(mapped_file const& file, arguments const& asked) {
  using total =
      std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;  // the sum of a file of int8 needs more than 8
  auto const with = [&]<class Op>(Op, typename Op::value_type init) {
    return file_reduction<T, Op>(file, init).run(asked.policy);
  };
  if (asked.op == "min") return with(preduce::minimum<T>{}, preduce::minimum<T>::identity());
  if (asked.op == "max") return with(preduce::maximum<T>{}, preduce::maximum<T>::identity());
  return with(preduce::plus<total>{}, total{0});
}

struct element_type {
  char const* name;
  std::size_t bytes;
  bool classic_rungs;
  std::vector<outcome> (*reduce)(mapped_file const&, arguments const&);
};

template <class T>
constexpr element_type element(char const* name) {
  return {name, sizeof(T), has_classic_rungs<T>, reduce_file<T>};
}

constexpr element_type element_types[] = {element<float>("f32"),        element<double>("f64"),
                                          element<std::int8_t>("i8"),   element<std::uint8_t>("u8"),
                                          element<std::int32_t>("i32"), element<std::int64_t>("i64")};

element_type const& type_named(std::string const& name) {
  for (auto const& type : element_types)
    if (name == type.name) return type;
  throw std::runtime_error("no type " + name);
}

void check_whole(mapped_file const& file, element_type const& type, arguments const& asked) {
  if (file.size() % type.bytes == 0) return;
  throw std::runtime_error("'" + asked.file + "' has " + std::to_string(file.size()) +
                           " bytes, which is no multiple of " + std::to_string(type.bytes) + ", the size of " +
                           type.name);
}

void check_compiled(element_type const& type, arguments const& asked) {
  bool classic = false;
  preduce::ladder::for_each_rung([&]<class Rung>(Rung const& rung, char const*) {
    if (asked.policy == rung.name()) classic = is_classic<Rung>;
  });
  if (classic && !(type.classic_rungs && asked.op == "sum"))
    throw std::runtime_error(asked.policy + " is a rung of the ladder, compiled for sums of f32 and i32 only");
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names{"all", "automatic", "serial", "openmp"};
  preduce::ladder::for_each_rung([&](auto const& rung, char const*) { names.emplace_back(rung.name()); });
  return names;
}

void say_what_runs_where(arguments const& asked, mapped_file const& file) {
  if (asked.policy == "serial" || asked.policy == "openmp" || asked.policy == "automatic" || runs_on_gpu()) return;
  std::printf("no GPU here: its policies run on the simulated machine, which checks bits and is slow\n");
  auto const seconds = static_cast<double>(file.size()) / 1e8;  // about what it does on a laptop
  if (seconds > 5) std::printf("each may take about %.0f s; --policy openmp is fast\n", seconds);
  std::fflush(stdout);
}

/// Prints a line a policy; returns the exit code.
int print(std::vector<outcome> const& outcomes) {
  std::size_t width = 14;
  for (auto const& one : outcomes) width = std::max(width, one.policy.size());
  auto const columns = static_cast<int>(width);
  std::printf("%-*s %-10s %12s  %-18s  %s\n", columns, "policy", "place", "ms", "bits", "value");
  bool agree = true;
  for (auto const& one : outcomes) {
    std::printf("%-*s %-10s %12.3f  %-18s  %s\n", columns, one.policy.c_str(), one.place.c_str(), one.ms,
                one.bits.c_str(), one.value.c_str());
    agree = agree && one.bits == outcomes.front().bits;
  }
  if (outcomes.size() == 1)
    std::printf("one policy: nothing to compare its bits with\n");
  else
    std::printf("the bits %s across %zu policies\n", agree ? "agree" : "DIFFER", outcomes.size());
  return agree ? 0 : exit_bits_differ;
}

int run(arguments const& asked) {
  auto const& type = type_named(asked.type);
  mapped_file const file(asked.file);
  check_whole(file, type, asked);
  check_compiled(type, asked);
  file.read_ahead();
  std::printf("%s: %zu bytes, %zu x %s, %s\n", asked.file.c_str(), file.size(), file.size() / type.bytes, type.name,
              asked.op.c_str());
  say_what_runs_where(asked, file);
  return print(type.reduce(file, asked));
}

}  // namespace

int main(int argc, char** argv) {
  arguments asked;
  CLI::App app{"Reduces a binary file of numbers and compares the bits that each policy gives."};
  app.add_option("FILE", asked.file, "the file, of numbers in this machine's byte order")->required();
  app.add_option("--type", asked.type, "f32, f64, i8, u8, i32, i64; integer sums are kept in 64 bits")
      ->check(CLI::IsMember({"f32", "f64", "i8", "u8", "i32", "i64"}))
      ->capture_default_str();
  app.add_option("--op", asked.op, "sum, min, max")->check(CLI::IsMember({"sum", "min", "max"}))->capture_default_str();
  app.add_option("--policy", asked.policy, "the execution policy, or all whose bits agree")
      ->check(CLI::IsMember(policy_names()))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(asked);
  } catch (std::exception const& fault) {
    std::fprintf(stderr, "file_sum: %s\n", fault.what());
    return exit_error;
  }
}

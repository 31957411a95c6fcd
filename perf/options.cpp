#include "options.hpp"

#include <CLI/CLI.hpp>

#include <limits>
#include <stdexcept>

namespace perf {
namespace {

std::int64_t multiply(std::int64_t a, std::int64_t b, std::string const& text) {
  if (b != 0 && a > std::numeric_limits<std::int64_t>::max() / b)
    throw std::invalid_argument("'" + text + "' is above 2^63 - 1");
  return a * b;
}

std::int64_t parse_integer(std::string const& digits, std::string const& text) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    throw std::invalid_argument("'" + text + "' is no size: write 1000, 2^20 or 3*10^6");
  std::int64_t value = 0;
  for (char const digit : digits) {
    value = multiply(value, 10, text);
    auto const add = digit - '0';
    if (value > std::numeric_limits<std::int64_t>::max() - add)
      throw std::invalid_argument("'" + text + "' is above 2^63 - 1");
    value += add;
  }
  return value;
}

std::int64_t parse_power(std::string const& factor, std::string const& text) {
  auto const caret = factor.find('^');
  auto const base = parse_integer(factor.substr(0, caret), text);
  if (caret == std::string::npos) return base;
  std::int64_t value = 1;
  auto exponent = parse_integer(factor.substr(caret + 1), text);
  if (base < 2) return exponent == 0 ? 1 : base;
  for (; exponent > 0; --exponent) value = multiply(value, base, text);
  return value;
}

std::string check_size(std::string const& text) {
  try {
    parse_size(text);
    return {};
  } catch (std::invalid_argument const& mistake) {
    return mistake.what();
  }
}

}  // namespace

std::int64_t parse_size(std::string const& text) {
  std::int64_t value = 1;
  std::size_t start = 0;
  while (true) {
    auto const star = text.find('*', start);
    value = multiply(value, parse_power(text.substr(start, star - start), text), text);
    if (star == std::string::npos) return value;
    start = star + 1;
  }
}

bool parse_command_line(int argc, char** argv, options& chosen, int& exit_code) {
  CLI::App app{"Reduces data under every policy, checks the results, and times them beside a baseline."};
  std::vector<std::string> sizes;
  std::string cpu_check = "2^26";
  bool quick = false;
  chosen.types = {"float32", "float64", "int32", "int64"};
  chosen.ops = {"sum"};
  chosen.policies = {"automatic", "serial", "openmp", "two_pass", "grid_sync", "last_block"};
  chosen.modes = {"cpu", "graph", "stream", "host"};

  app.add_option("--sizes", sizes, "elements: 1000, 2^20, 3*10^6, separated by commas")
      ->delimiter(',')
      ->check(CLI::Validator(check_size, "SIZE"));
  auto const list = [&app](char const* name, std::vector<std::string>& words, char const* what) {
    app.add_option(name, words, what)->delimiter(',')->check(CLI::IsMember(words))->capture_default_str();
  };
  list("--types", chosen.types, "element types");
  list("--policies", chosen.policies, "execution policies");
  list("--modes", chosen.modes,
       "cpu: wall time of serial and openmp; graph: GPU time per call inside a captured graph; stream: GPU time of "
       "calls "
       "issued back to back; host: wall time until the scalar is on the host");
  app.add_option("--ops", chosen.ops, "sum, min, max")
      ->delimiter(',')
      ->check(CLI::IsMember({"sum", "min", "max"}))
      ->capture_default_str();
  app.add_option("--pairs", chosen.pairs, "pairs of ours and baseline (default 30, and 10 above 2^28)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--csv", chosen.csv, "also write the rows to this file");
  app.add_option("--cpu-check", cpu_check, "up to this n the GPU's bits are compared with serial's on the CPU")
      ->check(CLI::Validator(check_size, "SIZE"))
      ->capture_default_str();
  app.add_flag("--quick", quick, "the default sizes: about a minute on two cores, two on a GPU")->excludes("--sizes");

  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& mistake) {
    exit_code = app.exit(mistake);
    return false;
  }
  for (auto const& size : sizes) chosen.sizes.push_back(parse_size(size));
  chosen.cpu_check = parse_size(cpu_check);
  return true;
}

}  // namespace perf

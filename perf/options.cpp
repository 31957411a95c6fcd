#include "options.hpp"

#include "catalogue.hpp"
#include "configuration.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
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

template <class Names>
std::vector<std::string> words_of(Names const& names) {
  return {names.begin(), names.end()};
}

std::map<std::string, std::string> const long_type_names = {
    {"float32", "f32"}, {"float64", "f64"}, {"float16", "f16"}, {"bfloat16", "bf16"}, {"int8", "i8"},
    {"uint8", "u8"},    {"int16", "i16"},   {"int32", "i32"},   {"int64", "i64"}};

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

std::string filters_in_words(options const& chosen) {
  std::string text;
  auto const say = [&](char const* option, std::vector<std::string> const& words) {
    if (words.empty()) return;
    if (!text.empty()) text += ' ';
    text += option;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? ' ' : ',') + words[i];
  };
  std::vector<std::string> sizes;
  for (auto const size : chosen.sizes) sizes.push_back(std::to_string(size));
  say("--sizes", sizes);
  say("--cases", chosen.cases);
  say("--types", chosen.types);
  say("--ops", chosen.ops);
  say("--modes", chosen.modes);
  say("--policies", chosen.policies);
  say("--sources", chosen.sources);
  say("--cache", chosen.caches);
  return text;
}

bool parse_command_line(int argc, char** argv, options& chosen, int& exit_code) {
  CLI::App app{
      "Reduces data, checks the results, and times the calls beside baselines. Google Benchmark's own options follow "
      "after --, for example -- --benchmark_filter=P2."};
  std::vector<std::string> sizes;
  std::string cpu_check = "2^22";
  app.add_option("--sizes", sizes,
                 "elements: 1000, 2^20, 3*10^6, separated by commas: the grid of case `reduce`, which is meant without "
                 "--cases, and a choice of other cases'")
      ->delimiter(',')
      ->check(CLI::Validator(check_size, "SIZE"));
  auto const list = [&app](char const* option, std::vector<std::string>& words, char const* what, auto const& known) {
    return app.add_option(option, words, what)->delimiter(',')->check(CLI::IsMember(known));
  };
  list("--cases", chosen.cases, "which of the cases to run", case_names());
  list("--types", chosen.types, "element types; float32 and the like are understood", words_of(element_names))
      ->transform(CLI::Transformer(long_type_names));
  list("--ops", chosen.ops, "operations", words_of(operation_names));
  list("--modes", chosen.modes, "how calls are timed: docs/benchmarks.md", words_of(mode_names));
  list("--policies", chosen.policies, "execution policies, among them the rungs of preduce::ladder", policy_names());
  list("--sources", chosen.sources, "where elements come from", words_of(source_names));
  list("--cache", chosen.caches, "the second-level cache: hot, cold", std::vector<std::string>{"hot", "cold"});
  app.add_option("--pairs", chosen.pairs, "samples of each side")->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_flag("--all", chosen.all, "every configuration; without it a choice that takes a few minutes");
  app.add_flag("--list", chosen.list, "print the configurations and end");
  app.add_option("--csv", chosen.csv, "also write PATH.csv, PATH.spread.csv and PATH.json")->type_name("PATH[.csv]");
  app.add_option("--commit", chosen.commit, "of the sources, for PATH.json")->envname("COMMIT");
  app.add_option("--cpu-check", cpu_check, "up to this n the GPU's bits are compared with serial's on the CPU")
      ->check(CLI::Validator(check_size, "SIZE"))
      ->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& mistake) {
    exit_code = app.exit(mistake);
    return false;
  }
  for (auto const& text : sizes) {
    auto const size = parse_size(text);
    if (std::find(chosen.sizes.begin(), chosen.sizes.end(), size) == chosen.sizes.end()) chosen.sizes.push_back(size);
  }
  chosen.cpu_check = parse_size(cpu_check);
  return true;
}

}  // namespace perf

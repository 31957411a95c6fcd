// preduce_bench: reduces data under every policy, checks the results, and times them beside a baseline.
// docs/benchmarks.md explains the method and the columns.

#include "baselines/host_loops.hpp"
#include "gpu_cases.hpp"
#include "host_cases.hpp"
#include "host_description.hpp"
#include "options.hpp"
#include "report.hpp"

#include <preduce/config.hpp>
#include <preduce/shape.hpp>

#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string>

namespace {

std::string now() {
  auto const time = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
  return text.data();
}

std::string command_line(int argc, char** argv) {
  std::string program = argv[0];
  auto words = program.substr(program.find_last_of('/') + 1);  // where it lies is nobody's business
  for (int i = 1; i < argc; ++i) words += std::string(" ") + argv[i];
  return words;
}

std::string version() {
  return std::to_string(PREDUCE_VERSION_MAJOR) + '.' + std::to_string(PREDUCE_VERSION_MINOR) + '.' +
         std::to_string(PREDUCE_VERSION_PATCH) + ", canonical order " +
         std::to_string(preduce::canonical_order_version);
}

int run(perf::options const& chosen, std::string const& command) {
  perf::report out(chosen.csv);
  out.header("command", command);
  out.header("date", now());
  out.header("preduce", version());
  out.header("host", perf::host_description());
  out.header("compiler", perf::baseline::host_compiler() + ", -O3 -fopenmp");
  perf::describe_gpu(out);
  auto const gpu = perf::gpu_usable(out);
  perf::run_host_cases(chosen, out, gpu);
  if (gpu) perf::run_gpu_cases(chosen, out);
  return out.finish();
}

}  // namespace

int main(int argc, char** argv) {
  perf::options chosen;
  int exit_code = 0;
  if (!perf::parse_command_line(argc, argv, chosen, exit_code)) return exit_code;
  try {
    return run(chosen, command_line(argc, argv));
  } catch (std::exception const& fault) {
    std::fprintf(stderr, "preduce_bench: %s\n", fault.what());
    return 1;
  }
}

// preduce_bench: times reductions beside baselines, each checked before it is timed; one Google Benchmark a
// configuration. docs/benchmarks.md explains the method and the columns.

#include "baselines/host_loops.hpp"
#include "catalogue.hpp"
#include "gpu.hpp"
#include "host.hpp"
#include "host_description.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "results.hpp"

#include <preduce/shape.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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

void describe(perf::results& out, std::string const& command, std::string const& commit) {
  auto const say = [&](char const* name, std::string const& value) {
    out.header(name, value);
    out.metadata(name, value);
  };
  say("command", command);
  say("date", now());
  if (!commit.empty()) say("commit", commit);
  say("preduce", perf::preduce_version());
  out.metadata("canonical_order", preduce::canonical_order_version);
  say("host", perf::host_description());
  say("compiler", perf::baseline::host_compiler() + ", -O3 -fopenmp");
  if (auto const bytes = perf::last_level_cache(); bytes > 0) out.metadata("llc_bytes", static_cast<double>(bytes));
  perf::describe_gpu(out);
}

/// Takes the samples. Who goes first alternates, so that nobody always runs in another's wake.
void take_samples(benchmark::State& state, perf::contest& sides, perf::configuration const& what, perf::results& out) {
  std::vector<perf::contender*> order = {sides.ours.get()};
  for (auto const& rival : sides.rivals) order.push_back(rival.side.get());
  for (auto* const side : order) side->sample();

  std::vector<std::vector<double>> samples(order.size());
  bool forward = true;
  for ([[maybe_unused]] auto _ : state) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      auto const turn = forward ? i : order.size() - 1 - i;
      samples[turn].push_back(order[turn]->sample());
    }
    forward = !forward;
    state.SetIterationTime(samples[0].back() * 1e-6);
  }

  auto const pairs = static_cast<int>(samples[0].size());
  auto const us = perf::median(samples[0]);
  state.counters["GB/s"] = perf::gigabytes_per_second(what.bytes(), us);
  for (std::size_t i = 0; i < sides.rivals.size(); ++i) {
    auto const& rival = sides.rivals[i];
    auto const times = perf::compare_samples(samples[0], samples[i + 1]);
    auto const label = std::string(name(rival.kind)) + ' ' + rival.version.substr(0, rival.version.find(" with "));
    state.counters["ratio to " + label] = times.ratio;
    state.counters["us of " + label] = times.theirs_us;
    out.add(what, name(rival.kind), rival.version, times, pairs);
  }
  if (sides.rivals.empty()) out.add(what, us, perf::median_interval(samples[0]), pairs);
  out.measured();
}

void measure(benchmark::State& state, perf::configuration const& what, perf::options const& chosen, perf::results& out,
             perf::progress& progress) {
  progress.next();
  try {
    auto sides = on_gpu(what.how) ? perf::prepare_on_gpu(what, chosen, out) : perf::prepare_on_host(what, chosen);
    take_samples(state, sides, what, out);
    return;
  } catch (perf::left_out const& reason) {
    out.leave_out(what.target, reason.what());
    state.SkipWithError(reason.what());
  } catch (std::exception const& fault) {
    out.fail(what.title(), fault.what());
    state.SkipWithError(fault.what());
  }
  if (on_gpu(what.how) && !perf::gpu_still_works()) throw std::runtime_error("the GPU can no longer be used");
}

/// Those that this machine can run; of the others the results say why not.
std::vector<perf::configuration> runnable(std::vector<perf::configuration> const& all, perf::results& out) {
  auto const no_gpu = perf::why_no_gpu();
  std::vector<perf::configuration> here;
  for (auto const& what : all) {
    if (what.how == perf::mode::simt && no_gpu.empty()) {
      out.leave_out("the simulated machine (mode simt)", "the real one is here");
      continue;
    }
    if (on_gpu(what.how) && !no_gpu.empty())
      out.leave_out("GPU modes (graph, stream, host)", no_gpu);
    else
      here.push_back(what);
    if (what.how == perf::mode::simt)
      out.leave_out("two_pass, grid_sync, last_block and look_back on this CPU",
                    "run on the simulated machine up to n = 65536 to compare bits (mode simt); it is made for "
                    "checking, so its time is no claim and has no baseline");
  }
  return here;
}

void register_benchmarks(std::vector<perf::configuration> const& here, perf::options const& chosen, perf::results& out,
                         perf::progress& progress) {
  for (auto const& what : here)
    benchmark::RegisterBenchmark(what.title().c_str(),
                                 [&, what](benchmark::State& state) { measure(state, what, chosen, out, progress); })
        ->Iterations(chosen.pairs)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

/// For a choice that leaves nothing to measure: most likely a mistake, which a run of no cases would hide.
std::runtime_error nothing_chosen(perf::options chosen) {
  auto const filters = filters_in_words(chosen);
  bool const all = std::exchange(chosen.all, true);
  auto const hint = all || perf::configurations(chosen).empty() ? "" : "; with --all there are some";
  return std::runtime_error("no configuration matches " + filters + hint);
}

/// The same where Google Benchmark's filter leaves nothing: it stands among its words, or else in the environment.
std::runtime_error nothing_filtered(perf::options const& chosen, std::vector<std::string> const& benchmark_words) {
  auto filters = filters_in_words(chosen);
  if (!filters.empty()) filters += ' ';
  std::string filter = "BENCHMARK_FILTER";
  for (auto const& word : benchmark_words)
    if (word.starts_with("--benchmark_filter")) filter = "-- " + word;
  return std::runtime_error("no configuration that can run here matches " + filters + filter);
}

int run(perf::options const& chosen, std::string const& command, std::vector<char*> benchmark_words) {
  auto const all = perf::configurations(chosen);
  if (all.empty()) throw nothing_chosen(chosen);
  if (chosen.list) {
    for (auto const& what : all) std::printf("%s\n", what.title().c_str());
    return 0;
  }
  perf::results out(chosen.csv);
  describe(out, command, chosen.commit);

  std::vector<std::string> const as_given(benchmark_words.begin(), benchmark_words.end());
  auto count = static_cast<int>(benchmark_words.size());
  benchmark::Initialize(&count, benchmark_words.data());  // takes the words out that it knows
  if (benchmark::ReportUnrecognizedArguments(count, benchmark_words.data())) return 1;
  auto const here = runnable(all, out);
  perf::progress progress(here.size());
  register_benchmarks(here, chosen, out, progress);
  std::fflush(stdout);
  bool none_matched = false;
  try {
    if (!here.empty()) none_matched = benchmark::RunSpecifiedBenchmarks() == 0;
  } catch (std::exception const& fault) {
    out.fail("the cases after the last failure", fault.what());
  }
  benchmark::Shutdown();
  perf::release_gpu_data();
  perf::release_host_data();
  auto const exit_code = out.finish();
  if (none_matched) throw nothing_filtered(chosen, as_given);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  auto const command = command_line(argc, argv);
  // What follows after -- is Google Benchmark's.
  int own = 1;
  while (own < argc && std::strcmp(argv[own], "--") != 0) ++own;
  std::vector<char*> benchmark_words = {argv[0]};
  for (int i = own + 1; i < argc; ++i) benchmark_words.push_back(argv[i]);

  perf::options chosen;
  int exit_code = 0;
  if (!perf::parse_command_line(own, argv, chosen, exit_code)) return exit_code;
  try {
    return run(chosen, command, benchmark_words);
  } catch (std::exception const& fault) {
    std::fprintf(stderr, "preduce_bench: %s\n", fault.what());
    return 1;
  }
}

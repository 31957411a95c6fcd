#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace perf {
namespace {

double gigabytes_per_second(std::int64_t bytes, double us) {
  return us > 0 ? static_cast<double>(bytes) / us / 1e3 : 0;
}

std::string number(char const* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string measured_case::in_words() const {
  std::string words = op + ' ' + input_type + " n=" + std::to_string(n);
  if (!policy.empty()) words += ' ' + policy;
  if (!mode.empty()) words += ' ' + mode;
  return words;
}

report::report(std::string const& csv_path) {
  if (csv_path.empty()) return;
  csv_.emplace(csv_path);
  if (!*csv_) throw std::runtime_error("cannot write " + csv_path);
  *csv_ << "case,op,input_type,accum_type,source,n,mode,cache,policy,preduce_us,baseline,baseline_version,baseline_us,"
           "ratio,gbps\n";
}

void report::header(std::string const& name, std::string const& value) {
  std::printf("%-12s %s\n", (name + ':').c_str(), value.c_str());
}

void report::heading(std::string const& words) {
  std::printf("\n%s\n%-10s %11s %-8s %-3s %-6s %12s %9s  %-18s %12s  %s\n", words.c_str(), "policy", "n", "type", "op",
              "mode", "us", "GB/s", "baseline", "us", "ratio [95%]");
}

void report::add(measured_case const& what, std::int64_t bytes, baseline_name const& baseline,
                 comparison const& times) {
  line(what, bytes, times.ours_us, baseline, &times);
}

void report::add(measured_case const& what, std::int64_t bytes, double us) {
  line(what, bytes, us, {}, nullptr);
}

void report::line(measured_case const& what, std::int64_t bytes, double us, baseline_name const& baseline,
                  comparison const* times) {
  ++measured_;
  auto const gbps = gigabytes_per_second(bytes, us);
  std::printf("%-10s %11lld %-8s %-3s %-6s %12.2f %9.2f", what.policy.c_str(), static_cast<long long>(what.n),
              what.input_type.c_str(), what.op.c_str(), what.mode.c_str(), us, gbps);
  if (times != nullptr)
    std::printf("  %-18s %12.2f  %.3f [%.3f, %.3f]", baseline.name.c_str(), times->theirs_us, times->ratio,
                times->ratio_95.low, times->ratio_95.high);
  std::printf("\n");
  std::fflush(stdout);
  if (!csv_) return;
  *csv_ << "reduce," << what.op << ',' << what.input_type << ',' << what.accum_type << ',' << what.source << ','
        << what.n << ',' << what.mode << ',' << what.cache << ',' << what.policy << ',' << number("%.4f", us) << ','
        << baseline.name << ',' << baseline.version << ',' << (times != nullptr ? number("%.4f", times->theirs_us) : "")
        << ',' << (times != nullptr ? number("%.4f", times->ratio) : "") << ',' << number("%.3f", gbps) << '\n'
        << std::flush;  // a run that is stopped keeps what it measured
}

void report::fail(std::string const& what, std::string const& why) {
  failures_.push_back(what + ": " + why);
  std::printf("FAILED %s: %s\n", what.c_str(), why.c_str());
  std::fflush(stdout);
}

void report::leave_out(std::string const& what, std::string const& why) {
  auto const words = what + ": " + why;
  if (std::find(left_out_.begin(), left_out_.end(), words) == left_out_.end()) left_out_.push_back(words);
}

int report::finish() {
  if (csv_ && !*csv_) fail("csv", "could not be written to the end");
  if (!left_out_.empty()) std::printf("\nleft out:\n");
  for (auto const& words : left_out_) std::printf("  %s\n", words.c_str());
  if (!failures_.empty()) std::printf("\nfailed:\n");
  for (auto const& words : failures_) std::printf("  %s\n", words.c_str());
  std::printf("\n%d cases measured, %zu failed\n", measured_, failures_.size());
  return failures_.empty() ? 0 : 1;
}

}  // namespace perf

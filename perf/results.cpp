#include "results.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace perf {
namespace {

std::string number(char const* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string quoted(std::string const& text) {
  std::string quoted = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + '"';
}

std::ofstream open(std::string const& path) {
  std::ofstream file(path);
  if (!file) throw std::runtime_error("cannot write " + path);
  return file;
}

/// "sums" and "sums.csv" both give "sums.csv", "sums.spread.csv" and "sums.json".
std::string with_ending(std::string const& path, std::string const& ending) {
  auto const stem = path.ends_with(".csv") ? path.substr(0, path.size() - 4) : path;
  return stem + ending;
}

}  // namespace

results::results(std::string const& path) : path_(path) {
  if (path.empty()) return;
  csv_ = open(with_ending(path, ".csv"));
  csv_ << "case,op,input_type,accum_type,source,n,mode,cache,policy,preduce_us,baseline,baseline_version,baseline_us,"
          "ratio,gbps\n"
       << std::flush;
  spread_ = open(with_ending(path, ".spread.csv"));
  spread_
      << "case,op,input_type,source,n,mode,cache,policy,baseline,baseline_version,pairs,ratio_low,ratio_high,us_low,"
         "us_high\n"
      << std::flush;
  json_ = open(with_ending(path, ".json"));
}

void results::header(std::string const& name, std::string const& value) {
  std::printf("%-12s %s\n", (name + ':').c_str(), value.c_str());
}

void results::metadata(std::string const& name, std::string const& value) {
  fields_.emplace_back(name, quoted(value));
}

void results::metadata(std::string const& name, double value) {
  fields_.emplace_back(name, number("%.12g", value));
}

void results::add(configuration const& what, std::string const& baseline, std::string const& version,
                  comparison const& times, int pairs) {
  row(what, times.ours_us, baseline, version, &times, times.ours_95, pairs);
}

void results::add(configuration const& what, double us, interval us_95, int pairs) {
  row(what, us, {}, {}, nullptr, us_95, pairs);
}

void results::row(configuration const& what, double us, std::string const& baseline, std::string const& version,
                  comparison const* times, interval us_95, int pairs) {
  if (path_.empty()) return;
  auto const if_compared = [&](char const* format, double value) {
    return times != nullptr ? number(format, value) : std::string();
  };
  auto const measured = times != nullptr ? *times : comparison{};
  auto const where = ',' + std::string(name(what.from)) + ',' + std::to_string(what.n) + ',' + name(what.how) + ',' +
                     what.cache() + ',' + what.policy + ',';
  auto const head = what.target + ',' + name(what.op) + ',' + name(what.type);
  csv_ << head << ',' << name(accumulator(what.op, what.type)) << where << number("%.4f", us) << ',' << baseline << ','
       << version << ',' << if_compared("%.4f", measured.theirs_us) << ',' << if_compared("%.4f", measured.ratio) << ','
       << number("%.3f", gigabytes_per_second(what.bytes(), us)) << '\n'
       << std::flush;  // a run that is stopped keeps what it measured
  spread_ << head << where << baseline << ',' << version << ',' << pairs << ','
          << if_compared("%.4f", measured.ratio_95.low) << ',' << if_compared("%.4f", measured.ratio_95.high) << ','
          << number("%.4f", us_95.low) << ',' << number("%.4f", us_95.high) << '\n'
          << std::flush;
}

void results::fail(std::string const& what, std::string const& why) {
  failures_.push_back(what + ": " + why);
}

void results::leave_out(std::string const& what, std::string const& why) {
  auto const words = what + ": " + why;
  if (std::find(left_out_.begin(), left_out_.end(), words) == left_out_.end()) left_out_.push_back(words);
}

void results::write_metadata() {
  json_ << "{\n";
  for (std::size_t i = 0; i < fields_.size(); ++i)
    json_ << "  " << quoted(fields_[i].first) << ": " << fields_[i].second << (i + 1 < fields_.size() ? ",\n" : "\n");
  json_ << "}\n" << std::flush;
}

int results::finish() {
  if (!path_.empty()) {
    write_metadata();
    if (!csv_ || !spread_ || !json_) fail("csv", "could not be written to the end");
  }
  if (!left_out_.empty()) std::printf("\nleft out:\n");
  for (auto const& words : left_out_) std::printf("  %s\n", words.c_str());
  if (!failures_.empty()) std::printf("\nfailed:\n");
  for (auto const& words : failures_) std::printf("  %s\n", words.c_str());
  std::printf("\n%d cases measured, %zu failed\n", measured_, failures_.size());
  return failures_.empty() ? 0 : 1;
}

}  // namespace perf

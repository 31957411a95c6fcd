#pragma once
// What the benchmark writes beside Google Benchmark's table: rows of CSV, their spread, the machine, and what failed or
// was left out. docs/benchmarks.md explains the columns.

#include "configuration.hpp"
#include "pairs.hpp"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace perf {

class results {
 public:
  /// PATH.csv, PATH.spread.csv and PATH.json, for PATH with the ending .csv or without; nothing for an empty path.
  /// Throws std::runtime_error where one cannot be written.
  explicit results(std::string const& path);

  /// A line above the table: "name: value".
  void header(std::string const& name, std::string const& value);
  /// A field of the JSON file.
  void metadata(std::string const& name, std::string const& value);
  void metadata(std::string const& name, double value);

  void add(configuration const&, std::string const& baseline, std::string const& version, comparison const&, int pairs);
  /// Without a baseline: a time, and no claim.
  void add(configuration const&, double us, interval us_95, int pairs);

  /// A configuration that threw, or whose result was wrong; the rest goes on.
  void fail(std::string const& what, std::string const& why);
  void leave_out(std::string const& what, std::string const& why);
  void measured() { ++measured_; }

  /// Writes the JSON file, says what was left out and what failed, and returns the exit code.
  int finish();

 private:
  void row(configuration const&, double us, std::string const& baseline, std::string const& version, comparison const*,
           interval us_95, int pairs);
  void write_metadata();

  std::string path_;
  std::ofstream csv_, spread_, json_;
  std::vector<std::pair<std::string, std::string>> fields_;
  std::vector<std::string> failures_;
  std::vector<std::string> left_out_;
  int measured_ = 0;
};

/// 10^9 bytes a second.
inline double gigabytes_per_second(std::int64_t bytes, double us) {
  return us > 0 ? static_cast<double>(bytes) / us / 1e3 : 0;
}

}  // namespace perf

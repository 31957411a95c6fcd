#pragma once
// What the benchmark prints and writes: a table to read, rows of CSV to keep, and what failed or was left out.

#include "pairs.hpp"

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace perf {

/// What was reduced, and how it was timed.
struct measured_case {
  std::string op, input_type, accum_type;
  std::string source = "pointer";
  std::int64_t n = 0;
  std::string mode;
  std::string cache = "hot";  ///< every call reads the same buffer: in cache where it fits
  std::string policy;

  [[nodiscard]] std::string in_words() const;
};

struct baseline_name {
  std::string name, version;
};

class report {
 public:
  /// Opens the CSV, where a path is given; throws std::runtime_error where that fails.
  explicit report(std::string const& csv_path);

  /// A line above the tables, and a comment at the head of the CSV's reader: "name: value".
  void header(std::string const& name, std::string const& value);
  void heading(std::string const& words);

  void add(measured_case const&, std::int64_t bytes, baseline_name const&, comparison const&);
  /// Without a baseline: a time, and no claim.
  void add(measured_case const&, std::int64_t bytes, double us);

  /// A case that threw, or whose result was wrong; the rest goes on.
  void fail(std::string const& what, std::string const& why);
  void leave_out(std::string const& what, std::string const& why);

  /// The last lines: what was left out, what failed, counts. Returns the exit code.
  int finish();

 private:
  void line(measured_case const&, std::int64_t bytes, double us, baseline_name const&, comparison const*);

  std::optional<std::ofstream> csv_;
  std::vector<std::string> failures_;
  std::vector<std::string> left_out_;
  int measured_ = 0;
};

}  // namespace perf

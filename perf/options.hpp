#pragma once
// What to measure. The words are those of the command line and of the CSV; an empty list means any.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace perf {

struct options {
  std::vector<std::string> cases;   ///< the CSV's column `case`
  std::vector<std::int64_t> sizes;  ///< elements
  std::vector<std::string> types;   ///< f32 f64 i8 u8 i16 i32 i64 f16 bf16
  std::vector<std::string> ops;     ///< sum, min, ...
  std::vector<std::string> policies;
  std::vector<std::string> modes;
  std::vector<std::string> sources;
  std::vector<std::string> caches;  ///< hot, cold
  bool all = false;                 ///< every configuration, not just the chosen ones
  bool list = false;
  int pairs = 30;
  std::string csv;             ///< a path, with the ending .csv or without, or empty
  std::string commit;          ///< of the sources, for the metadata
  std::int64_t cpu_check = 0;  ///< up to this n the GPU's bits are compared with `serial` on the CPU
};

inline bool wants(std::vector<std::string> const& list, std::string const& word) {
  return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

/// "1000", "2^20", "3*10^6". Throws std::invalid_argument with a sentence.
std::int64_t parse_size(std::string const& text);

/// What narrows the choice, as on the command line: "--cases P1 --types bf16".
std::string filters_in_words(options const&);

/// Fills `chosen` from the command line, or returns the exit code in `exit_code` and false: after --help, or a mistake.
bool parse_command_line(int argc, char** argv, options& chosen, int& exit_code);

}  // namespace perf

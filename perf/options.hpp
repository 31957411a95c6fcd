#pragma once
// What to measure. The words are those of the command line and of the CSV.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace perf {

struct options {
  std::vector<std::int64_t> sizes;    ///< elements; empty: each machine's own list
  std::vector<std::string> types;     ///< float32, float64, int32, int64
  std::vector<std::string> ops;       ///< sum, min, max
  std::vector<std::string> policies;  ///< automatic, serial, openmp, two_pass, grid_sync, last_block
  std::vector<std::string> modes;     ///< cpu; graph, stream, host on a GPU
  int pairs = 0;                      ///< 0: 30, and 10 above 2^28
  std::string csv;                    ///< a path, or empty
  std::int64_t cpu_check = 0;         ///< up to this n the GPU's bits are compared with `serial` on the CPU
};

inline bool wants(std::vector<std::string> const& list, std::string const& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

inline int pairs_for(options const& chosen, std::int64_t n) {
  constexpr std::int64_t long_runs = std::int64_t{1} << 28;
  return chosen.pairs > 0 ? chosen.pairs : n > long_runs ? 10 : 30;
}

/// "1000", "2^20", "3*10^6". Throws std::invalid_argument with a sentence.
std::int64_t parse_size(std::string const& text);

/// Fills `chosen` from the command line, or returns the exit code in `exit_code` and false: after --help, or a mistake.
bool parse_command_line(int argc, char** argv, options& chosen, int& exit_code);

}  // namespace perf

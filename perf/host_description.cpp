#include "host_description.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace perf {

std::string first_line_with(char const* path, std::string const& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.find(word) != std::string::npos) return line;
  return {};
}

std::string host_description() {
  auto const line = first_line_with("/proc/cpuinfo", "model name");
  auto const colon = line.find(": ");
  auto const model = colon == std::string::npos ? std::string("unknown CPU") : line.substr(colon + 2);
  auto words = model + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
  double load = 0;
  if (getloadavg(&load, 1) == 1) {
    char text[40];
    std::snprintf(text, sizeof text, ", load average %.1f", load);
    words += text;
  }
  return words;
}

std::int64_t last_level_cache() {
  for (auto const level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (auto const bytes = sysconf(level); bytes > 0) return bytes;
  return 0;
}

std::int64_t physical_memory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace perf

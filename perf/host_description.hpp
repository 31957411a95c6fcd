#pragma once
// What a reader of the figures must know of the machine.

#include <cstdint>
#include <string>

namespace perf {

/// "model name, 8 threads, load average 0.1": on a busy machine the times of threads that wait for each other mean
/// little.
std::string host_description();

/// Bytes, or 0 where the system does not say.
std::int64_t last_level_cache();

/// Bytes.
std::int64_t physical_memory();

/// The first line of a text file that holds `word`, or nothing.
std::string first_line_with(char const* path, std::string const& word);

}  // namespace perf

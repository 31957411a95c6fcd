#pragma once
// Calls from a file that is compiled without the flags of the program's other one.

#include <cstdint>

namespace without_flags {

float sum_of_portable_bits(float const* data, std::int64_t n);
bool plan_is_portable();

}  // namespace without_flags

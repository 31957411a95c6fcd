#pragma once
// A result whatever its type: numbers to compare with a reference, and the bits.

#include "check.hpp"
#include "configuration.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace perf {

struct answer {
  std::string from;             ///< who gave it, for messages
  std::vector<double> numbers;  ///< a value; a value and an index; or one for each component of a struct
  std::string bits;             ///< in hexadecimal, without padding
};

/// What lies in a result's memory: a scalar of the accumulator's type, a located<T>, or floats side by side.
answer decode(std::string from, operation, element input, void const* result);

/// How far each number of a result in the canonical order may lie from the reference.
std::vector<double> tolerances(configuration const&, std::vector<double> const& reference);

/// Empty, or what is wrong with this answer.
std::string compare_with_reference(answer const&, std::vector<double> const& reference,
                                   std::vector<double> const& tolerances);
std::string compare_bits(answer const&, answer const& other);

}  // namespace perf

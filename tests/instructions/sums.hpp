#pragma once
// The same reductions, compiled for one set of instructions a namespace.

#include <cstdint>
#include <vector>

namespace instructions {

/// Numbers to multiply; element i of the result is the bits of one reduction over them.
struct factors {
  std::vector<double> const& a;
  std::vector<double> const& b;
};
using bits = std::vector<std::uint64_t>;

}  // namespace instructions

#define PREDUCE_TEST_DECLARE(name)                         \
  namespace name {                                         \
  instructions::bits totals(instructions::factors const&); \
  }

#pragma once
// The CPU's part of the benchmark. Compiled by the host compiler alone: nvcc's host pass makes slower code.

#include "answer.hpp"
#include "contest.hpp"
#include "options.hpp"
#include "results.hpp"

#include <string>

namespace perf {

/// Checks a call on the CPU (mode cpu), or on the simulated machine (mode simt), against a reference and bit for bit
/// against `serial`; then makes it and its baselines ready to be timed. Throws left_out, or std::runtime_error where a
/// result is wrong.
contest prepare_on_host(configuration const&, options const&);

/// `serial`'s result over the same data, for comparison with a GPU's bits; without bits where the CPU's part has no
/// such reduction.
answer serial_answer(configuration const&);

/// Whether a policy, by name, combines in the canonical order, in which all policies give the same bits.
bool in_canonical_order(std::string const& policy);

/// "0.1.0"
std::string preduce_version();

/// Frees the data that is kept between configurations.
void release_host_data();

}  // namespace perf

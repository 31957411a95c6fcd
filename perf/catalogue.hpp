#pragma once
// All that can be measured, by targets.

#include "configuration.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace perf {

/// The configurations that the options ask for, in the order in which they run.
std::vector<configuration> configurations(options const&);

std::vector<std::string> case_names();
/// The host's policies, automatic, and every rung of preduce::ladder.
std::vector<std::string> policy_names();

}  // namespace perf

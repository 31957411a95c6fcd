#pragma once

#include <preduce/plan.hpp>

#include <string>

namespace preduce {

/// The plan in words, with the reason for each choice, a line each. Pure.
PREDUCE_API std::string explain(plan const&);

}  // namespace preduce

#include "catalogue.hpp"

#include "targets.hpp"

#include <preduce/preduce.hpp>

#include <algorithm>

namespace perf {
namespace {

bool asked_for(configuration const& what, options const& chosen) {
  return wants(chosen.types, name(what.type)) && wants(chosen.ops, name(what.op)) &&
         wants(chosen.modes, name(what.how)) && wants(chosen.policies, what.policy) &&
         wants(chosen.sources, name(what.from)) && wants(chosen.caches, what.cache()) &&
         (chosen.sizes.empty() || std::find(chosen.sizes.begin(), chosen.sizes.end(), what.n) != chosen.sizes.end());
}

}  // namespace

std::vector<configuration> configurations(options const& chosen) {
  std::vector<configuration> found;
  // Sizes of the user's own are no target's: they are the grid of case `reduce`, which is meant where no case is named.
  bool const own_grid = !chosen.sizes.empty() && wants(chosen.cases, "reduce");
  auto const wanted = [&](std::string const& target) {
    if (own_grid && (chosen.cases.empty() || target == "reduce")) return false;
    return wants(chosen.cases, target);
  };
  for (auto const& [what, by_default] : all_targets())
    if ((chosen.all || by_default) && wanted(what.target) && asked_for(what, chosen)) found.push_back(what);
  if (!own_grid) return found;
  for (auto const& what : reduce_grid(chosen.sizes))
    if (asked_for(what, chosen) && (chosen.all || !chosen.ops.empty() || what.op == operation::sum))
      found.push_back(what);
  return found;
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (auto const& [what, by_default] : all_targets())
    if (std::find(names.begin(), names.end(), what.target) == names.end()) names.push_back(what.target);
  return names;
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names = {"automatic", "serial", "openmp"};
  preduce::ladder::for_each_rung([&](auto const& rung, char const*) { names.push_back(rung.name()); });
  return names;
}

}  // namespace perf

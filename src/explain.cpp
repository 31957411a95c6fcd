#include <preduce/explain.hpp>

#include <string>

namespace preduce {
namespace {

char const* name_of(determinism bits) {
  switch (bits) {
    case determinism::portable:
      return "the same bits on every machine and under every portable policy";
    case determinism::run_to_run:
      return "the same bits each time on this machine with this launch";
    case determinism::none:
      return "bits may differ from run to run";
  }
  return "";
}

char const* name_of(grid_algorithm algorithm) {
  switch (algorithm) {
    case grid_algorithm::second_kernel:
      return "two_pass";
    case grid_algorithm::last_ticket:
      return "last_block";
    case grid_algorithm::look_back:
      return "look_back";
    case grid_algorithm::grid_barrier:
      return "grid_sync";
    case grid_algorithm::one_thread:
      return "single_thread";
    case grid_algorithm::classic:
      return "a rung of the ladder";
    case grid_algorithm::automatic:
      return "automatic";
  }
  return "";
}

std::string because(char const* why) {
  return *why == '\0' ? std::string{} : std::string(" (") + why + ")";
}

}  // namespace

std::string explain(plan const& p) {
  auto const number = [](auto value) { return std::to_string(value); };
  std::string text = std::string(p.policy) + " over n = " + number(p.n);
  if (p.host_threads == 0) {
    text += std::string(" on ") + (p.device.name[0] != '\0' ? p.device.name : "a device") +
            (p.device.compute_capability > 0 ? " (sm_" + number(p.device.compute_capability) + ", " : " (") +
            number(p.device.multiprocessors) + " multiprocessors)";
  }
  bool const canonical = *p.why_order == '\0';
  if (*p.why_policy != '\0')
    text += std::string("\n  picked:    ") + (p.host_threads > 0 ? "" : name_of(p.algorithm)) +
            (p.host_threads > 0 ? std::string(p.why_policy) : because(p.why_policy));
  text += "\n  order:     ";
  if (!canonical)
    text += std::string(p.why_order) + "; ";
  else
    text += "version " + number(canonical_order_version) + ", " + number(p.shape.tiles) + " tile(s) of " +
            number(p.shape.rows) + " row(s) x " + number(order_lanes) + " lanes; ";
  text += name_of(p.bits);
  if (!canonical && *p.why_units != '\0') text += std::string("\n  units:     ") + p.why_units;
  if (canonical)
    text += "\n  units:     " + number(p.order.units) + " of " + number(order_lanes >> p.order.group_bits) + " lanes" +
            because(p.why_units);
  if (p.host_threads > 0) return text + "\n  threads:   " + number(p.host_threads) + because(p.why_threads) + "\n";

  text += "\n  elements:  " + number(p.element.element_bytes) + " bytes, " +
          (p.element.vector > 1 ? number(p.element.vector) + " a load" : std::string("one by one")) +
          ", accumulated in " + number(p.element.value_bytes) + " bytes";
  text +=
      "\n  launch:    " + number(p.blocks) + " block(s) of " + number(p.threads) + " threads" + because(p.why_threads);
  text += "\n  kernels:   " + number(p.kernels) + because(p.why_kernels);
  if (p.finish_threads > 0) text += "; the second has " + number(p.finish_threads) + " threads";
  if (p.overlaps_previous) text += "; the first is scheduled before the stream's previous kernel has ended";
  text += "\n  workspace: " + number(p.workspace.partials + p.workspace.announced) + " bytes\n";
  return text;
}

}  // namespace preduce

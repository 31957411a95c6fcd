#include "call.cuh"

namespace perf::ours {
namespace {

// At namespace scope: nvcc takes a requires-expression within a template for an error where it does not hold.
template <class Policy>
concept overlapping = requires(Policy const& policy) {
  policy.overlap_previous();
};

template <class Policy>
auto overlapped(Policy const& policy) {
  if constexpr (overlapping<Policy>)
    return policy.overlap_previous();
  else
    return policy;
}

std::unique_ptr<gpu_call> float_sum(configuration const& what, gpu_operands const& on) {
  sequence<float, float> const body{on};
  if (what.how != mode::graph_overlap) return under_any(what.policy, body);
  if (what.policy == preduce::automatic.name()) return under(overlapped(preduce::automatic), body);
  if (what.policy == preduce::two_pass.name()) return under(overlapped(preduce::two_pass), body);
  if (what.policy == preduce::last_block.name()) return under(overlapped(preduce::last_block), body);
  if (what.policy == preduce::look_back.name()) return under(overlapped(preduce::look_back), body);
  return nullptr;
}

}  // namespace

bool can_overlap() {
  return overlapping<std::remove_const_t<decltype(preduce::automatic)>>;
}

std::unique_ptr<gpu_call> make_number(configuration const& what, gpu_operands const& on) {
  if (what.op != operation::sum || !in_memory(what)) return nullptr;
  if (what.type == element::f32) return float_sum(what, on);
  if (what.how == mode::graph_overlap) return nullptr;
  switch (what.type) {
    case element::f64:
      return under_any(what.policy, sequence<double, double>{on});
    case element::i32:
      return under_any(what.policy, sequence<std::int32_t, std::int32_t>{on});
    case element::i64:
      return under_any(what.policy, sequence<std::int64_t, std::int64_t>{on});
    default:
      return nullptr;
  }
}

}  // namespace perf::ours

#include "call.cuh"

namespace perf::ours {
namespace {

template <class T>
std::unique_ptr<gpu_call> extreme_of(configuration const& what, gpu_operands const& on) {
  using minimum = preduce::minimum<T>;
  using maximum = preduce::maximum<T>;
  if (what.op == operation::min) return under_any(what.policy, sequence<T, T, minimum>{on, minimum::identity()});
  return under_any(what.policy, sequence<T, T, maximum>{on, maximum::identity()});
}

}  // namespace

std::unique_ptr<gpu_call> make_extreme(configuration const& what, gpu_operands const& on) {
  if ((what.op != operation::min && what.op != operation::max) || !in_memory(what)) return nullptr;
  switch (what.type) {
    case element::f32:
      return extreme_of<float>(what, on);
    case element::f64:
      return extreme_of<double>(what, on);
    case element::i32:
      return extreme_of<std::int32_t>(what, on);
    case element::i64:
      return extreme_of<std::int64_t>(what, on);
    case element::i8:
      return extreme_of<std::int8_t>(what, on);
    default:
      return nullptr;
  }
}

}  // namespace perf::ours

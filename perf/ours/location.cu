#include "call.cuh"

namespace perf::ours {
namespace {

template <class T, bool Least>
struct location {
  gpu_operands on;

  template <class Policy, class Result>
  void reduce(Policy const& policy, std::int64_t offset, Result&& result) const {
    auto const* const first = static_cast<T const*>(on.data) + offset;
    if constexpr (Least)
      preduce::parallel_reduce(policy, first, first + on.n, preduce::min_loc(result));
    else
      preduce::parallel_reduce(policy, first, first + on.n, preduce::max_loc(result));
  }
  template <class Policy>
  void into(Policy const& policy, std::int64_t offset) const {
    reduce(policy, offset, static_cast<preduce::located<T>*>(on.result));
  }
  template <class Policy>
  preduce::located<T> value(Policy const& policy, std::int64_t offset) const {
    preduce::located<T> found;
    reduce(policy, offset, found);
    return found;
  }
};

template <class T>
std::unique_ptr<gpu_call> location_of(configuration const& what, gpu_operands const& on) {
  if (what.op == operation::min_loc) return under_two(what.policy, location<T, true>{on});
  return under_two(what.policy, location<T, false>{on});
}

}  // namespace

std::unique_ptr<gpu_call> make_location(configuration const& what, gpu_operands const& on) {
  if ((what.op != operation::min_loc && what.op != operation::max_loc) || !in_memory(what)) return nullptr;
  switch (what.type) {
    case element::f32:
      return location_of<float>(what, on);
    case element::f64:
      return location_of<double>(what, on);
    case element::i8:
      return location_of<std::int8_t>(what, on);
    case element::i16:
      return location_of<std::int16_t>(what, on);
    case element::i32:
      return location_of<std::int32_t>(what, on);
    default:
      return nullptr;
  }
}

}  // namespace perf::ours

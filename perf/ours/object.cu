#include "../operations.hpp"
#include "call.cuh"

namespace perf::ours {

std::unique_ptr<gpu_call> make_object(configuration const& what, gpu_operands const& on) {
  if (!in_memory(what)) return nullptr;
  switch (what.op) {
    case operation::sum_struct12:
      return under_two(what.policy, sequence<floats<3>, floats<3>, add>{on});
    case operation::sum_struct16:
      return under_two(what.policy, sequence<floats<4>, floats<4>, add>{on});
    case operation::sum_struct24:
      return under_two(what.policy, sequence<floats<6>, floats<6>, add>{on});
    case operation::affine:
      return under_two(what.policy, sequence<float, float, shifted_add>{on, -affine_shift, {affine_shift}});
    default:
      return nullptr;
  }
}

}  // namespace perf::ours

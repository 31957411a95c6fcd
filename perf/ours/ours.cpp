#include "ours.hpp"

namespace perf::ours {

std::unique_ptr<gpu_call> make(configuration const& what, gpu_operands const& on) {
  for (auto const family : {make_number, make_small, make_extreme, make_location, make_object, make_guest, make_rung})
    if (auto call = family(what, on)) return call;
  return nullptr;
}

}  // namespace perf::ours

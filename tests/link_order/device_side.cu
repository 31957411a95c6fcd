#include "same_call.hpp"

namespace {

template <class Policy>
int count_or_no_gpu(Policy const& policy) {
  try {
    return preduce::parallel_reduce(policy, link_order::n, link_order::on_device{});
  } catch (preduce::error const& error) {
    if (error.code() != preduce::error_code::no_device) throw;
    return -1;
  }
}

}  // namespace

link_order::counts device_side() {
  return {preduce::parallel_reduce(preduce::serial, link_order::n, link_order::on_device{}),
          count_or_no_gpu(preduce::two_pass), count_or_no_gpu(preduce::last_block)};
}

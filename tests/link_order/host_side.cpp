#include "same_call.hpp"

link_order::counts host_side() {
  using namespace link_order;
  return {preduce::parallel_reduce(preduce::serial, n, on_device{}),
          preduce::parallel_reduce(preduce::two_pass, n, on_device{}),
          preduce::parallel_reduce(preduce::last_block, n, on_device{})};
}

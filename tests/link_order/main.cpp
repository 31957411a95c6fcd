// One program whose .cpp and .cu instantiate the same calls with the same types: whichever the linker sees first, each
// must run its own.
#include "same_call.hpp"

#include <cstdio>

int main() {
  auto const host = host_side();
  auto const device = device_side();
  int const expected = preduce::gpu_available() ? link_order::n : -1;
  std::printf(".cpp: serial %d, two_pass %d, last_block %d; .cu: serial %d, two_pass %d, last_block %d (expected %d)\n",
              host.serial, host.two_pass, host.last_block, device.serial, device.two_pass, device.last_block, expected);
  bool const host_kept = host.serial == 0 && host.two_pass == 0 && host.last_block == 0;
  bool const device_kept = device.serial == 0 && device.two_pass == expected && device.last_block == expected;
  return host_kept && device_kept ? 0 : 1;
}

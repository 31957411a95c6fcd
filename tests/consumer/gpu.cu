#include <preduce/preduce.hpp>

#include <cstdio>

bool gpu_works() {
  if (!preduce::gpu_available()) {
    std::puts("no GPU: compiled and linked, not run");
    return true;
  }
  auto const total = preduce::parallel_reduce(
      preduce::two_pass, 100000, PREDUCE_LAMBDA(std::int64_t i) { return i; });
  std::printf("GPU: %lld\n", static_cast<long long>(total));
  return total == 4999950000;
}

#include <preduce/preduce.hpp>

#include <cstdio>
#include <vector>

#if PREDUCE_VERSION < 100 || PREDUCE_VERSION_MAJOR != 0
#  error "this program is for preduce 0.1"
#endif

#ifdef CONSUMER_CUDA
bool gpu_works();
#else
bool gpu_works() {
  return true;
}
#endif

int main() {
  std::vector<float> const data(100000, 0.5F);
  float const serial = preduce::reduce(preduce::serial, data.begin(), data.end());
  float const openmp = preduce::reduce(preduce::openmp, data.begin(), data.end());
  float const simulated = preduce::reduce(preduce::two_pass, data.begin(), data.end());
  std::printf("serial %g, openmp %g, two_pass %g\n", static_cast<double>(serial), static_cast<double>(openmp),
              static_cast<double>(simulated));
  return serial == 50000.0F && openmp == serial && simulated == serial && gpu_works() ? 0 : 1;
}

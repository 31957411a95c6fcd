// Arrays of so many units that each has a block of its own.

#include "../support/sample.hpp"
#include "../support/walk.hpp"

#include <cstdint>
#include <vector>

namespace {

template <class T, class V>
void sums_like_the_host(std::int64_t n, V init) {
  auto const piece =
      sample::values<T>((std::size_t{1} << 20) + 1, 91 + sizeof(T));  // no power of two: no tile like another
  std::vector<T> values;
  auto const count = static_cast<std::size_t>(n);
  values.reserve(count + piece.size());
  while (values.size() < count) values.insert(values.end(), piece.begin(), piece.end());
  values.resize(count);
  V const want = preduce::reduce(preduce::openmp, values.data(), values.data() + n, init);
  memory::buffer<T> const data(memory::place::gpu, values);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    if (about.place != memory::place::gpu || about.pace != sizes::pace::fast) return;  // not by one thread
    walk::same_bits(want, preduce::reduce(policy, data.data(), data.data() + n, init), "large array", about, n);
  });
}

}  // namespace

TEST_CASE("promise 7: sums of large arrays have the host's bits, whatever a block folds" *
          doctest::skip(device::missing() || device::sanitized)) {
  std::size_t free = 0, all = 0;
  device::check(cudaMemGetInfo(&free, &all), "memory");
  if (free < std::size_t{3} << 30) {
    MESSAGE("left out: 3 GiB of device memory are not free");
    return;
  }
  for (std::int64_t const n : {std::int64_t{1} << 28, (std::int64_t{1} << 29) + 4099})
    sums_like_the_host<float>(n, 0.5f);
  sums_like_the_host<double>((std::int64_t{1} << 27) + 33, 0.5);
  sums_like_the_host<std::int16_t>((std::int64_t{1} << 28) - 4099, std::int64_t{1});
}

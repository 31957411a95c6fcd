// What nvcc forces on functors: each form that is promised to work, with the answer it must give. Without a GPU
// everything here is still compiled, which is half of the promise.
#include <preduce/preduce.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

constexpr std::int64_t n = 100003;
constexpr std::int64_t sum_of_indices = n * (n - 1) / 2;

auto needs_gpu() {
  return doctest::skip(!preduce::gpu_available());
}

struct identity_functor {
  PREDUCE_FUNCTION std::int64_t operator()(std::int64_t i) const { return i; }
};

struct accumulating_functor {
  PREDUCE_FUNCTION void operator()(std::int64_t i, std::int64_t& sum) const { sum += i; }
};

struct device_only_functor {
  __device__ std::int64_t operator()(std::int64_t i) const { return i; }
};

struct generic_functor {
  template <class Index>
  PREDUCE_FUNCTION Index operator()(Index i) const {
    return i;
  }
};

struct narrow_functor {
  PREDUCE_FUNCTION std::int64_t operator()(std::int32_t i) const { return i; }
};

/// Every policy that runs a PREDUCE_FUNCTION, where the .cu file puts it.
template <class Check>
void under_every_policy(Check check) {
  check(preduce::serial);
  check(preduce::two_pass);
  check(preduce::last_block);
  check(preduce::look_back);
}

}  // namespace

TEST_SUITE("functors") {
  TEST_CASE("a functor struct returns its value or takes an accumulator" * needs_gpu()) {
    under_every_policy([](auto policy) {
      CAPTURE(policy.name());
      CHECK(preduce::parallel_reduce(policy, n, identity_functor{}) == sum_of_indices);
      std::int64_t sum = -1;
      preduce::parallel_reduce(policy, n, accumulating_functor{}, sum);
      CHECK(sum == sum_of_indices);
    });
  }

  TEST_CASE("PREDUCE_LAMBDA returns its value or takes an accumulator" * needs_gpu()) {
    std::int64_t const factor = 3;
    auto const value = PREDUCE_LAMBDA(std::int64_t i) {
      return factor * i;
    };
    auto const accumulate = PREDUCE_LAMBDA(std::int64_t i, std::int64_t & sum) {
      sum += factor * i;
    };
    under_every_policy([&](auto policy) {
      CAPTURE(policy.name());
      CHECK(preduce::parallel_reduce(policy, n, value) == factor * sum_of_indices);
      std::int64_t sum = -1;
      preduce::parallel_reduce(policy, n, accumulate, sum);
      CHECK(sum == factor * sum_of_indices);
    });
  }

  TEST_CASE("a __device__ lambda is accepted with an explicit result or reducer" * needs_gpu()) {
    auto const value = [] __device__(std::int64_t i) { return i; };
    auto const accumulate = [] __device__(std::int64_t i, std::int64_t & sum) { sum += i; };
    std::int64_t sum = -1;
    preduce::parallel_reduce(preduce::two_pass, n, value, sum);
    CHECK(sum == sum_of_indices);
    sum = -1;
    preduce::parallel_reduce(preduce::last_block, n, accumulate, sum);
    CHECK(sum == sum_of_indices);
    std::int64_t most = -1;
    preduce::parallel_reduce(preduce::two_pass, n, value, preduce::max(most));
    CHECK(most == n - 1);
  }

  TEST_CASE("a __device__ lambda with a trailing return type is accepted in the returning call" * needs_gpu()) {
    auto const value = [] __device__(std::int64_t i) -> std::int64_t { return i; };
    CHECK(preduce::parallel_reduce(preduce::two_pass, n, value) == sum_of_indices);
    CHECK(preduce::parallel_reduce(preduce::last_block, n, value) == sum_of_indices);
  }

  TEST_CASE("a functor with a __device__ member only runs under the GPU policies" * needs_gpu()) {
    CHECK(preduce::parallel_reduce(preduce::two_pass, n, device_only_functor{}) == sum_of_indices);
    CHECK(preduce::parallel_reduce(preduce::last_block, n, device_only_functor{}) == sum_of_indices);
  }

  TEST_CASE("a generic functor is called with 64-bit indices" * needs_gpu()) {
    under_every_policy([](auto policy) {
      CAPTURE(policy.name());
      auto const sum = preduce::parallel_reduce(policy, n, generic_functor{});
      static_assert(sizeof(sum) == 8);
      CHECK(sum == sum_of_indices);
    });
  }

  TEST_CASE("a functor that takes a 32-bit index runs a 32-bit loop" * needs_gpu()) {
    under_every_policy([](auto policy) {
      CAPTURE(policy.name());
      CHECK(preduce::parallel_reduce(policy, n, narrow_functor{}) == sum_of_indices);
      auto const tail = preduce::range{2147483647LL - 10, 2147483647LL};
      CHECK(preduce::parallel_reduce(policy, tail, narrow_functor{}) == 10 * 2147483647LL - 55);
    });
  }

  TEST_CASE("a functor that takes a 32-bit index is refused for a range that needs 64 bits, before launch") {
    under_every_policy([](auto policy) {
      CAPTURE(policy.name());
      std::int64_t sum = -1;
      CHECK_THROWS_AS(preduce::parallel_reduce(policy, std::int64_t{1} << 32, narrow_functor{}, sum), preduce::error);
      CHECK(sum == -1);
    });
  }
}

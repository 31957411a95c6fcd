#pragma once
// Behaviours 22 and 24: what is refused before launch, what the message says, and that the next call works.

#include "../support/operators.hpp"
#include "../support/walk.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace refusal_tests {

inline bool contains(std::string const& text, char const* part) {
  return text.find(part) != std::string::npos;
}

/// `call` must throw an error of `code` whose message contains the policy's name and each of `parts`.
template <class Call>
void refused(Call const& call, preduce::error_code code, char const* policy, std::initializer_list<char const*> parts) {
  std::string message;
  try {
    call();
    FAIL_CHECK("accepted under " << policy);
    return;
  } catch (preduce::error const& e) {
    message = e.what();
    CHECK_MESSAGE(e.code() == code, message);
  }
  CHECK_MESSAGE(contains(message, policy), message);
  for (char const* const part : parts) CHECK_MESSAGE(contains(message, part), message, " lacks ", part);
}

template <class Policy>
void works(Policy const& policy, lists::entry const& about) {
  CHECK_MESSAGE(preduce::parallel_reduce(policy, 1000, functors::index{}) == 499500, about.name);
}

}  // namespace refusal_tests

TEST_CASE("behaviour 24, promise 12: a negative n is refused, and the next call works" *
          doctest::skip(device::missing())) {
  using namespace refusal_tests;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    constexpr auto code = preduce::error_code::invalid_argument;
    memory::buffer<float> const data(about.place, std::vector<float>(10, 1.0f));
    float const* const x = data.data();
    auto result = memory::poisoned<float>();
    functors::load<float> const load{x};
    refused([&] { (void)preduce::parallel_reduce(policy, -5, load); }, code, policy.name(), {"-5", "float"});
    refused([&] { preduce::parallel_reduce(policy, std::int64_t{-1} << 40, load, result); }, code, policy.name(),
            {"-1099511627776", "float"});
    refused([&] { (void)preduce::reduce(policy, x + 7, x); }, code, policy.name(), {"-7", "float"});
    refused([&] { (void)preduce::parallel_reduce(policy, ~std::uint64_t{0}, load); }, code, policy.name(), {"float"});
    CHECK_MESSAGE(memory::same_bits(result, memory::poisoned<float>()), about.name);
    works(policy, about);
  });
}

TEST_CASE("behaviour 24, promise 12: null pointers are refused, and the next call works" *
          doctest::skip(device::missing())) {
  using namespace refusal_tests;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    constexpr auto code = preduce::error_code::invalid_pointer;
    memory::buffer<float> const data(about.place, std::vector<float>(10, 1.0f));
    float const* const x = data.data();
    float const* const null = nullptr;
    auto const* const behind_null = reinterpret_cast<float const*>(5 * sizeof(float));  // null + 5 is undefined
    float* const nowhere = nullptr;
    functors::load<float> const load{x};
    refused([&] { (void)preduce::reduce(policy, null, behind_null); }, code, policy.name(), {"n = 5", "float"});
    refused([&] { (void)preduce::reduce(policy, null, behind_null, 1.0f); }, code, policy.name(), {"n = 5", "float"});
    refused([&] { preduce::parallel_reduce(policy, 10, load, nowhere); }, code, policy.name(), {"n = 10", "float"});
    refused([&] { preduce::parallel_reduce(policy, 10, load, preduce::min(nowhere)); }, code, policy.name(),
            {"n = 10", "float"});
    refused([&] { preduce::reduce_into(policy, x, x + 10, nowhere); }, code, policy.name(), {"n = 10", "float"});
    works(policy, about);
  });
}

TEST_CASE("behaviour 22, promise 11: launches that no machine can make are refused" *
          doctest::skip(device::missing())) {
  using namespace refusal_tests;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    if constexpr (requires { policy.block_size(32); }) {
      constexpr auto code = preduce::error_code::invalid_argument;
      functors::load<float> const load{nullptr};
      for (int const threads : {0, -32, 1, 31, 33, 1000, 1056, 2048, 1 << 30}) {
        INFO("block size ", threads);
        refused([&] { (void)preduce::parallel_reduce(policy.block_size(threads), 100, load); }, code, policy.name(),
                {"n = 100", "float"});
      }
      for (int const lanes : {0, -1, 1, 16, 48, 8192}) {
        INFO("unit lanes ", lanes);
        refused([&] { (void)preduce::parallel_reduce(policy.unit_lanes(lanes), 100, load); }, code, policy.name(), {});
      }
      for (int const blocks : {0, -1}) {
        INFO("blocks ", blocks);
        refused([&] { (void)preduce::parallel_reduce(policy.blocks(blocks), 100, load); }, code, policy.name(),
                {"blocks is not positive"});
      }
      works(policy, about);
      works(policy.block_size(32).blocks(1).unit_lanes(32), about);
      works(policy.blocks(1 << 30), about);
    }
  });
}

TEST_CASE("promise 12: a message names the caller's n, also where kernels walk over a few elements more" *
          doctest::skip(device::missing())) {
  using namespace refusal_tests;
  auto const place = device::compiled_for_gpu ? memory::place::gpu : memory::place::host;
  memory::buffer<int> const data(place, std::vector<int>(200, 1));
  for (int const offset : {1, 3}) {
    int const* const x = data.data() + offset;
    refused([&] { (void)preduce::reduce(preduce::two_pass.block_size(33), x, x + 100); },
            preduce::error_code::invalid_argument, "two_pass", {"n = 100,"});
  }
}

TEST_CASE("promise 12: data that is not aligned as its type asks is refused" * doctest::skip(device::missing())) {
  using namespace refusal_tests;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    memory::buffer<int> const data(about.place, std::vector<int>(20, 1));
    auto const* const askew = reinterpret_cast<int const*>(reinterpret_cast<char const*>(data.data()) + 2);
    refused([&] { (void)preduce::reduce(policy, askew, askew + 10); }, preduce::error_code::invalid_pointer,
            policy.name(), {"aligned", "n = 10"});
    works(policy, about);
  });
}

#ifdef __CUDACC__
TEST_CASE("behaviour 24, promise 12: host memory under a GPU policy" * doctest::skip(device::missing())) {
  using namespace refusal_tests;
  int device = 0, reads_pageable = 0;
  device::check(cudaGetDevice(&device), "cudaGetDevice");
  device::check(cudaDeviceGetAttribute(&reads_pageable, cudaDevAttrPageableMemoryAccess, device), "attribute");
  std::vector<float> const values(1000, 1.0f);
  lists::for_each_plain_policy([&](auto const& policy, lists::entry const& about) {
    float const* const x = values.data();
    if (reads_pageable != 0) {
      CHECK_MESSAGE(preduce::reduce(policy, x, x + 1000) == 1000.0f, about.name);
      return;
    }
    constexpr auto code = preduce::error_code::invalid_pointer;
    auto result = memory::poisoned<float>();
    if (std::string(policy.name()) == "automatic")  // picks the host, which can do it
      CHECK_MESSAGE(preduce::reduce(policy, x, x + 1000) == 1000.0f, about.name);
    else
      refused([&] { (void)preduce::reduce(policy, x, x + 1000); }, code, policy.name(), {"n = 1000", "float"});
    memory::buffer<float> const data(memory::place::gpu, values);
    refused([&] { preduce::parallel_reduce(policy, 1000, functors::load<float>{data.data()}, &result); }, code,
            policy.name(), {"n = 1000", "float"});
    CHECK_MESSAGE(memory::same_bits(result, memory::poisoned<float>()), about.name);
    CHECK_MESSAGE(cudaGetLastError() == cudaSuccess, about.name);  // nothing was left behind
    works(policy, about);
  });
}

TEST_CASE("behaviour 24, promise 12: someone else's pending error is reported as such, and stays" *
          doctest::skip(device::missing())) {
  using namespace refusal_tests;
  lists::for_each_plain_policy([](auto const& policy, lists::entry const& about) {
    REQUIRE(cudaGetLastError() == cudaSuccess);
    auto const earlier = cudaSetDevice(-1);
    REQUIRE(earlier != cudaSuccess);
    refused([&] { (void)preduce::parallel_reduce(policy, 1000, functors::index{}); },
            preduce::error_code::pending_error, policy.name(), {"n = 1000", cudaGetErrorName(earlier)});
    CHECK_MESSAGE(cudaPeekAtLastError() == earlier, about.name);
    CHECK_MESSAGE(cudaGetLastError() == earlier, about.name);
    works(policy, about);
  });
}

TEST_CASE("promise 12: a GPU policy without a GPU says so" * doctest::skip(!device::missing())) {
  using namespace refusal_tests;
  for (int call = 0; call < 2; ++call) {
    preduce::ladder::for_each_rung([](auto const& policy, char const*) {
      refused([&] { (void)preduce::parallel_reduce(policy, 1000, functors::index{}); }, preduce::error_code::no_device,
              policy.name(), {"n = 1000", "long"});
    });
    refused([] { (void)preduce::parallel_reduce(preduce::automatic, 1000, functors::index{}); },
            preduce::error_code::no_device, "automatic", {"n = 1000", "long"});
  }
}
#endif

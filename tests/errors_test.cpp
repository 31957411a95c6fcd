#include <preduce/errors.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <type_traits>

namespace {

using preduce::error;
using preduce::error_code;

TEST_CASE("an error says which policy, n and type it is about, what is wrong and what to do") {
  error const e(error_code::invalid_argument, {.policy = "two_pass", .n = -1, .type = "double"}, "n is negative",
                "pass n >= 0");
  CHECK(std::string(e.what()) == "preduce: two_pass, n = -1, type double: n is negative; pass n >= 0");
  CHECK(e.code() == error_code::invalid_argument);
}

TEST_CASE("what an error is not about is left out of its words") {
  CHECK(std::string(error(error_code::no_device, {}, "no GPU", "").what()) == "preduce: no GPU");
  CHECK(std::string(error(error_code::no_device, {.policy = "serial"}, "no GPU", "").what()) ==
        "preduce: serial, n = 0: no GPU");
  CHECK(std::string(error(error_code::no_device, {.type = "int"}, "no GPU", "use a CPU").what()) ==
        "preduce: type int: no GPU; use a CPU");
}

TEST_CASE("copying an error does not throw, and the copy outlives the original") {
  static_assert(std::is_nothrow_copy_constructible_v<error>);
  std::optional<error> original(std::in_place, error_code::unsupported, preduce::call_context{},
                                "a long enough sentence", "another one");
  error const copy = *original;
  original.reset();
  CHECK(std::string(copy.what()) == "preduce: a long enough sentence; another one");
  CHECK(copy.code() == error_code::unsupported);
}

TEST_CASE("fail throws the error, which is a std::exception") {
  CHECK_THROWS_AS(preduce::detail::fail(error_code::pending_error, {}, "x", "y"), error);
  CHECK_THROWS_AS(preduce::detail::fail(error_code::pending_error, {}, "x", "y"), std::exception);
}

TEST_CASE("a CUDA failure names the status and what was being done") {
  try {
    preduce::detail::fail_cuda(2, {.policy = "two_pass", .n = 7, .type = "float"}, "allocating the workspace");
    FAIL("did not throw");
  } catch (error const& e) {
    CHECK(e.code() == error_code::cuda_failure);
    std::string const words = e.what();
    CHECK(words.starts_with("preduce: two_pass, n = 7, type float: allocating the workspace gave "));
    bool const named = words.find("cudaErrorMemoryAllocation") != std::string::npos;
    CHECK((named || words.ends_with("CUDA error 2")));
  }
}

}  // namespace

#pragma once
// The seed of a test run: PREDUCE_TEST_SEED where it is set, else a new one each run. main.cpp prints it.

#include <cstdint>
#include <cstdlib>
#include <random>

namespace sample {

inline std::uint64_t seed() {
  static std::uint64_t const value = [] {
    if (char const* text = std::getenv("PREDUCE_TEST_SEED")) return std::uint64_t{std::strtoull(text, nullptr, 0)};
    return std::uint64_t{std::random_device{}()};
  }();
  return value;
}

}  // namespace sample

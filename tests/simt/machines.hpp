#pragma once
// The machines that the tests of the engines walk. Bodies never use doctest's checks, which are not meant for many
// threads; what they find is checked after the launch.

#include "simulate.hpp"

#include <preduce/errors.hpp>
#include <preduce/simt.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace machines_under_test {

namespace simt = preduce::simt;
using preduce::error;
using preduce::error_code;
using simulate::context;

inline constexpr std::array machines{simt::machine{simt::engine::fibers, 0}, simt::machine{simt::engine::fibers, 12345},
                                     simt::machine{simt::engine::threads, 0}};

inline std::string name_of(simt::machine how) {
  return how.kind == simt::engine::threads ? "threads" : "fibers, seed " + std::to_string(how.seed);
}

template <class Body>
void run(simt::machine how, simt::grid_shape const& shape, Body const& body) {
  simulate::run(how, shape, [&](simt::thread_state& self) { body(context(self)); });
}

inline std::size_t size_of(simt::grid_shape const& shape) {
  return static_cast<std::size_t>(shape.blocks) * static_cast<std::size_t>(shape.threads);
}

// The error of a launch that must fail.
template <class Body>
error failure(simt::machine how, simt::grid_shape const& shape, Body const& body) {
  try {
    run(how, shape, body);
  } catch (error const& e) {
    return e;
  }
  return error(error_code::cuda_failure, {}, "nothing was thrown", "");
}

inline bool says(error const& e, char const* words) {
  return std::strstr(e.what(), words) != nullptr;
}

}  // namespace machines_under_test

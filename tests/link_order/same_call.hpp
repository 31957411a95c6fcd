#pragma once
// Types and calls that host_side.cpp and device_side.cu have in common, by name and by meaning.

#include <preduce/preduce.hpp>

#include <cstdint>

namespace link_order {

/// Counts the indices that device code contributed.
struct on_device {
  PREDUCE_FUNCTION int operator()(std::int64_t) const {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
  }
};

inline constexpr int n = 10000;

struct counts {
  int serial, two_pass, last_block;
};

}  // namespace link_order

link_order::counts host_side();    ///< g++'s instantiation: every policy runs on the CPU
link_order::counts device_side();  ///< nvcc's: the GPU policies run on the GPU; -1 where they report that there is none

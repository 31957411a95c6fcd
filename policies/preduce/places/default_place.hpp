#pragma once
// Where a GPU policy runs when the user does not say: the default stream in a file compiled by nvcc, else the simulated
// machine.

#include <preduce/places/cuda_stream.hpp>
#include <preduce/places/simt_place.hpp>

namespace preduce::inline PREDUCE_ABI {

#ifdef __CUDACC__
using default_place = cuda_place;
#else
using default_place = simt_place;
#endif

}  // namespace preduce::inline PREDUCE_ABI

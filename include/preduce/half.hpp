#pragma once
// CUDA's half as an element and as a result. Widening is exact and rounding is to nearest even on every machine, so
// promises about bits hold for it; sums and products are accumulated in float and rounded once, at the end.

#include <preduce/monoids.hpp>

#include <type_traits>

#if __has_include(<cuda_fp16.h>)
#  include <cuda_fp16.h>

namespace preduce::detail::inline PREDUCE_ABI {

template <>
struct working<__half> : std::type_identity<float> {};

}  // namespace preduce::detail::inline PREDUCE_ABI

#else
#  error "preduce/half.hpp needs cuda_fp16.h: put the CUDA toolkit's include directory on the include path"
#endif

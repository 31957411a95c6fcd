#pragma once
// bfloat16 as an element and as a result. Widening is exact and rounding is to nearest even on every machine, so
// promises about bits hold for it; sums and products are accumulated in float and rounded once, at the end.

#include <preduce/value_types.hpp>

#include <type_traits>

#if __has_include(<cuda_bf16.h>)
#  include <cuda_bf16.h>

namespace preduce::detail::inline PREDUCE_ABI {

template <>
struct working<__nv_bfloat16> : std::type_identity<float> {};

}  // namespace preduce::detail::inline PREDUCE_ABI

#else
#  error "preduce/bfloat16.hpp needs cuda_bf16.h: put the CUDA toolkit's include directory on the include path"
#endif

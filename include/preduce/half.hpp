#pragma once
// CUDA's half as an element and as a result. Widening is exact and rounding is to nearest even on every machine, so
// promises about bits hold for it; sums and products are accumulated in float and rounded once, at the end.

#include <preduce/sources.hpp>
#include <preduce/value_types.hpp>

#include <cstdint>
#include <type_traits>

#if __has_include(<cuda_fp16.h>)
#  include <cuda_fp16.h>

namespace preduce::detail::inline PREDUCE_ABI {

template <>
struct working<__half> : std::type_identity<float> {};

/// Without a branch, so that loops become vector code; the toolkit's own takes several times as long. Where -ffast-math
/// has the machine read denormals as zero, it reads those of half so too.
template <>
struct host_conversion<float, __half> {
  [[nodiscard]] PREDUCE_FUNCTION static float of(__half const& value) {
    std::uint32_t const bits = static_cast<__half_raw>(value).x;
    std::uint32_t const magnitude = bits & 0x7fffu;
    // Scaling by 2^112 takes the exponent's bias from 15 to 127, of denormals too; infinity and NaN get all its bits.
    auto const scaled = __builtin_bit_cast(float, magnitude << 13) * 0x1p112f;
    std::uint32_t const endless = (magnitude + 0x0400u) >> 15;
    return __builtin_bit_cast(
        float, __builtin_bit_cast(std::uint32_t, scaled) | endless * 0x7f800000u | (bits & 0x8000u) << 16);
  }
};

}  // namespace preduce::detail::inline PREDUCE_ABI

#else
#  error "preduce/half.hpp needs cuda_fp16.h: put the CUDA toolkit's include directory on the include path"
#endif

#pragma once
// Compiler glue: function spaces, and the namespace that keeps the templates of one compiler, and of -ffast-math, apart
// from another's.

#include <preduce/version.hpp>

/// What the compiled part offers to headers and users. Everything else in it is hidden.
#define PREDUCE_API __attribute__((visibility("default")))

// Whether this file's host code may combine floats in another order than it is written to. g++ says so for
// -fassociative-math by itself, too; clang++ does not.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#  define PREDUCE_HOST_REASSOCIATES 1
#  define PREDUCE_ABI_OF(compiler) v0_##compiler##_fast_math
#else
#  define PREDUCE_HOST_REASSOCIATES 0
#  define PREDUCE_ABI_OF(compiler) v0_##compiler
#endif

#ifdef __CUDACC__
/// A function that host and device code may call.
#  define PREDUCE_FUNCTION __host__ __device__
/// Introduces a lambda that runs on the host and on the device. On the host nvcc calls it through a pointer; a functor
/// struct, or a plain lambda in a .cpp file, is faster there.
#  define PREDUCE_LAMBDA [=] __host__ __device__
// Placed before a template that calls the user's functor: silences nvcc when that functor runs on one side only.
#  define PREDUCE_HOST_CALLS_ALLOWED _Pragma("nv_exec_check_disable")
#  define PREDUCE_ABI PREDUCE_ABI_OF(nvcc)
#else
#  define PREDUCE_FUNCTION
#  define PREDUCE_LAMBDA [=]
#  define PREDUCE_HOST_CALLS_ALLOWED
#  if defined(__clang__)
#    define PREDUCE_ABI PREDUCE_ABI_OF(clang)
#  else
#    define PREDUCE_ABI PREDUCE_ABI_OF(gcc)
#  endif
#endif

// #pragma unroll in a __host__ __device__ function upsets g++ in nvcc's host pass, so it is issued for the device pass
// only.
#ifdef __CUDA_ARCH__
#  define PREDUCE_UNROLL _Pragma("unroll")
#  define PREDUCE_UNROLL_NOT _Pragma("unroll 1")
#else
#  define PREDUCE_UNROLL
#  define PREDUCE_UNROLL_NOT
#endif

// For short loops of a constant count whose iterations touch nothing of each other's: compilers then make vector code
// of them. g++ at -O2 does so only where it need not check, and clang++ unrolls such a loop before it would.
#if defined(__clang__)
#  define PREDUCE_INDEPENDENT _Pragma("clang loop unroll(disable)")
#elif defined(__GNUC__)
#  define PREDUCE_INDEPENDENT _Pragma("GCC ivdep")
#else
#  define PREDUCE_INDEPENDENT
#endif

// Whether this file's host code may contain instructions that multiply and add with one rounding. g++ makes them for
// -mavx512f, too, and says nothing of it.
#if defined(__x86_64__) && defined(__SSE2_MATH__) && !defined(__FMA__) && !defined(__FMA4__) && !defined(__AVX512F__)
#  define PREDUCE_HOST_FUSES 0
#else
#  define PREDUCE_HOST_FUSES 1
#endif

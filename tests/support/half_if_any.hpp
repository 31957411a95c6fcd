#pragma once
// half where the toolkit's header is there.

#if __has_include(<cuda_fp16.h>)
#  include "small_float.hpp"
#  define PREDUCE_TEST_HALF 1
#endif

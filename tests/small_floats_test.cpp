#if __has_include(<cuda_fp16.h>)  // the toolkit's header is all that these types need; no GPU
#  include "behaviours/small_floats.hpp"
#endif

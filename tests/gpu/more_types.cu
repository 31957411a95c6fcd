// half, bfloat16, complex, 128-bit integers, and the reducers beside sum, prod, min and max, on the GPU.
#include "../behaviours/complex.hpp"
#include "../behaviours/ignoring_nan.hpp"
#include "../behaviours/location.hpp"
#include "../behaviours/logic.hpp"
#include "../behaviours/small_floats.hpp"
#include "../behaviours/wide_integers.hpp"

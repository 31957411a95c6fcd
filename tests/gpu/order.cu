// The bits of the canonical order on the GPU. Behaviours are grouped into few files: nvcc's start costs more than a
// kernel.
#include "../behaviours/alignment.hpp"
#include "../behaviours/floating.hpp"
#include "../behaviours/in_order.hpp"
#include "../behaviours/sizes.hpp"

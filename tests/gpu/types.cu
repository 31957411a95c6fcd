// Element types on the GPU.
#include "../behaviours/integers.hpp"
#include "../behaviours/objects.hpp"

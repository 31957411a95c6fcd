// The classic ladder on the GPU.
#include "../behaviours/ladder.hpp"

// parallel_reduce of sequences on the GPU.
#include "../behaviours/located_sequences.hpp"
#include "../behaviours/sequences.hpp"

// Results, streams and errors on the GPU.
#include "../behaviours/concurrency.hpp"
#include "../behaviours/refusals.hpp"
#include "../behaviours/results.hpp"

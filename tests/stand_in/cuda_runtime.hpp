#pragma once
// What a test may ask of the stand-in for the CUDA runtime.

namespace stand_in {

/// The id of the current context. One of a new number is what a reset device leaves.
inline unsigned long long context = 1;

/// Destroys every graph: what they own is given back.
void destroy_graphs();

}  // namespace stand_in

#pragma once
// preduce's calls on the GPU, a family a file: what is measured decides what is compiled.

#include "../gpu_call.hpp"

#include <memory>
#include <string>

namespace perf::ours {

/// The call that a configuration describes, over these operands, or null where no family has it. A pointer+1 is the
/// caller's: operands.data points there.
std::unique_ptr<gpu_call> make(configuration const&, gpu_operands const&);

// The families; each gives null for what is another's.
std::unique_ptr<gpu_call> make_number(configuration const&, gpu_operands const&);    // sums of 4- and 8-byte numbers
std::unique_ptr<gpu_call> make_small(configuration const&, gpu_operands const&);     // sums of 1 and 2 bytes
std::unique_ptr<gpu_call> make_extreme(configuration const&, gpu_operands const&);   // min, max
std::unique_ptr<gpu_call> make_location(configuration const&, gpu_operands const&);  // min_loc, max_loc
std::unique_ptr<gpu_call> make_object(configuration const&, gpu_operands const&);    // structs, operators with state
std::unique_ptr<gpu_call> make_guest(configuration const&, gpu_operands const&);     // functors, Thrust's iterators
std::unique_ptr<gpu_call> make_rung(configuration const&, gpu_operands const&);      // f32 sums under ladder's rungs

/// Whether this preduce has `policy.overlap_previous()`, which mode graph_overlap needs.
bool can_overlap();

}  // namespace perf::ours

#pragma once
// The GPU's part of the benchmark. Built without CUDA, gpu_absent.cpp stands in.

#include "contest.hpp"
#include "options.hpp"
#include "results.hpp"

#include <string>

namespace perf {

/// Why no GPU can be used here; empty where one can.
std::string why_no_gpu();

/// GPU, driver, toolkit, CUB, clocks and bandwidths, as header lines and fields of the metadata. Measures the memory's
/// read ceiling where a GPU is there.
void describe_gpu(results&);

/// Checks the call under its policy against a reference, against two_pass and against `serial` on the CPU; then makes
/// it and its baselines ready to be timed. Throws left_out, or std::runtime_error where a result is wrong.
contest prepare_on_gpu(configuration const&, options const&, results&);

/// False after a kernel's fault: the context is lost for good, and whatever follows would fail for that reason alone.
bool gpu_still_works();

/// Frees the data that is kept between configurations.
void release_gpu_data();

}  // namespace perf

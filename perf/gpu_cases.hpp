#pragma once
// The GPU's part of the benchmark. Built without CUDA, gpu_cases_absent.cpp stands in.

#include "options.hpp"
#include "report.hpp"

namespace perf {

/// True where the GPU cases are built in and a GPU can be used; else says in `report` why not.
bool gpu_usable(report&);

/// GPU, driver, toolkit and CUB, as header lines.
void describe_gpu(report&);

/// Checks the GPU policies of the canonical order against a reference, against each other and against `serial` on the
/// CPU; then times them beside cub::DeviceReduce in each mode.
void run_gpu_cases(options const&, report&);

}  // namespace perf

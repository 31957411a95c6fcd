#include "gpu_case.cuh"

namespace perf {

template void run_gpu_case<operation::max>(options const&, report&, gpu_data<float> const&, std::int64_t);
template void run_gpu_case<operation::max>(options const&, report&, gpu_data<double> const&, std::int64_t);
template void run_gpu_case<operation::max>(options const&, report&, gpu_data<std::int32_t> const&, std::int64_t);
template void run_gpu_case<operation::max>(options const&, report&, gpu_data<std::int64_t> const&, std::int64_t);

}  // namespace perf

#pragma once

#include <cub/version.cuh>

#include <string>

namespace perf::baseline {

inline std::string cub_version() {
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

}  // namespace perf::baseline

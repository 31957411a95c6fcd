#!/usr/bin/env bash
# Builds perf/order_sweep.cu for several numbers of lanes a tile and, where there is a GPU, runs them.
#   perf/order_sweep.sh BUILD_DIR [OUTPUT_DIR]        without OUTPUT_DIR: builds only
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(mkdir -p "$1" && cd "$1" && pwd)
output=${2:-}
arch=${PREDUCE_ARCH:-sm_90}
includes="-I$root/include -I$root/policies"

for source in errors planner tuning device_facts cuda/workspace cuda/pointers cuda/result_cell; do
  object=$build/$(basename "$source").o
  [ "$object" -nt "$root/src/$source.cpp" ] ||
    nvcc -O3 -std=c++20 -DPREDUCE_WITH_CUDA=1 $includes -c "$root/src/$source.cpp" -o "$object"
done
for lanes in ${PREDUCE_SWEEP_LANES:-1024 2048 4096 8192}; do
  program=$build/order_sweep_$lanes
  if [ ! "$program" -nt "$root/perf/order_sweep.cu" ]; then
    mkdir -p "$build/overlay_$lanes/preduce"
    sed "s/order_lanes = 4096;/order_lanes = $lanes;/" "$root/include/preduce/shape.hpp" >"$build/overlay_$lanes/preduce/shape.hpp"
    nvcc -O3 -std=c++20 -arch="$arch" --extended-lambda "-I$build/overlay_$lanes" $includes \
      "$root/perf/order_sweep.cu" "$build"/*.o -ldl -o "$program"
  fi
done
[ -n "$output" ] || exit 0
mkdir -p "$output"
for lanes in 4096 1024 2048 8192; do
  every=3
  [ "$lanes" = 4096 ] && every=1
  "$build/order_sweep_$lanes" "$output/order_sweep_$lanes.csv" 28 $every
done

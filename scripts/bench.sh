#!/usr/bin/env bash
# Builds and runs the benchmark: reduces data under every policy, checks the answers, and prints times, GB/s and the ratio
# to the baselines. Arguments go to the program (--help lists them). BUILD_DIR: where to build (build/bench).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/setup.sh

build=${BUILD_DIR:-build/bench}
jobs=${JOBS:-$(nproc)}

needed="$CXX:g++ cmake:cmake ninja:ninja-build CLI/CLI.hpp:libcli11-dev"
install_missing "$needed ccache:ccache"
require "$needed"
require_cmake
find_cuda

say "building in $build with $jobs jobs"
mkdir -p "$build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${CUDA_OPTIONS[@]}" -DPREDUCE_TESTS=OFF \
  -DPREDUCE_EXAMPLES=OFF -DPREDUCE_BENCHMARKS=ON >"$build/configure.log" 2>&1 ||
  { cat "$build/configure.log"; exit 1; }
targets=(preduce_bench)
[[ -z $NVCC ]] || targets+=(preduce_ladder)
cmake --build "$build" -j "$jobs" --target "${targets[@]}"

status=0
"$build/bin/preduce_bench" "$@" || status=$?
if [[ $# == 0 && -n $NVCC ]]; then
  say "the classic ladder"
  "$build/bin/preduce_ladder" || status=$?
fi
say_left_out
exit "$status"

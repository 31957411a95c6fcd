#!/usr/bin/env bash
# Builds and runs the benchmark: reduces data under every policy, checks the answers, and prints times, GB/s and the ratio
# to the baselines. Arguments go to the program (--help lists them). BUILD_DIR: where to build (build/bench).
# BENCH_CCCL: a newer CCCL than the toolkit's, to be timed beside it: the folder that holds cub/ and thrust/, or
# "download" for the newest that pip finds. COMMIT: what to write into the machine's file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/setup.sh

build=${BUILD_DIR:-build/bench}
jobs=${JOBS:-$(nproc)}
export COMMIT=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || true)}

needed="$CXX:g++ cmake:cmake ninja:ninja-build CLI/CLI.hpp:libcli11-dev benchmark/benchmark.h:libbenchmark-dev"
install_missing "$needed ccache:ccache tbb/tbb.h:libtbb-dev"
require "$needed"
require_cmake
find_cuda

download_cccl() {  # prints the folder
  local folder found
  mkdir -p "$build/cccl"
  folder=$(realpath "$build/cccl")
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$folder" nvidia-cuda-cccl >&2 || return 1
  # shellcheck disable=SC2012  # pip names its files
  python3 -m zipfile -e "$(ls -t "$folder"/*.whl | head -n 1)" "$folder" || return 1
  found=$(find "$folder" -path '*/cub/version.cuh' | head -n 1)
  [[ -n $found ]] && dirname "$(dirname "$found")"
}

cccl=${BENCH_CCCL:-}
if [[ $cccl == download ]]; then
  cccl=''
  if [[ -n $NVCC ]]; then cccl=$(download_cccl) || { cccl=''; LEFT_OUT+=("a newer CCCL: pip could not download nvidia-cuda-cccl"); }; fi
fi

say "building in $build with $jobs jobs"
mkdir -p "$build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${CUDA_OPTIONS[@]}" -DPREDUCE_TESTS=OFF \
  -DPREDUCE_EXAMPLES=OFF -DPREDUCE_BENCHMARKS=ON -DPREDUCE_BENCH_CCCL="$cccl" >"$build/configure.log" 2>&1 ||
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

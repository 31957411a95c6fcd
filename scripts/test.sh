#!/usr/bin/env bash
# Builds and runs all tests. Arguments go to ctest, e.g. -R functors. BUILD_DIR: where to build (build/test).
# CUDA_HOST_LEVEL: at which level nvcc's host compiler optimises (-O1).
# The last line is "N passed, N failed, N skipped": doctest cases, and one for each other CTest entry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/setup.sh

build=${BUILD_DIR:-build/test}
jobs=${JOBS:-$(nproc)}

give_up() {
  say_left_out
  say "$1"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
}

wanted="ccache:ccache CLI/CLI.hpp:libcli11-dev"
needed="$CXX:g++ cmake:cmake ninja:ninja-build doctest/doctest.h:doctest-dev"
install_missing "$needed $wanted"
{ require "$needed" && require_cmake; } || give_up "not built: see above"
find_cuda

say "configuring"
mkdir -p "$build"
# nvcc's level is its host compiler's alone: kernels are compiled the same at each. At -O3 the host compiler takes half of
# the time, for code that asks for kernels and compares their results.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${CUDA_OPTIONS[@]}" \
  -DCMAKE_CUDA_FLAGS_RELEASE="${CUDA_HOST_LEVEL:--O1} -DNDEBUG" -DPREDUCE_TESTS=ON -DPREDUCE_EXAMPLES=ON \
  -DPREDUCE_BENCHMARKS=OFF -DPREDUCE_WERROR="${PREDUCE_WERROR:-OFF}" >"$build/configure.log" 2>&1 ||
  { cat "$build/configure.log"; give_up "configuring failed"; }
grep 'preduce:' "$build/configure.log" | sed 's/^-- //' || true
while IFS= read -r reason; do
  LEFT_OUT+=("$reason")
done < <(sed -n 's/^-- preduce: left out: //p' "$build/configure.log")

say "building in $build with $jobs jobs"
cmake --build "$build" -j "$jobs" || give_up "the build failed"

say "testing"
rm -rf "$build/cases" "$build/tests.xml"
status=0
ctest --test-dir "$build" --output-on-failure -j "$jobs" --output-junit tests.xml "$@" || status=$?
say_left_out
scripts/count_tests.sh "$build" || exit 1
exit "$status"

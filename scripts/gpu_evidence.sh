#!/usr/bin/env bash
# Everything that only a GPU can show, on one: all tests, compute-sanitizer over a reduced run, the code checks, the
# benchmark, the ladder and the sweep of the order's constants.
#   scripts/gpu_evidence.sh OUTPUT_DIR [PART...]      parts: tests sanitizers code bench ladder sweep (default: all)
# BENCH_ARGUMENTS: of the benchmark, such as --all. BENCH_CCCL: the folder of a newer CCCL, to be timed too.
# OUTPUT_DIR then holds what perf/results/<gpu> keeps. Exit code 1 if any part failed.
set -uo pipefail
output=$(mkdir -p "$1" && cd "$1" && pwd)
shift
parts=${*:-tests sanitizers code bench ladder sweep}
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
source scripts/setup.sh
build=${BUILD_DIR:-build/gpu}
export COMMIT=${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
failed=0

wants() { [[ " $parts " == *" $1 "* ]]; }
report() {  # report NAME STATUS
  printf '%-28s %s\n' "$1" "$([[ $2 == 0 ]] && echo ok || echo "FAILED ($2)")" | tee -a "$output/summary.txt"
  [[ $2 == 0 ]] || failed=1
}

{
  echo "date      $(date -u +%Y-%m-%dT%H:%MZ)"
  echo "commit    $COMMIT"
  echo "command   scripts/gpu_evidence.sh OUTPUT_DIR $parts"
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem --format=csv,noheader | sed 's/^/gpu       /'
  echo "toolkit   $(nvcc --version | tail -n 1)"
  echo "compiler  $(g++ --version | head -n 1)"
  echo "cpu       $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) threads"
} | tee "$output/machine.txt" >"$output/summary.txt"

if wants tests; then
  BUILD_DIR=$build scripts/test.sh >"$output/tests.log" 2>&1
  report "tests" $?
  tail -n 1 "$output/tests.log" | tee -a "$output/summary.txt"
fi

if wants sanitizers; then
  # A reduced run of the GPU tests under each tool, one after another: side by side they slow each other down several
  # times. racecheck follows every shared access: the golden totals, which walk every policy and launch, are what it gets.
  declare -A cases=(
    [memcheck]='--test-case-exclude=*host policies*,*8 host threads*,*1000 asynchronous*,*no memory*,*pending error*,*ten thousand*'
    [synccheck]='--test-case-exclude=*host policies*,*8 host threads*,*1000 asynchronous*,*no memory*,*pending error*,*ten thousand*'
    [initcheck]='--test-case=*every size*,*every rung*,*any element*,*move whole*,*host result*'
    [racecheck]='--test-case=*golden totals*,*every rung sums*,*large object*'
  )
  for tool in memcheck synccheck racecheck initcheck; do
    PREDUCE_TEST_REDUCED=1 timeout "${SANITIZER_SECONDS:-300}" compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$build/bin/preduce_gpu_tests" "${cases[$tool]}" >"$output/$tool.log" 2>&1
    report "compute-sanitizer $tool" $?
    grep -hE "ERROR SUMMARY|RACECHECK SUMMARY|test cases:" "$output/$tool.log" | tee -a "$output/summary.txt"
  done
fi

if wants code; then
  perf/check_code.sh >"$output/code.log" 2>&1
  report "machine code" $?
  perf/compile_time.sh >"$output/compile_time.log" 2>&1
  report "compile time" $?
fi

if wants bench || wants ladder; then
  { [[ -x $build/bin/preduce_bench && -x $build/bin/preduce_ladder ]] ||
    { install_missing "CLI/CLI.hpp:libcli11-dev benchmark/benchmark.h:libbenchmark-dev tbb/tbb.h:libtbb-dev" &&
      cmake -B "$build" -DPREDUCE_BENCHMARKS=ON -DPREDUCE_BENCH_CCCL="${BENCH_CCCL:-}" &&
      cmake --build "$build" --target preduce_bench preduce_ladder; }; } \
    >"$output/bench_build.log" 2>&1
fi

if wants bench; then
  # shellcheck disable=SC2086  # several words
  "$build/bin/preduce_bench" ${BENCH_ARGUMENTS:-} --csv "$output/reduce.csv" >"$output/bench.log" 2>&1
  report "benchmark" $?
fi

if wants ladder; then
  "$build/bin/preduce_ladder" "$output/ladder.csv" >"$output/ladder.log" 2>&1
  report "ladder" $?
fi

if wants sweep; then
  perf/order_sweep.sh "$build/sweep" "$output" >"$output/order_sweep.log" 2>&1
  report "sweep of the order" $?
fi
exit "$failed"

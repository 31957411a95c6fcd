#!/usr/bin/env bash
# How long nvcc takes over a file with one float sum: with preduce, and with cub::DeviceReduce::Sum.
# compile_time.sh [--print-only] [--runs N] [--limit RATIO]
# Prints the medians of N alternated runs, in wall and in processor seconds, and their ratios; exit code 1 where the ratio
# of processor times is above the limit of 0.4: nvcc runs its steps one after another, so on an idle machine the two agree,
# and on a busy one only the processor's time is the compiler's own.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

print_only=no runs=7 limit=0.4
while [ $# -gt 0 ]; do
  case $1 in
    --print-only) print_only=yes ;;
    --runs) runs=$2; shift ;;
    --limit) limit=$2; shift ;;
    *) sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
  esac
  shift
done

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if ! [ -x "$nvcc" ]; then
  echo "compile_time: no nvcc on PATH; set NVCC" >&2
  exit 2
fi
# A compiler cache would be timed instead of the compiler.
export CCACHE_DISABLE=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/with_preduce.cu" <<'CODE'
#include <preduce/preduce.hpp>
float total(float const* data, std::int64_t n) { return preduce::reduce(preduce::two_pass, data, data + n); }
CODE
cat >"$work/with_cub.cu" <<'CODE'
#include <cub/device/device_reduce.cuh>
#include <cstdint>
cudaError_t total(void* storage, std::size_t& bytes, float const* data, float* result, std::int64_t n) {
  return cub::DeviceReduce::Sum(storage, bytes, data, result, n);
}
CODE

compile() { # compile NAME: appends "wall processor" in seconds to NAME.times
  local TIMEFORMAT='%R %U %S'
  { time "$nvcc" -O3 -std=c++20 -arch=sm_90 --extended-lambda -I"$root/include" -I"$root/policies" -c "$work/$1.cu" \
    -o "$work/$1.o" 2>&3; } 3>&2 2>"$work/time"
  awk '{ print $1, $2 + $3 }' "$work/time" >>"$work/$1.times"
}
median() { # median FILE COLUMN
  awk -v column="$2" '{ print $column }' "$1" | sort -n |
    awk '{ t[NR] = $1 } END { print NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}

compile with_preduce # headers into the page cache
compile with_cub
rm "$work"/*.times
for ((i = 0; i < runs; i++)); do
  if ((i % 2 == 0)); then order="with_preduce with_cub"; else order="with_cub with_preduce"; fi
  for name in $order; do compile "$name"; done
done

echo "$("$nvcc" --version | sed -n 's/.*\(release [^,]*, V.*\)/nvcc \1/p'), -O3 -std=c++20 -arch=sm_90 -c, median of $runs alternated runs"
awk -v limit="$limit" -v print_only=$print_only \
  -v wall="$(median "$work/with_preduce.times" 1)" -v cub_wall="$(median "$work/with_cub.times" 1)" \
  -v busy="$(median "$work/with_preduce.times" 2)" -v cub_busy="$(median "$work/with_cub.times" 2)" 'BEGIN {
  printf "%-32s %7s %10s\n", "seconds", "wall", "processor"
  printf "%-32s %7.2f %10.2f\n", "preduce::reduce(two_pass, ...)", wall, busy
  printf "%-32s %7.2f %10.2f\n", "cub::DeviceReduce::Sum", cub_wall, cub_busy
  printf "%-32s %7.2f %10.2f   (limit %s)\n", "ratio", wall / cub_wall, busy / cub_busy, limit
  exit print_only == "no" && busy / cub_busy > limit
}'

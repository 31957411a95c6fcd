#!/usr/bin/env bash
# What nvcc makes of float and double sums over pointers, under every GPU policy: no spills, and 16-byte loads in the hot
# loop, in PTX and, where cuobjdump is on PATH, in machine code.
# check_code.sh [SM]     the compute capability, 90 by default. Exit code 1 where a check fails.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
sm=${1:-90}

nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if ! [ -x "$nvcc" ]; then
  echo "check_code: no nvcc on PATH; set NVCC" >&2
  exit 2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/sums.cu" <<'CODE'
#include <preduce/preduce.hpp>
using namespace preduce;
float a(float const* data, std::int64_t n) { return reduce(two_pass, data, data + n); }
float b(float const* data, std::int64_t n) { return reduce(last_block, data, data + n); }
float e(float const* data, std::int64_t n) { return reduce(look_back, data, data + n); }
double c(double const* data, std::int64_t n) { return reduce(two_pass, data, data + n); }
double d(double const* data, std::int64_t n) { return reduce(last_block, data, data + n); }
double f(double const* data, std::int64_t n) { return reduce(look_back, data, data + n); }
CODE

options=(-O3 -std=c++20 --extended-lambda "-arch=sm_$sm" -I"$root/include" -I"$root/policies")
"$nvcc" "${options[@]}" -Xptxas -v -cubin "$work/sums.cu" -o "$work/sums.cubin" 2>"$work/ptxas" ||
  { cat "$work/ptxas" >&2; exit 1; }
"$nvcc" "${options[@]}" -ptx "$work/sums.cu" -o "$work/sums.ptx"

# "two_pass_first, float, aligned" from a mangled kernel name: the body stands behind run_body, the type and whether the
# data is known to be aligned in pointer_source.
names='
function kernel(mangled,    body, type) {
  if (!match(mangled, /run_bodyINS[0-9]*_[0-9]+[a-z_]+/)) return mangled
  body = substr(mangled, RSTART, RLENGTH)
  sub(/run_bodyINS[0-9]*_[0-9]+/, "", body)
  if (match(mangled, /Li[0-9]+ELi[0-9]+E/)) {  # fold_one_tile: warps and rows
    split(substr(mangled, RSTART, RLENGTH), number_of, /Li|ELi|E/)
    body = body " " number_of[2] "x" number_of[3]
  }
  type = mangled ~ /(pointer_source|store_value|plus)Id/ ? "double" : "float"
  return body ", " type (mangled ~ /6accessE1E/ ? ", aligned" : mangled ~ /6accessE3E/ ? ", one by one" : "")
}'

echo "$("$nvcc" --version | sed -n 's/.*\(release [^,]*, V.*\)/nvcc \1/p'), sm_$sm"
status=0

echo "registers and spills (ptxas -v):"
awk "$names"'
  /Compiling entry function/ { split($0, part, "\x27"); name = kernel(part[2]) }
  /bytes spill stores/ { frame = $1; stores = $5; loads = $9 }
  /Used [0-9]+ registers/ {
    match($0, /Used [0-9]+/)
    bad = stores + loads > 0
    printf "  %-7s %-36s %3d registers, %d bytes of stack, spilled %d stores, %d loads\n", bad ? "FAILED" : "ok", name,
           substr($0, RSTART + 5, RLENGTH - 5), frame, stores, loads
    failed = failed || bad
    ++kernels
  }
  END { if (kernels == 0) print "  FAILED  ptxas named no kernel"; exit failed || kernels == 0 }' "$work/ptxas" || status=1

# The kernels that read data known to be aligned are held to wide loads: elsewhere threads read what they own in pieces.
echo "16-byte loads in PTX:"
awk "$names"'
  / \.entry / || /^\.entry/ { match($0, /_Z[A-Za-z0-9_]*/); name = kernel(substr($0, RSTART, RLENGTH)); seen[name] = 0 }
  /ld\.global[a-z0-9.:_]*\.(v4\.[fbu]32|v2\.[fbu]64)/ { ++wide[name] }
  END {
    for (name in seen)
      if (name ~ /aligned/) {
        printf "  %-7s %-36s %d\n", wide[name] ? "ok" : "FAILED", name, wide[name]
        failed = failed || !wide[name]
        ++kernels
      }
    exit failed || kernels < 4
  }' "$work/sums.ptx" || status=1

# ThreadSanitizer sees the simulated kernels' memory orders, but knows nothing of CUDA's scopes: these are checked here.
echo "scopes and dependent launch in PTX:"
awk -v sm="$sm" "$names"'
  function demand(what, pattern) {
    if (body !~ pattern) { printf "  FAILED  %-36s lacks %s\n", name, what; failed = 1 }
    else printf "  ok      %-36s %s\n", name, what
  }
  # Whether a load can come before the wait for the previous kernel, on any path through the branches.
  function loads_early(    lines, count, i, at, top, stack, label, seen, part) {
    count = split(body, lines, "\n")
    for (i = 1; i <= count; i++) if (match(lines[i], /^\$[A-Za-z0-9_]+:/)) label[substr(lines[i], 1, RLENGTH - 1)] = i
    stack[top = 1] = 1
    while (top > 0) {
      for (at = stack[top--]; at <= count && !(at in seen); at++) {
        seen[at]
        if (lines[at] ~ /griddepcontrol\.wait/) break
        if (lines[at] ~ /ld\.global/) return 1
        if (match(lines[at], /bra(\.uni)?[ \t]+\$[A-Za-z0-9_]+/)) {
          split(substr(lines[at], RSTART, RLENGTH), part, /[ \t]+/)
          stack[++top] = label[part[2]]
          if (lines[at] !~ /@/) break
        }
        if (lines[at] ~ /^[ \t]*ret;/) break
      }
    }
    return 0
  }
  function finish() {
    if (name ~ /last_block_body/) demand("a ticket that acquires and releases at gpu scope", "atom\\.acq_rel\\.gpu\\.global\\.inc")
    if (name ~ /look_back_body/) {
      demand("partials that are announced in whole words", "st\\.relaxed\\.gpu\\.global\\.u64")
      demand("and watched so", "ld\\.relaxed\\.gpu\\.global\\.v2\\.u64")
    }
    if (name ~ /last_block_body|look_back_body|second|one_tile|only_unit/) demand("a flag that is released at system scope", "st\\.release\\.sys\\.global")
    if (name ~ /first|second|one_tile|only_unit|last_block_body|look_back_body/ && sm >= 90) {
      demand("a wait for the previous kernel", "griddepcontrol\\.wait")
      if (loads_early()) { print "  FAILED  " name " loads before it waits"; failed = 1 }
    }
  }
  / \.entry / || /^\.entry/ { finish(); match($0, /_Z[A-Za-z0-9_]*/); name = kernel(substr($0, RSTART, RLENGTH)); body = "" }
  { body = body "\n" $0 }
  END { finish(); exit failed }' "$work/sums.ptx" || status=1

if ! command -v cuobjdump >/dev/null; then
  echo "machine code: skipped, cuobjdump is not on PATH"
  exit $status
fi

# The hot loop: an innermost loop (a backward branch with no other inside) that loads 16 bytes at least four times and
# nothing narrower.
echo "LDG.E.128 in the hot loop (cuobjdump -sass):"
cuobjdump -sass "$work/sums.cubin" | awk "$names"'
  function number(hex,    i, value) {
    for (i = 1; i <= length(hex); i++) value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return value
  }
  function finish() {
    if (name !~ /(first|last_block_body|look_back_body).*aligned/) return
    printf "  %-7s %-36s %d\n", (best >= 4 ? "ok" : "FAILED"), name, best
    failed = failed || (best < 4)
    ++kernels
  }
  /Function :/ { finish(); name = kernel($NF); count = 0; best = 0; closed = -1 }
  /^ +\/\*[0-9a-f]+\*\/ / {
    match($0, /[0-9a-f]+/)
    address = number(substr($0, RSTART, RLENGTH))
    if (/LDG\.|LD\.E/) { where[++count] = address; wide[count] = /LDG\.E\.128/ ? 1 : 0 }
    if (match($0, /BRA[^;]* 0x[0-9a-f]+ *;/)) {
      text = substr($0, RSTART, RLENGTH)
      match(text, /0x[0-9a-f]+/)
      target = number(substr(text, RSTART + 2, RLENGTH - 2))
      if (target < address) {
        if (closed < target) {
          found = 0
          for (i = count; i >= 1 && where[i] >= target; i--) found = wide[i] && found >= 0 ? found + 1 : -1
          if (found > best) best = found
        }
        closed = address
      }
    }
  }
  END { finish(); exit failed || kernels < 4 }' || status=1
exit $status

#!/usr/bin/env bash
# check.sh FILE_SUM: runs the program on files with known content, on each kind of file that it must refuse, and on a real
# file. Expected sums come from od and awk, which know nothing of preduce. Prints one line a check; fails if one fails.
set -uo pipefail

program=$1
real_file=$1 # the program's own binary: real bytes, of no convenient length
work=$(mktemp -d)
trap 'chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1

failed=0
passed=0
skipped=0

verdict() { # verdict NAME OK
  if [ "$2" = yes ]; then
    passed=$((passed + 1))
    echo "ok      $1"
  else
    failed=$((failed + 1))
    echo "FAILED  $1"
    sed 's/^/        | /' out err
  fi
}

run() { "$program" "$@" >out 2>err; } # the exit code is the caller's to look at

# gives NAME VALUE BITS ARGS...: exit code 0, all policies with that value (and bits, unless "any"), which agree.
gives() {
  local name=$1 value=$2 bits=$3 ok=yes policy
  shift 3
  run "$@" || ok=no
  for policy in serial openmp single_thread two_pass grid_sync last_block look_back automatic; do
    awk -v policy="$policy" -v value="$value" -v bits="$bits" '
      $1 == policy && $NF == value && (bits == "any" || $(NF - 1) == bits) { found = 1 }
      END { exit !found }' out || ok=no
  done
  grep -q '^the bits agree across 8 policies$' out || ok=no
  [ -s err ] && ok=no
  verdict "$name" $ok
}

# refuses NAME PATTERN ARGS...: exit code 1, nothing on stdout, one line on stderr that matches.
refuses() {
  local name=$1 pattern=$2 ok=yes code
  shift 2
  run "$@"
  code=$?
  [ "$code" = 1 ] || ok=no
  [ -s out ] && ok=no
  [ "$(wc -l <err)" = 1 ] || ok=no
  grep -q "^file_sum: .*$pattern" err || ok=no
  verdict "$name" $ok
}

# little_endian BYTES VALUE...: unsigned integers, low byte first.
little_endian() {
  local bytes=$1 value i
  shift
  for value in "$@"; do
    for ((i = 0; i < bytes; i++)); do
      printf "\\x$(printf %02x $(((value >> (8 * i)) & 255)))"
    done
  done
}

# sum_with_od OD_TYPE FILE: the sum in awk's double, exact for integers below 2^53.
sum_with_od() { od -An -v -t "$1" "$2" | awk '{ for (i = 1; i <= NF; i++) total += $i } END { printf "%.0f", total }'; }

# -- Known content ---------------------------------------------------------------------------------------------------
little_endian 4 $((0x3fc00000)) $((0x40100000)) $((0xbf400000)) $((0x42c80000)) >four.f32 # 1.5, 2.25, -0.75, 100
gives "f32 sum of 1.5 2.25 -0.75 100" 103 0x42ce0000 four.f32 --type f32
gives "f32 min" -0.75 0xbf400000 four.f32 --type f32 --op min
gives "f32 max" 100 0x42c80000 four.f32 --op max
little_endian 8 $((0x3ff8000000000000)) $((0x4059000000000000)) >two.f64 # 1.5, 100
gives "f64 sum of 1.5 100" 101.5 0x4059600000000000 two.f64 --type f64
printf '\x80\x80\x7f\x01' >four.i8 # -128 -128 127 1
gives "i8 sum keeps 64 bits" -128 0xffffffffffffff80 four.i8 --type i8
gives "i8 min" -128 0x80 four.i8 --type i8 --op min
gives "i8 max" 127 0x7f four.i8 --type i8 --op max
gives "u8 sum of the same bytes" 384 0x0000000000000180 four.i8 --type u8
gives "u8 max" 128 0x80 four.i8 --type u8 --op max
little_endian 4 2147483647 2147483647 2147483647 >three.i32
gives "i32 sum keeps 64 bits" 6442450941 0x000000017ffffffd three.i32 --type i32
little_endian 8 -5 7 -9 >three.i64
gives "i64 sum of -5 7 -9" -7 0xfffffffffffffff9 three.i64 --type i64
gives "i64 min" -9 any three.i64 --type i64 --op min
little_endian 4 $((0x3f800000)) $((0x7fc00001)) >nan.f32 # a NaN with a payload
gives "NaN becomes the canonical one in a sum" nan 0x7fc00000 nan.f32
gives "NaN propagates in a minimum" nan 0x7fc00000 nan.f32 --op min

ok=no
run four.f32 --policy serial && grep -Eq '^serial .*0x42ce0000 +103$' out && grep -q 'nothing to compare' out &&
  [ "$(grep -c 0x out)" = 1 ] && ok=yes
verdict "one policy runs alone" $ok

for rung in atomic block_tree_interleaved_modulo block_tree_last_warp warp_shuffle_two_stages warp_shuffle; do
  ok=no
  run four.f32 --policy $rung && grep -Eq "^$rung .*0x42ce0000 +103$" out && [ "$(grep -c 0x out)" = 1 ] && ok=yes
  verdict "$rung, a rung of the ladder, by its name" $ok
done
refuses "a rung for a type that has none" "atomic is a rung of the ladder, compiled for sums of f32 and i32" four.f32 \
  --type f64 --policy atomic
refuses "a rung for an operator that has none" "compiled for sums of f32 and i32" four.f32 --op min --policy atomic

# -- Files to refuse -------------------------------------------------------------------------------------------------
refuses "a missing file" "'nowhere': No such file" nowhere
: >empty
refuses "an empty file" "'empty': it is empty" empty
refuses "a directory" "it is a directory" .
mkfifo pipe
refuses "a pipe" "no regular file" pipe
printf 12345 >five
refuses "a size that is no multiple of the type" "'five' has 5 bytes, which is no multiple of 8, the size of f64" five --type f64
gives "the same file as u8" 255 any five --type u8
cp four.f32 secret
chmod 000 secret
if [ "$(id -u)" != 0 ]; then
  refuses "an unreadable file" "'secret': Permission denied" secret
elif chmod 755 . && setpriv --reuid=65534 --clear-groups "$program" --help >/dev/null 2>&1; then
  root_program=$program # root reads everything: become nobody
  as_nobody() { setpriv --reuid=65534 --clear-groups "$root_program" "$@"; }
  program=as_nobody
  refuses "an unreadable file" "'secret': Permission denied" secret
  program=$root_program
else
  skipped=$((skipped + 1))
  echo "skipped an unreadable file: root reads everything, and nobody cannot run the program here"
fi

usage_error() {
  run "$@"
  local code=$?
  [ $code -gt 1 ] && [ -s err ] && echo yes || echo no
}
verdict "no file named" "$(usage_error)"
verdict "an unknown type" "$(usage_error four.f32 --type f16)"
verdict "an unknown policy" "$(usage_error four.f32 --policy fastest)"

# -- Real and larger files -------------------------------------------------------------------------------------------
# The simulated machine is slow: some 100 kB keep the test short, and are still several tiles of the canonical order.
head -c 300001 "$real_file" >real
gives "300001 bytes of a real file as u8" "$(sum_with_od u1 real)" any real --type u8
gives "the same bytes as i8" "$(sum_with_od d1 real)" any real --type i8
head -c 300000 "$real_file" >real
gives "300000 bytes of a real file as i32" "$(sum_with_od d4 real)" any real --type i32

run "$real_file" --type u8 --policy serial
serial=$(awk '$1 == "serial" { print $NF }' out)
run "$real_file" --type u8 --policy openmp
openmp=$(awk '$1 == "openmp" { print $NF }' out)
whole=$(sum_with_od u1 "$real_file")
verdict "the program's own binary as u8 ($whole)" "$([ "$serial" = "$whole" ] && [ "$openmp" = "$whole" ] && echo yes || echo no)"

# Floats whose sum depends on the order: exponents over 2^30, signs of both kinds.
printf "$(awk 'BEGIN {
  state = 12345
  for (i = 0; i < 50000; i++) {
    state = (state * 1103515245 + 12345) % 2147483648
    high = int(state / 65536) % 32768
    state = (state * 1103515245 + 12345) % 2147483648
    low = int(state / 65536) % 32768
    printf "\\x%02x\\x%02x\\x%02x\\x%02x", low % 256, high % 256, 128 * (high % 2) + low % 128,
           128 * (low % 2) + 48 + high % 16
  }
}')" >mixed.f32
run mixed.f32
code=$?
close=$(od -An -v -t f4 mixed.f32 | awk -v got="$(awk '$1 == "serial" { print $NF }' out)" '
  { for (i = 1; i <= NF; i++) { total += $i; magnitude += $i < 0 ? -$i : $i } }
  END { off = total - got; print (off < 0 ? -off : off) <= 1e-5 * magnitude ? "yes" : "no" }')
verdict "50000 floats of mixed size and sign agree under every policy" \
  "$([ $code = 0 ] && grep -q '^the bits agree across 8' out && echo "$close" || echo no)"

echo "file_sum: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]

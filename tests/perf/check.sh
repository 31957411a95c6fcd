#!/usr/bin/env bash
# check.sh PREDUCE_BENCH: a short run checks its results, writes its files as documented, and says what it left out;
# mistakes on the command line are named. No figure is looked at.
set -uo pipefail

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

expect() { # expect NAME COMMAND...: the command must succeed
  local name=$1
  shift
  if "$@"; then echo "ok      $name"; else echo "FAILED  $name"; sed 's/^/        | /' out err; failed=1; fi
}
refuses() { # refuses NAME WORDS...: the command line must be refused, with a reason
  local name=$1
  shift
  "$program" "$@" >out 2>err
  expect "$name is refused" test $? != 0 -a -s err
}

"$program" --help >out 2>err
expect "--help" test $? = 0
expect "--help names the cases" grep -q 'P1,P2,P2b,P3.*P12' out

"$program" --list >out 2>err
expect "--list" test $? = 0
expect "--list gives case/op/type/source/n/mode/cache/policy" grep -qx 'P2/sum/f32/pointer/65536/graph/hot/automatic' out
expect "no two configurations have one name" test -z "$(sort out | uniq -d)"
chosen=$(wc -l <out)
"$program" --list --all >out 2>err
expect "--all has more" test "$(wc -l <out)" -gt "$chosen"
expect "nor with --all" test -z "$(sort out | uniq -d)"
"$program" --list --cases P6 --ops min --types i8 --modes graph --sizes 2^20 >out 2>err
expect "filters leave what they name" test "$(cat out)" = "P6/min/i8/pointer/1048576/graph/hot/automatic"

"$program" --list --sizes 100,100 >out 2>err
expect "--sizes are case reduce's own, each once" grep -qx 'reduce/sum/f32/pointer/100/cpu/hot/serial' out
expect "and nothing else's" test "$(grep -vc '^reduce/sum/' out)" = 0 -a -z "$(sort out | uniq -d)"
mv out grid
"$program" --list --cases reduce --sizes 100 >out 2>err
expect "also where the case is named" cmp grid out
"$program" --list --cases P12,reduce --types f32 --sizes 100,2^16 >out 2>err
expect "beside another case of which sizes choose" test "$(grep -v '^reduce/' out | cut -d/ -f1,5 | sort -u)" = P12/65536
expect "whose rows are kept" grep -qx 'reduce/sum/f32/pointer/100/cpu/hot/openmp' out

COMMIT=abc123 "$program" --sizes 1,1000,3*10^3 --pairs 3 --ops sum,min,max --modes cpu,simt --csv rows.csv >out 2>err
expect "a short run" test $? = 0
expect "no case failed" grep -Eq '^[1-9][0-9]* cases measured, 0 failed$' out
expect "the header names the machine" grep -Eq '^host: +[^ ]' out
expect "and the command" grep -Fq 'preduce_bench --sizes 1,1000,3*10^3' out
expect "the table has a line a configuration" grep -q '^reduce/sum/f32/pointer/1000/cpu/hot/openmp' out

header=case,op,input_type,accum_type,source,n,mode,cache,policy,preduce_us,baseline,baseline_version,baseline_us,ratio,gbps
expect "the CSV's columns" test "$(head -1 rows.csv)" = "$header"
expect "every row has fifteen fields and a time" awk -F, 'NF != 15 || (NR > 1 && $10 <= 0) { exit 1 }' rows.csv
policies="automatic serial openmp"
grep -q '^driver: ' out || policies+=" two_pass grid_sync last_block look_back"  # else the simulated machine has nothing to add
for policy in $policies; do
  expect "$policy is measured for each of 4 types, 3 operations, 3 sizes" \
    awk -F, -v policy=$policy '$9 == policy { seen[$2 $3 $6] } END { for (i in seen) ++n; exit n != 36 }' rows.csv
done
header=case,op,input_type,source,n,mode,cache,policy,baseline,baseline_version,pairs,ratio_low,ratio_high,us_low,us_high
expect "the columns of the spread" test "$(head -1 rows.spread.csv)" = "$header"
expect "a row of spread for each" test "$(wc -l <rows.spread.csv)" = "$(wc -l <rows.csv)"
keys() { cut -d, -f"$2" "$1"; }
expect "of the same configuration and baseline" cmp <(keys rows.csv 1-3,5-9,11,12) <(keys rows.spread.csv 1-10)
expect "every row of spread has fifteen fields, and the pairs asked for" \
  awk -F, 'NF != 15 || (NR > 1 && $11 != 3) { exit 1 }' rows.spread.csv
paste -d, rows.csv rows.spread.csv >both.csv # the intervals of ratio and time are fields 27 to 30
expect "every median lies in its interval" awk -F, '
  function within(median, low, high) { return low <= median && median <= high }
  NR == 1 { next }
  within($10, $29, $30) && ($11 == "" ? $14 $27 $28 == "" : within($14, $27, $28)) { ++inside }
  END { exit NR < 2 || inside != NR - 1 }' both.csv
expect "the machine's file names the commit" grep -q '^  "commit": "abc123",$' rows.json
if command -v python3 >/dev/null; then expect "and is JSON" python3 -m json.tool rows.json /dev/null; fi

"$program" --sizes 64 --modes cpu --types f32 --pairs 3 --csv plain >out 2>err
expect "--csv writes PATH.csv, also for a PATH without the ending" test "$(echo plain*)" = "plain.csv plain.json plain.spread.csv"
"$program" --help >out 2>err
expect "and says so" grep -Eq -- '--csv PATH\[\.csv\] +also write PATH.csv, PATH.spread.csv and PATH.json' out

"$program" --cases P12 --types f32 --sizes 2^12,2^16 --all --pairs 3 --csv host.csv >out 2>err
expect "a run of a target" test $? = 0
expect "beside loops" grep -q '^P12,sum,f32,f32,pointer,65536,cpu,hot,openmp,.*,omp_parallel_simd,' host.csv
expect "and with functors" grep -q '^P12,dot,f32,f32,functor,65536,cpu,hot,serial,.*,omp_simd,' host.csv

"$program" --sizes 1000 --modes cpu --types f32 --pairs 3 -- --benchmark_filter=openmp --benchmark_out=table.json >out 2>err
expect "Google Benchmark's own options pass" grep -q '"iterations": 3' table.json
expect "and its filter" test "$(grep -c '"run_name"' table.json)" = 1

finds_nothing() { # finds_nothing FILTERS WORDS...: exit code 1, and one sentence that names the filters; no case was measured
  local filters=$1
  shift
  "$program" "$@" >out 2>err
  local status=$?
  expect "$* finds nothing" test $status = 1
  expect "and names what it looked for" test "$(grep '^preduce_bench: no configuration' err)" = "preduce_bench: no configuration $filters"
}
finds_nothing "matches --cases P1 --types bf16" --cases P1 --types bfloat16 --csv none.csv
expect "and leaves no files" test ! -e none.csv
finds_nothing "matches --sizes 65537,70000 --modes simt" --modes simt --sizes 65537,70000
finds_nothing "matches --ops dot --policies openmp --sources zip --cache cold" \
  --cache cold --sources zip --policies openmp --ops dot --all
finds_nothing "matches --sizes 1048576 --cases P9; with --all there are some" --sizes 2^20 --cases P9
finds_nothing "matches --cases P1 --types bf16" --list --cases P1 --types bf16
finds_nothing "that can run here matches --sizes 1000 --modes cpu -- --benchmark_filter=nothing" \
  --sizes 1000 --modes cpu -- --benchmark_filter=nothing
BENCHMARK_FILTER=nothing finds_nothing "that can run here matches --sizes 1000 --modes cpu BENCHMARK_FILTER" --sizes 1000 --modes cpu

refuses "a size above 2^63 - 1" --sizes 2^64
refuses "an unknown type" --types float128
refuses "an unknown case" --cases P99
refuses "an unknown option of Google Benchmark's" --sizes 1000 --modes cpu -- --benchmark_colour
"$program" --sizes 1000 --modes cpu --csv nowhere/rows.csv >out 2>err
expect "a CSV that cannot be written is named" grep -q 'cannot write nowhere/rows.csv' err

exit $failed

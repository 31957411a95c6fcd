#!/usr/bin/env bash
# check.sh PREDUCE_BENCH: a short run checks its results, writes its CSV as documented, and says what it left out; mistakes
# on the command line are named. No figure is looked at.
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

"$program" --sizes 1,1000,3*10^3 --pairs 3 --ops sum,min,max --csv rows.csv >out 2>err
expect "a short run" test $? = 0
expect "no case failed" grep -Eq '^[1-9][0-9]* cases measured, 0 failed$' out
expect "the header names the machine" grep -Eq '^host: +[^ ]' out
expect "and the command" grep -Fq 'preduce_bench --sizes 1,1000,3*10^3' out

header=case,op,input_type,accum_type,source,n,mode,cache,policy,preduce_us,baseline,baseline_version,baseline_us,ratio,gbps
expect "the CSV's columns" test "$(head -1 rows.csv)" = "$header"
expect "every row has fifteen fields and a time" awk -F, 'NF != 15 || (NR > 1 && $10 <= 0) { exit 1 }' rows.csv
for policy in automatic serial openmp two_pass grid_sync last_block; do
  expect "$policy is measured for each of 4 types, 3 operations, 3 sizes" \
    awk -F, -v policy=$policy '$9 == policy { seen[$2 $3 $6] } END { for (i in seen) ++n; exit n != 36 }' rows.csv
done

"$program" --sizes 2^64 >out 2>err
expect "a size above 2^63 - 1 is refused" test $? != 0 -a -s err
"$program" --types float16 >out 2>err
expect "an unknown type is refused" test $? != 0 -a -s err
"$program" --sizes 1000 --modes cpu --csv nowhere/rows.csv >out 2>err
expect "a CSV that cannot be written is named" grep -q 'cannot write nowhere/rows.csv' err

exit $failed

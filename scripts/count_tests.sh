#!/usr/bin/env bash
# count_tests.sh BUILD: prints "N passed, N failed, N skipped" for the last ctest run in BUILD, from ctest's tests.xml and
# the test programs' cases/*.tsv (tests/support/case_log.cpp). Names what was skipped or failed before it.
set -euo pipefail
build=$1

if [[ ! -s $build/tests.xml ]]; then
  echo "ctest left no $build/tests.xml"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi

shopt -s nullglob
awk -F '\t' '
  FILENAME ~ /\.tsv$/ {  # a case that one run left out and another ran was not skipped
    if (FNR == 1) { entry = FILENAME; sub(/.*\//, "", entry); sub(/\.tsv$/, "", entry) }
    program = entry; sub(/\..*/, "", program)
    has_cases[entry] = 1
    if ($1 == "failed") has_failed[entry] = 1
    id = program "\t" $3 "\t" $4
    if (rank($1) > rank(outcome[id])) outcome[id] = $1
    next
  }
  /<testcase / {
    name = $0; sub(/.*<testcase name="/, "", name); sub(/".*/, "", name)
    result = /status="run"/ ? "passed" : "failed"
    skips = /status="(notrun|disabled)"/
  }
  /<skipped / && skips && /SKIP_(RETURN_CODE|REGULAR_EXPRESSION)|Disabled/ { result = "skipped" }  # else it could not start
  /<\/testcase>/ {
    if (!(name in has_cases)) entries[name] = result
    else if (result == "failed" && !(name in has_failed)) entries[name " (ended early)"] = result
  }
  function rank(word) { return word == "failed" ? 3 : word == "passed" ? 2 : word == "skipped" ? 1 : 0 }
  END {
    for (id in outcome) { ++count[outcome[id]]; split(id, part, "\t"); list(outcome[id], part[1] ": " part[2]) }
    for (name in entries) { ++count[entries[name]]; list(entries[name], name) }
    close("sort")  # so that the count is the last line
    printf "%d passed, %d failed, %d skipped\n", count["passed"], count["failed"], count["skipped"]
    exit count["failed"] > 0
  }
  function list(word, name) { if (word != "passed") print word ": " name | "sort" }
' "$build"/cases/*.tsv "$build/tests.xml"

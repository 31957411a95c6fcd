#!/usr/bin/env bash
# The table of docs/ladder.md from a ladder's csv.      perf/ladder_table.sh perf/results/h200/ladder.csv
set -euo pipefail
awk -F, '
NR > 1 {
  if (!($1 in seen)) { order[++rungs] = $1; seen[$1] = 1 }
  us[$1, $2] = $3
  if ($2 == 33554432) { share[$1] = $5; faster[$1] = $6 }
}
function short(x) { return x >= 1000 ? sprintf("%.0f", x) : x >= 100 ? sprintf("%.1f", x) : sprintf("%.2f", x) }
END {
  print "| rung | 1024 | 40960 | 10^7 | 2^25 | of the memory'"'"'s rated bandwidth | over one thread |"
  print "| --- | --- | --- | --- | --- | --- | --- |"
  for (r = 1; r <= rungs; ++r) {
    name = order[r]
    printf "| `%s` | %s | %s | %s | %s | %.1f%% | %.0f |\n", name, short(us[name, 1024]), short(us[name, 40960]), \
      short(us[name, 10000000]), short(us[name, 33554432]), 100 * share[name], faster[name]
  }
}' "$1"

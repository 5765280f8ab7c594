#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/causes.sh [--tier quick|full] [--shard I/N] [--once] [--touchstone PROGRAM] [--rows FILE]
#                 [OPERATOR|OPERATOR:FAULT...]
#
# Does the report find one cause for one fault? Runs every fault of the backend faulty in each operator, or in those that
# are named, by the tier (quick, the default, takes about a second for each; full takes half a minute to several), or by
# part I of N of each test (full, 1/20: 1 to 15 seconds). Judges the causes that the report states: at most three, the
# query of the first one holds at least 99 % of the failing cases, and at most 1 % of the cases that it holds do not
# fail. Prints a line for each class of faults and the exceptions, and writes all rows to FILE (default: causes.csv).
# Faults that end the process and gap-write, which no clause forbids, are left out.
#
# All of tier full takes hours. --once takes each fault in one operator only. The order is random and always the same,
# so that what an interrupted measurement has measured is a fair sample; it goes on where FILE ends. A row of what the
# tier does not find has `not found`, and one whose run takes more than four minutes, because each failing case ends a
# worker, `too slow`.
#
# PROGRAM is an installed touchstone (default: the one in the PATH).
#
# Exit status: 0 everything was measured, whatever came of it; other: a measurement failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"

tier=quick
most=240 # seconds for one run
shard=()
program=touchstone
rows=causes.csv
once=false
wanted=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        print_help
        exit 0
        ;;
    --tier | --shard | --touchstone | --rows)
        [ $# -gt 1 ] || die 64 "$1 needs a value"
        case $1 in --tier) tier=$2 ;; --shard) shard=(--shard "$2") ;; --touchstone) program=$2 ;; *) rows=$2 ;; esac
        shift
        ;;
    --once) once=true ;;
    -*) die 64 "unexpected argument '$1'" ;;
    *) wanted+=("$1") ;;
    esac
    shift
done
[[ $tier =~ ^(quick|full)$ ]] || die 64 "--tier $tier: expected quick or full"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=$(dirname "$0")/../json-check.lua

computed=$("$program" list --count '*:examples' | sed -n 's/^ *[0-9]*  *\(.*\):examples *$/\1/p' | paste -sd ' ')

# A line "OPERATOR FAULT CLASS" for each: `fault=NAME  dml.slice1 dml.gather: ... [CLASS]`, or `all operators but ...`.
"$program" backends -v | awk -v computed="$computed" '
    BEGIN { count = split(computed, all, " ") }
    /^[^ ]/ { faulty = $1 == "faulty" }
    faulty && /^ *fault=[a-z0-9-]+ .*\[[a-z]+\]$/ && !/fault=(process-|gap-write)/ {
        fault = $1; sub(/.*=/, "", fault); class = $NF; gsub(/[][]/, "", class)
        operators = $0; sub(/^ *fault=[a-z0-9-]+ */, "", operators); sub(/:.*/, "", operators)
        most = operators ~ /^all operators/
        for (i = 1; i <= count; ++i)
            if ((index(" " operators " ", " " all[i] " ") > 0) != most) print all[i], fault, class }' |
    while read -r line; do
        echo "$(md5sum <<<"$line") $line"
    done | sort | cut -d ' ' -f 4- |
    awk -v once=$once -v list="${wanted[*]}" '
        BEGIN { n = split(list, names, " "); for (i = 1; i <= n; ++i) wanted[names[i]] = 1 }
        (n == 0 || $1 in wanted || $1 ":" $2 in wanted) && (once == "false" || !seen[$2]++)' >"$work/faults"

judge='(function()
  local all, first = 0, r.causes[1]
  for _, c in ipairs(r.causes) do all = all + c.cases end
  if not first then return print("0,0,0,0,none,") or true end
  local held = first.cases - first.missed
  local inside, others = held / all, held > 0 and first.others / (held + first.others) or 1
  local good = #r.causes <= 3 and inside >= 0.99 and others <= 0.01
  print(("%d,%d,%.4f,%.4f,%s,%s"):format(#r.causes, all, inside, others, good and "yes" or "no",
        (table.concat(first.queries, "; "):gsub(",", " "))))
  return true
end)()'
header='operator,fault,class,causes,failing,inside,others,one,query'
[ -s "$rows" ] || echo "$header" >"$rows"
[ "$(head -n 1 "$rows")" = "$header" ] || die 64 "--rows $rows: expected a file that begins with the line $header"
while read -r operator fault class; do
    ! grep -q "^$operator,$fault,$class," "$rows" || continue
    status=0
    timeout -k 30 "$most" "$program" run -q -b faulty --backend-opt "fault=$fault" "$operator" --tier "$tier" "${shard[@]}" --shrink 0 \
        --max-findings 3 -o "$work/a.run" >/dev/null || status=$?
    rm -f "$work/a.json"
    if [ "$status" = 124 ] || [ "$status" = 137 ]; then
        echo "$operator,$fault,$class,0,0,0,0,too slow," >>"$rows"
        rm -f "$work/a.run"
        continue
    fi
    [ "$status" -le 1 ] || die 1 "$operator, fault=$fault: the run ended with status $status"
    if [ "$status" = 1 ]; then
        "$program" report "$work/a.run" --json "$work/a.json"
        line=$("$program" lua "$check" "$work/a.json" "$judge")
        echo "$operator,$fault,$class,$line" >>"$rows"
    else
        echo "$operator,$fault,$class,0,0,0,0,not found," >>"$rows"
    fi
    rm -f "$work/a.run"
done <"$work/faults"

awk -F , 'NR > 1 && $8 != "not found" && $8 != "too slow" { all[$3]++; sum++; if ($8 == "yes") { good[$3]++; held++ } }
    END { for (c in all) printf "%-12s %4d found, %4d one cause\n", c, all[c], good[c]
          if (sum) printf "%-12s %4d found, %4d one cause (%.0f %%)\n", "all", sum, held, 100 * held / sum }' "$rows" | sort
echo 'exceptions (operator, fault, failing cases, inside, others, query):'
awk -F , 'NR > 1 && $8 == "no" { printf "  %s %s %d %.3f %.3f %s\n", $1, $2, $5, $6, $7, $9 }' "$rows"

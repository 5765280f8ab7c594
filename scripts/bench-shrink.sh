#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How small do failing drawn cases become, and after how many executions? For every fault of the backend `faulty` that
# a few seconds of drawn tests find, the first failing cases are shrunk.
#
#   bash scripts/bench-shrink.sh TOUCHSTONE [SECONDS [CASES]]
#
# SECONDS (default 3) of drawn tests per fault, at most CASES (default 3) of its findings. Prints one line a case, and
# then the median and the worst over all. Needs jq.
set -uo pipefail
touchstone=${1:?expected the program, such as build/bin/touchstone}
seconds=${2:-3}
cases=${3:-3}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

printf '%-22s %-18s %12s %9s %6s  %s\n' fault verdict elements rank axes executions
"$touchstone" backends -v | sed -n 's/^ *fault=\([a-z0-9-]*\)  .*/\1/p' | grep -v '^none$' | while read -r fault; do
    run=$work/run
    rm -f "$run"
    "$touchstone" run -q -b faulty --backend-opt "fault=$fault" --tier full --budget "${seconds}s" --time-limit 200ms \
        --max-findings 1 --shrink 0 '*:drawn*' -o "$run" >/dev/null 2>&1
    [ -f "$run" ] || continue
    "$touchstone" report "$run" --json "$work/run.json" >/dev/null 2>&1 || continue
    jq -r '.findings[].case' "$work/run.json" | head -n "$cases" | while read -r id; do
        "$touchstone" shrink "$id" -b faulty --backend-opt "fault=$fault" --time-limit 200ms --json \
            >"$work/case.json" 2>/dev/null || continue
        jq -r --arg fault "$fault" '[$fault, .verdict, .of.elements, .size.elements, .of.dimensions, .size.dimensions,
            .of.axes, .size.axes, .executions, .shrunk] | @tsv' "$work/case.json"
    done
done | tee "$work/all" | awk -F'\t' '{ printf "%-22s %-18s %7d>%4d %5d>%3d %3d>%2d  %6d  %s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10; fflush() }'

median() { cut -f"$1" "$work/all" | sort -n | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }
worst() { cut -f"$1" "$work/all" | sort -n | tail -n 1; }
printf '%s cases of %s faults\n' "$(wc -l <"$work/all")" "$(cut -f1 "$work/all" | sort -u | wc -l)"
for column in 3:elements 4:'elements when shrunk' 5:dimensions 6:'dimensions when shrunk' 7:axes \
    8:'axes when shrunk' 9:executions; do
    printf '  %-24s median %8s, worst %s\n' "${column#*:}" "$(median "${column%%:*}")" "$(worst "${column%%:*}")"
done

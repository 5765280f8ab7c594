#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# storm.sh [CASES]
#
# Runs about CASES cases (default 10000000; at least 10000) on the backend `faulty` while one case in a hundred crashes,
# one hangs, one leaks memory and one writes outside of its buffers. Checks that exactly these cases fail and measures
# the time. Another run, in which the same cases only write outside of their buffers, shows which cases these are.
# Prints the expected numbers and one line per run. Variables:
#
#   JOBS        number of workers (default: four per core, because a worker with a hung case only waits)
#   LIMIT       time limit of a case (default 10ms, many times what these cases take)
#   KEEP        a folder in which to keep both run files
#   TOUCHSTONE  the program (default: touchstone in the PATH)
#
# Exit status: 0 exactly the planted cases failed; 1 otherwise; 3 a run failed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
esac
[ $# -le 1 ] || die 64 "expected at most one argument, the number of cases"
cases=${1:-10000000}
case $cases in '' | *[!0-9]* | ?????????????*) die 64 "'$cases': expected a number of cases" ;; esac
[ "$cases" -ge 10000 ] || die 64 "'$cases': expected at least 10000 cases"
jobs=${JOBS:-$((4 * $(jobs_here)))}
limit=${LIMIT:-10ms}
touchstone=${TOUCHSTONE:-$(command -v touchstone || true)}
[ -x "$touchstone" ] || die 64 "touchstone is not in the PATH; set TOUCHSTONE to the program"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
queries=('*:exhaustive' '*:wide' '*:masks_4') # their cases are one call each, so a crash belongs to one case
there=$("$touchstone" list --count "${queries[@]}" | sed -n 's/^ *\([0-9]*\)  in all$/\1/p')
[ "$cases" -le "$there" ] || die 64 "'$cases': there are only $there cases"

sweep() { # FAULT OPTION...: runs the cases; sets planned, ran, failed and seconds
    local fault=$1 status=0
    shift
    "$touchstone" run -b faulty --backend-opt "fault=$fault" --shard "1/$((there / cases))" --max-losses 0 -j "$jobs" \
        --max-findings 100 -q -o "$work/$fault.run" "$@" "${queries[@]}" >"$work/$fault.out" || status=$?
    [ "$status" = 1 ] || die 3 "$fault: expected status 1, got $status: $(head -n 1 "$work/$fault.out")"
    read -r planned ran failed seconds < <(sed -n \
        's/^planned \([0-9]*\), ran \([0-9]*\), .*failed \([0-9]*\).*(\([0-9.]*\) s.*/\1 \2 \3 \4/p' "$work/$fault.out")
    printf '%s: %s of %s cases run, %s failed, %s s\n' "$fault" "$ran" "$planned" "$failed" "$seconds"
    sed -n 's/^  \([a-z-]*  *[0-9]*\)$/    \1/p' "$work/$fault.out"
    [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp "$work/$fault.run" "$KEEP"; }
}

sweep process-storm-marked
planted=$failed whole=$planned
awk -v n="$whole" -v s="$seconds" -v jobs="$jobs" -v cores="$(jobs_here)" -v limit="$limit" 'BEGIN {
    unit = limit ~ /ms$/ ? 1e-3 : limit ~ /m$/ ? 60 : 1
    wait = n / 100 * 2 * (limit + 0) * unit # a case that hangs is executed twice
    printf "expected: %d failures, in %.0f to %.0f minutes\n", 3 * n / 100, (s + wait / jobs) / 60,
        (3 * s + wait / (cores < jobs ? cores : jobs)) / 60 }'
sweep process-storm --time-limit "$limit"
"$touchstone" diff --json "$work/process-storm-marked.run" "$work/process-storm.run" >"$work/diff.json" || true
if [ "$planned" = "$whole" ] && [ "$ran" = "$planned" ] && [ "$failed" = "$planted" ] &&
    "$touchstone" lua "$TOUCHSTONE_ROOT/scripts/json-check.lua" "$work/diff.json" 'for _, c in ipairs(r.changes) do
        if c.kind ~= "changed-kind" or c.from ~= "wrote-outside" or c.to ~= "crash" and c.to ~= "hang" then
            return false end end return r.by_case'; then
    printf 'exactly the %s planted cases failed, in %.1f minutes\n' "$planted" \
        "$(awk -v s="$seconds" 'BEGIN { print s / 60 }')"
else
    printf 'the failed cases are not the planted ones\n'
    exit 1
fi

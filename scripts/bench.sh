#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh
#
# Measures, on one core, a Release build in $TOUCHSTONE_BUILD/bench or ./build-bench, and prints a table with what the
# project asks of itself beside it. A benchmark: it judges nothing, and its status is 0 if all could be measured.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'') ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "'$1' is not known; there are no arguments" ;;
esac

build=${TOUCHSTONE_BUILD:+$TOUCHSTONE_BUILD/bench}
build=${build:-$TOUCHSTONE_ROOT/build-bench}
say "building in $build"
build_into "$build" -DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_TESTS=ON
cmake --install "$build" --prefix "$build/installed" >/dev/null
touchstone=$build/installed/bin/touchstone
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

one_core=()
command -v taskset >/dev/null && one_core=(taskset -c "$(($(jobs_here) - 1))")

row() { # WHAT MEASURED WANTED
    printf '%-58s %18s   %s\n' "$@"
}

# NAME QUERY...: cases and seconds of a run.
rate() {
    local name=$1 result ran speed
    shift
    rm -f "$work/rate.run"
    result=$("${one_core[@]}" "$touchstone" run -b cpu -j 1 -o "$work/rate.run" "$@" | head -n 1)
    ran=${result#*ran }
    speed=${result##*, }
    row "cpu, $name: ${ran%%,*} cases" "${speed%)}" "${budget:-}"
}

seconds() { # COMMAND...: of the wall's clock
    local from to
    from=$(date +%s%N)
    "$@" >/dev/null
    to=$(date +%s%N)
    awk -v ns=$((to - from)) 'BEGIN { printf "%.2f s", ns / 1e9 }'
}

grep -m 1 '^model name' /proc/cpuinfo | sed 's/.*: //' || true
row 'on one core' 'measured' 'wanted'
mapfile -t operators < <("$touchstone" list --count '*:examples' | sed -n 's/.*  *\([a-z_0-9.]*\):examples.*/\1/p')
for operator in "${operators[@]}"; do
    rate "$operator" "$operator:*"
done
rate 'everything'
row 'from the command to the first case' \
    "$(seconds "${one_core[@]}" "$touchstone" run -b cpu -q -o "$work/start.run" dml.slice1:examples)" ''
budget='1 M cases/s' rate 'complete small spaces' '*:exhaustive'

rm -f "$work"/*.run
"${one_core[@]}" "$touchstone" run -b cpu -o "$work/size.run" >"$work/size.txt"
ran=$(sed -n 's/.*ran \([0-9]*\),.*/\1/p' "$work/size.txt" | head -n 1)
row "run file of $ran passing cases" "$(stat -c %s "$work/size.run") bytes" '100 KB for 10,000,000'
"$build/tests/reports_report_test" --make-run "$work/many.run" 100000 100000000 >/dev/null
row 'HTML of 100,000 findings in 100,000,000 cases' \
    "$(seconds "${one_core[@]}" "$touchstone" report "$work/many.run" --html "$work/many.html")" '2 s'
row 'its size' "$(stat -c %s "$work/many.html") bytes" '5 MB'

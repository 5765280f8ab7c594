#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# extremes.sh [OUT-OF]
#
# Tries every whole number of a descriptor at its ends, for each operator: 0, 1, 2^31, 2^32 - 1, 2^63 and 2^64 - 1, as
# far as the field's type holds them, alone and in all pairs (cases/extremes_test.c; the unit test tries a drawn part).
# The checker runs under AddressSanitizer and UndefinedBehaviorSanitizer. For a night, by cron:
#
#   0 1 * * *  extremes.sh || mail -s 'extreme numbers' team </path/to/build-test/extremes/failed.log
#
# OUT-OF, a number, tries one operator in so many, another one each day. Builds in ./build-test/sanitized, or in the
# folder of that name in TOUCHSTONE_BUILD; the logs are in the folder extremes beside it. HOURS (default 8) is when to
# give up: a checker that does not end has failed.
#
# Exit status: 0 nothing failed; 1 something did; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
esac
[ $# -le 1 ] || die 64 "expected at most one argument, OUT-OF"
out_of=${1:-1}
case $out_of in '' | 0* | *[!0-9]* | ????*) die 64 "'$out_of': expected a number from 1 to 999" ;; esac
hours=${HOURS:-8}
case $hours in '' | *[!0-9]*) die 64 "HOURS is '$hours': expected a number" ;; esac

build=${TOUCHSTONE_BUILD:-$TOUCHSTONE_ROOT/build-test}
logs=$build/extremes
say "building in $build/sanitized"
build_into "$build/sanitized" --target cases_extremes_test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOUCHSTONE_SANITIZE=ON \
    -DTOUCHSTONE_WERROR=ON || die 1 "the build failed"
rm -rf "$logs"
mkdir -p "$logs"

# One process for each processor, and each takes every Nth operator.
jobs=$(jobs_here)
parts=$((jobs * out_of))
first=$(($(date +%s) / 86400 % out_of * jobs))
running=()
for ((k = 1; k <= jobs; ++k)); do
    TOUCHSTONE_EXTREMES=$((first + k))/$parts timeout "${hours}h" nice \
        "$build/sanitized/tests/cases_extremes_test" >"$logs/$k.log" 2>&1 &
    running+=($!)
done
failed=0
for ((k = 1; k <= jobs; ++k)); do
    status=0
    wait "${running[k - 1]}" || status=$?
    [ "$status" = 0 ] && continue
    failed=1
    [ "$status" != 124 ] || echo "not done after $hours hours; the operator after the last one below" >>"$logs/failed.log"
    tail -n 40 "$logs/$k.log" >>"$logs/failed.log"
done
say "$(grep -hc '^[a-z]*\..*: [0-9]* fields$' "$logs"/[0-9]*.log | awk '{ n += $1 } END { print n }') operators"
[ "$failed" = 0 ] || { cat "$logs/failed.log" >&2 && die 1 "something failed: $logs/failed.log"; }

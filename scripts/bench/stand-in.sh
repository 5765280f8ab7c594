#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stand-in.sh
#
# What `scripts/bench.sh --dry-run` runs, under their names, in place of the programs that it measures. touchstone reads
# its command line with $BENCH_PROGRAM, which also lists the operators; what it refuses is added to the file
# $BENCH_REFUSED. The output has the form of the real one.
set -euo pipefail

file= # that -o names
previous=
for word in "$@"; do
    [ "$previous" != -o ] || file=$word
    previous=$word
done

case ${0##*/} in
touchstone)
    [ "$*" != 'list --count *:examples' ] || exec "$BENCH_PROGRAM" "$@"
    if ! message=$("$BENCH_PROGRAM" "$@" --help 2>&1 >/dev/null); then
        printf 'touchstone %s\n  %s\n' "$*" "$message" >>"$BENCH_REFUSED"
    fi
    [ -z "$file" ] || : >"$file"
    [ "$1 ${2:-}" != 'list --count' ] || printf '1  %s\n' "${3/\*/exhaustive}"
    echo 'planned 1, ran 1, passed 1, failed 0  (0.1 s, 1.00 M cases/s)'
    ;;
bench_bare | loop) echo '1 case, 0 wrong, 1.00 M cases/s' ;;
bench_bytes) printf 'copy 1 1 100\nphilox 1 1 100\n' ;;
reports_report_test) [ "$1" != --make-html ] || : >"${!#}" ;;
esac

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs-picture.sh PREFIX [FILE.png]
#
# Makes docs/report.png, the README's picture of a report, with the program in PREFIX/bin: the beginning of the page of a
# run against the faulty backend. Needs chromium.
#
# Exit status: 0 made; 1 not; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'' | -*)
    print_help
    exit 64
    ;;
esac
touchstone=$1/bin/touchstone
picture=$(realpath "${2:-$TOUCHSTONE_ROOT/docs/report.png}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$touchstone" run -b faulty --backend-opt fault=reverse-start dml.slice1:examples -o "$work/one.run" >/dev/null ||
    [ $? = 1 ]
"$touchstone" report "$work/one.run" --html "$work/one.html"
cat >>"$work/one.html" <<'END'
<style>header { margin-top: 1rem } nav { margin-top: 1rem } h2 { margin-top: 1.25rem }</style>
END
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=5000 --window-size=940,1010 \
    --screenshot="$picture" "file://$work/one.html" 2>/dev/null
[ -s "$picture" ]

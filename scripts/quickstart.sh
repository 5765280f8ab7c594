#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quickstart.sh
#
# From a bare Debian machine to a verdict: installs the packages that are missing, builds, runs every case against the
# cpu backend, writes the HTML report, and shows that a planted fault is caught. Builds in ./build, or in the folder
# that TOUCHSTONE_BUILD names, and installs into its folder `installed`. May be repeated.
#
# Exit status: 0 cpu is conformant and the fault was caught; 1 one of them is not so; other: it could not be tried.
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

build=build # in the checkout, so that what is printed stays short
if [ -n "${TOUCHSTONE_BUILD:-}" ]; then
    mkdir -p "$TOUCHSTONE_BUILD"
    build=$(cd "$TOUCHSTONE_BUILD" && pwd)
fi
cd "$TOUCHSTONE_ROOT"
bash scripts/install-deps.sh

say "building in $build"
options=()
[ -e "$build/CMakeCache.txt" ] || options=(-DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_TESTS=OFF)
build_into "$build" "${options[@]}" || exit 3
cmake --install "$build" --prefix "$build/installed" >/dev/null

touchstone=$build/installed/bin/touchstone
out=$build/quickstart
mkdir -p "$out"
rm -f "$out"/*.run "$out"/*.run-* "$out"/*.html

say "touchstone run -b cpu --tier full"
status=0
"$touchstone" run -b cpu --tier full -o "$out/cpu.run" || status=$?
case $status in
0) ;;
1) ;; # its findings are in the report
*) die "$status" "the run against cpu ended with status $status" ;;
esac
"$touchstone" report "$out/cpu.run" --html "$out/cpu.html"

say "touchstone run -b faulty --backend-opt fault=reverse-start 'dml.slice1:examples'"
caught=0
"$touchstone" run -b faulty --backend-opt fault=reverse-start 'dml.slice1:examples' -o "$out/faulty.run" || caught=$?
[ ! -e "$out/faulty.run" ] || "$touchstone" report "$out/faulty.run" --html "$out/faulty.html"

echo
[ "$status" = 0 ] || die 1 "cpu is not conformant: see $out/cpu.html"
[ "$caught" = 1 ] || die 1 "the planted fault was not caught (status $caught): do not trust this installation"
cat <<EOF
cpu is conformant, and the planted fault was caught. The reports:
    $out/cpu.html
    $out/faulty.html
Next, in $TOUCHSTONE_ROOT:
    $touchstone show 'dml.slice1:examples:example=2'
    $touchstone backends -v
    $touchstone run --help
For an implementation of your own: backends/README.md
EOF

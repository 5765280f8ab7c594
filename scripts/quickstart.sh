#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quickstart.sh
#
# Leads from a bare Debian machine to a first verdict: installs missing packages, builds, runs all cases of tier full on
# the cpu backend, writes the HTML report, and shows that the suite finds a planted fault. Builds in ./build or in the
# folder TOUCHSTONE_BUILD, and installs into its folder `installed`. It can be repeated.
#
# Exit status: 0 cpu is conformant and the fault was found; 1 otherwise; other: a step failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'') ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "unexpected argument '$1'" ;;
esac

build=build # relative to the checkout: short paths in the output
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
*) die "$status" "the run of cpu ended with status $status" ;;
esac
"$touchstone" report "$out/cpu.run" --html "$out/cpu.html"

say "touchstone run -b faulty --backend-opt fault=reverse-start 'dml.slice1:examples'"
caught=0
"$touchstone" run -b faulty --backend-opt fault=reverse-start 'dml.slice1:examples' -o "$out/faulty.run" || caught=$?
[ ! -e "$out/faulty.run" ] || "$touchstone" report "$out/faulty.run" --html "$out/faulty.html"

echo
[ "$status" = 0 ] || die 1 "cpu is not conformant; see $out/cpu.html"
[ "$caught" = 1 ] || die 1 "the suite did not find the planted fault (status $caught): do not trust this installation"
cat <<EOF
cpu is conformant, and the suite found the planted fault. The reports:
    $out/cpu.html
    $out/faulty.html
Next, in $TOUCHSTONE_ROOT:
    $touchstone show 'dml.slice1:examples:example=2'
    $touchstone backends
    $touchstone run --help
To test your own implementation: docs/backends.md
EOF
[ -e "$build/installed/lib/touchstone/backends/mutants.so" ] || cat <<EOF
'touchstone audit' needs clang, which is not installed:
    scripts/install-deps.sh --audit && scripts/quickstart.sh
EOF

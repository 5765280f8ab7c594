#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh [--all]
#
# Builds Touchstone, warnings being errors, and tests it: the unit tests under AddressSanitizer and
# UndefinedBehaviorSanitizer, and the installed program as a whole. Installs what is missing first.
#
#   --all   tests the rest as well: builds and unit tests with gcc and clang, one digest from builds with either, with
#           and without sanitizers, each fault in each operator, the report in a browser with 100,000 findings, check's
#           SARIF against its schema, a sweep through a Slurm, a build for Windows under Wine and DirectML with it, tier
#           quick of the libraries of other makers, the seeds of the fuzz targets, the scripts with shellcheck, and the
#           audit of tier quick: no mutant survives that is not listed
#
# Builds in ./build-test, or in the folder that TOUCHSTONE_BUILD names. The last line is
# `N passed, N failed, N skipped`. Exit status: 0 nothing failed; 1 something did; 64 wrong usage.
set -uo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

all=
case ${1:-} in
'') ;;
--all) all=--all ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "'$1' is not known; --help tells what is" ;;
esac

root=$TOUCHSTONE_ROOT
build=${TOUCHSTONE_BUILD:-$root/build-test}
mkdir -p "$build" || exit 1
build=$(cd "$build" && pwd)
passed=0 failed=0 skipped=0
trap 'exit 130' INT TERM

count() { # PASSED FAILED SKIPPED
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

# NAME COMMAND...: one test. 77 is skipped, and never passed.
one() {
    local name=$1 status=0
    shift
    "$@" >"$build/$name.log" 2>&1 || status=$?
    case $status in
    0)
        echo "ok       $name"
        count 1 0 0
        ;;
    77)
        echo "skipped  $name: $(tail -n 1 "$build/$name.log")"
        count 0 0 1
        ;;
    *)
        echo "FAILED   $name"
        tail -n 40 "$build/$name.log"
        count 0 1 0
        ;;
    esac
}

# FOLDER CMAKE-OPTION...: without a build there is nothing to go on with.
make_build() {
    say "building $1"
    if build_into "$build/$1" -DTOUCHSTONE_WERROR=ON "${@:2}"; then
        echo "ok       build-$1"
        count 1 0 0
    else
        echo "FAILED   build-$1"
        count 0 1 0
        return 1
    fi
}

# FOLDER: its unit tests.
unit_tests() {
    local report=$build/$1-ctest.xml numbers
    say "unit tests of $1"
    rm -f "$report"
    (cd "$build/$1" && ctest -j "$(jobs_here)" --output-on-failure --no-tests=error --timeout 300 \
        --output-junit "$report") >"$build/$1-ctest.log" 2>&1 </dev/null || sed -n '/Failed\|\*\*\*/p' "$build/$1-ctest.log"
    numbers=$(tr '\n\t' '  ' <"$report" 2>/dev/null | # of the first element: there is one testsuite
        sed -n 's/.*<testsuite[^>]* tests="\([0-9]*\)"[^>]* failures="\([0-9]*\)"[^>]* disabled="\([0-9]*\)"[^>]* skipped="\([0-9]*\)".*/\1 \2 \3 \4/p')
    if [ -z "$numbers" ]; then
        echo "FAILED   unit-tests-$1: ctest left no report"
        count 0 1 0
        return
    fi
    local tests failures disabled omitted
    read -r tests failures disabled omitted <<<"$numbers"
    omitted=$((omitted + disabled))
    echo "unit tests of $1: $((tests - failures - omitted)) passed, $failures failed, $omitted skipped"
    [ "$failures" = 0 ] || grep -B 2 -A 8 'ERROR\|FAILED  \]\|runtime error' "$build/$1-ctest.log" | head -n 100
    count $((tests - failures - omitted)) "$failures" "$omitted"
}

# FOLDER: the digest of a run of everything.
digest_of() {
    rm -f "$build/$1.run"
    TOUCHSTONE_CASES=$root/cases timeout 1200 "$build/$1/bin/touchstone" run -b cpu --tier full -o "$build/$1.run" >"$build/$1-run.log" 2>&1 </dev/null || true
    grep -q '^conformant$' "$build/$1-run.log" && sed -n 's/^digest   //p' "$build/$1-run.log"
}

same_digest() {
    local folder first='' digest problem=0
    for folder in release clang sanitized clang-sanitized; do
        digest=$(digest_of "$folder")
        echo "$folder ${digest:-gave none: $(tail -n 3 "$build/$folder-run.log")}"
        first=${first:-$digest}
        [ -n "$digest" ] && [ "$digest" = "$first" ] || problem=1
    done
    return $problem
}

browser() {
    local test=$build/release/tests/reports_report_test
    [ -x "$test" ] || { echo "no report_test in the build" && return 1; }
    rm -f "$build/browser.run" "$build/browser.html"
    "$test" --make-run "$build/browser.run" 100000 100000000 || return 1
    timeout 60 "$build/installed/bin/touchstone" report "$build/browser.run" --html "$build/browser.html" || return 1
    bash "$root/scripts/browser-test.sh" "$build/browser.html" findings=100000 'visit-seconds<=60'
}

# A real run's report, and that of a run without findings, whose cases ask about the ledger.
browser_of_runs() {
    local touchstone=$build/installed/bin/touchstone
    rm -f "$build"/browser-*.run
    "$touchstone" run -b faulty --backend-opt fault=reverse-start dml.slice1:examples -o "$build/browser-bad.run"
    "$touchstone" run -b cpu '*:examples' -o "$build/browser-good.run" || return 1
    "$touchstone" report "$build/browser-bad.run" --html "$build/browser-bad.html" || return 1
    "$touchstone" report "$build/browser-good.run" --html "$build/browser-good.html" || return 1
    bash "$root/scripts/browser-test.sh" "$build/browser-bad.html" || return
    bash "$root/scripts/browser-test.sh" "$build/browser-good.html" 'ledger>=60' 'ledger-tested>=6'
}

# Cross-built, and under Wine.
windows() {
    say "Windows"
    TOUCHSTONE_BUILD=$build/windows bash "$root/scripts/windows-test.sh" "$build/installed" </dev/null |
        tee "$build/windows-test.log"
    numbers=$(sed -n 's/^windows-test: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
        "$build/windows-test.log")
    # shellcheck disable=SC2086
    count ${numbers:-0 1 0}
}

# Does the suite find faults?
audit_of_quick() {
    timeout 600 "$build/installed/bin/touchstone" audit --tier quick
}

scripts_are_clean() {
    command -v shellcheck >/dev/null || { echo "no shellcheck here" && return 77; }
    shellcheck -x -P "$root" "$root"/scripts/*.sh "$root"/scripts/slurm/* "$root/scripts/touchstone-wine" \
        "$root/backends/directml/wine/run.sh" "$root/.ci/run"
}

started=$(date +%s)
bash "$root/scripts/install-deps.sh" "${all:---test}" || die 1 "the packages are not all there"

release=(-DCMAKE_BUILD_TYPE=Release)
[ -n "$all" ] || release+=(-DTOUCHSTONE_TESTS=OFF)
sanitized=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOUCHSTONE_SANITIZE=ON)

if make_build sanitized "${sanitized[@]}"; then
    unit_tests sanitized
fi
if make_build release "${release[@]}"; then
    rm -rf "$build/installed"
    one install cmake --install "$build/release" --prefix "$build/installed"
    say "the installed program"
    bash "$root/scripts/program-test.sh" ${all:+--all} "$build/installed" </dev/null | tee "$build/program-test.log"
    numbers=$(sed -n 's/^program-test: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
        "$build/program-test.log")
    # shellcheck disable=SC2086
    count ${numbers:-0 1 0}
fi

if [ -n "$all" ]; then
    unit_tests release
    make_build clang "${release[@]}" -DCMAKE_C_COMPILER=clang && unit_tests clang
    make_build clang-sanitized "${sanitized[@]}" -DCMAKE_C_COMPILER=clang && unit_tests clang-sanitized
    say "runs of four builds"
    one same-digest same_digest
    say "the report in a browser"
    one browser-with-100000-findings browser
    one browser-with-real-runs browser_of_runs
    one sarif-schema bash "$root/scripts/sarif-test.sh" "$build/installed"
    one sweep-through-slurm bash "$root/scripts/slurm-test.sh" "$build/installed"
    windows
    one directml env TOUCHSTONE_BUILD="$build" bash "$root/scripts/directml-test.sh"
    for vendor in $("$root/scripts/setup-vendors.sh" --list | cut -d ' ' -f 1 | sed 's/:$//' | sort -u); do
        one "vendor-$vendor" bash "$root/scripts/vendors-test.sh" "$build/installed" "$vendor"
    done
    one fuzz-seeds env TOUCHSTONE_FUZZ_BUILD="$build/fuzz" bash "$root/scripts/fuzz.sh" 0
    one shellcheck scripts_are_clean
    say "the audit"
    one audit-quick audit_of_quick
fi

echo
echo "took $(($(date +%s) - started)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# windows-test.sh PREFIX
#
# Cross-builds Touchstone for Windows x64 and tests it under Wine: the unit tests but for those that compute at length
# (case files, oracles, random calls, causes, shrinking, pages of reports); a run of tier quick, whose digest must be
# that of the program installed under PREFIX; backends that crash, exit, abort and hang, with the same findings as on
# Linux; a run that is killed and resumed; file names with non-ASCII characters.
#
# Builds in ./build-windows or in the folder TOUCHSTONE_BUILD. TOUCHSTONE_WINE is the wine to use (default: Debian's
# wine64). The last line of output is `windows-test: N passed, N failed, N skipped`.
#
# Exit status: 0 nothing failed; 1 something failed; 64 wrong usage.
set -uo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | -*) die 64 "expected PREFIX, where Touchstone is installed; see --help" ;;
esac
native=$1/bin/touchstone
[ -x "$native" ] || die 64 "there is no $native: Touchstone is not installed under $1"
build=${TOUCHSTONE_BUILD:-$TOUCHSTONE_ROOT/build-windows}
mkdir -p "$build" || exit 1
build=$(cd "$build" && pwd)
passed=0 failed=0 skipped=0

count() { # NAME STATUS
    if [ "$2" = 0 ]; then
        echo "ok       $1"
        passed=$((passed + 1))
    else
        echo "FAILED   $1"
        failed=$((failed + 1))
    fi
}

finish() {
    echo "windows-test: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
    exit
}

bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --windows || exit 1
first_of() { # COMMAND-OR-PATH...: that there is
    local candidate
    for candidate in "$@"; do
        command -v "$candidate" && return
    done
    die 1 "none of these is installed: $*"
}
wine=$(first_of ${TOUCHSTONE_WINE:+"$TOUCHSTONE_WINE"} wine64 /usr/lib/wine/wine64 wine) || exit 1
server=$(first_of wineserver /usr/lib/wine/wineserver64 /usr/lib/wine/wineserver) || exit 1
bash "$TOUCHSTONE_ROOT/scripts/build-windows.sh" "$build" -DTOUCHSTONE_WERROR=ON \
    -DCMAKE_CROSSCOMPILING_EMULATOR="$wine"
count build-windows $?
[ "$failed" = 0 ] || finish

needs_windows_only() {
    local foreign
    foreign=$(x86_64-w64-mingw32-objdump -p "$build"/bin/touchstone.exe "$build"/backends/*.dll | sed -n 's/.*DLL Name: //p' |
        sort -fu | grep -viE '^(kernel32|advapi32|user32|shell32|msvcrt|ntdll|psapi|ws2_32|d3d12|dxgi|version)\.dll$')
    [ -z "$foreign" ] || { echo "these have to be there as well: $foreign" && return 1; }
}
needs_windows_only
count needs-windows-only $?

# ---- a private Wine prefix --------------------------------------------------------------------------------------------
work=$(mktemp -d "${TMPDIR:-/tmp}/touchstone-windows.XXXXXX") || exit 1
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe='
export TOUCHSTONE_CASES=$TOUCHSTONE_ROOT/cases
mkdir "$WINEPREFIX" || exit 1 # a server starts in no other
trap '"$server" -k >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# One wineserver for all tests: a server that a test starts would keep that test's output open.
"$server" -p >/dev/null 2>&1 </dev/null
timeout 120 "$wine" wineboot -i >"$work/wineboot.log" 2>&1 </dev/null
count wine-starts $?
[ "$failed" = 0 ] || finish
program=$build/bin/touchstone.exe

# ---- the unit tests -----------------------------------------------------------------------------------------------
say "unit tests for Windows, under $("$wine" --version 2>/dev/null)"
units() { # LOG CTEST-OPTION...: runs the unit tests that the options select, and keeps their output in LOG
    local log=$1
    shift
    (cd "$build" && timeout 1500 ctest --output-on-failure --no-tests=error --timeout 300 "$@") \
        >"$log" 2>&1 </dev/null
}
# Now and then Wine does not start a program. The names of the failed tests that cmocka did not begin.
not_begun() {
    awk '/^ *[0-9]+\/[0-9]+ Test /{ if (name) print name; name = /\*\*\*(Failed|Exception)/ ? $4 : "" }
        /^\[=+\] Running/ { name = "" } END { if (name) print name }' "$build/ctest.log"
}
units "$build/ctest.log" -j "$(jobs_here)" -E '^unit/(cases/|backends/(cpu|kernels|planted|faulty)/|reports/(report|explain_random|compare_print)$|harness/(analysis/(causes|run_cases|history_add)|casefile/case(build|file)|run/(shrink|shrink_run|rerun))$)'
begun_again=0
for test in $(not_begun); do
    echo "Wine did not start $test: it runs again"
    units "$build/ctest-again.log" -R "^$test\$" && begun_again=$((begun_again + 1))
done
total=$(sed -n 's/.*tests passed, \([0-9]*\) tests\{0,1\} failed out of \([0-9]*\)$/\1 \2/p' "$build/ctest.log")
if [ -z "$total" ]; then
    count unit-tests 1
    tail -n 20 "$build/ctest.log"
else
    read -r bad all <<<"$total"
    bad=$((bad - begun_again))
    omitted=$(grep -c '\*\*\*Skipped' "$build/ctest.log")
    echo "unit tests for Windows: $((all - bad - omitted)) passed, $bad failed, $omitted skipped"
    [ "$bad" = 0 ] || grep -E '\*\*\*|ERROR|LINE ' "$build/ctest.log" | head -n 60
    passed=$((passed + all - bad - omitted)) failed=$((failed + bad)) skipped=$((skipped + omitted))
fi

# ---- the program --------------------------------------------------------------------------------------------------

# Prints the result of a run without its times: planned, ran, verdicts and digest.
outcome() {
    sed -n 's/^\(planned [^(]*[^ (]\) *(.*/\1/p; /^digest /p; s/^  \([a-z-]*  *[0-9]*\)$/\1/p' "$1"
}

# NAME ARGUMENT...: checks that a run has the same, non-empty result on both platforms.
same() {
    local name=$1 status
    shift
    timeout 300 "$native" run "$@" -q -o "$work/$name-native.run" >"$work/native.log" 2>&1 </dev/null
    status=$?
    timeout 300 "$wine" "$program" run "$@" -q -o "$work/$name.run" >"$work/windows.log" 2>&1 </dev/null
    if [ $? = "$status" ] && grep -q '^digest ' "$work/native.log" &&
        [ "$(outcome "$work/native.log")" = "$(outcome "$work/windows.log")" ]; then
        count "$name" 0
    else
        count "$name" 1
        diff <(outcome "$work/native.log") <(outcome "$work/windows.log")
        tail -n 5 "$work/windows.log"
    fi
}

say "runs for Windows"
# Backends have another file name on Windows. Only the reproducer names it, which is not part of the digest.
same quick-tier -b cpu --tier quick
same in-this-process -b cpu -j 0 '*:examples'
for fault in process-crash process-abort process-exit process-hang process-deaf; do
    same "fault-$fault" -b faulty --backend-opt "fault=$fault" --time-limit 500ms dml.slice1:pairwise
done

# A run that is killed with its workers, and resumed.
gone_on() {
    local run=$work/killed.run digest
    digest=$(sed -n 's/^digest *//p' "$work/windows.log") # of process-deaf, which is slow enough to be killed in the middle
    "$wine" "$program" run -b faulty --backend-opt fault=process-deaf --time-limit 500ms -q -o "$run" \
        dml.slice1:pairwise >/dev/null 2>&1 </dev/null &
    local runner=$! i
    for ((i = 0; i < 100; ++i)); do
        [ -s "$run-wal" ] && break
        sleep 0.1
    done
    sleep 1
    kill -9 "$runner" && wait "$runner" 2>/dev/null
    timeout 120 "$wine" "$program" resume "$run" -q >"$work/resume.log" 2>&1 </dev/null
    [ "$(sed -n 's/^digest *//p' "$work/resume.log")" = "$digest" ] || { tail -n 5 "$work/resume.log" && return 1; }
}
gone_on
count goes-on-when-killed $?

# File names are UTF-8; a backend is named by its path.
unicode() {
    local folder="$work/größe 数"
    mkdir "$folder" && cp "$build/backends/cpu-backend.dll" "$folder/prüfling.dll" || return 1
    (cd "$work" && timeout 60 "$wine" "$program" run -b "größe 数/prüfling.dll" -q -o "größe 数/é.run" \
        dml.slice1:examples >"$work/unicode.log" 2>&1 </dev/null)
    [ -s "$folder/é.run" ] || { tail -n 5 "$work/unicode.log" && return 1; }
}
unicode
count names-are-utf-8 $?

# What is not available is reported in one line.
no_audit() {
    timeout 60 "$wine" "$program" audit >"$work/audit.log" 2>&1 </dev/null
    [ $? = 3 ] || [ "$(wc -l <"$work/audit.log")" = 1 ] || { cat "$work/audit.log" && return 1; }
}
no_audit
count audit-is-refused $?
finish

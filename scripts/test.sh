#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh [--all | --whole]
#
# Builds Touchstone, warnings being errors, and tests it: the unit tests and the seeds of the fuzz targets under
# AddressSanitizer and UndefinedBehaviorSanitizer, and the installed program as a whole. Installs what is missing first.
#
#   --all   tests the rest as well: builds and unit tests with gcc and clang, one digest from builds with either, with
#           and without sanitizers, a tenth of the faults of the faulty backend, the report in a browser with 100,000
#           findings, check's SARIF against its schema, a sweep through a Slurm, a build for Windows under Wine and
#           DirectML with it, a build for 64-bit ARM under qemu, the Debian packages, tier quick of the libraries of
#           other makers, exports read by packages of Python (scripts/setup-python.sh), the seeds of the fuzz targets,
#           all scripts with shellcheck, the output and links of the documents, and the audit of tier quick: no mutant
#           survives that is not listed. Of what grows with operators and vendors it takes a part, which the commit
#           draws: the audit judges one specification's operators, and tests that go through all operators at length go
#           through a part of them
#   --whole like --all, with nothing drawn: hours, for a night
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
--whole)
    all=--all
    export TOUCHSTONE_WHOLE=1
    ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "'$1' is not known; see --help" ;;
esac

root=$TOUCHSTONE_ROOT
build=${TOUCHSTONE_BUILD:-$root/build-test}
mkdir -p "$build" || exit 1
build=$(cd "$build" && pwd)
passed=0 failed=0 skipped=0

stop() {
    local job
    for job in $(jobs -rp); do
        kill -TERM -- "-$job"
    done
    exit 130
}
trap stop INT TERM

count() { # PASSED FAILED SKIPPED
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

# NAME COMMAND...: start a test as soon as fewer tests than processors are running. `finish` reports the results.
begun=()
begin() {
    local name=$1
    shift
    while [ "$(jobs -rp | wc -l)" -ge "$(jobs_here)" ]; do
        wait -n
    done
    begun+=("$name")
    rm -f "$build/$name.status"
    set -m # a process group of its own, to stop it by
    {
        since=$SECONDS status=0
        "$@" || status=$?
        echo "$status $((SECONDS - since))" >"$build/$name.status"
    } >"$build/$name.log" 2>&1 </dev/null &
    set +m
}

# NAME COMMAND...: when the test NAME, which was begun, has ended.
after() {
    until [ -e "$build/$1.status" ]; do
        sleep 1
    done
    shift
    "$@"
}

# All that was begun, in that order. 77 is skipped, and never passed. A test whose last line is
# `NAME: N passed, N failed, N skipped` counts as these.
finish() {
    local name status seconds numbers own='^[a-z-]*: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$'
    wait
    for name in "${begun[@]}"; do
        status=1 seconds=0
        read -r status seconds <"$build/$name.status"
        numbers=$(sed -n "\$s/$own/\1 \2 \3/p" "$build/$name.log")
        case $status in
        0)
            echo "ok       $name ($seconds s)${numbers:+: $(tail -n 1 "$build/$name.log")}"
            numbers=${numbers:-1 0 0}
            ;;
        77)
            echo "skipped  $name: $(tail -n 1 "$build/$name.log")"
            numbers='0 0 1'
            ;;
        *)
            echo "FAILED   $name ($seconds s)"
            grep '^FAILED ' "$build/$name.log"
            tail -n 40 "$build/$name.log"
            numbers=${numbers:-0 1 0}
            ;;
        esac
        # shellcheck disable=SC2086
        count $numbers
    done
    begun=()
}

# FOLDER CMAKE-OPTION...: without a build there is nothing to go on with.
make_build() {
    local since=$SECONDS
    say "building $1"
    if build_into "$build/$1" "${@:2}" -DTOUCHSTONE_WERROR=ON; then
        echo "ok       build-$1 ($((SECONDS - since)) s)"
        count 1 0 0
    else
        echo "FAILED   build-$1"
        count 0 1 0
        return 1
    fi
}

# FOLDER CTEST-OPTION...: the tests of this build that the options select, side by side.
tests_of() {
    local folder=$1 report=$build/$1-ctest.xml log=$build/$1-ctest.log since=$SECONDS numbers tests failures disabled omitted
    shift
    say "tests of $folder: ctest $*"
    rm -f "$report"
    (cd "$build/$folder" && ctest -j "$(jobs_here)" --output-on-failure --no-tests=error "$@" \
        --output-junit "$report") >"$log" 2>&1 </dev/null
    numbers=$(tr '\n\t' '  ' <"$report" 2>/dev/null | # of the first element: there is one testsuite
        sed -n 's/.*<testsuite[^>]* tests="\([0-9]*\)"[^>]* failures="\([0-9]*\)"[^>]* disabled="\([0-9]*\)"[^>]* skipped="\([0-9]*\)".*/\1 \2 \3 \4/p')
    if [ -z "$numbers" ]; then
        echo "FAILED   tests of $folder: ctest left no report; its output: $log"
        count 0 1 0
        return
    fi
    read -r tests failures disabled omitted <<<"$numbers"
    omitted=$((omitted + disabled))
    echo "tests of $folder: $((tests - failures - omitted)) passed, $failures failed, $omitted skipped ($((SECONDS - since)) s)"
    if [ "$failures" != 0 ]; then
        sed -n '/\*\*\*Skipped/d; s/^.* Test *#[0-9]*: \([^ ]*\) .*\*\*\*\(.*\)/FAILED   \1: \2/p' "$log"
        grep -E -A 12 '^FAILED  |^\[  ERROR|^\[  FAILED|runtime error|ERROR: AddressSanitizer' "$log" | head -n 100
    fi
    count $((tests - failures - omitted)) "$failures" "$omitted"
}

# FOLDER: the digest of a run of a part of everything; program tests run all of it with the release build.
digest_of() {
    local part=9/64
    [ -z "${TOUCHSTONE_WHOLE:-}" ] || part=9/16
    rm -f "$build/$1.run"
    TOUCHSTONE_CASES=$root/cases timeout 1200 "$build/$1/bin/touchstone" run -b cpu --tier full --shard "$part" -o "$build/$1.run" >"$build/$1-run.log" 2>&1 </dev/null || true
    grep -q '^conformant' "$build/$1-run.log" && sed -n 's/^digest   //p' "$build/$1-run.log"
}

same_digest() {
    local folder first='' digest problem=0
    for folder in release clang sanitized; do
        digest=$(digest_of "$folder")
        echo "$folder ${digest:-gave none: $(tail -n 3 "$build/$folder-run.log")}"
        first=${first:-$digest}
        [ -n "$digest" ] && [ "$digest" = "$first" ] || problem=1
    done
    return $problem
}

browser() {
    local test=$build/clang/tests/reports_report_test
    [ -x "$test" ] || { echo "no report_test in the build" && return 1; }
    rm -f "$build/browser.run" "$build/browser.html"
    "$test" --make-run "$build/browser.run" 100000 100000000 || return 1
    # What the run counts and what it stores as verdicts do not agree: the program would refuse it as damaged.
    timeout 60 "$test" --make-html "$build/browser.run" "$build/browser.html" || return 1
    bash "$root/scripts/browser-test.sh" "$build/browser.html" findings=100000 'visit-seconds<=60'
}

# A real run's report, and that of a run without findings, whose cases ask about the ledger.
browser_of_runs() {
    local touchstone=$build/release/installed/bin/touchstone
    rm -f "$build"/browser-*.run
    "$touchstone" run -b faulty --backend-opt fault=reverse-start dml.slice1:examples -o "$build/browser-bad.run"
    "$touchstone" run -b cpu '*:examples' -o "$build/browser-good.run" || return 1
    "$touchstone" report "$build/browser-bad.run" --html "$build/browser-bad.html" || return 1
    "$touchstone" report "$build/browser-good.run" --html "$build/browser-good.html" || return 1
    bash "$root/scripts/browser-test.sh" "$build/browser-bad.html" marks=both || return
    rm -f "$build/browser.db"
    "$touchstone" history "$build/browser.db" --add "$build/browser-bad.run" --add "$build/browser-good.run" \
        --html "$build/browser-history.html" || return 1
    "$touchstone" compare -b cpu -b faulty --backend-opt fault=reverse-start -b "$build/release/backends/example.so" -q dml.slice1:examples \
        dml.gather:examples dml.element_wise_identity:examples --html "$build/browser-compare.html"
    bash "$root/scripts/browser-test.sh" "$build/browser-good.html" 'ledger>=60' 'ledger-tested>=6' || return
    local page
    for page in history compare; do
        bash "$root/scripts/browser-test.sh" --page "$build/browser-$page.html" || return
    done
}

# Cross-built, and under Wine.
windows() {
    TOUCHSTONE_BUILD=$build/windows bash "$root/scripts/windows-test.sh" "$build/release/installed"
}

# Does the suite find faults? Of the operators of one specification, in turn: files that only they have are judged whole.
audit_of_quick() {
    local operators=()
    case $(part_of 2) in 1/2) operators=('dml.*') ;; 2/2) operators=('openvino.*') ;; esac
    timeout 2400 "$build/release/installed/bin/touchstone" audit --tier quick --subject reference --score "${operators[@]}"
}

scripts_are_clean() {
    local plain
    # Documents start them by their names.
    plain=$(git -C "$root" ls-files | while read -r file; do
        [ -x "$root/$file" ] || [ "$(head -c 2 "$root/$file" | tr -d '\0')" != '#!' ] || echo "$file"
    done)
    [ -z "$plain" ] || { printf 'no executable file:\n%s\n' "$plain" && return 1; }
    command -v shellcheck >/dev/null || { echo "no shellcheck here" && return 77; }
    shellcheck -x -P "$root" "$root"/scripts/*.sh "$root"/scripts/{program,packaging,bench}/*.sh "$root"/scripts/slurm/* "$root/scripts/touchstone-wine" \
        "$root/backends/directml/wine/run.sh" "$root/.ci/run"
}

started=$(date +%s)
bash "$root/scripts/install-deps.sh" "${all:---test}" || die 1 "the packages are not all there"

# Python packages for the tests of exports, while the first build runs. finish reports it.
[ -z "$all" ] || begin python-packages bash "$root/scripts/setup-python.sh"

release=(-DCMAKE_BUILD_TYPE=Release)
sanitized=(-DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOUCHSTONE_SANITIZE=ON)

# With sanitizers, all takes four times as long. What the suite finds of each fault and both oracles are the same there:
# the release build tests them. With --all, clang's build tests the case files. Runs are killed and damaged less often.
tests_of_sanitized() {
    [ -z "$all" ] || after python-packages true
    local part=1/1 # of the operators, where a test goes through them at length
    [ -z "$all" ] || part=$(part_of 4)
    TOUCHSTONE_TEST_PART=$part TOUCHSTONE_KILLS=5 TOUCHSTONE_CHANGES=60 tests_of sanitized -E "^unit/cases/(oracle/${all:+|cases\$|faults\$})"
}
make_build sanitized "${sanitized[@]}" && tests_of_sanitized
if make_build release "${release[@]}" -DTOUCHSTONE_TESTS=OFF; then
    part=$(part_of 10) # of the faults
    others="sample-[^$((${part%/*} - 1))]"
    if [ -n "$all" ]; then
        # Each fault in one operator, and a seventh of the killed runs.
        if [ -z "${TOUCHSTONE_WHOLE:-}" ]; then
            TOUCHSTONE_FAULT_OPERATORS=1 tests_of release -LE "$others" \
                -E '^program/(faults/.*-elsewhere|resume/killed-runs-go-on-[12]-of-2)$'
        else
            tests_of release
        fi
    else
        tests_of release -L program -LE "slow|$others"
    fi
fi

if [ -n "$all" ]; then
    # The unit tests of clang's optimized code, and the oracles; tests that start many processes or build many cases add
    # nothing.
    again='unit/(harness/(run|analysis|probe|casefile|room)|harness/cli/damage$|backends/(kernels|cpu)/random$)'
    make_build clang "${release[@]}" -DCMAKE_C_COMPILER=clang -DTOUCHSTONE_AUDIT=OFF &&
        TOUCHSTONE_TEST_PART=$(part_of 3) TOUCHSTONE_CHANGES=60 tests_of clang -L unit -E "^$again"
    installed=$build/release/installed
    say "the rest, side by side"
    begin windows windows
    begin same-digest same_digest
    for vendor in $("$root/scripts/setup-vendors.sh" --list | cut -d ' ' -f 1 | sed 's/:$//' | sort -u); do
        # All that its page lists, and a part of tier quick: OpenVINO compiles a model for nearly each case, JAX one for each
        # combination of shapes. These parts stay the same: a fault that nobody has seen there is found by a whole run.
        sample=()
        case $vendor in openvino) sample=(1/144) ;; jax) sample=(3/160) ;; mlx) sample=(1/16) ;; webnn) sample=(1/12) ;;
            onnxruntime-openvino) sample=(1/120) ;; esac
        [ -z "${TOUCHSTONE_WHOLE:-}" ] || sample=()
        [ "$vendor" != openvino-windows ] || continue # below, behind windows
        begin "vendor-$vendor" bash "$root/scripts/vendors-test.sh" "$installed" "$vendor" "${sample[@]}"
    done
    begin arm64 env TOUCHSTONE_BUILD="$build/arm64" bash "$root/scripts/arm64-test.sh" "$installed"
    begin packages bash "$root/scripts/package-test.sh" "$build/release"
    begin browser-with-100000-findings browser
    begin browser-with-real-runs browser_of_runs
    begin sarif-schema bash "$root/scripts/sarif-test.sh" "$installed"
    begin sweep-through-slurm bash "$root/scripts/slurm-test.sh" "$installed"
    begin shellcheck scripts_are_clean
    begin docs bash "$root/scripts/docs-output.sh" --check "$installed"
    begin interoperability-page bash "$root/scripts/interoperability.sh" --check
    begin audit-quick audit_of_quick
    # In the folder that windows has built.
    begin directml after windows env TOUCHSTONE_BUILD="$build" bash "$root/scripts/directml-test.sh"
    begin vendor-openvino-windows after directml env TOUCHSTONE_WINDOWS="$build/windows" \
        bash "$root/scripts/vendors-test.sh" "$installed" openvino-windows
    finish
fi

echo
echo "took $(($(date +%s) - started)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]

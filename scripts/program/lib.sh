# SPDX-License-Identifier: Apache-2.0
# Shared by the files beside it. Each tests the program that is installed under PREFIX, as its users see it: exit
# statuses, messages, files.
#
#   bash scripts/program/FILE.sh PREFIX [TEST...]
#
# runs the tests of FILE.sh, or those that are named. A test is a function: test_NAME, or slow_NAME where only
# `scripts/test.sh --all` waits for it. CMake finds these functions and makes each a test of ctest,
# program/FILE/NAME, with dashes for underscores; no other line names them.
#
# Exit status: 0 nothing failed; 1 something did; 77 all that ran was skipped; 64 wrong usage.
# shellcheck shell=bash
set -uo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

case ${1:-} in
'' | -*) die 64 "expected the PREFIX that Touchstone is installed under, and perhaps names of tests" ;;
esac
prefix=$(cd "$1" && pwd) || die 64 "$1: no such folder"
touchstone=$prefix/bin/touchstone
[ -x "$touchstone" ] || die 64 "$touchstone: no program there"
# shellcheck disable=SC2034 # cases.sh uses it
cases=$prefix/share/touchstone/cases
check=$TOUCHSTONE_ROOT/scripts/json-check.lua
export PATH="$prefix/bin:$PATH"
unset TOUCHSTONE_CASES TOUCHSTONE_BACKENDS

work=$(mktemp -d "${TMPDIR:-/tmp}/touchstone-program.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# ---- what a test asks for -------------------------------------------------------------------------------------------

fail() {
    printf '  %s\n' "$*"
    exit 1
}

skip() {
    printf '%s\n' "$*"
    exit 77
}

# STATUS COMMAND...: run it, with its outputs in `out` and `err`, and demand the exit status. No test waits for ever.
expect() {
    local wanted=$1 status=0
    shift
    timeout -k 5 300 "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] && return
    printf '  $ %s\n  ended with %s instead of %s\n' "$*" "$status" "$wanted"
    sed 's/^/  out| /' out | head -n 12
    sed 's/^/  err| /' err | head -n 12
    exit 1
}

# FILE PATTERN...: every extended regular expression is found in it.
holds() {
    local file=$1 wanted
    shift
    for wanted in "$@"; do
        grep -Eq -e "$wanted" "$file" && continue
        printf '  %s does not hold /%s/, but:\n' "$file" "$wanted"
        sed 's/^/    | /' "$file" | head -n 12
        exit 1
    done
}

# STATUS PATTERN... -- COMMAND...: it refuses with this status, says why on standard error in one or two lines without
# a word on standard output, and leaves no file.
refuses() {
    local wanted=$1 patterns=() before
    shift
    while [ "$1" != -- ]; do
        patterns+=("$1")
        shift
    done
    shift
    : >out
    : >err
    before=$(find . | sort)
    expect "$wanted" "$@"
    holds err "${patterns[@]}"
    [ ! -s out ] || fail "it wrote to standard output: $(head -n 1 out)"
    [ "$(wc -l <err)" -le 3 ] || fail "the message has $(wc -l <err) lines"
    [ "$(find . | sort)" = "$before" ] || fail "it left files: $(find . | sort | tr '\n' ' ')"
}

# ---- what tests of several files share ------------------------------------------------------------------------------

list_names_of_tests() {
    "$touchstone" list --tier full | awk '/^ *[0-9]+  [a-z_0-9.]+:/ { print $2 }'
}

# The names of all tests of tier full, one a line. To list them takes seconds: install.sh left them beside PREFIX.
names_of_tests() {
    if [ -s "$prefix.tests" ]; then
        cat "$prefix.tests"
    else
        list_names_of_tests
    fi
}

# FAULT OUT QUERY...: a run of the saboteur.
sabotage() {
    local fault=$1 out=$2
    shift 2
    touchstone run -b faulty --backend-opt "fault=$fault" -o "$out" "$@" >/dev/null
}

# The ids of all findings are the same.
same_findings() {
    local file
    for file in "$@"; do
        touchstone lua "$check" "$file" 'for _, f in ipairs(r.findings) do print(f.case) end return true' | sort >"$file.ids"
    done
    cmp "$1.ids" "$2.ids" || fail "$1 and $2 have other findings"
    [ -s "$1.ids" ] || fail "there are no findings"
}

# RUN: until some of its cases are done.
wait_until_begun() {
    for _ in $(seq 600); do
        touchstone status "$1" --json >now.json 2>/dev/null &&
            touchstone lua "$check" now.json 'r.done > 0' >/dev/null 2>&1 && return
        sleep 0.05
    done
    fail "$1 does not begin"
}

# COMMAND...: run it where the disk is full after 64 KiB.
on_a_small_disk() {
    if [ "$(id -u)" = 0 ] && mkdir -p disk && mount -t tmpfs -o size=128k,mode=777 touchstone-test disk 2>/dev/null; then
        trap 'umount "$work"/*/disk 2>/dev/null || true' EXIT
        "$@"
    else
        mkdir -p disk
        (
            ulimit -f 128
            trap '' XFSZ
            "$@"
        )
    fi
}

# ---- running them ---------------------------------------------------------------------------------------------------

# FUNCTION: run it in a folder of its own. What it returns is the test's status.
run_test() {
    local name=${1#*_} status=0 started seconds
    name=${name//_/-}
    mkdir -p "$work/$name/tmp"
    started=$(date +%s%N)
    (
        set -e
        cd "$work/$name"
        export TMPDIR="$work/$name/tmp"
        "$1"
        [ -z "$(ls -A tmp)" ] || fail "temporary files are left: $(ls -A tmp)"
    ) >"$work/$name/log" 2>&1
    status=$?
    seconds=$((($(date +%s%N) - started) / 10000000))
    seconds=$((seconds / 100)).$(printf %02d $((seconds % 100)))
    case $status in
    0)
        printf 'ok       %s (%s s)\n' "$name" "$seconds"
        sed -n '/^  skipped: /p' "$work/$name/log"
        ;;
    77) printf 'skipped  %s: %s\n' "$name" "$(tail -n 1 "$work/$name/log")" ;;
    *)
        printf 'FAILED   %s (%s s)\n' "$name" "$seconds"
        cat "$work/$name/log"
        ;;
    esac
    rm -rf "${work:?}/$name"
    return $status
}

# PREFIX [TEST...]: the last line of each file, which ends with the status of this.
run_tests() {
    local name function functions=() passed=0 failed=0 skipped=0
    shift
    for name in "$@"; do
        function=$(declare -F "test_${name//-/_}" || declare -F "slow_${name//-/_}") ||
            die 64 "'$name' is no test of this file"
        functions+=("$function")
    done
    [ $# -gt 0 ] || mapfile -t functions < <(declare -F | sed -n 's/^declare -f \(\(test\|slow\)_\)/\1/p')
    for function in "${functions[@]}"; do
        run_test "$function"
        case $? in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
    done
    [ $((passed + failed + skipped)) = 1 ] || echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] || return 1
    [ "$passed" -gt 0 ] || return 77
}

# A case with a call before it whose output ends at a guard page: of all that write-past-end makes fail, it ends the process.
# shellcheck disable=SC2034
written_to_guard=dml.gather:drawn_after:rank=7,dtype=u64,index_dtype=i32,axis=3,index_dims=2,out_layout=strides,fill=bits,indices_extra=15,sign=2,size=1.8.1.1.33.2.7,out_size=8.1.1.1.33.2.7
written_to_guard+=,in_stride=11617.1452.70.1452.44.22.3,indices_stride=1.0.1.4294967295.1.2.1,out_stride=1985.7.1981.1981.60.30.3,indices_base=29,out_base=0,before=out_layout,times=2,how=negated,which=10

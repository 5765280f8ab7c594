#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vendors-test.sh PREFIX NAME
#
# Sets the library of one vendor up by scripts/setup-vendors.sh, runs tier quick against it with the program that was
# installed under PREFIX, and holds that what is known of it (backends/NAME/README.md) comes out, and nothing else.
#
# Exit status: 0 it does; 1 it does not; 77 the library cannot be had here; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# = 2 ] || die 64 "expected PREFIX, where touchstone is installed, and the name of a vendor"
[ -x "$1/bin/touchstone" ] || die 64 "there is no $1/bin/touchstone"
touchstone=$1/bin/touchstone
name=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

problem() {
    echo "vendors-test: $*"
    failures=$((failures + 1))
}

# LABEL STATUS OPTION...: a run of tier quick that has to end with STATUS; kept as $work/LABEL.run, its words in LABEL.txt.
quick() {
    local label=$1 wanted=$2 status=0
    shift 2
    timeout 170 "$touchstone" run -b "$name" --tier quick -q -o "$work/$label.run" "$@" >"$work/$label.txt" \
        2>"$work/$label.err" </dev/null || status=$?
    sed 's/^/    /' "$work/$label.txt" "$work/$label.err" | head -n 60
    [ "$status" = "$wanted" ] || problem "the run '$label' ended with status $status; expected $wanted"
}

# LABEL PATTERN: a line of what the run has printed; and one that it has not.
says() {
    grep -qE -- "$2" "$work/$1.txt" || problem "the run '$1' does not say: $2"
}
never_says() {
    ! grep -E -- "$2" "$work/$1.txt" || problem "the run '$1' says so"
}

# What is known of each vendor, in a function of its name.
test_onnxruntime() {
    # 2: what has too many elements to be packed is unsupported
    quick default 2 --waivers "$TOUCHSTONE_ROOT/backends/onnxruntime/known.lua"
    says default ' failed 0, waived [1-9]'
    says default '^incomplete: it did not run what it owed'
    never_says default '^waiver [0-9]+ (stale|unexpected-pass|expired)'
}

# Its three ways of computing a layer. Each fails in what its page lists, ends no run, and writes nothing that is not
# its own; ended processes are the suite's to survive.
test_openvino() {
    local mode
    for mode in run const core; do
        quick "$mode" 1 --backend-opt "mode=$mode" --max-findings 20
        grep -q '^owed 5[0-9]*, ran 5[0-9]*, passed 3' "$work/$mode.txt" || problem "mode $mode did not run what it owed"
        for verdict in mismatch rejected-valid crash; do
            grep -q "^  $verdict " "$work/$mode.txt" || problem "mode $mode has no case of $verdict"
        done
        for verdict in wrote-outside modified-input hang lost; do
            grep -q "^  $verdict " "$work/$mode.txt" && problem "mode $mode has cases of $verdict"
        done
    done
    grep -q '^  accepted-invalid ' "$work/run.txt" || problem "mode run refuses shrink steps out of range"
    grep -q '^  accepted-invalid ' "$work/core.txt" && problem "mode core accepts what is illegal"
    return 0
}

declare -F "test_$name" >/dev/null || die 64 "there is no test of a vendor '$name'"
status=0
"$TOUCHSTONE_ROOT/scripts/setup-vendors.sh" "$name" || status=$?
[ "$status" = 0 ] || {
    echo "the library of $name cannot be had here"
    exit 77
}
"test_$name"
[ "$failures" = 0 ]

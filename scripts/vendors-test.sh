#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vendors-test.sh PREFIX NAME
#
# Installs the library of vendor NAME by scripts/setup-vendors.sh, runs tier quick on it with the program installed
# under PREFIX, and checks that the known failures (backends/NAME/README.md) occur and no others.
#
# Exit status: 0 passed; 1 failed; 77 the library is not available for this machine; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# = 2 ] || die 64 "expected PREFIX, where Touchstone is installed, and the name of a vendor"
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

# quick LABEL STATUS OPTION...: runs tier quick, which must end with STATUS, to $work/LABEL.run; output to LABEL.txt.
quick() {
    local label=$1 wanted=$2 status=0
    shift 2
    timeout 170 "$touchstone" run -b "$name" --tier quick -q -o "$work/$label.run" "$@" >"$work/$label.txt" \
        2>"$work/$label.err" </dev/null || status=$?
    sed 's/^/    /' "$work/$label.txt" "$work/$label.err" | head -n 60
    [ "$status" = "$wanted" ] || problem "run '$label': status $status, expected $wanted"
}

# says LABEL PATTERN: the output of the run has such a line; never_says: it has none.
says() {
    grep -qE -- "$2" "$work/$1.txt" || problem "run '$1': expected in its output: $2"
}
never_says() {
    ! grep -E -- "$2" "$work/$1.txt" || problem "run '$1': unexpected output"
}

# The known failures of each vendor, one function per vendor.
test_onnxruntime() {
    quick default 0 --waivers "$TOUCHSTONE_ROOT/backends/onnxruntime/known.lua"
    says default ' failed 0, waived [1-9]'
    says default '^conformant in tier quick except for waived failures'
    never_says default '^waiver [0-9]+ (stale|unexpected-pass|expired)'
}

# openvino_case MASKS CASE VERDICT MODE...: a case of OpenVINO (StridedSlice unless it names an operator) that must have
# this verdict in these modes.
openvino_case() {
    local masks=$1 case=$2 verdict=$3 mode
    shift 3
    case $case in dml.*) ;; *) case=openvino.strided_slice:$case ;; esac
    for mode in "$@"; do
        rm -f "$work/case.run"
        timeout 60 "$touchstone" run -b openvino --backend-opt "mode=$mode" --backend-opt "masks=$masks" -q -j 1 \
            -o "$work/case.run" "$case" >"$work/case.txt" 2>&1 </dev/null || true
        grep -Eq "^  $verdict  *1\$|^planned 1, ran 1, ${verdict}ed 1, " "$work/case.txt" || problem "$case is not $verdict in mode $mode"
    done
}

# OpenVINO in its three modes: each line of its page, and tier quick, in which no case writes outside of its output and
# only known failures occur. The suite must survive that OpenVINO ends processes.
test_openvino() {
    local mode verdict
    for mode in run const core; do
        quick "$mode" 1 --backend-opt "mode=$mode" --max-findings 20
        for verdict in wrote-outside modified-input hang lost; do
            ! grep "^  $verdict " "$work/$mode.txt" || problem "mode $mode has cases of $verdict"
        done
        quick "known-$mode" 0 --backend-opt "mode=$mode" --backend-opt masks=padded --max-findings 20 \
            --waivers "$TOUCHSTONE_ROOT/backends/openvino/known-$mode.lua" 'openvino.*'
        says "known-$mode" '^conformant in what was run except for waived failures'
    done
    ! grep '^  accepted-invalid ' "$work/const.txt" "$work/core.txt" || problem "an illegal descriptor is accepted"
    openvino_case given examples:example=b5-mask-lengths rejected-valid run const core
    openvino_case given mask_lengths:more=3 rejected-valid run const core
    openvino_case given mask_lengths:more=1,end=-1,begin_mask=1 mismatch run const
    openvino_case given special:rank=1,dtype=i64,fill=bits mismatch run const core
    openvino_case given special:rank=1,dtype=u32,fill=bits mismatch core
    openvino_case given special:rank=1,dtype=f64,fill=bits mismatch run const core
    openvino_case given special:rank=1,dtype=f16,fill=special mismatch run const core
    openvino_case given special:fill=special mismatch core
    openvino_case padded examples:example=b12-shrink-begin-mask mismatch run const
    openvino_case padded examples:example=b11-shrink-beyond accepted-invalid run
    openvino_case given dimensions:rank=4,steps=2,size=2.1.2.2,kind=new.shrink,begin=0.-1 mismatch run const
    openvino_case padded examples:example=ellipsis-new-axis-10d-of-2 mismatch run
    openvino_case given examples:example=stride-zero crash run
    openvino_case given boundary:long=1,size=1.1,begin=1,end=9223372036854775807 mismatch run
    openvino_case given sentinels:rank=1,stride=2147483648 mismatch run
    openvino_case given sentinels:rank=1,stride=-2147483649,end_mask=1 mismatch const
    openvino_case given masks:rank=1,steps=2,size=4,kind=shrink.ellipsis,begin=1.1,end=-1.-1,also=0.1 crash const core
    openvino_case given masks:rank=3,size=4.3.5,kind=ellipsis,begin=1,end=-1,also=1 mismatch core
    openvino_case given exhaustive:size=0.3,stride=-1,end_mask=1 mismatch core
    openvino_case given dml.gather:examples:example=1,dtype=u8 read-outside run const
    openvino_case given dml.gather:examples:example=scalar-index pass run const core
}

declare -F "test_$name" >/dev/null || die 64 "there is no test for vendor '$name'"
status=0
"$TOUCHSTONE_ROOT/scripts/setup-vendors.sh" "$name" || status=$?
[ "$status" = 0 ] || {
    echo "the library of $name is not available on this machine"
    exit 77
}
"test_$name"
# Compared with another backend.
status=0
timeout 170 "$touchstone" compare -q -b cpu -b "$name" 'dml.slice1:examples' 'dml.gather:examples' \
    >"$work/compare.txt" 2>&1 </dev/null || status=$?
[ "$status" -le 1 ] || problem "the comparison with cpu ended with status $status; expected 0 or 1"
says compare '^may be relied on everywhere: [1-9]'
[ "$failures" = 0 ]

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# vendors-test.sh PREFIX NAME [SHARD]
#
# Installs the library of vendor NAME by scripts/setup-vendors.sh, runs tier quick on it with the program installed
# under PREFIX, and checks that each known failure (the table of the page of its backend, and its waivers) occurs, with
# its smallest case, and that no other does. With SHARD, only that part of tier quick is run, beside all that is listed.
#
# Exit status: 0 passed; 1 failed; 77 the library is not available for this machine; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# = 2 ] || [ $# = 3 ] ||
    die 64 "expected PREFIX, where Touchstone is installed, the name of a vendor, and perhaps a shard such as 1/4"
[ -x "$1/bin/touchstone" ] || die 64 "there is no $1/bin/touchstone"
touchstone=$1/bin/touchstone
name=$2
sharded=()
[ $# = 2 ] || sharded=(--shard "$3")
# A vendor whose name has a second part is a provider of another backend, which has a page beside that one's.
backend=${name%%-*}
page=$TOUCHSTONE_ROOT/backends/$backend/README.md
[ "$backend" = "$name" ] || page=$TOUCHSTONE_ROOT/backends/$backend/${name#*-}.md
run_on=(-b "$backend")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

problem() {
    echo "vendors-test: $*"
    failures=$((failures + 1))
}

# listed MODE OPTION...: replace the run of the mode, which is a shard, by one of all known failures.
listed() {
    local mode=$1 queries
    shift
    mapfile -t queries < <(known_cases "$page" "$mode")
    rm -f "$work/$mode.run"
    timeout 600 "$touchstone" run --shrink 0 "${run_on[@]}" -q -o "$work/$mode.run" --max-findings 50 "$@" "${queries[@]}" \
        >"$work/$mode-listed.txt" 2>&1 </dev/null || true
}

# The options that choose the provider, where the vendor is one.
provider=()

# How many of 100 cases the adapter may not support.
most_unsupported=3

# The operators whose tier quick is run, where it is not that of all.
operators=()

# How many failures that no waiver covers may pass alone: what a known defect writes to other memory fails a later call.
most_left_behind=0

# left_behind MODE OPTION...: the run's failures that no waiver covers are few, of verdicts that damaged memory gives, and
# each of them passes alone; and the backend supports as many cases as ever.
left_behind() {
    local mode=$1 id ids
    shift
    [ "$most_left_behind" -gt 0 ] && "$touchstone" report "$work/$mode.run" --json "$work/$mode.json" || return 1
    mapfile -t ids < <(python3 - "$work/$mode.json" <<'END'
import json, sys
for finding in json.load(open(sys.argv[1]))["findings"]:
    if finding["verdict"] in ("crash", "nondeterministic", "accepted-invalid"):
        print(finding["case"])
END
    )
    grep -q " failed ${#ids[@]}, .*waived [1-9]" "$work/$mode.txt" && [ "${#ids[@]}" -le "$most_left_behind" ] || return 1
    awk -v most="$most_unsupported" '/^planned [0-9]/ { fine = $2 * most >= (match($0, / unsupported [0-9]+/) ? substr($0, RSTART + 13, RLENGTH - 13) * 100 : 0) }
        END { exit !fine }' "$work/$mode.txt" || return 1
    for id in "${ids[@]}"; do
        rm -f "$work/alone.run"
        "$touchstone" run --shrink 0 "${run_on[@]}" -q -o "$work/alone.run" "$@" "$id" >/dev/null 2>&1 </dev/null || return 1
        echo "    passes alone: $id"
    done
}

# quick MODE OPTION...: tier quick has the failures that the vendor's page lists for the mode, all of them, and no others.
# A page without modes has the mode "all". Output to $work/MODE.txt.
quick() {
    local mode=$1 waivers=$TOUCHSTONE_ROOT/backends/$backend/known.lua status=0
    [ "$mode" = all ] || waivers=$TOUCHSTONE_ROOT/backends/$backend/known-$mode.lua
    shift
    timeout 1800 "$touchstone" run --shrink 0 "${run_on[@]}" --tier quick -q -o "$work/$mode.run" --max-findings 3 --waivers "$waivers" \
        "${sharded[@]}" "$@" "${operators[@]}" >"$work/$mode.txt" 2>"$work/$mode.err" </dev/null || status=$?
    sed 's/^/    /' "$work/$mode.txt" "$work/$mode.err" | cut -c 1-200 | head -n 30 || true
    if [ "$status" != 1 ] || ! left_behind "$mode" "$@"; then
        # An adapter that packs tensors does not support some that are too large: at most 3 %, which is no failure.
        [ "$status" = 0 ] || few_unsupported "$work/$mode.txt" "$most_unsupported" ||
            problem "tier quick in mode $mode: status $status, expected 0: only known failures"
        says "$mode" ' failed 0, .*waived [1-9]'
        says "$mode" '^(conformant in (tier quick|what was run) except for waived failures|incomplete: the backend does not support [0-9]+ )'
    fi
    [ "${#sharded[@]}" -eq 0 ] || listed "$mode" "$@"
    known_lines_hold "$page" "$mode" "$waivers" "$work/$mode.run" "$touchstone" ||
        problem "mode $mode: the page, the waivers and tier quick do not agree"
}

# says LABEL PATTERN: the output of the run has such a line.
says() {
    grep -qE -- "$2" "$work/$1.txt" || problem "run '$1': expected in its output: $2"
}

# has_verdict VERDICTS LABEL: the run counts cases of one of these verdicts.
has_verdict() {
    grep -E "^  ($1) +[0-9]" "$work/$2.txt"
}

# The known failures of each vendor, one function per vendor.
# SpaceToDepth has one of the two orders of SPACE_TO_DEPTH1.
test_onnxruntime() {
    most_unsupported=5
    quick all
}

# Programs in Python for the backend exec.
worker() {
    run_on=(-b "exec:${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/vendors/$name/worker" --time-limit 60s)
    quick all
}

# The worker answers no calls without data, of which the legal descriptors are many.
test_jax() {
    most_unsupported=15
    worker
}

test_mlx() {
    most_unsupported=5
    worker
}

# WebNN has no negative steps and no batches, and not all types.
test_webnn() {
    most_unsupported=25
    worker
}

# The indices of TensorFlow Lite do not count from the end, its lists have 32 bits, and its GatherND has no batches.
test_litert() {
    most_unsupported=30
    quick all
    ! has_verdict 'wrote-outside|modified-input|crash|hang|lost' all || problem 'LiteRT has cases that are not known'
}

# oneDNN refuses strides with which elements overlap.
test_onednn() {
    most_unsupported=5
    quick all
}

# The WebGPU provider on a driver without a GPU.
test_onnxruntime-webgpu() {
    # shellcheck source=/dev/null
    . "${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/vendors/$name/environment"
    provider=(--backend-opt ep=WebGpuExecutionProvider)
    quick webgpu "${provider[@]}"
    ! has_verdict 'wrote-outside|modified-input|hang' webgpu || problem "WebGPU has other cases than are known"
}

# The OpenVINO provider, which compiles a model for each call.
test_onnxruntime-openvino() {
    # shellcheck source=/dev/null
    . "${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/vendors/$name/environment"
    provider=(--backend-opt ep=OpenVINOExecutionProvider --backend-opt ep-shapes=fixed --time-limit 60s)
    most_unsupported=20 # SpaceToDepth has one of two orders
    quick openvino "${provider[@]}"
    ! has_verdict 'wrote-outside|modified-input|hang' openvino || problem "the provider has other cases than are known"
}

# OpenVINO for Windows, in Wine: the examples of three operators in all three modes, with the waivers of OpenVINO for
# Linux. TOUCHSTONE_WINDOWS is the build for Windows, as for touchstone-wine.
test_openvino-windows() {
    local mode library=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/vendors/$name/openvino/libs/openvino_c.dll
    bash "$TOUCHSTONE_ROOT/scripts/setup-directml.sh" || exit 77
    for mode in run const core; do
        timeout 600 "$TOUCHSTONE_ROOT/scripts/touchstone-wine" run -b openvino --backend-opt "mode=$mode" -q -j 1 --shrink 0 \
            --backend-opt "library=$library" --waivers "$TOUCHSTONE_ROOT/backends/openvino/known-$mode.lua" \
            -o "$work/$mode.run" 'openvino.strided_slice:examples where dtype == f32' \
            'dml.slice1:examples where dtype == f32' 'openvino.gather_8:examples where dtype == f32' >"$work/$mode.txt" 2>&1 </dev/null ||
            problem "mode $mode: status $?, expected 0: only known failures"
        sed 's/^/    /' "$work/$mode.txt" | cut -c 1-200 | head -n 4 || true
        says "$mode" ' failed 0, .*waived [1-9]'
    done
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

# OpenVINO in its three modes: no case writes outside of its output. The suite must survive that OpenVINO ends processes.
test_openvino() {
    local mode verdict
    most_unsupported=5
    for mode in run const core; do
        # Of the gathers of tuples and of elements and of the scatters, const and core have the known failures alone:
        # a model over constants that ends the process takes those behind it along, and not each time.
        [ "$mode" = run ] || operators=('dml.*' openvino.strided_slice openvino.gather_1 openvino.gather_7 openvino.gather_8)
        # Of OV-24, which writes to other memory, a later call may end the process.
        [ "$mode" = run ] && most_left_behind=3 || most_left_behind=0
        quick "$mode" --backend-opt "mode=$mode"
        for verdict in wrote-outside modified-input hang lost; do
            ! has_verdict "$verdict" "$mode" || problem "mode $mode has cases of $verdict"
        done
    done
    # Behind the check of the masks' lengths (OV-1), an example shows OV-12.
    openvino_case padded examples:example=ellipsis-new-axis-10d-of-2 mismatch run
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
# Compared with another backend, where the vendor is a library of this system and has these operators.
if [ "${run_on[1]}" = "$name" ] && [ "$name" != onednn ]; then
    status=0
    timeout 170 "$touchstone" compare -q -b cpu -b "$backend" 'dml.slice1:examples' 'dml.gather:examples' \
        >"$work/compare.txt" 2>&1 </dev/null || status=$?
    [ "$status" -le 1 ] || problem "the comparison with cpu ended with status $status; expected 0 or 1"
    says compare '^may be relied on everywhere: [1-9]'
fi
[ "$failures" = 0 ]

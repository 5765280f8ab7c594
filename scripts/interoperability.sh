#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# interoperability.sh [--runs FOLDER] [--operator OPERATOR] [--check] PREFIX
#
# Makes docs/interoperability.md and docs/interoperability.html: what each implementation does of each operator and data
# type, its defects, and its answers where the specifications leave something open. Runs tier quick on every
# implementation that is set up (scripts/setup-vendors.sh, scripts/setup-directml.sh), with the program installed under
# PREFIX; of OpenVINO, which compiles a model for nearly each case, and of DirectML, which runs in Wine, a twelfth, and of
# JAX, which compiles each combination of shapes, a fortieth. The runs are stored in FOLDER (default:
# ./interoperability-runs); one that is there is used as it is.
#
#   --operator OPERATOR   run the cases of this operator alone, and replace its rows of the page and the defects; what
#                         the page says of other operators stays. FOLDER has to be another one, or empty
#   --check               run nothing: check only that the page has each defect of the vendors' pages, and no other
#
# Exit status: 0 done; 1 a run failed, or the page is not right; 64 wrong usage; 77 no implementation is set up.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

runs=interoperability-runs
check=false
prefix=
operator=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        print_help
        exit 0
        ;;
    --check) check=true ;;
    --runs | --operator)
        [ $# -gt 1 ] || die 64 "$1 needs a value"
        case $1 in --runs) runs=$2 ;; *) operator=$2 ;; esac
        shift
        ;;
    -*) die 64 "unknown option '$1'" ;;
    *)
        [ -z "$prefix" ] || die 64 "unexpected argument '$1'"
        prefix=$1
        ;;
    esac
    shift
done
if $check; then
    python3 "$TOUCHSTONE_ROOT/scripts/interoperability.py" --check "$TOUCHSTONE_ROOT"
    exit
fi
[ -x "$prefix/bin/touchstone" ] || die 64 "there is no $prefix/bin/touchstone: expected PREFIX, where Touchstone is installed"
touchstone=$(realpath "$prefix")/bin/touchstone
mkdir -p "$runs"
vendors=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/vendors
queries=()
if [ -n "$operator" ]; then
    queries=("$operator:*")
    "$touchstone" list "$operator:examples" --count >/dev/null || die 64 "--operator $operator: there is no such operator"
fi

# column NAME PAGE PROGRAM OPTION...: run tier quick on an implementation, unless the run is there.
column() {
    local name=$1 page=$2 program=$3 status=0
    shift 3
    if [ ! -f "$runs/$name.json" ]; then
        say "$name"
        rm -f "$runs/$name.run"
        timeout 3600 "$program" run --tier quick --shrink 0 --max-findings 20 -q -o "$runs/$name.run" "$@" \
            "${queries[@]}" >"$runs/$name.txt" 2>&1 </dev/null || status=$?
        [ "$status" != 2 ] || ! grep -q 'nothing to run: backend' "$runs/$name.txt" || return 0
        [ "$status" -le 2 ] || { tail -n 3 "$runs/$name.txt" >&2 && die 1 "$name: the run ended with status $status"; }
        "$touchstone" report "$runs/$name.run" --json "$runs/$name.json"
    fi
    printf '%s\t%s\n' "$name" "$page" >>"$runs/columns"
}

: >"$runs/columns"
[ ! -d "$vendors/onnxruntime" ] || column onnxruntime backends/onnxruntime/README.md "$touchstone" -b onnxruntime
if [ -d "$vendors/onnxruntime-webgpu" ]; then
    (
        # shellcheck source=/dev/null
        . "$vendors/onnxruntime-webgpu/environment"
        column webgpu backends/onnxruntime/webgpu.md "$touchstone" -b onnxruntime --backend-opt ep=WebGpuExecutionProvider
    )
fi
if [ -d "$vendors/onnxruntime-openvino" ]; then
    (
        # shellcheck source=/dev/null
        . "$vendors/onnxruntime-openvino/environment"
        column openvino-provider backends/onnxruntime/openvino.md "$touchstone" -b onnxruntime --time-limit 60s \
            --backend-opt ep=OpenVINOExecutionProvider --backend-opt ep-shapes=fixed --shard 5/12
    )
fi
if [ -d "$vendors/openvino" ]; then
    for mode in run const core; do
        column "openvino-$mode" backends/openvino/README.md "$touchstone" -b openvino --backend-opt "mode=$mode" \
            --shard 5/12
    done
fi
[ ! -d "$vendors/litert" ] || column litert backends/litert/README.md "$touchstone" -b litert
[ ! -d "$vendors/onednn" ] || column onednn backends/onednn/README.md "$touchstone" -b onednn
[ ! -d "$vendors/mlx" ] || column mlx backends/mlx/README.md "$touchstone" -b "exec:$vendors/mlx/worker" --time-limit 60s
[ ! -d "$vendors/webnn" ] ||
    column webnn backends/webnn/README.md "$touchstone" -b "exec:$vendors/webnn/worker" --time-limit 60s
[ ! -d "$vendors/jax" ] ||
    column jax backends/jax/README.md "$touchstone" -b "exec:$vendors/jax/worker" --time-limit 60s --shard 3/40
export PYTHONPATH=$TOUCHSTONE_ROOT/backends/exec/python/src
if /usr/bin/python3 -c 'import torch, numpy' 2>/dev/null; then
    column pytorch backends/pytorch/README.md "$touchstone" --time-limit 60s \
        -b "exec:/usr/bin/python3 $TOUCHSTONE_ROOT/backends/pytorch/worker.py"
fi
if python=$(find_python numpy); then
    column numpy backends/exec/python/README.md "$touchstone" --time-limit 60s \
        -b "exec:$python $TOUCHSTONE_ROOT/backends/exec/python/examples/numpy_worker.py"
fi
if ls -d "${XDG_CACHE_HOME:-$HOME/.cache}"/touchstone/directml-* >/dev/null 2>&1; then
    column directml backends/directml/README.md "$TOUCHSTONE_ROOT/scripts/touchstone-wine" -b directml \
        --shard 5/12
fi
[ -s "$runs/columns" ] || die 77 "no implementation is set up: scripts/setup-vendors.sh"
python3 "$TOUCHSTONE_ROOT/scripts/interoperability.py" "$TOUCHSTONE_ROOT" "$runs" ${operator:+"$operator"}

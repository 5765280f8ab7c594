#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# directml-test.sh
#
# Sets up Microsoft's DirectML (scripts/setup-directml.sh), builds touchstone.exe in $TOUCHSTONE_BUILD/windows or
# ./build-windows, and tests the directml backend and scripts/touchstone-wine with it.
#
# Exit status: 0 passed; 1 failed; 77 DirectML cannot be set up on this machine; 64 wrong usage.
set -uo pipefail
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

export TOUCHSTONE_WINDOWS=${TOUCHSTONE_BUILD:+$TOUCHSTONE_BUILD/windows}
export TOUCHSTONE_WINDOWS=${TOUCHSTONE_WINDOWS:-$TOUCHSTONE_ROOT/build-windows}
status=0
bash "$TOUCHSTONE_ROOT/scripts/setup-directml.sh" || status=$?
case $status in
0) ;;
2)
    echo 'DirectML cannot be set up on this machine'
    exit 77
    ;;
*) exit 1 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

touchstone() {
    timeout 300 "$TOUCHSTONE_ROOT/scripts/touchstone-wine" "$@" </dev/null
}

# expect STATUS ARGUMENT...: runs touchstone, with standard output to ./out and standard error to ./err.
expect() {
    local want=$1 got=0
    shift
    touchstone "$@" >out 2>err || got=$?
    [ "$got" = "$want" ] || {
        fail "status $got instead of $want: touchstone $*"
        tail -n 5 out err
    }
}

holds() { # FILE PATTERN...
    local file=$1 pattern
    shift
    for pattern in "$@"; do
        grep -Eq -- "$pattern" "$file" || {
            fail "'$pattern' is missing in:"
            head -n 40 "$file"
        }
    done
}

say 'backend information'
expect 0 backends -v
holds out '^directml +1\.15\.4\.0, Microsoft, .*wine 1[0-9].*llvmpipe.*, feature level 6_4'

say 'options'
expect 64 run -b directml --backend-opt adapter=nobody -o x.run dml.slice1:examples
holds err "adapter=nobody: there is no such adapter; 0 is 'llvmpipe"
expect 64 run -b directml --backend-opt dll=none.dll -o x.run dml.slice1:examples
holds err 'dll=none\.dll cannot be loaded'
expect 64 run -b directml --backend-opt target=9_9 -o x.run dml.slice1:examples
holds err 'target=9_9 is not a feature level: expected one of 1_0, .*6_4'

say 'SLICE1: the fault of cropped rows'
expect 1 run -b directml --backend-opt disable_meta_commands=1 -o slice1.run dml.slice1:examples
holds out '^  dml\.slice1:examples where example == "cropped-rows"$' '^  mismatch dml\.slice1:drawn:.*  SL-10$' \
    'It should come from InputTensor\[[0-9,]*\]; it came from InputTensor\[' \
    "^  touchstone run 'dml\.slice1:drawn:.*' -b directml --backend-opt disable_meta_commands=1"

say 'GATHER: a case ends the process, and the run continues'
expect 1 run -b directml -o gather.run 'dml.gather:examples where dtype == f32'
holds out '^planned 19, ran 19, .*failed 1, ambiguous 3' '^crash dml\.gather:examples:example=leading-index-dimensions-of-one  ABI-01$' \
    'the backend ended with status 0xC0000409' '^  E-GA-10: another known interpretation \(flat clamp\)'

say 'cases with a missing number are not planned'
expect 0 run -b directml -o number.run 'dml.random_generator:invalid-RG-0*'
holds out '^conformant'

part=$(part_of 18)
say "tier quick, part $part: known failures, and no others"
known=$TOUCHSTONE_ROOT/backends/directml/known.lua
status=0
timeout 1800 "$TOUCHSTONE_ROOT/scripts/touchstone-wine" run -b directml --tier quick --shard "$part" --shrink 0 -o quick.run \
    --waivers "$known" >out 2>err </dev/null || status=$?
[ "$status" = 0 ] || few_unsupported out || fail "tier quick: status $status, expected 0: only known failures"
head -n 30 out | cut -c 1-200
holds out '^planned [0-9]+, ran [0-9]+, passed [0-9]+, failed 0, '

say 'each known failure'
page=$TOUCHSTONE_ROOT/backends/directml/README.md
mapfile -t cases < <(known_cases "$page" all)
touchstone run -b directml --shrink 0 --max-findings 50 -o known.run "${cases[@]}" >out 2>&1
known_lines_hold "$page" all "$known" known.run touchstone || fail 'the page, the waivers and these cases do not agree'

say 'two runs at once'
touchstone run -b directml -o one.run dml.random_generator:pairwise >one 2>&1 &
touchstone run -b directml -o two.run dml.random_generator:pairwise >two 2>&1
wait
holds one '^conformant'
holds two '^conformant'
[ "$(grep '^digest' one)" = "$(grep '^digest' two)" ] || fail 'two runs of the same cases have different digests'

say 'descriptors of operators that are only checked'
timeout 300 "$TOUCHSTONE_ROOT/scripts/bench/descriptors.sh" --rows descriptors.csv dml.gemm dml.convolution >out 2>&1 </dev/null ||
    fail 'descriptors.sh failed'
holds out '^dml\.gemm +2[0-9][0-9] asked, +2[0-9][0-9] agree \(100\.0 %\)' \
    '^dml\.convolution +3[0-9][0-9] asked, +3[0-9][0-9] agree \(9[0-9]\.[0-9] %\)' \
    'dml\.convolution refused crashed \[OP-01\] Strides 1$' # DirectML reads a null pointer

say 'models of DxDispatch'
status=0
timeout 300 "$TOUCHSTONE_ROOT/scripts/bench/models.sh" >out 2>err </dev/null || status=$?
case $status in
0) holds out '^25 models, 21 operators, 21 agree; 4 dispatchables are no operators of DirectML$' ;;
2) tail -n 1 err ;; # not all machines may fetch them
*) fail "models.sh: status $status" && cat out err ;;
esac
touchstone export dml.slice1:examples:example=2 --dxdispatch -o slice1.json >out 2>&1
echo '{ "operator": "dml.gemm", "descriptor": { "TransA": "NONE", "TransB": "NONE", "Alpha": 1, "Beta": 1,
    "ATensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 2, 3] }, "BTensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 4, 2] },
    "OutputTensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 2, 2] } } }' >gemm.json
timeout 300 "$TOUCHSTONE_ROOT/scripts/bench/models.sh" slice1.json gemm.json >out 2>&1 </dev/null ||
    fail 'models.sh: one does not agree'
holds out '^slice1\.json .* accepted by the checker, accepted by DirectML$' \
    '^gemm\.json .* refused by the checker, refused by DirectML: OP-' '^2 models, 2 operators, 2 agree'
echo '{ "operator": "dml.average_pooling", "descriptor": {
    "InputTensor": { "DataType": "FLOAT32", "Sizes": [1, 1, 8, 8] }, "OutputTensor": { "Sizes": [1, 1, 5, 5] },
    "DimensionCount": 2, "Strides": [2, 2], "WindowSize": [2, 2], "StartPadding": [0, 0], "EndPadding": [0, 0],
    "IncludePadding": false } }' >pooling.json # DirectML takes any spatial size
timeout 300 "$TOUCHSTONE_ROOT/scripts/bench/models.sh" pooling.json >out 2>&1 </dev/null &&
    fail 'models.sh: a disagreement has status 0'
holds out 'refused by the checker, accepted by DirectML: OP-11' '^1 models, 1 operators, 0 agree'

say 'a killed run'
"$TOUCHSTONE_ROOT/scripts/touchstone-wine" run -b directml --tier full -o "$work/killed.run" dml.slice1:exhaustive \
    >out 2>&1 </dev/null &
runner=$!
for _ in $(seq 100); do
    [ -s killed.run ] && break
    sleep 0.2
done
[ -s killed.run ] || fail 'the run to be killed does not start'
kill -KILL $runner
wait $runner 2>/dev/null
for _ in $(seq 50); do
    pgrep -f "$work/killed.run" >/dev/null || break
    sleep 0.2
done
pgrep -af "$work/killed.run" && fail 'a killed run leaves processes behind'
grep -q "$work" /proc/mounts && fail 'a killed run leaves mounts behind'

[ "$failed" = 0 ] && echo 'directml-test: passed'
exit "$failed"

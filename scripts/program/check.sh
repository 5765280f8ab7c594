#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone check, and what eval and explain read as it does.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# check, eval and explain read the same records, and refuse the same ones in the same words.
test_reads_records_as_eval_and_explain_do() {
    local verb file quiet
    cat >good.lua <<'L'
local function slice(stride)
  return { operator = "dml.slice1", inputs = { InputTensor = {1, 2, 3, 4} }, descriptor = {
    InputTensor = { DataType = "FLOAT32", Sizes = {4} },
    InputWindowOffsets = {0}, InputWindowSizes = {4}, InputWindowStrides = {stride} } }
end
return { slice(2), slice(-1) }
L
    cat >good.json <<'J'
[ { "operator": "dml.slice1", "inputs": { "InputTensor": [1, 2, 3, 4] }, // a comment
    "descriptor": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [4] },
      "InputWindowOffsets": [0], "InputWindowSizes": [4], "InputWindowStrides": [2] } }, ]
J
    sed 's/"InputWindowStrides": \[2\]/"InputWindowStrides": [0]/' good.json >invalid.json
    for verb in check eval explain; do
        expect 0 touchstone $verb good.lua good.json
        expect 1 touchstone $verb good.lua invalid.json
        holds out 'SL-07'
        expect 0 bash -c "touchstone $verb - <good.json"
    done
    sed 's/"InputWindowStrides": \[2\]/"InputWindowStrides": [-9223372036854775808]/' good.json >range.json
    for verb in check eval explain; do
        expect 1 touchstone $verb range.json
        holds out 'TYPE-01 .*InputWindowStrides\[0\] = -9223372036854775808 is out of'
    done
    echo '{ "operator": "dml.slice1",' >cut.json
    sed 's/"DataType"/"DataTypo"/' good.json >field.json
    sed 's/} }, \]/}, "colour": 1 }, ]/' good.json >colour.json
    sed 's/\[2\]/["two"]/' good.json >word.json
    echo 'return 1' >number.lua
    echo 'return { { operator = "dml.slice1", descriptor = {} }, { descriptor = {} } }' >operator.lua
    for file in cut.json field.json colour.json word.json number.lua operator.lua absent.json absent.lua; do
        for verb in check eval explain; do # check goes on where the others stop, so quietly
            quiet=
            [ $verb != check ] || quiet=-q
            refuses 64 "^touchstone $verb: $file" -- touchstone $verb good.lua $file $quiet
            sed "s/^touchstone $verb: //" err >$verb.err
            cmp check.err $verb.err || fail "check and $verb refuse $file in other words"
        done
        rm -f ./*.err
    done
}

run_tests "$@"

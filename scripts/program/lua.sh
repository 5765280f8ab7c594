#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone lua.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_evaluates_descriptors() {
    cat >sketch.lua <<'L'
local r = ts.eval("dml.slice1",
  { InputTensor  = { DataType = "FLOAT32", Sizes = {1,1,4,4} }, OutputTensor = { DataType = "FLOAT32", Sizes = {1,1,2,2} },
    InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,-2,2} },
  { InputTensor = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16} })
print(r.status, table.concat(r.outputs[1].data, " "))
local data = {}
for i = 1, 24 do data[i] = i - 1 end
local s = ts.eval("openvino.strided_slice",
  { data = { type = "i32", shape = {2,3,4} }, begin = {1,1,123}, ["end"] = {0,0,2}, stride = {1,1,-1},
    begin_mask = {0,1,1}, end_mask = {1,1,1} }, { data = data })
print(s.status, table.concat(s.outputs[1].sizes, " "), table.concat(s.outputs[1].data, " "))
local bad = ts.eval("dml.slice1",
  { InputTensor  = { DataType = "FLOAT32", Sizes = {1,1,4,4} }, OutputTensor = { DataType = "FLOAT32", Sizes = {1,1,2,2} },
    InputWindowOffsets = {0,0,0,2}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,2,2} }, {})
print(bad.status, #bad.clauses > 0)
print(#arg, arg[1])
L
    expect 0 touchstone lua sketch.lua word
    cat >wanted <<'T'
ok	14.0 16.0 6.0 8.0
ok	1 3 4	15 14 13 12 19 18 17 16 23 22 21 20
invalid	true
1	word
T
    sed 's/\.0\b//g' wanted >a
    sed 's/\.0\b//g' out >b
    diff a b || fail "the sketch gives something else"
    echo 'os.exit(7)' >seven.lua
    expect 7 touchstone lua seven.lua
    echo 'error("my own words")' >error.lua
    expect 1 touchstone lua error.lua
    holds err 'error.lua:1: my own words'
}

run_tests "$@"

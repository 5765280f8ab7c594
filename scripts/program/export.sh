#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone export: models for ONNX, OpenVINO and DxDispatch.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_onnx() {
    expect 0 touchstone export dml.slice1:examples:example=2 --onnx -o case
    [ "$(find case -type f | sort | tr '\n' ' ')" = "case/model.onnx case/test_data_set_0/input_0.pb \
case/test_data_set_0/input_1.pb case/test_data_set_0/input_2.pb case/test_data_set_0/input_3.pb \
case/test_data_set_0/output_0.pb " ] || fail "other files than those of ONNX's tests: $(find case)"
    grep -q Slice case/model.onnx || fail "no Slice in the model"
    expect 0 touchstone export dml.slice1:examples:example=2 --onnx -o case
    refuses 64 'no such operator' -- touchstone export dml.random_generator:examples:example=zero --onnx -o r
    refuses 64 'IndicesTensor has to be INT32 or INT64' -- touchstone export dml.gather:examples:example=1 --onnx -o g
    refuses 64 'have to refuse it' -- touchstone export dml.slice1:invalid-SL-02-strides:default --onnx -o i
    refuses 64 'with -o' -- touchstone export dml.slice1:examples:example=2 --onnx
    refuses 64 'one format' -- touchstone export dml.slice1:examples:example=2 --onnx --dxdispatch
    refuses 64 'nowhere/case' -- touchstone export dml.slice1:examples:example=2 --onnx -o nowhere/case
}

# IR is read back by the checker to the verdict of the case.
test_openvino_ir() {
    local id=openvino.strided_slice:examples:example=1
    expect 0 touchstone export "$id" --openvino-ir -o case
    expect 0 touchstone check case/model.xml
    [ "$(stat -c %s case/data.bin) $(stat -c %s case/expected.bin)" = '16384 1152' ] || fail "other sizes: $(ls -l case)"
    grep -qF "$id" case/README.txt || fail "README.txt does not name the case"
    expect 0 touchstone export openvino.strided_slice:examples:example=stride-zero --openvino-ir -o illegal
    expect 1 touchstone check illegal/model.xml
    [ ! -e illegal/expected.bin ] || fail "what is illegal has an expected output"
    refuses 64 'no operator of OpenVINO' -- touchstone export dml.slice1:examples:example=2 --openvino-ir -o none
    refuses 64 'writes a folder' -- touchstone export "$id" --openvino-ir
}

# A model for DxDispatch says what the case says: the checker, which reads such models, judges it the same.
test_dxdispatch() {
    local id clause
    for id in dml.slice1:examples:example=2 dml.gather:examples:example=1,dtype=f16 \
        dml.random_generator:examples:example=pi dml.element_wise_identity:examples:example=row-major \
        'dml.slice1:pairwise:*' 'dml.*:invalid-*-05*:*' 'dml.gather:invalid-GA-05*:*'; do
        [[ $id != *\** ]] || id=$(touchstone list "$id" --tier quick | sed -n 1p)
        expect 0 touchstone export "$id" --dxdispatch -o model.json
        clause=$(touchstone show "$id" | sed -n 's/.*to be rejected: it violates //p')
        if [ -n "$clause" ]; then
            holds model.json '"expect": "refused"' "\"clause\": \"$clause\""
            expect 1 touchstone check model.json
            holds out "$clause"
        else
            holds model.json '"expect": "accepted"'
            expect 0 touchstone check model.json
        fi
        rm model.json
    done
    expect 0 touchstone export dml.slice1:examples:example=2 --dxdispatch
    holds out '"DML_OPERATOR_SLICE1"' '"DimensionCount": 4' '"resource": "OutputTensor"' '^    1096810496,$' '3419130827'
    expect 0 touchstone export --dxdispatch dml.gather:examples:example=out-of-range
    holds out '"expect": "open"'
    refuses 64 'no operator of DirectML' -- touchstone export openvino.strided_slice:examples:example=1 --dxdispatch
    refuses 64 'InputWindowStrides is null' -- touchstone export dml.slice1:invalid-SL-02-strides:default --dxdispatch
    refuses 64 'no single case' -- touchstone export 'dml.slice1:examples' --dxdispatch
    refuses 64 'one format' -- touchstone export dml.slice1:examples:example=2
    refuses 64 'one case id' -- touchstone export --dxdispatch
    refuses 64 'nowhere/model.json' -- touchstone export dml.slice1:examples:example=2 --dxdispatch -o nowhere/model.json
}

run_tests "$@"

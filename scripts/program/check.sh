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

# An operator that is not known is named, with its name in the suite where it has one, and does not stop the others.
test_unknown_operators_are_named() {
    cat >list.json <<'J'
[ { "name": "first", "operator": "DML_OPERATOR_GATHER_ELEMENTS", "descriptor": {} },
  { "operator": "dml.slice1", "inputs": { "InputTensor": [1, 2] }, "descriptor": {
    "InputTensor": { "DataType": "FLOAT32", "Sizes": [2] },
    "InputWindowOffsets": [0], "InputWindowSizes": [2], "InputWindowStrides": [1] } } ]
J
    expect 64 touchstone check list.json
    holds out '^list\.json:1:[0-9]+: first: DML_OPERATOR_GATHER_ELEMENTS: unknown operator$' \
        'did you mean dml\.gather_elements\?$' '2 descriptors: 1 valid'
    expect 0 touchstone explain list.json
    holds out '^  first: DML_OPERATOR_GATHER_ELEMENTS: not explained: .*did you mean dml\.gather_elements\?' \
        'OutputTensor\[1\] = InputTensor\[1\]'
    refuses 64 'did you mean dml\.gather_elements\?' -- touchstone explain --descriptor first list.json
    echo '[ { "operator": "DML_OPERATOR_SLISE1" }, { "operator": "slise1" } ]' >near.json
    expect 64 touchstone check near.json
    holds out '^near\.json:1:[0-9]+: DML_OPERATOR_SLISE1: unknown operator$' \
        '^near\.json:1:[0-9]+: slise1: unknown operator$'
    [ "$(grep -c 'did you mean dml\.slice1?$' out)" = 2 ] || fail "a record is told another name than that of records"
}

# The operators of DirectML that are not computed are checked, explained by their rules, and named where a case or an
# output is asked for.
test_operators_that_are_only_checked() {
    cat >gemm.json <<'J'
{ "type": "DML_OPERATOR_GEMM", "desc": {
  "ATensor": { "DataType": "FLOAT32", "Sizes": [2, 3] }, "BTensor": { "DataType": "FLOAT32", "Sizes": [4, 3] },
  "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 4] }, "TransA": "NONE", "TransB": "DML_MATRIX_TRANSFORM_TRANSPOSE",
  "Alpha": 1, "Beta": 0.5, "FusedActivation": { "Type": "ACTIVATION_ELU", "Desc": { "Alpha": 0.5 } } } }
J
    expect 0 touchstone check gemm.json
    holds out 'dml\.gemm: valid$' 'Beta +0\.5$' 'FusedActivation +ACTIVATION_ELU\(Alpha 0\.5\)$'
    expect 0 touchstone explain gemm.json
    holds out 'OP-06  ATensor, BTensor, CTensor and OutputTensor have the same DataType'
    sed 's/MATRIX_TRANSFORM_TRANSPOSE/MATRIX_TRANSFORM_NONE/; s/ELU/HARDMAX/' gemm.json >bad.json
    expect 1 touchstone check bad.json
    holds out 'OP-09 +3:.*OutputTensor\.Sizes\[1\] = 4 is not the columns of BTensor = 3' \
        'OP-10 +[45]:.*FusedActivation\.Type is none that may be fused'
    sed 's/"Alpha": 1,/"Alfa": 1,/; s/FLOAT32", "Sizes": \[4/FLOAT16", "Sizes": [4/' gemm.json >bad.json
    expect 64 touchstone check bad.json
    holds out 'dml\.gemm: no field "Alfa" \(did you mean "Alpha"\?\)' 'note: Alfa is judged as Alpha$' 'Alpha +1$' \
        'OP-06 .*BTensor\.DataType = FLOAT16 differs from ATensor\.DataType = FLOAT32'
    refuses 2 "backend 'cpu' offers none of the [0-9]+ cases" -- touchstone run -b cpu dml.gemm
    refuses 64 '--checked stands alone' -- touchstone list --checked --count
    expect 0 touchstone list --checked
    local legal computed
    legal=$(grep -c '"operator"' "$TOUCHSTONE_ROOT/reference/checked/legal.json")
    computed=$(touchstone list --count '*:legal' | grep -c ':legal')
    [ "$(wc -l <out)" = $((legal - computed)) ] ||
        fail "$(wc -l <out) operators are only checked, and legal.json has $legal calls, $computed of operators that are computed"
    printf '{ "operator": "dml.gemm", "inputs": { "ATensor": [1] }, "descriptor": %s }' "$(sed '1s/.*/{/; $s/ } }$/ }/' gemm.json)" >eval.json
    refuses 64 'dml\.gemm is checked, but not computed: it has no golden outputs' -- touchstone eval eval.json
}

# A model is checked as a whole: resources, commands, what they bind, and the nodes of a serialized graph.
test_models_are_checked_as_a_whole() {
    mkdir graphs
    cp "$TOUCHSTONE_ROOT/fuzz/seeds/graph/edge.bin" graphs/
    cat >model.json <<'J'
{ "resources": {
    "in": { "initialValuesDataType": "FLOAT32", "initialValues": { "valueCount": 6, "value": 1 } },
    "out": { "initialValuesDataType": "UINT32", "initialValues": { "valueCount": 6, "value": 0 } } },
  "dispatchables": {
    "two": { "type": "dmlSerializedGraph", "sourcePath": "graphs/edge.bin" },
    "relu": { "type": "ACTIVATION_RELU", "desc": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [6] },
      "OutputTensor": { "DataType": "FLOAT32", "Sizes": [6] } } } },
  "commands": [ { "type": "dispatch", "dispatchable": "two", "bindings": { "x": "in", "y": "out" } },
    { "type": "dispatch", "dispatchable": "relu", "bindings": { "InputTensor": "in", "OutputTensor": "out" } },
    { "type": "print", "resource": "out" } ] }
J
    expect 0 touchstone check model.json
    holds out '^model\.json:5:12: two/one: dml\.element_wise_identity: valid$' 'GRAPH-02 +warning' '^3 descriptors: 3 valid$'
    sed 's/"valueCount": 6, "value": 0/"valueCount": 5, "value": 0/' model.json >short.json
    expect 1 touchstone check short.json
    holds out 'BUF-16 +8:92: bind-error: OutputTensor\.TotalTensorSizeInBytes = 24 exceeds the 20 bytes of "out"' \
        'BUF-16 +9:102: ' '^3 descriptors: 1 valid, 2 invalid$'
    sed 's/"x": "in"/"z": "in"/' model.json >name.json
    expect 64 touchstone check name.json
    holds out 'BIND-01 .*no resource is bound to "x", an input of the graph' '"z" is bound, which is neither an input'
    sed 's/"InputTensor": "in", //' model.json >unbound.json
    expect 1 touchstone check unbound.json
    holds out 'BIND-01 +9:[0-9]+: InputTensor is bound to no resource$' # and not "bind-error: " again
    sed 's/edge\.bin/none.bin/; s/"print", "resource": "out"/"print", "resource": "oout"/' model.json >none.json
    expect 64 touchstone check none.json
    holds out 'two: dmlSerializedGraph: unreadable' 'none\.bin: No such file' 'there is no resource "oout" .did you mean .out'
    head -c 100 graphs/edge.bin >cut.bin
    expect 64 touchstone check cut.bin
    holds err 'cut\.bin: no serialized graph of DirectML .a FlatBuffer of DmlGraphDesc.: byte [0-9]+: '
    expect 1 touchstone check --sarif short.json
    holds out '"ruleId":"BUF-16"'
}

# Layers of an IR that are not judged are named by type and opset, and change no exit status.
test_layers_that_are_not_judged() {
    cat >model.xml <<'X'
<net version="11"><layers><layer id="0" type="Parameter" version="opset1"/><layer id="1" type="Relu" version="opset1"/>
<layer id="2" type="Gelu" version="opset7"/><layer id="3" type="Relu" version="opset1"/></layers></net>
X
    expect 0 touchstone check model.xml
    holds out '^model\.xml: 3 layers are not judged: 2 Relu \(opset1\), 1 Gelu \(opset7\)$'
    expect 0 touchstone check --json model.xml
    holds out '"status":"not judged","count":3,"layers":.."type":"Relu","opset":"opset1","count":2,"line":1'
    expect 0 touchstone check --sarif model.xml
    holds out '"ruleId":"not judged",.*"level":"note","message":."text":"2 Relu \(opset1\): the layers are not judged"'
}

# A layer that is spelt nearly as one that is judged is not judged either, but named with what may be meant.
test_layers_that_may_be_misspelt() {
    local layer='<net version="11"><layers><layer id="0" type="TYPE" version="OPSET"/></layers></net>'
    check_layer() {
        echo "$layer" | sed "s/TYPE/$1/; s/OPSET/$2/" >model.xml
        expect 0 touchstone check model.xml
        holds out "^model\\.xml: 1 layer is not judged: 1 $3\$"
        holds err '^touchstone check: model\.xml: note: no layer of the file is judged$'
    }
    check_layer Gathr opset8 'Gathr \(opset8; did you mean Gather\?\)'
    check_layer NonZreo opset3 'NonZreo \(opset3; did you mean NonZero\?\)'
    check_layer Gather opset88 'Gather \(opset88; known are opset1 to opset16\)'
    check_layer Gather opest8 'Gather \(opest8; did you mean opset8\?\)'
    check_layer Greater opset1 'Greater \(opset1\)'
    check_layer ScatterElementsUpdate opset12 'ScatterElementsUpdate \(opset12\)'
    check_layer Gather extension 'Gather \(extension\)'
    expect 0 touchstone check --json model.xml
    ! grep hint out || fail "a layer of an extension is taken for another one"
    expect 1 touchstone check --strict model.xml
}

# Hints name what is not there yet, and say no more than is known.
test_hints_fit_the_record() {
    cat >record.json <<'J'
{ "operator": "dml.gather_elements", "descriptor": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] },
  "IndicesTensor": { "DataType": "UINT32", "Sizes": [2, 2] }, "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] },
  "Axis": 0 } }
J
    sed 's/IndicesTensor/IndexTensor/' record.json >index.json
    expect 64 touchstone check index.json
    holds out 'no field "IndexTensor" \(did you mean "IndicesTensor"\?\)'
    sed 's/"operator"/"feature_level": "9_9", "operator"/' record.json >level.json
    expect 64 touchstone check level.json
    holds out 'no feature level "9_9"; known are: 1_0'
    sed 's/"FLOAT32", "Sizes": \[2, 2\] },$/"FLOAT99", "Sizes": [2, 2] },/; s/"OutputTensor": {[^}]*}, *//' record.json >type.json
    expect 64 touchstone check type.json
    holds out 'OutputTensor is absent: inferred as \{2,2\}$'
    sed 's/"Axis": 0/"Axis": -1/' record.json >axis.json
    expect 1 touchstone check axis.json
    holds out 'Axis = -1 is out of range: 0 to 4294967295' 'legal: +Axis = 1$'
}

# IR that OpenVINO itself saves, of ONNX's node tests: every layer is judged as the file has it, or named as not judged.
slow_ir_of_node_tests() {
    local python
    python=$(find_python openvino) || skip "no Python with the module openvino (scripts/setup-python.sh)"
    expect 0 "$python" "$TOUCHSTONE_ROOT/scripts/openvino-nodes.py" "$(command -v touchstone)" nodes
    holds out '^ +1[0-9][0-9] nodes: files$' '^ +[2-9][0-9] nodes: layers judged$' '^ +0 nodes: files misread$'
}

# The same of models with indices of every integer type.
test_ir_with_any_type_of_indices() {
    local python
    python=$(find_python openvino) || skip "no Python with the module openvino (scripts/setup-python.sh)"
    expect 0 "$python" "$TOUCHSTONE_ROOT/scripts/openvino-nodes.py" "$(command -v touchstone)" types
    holds out '^ +50 types: files$' '^ +0 types: files misread$'
    # What the program answers is compared: another size is seen.
    printf '#!/bin/sh\ntouchstone "$@" | sed "s/ 3\\$/ 4/"\n' >other
    chmod +x other
    expect 1 "$python" "$TOUCHSTONE_ROOT/scripts/openvino-nodes.py" ./other types
    holds out "gather_8-i64.xml: openvino.gather_8: the checker reads .*'4'.*, the file has"
}

# The gravest of what was found is the exit status: 64, 1, 4 (an implementation refuses it), 5 (a limit), 0.
# In every format, and in eval.
test_decisions_bind_if_that_is_asked_for() {
    echo '{ "operator": "dml.gather", "descriptor": { "Axis": 1, "IndexDimensions": 1, "InputTensor": { "DataType": "FLOAT32", "Sizes": [2, 3] },
        "IndicesTensor": { "DataType": "UINT32", "Sizes": [2, 2] }, "OutputTensor": { "DataType": "FLOAT32", "Sizes": [2, 2] } } }' >one.json
    expect 4 touchstone check one.json
    holds out 'dml\.gather: refused'
    expect 1 touchstone check --decisions binding one.json
    holds out 'dml\.gather: invalid' '^  GA-07 '
    expect 1 touchstone eval one.json
    holds out 'dml\.gather: open'
    expect 1 touchstone eval --decisions binding one.json
    holds out 'dml\.gather: invalid'
}

test_the_gravest_is_the_status() {
    cp "$TOUCHSTONE_ROOT/docs/slice_model.json" refused.json
    sed 's/, "Strides": null//; s/"InputWindowOffsets"/"DimensionCount": 4, &/' refused.json >valid.json
    sed 's/\[1,1,2,4\]/[1,1,3,4]/' refused.json >invalid.json
    sed 's/"Sizes": \[1,1,4,4\]/"Size": [1,1,4,4]/' valid.json >misspelt.json
    cat >beyond.json <<'J'
{ "operator": "openvino.gather_8", "descriptor": { "data": { "type": "f32", "shape": [1,1,1,1,1,1,1,1,3] },
  "indices": { "type": "i32", "shape": [3] }, "output": { "type": "f32", "shape": [1,1,1,1,1,1,1,1,3] }, "axis": 8 } }
J
    expect 0 touchstone check valid.json
    expect 5 touchstone check valid.json beyond.json
    holds out 'beyond what Touchstone judges$'
    expect 4 touchstone check beyond.json refused.json
    holds out 'dml\.slice1: refused$' 'DXD-03 +2:[0-9]+: warning: InputTensor\.Strides is null' 'DXD-06 ' '1 refused$'
    expect 1 touchstone check refused.json invalid.json
    expect 64 touchstone check misspelt.json invalid.json
    holds out 'note: Size is judged as Sizes$'
    expect 4 touchstone check --allow DXD-03 refused.json
    expect 0 touchstone check --allow DXD-03 --allow dxd-06 refused.json
    holds out 'dml\.slice1: valid$' 'warning, allowed: '
    refuses 64 "no clause, rule or entry of the ledger \"DXD-3\" .did you mean" -- touchstone check --allow DXD-3 refused.json
    expect 4 touchstone check --sarif refused.json
    holds out '"ruleId":"DXD-03","ruleIndex":[0-9]+,"level":"warning"'
}

run_tests "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone eval.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_refuses_broken_files() {
    echo '{' >broken.json
    refuses 64 'broken.json' -- touchstone eval broken.json
    echo '{"operator": "dml.slice2", "descriptor": {}}' >operator.json
    refuses 64 'operator.json' 'dml.slice2' -- touchstone eval operator.json
    echo 'return 1 +' >broken.lua
    refuses 64 'broken.lua' -- touchstone eval broken.lua
    echo 'while true do end' >endless.lua
    refuses 64 'endless.lua' -- timeout 60 touchstone eval endless.lua
    echo x >other.txt
    refuses 64 'other.txt' -- touchstone eval other.txt
}

# A list with an operator that Touchstone does not have is evaluated without it.
test_names_unknown_operators() {
    cat >list.json <<'END'
[{"operator": "DML_OPERATOR_NO_SUCH", "descriptor": {}, "name": "first"},
 {"operator": "dml.element_wise_identity", "inputs": {"InputTensor": [1, 2]}, "descriptor":
  {"InputTensor": {"DataType": "f32", "Sizes": [2]}, "OutputTensor": {"DataType": "f32", "Sizes": [2]}}}]
END
    expect 1 touchstone eval list.json
    holds out '^list.json\[1\]: DML_OPERATOR_NO_SUCH first: unknown operator$' '^list.json\[2\]: .*: ok$'
    expect 1 touchstone eval --json list.json
    touchstone lua "$check" out "r[1].status == 'unknown operator'" "r[2].status == 'ok'" "#r == 2"
}

# ONNX's own node tests, as the Python package onnx makes them: inputs and expected outputs that others wrote.
test_onnx_node_tests() {
    local python operator
    python=$(find_python onnx.backend.test.case.node) || skip "no Python with the module onnx (scripts/setup-python.sh)"
    expect 0 "$python" "$TOUCHSTONE_ROOT/scripts/onnx-nodes.py" "$(command -v touchstone)"
    for operator in Gather GatherElements GatherND ScatterElements ScatterND Slice Identity Transpose; do
        holds out "^ +[1-9][0-9]* $operator agrees$"
    done
    ! grep disagrees out || fail "the reference does not give what ONNX expects"
    # What the program answers is compared: another output is seen.
    printf '#!/bin/sh\ntouchstone "$@" | sed s/3f/3e/\n' >other
    chmod +x other
    expect 1 "$python" "$TOUCHSTONE_ROOT/scripts/onnx-nodes.py" ./other
    holds out '^test_scatter_elements_with_axis by dml.scatter_elements: the output has other bits' ' disagrees$'
}

# numpy's functions along an axis, on random descriptors.
test_numpy_along_axis() {
    local python
    python=$(find_python numpy) || skip "no Python with the module numpy (scripts/setup-python.sh)"
    expect 0 "$python" "$TOUCHSTONE_ROOT/scripts/numpy-along-axis.py" "$(command -v touchstone)"
    holds out '^ +200 take_along_axis agrees$' '^ +200 put_along_axis agrees$' '^ +0 put_along_axis disagrees$'
}

run_tests "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone import: tests of WebNN as records.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# A file as web-platform-tests has them: two tests of operators that the suite has, one of another.
write_js() {
    cat >"$1" <<'JS'
// META: title=test WebNN API slice operation
'use strict';

const getTolerance = (resources) => ({ metricType: 'ULP', value: [0][0] });

const sliceTests = [
  {
    'name': 'slice float32 2D ' +
        'with strides',
    'graph': {
      'inputs': {
        'sliceInput': {
          'data': [1, -2.5, 3, .5, 5, 6],
          'descriptor': {shape: [2, 3], dataType: 'float32'},
          'constant': true
        }
      },
      'operators': [{
        'name': 'slice',
        'arguments': [
          {'input': 'sliceInput'}, {'starts': [0, 0]}, {'sizes': [2, 3]},
          {'options': {'strides': [1, 2]}}
        ],
        'outputs': 'sliceOutput'
      }],
      'expectedOutputs': {
        'sliceOutput': {
          'data': [1, 3, 0.5, 6], 'descriptor': {shape: [2, 2], dataType: 'float32'}
        }
      }
    }
  },
  {
    'name': 'relu int64',
    'graph': {
      'inputs': {'in': {'data': [-9223372036854775808n], 'descriptor': {shape: [1], dataType: 'int64'}}},
      'operators': [{'name': 'relu', 'arguments': [{'input': 'in'}], 'outputs': 'out'}],
      'expectedOutputs': {'out': {'data': [0n], 'descriptor': {shape: [1], dataType: 'int64'}}}
    }
  }
];

if (navigator.ml) {
  sliceTests.forEach((test) => { webnn_conformance_test(buildAndExecuteGraph, getTolerance, test); });
}
JS
}

test_javascript() {
    write_js slice.https.any.js
    expect 0 touchstone import slice.https.any.js -o records.json
    holds out '^ +2  tests' '^ +1  in agreement with the reference' '^ +1  left out' \
        '^ +1    relu is no operator of the suite, such as: relu int64'
    expect 0 touchstone check records.json
    holds out '^1 descriptor: 1 valid'
    expect 0 touchstone eval records.json
    holds out 'slice float32 2D with strides: ok' '0.5, +6'
    expect 0 touchstone explain records.json
    expect 0 touchstone import slice.https.any.js -o -
    cmp out records.json || fail "standard output has other records"
    sed 's/\[1, 3, 0.5, 6\]/[1, 3, 0.5, 7]/' slice.https.any.js >wrong.js
    expect 1 touchstone import wrong.js
    holds out '^wrong.js:7:3: slice float32 2D with strides: differs: element \[1,1\] of the output is .*\(6\) where .*\(7\); 1 of 4'
    sed 's/shape: \[2, 2\]/shape: [4, 1]/' slice.https.any.js >illegal.js
    expect 1 touchstone import illegal.js
    holds out '^illegal.js:7:3: .*: illegal: SL-'
}

# Where no id is printed, or some are missing for a reason that the status tells, the reason is beside them.
test_ids_of_tests_that_are_left_out() {
    echo '{ "tests": [ { "name": "relu", "graph": { "inputs": { "x": { "data": [1], "descriptor": { "shape": [1], "dataType": "float32" } } },
        "operators": [ { "name": "relu", "arguments": [ { "input": "x" } ], "outputs": "y" } ],
        "expectedOutputs": { "y": { "data": [1], "descriptor": { "shape": [1], "dataType": "float32" } } } } } ] }' >relu.json
    expect 2 touchstone import --ids relu.json
    [ ! -s out ] || fail "ids of nothing: $(cat out)"
    holds err '1  tests, of which' '1  left out:' 'relu'
}

# Cases with these descriptors, which a backend can run.
test_ids() {
    write_js slice.js
    cp "$TOUCHSTONE_ROOT/docs/webnn.js" docs.js
    expect 1 touchstone import --ids slice.js docs.js
    local ids id
    holds out '^dml.slice1:drawn:rank=2,size=2.3,window=2.3,stride=1.2,out_size=2.2$' \
        '^dml.gather:drawn:rank=1,dtype=f16,index_dtype=i32,index_dims=0,out_size=1$'
    [ "$(wc -l <out)" = 2 ] || fail "other ids than two: $(cat out)"
    mapfile -t ids <out
    expect 0 touchstone run -q -b cpu -o ids.run "${ids[@]}"
    holds out 'planned 2, ran 2, passed 2'
    for id in dml.scatter_elements:drawn:rank=3,dtype=i8,index_dtype=i64,axis=1,size=2.5.3,index_size=2.4.3 \
        dml.gather_nd:drawn:rank=3,dtype=f16,index_dtype=i64,own=3,size=2.5.3,index_size=1.4.2 \
        dml.scatter_nd:drawn:rank=3,own=3,index_dims=2,dtype=i8,index_dtype=i32,size=2.5.3,index_size=1.2.3,update_size=1.1.2 \
        dml.join:drawn:rank=3,dtype=u8,axis=1,count=3,size=2.5.3,part=5.1.7.1.1.1.1.1.1.1.1.1.1.1.1.1 \
        dml.cumulative_summation:drawn:rank=3,dtype=i64,axis=1,direction=decreasing,exclusive=1,size=2.5.3 \
        dml.space_to_depth1:drawn:dtype=i8,order=crd,block=3,size=2.1.6.9,out_size=2.9.2.3; do
        touchstone export $id --format webnn -o case.json
        expect 0 touchstone import --ids case.json
        [ "$(cat out)" = $id ] || fail "another id than $id: $(cat out)"
    done
    refuses 64 'expected one of them' -- touchstone import --ids slice.js -o x.json
}

# The operators whose cases are exported as WebNN.
exported() {
    printf '%s\n' dml.slice1 dml.gather dml.gather_elements dml.gather_nd dml.gather_nd1 dml.scatter_elements \
        dml.scatter_nd dml.join dml.cumulative_summation dml.space_to_depth1 dml.element_wise_identity \
        openvino.strided_slice
}

# What was exported comes back, by the name of the folder: each case of each operator is a test that agrees, with the
# name of the case; none is left out. That it has the same descriptor is tested beside harness/check/check_import.c.
test_round_trip() {
    local name count queries=()
    mapfile -t queries < <(exported | sed 's/$/:examples/')
    expect 0 touchstone export "${queries[@]}" --format webnn -o corpus
    expect 0 touchstone import corpus -o records.json
    count=$(find corpus/*/ -name '*.json' | wc -l)
    holds out "^ +$count  tests, of which" '^ +[1-9][0-9]*  in agreement with the reference'
    # Examples that no page settles come back as open.
    [ "$(grep -cv '  open: ' out)" = 2 ] || fail "a case of the suite does not come back"
    [ ! -s err ] || fail "a case of the suite cannot be read"
    expect 0 touchstone check -q records.json
    expect 0 touchstone lua "$check" records.json "#r == $count and #r > 400" \
        'for _, c in ipairs(r) do if not c.name:find("^[a-z0-9_.]+:[a-z]+:") then return false end end return true'
    for name in $(exported); do
        [ -d "corpus/$name" ] || fail "no case of $name is exported"
        [ "$name" = dml.gather_nd1 ] || [ "$name" = openvino.strided_slice ] || grep -q "\"$name\"" records.json ||
            fail "no case comes back as $name"
    done
    # No other operator is exported. One that will be belongs in the list above.
    for name in $(touchstone list | awk '/^(dml|openvino)\./ { print $1 }'); do
        exported | grep -qx "$name" || expect 64 touchstone export "$name:examples" --format webnn -o "no-$name"
    done
}

# A folder is that of a corpus of this format.
test_folder() {
    expect 0 touchstone export dml.join:examples:example=1 --format webnn -o case.json
    expect 0 touchstone export dml.join:examples --format webnn -o corpus
    expect 0 touchstone import corpus case.json
    holds out '^ +[1-9][0-9]*  in agreement with the reference'
    mkdir empty
    refuses 64 'empty/manifest.json: .*No such file' 'expected the folder of .touchstone export --format webnn' -- \
        touchstone import empty
    expect 0 touchstone export dml.join:examples --format npz -o npz
    refuses 64 'npz: a corpus of the format npz; import reads webnn$' -- touchstone import npz
    expect 0 touchstone export dml.join:examples --format dxdispatch -o dx
    refuses 64 "dx: a corpus of the format dxdispatch; import reads webnn, 'touchstone check' reads" -- touchstone import dx
    sed -i 's/"files": { "[^"]*"/"files": { "..\/case.json"/' corpus/manifest.json
    refuses 64 'is no name of a file' -- touchstone import corpus
}

# Holes in lists, dynamic sizes beside numbers for them, and one test that is no literal: it is named and left out.
test_real_files() {
    write_js slice.js
    sed "s/^  },\$/  }\n  ,\n  ,/; s/{shape: \[2, 3\], /{shape: [{name: 'batch', maxSize: 5}, 3], /
         s/'constant': true/'shape': [2, 3]/" slice.js >holes.js
    expect 0 touchstone import holes.js -o records.json
    holds out '^ +2  tests' '^ +1  in agreement with the reference' '^ +1  left out' \
        'relu is no operator of the suite'
    expect 0 touchstone lua "$check" records.json '#r == 1 and r[1].descriptor.InputTensor.Sizes[1] == 2'
    sed "s/'data': \[1, -2.5/'data': [f(1), -2.5/" slice.js >code.js
    write_js more.js
    expect 0 touchstone import code.js more.js -o records.json
    holds out '^ +4  tests' '^ +1  in agreement' '^ +3  left out' '^ +1    cannot be read, such as: slice float32 2D with'
    holds err '^touchstone import: left out: slice float32 2D with strides: code.js:13:[0-9]+: expected a literal, found .f.$'
    [ "$(wc -l <err)" = 1 ] || fail "other tests are named than one: $(cat err)"
    expect 0 touchstone lua "$check" records.json '#r == 1'
    # All are left out, because they cannot be read or the suite does not have them.
    expect 2 touchstone import code.js
    # A file that cannot be read does not keep the others from being read.
    echo 'const a = [' >broken.js
    expect 64 touchstone import broken.js slice.js -o records.json
    holds err 'broken.js:[12]:[0-9]+: expected a literal, but the file ends'
    holds out '^ +1  in agreement'
    expect 0 touchstone lua "$check" records.json '#r == 1'
}

# The script that holds import and check against files of others, with files of ours in their places.
test_public_files() {
    local python script=$TOUCHSTONE_ROOT/scripts/public-files.py program number
    python=$(find_python json) || skip 'no Python'
    program=$(command -v touchstone)
    expect 77 "$python" "$script" "$program"
    expect 77 "$python" "$script" "$program" nowhere
    expect 64 "$python" "$script"
    mkdir -p wpt/webnn/conformance_tests models
    touchstone export dml.join:examples:example=1 --dxdispatch -o model.json
    for number in $(seq 20); do
        write_js "wpt/webnn/conformance_tests/$number.https.any.js"
        cp model.json "models/$number.json"
    done
    expect 0 "$python" "$script" "$program" wpt models
    holds out '^ +40 tests$' '^ +20 in agreement$' '^ +20 operators judged$' '^ +60 tensors read$'
    sed -i 's/\[1, 3, 0.5, 6\]/[1, 3, 0.5, 7]/' wpt/webnn/conformance_tests/7.https.any.js
    expect 1 "$python" "$script" "$program" wpt
    holds out '^7.https.any.js: import ends with 1'
    printf '#!/bin/sh\ntouchstone "$@" | sed "s/ 7\\$/ 8/"\n' >other
    chmod +x other
    expect 1 "$python" "$script" ./other models
    holds out "^3.json: case.OutputTensor: read as .*'8'.*, expected .*'7'"
    rm models/20.json
    expect 1 "$python" "$script" "$program" models
    holds out 'expected at least 20 models of DxDispatch'
}

test_refuses_bad_input() {
    write_js slice.js
    refuses 64 'expected a file or a folder' -- touchstone import
    refuses 64 'nowhere.json' -- touchstone import nowhere.json
    echo x >tests.txt
    refuses 64 'tests.txt: expected a name that ends in .json or .js' -- touchstone import tests.txt
    echo '{ "tests": [' >broken.json
    refuses 64 'broken.json:' -- touchstone import broken.json -o records.json
    echo '{ "tests": [] }' >empty.json
    refuses 64 'empty.json: no test of WebNN in it' -- touchstone import empty.json
    echo '{ "operator": "dml.slice1" }' >record.json
    refuses 64 'record.json:1:1: no test of WebNN: expected' -- touchstone import record.json
    echo '{ "tests": [ { "operator": "dml.slice1" } ] }' >record.json
    expect 2 touchstone import record.json
    holds err '^touchstone import: left out: record.json:1:14: no test of WebNN: expected'
    sed "s/'data': \[1, -2.5/'data': [-2.5/" slice.js >sizes.js
    expect 2 touchstone import sizes.js
    holds err 'slice float32 2D with strides: sizes.js:7:3: graph.inputs.sliceInput.data: 5 values, but .* 6'
    sed "s/'float32'/7/" slice.js >types.js
    expect 2 touchstone import types.js
    holds err 'types.js:7:3: .*descriptor: expected'
    refuses 64 'slice.js' -- touchstone import slice.js -o slice.js
    sed 's/slice/conv2d/' slice.js | sed "s/'name': 'slice'/'name': 'conv2d'/" >others.js
    expect 2 touchstone import others.js
    holds out '^ +2  left out'
    echo '{ "name": "x", "graph": {} }' >webnn.json
    expect 64 touchstone check webnn.json
    holds out "'touchstone import' reads tests of WebNN"
}

run_tests "$@"

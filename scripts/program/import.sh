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

# Cases with these descriptors, which a backend can run.
test_ids() {
    write_js slice.js
    cp "$TOUCHSTONE_ROOT/docs/webnn.js" docs.js
    expect 1 touchstone import --ids slice.js docs.js
    local ids
    holds out '^dml.slice1:drawn:rank=2,size=2.3,window=2.3,stride=1.2,out_size=2.2$' \
        '^dml.gather:drawn:rank=1,dtype=f16,index_dtype=i32,index_dims=0,out_size=1$'
    [ "$(wc -l <out)" = 2 ] || fail "other ids than two: $(cat out)"
    mapfile -t ids <out
    expect 0 touchstone run -q -b cpu -o ids.run "${ids[@]}"
    holds out 'planned 2, ran 2, passed 2'
    local id=dml.scatter_elements:drawn:rank=3,dtype=i8,index_dtype=i64,axis=1,size=2.5.3,index_size=2.4.3
    touchstone export $id --format webnn -o scatter.json
    expect 0 touchstone import --ids scatter.json
    [ "$(cat out)" = $id ] || fail "another id than $id: $(cat out)"
    refuses 64 'expected one of them' -- touchstone import --ids slice.js -o x.json
}

# What was exported comes back: each case of the corpus is a test that agrees, with the name of the case. Where a case
# has no other layout than the packed one, and no dimensions that only fill up, its descriptor is the same.
test_round_trip() {
    expect 0 touchstone export dml.slice1:examples dml.gather:examples dml.scatter_elements:examples \
        dml.element_wise_identity:examples openvino.strided_slice:examples --format webnn -o corpus
    local count left_out
    count=$(find corpus/*/ -name '*.json' | wc -l)
    find corpus/*/ -name '*.json' -exec touchstone import -o records.json {} + >found || fail "$(cat found)"
    holds found "^ +$count  tests" "^ +[0-9]+  in agreement with the reference"
    ! grep -E 'illegal|in disagreement' found || fail "a case of the suite does not come back"
    left_out=$(sed -n 's/^ *\([0-9]*\)  left out:$/\1/p' found)
    holds found "^ +$left_out    more than 8 dimensions, such as: openvino.strided_slice:"
    expect 0 touchstone check -q records.json
    expect 0 touchstone lua "$check" records.json "#r == $count - $left_out and #r > 150" \
        'for _, c in ipairs(r) do if not c.name:find("^[a-z0-9_.]+:[a-z]+:") then return false end end return true'
}

test_refuses_bad_input() {
    write_js slice.js
    refuses 64 'expected a file' -- touchstone import
    refuses 64 'nowhere.json' -- touchstone import nowhere.json
    echo x >tests.txt
    refuses 64 'tests.txt: expected a name that ends in .json or .js' -- touchstone import tests.txt
    echo '{ "tests": [' >broken.json
    refuses 64 'broken.json:' -- touchstone import broken.json -o records.json
    echo '{ "tests": [] }' >empty.json
    refuses 64 'empty.json: no test of WebNN in it' -- touchstone import empty.json
    echo '{ "tests": [ { "operator": "dml.slice1" } ] }' >record.json
    refuses 64 'record.json:1:14: no test of WebNN: expected' -- touchstone import record.json
    sed "s/'data': \[1, -2.5/'data': [-2.5/" slice.js >sizes.js
    refuses 64 'sizes.js:7:3: "slice float32 2D with strides": graph.inputs.sliceInput.data: 5 values, but .* 6' -- \
        touchstone import sizes.js -o records.json
    sed "s/'float32'/7/" slice.js >types.js
    refuses 64 'types.js:7:3: .*descriptor: expected' -- touchstone import types.js
    sed "s/-2.5/f(1)/" slice.js >code.js
    refuses 64 "code.js:13:[0-9]+: expected a literal, found 'f'" -- touchstone import code.js
    refuses 64 'slice.js' -- touchstone import slice.js -o slice.js
    sed 's/slice/conv2d/' slice.js | sed "s/'name': 'slice'/'name': 'conv2d'/" >others.js
    expect 2 touchstone import others.js
    holds out '^ +2  left out'
    echo '{ "name": "x", "graph": {} }' >webnn.json
    expect 64 touchstone check webnn.json
    holds out "'touchstone import' reads tests of WebNN"
}

run_tests "$@"

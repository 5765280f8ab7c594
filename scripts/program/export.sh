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
    refuses 64 'cannot be exported as ONNX: Touchstone writes no ONNX model of openvino.non_zero_3, only of dml.slice1, .*, openvino.strided_slice$' -- \
        touchstone export openvino.non_zero_3:examples:example=page --onnx -o r
    refuses 64 'no ONNX model of openvino.gather_8' -- \
        touchstone export openvino.gather_8:examples:example=1 --onnx -o t
    refuses 64 'no ONNX model of dml.join' -- \
        touchstone export dml.join:examples:example=1 --onnx -o j
    expect 0 touchstone export dml.space_to_depth1:examples:example=1,dtype=f32 --onnx -o blocks
    grep -q SpaceToDepth blocks/model.onnx || fail "no SpaceToDepth in the model"
    refuses 64 'SpaceToDepth has no other order than DEPTH_COLUMN_ROW' -- \
        touchstone export dml.space_to_depth1:examples:example=2,dtype=f32 --onnx -o columns
    refuses 64 'IndicesTensor has to be INT32 or INT64' -- touchstone export dml.gather:examples:example=1 --onnx -o g
    refuses 64 'have to refuse it' -- touchstone export dml.slice1:invalid-SL-02-strides:default --onnx -o i
    refuses 64 'with -o' -- touchstone export dml.slice1:examples:example=2 --onnx
    refuses 64 'one format' -- touchstone export dml.slice1:examples:example=2 --onnx --dxdispatch -o x
    refuses 64 'nowhere/case' -- touchstone export dml.slice1:examples:example=2 --onnx -o nowhere/case
}

# A corpus: every case of the queries is in the manifest, with the files that it names, or counted among those left out;
# the same queries give the same bytes, and a shorter one has the same files of the same cases.
test_corpus() {
    local query=(dml.gather:examples 'dml.gather:pairwise where index_dims == 5' 'dml.gather:invalid-GA-0*') listed
    expect 0 touchstone export "${query[@]}" --format onnx -o one
    holds out 'cases written' 'with expected outputs' 'to be refused' 'cases left out' \
        'IndicesTensor has to be INT32 or INT64' 'one/manifest[.]json has the SHA-256 [0-9a-f]{64}$'
    grep -q "SHA-256 $(sha256sum one/manifest.json | cut -d ' ' -f 1)\$" out || fail "another digest of the manifest"
    mkdir two
    expect 0 touchstone export "${query[@]}" --onnx -o two/
    diff -r one two >/dev/null || fail "the same query gives other bytes"
    mv one/manifest.json manifest.json
    touchstone lua "$check" manifest.json 'for _, c in ipairs(r.cases) do for file, sum in pairs(c.files) do
        print(sum .. "  one/" .. c.folder .. "/" .. file) end end return true' | sort -k 2 >sums
    sha256sum --check --quiet --strict sums || fail "files are not those of the manifest"
    find one -type f | sort | cmp - <(cut -c 67- sums) || fail "the manifest lists other files"
    find one two -mindepth 1 | awk '{ sub("/[^/]*$", ""); if (++n[$0] > 1000) bad = 1 } END { exit bad }' ||
        fail "a folder has more than 1,000 entries"
    listed=$(touchstone list "${query[@]}" --count | sed -n 's/^ *\([0-9]*\)  in all.*/\1/p')
    expect 0 touchstone lua "$check" manifest.json "r.total.cases + r.total.left_out == $listed" 'r.format == "onnx"' \
        '#r.cases == r.total.cases and r.total.outputs + r.total.refuse == r.total.cases and r.total.refuse > 0' \
        'local n = 0 for _, l in ipairs(r.left_out) do n = n + l.cases end return n == r.total.left_out' \
        'for _, c in ipairs(r.cases) do
            local output = c.files["test_data_set_0/output_0.pb"] ~= nil
            if output ~= (c.expect == "outputs") or (c.clause ~= nil) ~= (c.expect == "refuse") then return false end
        end return true'
    ! find . -name '*.partial*' | grep . || fail "something half-written is left"
}

test_corpus_of_other_formats() {
    expect 0 touchstone export 'dml.gather:examples' --format dxdispatch -o models
    holds out 'that the specification leaves open'
    local some
    mapfile -t some < <(find models -name '*.json' ! -name manifest.json | sort | head -n 3)
    [ "${#some[@]}" = 3 ] || fail "there are no models"
    expect 0 touchstone check "${some[@]}"
    expect 0 touchstone export openvino.strided_slice:examples --format openvino-ir -o ir
    expect 0 touchstone check "$(find ir -name model.xml | sed -n 1p)"
}

test_corpus_is_refused() {
    mkdir full
    echo mine >full/file
    refuses 64 'full: the folder is not empty' -- touchstone export 'dml.gather:examples' --onnx -o full
    refuses 64 'full/file: is no folder' -- touchstone export 'dml.gather:examples' --onnx -o full/file
    refuses 64 'nowhere/corpus' -- touchstone export 'dml.gather:examples' --onnx -o nowhere/corpus
    refuses 64 'name it with -o' -- touchstone export 'dml.gather:examples' --onnx
    refuses 64 'none of the [0-9]+ cases can be exported as ONNX; .*no ONNX model of dml.random_generator' -- \
        touchstone export 'dml.random_generator:examples' --onnx -o c
    refuses 2 'select no case' -- touchstone export 'dml.gather:pairwise where rank == 99' --onnx -o c
    refuses 64 'nonsense' -- touchstone export 'dml.gather:nonsense' --onnx -o c
    refuses 64 "did you mean 'onnx'" -- touchstone export 'dml.gather:*' --format onxn -o c
    refuses 64 'are for queries' -- touchstone export dml.slice1:examples:example=2 --onnx --tier full -o c
}

full_disk_corpus() {
    local status=0
    timeout -k 5 300 touchstone export 'dml.gather:*' --onnx -o disk/corpus >out 2>err </dev/null || status=$?
    [ "$status" = 3 ] || fail "status $status instead of 3: $(cat out err)"
    holds err 'disk/corpus.partial-0/' 'disk is full|cannot be written'
    [ -z "$(ls -A disk)" ] || fail "something half-written is left: $(ls -A disk)"
}

test_corpus_on_a_full_disk() {
    on_a_small_disk full_disk_corpus
}

# A graph of WebNN, executed by the few lines here, gives the expected output.
test_webnn() {
    refuses 64 'this case cannot be exported as WebNN: WebNN has no negative steps' -- \
        touchstone export dml.slice1:examples:example=2 --format webnn
    refuses 64 'this case cannot be exported as WebNN: InputTensor: WebNN does not have its type' -- \
        touchstone export dml.slice1:examples:example=1,dtype=f64 --format webnn
    expect 0 touchstone export dml.slice1:examples dml.gather:examples dml.gather_elements:examples \
        dml.scatter_elements:examples dml.element_wise_identity:examples openvino.strided_slice:examples \
        --format webnn -o corpus
    local file first=[
    for file in corpus/*/*/*/*; do
        printf '%s' "$first" && cat "$file" && first=,
    done >all.json
    echo ']' >>all.json
    cat >execute.lua <<'L'
local seen = {}
local function offset(shape, at)
  local n = 0
  for k = 1, #shape do n = n * shape[k] + at[k] end
  return n + 1
end
local from = {
  slice = function(g, arguments, shape, out, at)
    local starts, sizes, strides, place = arguments[2].starts, arguments[3].sizes, arguments[4].options.strides, {}
    for k = 1, #shape do
      assert(out[k] == (sizes[k] - 1) // strides[k] + 1 and starts[k] + sizes[k] <= shape[k])
      place[k] = starts[k] + at[k] * strides[k]
    end
    return place
  end,
  gather = function(g, arguments, shape, out, at)
    local axis, sizes, index, place = arguments[3].options.axis, g.inputs.indices.descriptor.shape, {}, {}
    for k = 1, #sizes do index[k] = at[axis + k] end
    local n = g.inputs.indices.data[offset(sizes, index)]
    for k = 1, #shape do place[k] = k <= axis and at[k] or at[#sizes + k - 1] end
    place[axis + 1] = n < 0 and n + shape[axis + 1] or n
    return place
  end,
  gatherElements = function(g, arguments, shape, out, at)
    local axis, place = arguments[3].options.axis + 1, table.move(at, 1, #at, 1, {})
    local n = g.inputs.indices.data[offset(g.inputs.indices.descriptor.shape, at)]
    place[axis] = n < 0 and n + shape[axis] or n
    return place
  end,
  scatterElements = function(g, arguments, shape, out, at)
    local axis, sizes = arguments[4].options.axis + 1, g.inputs.indices.descriptor.shape
    local place, updates = table.move(at, 1, #at, 1, {}), nil
    for j = 0, sizes[axis] - 1 do
      place[axis] = j
      local n = g.inputs.indices.data[offset(sizes, place)]
      if (n < 0 and n + shape[axis] or n) == at[axis] then
        assert(not updates, "several updates of one element")
        updates = table.move(place, 1, #place, 1, {})
      end
    end
    return updates or at, updates and g.inputs.updates
  end,
  identity = function(g, arguments, shape, out, at) return at end,
}
for _, file in ipairs(r) do
  local name, g = file.tests[1].name, file.tests[1].graph
  local input, output, op = g.inputs.input, g.expectedOutputs.output, g.operators[1]
  local shape, out = input.descriptor.shape, output.descriptor.shape
  seen[op.name] = (seen[op.name] or 0) + 1
  for i = 0, #output.data - 1 do
    local at, rest = {}, i
    for k = #out, 1, -1 do at[k], rest = rest % out[k], rest // out[k] end
    assert(rest == 0, name .. ": more values than elements")
    local place, updates = from[op.name](g, op.arguments, shape, out, at)
    local source = updates or input
    local value = source.data[offset(source.descriptor.shape, place)]
    assert(value == output.data[i + 1], name .. ": another value")
  end
end
return seen.slice > 20 and seen.gather > 20 and seen.gatherElements > 5 and seen.scatterElements > 5 and
  seen.identity > 5
L
    touchstone lua "$check" all.json "$(cat execute.lua)" || fail 'a graph gives another output'
}

# An element on which several updates fall has no single value that every implementation has to give: formats of expected
# outputs leave the case out, and DxDispatch's has null in its place.
test_several_answers() {
    local format id=dml.scatter_elements:examples:example=1 says='no single expected output, because the specification allows several values'
    local twice=dml.scatter_elements:duplicates:rank=1,own=1,index_dtype=i32,pattern=pairs
    for format in npz webnn; do
        refuses 64 "$says" -- touchstone export $id --format $format -o file
    done
    refuses 64 "$says" -- touchstone export $twice --onnx -o case
    refuses 64 'leaves some elements undefined' -- touchstone export \
        dml.scatter_elements:out_of_range:rank=1,own=1,index_dtype=i32,stray=5 --onnx -o case
    expect 0 touchstone export $id --dxdispatch -o model.json
    expect 0 touchstone lua "$check" model.json 'local v = r.touchstone.outputs.OutputTensor
        return #v == 5 and v[4] == null and v[3] == 1073741824'
    expect 0 touchstone export dml.scatter_elements:examples --format webnn -o corpus
    expect 0 touchstone lua "$check" corpus/manifest.json 'for _, c in ipairs(r.cases) do
            if c.id:find("example=1$") or c.id:find("example=1,") then return false end
        end
        for _, l in ipairs(r.left_out) do
            if l.reason:find("several values") then return l.cases > 1 and l.example:find("example=1") end
        end'
}

# numpy reads the arrays: the types and shapes of the tensors, and the bits that `show` prints.
test_npz() {
    local python
    refuses 64 'this case cannot be exported as npz: .*have to refuse it' -- \
        touchstone export dml.slice1:invalid-SL-02-strides:default --format npz -o i.npz
    expect 0 touchstone export dml.slice1:examples dml.gather:examples dml.scatter_elements:examples \
        openvino.strided_slice:examples --format npz -o corpus
    python=$(find_python numpy) || skip "no Python with the module numpy (scripts/setup-python.sh)"
    "$python" - corpus <<'PY' || fail "numpy reads something else"
import json, numpy, subprocess, sys
manifest = json.load(open(sys.argv[1] + "/manifest.json"))
assert manifest["total"]["cases"] == len(manifest["cases"]) > 100
for number, case in enumerate(manifest["cases"]):
    [name] = case["files"]
    arrays = numpy.load(sys.argv[1] + "/" + case["folder"] + "/" + name)
    about = json.loads(arrays["case.json"])
    assert about["id"] == case["id"] and len(arrays.files) >= 3
    if number % 16:
        [arrays[name] for name in arrays.files]
        continue
    command = ["touchstone", "show", "--json", case["id"]]
    shown = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    for output in shown["outputs"]:
        array = arrays[output["name"]]
        assert list(array.shape) == output["sizes"], case["id"]
        if "layout" not in case["id"]:
            assert array.tobytes().hex() == output["raw"], case["id"]
PY
}

# What ONNX itself says of a corpus: its checker, its reference, and ONNX Runtime.
test_corpus_with_onnx() {
    local python
    python=$(find_python onnx.reference) || skip "no Python with the module onnx (scripts/setup-python.sh)"
    local backwards='dtype == f32 and rank == 1 and each(size == 3) and each(stride < 0 and begin_mask == 0 and end_mask == 0)'
    expect 0 touchstone export dml.slice1:examples dml.gather:examples "openvino.strided_slice:sentinels where $backwards" \
        dml.scatter_elements:examples 'dml.slice1:invalid-SL-0*' 'dml.gather:invalid-GA-0*' \
        'dml.scatter_elements:invalid-SE-05 where own == 2 and dtype == f32 and rank == 2' \
        'openvino.strided_slice:invalid-SS-10*' --onnx -o corpus
    "$python" "$TOUCHSTONE_ROOT/scripts/onnx-corpus.py" corpus --every 9 >found || true
    ! grep -Ev '^ +[0-9]+ [a-z]+ (agrees|disagrees|refuses|skipped)$|: runtime gives .*|: reference gives ' found ||
        fail "ONNX disagrees"
    holds found '[0-9]+ refusals agrees' '[0-9]+ reference agrees'
    ! grep -q 'checker disagrees' found || fail "the checker refuses a case: $(cat found)"
    # The runtime's reading of an end of INT64_MAX (ORT-2), and the reference's of a start in front of the first element.
    ! grep -E ': (runtime|reference) gives ' found |
        grep -Ev 'end=[^,]*(9223372036854775807|2147483647)|begin=-|begin=[^,]*[.]-' ||
        fail "other cases than the known ones"
}

# A module of StableHLO: a reversed axis, an index from the end, the bits of a NaN, no elements, and what cannot be said.
test_stablehlo() {
    expect 0 touchstone export dml.slice1:examples:example=2 --format stablehlo
    holds out '^// dml.slice1:examples:example=2$' '%reversed = stablehlo.reverse %input, dims = \[2\] : tensor<1x1x4x4xf32>$' \
        '%result = stablehlo.slice %reversed \[0:1:1, 0:1:1, 0:3:2, 1:4:2\] : ' \
        '%expected = stablehlo.constant dense<\[\[\[\[14.0, 16.0\], \[6.0, 8.0\]\]\]\]> : tensor<1x1x2x2xf32>$' \
        '"check.expect_eq"\(%result, %expected\) : '
    expect 0 touchstone export dml.gather:drawn:rank=1,index_dtype=i64,size=3,index_size=1,out_size=1,sign=1 --format stablehlo
    holds out '%from_start = stablehlo.select %negative, %wrapped, %indices' '"stablehlo.gather"\(%input, %from_start\)'
    refuses 64 'StableHLO has no gather of single elements' -- \
        touchstone export dml.gather_elements:examples:example=1 --format stablehlo
    refuses 64 'StableHLO has no scatter of single elements' -- \
        touchstone export dml.scatter_elements:examples:example=2 --format stablehlo
    expect 0 touchstone export dml.gather:examples:example=scalar-index --format stablehlo
    holds out 'dense<2> : tensor<ui32>' 'index_vector_dim = 0'
    expect 0 touchstone export dml.slice1:drawn:rank=1,fill=special,size=33,window=33,out_size=33 --format stablehlo
    holds out '0x7F[0-9A-F]+' '-0[.]0'
    expect 0 touchstone export openvino.strided_slice:examples:example=b9-empty-reverse --format stablehlo
    holds out 'dense<> : tensor<0'
    refuses 64 'this case cannot be exported as StableHLO: dml.random_generator: its translation is not written' -- \
        touchstone export dml.random_generator:examples:example=zero --format stablehlo
    refuses 64 'this case cannot be exported as StableHLO: dml.join: its translation is not written' -- \
        touchstone export dml.join:examples:example=1 --format stablehlo
    refuses 64 'this case cannot be exported as StableHLO: .*have to refuse it' -- \
        touchstone export dml.slice1:invalid-SL-02-strides:default --format stablehlo
}

# MLIR, StableHLO's interpreter and XLA agree with every module.
test_corpus_with_stablehlo() {
    local python
    python=$(find_python jaxlib.mlir.ir) || skip "no Python with the module jaxlib (scripts/setup-python.sh)"
    expect 0 touchstone export dml.slice1:examples dml.gather:examples dml.element_wise_identity:examples \
        openvino.strided_slice:examples --format stablehlo -o corpus
    "$python" "$TOUCHSTONE_ROOT/scripts/stablehlo-corpus.py" corpus --every 7 >found 2>/dev/null ||
        fail "StableHLO disagrees: $(cut -c 1-300 found)"
    holds found '[0-9]{2} parser agrees' '[0-9]{2} interpreter agrees' '[0-9]{2} xla agrees'
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
    grep -q 'expected, bit for bit' case/README.txt || fail "the output is not said to be the expected one"
    expect 0 touchstone export openvino.gather_tree:examples:example=parent-before --openvino-ir -o open
    holds open/README.txt 'expected[.]bin .*output, from which implementations may differ' \
        'leaves this case unspecified [(]E-GT1-1[)]' 'which proves nothing'
    ! grep 'bit for bit' open/README.txt || fail "an output that the specification leaves open is expected"
    [ ! -e illegal/expected.bin ] || fail "what is illegal has an expected output"
    id=openvino.scatter_update:examples:example=2
    expect 0 touchstone export "$id" --openvino-ir -o scatter
    expect 0 touchstone check scatter/model.xml
    [ "$(stat -c %s scatter/updates.bin)" = 24 ] || fail "other sizes: $(ls -l scatter)"
    refuses 64 'allows several values for some elements' -- \
        touchstone export openvino.scatter_update:examples:example=several --openvino-ir -o several
    refuses 64 'no operator of OpenVINO' -- touchstone export dml.slice1:examples:example=2 --openvino-ir -o none
    refuses 64 'writes a folder' -- touchstone export "$id" --openvino-ir
}

# FORMAT NAME QUERY...: the checker reads each file of such a name in a corpus, as the operator that the case is of. It
# calls no case invalid whose outputs are expected, and none valid that is to be refused.
is_read() {
    local format=$1 name=$2 status=0 files
    shift 2
    expect 0 touchstone export "$@" --format "$format" -o "$format"
    mapfile -t files < <(find "$format"/*/ -name "$name")
    touchstone check --json "${files[@]}" >read.json 2>err || status=$?
    [ "$status" != 64 ] || fail "a file of $format cannot be read: $(grep -m 1 unreadable read.json)"
    { echo "{ \"all\": $(cat "$format/manifest.json"), \"read\": $(cat read.json) }"; } >both.json
    expect 0 touchstone lua "$check" both.json '#r.read == #r.all.cases and #r.read > 100' \
        "local expected = {}
         for _, c in ipairs(r.all.cases) do
             for file in pairs(c.files) do expected['$format/' .. c.folder .. '/' .. file] = c end
         end
         for _, x in ipairs(r.read) do
             local c, refused = expected[x.file], x.status == 'invalid' or x.status == 'unsupported' or x.status == 'beyond'
             if x.operator ~= c.id:match('^[^:]+') or refused ~= (c.expect == 'refuse') and c.expect ~= 'open' then
                 print(c.id, c.expect, x.operator, x.status)
                 return false
             end
         end return true"
}

# What the checker knows of what is exported, it reads: also numbers beyond 63 bits, which DxDispatch takes as numbers only.
test_exports_are_read() {
    is_read dxdispatch 'test_*.json' 'dml.*:examples where dtype == u64' 'dml.*:examples where dtype == f64' \
        'dml.*:examples where dtype == u8'
    expect 0 touchstone export dml.cumulative_summation:examples:example=1,dtype=u64 --dxdispatch
    holds out '"value": 14685055086129564619'
    is_read openvino-ir model.xml 'openvino.*:examples where dtype == u64' 'openvino.*:examples where dtype == f32'
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
    refuses 64 'name it with -o' -- touchstone export 'dml.slice1:examples' --dxdispatch
    refuses 64 'example' -- touchstone export 'dml.slice1:examples:example=none-such' --dxdispatch
    refuses 64 'one format' -- touchstone export dml.slice1:examples:example=2
    refuses 64 'a case id or queries' -- touchstone export --dxdispatch
    refuses 64 'nowhere/model.json' -- touchstone export dml.slice1:examples:example=2 --dxdispatch -o nowhere/model.json
}

run_tests "$@"

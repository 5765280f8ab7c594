#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Workers in Python that are wrong, or particular, in one way: each gets the verdict that the pages support. And calls
# without data, which the implementation answers, or nobody.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# WORKER RUN STATUS QUERY...: a run of WORKER (a file, perhaps with arguments) ends so; RUN.json is its report.
run_worker() {
    local worker=$1 run=$2 status=$3 # few findings, because a case that has one is executed 16 times
    shift 3
    python=$(find_python numpy) || skip 'no Python with NumPy: scripts/setup-python.sh installs one'
    export PYTHONPATH=$TOUCHSTONE_ROOT/backends/exec/python/src
    rm -f "$run.run"
    expect "$status" touchstone run -q -b "exec:$python $worker" --shrink 0 --max-findings 4 --time-limit 60s -o "$run.run" "$@"
    cp out "$run.out"
    expect 0 touchstone report "$run.run" --json "$run.json"
}

# RUN CONDITION...: each, of the report `r`, holds for every test `t` of it that ran a case. v: its cases by verdict.
each_test() {
    local run=$1 condition
    shift
    for condition in "$@"; do
        touchstone lua "$check" "$run.json" "for _, t in ipairs(r.tests) do
            local v = setmetatable({}, { __index = function(_, k) return t.verdicts[k] or 0 end })
            if t.ran > 0 and not ($condition) then error(t.operator .. ':' .. t.test) end
        end return #r.tests > 0" || fail "$run: not each test has $condition"
    done
}

operators() { # all of them
    touchstone list | sed -n 's/^ *[0-9]* *\([a-z0-9_.]*\):.*/\1/p' | sort -u
}

# OPERATOR...: a query of each one's examples, in UINT32 where they are of several types.
examples() {
    local name query
    for name in "$@"; do
        query="$name:examples where dtype == u32"
        touchstone list "$query" >/dev/null 2>&1 || query="$name:examples"
        printf '%s\n' "$query"
    done
}

# ---- four workers ---------------------------------------------------------------------------------------------------

test_a_worker_that_always_refuses() {
    cat >refuses.py <<'EOP'
import sys
from touchstone_exec import Rejected, operator, run

def refuse():
    raise Rejected("never")

for name in sys.argv[1:]:
    operator(name, accepts=refuse)(refuse)
run(name="refuses")
EOP
    local names=() queries=()
    mapfile -t names < <(operators)
    mapfile -t queries < <(examples "${names[@]}")
    [ "${#names[@]}" = "$(touchstone list --count '*:examples' | grep -c ':examples')" ] || fail "${#names[@]} operators"
    run_worker "refuses.py ${names[*]}" refuses 1 "${queries[@]}"
    each_test refuses 'v.pass == 0 and v.mismatch == 0 and v["not-judged"] == 0' 'v["rejected-valid"] > 0'
    # And where it is only asked.
    run_worker 'refuses.py dml.join openvino.gather_8' asked 1 dml.join:legal-JO-07 openvino.gather_8:legal-G8-07
    each_test asked 'v["rejected-valid"] == t.ran'
}

test_a_worker_that_writes_zeros() {
    cat >zeros.py <<'EOP'
import sys
from touchstone_exec import operator, run

def zeros(OutputTensor):
    OutputTensor[...] = 0

for name in sys.argv[1:]:
    tree = name == "openvino.gather_tree"
    others = (lambda final_ids: zeros(final_ids)) if tree else lambda output: zeros(output)
    operator(name)(zeros if name.startswith("dml.") else others)
run(name="zeros")
EOP
    local names=() queries=()
    mapfile -t names < <(operators)
    mapfile -t queries < <(examples "${names[@]}")
    run_worker "zeros.py ${names[*]}" zeros 1 "${queries[@]}"
    each_test zeros 'v["rejected-valid"] == 0 and v.mismatch > 0'
    # Sums of floats are not judged, but in the examples that the page prints, in FLOAT32.
    run_worker "zeros.py dml.cumulative_summation" sums 1 'dml.cumulative_summation:examples where dtype in {f32, f16}'
    each_test sums 'v.mismatch == 4 and v.pass == 0 and v["not-judged"] + v.ambiguous == t.ran - 4'
    touchstone lua "$check" sums.json 'for _, f in ipairs(r.findings) do
        if not f.case:find("^dml.cumulative_summation:examples:example=[1-4]$") and f.case ~= "dml.cumulative_summation:examples" then
            error(f.case)
        end
    end return #r.findings == 4' || fail 'other examples fail'
    run_worker "zeros.py dml.cumulative_summation" example 1 dml.cumulative_summation:examples:example=4
    holds example.out '^Not conformant: ' '^  mismatch +1$'
}

# Negative indices are counted from the end by the pages of both specifications.
negative_as_0() {
    cat >negative.py <<'EOP'
import numpy as np
from touchstone_exec import arrays, run

bounded = arrays.bounded
arrays.bounded = lambda indices, count: bounded(np.maximum(indices, 0), count)
arrays.register(arrays.Arrays())
run(name="negative")
EOP
    local name=$1
    run_worker negative.py "$name" 1 "$name:examples where dtype == u32"
    each_test "$name" 'v["rejected-valid"] == 0 and v.lost == 0'
    holds "$name.out" '^  mismatch +[1-9]'
}

test_a_worker_that_takes_element_0_for_negative_indices() {
    local name
    for name in dml.gather dml.gather_elements dml.gather_nd dml.gather_nd1 openvino.gather_8; do
        negative_as_0 "$name"
    done
}

# GatherND-5 of the newest edition keeps indices in [0, s-1]: what becomes of others is open. GatherND-8 and
# GatherElements-6 count from the end.
test_a_worker_that_takes_element_0_in_openvino_gather_nd() {
    local name
    for name in openvino.gather_nd_8 openvino.gather_elements; do
        negative_as_0 "$name"
    done
    run_worker negative.py openvino.gather_nd_5 0 'openvino.gather_nd_5:examples where dtype == u32'
    each_test openvino.gather_nd_5 'v.mismatch == 0 and v["rejected-valid"] == 0 and v.lost == 0'
}

# A scatter that refuses equal indices.
refuse_equal() {
    cat >equal.py <<'EOP'
import numpy as np
from touchstone_exec import Rejected, arrays, run

class Distinct(arrays.Arrays):
    def put_along_axis(self, array, indices, values, axis):
        along = np.sort(np.where(indices < 0, indices + array.shape[axis], indices), axis)
        if (np.diff(along, axis=axis) == 0).any():
            raise Rejected("equal indices")
        return super().put_along_axis(array, indices, values, axis)

    def put(self, array, index, values):
        parts = [np.where(one < 0, one + n, one) for one, n in zip(index, array.shape) if isinstance(one, np.ndarray)]
        tuples = [tuple(one) for one in np.stack([part.ravel() for part in parts], 1).tolist()] if parts else []
        if len(set(tuples)) < len(tuples):
            raise Rejected("equal indices")
        return super().put(array, index, values)

arrays.register(Distinct())
run(name="distinct")
EOP
    run_worker equal.py "$@"
}

# "If two output element indices overlap (which is invalid)"; "In case of duplicate entries in indices the result is
# undefined": a refusal is no failure, but of the example of SCATTER_ELEMENTS that has equal indices.
test_a_worker_that_refuses_equal_indices() {
    local name but
    for name in dml.scatter_elements dml.scatter_nd openvino.scatter_nd_update_3; do
        but=
        [ "$name" != dml.scatter_elements ] || but=' and example ~= "1"'
        refuse_equal "$name" 0 "$name:examples where dtype == u32$but"
        each_test "$name" 'v["rejected-valid"] == 0 and v.mismatch == 0 and v.lost == 0'
        touchstone lua "$check" "$name.json" 'r.total.verdicts.ambiguous > 0 and r.total.verdicts.pass > 0' ||
            fail "$name: nothing is ambiguous"
        holds "$name.out" 'refused|rejected'
    done
    refuse_equal example 1 'dml.scatter_elements:examples:example=1,dtype=u32'
    holds example.out '^  rejected-valid +1$'
}

# "The order of updating the values is undefined": there are several updates, and one of them remains.
test_equal_indices_whose_order_alone_is_open_are_legal() {
    local name
    for name in openvino.scatter_elements_update_3 openvino.scatter_update; do
        refuse_equal "$name" 1 "$name:examples where dtype == u32"
        each_test "$name" 'v["rejected-valid"] > 0 and v.mismatch == 0'
    done
}

# ---- calls without data ---------------------------------------------------------------------------------------------

# What no function answers is counted as unsupported: it makes no run green, and no operator judged.
test_calls_without_data_are_not_answered_by_the_package() {
    cat >join.py <<'EOP'
import numpy as np
from touchstone_exec import operator, run

@operator("dml.join", clauses=["JO-04"])
def join(InputTensors, Axis, OutputTensor):
    return np.concatenate(InputTensors, Axis)

run(name="join")
EOP
    run_worker join.py illegal 2 'dml.join:*JO-04*'
    holds illegal.out 'passed 0, failed 0, unsupported [1-9]' '^incomplete: the backend does not support'
    each_test illegal 'v.unsupported == t.ran'
    touchstone lua "$check" illegal.json 'r.outcome == "nothing"' || fail "$(cat illegal.json)"
    run_worker join.py legal 2 'dml.join:examples' 'dml.join:legal-*'
    holds legal.out 'failed 0, unsupported [1-9]' '^incomplete'
    # A case that is required is not absent if it was asked for; that it is unsupported makes the run incomplete.
    run_worker join.py required 2 'dml.join:examples' 'dml.join:legal-*' --require 'dml.join:legal-*'
    holds required.out '^incomplete'
    expect 0 touchstone probe "exec:$python join.py"
    holds out '^n/a +descriptor-only'
}

test_accepts_answers_calls_without_data() {
    cat >join.py <<'EOP'
import numpy as np
from touchstone_exec import Descriptor, Rejected, operator, run

def accepts(InputTensors, Axis, OutputTensor, call):
    assert all(isinstance(one, Descriptor) for one in [*InputTensors, OutputTensor])
    first = InputTensors[0]
    for one in [*InputTensors, OutputTensor]:
        if one.ndim != first.ndim or any(n != m for i, (n, m) in enumerate(zip(one.shape, first.shape)) if i != Axis):
            raise Rejected("sizes beside the axis differ")
    joined = sum(one.shape[Axis] for one in InputTensors)
    return tuple(joined if i == Axis else n for i, n in enumerate(first.shape))

@operator("dml.join", clauses=["JO-04"], accepts=accepts)
def join(InputTensors, Axis, OutputTensor):
    return np.concatenate(InputTensors, Axis)

run(name="join")
EOP
    run_worker join.py answered 0 'dml.join:*JO-04*' 'dml.join:legal-*' 'dml.join:examples'
    holds answered.out 'failed 0' '^conformant in what was run'
    each_test answered 'v.unsupported == 0 and v.pass > 0'
    sed -i 's/^    joined = .*/&  + 1/' join.py # a shape that is inferred is that of the call, or a mismatch
    run_worker join.py inferred 1 dml.join:legal-JO-07
    holds inferred.out '^  (mismatch|rejected-valid) +[1-9]'
    sed -i 's/^def accepts.*/&\n    return True/' join.py
    run_worker join.py always 1 dml.join:invalid-JO-04-second
    each_test always 'v["accepted-invalid"] == t.ran'
    sed -i 's/^    return True$/    return later/; s/^def accepts/def later():\n    return False\n\n&/' join.py
    run_worker join.py later 1 dml.join:invalid-JO-04-second dml.join:legal-JO-07
    touchstone lua "$check" later.json 'r.total.verdicts.pass > 0 and r.total.verdicts["rejected-valid"] > 0' ||
        fail 'a function is not asked for its answer later'
    sed -i 's/^    return later$/    return None/' join.py
    run_worker join.py nothing 1 dml.join:invalid-JO-04-second
    holds nothing.out 'lost' 'accepts returned None; expected True, False or the shape of the output'
    sed -i 's/^def accepts(.*/def accepts(colour):/' join.py
    run_worker join.py wrong 1 'dml.join:examples:example=1,dtype=u32'
    holds wrong.out 'dml.join has no colour; it has '
}

# Operators that are checked only: nothing is computed, and the descriptors are answered.
test_a_worker_may_answer_for_operators_that_are_checked_only() {
    cat >clip.py <<'EOP'
from touchstone_exec import operator, run

@operator("dml.element_wise_clip", clauses=["OP-02"], accepts=lambda InputTensor, OutputTensor, Min, Max: True)
def clip(InputTensor, OutputTensor):
    raise AssertionError

run(name="clip")
EOP
    run_worker clip.py clip 0 'dml.element_wise_clip:legal'
    holds clip.out '^Checked [1-9]'
    sed -i 's/, accepts=.*)/)/' clip.py
    run_worker clip.py silent 2 'dml.element_wise_clip:legal'
    holds silent.out 'unsupported [1-9]'
}

test_a_backend_in_cpp_without_accepts() {
    command -v c++ >/dev/null || skip 'no compiler for C++ here'
    local asked='dml.element_wise_identity:invalid-EI-04* where dtype == f32'
    sed '/ts_status accepts(/,/^    }/d' "$TOUCHSTONE_ROOT/backends/templates/plugin-cpp/mine.cpp" >mine.cpp
    c++ -std=c++17 -Wall -Wextra -Werror -shared -fPIC -I "$prefix/include/touchstone" -o mine.so mine.cpp
    expect 2 touchstone run -q -b ./mine.so -o m.run "$asked"
    holds out 'passed 0, failed 0, unsupported [1-9]' '^incomplete: '
    expect 0 touchstone run -q -b ./mine.so -o e.run \
        'dml.element_wise_identity:special where in_layout == packed and out_layout == packed and dtype == f32'
    expect 0 touchstone probe ./mine.so
}

test_a_backend_in_rust_without_accepts() {
    command -v cargo >/dev/null || skip 'no cargo here'
    cp -r "$TOUCHSTONE_ROOT/backends/exec/rust" crate
    sed -i '/fn accepts(/,/^    }/d' crate/examples/slice1.rs
    CARGO_TARGET_DIR=$PWD/rust expect 0 cargo build --quiet --offline --manifest-path crate/Cargo.toml --example slice1
    expect 2 touchstone run -q -b exec:rust/debug/examples/slice1 -o r.run 'dml.slice1:invalid-SL-05*'
    holds out 'passed 0, failed 0, unsupported [1-9]' '^incomplete: '
    expect 0 touchstone run -q -b exec:rust/debug/examples/slice1 -o e.run 'dml.slice1:examples where legal'
}

run_tests "$@"

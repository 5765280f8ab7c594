#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone show: an id is enough to show, run and evaluate a case.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# TEST: a few of its ids, from all over it.
sample() {
    touchstone list "$1" >ids
    awk -v n="$(wc -l <ids)" -v parts=2 \
        'BEGIN { step = int(n / parts) + 1 } NR == 1 || NR == n || NR % step == 0' ids
}

# K/N: of the names on standard input, every Nth, beginning with the Kth.
shard() {
    awk -v first="${1%/*}" -v parts="${1#*/}" 'NR % parts == first % parts'
}

# Of the many small tests of illegal cases, one of sixteen.
most_tests() {
    names_of_tests | awk '!/:invalid-/ || NR % 16 == 0'
}

# Of those, one in twelve.
more_invalid_tests() {
    names_of_tests | awk '/:invalid-/ && NR % 16 != 0 && NR % 12 == 0'
}

# A record has what another program needs to try an implementation: inputs, and the outputs that are expected.
test_record_has_the_expected_outputs() {
    expect 0 touchstone show --json dml.slice1:examples:example=2
    mv out record.json
    expect 0 touchstone lua "$check" record.json 'r.name == "dml.slice1:examples:example=2" and r.expect == "accepted"' \
        '#r.outputs == 1 and r.outputs[1].name == "OutputTensor" and r.outputs[1].dtype == "FLOAT32"' \
        'table.concat(r.outputs[1].sizes, ",") == "1,1,2,2"' \
        'table.concat(r.outputs[1].data, ",") == "14.0,16.0,6.0,8.0"' \
        'r.outputs[1].raw == "00006041000080410000c04000000041"' '#r.inputs.InputTensor == 16'
    expect 0 touchstone eval record.json --json # which computes the same
    mv out computed.json
    touchstone lua "$check" computed.json 'print(r[1].outputs[1].raw) return true' | grep -q 00006041000080410000c04000000041 ||
        fail "eval computes other outputs than show expects"
    expect 0 touchstone show --json dml.slice1:invalid-SL-02-strides:default
    mv out record.json
    expect 0 touchstone lua "$check" record.json 'r.expect == "refused" and r.clause == "SL-02" and #r.outputs == 0'
    expect 0 touchstone show --json dml.gather:examples:example=out-of-range
    mv out record.json
    expect 0 touchstone lua "$check" record.json 'r.expect == "open" and r.clause ~= nil and #r.outputs[1].unspecified > 0'
}

# A descriptor that breaks a clause which no published sentence states is executed, too: what its outputs hold then is our
# decision, and is called so and not expected.
test_what_an_open_descriptor_means_is_our_decision() {
    local id=dml.element_wise_identity:examples:example=alignment-8
    expect 0 touchstone show $id
    holds out '^  OutputTensor +FLOAT32 \{1,1,2,3\}, 24 bytes, our decision:$' '^      \[0,0,1\] 68  69  70$' \
        '^  open: it violates BUF-22, .* what a call that is accepted writes: our decision, not judged$'
    ! grep -q expected out || fail "show calls it expected"
    expect 0 touchstone show --json $id
    mv out record.json
    expect 0 touchstone lua "$check" record.json 'r.expect == "open" and r.clause == "BUF-22"' \
        'table.concat(r.inputs.InputTensor, ",") == "65.0,66.0,67.0,68.0,69.0,70.0"' \
        'table.concat(r.outputs[1].data, ",") == "65.0,66.0,67.0,68.0,69.0,70.0"'
    # Of one that nothing computes, there are no values.
    expect 0 touchstone show dml.element_wise_identity:examples:example=output-broadcast
    holds out '^  OutputTensor +FLOAT32 \{2,3\} strides \{0,1\}, 12 bytes$' \
        '^  open: it violates BUF-12, .*; either answer is recorded$'
    ! grep -q 'our decision' out || fail "show has a decision about values"
}

# Floats, records, enumerations and nested operators are written as in files, and not by the bits that a call has.
test_attributes_are_shown_as_files_write_them() {
    expect 0 touchstone show dml.element_wise_clip:legal:number=3
    holds out '^  ScaleBias +\{2,0\.5\}$' '^  Min +0\.5$'
    expect 0 touchstone show dml.convolution:legal:number=0
    holds out '^  Mode +[A-Z_]+$' '^  FusedActivation +[A-Z_]+(\(.*\))?$'
    expect 0 touchstone show dml.cumulative_summation:examples:example=1
    holds out '^  AxisDirection +DML_AXIS_DIRECTION_INCREASING$' '^  HasExclusiveSum +(true|false)$'
}

# Standard input: names of tests. A few ids of each are shown, run, and evaluated as records.
show_and_run() {
    local name names id chosen wanted status
    mapfile -t names
    [ "${#names[@]}" -gt 0 ] || fail "there are no tests"
    for name in "${names[@]}"; do
        mapfile -t chosen < <(sample "$name")
        [ "${#chosen[@]}" -gt 0 ] || fail "$name has no ids"
        expect 0 touchstone list "${chosen[@]}"
        # What is drawn has another order than the ids, which are points of the whole space.
        printf '%s\n' "${chosen[@]}" | sort -u | cmp - <(sort -u out) || fail "list prints other ids than those of $name that it was given"
        status=2 # nothing is judged, until a case is
        for id in "${chosen[@]}"; do
            expect 0 touchstone show "$id"
            [ "$(head -n 1 out)" = "$id" ] || fail "show $id shows $(head -n 1 out)"
            grep -q '^  open: it ' out || [[ $name == *unjudged ]] || status=0
        done
        mv out last
        rm -f some.run
        if [[ $name == dml.*:beyond ]]; then
            refuses 2 'nothing|no case' -- touchstone run "${chosen[@]}" -b cpu -o some.run # no level is beyond cpu's
        else
            expect "$status" touchstone run "${chosen[@]}" -b cpu -o some.run
            holds out "^planned ${#chosen[@]}, ran ${#chosen[@]}, "
        fi
        wanted=0 # the last one, as a record
        ! grep -q '^  to be rejected\|^  open: it ' last || wanted=1
        if grep -q '^  to be accepted; not executed' last; then # it may be larger than the memory
            refuses 64 'is not executed' -- touchstone explain "$id"
            continue
        fi
        case $name in
        *vast* | *drawn*) # elements by the billion at one address, or more than a record holds
            if ! touchstone show --json "$id" >record.json 2>err; then
                holds err 'a record holds at most'
                continue
            fi
            case $name in *vast*) continue ;; esac
            ;;
        esac
        expect 0 touchstone show --json "$id"
        mv out record.json
        case $name in *sparse) continue ;; esac # of a record, all bytes take memory
        expect $wanted touchstone eval record.json
    done
}

test_ids_show_and_run() {
    most_tests | shard "$(part_of 16)" | show_and_run
}

slow_ids_of_more_invalid_cases() {
    more_invalid_tests | show_and_run
}

run_tests "$@"

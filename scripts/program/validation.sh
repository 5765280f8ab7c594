#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone run of operators that are checked, but not computed: a backend is asked about their descriptors.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# All answers agree, and that is no conformance.
test_agreement_is_no_conformance() {
    expect 0 touchstone run -b faulty --backend-opt fault=none dml.convolution dml.gemm -o v.run
    holds out '^Checked [0-9]+ descriptors of 2 operators: all answers agree\. Nothing was computed' \
        '^descriptors are judged as specified; nothing was computed$'
    ! grep -q conformant out || fail "it says 'conformant'"
    expect 0 touchstone report v.run --json v.json --html v.html --csv v.csv --junit v.xml --markdown v.md
    touchstone lua "$check" v.json 'r.outcome == "validated"' 'r.validation.operators[1].operator == "dml.convolution"' \
        'r.validation.operators[1].legal.accepted == r.validation.operators[1].legal.asked' \
        'r.validation.operators[1].illegal.asked > 100' || fail "the report as JSON"
    holds v.html 'Touchstone validation report' 'id="validation"'
    ! grep -q 'header class="good"' v.html || fail "the page is green"
    holds v.csv '^descriptors,dml\.convolution,invalid,'
    holds v.xml 'validation: dml.convolution'
    holds v.md '^## Touchstone: validation'
}

# A backend that does not know an operator is no failure of it, and no success.
test_not_offered() {
    expect 2 touchstone run -b cpu dml.convolution -o v.run
    holds err "backend 'cpu' offers none of the [0-9]+ cases"
}

# `*` means what is computed, `validation` the descriptors of all declared operators; one run does not mix them.
test_the_queries() {
    expect 0 touchstone list validation --count
    holds out ' dml\.convolution:legal ' ' dml\.gemm:invalid ' ' dml\.element_wise_bit_and:legal '
    ! grep -q element_wise_bit_and:drawn out || fail "a test that executes is listed"
    expect 0 touchstone run -b cpu 'dml.element_wise_bit_and:legal' -o legal.run
    holds out '^Checked [0-9,]+ descriptors of dml\.element_wise_bit_and: all answers agree'
    ! grep -q slice1 out || fail "slice1 is computed"
    expect 0 touchstone list '*' --count
    ! grep -q convolution out || fail "convolution is not computed"
    expect 64 touchstone run -b faulty --backend-opt fault=none dml.convolution dml.slice1
    holds err "query 'dml.convolution' is about descriptors alone, and 'dml.slice1' is not"
    expect 0 touchstone list 'dml.convolution:invalid where clause == "OP-12"' --tier full
    ! grep -qv 'clause=OP-12$' out || fail "other clauses are listed"
}

# An id is a case to show, to explain and to run, and `check` judges its record.
test_ids() {
    local id # of a clause that binds
    id=$(touchstone list 'dml.convolution:invalid where clause == "OP-06"' | head -n 1)
    expect 0 touchstone show "$id"
    holds out 'it violates OP-06$'
    expect 1 touchstone explain "$id"
    holds out '^  OP-06  broken: '
    expect 0 touchstone show "$id" --json
    cp out record.json
    expect 1 touchstone check record.json
    holds out 'OP-06'
    expect 0 touchstone run -b faulty --backend-opt fault=none "$id" -o one.run
    holds out '^Checked 1 descriptor of dml\.convolution: all answers agree'
    expect 64 touchstone show 'dml.convolution:invalid:number=99999,clause=OP-06'
}

# Waivers and resumed runs are as in any other run.
test_waivers() {
    cat >known.lua <<'END'
return { { query = 'dml.convolution:invalid where clause == "OP-04"', reason = "enumerations are not looked at",
        owner = "us", link = "https://example.org/1", expires = "2099-01-01" } }
END
    expect 0 touchstone run -b faulty --backend-opt fault=checked-enumeration --waivers known.lua dml.convolution -o w.run
    holds out '^Checked [0-9]+ descriptors of dml\.convolution: [0-9]+ waived, and all other answers agree'
}

run_tests "$@"

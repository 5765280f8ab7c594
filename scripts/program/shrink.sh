#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone shrink, and the shrinking of a run's findings.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

example=dml.slice1:examples:example=2
reversed=(-b faulty --backend-opt fault=reverse-start)

# The smallest case is printed with the command that runs it, and fails there.
test_verb() {
    local id
    expect 0 touchstone shrink "$example" "${reversed[@]}"
    holds out "^case +$example\$" '^ +mismatch; 20 elements, 4 dimensions, 1 axis not at the default$' \
        '^shrunk to dml.slice1:drawn:rank=1,' '^ +mismatch; [0-9] elements, 1 dimension, ' '^ +OutputTensor\[[0-9]\] is ' \
        '^executed  [0-9]+ cases$' '^ +touchstone run .dml.slice1:drawn:rank=1,.* -b faulty --backend-opt fault=reverse-start$'
    [ ! -s err ] || fail "a message on standard error"
    id=$(sed -n 's/^shrunk to //p' out)
    expect 1 touchstone run "$id" "${reversed[@]}" -o small.run
    expect 0 touchstone shrink "$id" "${reversed[@]}"
    holds out "^smallest +$id\$"
    expect 0 touchstone shrink "$example" "${reversed[@]}" --limit 2
    holds out '^executed  2 cases, the limit: a smaller case may fail, too$'
}

test_json() {
    expect 0 touchstone shrink "$example" "${reversed[@]}" --json
    cp out s.json
    touchstone lua "$check" s.json 'r.outcome == "done" and r.verdict == "mismatch" and r.of.elements == 20' \
        'r.shrunk:find("^dml.slice1:drawn:") and r.size.dimensions == 1 and r.executions > 1 and not r.limited' \
        'r.clause == "SL-10" and #r.tensors == 2 and r.descriptor and r.reproducer:find("^touchstone run ")'
}

# The exit status says why there is no smaller case.
test_status() {
    expect 1 touchstone shrink "$example" -b cpu
    holds err 'does not fail: alone in a new process its verdict is pass$'
    [ ! -s out ] || fail "a case that passes is printed"
    expect 1 touchstone shrink "$example" -b cpu --json
    cp out p.json
    touchstone lua "$check" p.json 'r.outcome == "passes" and r.verdict == "pass"'
    expect 2 touchstone shrink dml.slice1:drawn:rank=8 -b cpu --feature-level 2_1
    holds err "backend 'cpu' does not support dml.slice1:drawn:rank=8"
}

# A backend that ends, or does not come back, when it is asked whether it supports the case.
test_says_what_happened_in_the_query() {
    local tests=$prefix/../tests how
    [ -f "$tests/hostile_begin.so" ] || skip "there is no $tests/hostile_begin.so"
    for how in crash exit hang; do
        cp "$tests/hostile_begin.so" "$how-query.so"
        expect 0 touchstone shrink "$example" -b "./$how-query.so" --time-limit 500ms --limit 3
        holds out "$([ $how = hang ] && echo '^ +hang' || echo '^ +crash')" 'when it was asked whether it supports such cases'
    done
    holds out 'did not come back'
    expect 2 touchstone shrink dml.gather_nd1:beyond:own=1,dims=1 -b ./crash-query.so # whose level it reaches
    holds err "backend './crash-query.so' does not support dml.gather_nd1:beyond:own=1,dims=1"
}

test_wrong_usage() {
    refuses 64 'expected one case id' -- touchstone shrink -b cpu
    refuses 64 'expected one case id' -- touchstone shrink "$example" "$example" -b cpu
    refuses 64 'no backend' -- touchstone shrink "$example"
    refuses 64 'no single case' -- touchstone shrink dml.slice1:examples -b cpu
    refuses 64 "no operator 'dml.slice2'" -- touchstone shrink dml.slice2:examples:example=2 -b cpu
    refuses 64 'is no case: ' -- touchstone shrink dml.slice1:drawn:size=-1.1.1.1 -b cpu
    refuses 64 'absent' -- touchstone shrink "$example" -b absent
    refuses 64 'no-such-fault' -- touchstone shrink "$example" -b faulty --backend-opt fault=no-such-fault
    refuses 64 "'0'" -- touchstone shrink "$example" -b cpu --limit 0
    refuses 64 "'some'" -- touchstone run -b cpu --shrink some
}

# The first findings of a run keep their case and get the smallest, which the run prints with the cause.
test_run() {
    expect 1 touchstone run "${reversed[@]}" dml.slice1:examples -o a.run
    holds out '^cause 1: .* in 22 cases of dml.slice1$' '^  mismatch dml.slice1:drawn:rank=1,' \
        "^  touchstone run 'dml.slice1:drawn:rank=1,.*fault=reverse-start\$" "^  touchstone explain 'dml.slice1:drawn:rank=1,"
    digest=$(sed -n 's/^digest *//p' out)
    touchstone report a.run --html a.html --json a.json --csv a.csv --junit a.xml
    touchstone lua "$check" a.json 'r.findings[1].shrunk:find("^dml.slice1:drawn:rank=1,")' \
        'r.findings[1].shrunk == r.findings[2].shrunk and r.findings[1].shrunk_facts.size.dimensions == 1' \
        'r.findings[1].shrunk_facts.of.dimensions == 4 and r.findings[1].shrunk_facts.executions > 1'
    grep -q '<section id="smallest"' a.html || fail "the page has no smallest cases"
    holds a.csv ',shrunk.?$' 'dml.slice1:drawn:rank=1,'
    holds a.xml 'shrunk to: dml.slice1:drawn:rank=1,'
    expect 1 touchstone run "${reversed[@]}" dml.slice1:examples --shrink 0 -o b.run
    grep -q 'shrunk' out && fail "--shrink 0 shrinks"
    [ "$digest" = "$(sed -n 's/^digest *//p' out)" ] || fail "the digest depends on shrinking"
    touchstone report b.run --html b.html --json b.json
    touchstone lua "$check" b.json 'r.findings[1].shrunk == null'
    grep -q 'Smallest cases' b.html && fail "the page has smallest cases"
    expect 0 touchstone diff a.run b.run
}

# Descriptors that the backend is only asked about may state more bytes than any case can have.
test_a_descriptor_that_is_not_executed_stays_one() {
    expect 1 touchstone run -b faulty --backend-opt fault=reject-loose-total -o a.run \
        --decisions binding 'dml.element_wise_identity:legal-BUF-10-in' 'dml.slice1:legal-BUF-10-in'
    holds out '^ *rejected-valid dml.(element_wise_identity|slice1):legal-BUF-10-in:' \
        '^  touchstone run .dml.(element_wise_identity|slice1):legal-BUF-10-in:' \
        '^  [0-9]+ of dml.slice1: touchstone run .dml.slice1:legal-BUF-10-in:'
    grep -q '^  touchstone run .*:drawn:' out && fail 'a descriptor was shrunk to a case that is executed'
    return 0
}

# The smallest case of a cause says of which test it is the shrunk form, and a case that is named by its values does not
# claim to be what its test draws.
test_says_what_is_a_shrunk_form() {
    ! sabotage reverse-start s.run dml.slice1:examples || fail "the fault is not found"
    expect 0 touchstone report s.run --json s.json --html s.html --markdown s.md
    touchstone lua "$check" s.json 'r.causes[1].case:match "^dml.slice1:drawn:"' \
        'r.causes[1].shrunk_from:match "^dml.slice1:examples:example="' 'print(r.causes[1].case) return true' >id
    holds s.html ', the shrunk form of <a class="case" href="#finding=dml.slice1:examples:example'
    holds s.md ', the shrunk form of `dml.slice1:examples:example='
    expect 0 touchstone report s.run
    holds out '^  the shrunk form of a case of dml.slice1:examples$'
    expect 0 touchstone show "$(cat id)"
    holds out '^  .* \(named by its values: a case that is drawn, or the shrunk form of one\)$'
    ! grep -q 'case [0-9]* of [0-9]*' out || fail "it claims to be a case of those that are drawn"
    expect 0 touchstone explain "$(cat id)"
    holds out '^  .* \(named by its values:'
    expect 1 touchstone run "$(cat id)" -b faulty --backend-opt fault=reverse-start -o one.run --html one.html
    holds one.html 'named by its values: a case that is drawn, or the shrunk form of one'
    expect 0 touchstone show dml.slice1:examples:example=2
    holds out '\(case 11 of 110\)$'
}

run_tests "$@"

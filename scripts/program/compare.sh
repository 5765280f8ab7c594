#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone compare.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_reports_where_backends_differ() {
    local cases
    cases=$(touchstone list --count dml.slice1:pairwise | awk '/in all/ { print $1 }')
    # The same twice differs nowhere.
    expect 0 touchstone compare -b cpu -b cpu dml.slice1:pairwise
    holds out '^cpu: ' '^cpu \(2\): ' "^may be relied on everywhere: $cases\$" '^All agree with the reference in all cases$'
    ! grep -q 'they differ' out || fail "a backend differs from itself"
    # Each fault has a region of its own; an unsupported case is not a failure.
    expect 1 touchstone compare -b cpu -b faulty --backend-opt fault=reject-8-bit --as narrow \
        -b faulty --backend-opt fault=only-i16-8d dml.slice1:boundary -o runs --html page.html
    holds out '^may be relied on everywhere: ' '^they differ: ' "'dml.slice1:boundary where rank == 8 and dtype == i16'" \
        'cpu: pass; narrow: rejected-valid; faulty fault=only-i16-8d: pass' \
        'cpu: pass; narrow: pass; faulty fault=only-i16-8d: mismatch  SL-10' "'dml.slice1:boundary where dtype in \{u8, i8\}'" \
        '^  i16 .* fail' '^narrow differs from cpu in [0-9,]+ of [0-9,]+ cases, faulty fault=only-i16-8d in [0-9,]+$'
    holds page.html '^<!DOCTYPE html>' 'rejected-valid' 'narrow' '</html>'
    ! grep -Eio '(src|href)="?(https?:)?//[^"> ]*' page.html || fail "the page loads something"
    # The same from the runs that it kept.
    [ "$(find runs -name '*.run' | wc -l)" = 3 ] || fail "it kept $(ls runs)"
    expect 1 touchstone compare runs/1-cpu.run runs/2-narrow.run runs/3-faulty-fault-only-i16-8d.run --json
    touchstone lua "$check" out 'r.status == 1' '#r.sides == 3' 'r.total.kinds.differs > 0' \
        'r.total.kinds.everywhere + r.total.kinds.differs == r.total.cases' 'r.total.common == r.total.cases' \
        'r.total.sides[1].pass == r.total.cases' 'r.regions[1].kind == "everywhere"'
    expect 0 touchstone compare runs/1-cpu.run runs/1-cpu.run
    # What a feature level does not have is not supported there, and what it is to refuse is nobody else's.
    touchstone run -b cpu dml.slice1:pairwise dml.slice1:beyond -o new.run >/dev/null
    touchstone run -b cpu dml.slice1:pairwise dml.slice1:beyond --feature-level 3_0 -o old.run >/dev/null
    expect 0 touchstone compare new.run old.run --json
    touchstone lua "$check" out 'r.total.kinds.unsupported > 0' 'r.total.kinds.everywhere > 0' 'r.total.kinds.differs == 0' \
        'r.total.sides[1].pass == r.total.cases' 'r.sides[2].feature_level == "3_0"'
    # Nor what a clause is to be broken for that somebody's library cannot be shown.
    expect 0 touchstone compare -b cpu -b faulty --backend-opt fault=none --backend-opt unshown=EI-04 \
        'dml.element_wise_identity:examples'
    # Unspecified cases are not judged, but the observed behaviour is reported.
    expect 0 touchstone compare -b cpu -b faulty --backend-opt fault=vector-tail 'dml.gather:examples:example=out-of-range'
    holds out 'E-GA-10  they differ' '^      cpu  *clamped index, as decided \([0-9]+\)$' 'vector-tail  *output not written \([0-9]+\)'
    # What no case asked is named, with the reason.
    holds out 'E-GA-9  not observed' '^      cpu  *not observed: no case that was compared asks it$'
    touchstone run -b cpu dml.gather:examples -o gather.run >/dev/null
    refuses 64 'different cases' "'dml.gather:examples'" -- touchstone compare runs/1-cpu.run gather.run
    refuses 64 'two or more' -- touchstone compare -b cpu
    refuses 64 'two or more' -- touchstone compare gather.run
    refuses 64 'absent.run' -- touchstone compare gather.run absent.run
    refuses 64 'no backend' -- touchstone compare --tier quick gather.run gather.run
    refuses 64 'before the first -b' -- touchstone compare --backend-opt fault=none -b cpu -b cpu
    refuses 64 'two backends have this label' -- touchstone compare -b cpu --as x -b cpu --as x
    refuses 64 "no backend 'nosuch'" -- touchstone compare -b cpu -b nosuch dml.gather:examples
    refuses 64 'key=value' -- touchstone compare -b cpu --backend-opt x -b cpu
    refuses 64 "no test 'pairs'" -- touchstone compare -b cpu -b cpu dml.slice1:pairs
    refuses 64 'gather.run' -- touchstone compare gather.run gather.run --html gather.run
}

run_tests "$@"

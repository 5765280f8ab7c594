#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone list, and the queries that all verbs share.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_counts_right() {
    local listed
    expect 0 touchstone list --count 'dml.slice1:special'
    listed=$(touchstone list 'dml.slice1:special' | wc -l)
    holds out "(^| )$listed( |\$)"
    [ "$(touchstone list 'dml.slice1:special' | sort | uniq -d | wc -l)" = 0 ] || fail "an id is there twice"
}

# README.md says which name an operator of the specification has in ids.
test_readme_names_the_operators() {
    touchstone list --count '*:examples' | sed -n 's/^ *[0-9]*  *\(.*\):examples *$/\1/p' | sort >operators
    # shellcheck disable=SC2016 # the backquotes are README.md's
    grep -o '`\(dml\|openvino\)\.[a-z0-9_]*`' "$TOUCHSTONE_ROOT/README.md" | tr -d '`' | sort -u >named
    [ -s operators ] || fail "no operators"
    diff operators named || fail "README.md names other operators"
}

test_queries() {
    expect 0 touchstone list "dml.slice1:special where dtype in {u8, i8} and each(stride < 0)"
    holds out '^dml.slice1:special:.*dtype=u8' '^dml.slice1:special:.*dtype=i8'
    ! grep -v 'stride=-' out || fail "an id with a stride that is not negative"
    ! grep -v 'dtype=[ui]8' out || fail "an id with another data type"
    expect 0 touchstone list "dml.slice1:special where any(stride < 0)"
    ! grep -v 'stride=.*-' out || fail "an id without a negative stride"
    grep -q 'stride=1\|stride=.*\.1' out || fail "no id with a positive stride beside a negative one"
    expect 0 touchstone list 'dml.slice1:special:dtype=f16,*'
    ! grep -v 'dtype=f16' out || fail "an id with another data type"
    expect 0 touchstone list --count '*:examples'
    holds out 'dml.slice1:examples' 'dml.gather:examples' ' in all$'
    expect 0 touchstone list --tier full --count 'dml.*:sp*'
    holds out 'dml.slice1:special' 'dml.gather:special'
    ! grep -q boundary out || fail "a test that the query does not name"
    expect 0 touchstone run -b cpu 'dml.slice1:special where dtype == f16' 'dml.gather:examples' -o q.run
    touchstone report q.run --json q.json
    touchstone lua "$check" q.json '#r.tests == 2'
}

test_axes() {
    expect 0 touchstone list --axes dml.slice1:special openvino.strided_slice:drawn
    holds out '^dml.slice1:special: special values' '^  stride +InputWindowStrides' '^ +per rank: 1, -1, 2, -3$' \
        '^openvino.strided_slice:drawn: ' '^  steps ' '^ +per steps: drawn$'
    expect 0 touchstone list --axes dml.random_generator:exhaustive
    holds out '^ +4 elements: 0, 1, 4294967295'
    expect 0 touchstone show dml.slice1:special:rank=1,fill=special,stride=-3
    holds out "^  stride=-3 +InputWindowStrides"
    refuses 64 'exclude each other' -- touchstone list --axes --count dml.slice1:special
}

test_wrong_queries() {
    refuses 64 "no operator 'dml.slice2'" 'dml.slice1' -- touchstone run -b cpu dml.slice2 -o x.run
    refuses 64 "no test 'pairs'" 'pairwise' -- touchstone run -b cpu dml.slice1:pairs -o x.run
    refuses 64 'colour' -- touchstone run -b cpu 'dml.slice1:special where colour == 1' -o x.run
    refuses 64 'f8' 'f16' -- touchstone run -b cpu 'dml.slice1:special where dtype == f8' -o x.run
    refuses 64 'stride' -- touchstone run -b cpu 'dml.slice1:special where stride <' -o x.run
    refuses 64 '\)' -- touchstone run -b cpu 'dml.slice1:special where any(stride < 1' -o x.run
    refuses 64 'each\(stride < 1\), or for at least one, any\(stride < 1\)' -- \
        touchstone list 'dml.slice1:special where stride < 1'
    refuses 64 'each\(size == 3\)' -- touchstone run -b cpu 'dml.*:special where not (size == 3)' -o x.run
    refuses 64 'colour' -- touchstone show 'dml.slice1:special:colour=1'
    refuses 64 'f8' -- touchstone show 'dml.slice1:special:dtype=f8'
    refuses 64 '1000' -- touchstone show 'dml.slice1:special:fill=special,size=1000.1.1.1'
    refuses 64 "no operator ''|empty|query" -- touchstone list ''
    refuses 64 "put quotes around both" -- touchstone list dml.slice1:pairwise where rank == 1
    refuses 64 "a predicate is missing after 'where'" -- touchstone list 'dml.slice1:pairwise where'
    refuses 64 "the default of axis 'fill', injective, is no value of this test: add fill=VALUE.*special, bits" \
        -- touchstone list dml.slice1:special:dtype=f16
    refuses 64 'reads an element that its vector does not have .the first one is 1., in the case of index 0' \
        -- touchstone list 'dml.slice1:pairwise where stride[9] == 1'
    refuses 64 'divides by zero, in the case of index' -- touchstone list 'dml.slice1:pairwise where rank // (size[1] - size[1]) == 1'
    refuses 64 'has no test .exampels.*invalid-[^ ,]* and [0-9]* more$' -- touchstone list dml.slice1:exampels
    refuses 64 'query|test' -- touchstone list ':::'
}

test_closed_pipe() {
    local statuses
    set +e
    touchstone list 'dml.slice1:exhaustive' 2>err | head -n 1 >out
    statuses=("${PIPESTATUS[@]}")
    set -e
    holds out '^dml.slice1:exhaustive:'
    case ${statuses[0]} in 0 | 3 | 141) ;; *) fail "list ended with ${statuses[0]}" ;; esac
    [ "$(wc -l <err)" -le 1 ] || fail "it complains: $(cat err)"
}

# A message about a query uses its own words.
test_messages_have_the_words_of_the_query() {
    refuses 64 'an element that its vector does not have \(the first one is 1\)' -- touchstone list 'dml.slice1:* where size[0] == 1'
    refuses 64 "'2' is an integer; put quotes around 2;" -- touchstone list 'dml.slice1:examples where example == 2'
    refuses 64 "^touchstone list: query 'dml\.slice1:special:rnk=2,\*': unknown name 'rnk'" -- \
        touchstone list 'dml.slice1:special:rnk=2,*'
    refuses 64 "'default' names one case" -- touchstone show 'dml.slice1:*:default'
}

run_tests "$@"

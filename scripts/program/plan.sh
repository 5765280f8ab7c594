#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone plan.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_counts_cases_by_tier() {
    expect 0 touchstone plan 'dml.slice1:examples' 'dml.slice1:special' -b cpu
    holds out '^test +quick +full +exhaustive  time in exhaustive$' 'tier full +[0-9]+ cases'
    holds out '^dml.slice1:examples +110 +110 +110 +0.0 s$'
}

# Each column adds up to what its tier has, and says what a run of the tier plans: the quick one only lists some cases of
# a test, and none of others.
test_says_what_each_tier_has() {
    local tier column=2
    expect 0 touchstone plan dml.random_generator
    cp out table
    holds table '^dml.random_generator:drawn +[0-9]+ +[0-9]+ +[0-9]+ ' '^dml.random_generator:[a-z0-9_-]+ +- +[0-9]'
    for tier in quick full exhaustive; do
        [ "$(awk -v c=$column '/^dml/ { sum += $c } END { print sum }' table)" = "$(awk -v t=$tier '$1 == "tier" && $2 == t { print $3 }' table)" ] ||
            fail "the column of tier $tier does not add up to its cases"
        column=$((column + 1))
    done
    expect 0 touchstone list --count dml.random_generator
    awk '/^ *[0-9]+  dml/ { print $2, $1 }' out >listed
    awk '/^dml/ && $2 != "-" { print $1, $2 }' table >planned
    cmp listed planned || fail "the column of tier quick has not what 'touchstone list' counts"
    expect 0 touchstone plan dml.random_generator --tier quick
    holds out '^test +quick  time in quick$'
    ! grep -q ' - ' out || fail "a test that the tier does not have is listed"
}

# Drawn cases take longer than those of the complete small tests.
test_estimates_drawn_cases_apart() {
    expect 0 touchstone plan dml.slice1:drawn --tier quick
    holds out '^dml\.slice1:drawn +[0-9]+ +(0\.[1-9]|[1-9]\.[0-9]) s$' '^tier quick +[0-9]+ cases +(0\.[1-9]|[1-9]\.[0-9]) s '
}

# Where nothing is planned, the reason is the backend, the tier or the predicate.
test_says_why_nothing_is_planned() {
    local verb
    for verb in plan run; do
        expect 2 touchstone $verb dml.slice1:examples -b cpu -l 1_0
        holds err "^touchstone $verb: .*backend 'cpu' offers none of the 110 cases that the queries select at feature level 1_0"
        expect 2 touchstone $verb dml.slice1:drawn:rank=2 -b cpu -l 1_0
        holds err "does not offer the only case that the queries select at feature level 1_0"
    done
    expect 2 touchstone list 'dml.slice1:boundary where rank == 77'
    holds err 'no case: none was found that fulfils a predicate'
    expect 2 touchstone list 'dml.slice1:* where rank == 77'
    holds err 'no case of tier quick, nor any at the beginning of the tests of larger tiers; --tier full or exhaustive'
    expect 2 touchstone list 'dml.slice1:exhaustive* where dtype == f64'
    holds err 'no case of tier quick; larger tiers have some'
    expect 2 touchstone list 'dml.element_wise_identity:* where rank == 77' --tier full
    holds err 'no case of tier full, nor any at the beginning of the tests of larger tiers; --tier exhaustive looks'
}

run_tests "$@"

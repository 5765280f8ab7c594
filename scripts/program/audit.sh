#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone audit.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_kills_a_mutant() {
    local id
    touchstone audit --list >mutants 2>err || { # built without clang
        holds err 'install clang'
        skip "$(tail -n 1 err)"
    }
    id=$(grep -m 1 '^dml/random_generator.c:.*:logic:' mutants) || fail "there is no mutant of RANDOM_GENERATOR"
    expect 0 touchstone audit dml.random_generator --tier quick --mutant "$id" -j 2
    holds out "^$id\$" '^dml\.random_generator:[^ ]+: [a-z-]+; smallest case:$' "-b mutants --backend-opt 'mutant=$id'"
    # The named case kills the mutant; the reference itself passes it.
    local case
    case=$(sed -n "/^  touchstone run /{ s/^  touchstone run '\([^']*\)'.*/\1/p; q; }" out)
    expect 1 touchstone run "$case" -b mutants --backend-opt "mutant=$id" -o killed.run
    expect 0 touchstone run "$case" -b mutants --backend-opt mutant=none -o whole.run
    refuses 64 "'all'" 'reference, kernels or both' -- touchstone audit --subject all
    refuses 64 "no mutant 'dml.c:1'" 'audit --list' -- touchstone audit --mutant dml.c:1
    refuses 64 "no operator 'dml.slice9'" -- touchstone audit dml.slice9
    refuses 64 "'often'" 'whole number' -- touchstone audit -j often
    refuses 64 'value' -- touchstone audit --hold-out
    refuses 64 'both subjects' -- touchstone audit dml.slice1 --subject kernels --choose quick.txt
    refuses 64 '--score' 'kills per test' -- touchstone audit --score --json audit.json
    refuses 64 'mutant=ID' -- touchstone run "$case" -b mutants --backend-opt mutant=x -o x.run
}

test_kills_a_mutant_of_a_kernel() {
    local id case
    touchstone audit --list >mutants 2>err || skip "$(tail -n 1 err)"
    id=$(grep -m 1 '^kernels/philox.c:.*:operation:' mutants) || fail "there is no mutant of the kernels"
    expect 0 touchstone audit dml.random_generator --subject kernels --tier quick --mutant "$id" -j 2
    holds out "^$id\$" '^  audit/kernels/philox.c:' '^dml\.random_generator:[^ ]+: mismatch; smallest case:$'
    case=$(sed -n "/^  touchstone run /{ s/^  touchstone run '\([^']*\)'.*/\1/p; q; }" out)
    expect 1 touchstone run "$case" -b mutants --backend-opt "mutant=$id" -o killed.run
    # A mutant whose place no case of this operator reaches is as the kernel itself.
    id=$(grep -m 1 '^kernels/gather.c:' mutants)
    expect 0 touchstone run "$case" -b mutants --backend-opt "mutant=$id" -o whole.run
}

run_tests "$@"

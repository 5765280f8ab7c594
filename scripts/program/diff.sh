#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone diff.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_reports_what_changed() {
    sabotage none good.run 'dml.slice1:boundary' 'dml.slice1:special' || fail "the reference fails"
    ! sabotage only-i16-8d bad.run 'dml.slice1:boundary' 'dml.slice1:special' || fail "the fault is not found"
    local boundary
    boundary=$(touchstone list --count 'dml.slice1:boundary where rank == 8 and dtype == i16' | awk '/in all/ { print $1 }')
    [ "$boundary" -gt 1000 ] || fail "the region holds $boundary cases"
    expect 1 touchstone diff good.run bad.run
    holds out "^new failures: $((boundary + 4))\$" "^ *$boundary  pass -> mismatch" "'dml.slice1:boundary where rank == 8 and dtype == i16'" \
        "'dml.slice1:special where rank == 8 and dtype == i16'" 'example: dml.slice1:boundary:rank=8,dtype=i16' \
        '^something got worse$'
    expect 0 touchstone diff bad.run good.run
    holds out "^fixed: $((boundary + 4))\$" 'mismatch -> pass' '^nothing got worse$'
    expect 0 touchstone diff good.run good.run
    holds out '^no case changed$'
    expect 1 touchstone diff good.run bad.run --json
    touchstone lua "$check" out 'r.worse' 'r.by_case' '#r.changes == 2' 'r.changes[1].kind == "new-failure"' \
        'r.changes[1].exact' 'r.changes[1].regions[1].others == 0'
    # Another backend, which plans fewer cases.
    touchstone run -b cpu 'dml.slice1:special where dtype == i16' -o cpu.run >/dev/null
    expect 0 touchstone diff bad.run cpu.run
    holds out '^fixed: 4$' '^no longer planned: '
    # A suite of its own can only be counted.
    cp -r "$cases" suite
    echo 'local more = 1' >>suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite expect 0 touchstone run -b faulty --backend-opt fault=none \
        'dml.slice1:special where dtype == i16' -o other.run
    expect 1 touchstone diff other.run bad.run
    holds out 'different suites' '^rates that changed:$' 'mismatch +0/'
    refuses 64 'two run files' -- touchstone diff good.run
    refuses 64 'absent.run' -- touchstone diff good.run absent.run
    echo hello >text.run
    refuses 64 'text.run' 'not a run' -- touchstone diff text.run good.run
    head -c 6000 bad.run >cut.run
    refuses 3 'cut.run' 'damaged' -- touchstone diff good.run cut.run
}

run_tests "$@"

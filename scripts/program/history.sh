#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone history.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_collects_runs() {
    ! sabotage only-i16-8d bad.run dml.slice1:special || fail "the fault is not found"
    expect 0 touchstone history nights.db --add bad.run
    holds out '^bad.run: added as run 1, 4 failed$'
    expect 0 touchstone history nights.db
    holds out '^fails now:$' "since 20.* 4 mismatch  'dml.slice1:special where rank == 8 and dtype == i16'"
    expect 0 touchstone history nights.db --html trend.html
    holds trend.html '^<!DOCTYPE html>' '<svg class="trend"' 'rank == 8 and dtype == i16' '</html>'
    refuses 64 'bad.run' 'there already' -- touchstone history nights.db --add bad.run
    refuses 64 'which history' -- touchstone history
    refuses 64 'no such history' -- touchstone history absent.db
    refuses 64 'is a run' -- touchstone history bad.run
    refuses 64 'absent.run' -- touchstone history new.db --add absent.run
    echo hello there, this is no database >text.db
    refuses 64 'text.db' -- touchstone history text.db --add bad.run
}

run_tests "$@"

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
    holds trend.html '^<!DOCTYPE html>' 'in the only run' 'rank == 8 and dtype == i16' '</html>'
    refuses 64 'bad.run' 'there already' -- touchstone history nights.db --add bad.run
    refuses 64 'which history' -- touchstone history
    refuses 64 'no such history' -- touchstone history absent.db
    refuses 64 'is a run' -- touchstone history bad.run
    refuses 64 'absent.run' -- touchstone history new.db --add absent.run
    refuses 64 'absent.run' -- touchstone history new.db --add bad.run --add absent.run # not the first one alone
    echo hello there, this is no database >text.db
    refuses 64 'text.db' -- touchstone history text.db --add bad.run
}

# Runs that differ in the profile are two series, which are named by it; a series with several runs has a chart.
test_keeps_series_apart() {
    local profile
    for profile in openvino numpy; do
        touchstone run -b cpu -p $profile openvino.strided_slice:examples -q -o $profile.run >/dev/null || fail "cpu fails"
    done
    touchstone run -b cpu openvino.strided_slice:examples -q -o later.run >/dev/null || fail "cpu fails"
    expect 0 touchstone history nights.db --add openvino.run --add numpy.run --add later.run --html trend.html
    holds trend.html '<figure class="trend"' '<h1>No series fails</h1>'
    # The runs are seconds apart, and so are the ticks of the axis.
    holds trend.html '<div class="axis".*>[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}</span>'
    expect 0 touchstone history nights.db
    holds out '^No series fails$' '^cpu, profile openvino$' '^cpu, profile numpy$'
    expect 0 touchstone history nights.db --json
    touchstone lua "$check" out '#r.series == 2' '#r.series[1].runs == 2' 'r.series[2].profile == "numpy"' \
        'r.series[2].name == "cpu, profile numpy"' 'r.series[1].failing == 0'
}

# Runs that began in one second are as many runs; each is added once, and in order.
test_tells_runs_of_one_second_apart() {
    local run added=()
    for run in a b c; do
        touchstone run -j 0 -b cpu dml.slice1:examples -q -o $run.run >/dev/null || fail "cpu fails"
        added+=(--add "$run.run")
    done
    expect 0 touchstone history nights.db "${added[@]}"
    expect 0 touchstone history nights.db --json
    touchstone lua "$check" out '#r.series == 1' '#r.series[1].runs == 3' \
        'r.series[1].runs[1].started < r.series[1].runs[2].started' \
        'r.series[1].runs[1].started:match "^%d+-%d+-%d+T%d+:%d+:%d+[.]%d+Z$"'
    expect 0 touchstone history nights.db
    [ "$(grep -Ec '^  20[0-9-]+T[0-9:]{8}Z +110 planned' out)" = 3 ] || fail "not three runs: $(cat out)"
    refuses 64 'there already' -- touchstone history nights.db --add b.run
}

run_tests "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sessions: runs with a budget, and scripts/nightly.sh.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# Sessions of a budget run each case once before any case runs again, and their results are those of one run.
test_sessions_run_the_whole_tier() {
    local query=dml.slice1:special n=0 since=() digest total=0 ran
    expect 0 touchstone run -b cpu $query -q -o whole.run
    ran=$(sed -n '/^planned /s/.*ran \([0-9]*\),.*/\1/p' out)
    touchstone history nights.db --add whole.run >/dev/null
    while [ $n -lt 200 ]; do
        expect 0 touchstone run -b cpu $query -q --budget 20ms "${since[@]}" -o session-$n.run
        holds out "^session $n: ran [0-9,]+ of [0-9,]+ cases of the tier \\([0-9.]+ %\\); ever run: [0-9.]+ % since session 0" \
            "^conformant in this session: $query"
        total=$((total + $(sed -n '/^planned /s/.*ran \([0-9]*\),.*/\1/p' out)))
        since=(--since "session-$n.run")
        n=$((n + 1))
        ! grep -q '^every case of the tier has been run' out || break
    done
    [ $n -gt 1 ] || fail "one session ran everything"
    [ "$total" = "$ran" ] || fail "$n sessions ran $total cases, one run $ran"
    holds out 'ever run: 100.0 %'
    digest=$(sed -n 's/^digest *//p' out)
    expect 0 touchstone resume session-$((n - 1)).run -q
    holds out "^digest *$digest"
    touchstone report session-0.run --json session.json --html session.html
    touchstone lua "$check" session.json 'r.coverage.session == 0 and r.coverage.ran == r.total.ran and r.coverage.over' \
        'r.headline:find("in session 0", 1, true)'
    holds session.html 'Session 0 ran '
    expect 0 touchstone history nights.db --add session-0.run
    expect 0 touchstone history nights.db
    holds out 'tier quick by sessions' '^    session 0: ran '
    expect 0 touchstone run -b cpu $query -q --budget 20ms --since nights.db -o from-history.run
    holds out '^session 1: '
    expect 0 touchstone run -b cpu $query -q --budget 20ms --session 5 -o fixed.run
    holds out 'ever run: unknown'
    local x=(touchstone run -b cpu "$query" -q -o x.run)
    for digest in 0 5x -3 1e9h ''; do
        refuses 64 "--budget '$digest'" -- "${x[@]}" --budget "$digest"
    done
    refuses 64 "--session '-1'" -- "${x[@]}" --budget 1s --session -1
    refuses 64 'unknown option' -- "${x[@]}" --budget 1s --night 1
    refuses 64 'there is none' -- "${x[@]}" --session 3
    refuses 64 'there is none' -- "${x[@]}" --since session-0.run
    refuses 64 'do not go together' -- "${x[@]}" --budget 1s --shard 1/2
    refuses 64 'goes with neither' -- "${x[@]}" --budget 1s --shuffle
    refuses 64 'records session 0 already' -- "${x[@]}" --budget 1s --session 0 --since session-0.run
    refuses 64 'without --budget' -- "${x[@]}" --budget 1s --since whole.run
    refuses 64 'there is no such run' -- "${x[@]}" --budget 1s --since none.run
    refuses 64 'is no shard' -- touchstone merge x.run session-0.run session-1.run
    refuses 64 'no case in common' -- touchstone diff session-0.run session-1.run
    [ ! -e x.run ] || fail "a run that was refused"
}

# Sessions that each ran everything are compared.
test_complete_sessions_are_compared() {
    local f=(-b faulty dml.slice1:examples -q --budget 60s)
    expect 0 touchstone run "${f[@]}" --backend-opt fault=none -o one.run
    expect 0 touchstone run "${f[@]}" --backend-opt fault=none --since one.run -o two.run
    holds out '^session 1: '
    expect 0 touchstone diff one.run two.run
}

# A night, the next one with a fault, and one that is killed and gone on with.
test_nightly_script() {
    local script=$TOUCHSTONE_ROOT/scripts/nightly.sh what=(-b faulty --backend-opt fault=none dml.slice1:special) page i
    NIGHT=2026-11-01 expect 0 "$script" nights "${what[@]}"
    [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
    holds out '^2026-11-01: dml.slice1, all 11 data types: conformant in what was run' '^([0-9]+) of \1 cases run, 0 failed' '^no earlier night$' \
        '^no region fails$' '/nights/2026-11-01.html$'
    [ ! -s err ] || fail "cron would write a letter: $(cat err)"
    for page in html junit.xml json run log; do
        [ -s nights/2026-11-01.$page ] || fail "there is no 2026-11-01.$page"
    done
    NIGHT=2026-11-01 expect 0 "$script" nights "${what[@]}" # nothing is left to do
    NIGHT=2026-11-02 expect 1 "$script" nights "${what[@]/none/only-i16-8d}"
    [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
    holds out '^2026-11-02: Not conformant' ', 4 failed' '^since 2026-11-01: something got worse, 1 ' \
        "^regions that fail: 1, the first since .*'dml.slice1:special where rank == 8 and dtype == i16'"
    holds nights/2026-11-02.diff '^new failures: 4$'
    holds nights/trend.html 'rank == 8 and dtype == i16'
    touchstone run "${what[@]}" -q -j 1 -o nights/2026-11-03.run >out 2>err &
    wait_until_begun nights/2026-11-03.run
    kill -KILL $! || true # where it was not done already
    wait $! || true
    NIGHT=2026-11-03 expect 0 "$script" nights "${what[@]}"
    holds out '^since 2026-11-02: nothing got worse$'
    holds nights/2026-11-03.log '^planned ([0-9]+), ran \1,'
    cp -r "$cases" suite # begun by another version of the suite
    echo 'local more = 1' >>suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite expect 0 touchstone run "${what[@]}" -q -o nights/2026-11-04.run
    NIGHT=2026-11-04 expect 0 "$script" nights "${what[@]}"
    holds out '2026-11-04.run.left-1'
    head -c 9000 nights/2026-11-04.run >nights/2026-11-04.cut # damaged
    mv nights/2026-11-04.cut nights/2026-11-04.run
    NIGHT=2026-11-04 expect 0 "$script" nights "${what[@]}"
    holds out '2026-11-04.run.left-2'
    NIGHT=2026-11-05 UPDATE=false expect 0 "$script" nights "${what[@]}"
    holds out '\(the update failed\)$'
    for i in 1 2; do
        BUDGET=30ms NIGHT=2026-11-0$i expect 0 "$script" shares "${what[@]}"
        [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
        holds out "in session $((i - 1))" \
            "^session $((i - 1)); [0-9.]+ % of [0-9]+ cases have ever been run, since session 0" '^no region fails$'
        rm shares/*.run # the history knows where it ended
    done
    holds shares/trend.html 'Ever run'
    BUDGET=x refuses 64 BUDGET -- "$script" shares "${what[@]}"
    NIGHT=2026-11-06 expect 64 "$script" nights -b nothing
    [ ! -e nights/2026-11-06.run ] || fail "a run that is none"
    refuses 64 "arguments of 'touchstone run'" -- "$script" nights
    refuses 64 'FOLDER' -- "$script"
}

run_tests "$@"

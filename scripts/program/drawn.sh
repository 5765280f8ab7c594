#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Drawn tests: seeds, and sessions that draw without an end.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_seeds_draw_other_cases() {
    local query=dml.slice1:drawn_after i id digest
    touchstone list $query --tier full >ids-0
    touchstone list $query --tier full --seed 0 | cmp -s - ids-0 || fail "seed 0 is not the default"
    touchstone list $query --tier full --seed 7 >ids-7
    [ "$(sort ids-0 ids-7 | uniq -d | wc -l)" -lt $(($(wc -l <ids-0) / 5)) ] || fail "seed 7 draws what seed 0 draws"
    id=$(sed -n 5p ids-7)
    expect 0 touchstone run -b cpu "$id" -q -o one.run # an id needs no seed
    holds out '^planned 1, ran 1, passed 1'
    touchstone run -b cpu --tier full $query dml.slice1:special -q -o 0.run >/dev/null
    expect 0 touchstone run -b cpu --tier full $query dml.slice1:special --seed 7 -q -o 7.run
    digest=$(grep '^digest' out)
    touchstone report 7.run --json 7.json
    touchstone lua "$check" 7.json 'r.run.seed == "7"'
    for i in 1 2; do
        touchstone run -b cpu --tier full $query dml.slice1:special --seed 7 --shard $i/2 -q -o part$i.run >/dev/null
    done
    expect 0 touchstone merge all.run part1.run part2.run
    [ "$(grep '^digest' out)" = "$digest" ] || fail "shards draw other cases"
    touchstone run -b cpu --tier full $query dml.slice1:special --shard 2/2 -q -o other.run >/dev/null
    refuses 64 'another seed of the drawn cases \(0\)' -- touchstone merge x.run part1.run other.run
    # What both drew is left out; the rest is compared.
    expect 0 touchstone diff 0.run 7.run
    holds out '^1 drawn test is left out: the runs drew other cases, with seed 0 and with seed 7$' '^no case changed$'
    expect 2 touchstone compare 0.run 7.run
    holds out '1 drawn test is not compared, because the runs drew with different seeds'
    ! touchstone run -b faulty --backend-opt fault=only-i16-8d --tier full $query dml.slice1:special --seed 7 -q -o bad.run \
        >/dev/null || fail "the fault is not found"
    expect 1 touchstone diff 7.run bad.run # with the same seed all is compared
    holds out 'drawn_after'
    expect 1 touchstone diff 0.run bad.run
    ! grep -q "'dml.slice1:drawn_after" out || fail "cases of another seed are compared"
    for i in x -1 4294967296 ''; do
        refuses 64 "--seed '$i': expected a whole number from 0 to 4294967295" -- touchstone run -b cpu --seed "$i" -o x.run
        refuses 64 "--seed '$i'" -- touchstone list --seed "$i"
    done
    expect 0 touchstone plan $query --tier full --seed 7
}

# A run that is killed goes on with its own seed.
test_a_killed_run_keeps_its_seed() {
    local what=(-b cpu --tier full dml.slice1:drawn dml.slice1:drawn_sparse --seed 99 -q) digest
    expect 0 touchstone run "${what[@]}" -o whole.run
    digest=$(grep '^digest' out)
    touchstone run "${what[@]}" -j 1 -o killed.run >out 2>err &
    wait_until_begun killed.run
    kill -KILL $! || true # where it was not done already
    wait $! || true
    expect 0 touchstone resume killed.run -q
    [ "$(grep '^digest' out)" = "$digest" ] || fail "the resumed run drew other cases"
}

# Each session of tier exhaustive draws on where the one before ended, and a run without a budget has an end.
test_sessions_draw_without_an_end() {
    local what=(-b cpu --tier exhaustive dml.random_generator:drawn dml.random_generator:examples) i
    expect 0 touchstone plan "${what[@]:2}"
    holds out 'dml.random_generator:drawn +[0-9]{6,7} '
    expect 0 touchstone run "${what[@]}" -q --budget 300ms -o 1.run
    holds out '^session 0: ran [0-9,]+ of [0-9,]+ cases of the tests that have an end \(100.0 %\) and [0-9,]+ cases of the endless' \
        'starts a new round of them, and goes on with the endless ones'
    expect 0 touchstone run "${what[@]}" -q --budget 300ms --since 1.run -o 2.run
    holds out '^session 1: .* \([0-9,]+ with the sessions before\)'
    touchstone report 1.run --json 1.json
    touchstone report 2.run --json 2.json --html 2.html
    touchstone lua "$check" 1.json 'r.coverage.endless and r.coverage.drawn > 0 and r.coverage.drawn_first == 0' \
        'r.coverage.ran + r.coverage.drawn == r.total.ran' 'r.total.planned == r.total.ran'
    touchstone lua "$check" 2.json "r.coverage.drawn_first == $(touchstone lua - <<<'
        local text = io.open("1.json"):read("a") print(text:match("\"drawn_end\": *(%d+)"))')" \
        'r.coverage.drawn_ever > r.coverage.drawn' 'r.coverage.round == 1'
    holds 2.html 'cases of the endless ones'
    expect 0 touchstone run "${what[@]}" -q --budget 300ms --since 2.run --seed 5 -o 3.run
    holds err 'coverage starts again from 0'
    expect 0 touchstone resume 2.run -q
    for i in 1 3; do
        expect 0 touchstone history nights.db --add $i.run
    done
    expect 0 touchstone history nights.db
    holds out 'tier exhaustive by sessions' 'tier exhaustive by sessions, seed 5'
}

# A session that draws plans no number of cases before it is over.
test_an_interrupted_session_goes_on() {
    local pid
    touchstone run -b cpu --tier exhaustive dml.slice1:drawn --budget 4s -q -o cut.run >out 2>err &
    pid=$!
    wait_until_begun cut.run
    kill -INT $pid
    wait $pid || true
    touchstone status cut.run >out || true
    if grep -q '^cut.run: interrupted' out; then # else it was done already
        holds out '^[0-9]+ cases done in session 0, which goes on until its time is over, 0 failed'
        touchstone report cut.run --json cut.json
        touchstone lua "$check" cut.json 'r.headline:find("cases of session 0, which is not over", 1, true)'
    fi
    expect 0 touchstone resume cut.run -q
    holds out '^planned ([0-9]+), ran \1, passed \1' '^session 0: ran [0-9,]+ cases of the endless ones'
}

test_nights_draw_on() {
    local i script=$TOUCHSTONE_ROOT/scripts/nightly.sh
    for i in 1 2; do
        BUDGET=200ms NIGHT=2026-11-0$i expect 0 "$script" nights -b cpu --tier exhaustive dml.gather:drawn
        [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
        holds out "^session $((i - 1)); [0-9]+ cases of endless tests have been drawn, since session 0\$"
        sed -n 's/.*; \([0-9]*\) cases of endless.*/\1/p' out >>drawn
        rm nights/*.run # the history knows where it ended
    done
    [ "$(sed -n 1p drawn)" -lt "$(sed -n 2p drawn)" ] || fail "the second night drew nothing new: $(cat drawn)"
}

run_tests "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone resume: runs that are interrupted or killed, and continued.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_interrupted_runs() {
    local signal wanted child status
    for signal in INT TERM KILL; do
        touchstone run -b faulty --backend-opt fault=none --tier full 'dml.slice1:*' openvino.strided_slice:exhaustive \
            -o $signal.run >out 2>err &
        child=$!
        for _ in $(seq 1200); do # a run may be read while it goes on
            sleep 0.1
            touchstone report $signal.run --json now.json 2>/dev/null &&
                touchstone lua "$check" now.json 'r.total.ran > 0' 2>/dev/null && break
        done
        kill -$signal $child
        wanted=2
        [ $signal != KILL ] || wanted=137
        status=0
        wait $child || status=$?
        [ $status = $wanted ] || fail "after SIG$signal: status $status instead of $wanted: $(cat out err)"
        [ $signal = KILL ] || holds out '^interrupted'
        expect 0 touchstone report $signal.run --json $signal.json --html $signal.html --csv $signal.csv \
            --junit $signal.xml
        touchstone lua "$check" $signal.json 'r.outcome == "incomplete"' 'r.total.ran < r.total.planned' 'r.total.ran > 0'
        holds $signal.html '[Ii]ncomplete|[Ii]nterrupted|[Rr]unning'
        holds $signal.csv ',not-run,'
        holds $signal.xml '<error'
    done
}

kill_workers_of() { # PROCESS
    local process
    for process in /proc/[0-9]*; do
        [ "$(cut -d ' ' -f 4 "$process/stat" 2>/dev/null)" != "$1" ] || kill -KILL "${process#/proc/}" 2>/dev/null || true
    done
}

# RUN: the power fails as well. Of SQLite's log, what was not forced to the disk is gone, from any byte on; what was
# copied to the run file had been.
lose_power() {
    local run=$1 page copied size
    [ -s "$run-wal" ] && [ -s "$run-shm" ] || return 0
    page=$(od -An -tu1 -j16 -N2 "$run" | awk '{ print $1 == 0 && $2 == 1 ? 65536 : $1 * 256 + $2 }')
    copied=$((32 + $(od -An -tu4 -j96 -N4 "$run-shm") * (page + 24)))
    size=$(stat -c %s "$run-wal")
    [ "$copied" -lt "$size" ] || return 0
    truncate -s $((copied + (RANDOM * 32768 + RANDOM) % (size - copied))) "$run-wal"
    rm "$run-shm"
}

# ROUNDS SEED: killed at random moments, the whole run, its workers or both, it ends as if it had not been.
kill_and_go_on() {
    local rounds=$1 round kills child wanted what=(-b faulty --backend-opt fault=process-crash 'dml.slice1:pairwise'
        'dml.gather:pairwise' -q)
    RANDOM=$2
    touchstone run "${what[@]}" -o whole.run >whole || true
    wanted=$(grep -E '^(planned|digest)' whole | sed 's/  (.*//')
    touchstone report whole.run --json whole.json
    for round in $(seq "$rounds"); do
        rm -f killed.run*
        touchstone run "${what[@]}" -o killed.run >out 2>err &
        child=$!
        kills=0
        while sleep "$((RANDOM % 2)).$(printf %03d $((RANDOM % 1000)))" && [ $((kills += 1)) -le 3 ] &&
            kill -0 $child 2>/dev/null; do
            case $((RANDOM % 3)) in
            0) kill -KILL $child 2>/dev/null || true ;;
            1)
                kill_workers_of $child # it goes on with others
                continue
                ;;
            2)
                kill_workers_of $child
                kill -KILL $child 2>/dev/null || true
                ;;
            esac
            wait $child || true
            [ $((RANDOM % 2)) = 0 ] || lose_power killed.run
            touchstone status killed.run --json >now.json 2>/dev/null || true
            if ! touchstone lua "$check" now.json 'r.planned > 0' >/dev/null 2>&1; then # it had not begun
                rm -f killed.run*
                touchstone run "${what[@]}" -o killed.run >out 2>err &
            else
                touchstone resume killed.run -q >out 2>err &
            fi
            child=$!
        done
        wait $child || true
        expect 1 touchstone resume killed.run -q
        [ "$(grep -E '^(planned|digest)' out | sed 's/  (.*//')" = "$wanted" ] ||
            fail "round $round: $(cat out err) instead of $wanted"
        touchstone report killed.run --json killed.json
        same_findings whole.json killed.json
    done
}

test_killed_runs_go_on() {
    kill_and_go_on 4 20260
}

slow_killed_runs_go_on_1_of_2() {
    kill_and_go_on 12 20261
}

slow_killed_runs_go_on_2_of_2() {
    kill_and_go_on 12 20262
}

# What was killed at whatever moment of its start can be gone on with, or is not there.
test_killed_at_its_start() {
    local i
    for i in 1 2 3 4 5 6; do
        touchstone run -b cpu dml.slice1:special -q -j 1 -o start.run >out 2>err &
        sleep "0.0$((i * 8 % 10))"
        kill -KILL $! || true
        wait $! || true
        [ ! -e start.run ] || expect 0 touchstone resume start.run -q
        rm -f start.run*
    done
}

run_tests "$@"

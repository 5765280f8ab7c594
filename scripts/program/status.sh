#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone status.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_follows_a_run() {
    local pid
    touchstone run -b cpu dml.slice1:examples -o done.run >/dev/null
    expect 0 touchstone status done.run
    holds out '^done.run: complete$' '^[0-9]+ of [0-9]+ cases done \(100.0 %\), 0 failed'
    touchstone run -b cpu 'dml.slice1:*' --tier exhaustive -j 2 -o long.run >/dev/null 2>&1 &
    pid=$!
    # shellcheck disable=SC2064
    trap "kill -9 $pid 2>/dev/null || true" EXIT # also where the test fails
    for _ in $(seq 300); do
        touchstone status long.run --json >now.json 2>/dev/null &&
            touchstone lua "$check" now.json 'r.done > 0 and r.seconds > 1' >/dev/null 2>&1 && break
        sleep 0.1
    done
    expect 0 touchstone status long.run
    holds out "^long.run: running, process $pid\$" ' left, [0-2] of 2 workers alive$' \
        '^[0-9]+ tests? done, [0-9]+ running, [0-9]+ not started$'
    expect 0 touchstone status long.run --all
    holds out '^  worker [0-9]+ +[0-9]+ MiB, [0-9:]+ of processor time$'
    kill -9 "$pid"
    wait "$pid" || true
    touchstone status long.run --json >before.json || true
    touchstone report long.run --json report.json >out # and a report does not say that it is running
    touchstone lua "$check" report.json 'r.run.state == "interrupted"' 'r.headline:find("Incomplete", 1, true)'
    sleep 4
    touchstone resume long.run -j 3 >/dev/null 2>&1 &
    pid=$!
    # shellcheck disable=SC2064
    trap "kill -9 $pid 2>/dev/null || true" EXIT
    for _ in $(seq 300); do
        touchstone status long.run --json >now.json && touchstone lua "$check" now.json 'r.state == "running"' \
            >/dev/null && break
        sleep 0.1
    done
    # Seconds in which nobody ran it do not count.
    touchstone lua "$check" now.json 'r.state == "running"' 'r.workers == 3' 'r.rate > 0' \
        "r.seconds < $(touchstone lua "$check" before.json 'print(r.seconds + 2.5) return true')"
    kill -9 "$pid"
    wait "$pid" || true
    expect 2 touchstone status long.run
    holds out "^long.run: interrupted: its process $pid has ended; 'touchstone resume long.run' continues it\$"
    expect 2 touchstone status long.run --json
    touchstone lua "$check" out 'r.state == "interrupted"' 'r.done < r.planned' '#r.tests > 10'
    refuses 64 'one run file' -- touchstone status
    refuses 64 'absent.run' -- touchstone status absent.run
    echo hello >text.run
    refuses 64 'text.run' -- touchstone status text.run
    refuses 64 'long.run' 'not complete' -- touchstone history nights.db --add long.run
}

run_tests "$@"

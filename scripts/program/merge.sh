#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone merge, and the shards that it takes.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_shards_make_one_run() {
    local i digest
    expect 0 touchstone run -b cpu --tier full 'dml.slice1:*' -o whole.run
    digest=$(grep '^digest' out)
    for i in 1 2 3 4; do
        expect 0 env SLURM_ARRAY_TASK_ID=$((i + 6)) SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_MAX=10 \
            touchstone run -b cpu --tier full --shard auto 'dml.slice1:*' -o part$i.run
    done
    expect 0 touchstone merge all.run part3.run part1.run part4.run part2.run
    [ "$(grep '^digest' out)" = "$digest" ] || fail "the parts come to another digest"
    expect 0 touchstone report all.run --html all.html
    refuses 64 'shard 2 of 4 is missing' -- touchstone merge x.run part1.run part3.run part4.run
    refuses 64 'is no shard' -- touchstone merge x.run part1.run whole.run
    refuses 64 'exists already' -- touchstone merge all.run part1.run part2.run part3.run part4.run
    refuses 64 'its shards' -- touchstone merge x.run
    refuses 64 '--shard' -- touchstone run -b cpu --shard 5/4 -o x.run
    refuses 64 'TEST_TOTAL_SHARDS' -- env -u SLURM_ARRAY_TASK_ID touchstone run -b cpu --shard auto -o x.run
    refuses 64 'there is no such run' -- touchstone resume absent.run
    refuses 64 'one run file' -- touchstone resume
    echo text >text.run
    refuses 64 'not a run' -- touchstone resume text.run
}

# A merge that is killed as soon as it writes leaves no file under the name of the run.
test_a_merge_that_is_killed() {
    local i
    for i in 1 2; do
        expect 0 touchstone run -q -b cpu --shard $i/2 dml.slice1 dml.gather dml.join -o part$i.run
    done
    for i in 1 2 3 4 5; do
        touchstone merge all.run part1.run part2.run >out 2>err &
        while kill -0 $! 2>/dev/null && [ -z "$(compgen -G "all.run*")" ]; do :; done
        kill -KILL $! 2>/dev/null || true
        wait $! 2>/dev/null || true
        [ ! -e all.run ] || touchstone status all.run | grep -q '^all.run: complete' || fail "a part of a run: $(touchstone status all.run)"
        rm -f all.run*
    done
    expect 0 touchstone merge all.run part1.run part2.run
    [ "$(echo all.run*)" = all.run ] || fail "left behind: $(echo all.run*)"
}

run_tests "$@"

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

run_tests "$@"

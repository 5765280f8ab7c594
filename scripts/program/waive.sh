#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone waive, and runs with waivers.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_waivers_too_wide_and_tightened() {
    cat >known.lua <<'L'
local function w(query, expires)
  return { query = query, reason = "a driver's bug", owner = "kim", link = "https://example.org/1", expires = expires }
end
return { w("dml.slice1:* where dtype == i16", "2999-12-31"), w("dml.slice1:special where dtype == f32", "2999-12-31"),
         w("dml.gather:*", "2999-12-31"), w("dml.slice1:special where rank == 8", "2020-02-29") }
L
    expect 0 touchstone run -b faulty --backend-opt fault=only-i16-8d dml.slice1:special --waivers known.lua -o w.run
    holds out 'failed 0, waived 4' '^conformant in what was run except for waived failures: ' '^waiver 1 too-wide:' \
        '^waiver 2 unexpected-pass:' '^waiver 3 stale:' '^waiver 4 expired:'
    expect 1 touchstone waive w.run known.lua
    expect 0 touchstone waive --tighten w.run known.lua -o tight.json
    holds tight.json 'dml.slice1:special where rank == 8 and dtype == i16' '2020-02-29'
    ! grep -q gather tight.json || fail "a stale waiver is kept"
    expect 0 touchstone waive --tighten w.run known.lua
    cp out tight.lua
    expect 0 touchstone run -b faulty --backend-opt fault=only-i16-8d dml.slice1:special --waivers tight.lua -o t.run
    touchstone report w.run --json w.json
    touchstone lua "$check" w.json 'r.total.verdicts.waived == 4' 'r.total.failed == 0' \
        'r.findings[1].verdict == "waived"' 'r.findings[1].detail:find("kim", 1, true)'
    expect 1 touchstone run -b faulty --backend-opt fault=reject-8-bit dml.slice1:special --waivers tight.lua -o r.run
    refuses 64 'absent.lua' -- touchstone run -b cpu dml.slice1:examples --waivers absent.lua -o x.run
    echo 'return { { query = "dml.slice1:*" } }' >poor.lua
    refuses 64 'poor.lua: waiver 1: reason is missing' -- touchstone run -b cpu dml.slice1:examples --waivers poor.lua -o x.run
    refuses 64 'expected a run file' -- touchstone waive w.run
    refuses 64 'absent.run' -- touchstone waive absent.run known.lua
    refuses 64 'needs --tighten' -- touchstone waive w.run known.lua -o x.lua
}

# Waivers hold cases that end the backend, whoever runs them, in parts or with a pause.
test_waivers_of_crashes() {
    local what=(-b faulty --backend-opt fault=process-crash dml.slice1:pairwise -q --waivers known.json) wanted
    cat >known.json <<'J'
[ { "query": "dml.slice1:pairwise", "reason": "it ends the process", "owner": "kim", "link": "https://example.org/1",
    "expires": "2999-12-31" } ]
J
    expect 0 touchstone run "${what[@]}" -j 3 -o whole.run
    holds out 'failed 0, waived [1-9]' '^conformant in what was run except for waived failures: ' '^waiver 1 too-wide:'
    wanted=$(grep ^digest out)
    expect 0 touchstone run "${what[@]}" -j 1 --shard 1/2 -o a.run
    expect 0 touchstone run "${what[@]}" -j 2 --shard 2/2 -o b.run
    expect 0 touchstone merge parts.run b.run a.run
    holds out "^$wanted\$" '^waiver 1 too-wide:'
    expect 0 touchstone diff whole.run parts.run
    holds out '^no case changed$'
    touchstone report whole.run --json whole.json
    touchstone report parts.run --json parts.json
    same_findings whole.json parts.json
    # What another shard was to run is no loss.
    expect 0 touchstone diff whole.run a.run
    holds out '^no longer planned: '
    expect 0 touchstone waive --tighten parts.run known.json -o tight.json
    expect 0 touchstone run "${what[@]}" --waivers tight.json -o tight.run
    holds out "^$wanted\$"
    touchstone run "${what[@]}" -o part.run >out 2>err &
    wait_until_begun part.run
    kill -KILL $! || true # where it was not done already
    wait $! || true
    touchstone status part.run >out || true # moves the log into the file
    cp known.json first.json
    sed -i 's/2999/2998/' known.json
    refuses 64 'started with the waivers' -- touchstone resume part.run -q
    cp first.json known.json
    expect 0 touchstone resume part.run -q
    holds out "^$wanted\$" '^waiver 1 too-wide:'
}

run_tests "$@"

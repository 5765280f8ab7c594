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
    # A run that fails shows the failures that no waiver holds.
    sed 's/dtype == i16/fill == bits/' known.lua >bits.lua
    expect 1 touchstone run -b faulty --backend-opt fault=only-i16-8d dml.slice1:special --waivers bits.lua -o b.run
    holds out 'failed 2, waived 2' '^mismatch dml\.slice1:special:.*fill=special'
    ! grep -q '^waived ' out || fail "a run that fails lists waived cases"
    refuses 64 'absent.lua' -- touchstone run -b cpu dml.slice1:examples --waivers absent.lua -o x.run
    echo 'return { { query = "dml.slice1:*" } }' >poor.lua
    refuses 64 'poor.lua: waiver 1: reason, owner, link, expires are missing' -- touchstone run -b cpu dml.slice1:examples --waivers poor.lua -o x.run
    refuses 64 'expected a run file' -- touchstone waive w.run
    refuses 64 'absent.run' -- touchstone waive absent.run known.lua
    refuses 64 'needs --tighten' -- touchstone waive w.run known.lua -o x.lua
}

# A tightened waiver covers no case that passes where its failing cases can be told from the others: by a query, or one
# by one. Its list of fields is checked as a whole.
test_tightened_waivers_hold_no_passing_case() {
    local fault
    for fault in only-i16-8d reject-8-bit; do
        rm -f d.run tight.lua
        expect 1 touchstone run -b faulty --backend-opt fault="$fault" dml.slice1:drawn dml.slice1:drawn_after -o d.run
        echo 'return { { query = "dml.slice1:*", reason = "r", owner = "o", link = "l", expires = "2999-12-31" } }' >all.lua
        expect 0 touchstone waive --tighten d.run all.lua -o tight.lua
        expect 0 touchstone waive d.run tight.lua
        ! grep -q too-wide out || fail "$fault: a tightened waiver covers a passing case: $(grep -A1 too-wide out)"
    done
    # Too many failing cases for a list: the query of the run's cause, which is narrower than the test.
    rm -f d.run tight.lua
    expect 1 touchstone run -b faulty --backend-opt fault=reverse-start dml.slice1:drawn -o d.run
    expect 0 touchstone waive --tighten d.run all.lua -o tight.lua
    holds tight.lua '"dml.slice1:drawn where '
    echo 'return { { query = "dml.slice1:*", expire = "2999-12-31" } }' >poor.lua
    refuses 64 'waiver 1: its fields: no field "expire" .did you mean "expires"' -- touchstone waive d.run poor.lua
}

# The queries of a run have no limit of length.
test_a_run_of_long_queries_is_reviewed() {
    local size queries=()
    for size in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
        queries+=("dml.slice1:special where rank == 8 and dtype == i16 and size[1] ~= $size and size[2] ~= $size and size[3] ~= $size")
    done
    echo '[]' >none.json
    expect 1 touchstone run -b faulty --backend-opt fault=only-i16-8d "${queries[@]}" dml.gather:examples -o long.run
    expect 1 touchstone waive long.run none.json
    holds out '^4 failing cases are covered by no valid waiver'
    touchstone report long.run --json long.json
    touchstone lua "$check" long.json '#r.run.query > 1024' 'r.run.query:find("; dml.gather:examples", 1, true)'
}

# STATUS PAGE MODE WAIVERS: known_lines_hold of f.run.
lines_hold() {
    local status=0
    known_lines_hold "$2" "$3" "$4" f.run touchstone >out 2>err || status=$?
    [ "$status" = "$1" ] || fail "lines of $2, mode $3, waivers $4: status $status instead of $1: $(cat out err)"
}

# What vendors-test.sh and directml-test.sh demand of a vendor's page: each line occurs, with its smallest case, and the
# waivers name the same lines.
test_pages_of_known_failures() {
    cat >page.md <<'P'
| | behaviour | modes | where | smallest case |
|---|---|---|---|---|
| F-1 | reads a reversed window from the wrong end | run const | everywhere | `dml.slice1:examples:example=2` |
| F-2 | fails now and then | const, sometimes | nowhere | `dml.slice1:examples:example=1` |
| F-3 | has another mode | core: often | nowhere | `dml.slice1:examples:example=1` |
P
    cat >known.lua <<'L'
local function w(query, reason)
  return { query = query, reason = reason, owner = "kim", link = "https://example.org/1", expires = "2999-12-31" }
end
return { w("dml.slice1:* where example == '2'", "F-1: reversed"), w("dml.slice1:* where example == '1'", "F-2: sometimes") }
L
    expect 1 touchstone run -b faulty --backend-opt fault=reverse-start dml.slice1:examples --waivers known.lua -o f.run
    lines_hold 0 page.md const known.lua
    lines_hold 0 page.md run known.lua
    lines_hold 1 page.md core known.lua
    holds out '^F-1 occurs in mode core; page.md says that it does not$' \
        '^F-3 of page.md does not occur in mode core, or no waiver names it$' '^dml.slice1:examples:example=1 does not fail in mode core$'
    lines_hold 1 page.md other known.lua
    holds out '^page.md has no line for mode other$'
    sed 's/example=2/example=1/' page.md >wrong.md
    lines_hold 1 wrong.md run known.lua
    holds out '^dml.slice1:examples:example=1 does not fail in mode run$'
    sed 's/example=2/nothing=2/' page.md >wrong.md
    lines_hold 1 wrong.md run known.lua
    sed 's/, sometimes//' page.md >wrong.md
    lines_hold 1 wrong.md const known.lua
    holds out '^F-2 of wrong.md does not occur in mode const, or no waiver names it$'
    sed 's/F-1:/F-4:/' known.lua >other.lua
    lines_hold 1 page.md run other.lua
    holds out '^F-4 occurs in mode run; page.md says that it does not$' '^F-1 of page.md does not occur in mode run'
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
    expect 0 touchstone run "${what[@]/known.json/tight.json}" -o tight.run
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

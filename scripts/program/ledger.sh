#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The ledger of a run: what the specifications leave open.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# Unspecified cases are not judged, and each observed behaviour is reported, by name if it has one.
test_reports_each_answer() {
    expect 0 touchstone run -b cpu '*:examples' -o right.run
    holds out 'open in [0-9]+ ways; (the backend followed our decision in all of them|outputs other than our decision, and answers .*:)$' '^conformant in what was run: '
    expect 0 touchstone run -b cpu 'dml.gather:examples' -o few.run
    holds out '^  E-GA-10: our decision \(clamped index\)  22$'
    expect 1 touchstone run -b faulty --backend-opt fault=last-unwritten 'dml.gather:examples' -o other.run
    holds out '^  E-GA-10: other than our decision \(not written\)  22$'
    touchstone report other.run --json other.json --html other.html
    touchstone lua "$check" other.json '#r.ledger == 12' 'r.ledger[10].id == "E-GA-10"' \
        'r.ledger[10].state == "unlike" and r.ledger[10].behaviours[1].cases == 22' 'r.ledger[6].state == "not-tested"'
    holds other.html 'id="ledger-E-GA-10" data-state="unlike"'
    touchstone report right.run --json right.json
    touchstone lua "$check" right.json '#r.ledger >= 60' \
        '(function() local unlike = 0 for _, e in ipairs(r.ledger) do if e.state == "unlike" then unlike = unlike + 1 end end return unlike < #r.ledger // 2 end)()'
}

# Somebody who asks to explain an entry is told which verb prints it.
test_explain_refers_to_the_ledger() {
    refuses 64 "E-GA-10 is an entry of the ledger, not a case; 'touchstone ledger E-GA-10' prints it" -- touchstone explain E-GA-10
    refuses 64 "SL-10 is a clause, not a case" -- touchstone explain SL-10
}

run_tests "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone report: the formats, and what is no run.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_all_formats() {
    local planned
    touchstone run -b faulty --backend-opt fault=vector-tail dml.slice1:examples dml.gather:examples -o f.run >/dev/null &&
        fail "vector-tail is not found"
    expect 0 touchstone report f.run
    holds out '^backend ' '^digest '
    expect 0 touchstone report f.run --html f.html --csv f.csv --junit f.xml --json f.json
    [ ! -s out ] || fail "it writes to standard output: $(head -n 1 out)"
    touchstone lua "$check" f.json 'r.outcome == "failures"' '#r.findings == r.total.failed' '#r.clauses > 10' \
        'r.run.backend == "faulty"' 'r.run.backend_options == "fault=vector-tail"'
    touchstone lua "$check" f.json '#r.causes == 2 and r.causes_unknown == null' 'r.causes[1].kind == "differs"' \
        'r.causes[1].cases + r.causes[2].cases == r.total.failed' 'r.causes[1].missed + r.causes[1].others == 0' \
        'print(r.causes[1].command) return true' >cause.line
    expect 1 sh -c "$(cat cause.line) -q -o cause.run" # the cases of the cause, and no other
    touchstone report cause.run --json cause.json
    touchstone lua "$check" cause.json 'not r.total.verdicts.pass or r.total.verdicts.pass == 0' 'print(r.total.failed) return true' >failed
    touchstone lua "$check" f.json "r.causes[1].cases == $(cat failed)"
    holds f.html '<section id="causes"' '>Causes</h2>'
    holds f.html '^<!DOCTYPE html>' '</html>' '<h3 id="parameters">' 'the example: of the published page'
    ! grep -Eio '(src|href)="?(https?:)?//[^"> ]*' f.html | grep -iv '^href' || fail "the page loads something"
    holds f.xml '^<\?xml' '<testsuites' '<failure' '</testsuites>'
    planned=$(touchstone lua "$check" f.json 'print(r.total.planned) or true')
    [ "$(awk -F, '$1 == "cases" { sum += $7 } END { print sum }' f.csv)" = "$planned" ] ||
        fail "the CSV's cases do not add up to the $planned that were planned"
    touchstone report f.run --json - >piped.json
    cmp f.json piped.json
}

# A report takes the place of an older one, but never of its own run, nor of another report of the same command.
test_never_overwrites_a_run() {
    expect 0 touchstone run -b cpu dml.slice1:examples -o x.run
    cp x.run before
    refuses 64 'a file that this command reads' -- touchstone report x.run --html x.run
    refuses 64 'a file that this command reads' -- touchstone report x.run --json ./x.run
    ln x.run y.run
    refuses 64 'a file that this command reads' -- touchstone report x.run --csv y.run
    refuses 64 '--html and --csv' -- touchstone report x.run --html a --csv "$PWD/a"
    cmp x.run before || fail "the run is no longer what it was"
    echo old >a.html
    expect 0 touchstone report x.run --html a.html
    holds a.html '<!DOCTYPE html>'
}

test_refuses_what_is_no_run() {
    refuses 64 'absent.run' -- touchstone report absent.run
    echo 'hello' >text.run
    refuses 64 'text.run' -- touchstone report text.run
    : >empty.run
    refuses 64 'empty.run' -- touchstone report empty.run
    mkdir folder.run
    refuses 64 'folder.run' -- touchstone report folder.run
    touchstone run -b cpu dml.slice1:special -o whole.run >/dev/null
    head -c 6000 whole.run >cut.run
    refuses 3 'cut.run' 'damaged' -- touchstone report cut.run --json -
    sed 's/SQLite format 3/SQLite format 9/' whole.run >foreign.run
    refuses 64 'foreign.run' -- touchstone report foreign.run
    if [ "$(id -u)" != 0 ]; then
        chmod 0 text.run
        refuses 64 'text.run' 'ermission' -- touchstone report text.run
    fi
}

full_disk_report() {
    local status=0
    echo old >disk/report.html
    timeout -k 5 300 touchstone report "$PWD/big.run" --html disk/report.html >out 2>err </dev/null || status=$?
    [ "$status" = 3 ] || fail "status $status instead of 3: $(cat out err)"
    holds err 'disk/report.html'
    [ "$(cat disk/report.html)" = old ] || fail "the old report is damaged"
    [ "$(ls -A disk)" = report.html ] || fail "something half-written is left: $(ls -A disk)"
}

test_full_disk() {
    touchstone run -b faulty --backend-opt fault=first-element dml.slice1:special -o big.run >/dev/null || true
    on_a_small_disk full_disk_report
}

# Every question that docs/formats.md asks with sqlite3.
test_questions_of_the_readme() {
    local readme=$TOUCHSTONE_ROOT/docs/formats.md asked=0 question
    command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
    ! sabotage vector-tail a.run dml.slice1:examples dml.slice1:special || fail "the fault is not found"
    sabotage none b.run dml.slice1:examples || fail "the reference fails"
    touchstone history n.db --add a.run >/dev/null
    while IFS= read -r -d '' question; do
        question=${question//RUN/a.run}
        question=${question//LAST/b.run}
        question=${question// DB / n.db }
        bash -c "$question" >out 2>err </dev/null || fail "$question: $(head -n 1 err)"
        [ ! -s err ] || fail "$question: $(head -n 1 err)"
        case $question in *crash*) ;; *) [ -s out ] || fail "$question: no answer" ;; esac
        asked=$((asked + 1))
    done < <(awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on && /^sqlite3 / { if (q != "") printf "%s%c", q, 0; q = "" }
                  on && !/^#/ && NF { q = q $0 "\n" } END { if (q != "") printf "%s%c", q, 0 }' "$readme")
    [ "$asked" -ge 12 ] || fail "only $asked questions were found in $readme"
}

run_tests "$@"

# SPDX-License-Identifier: Apache-2.0
# Text of others: names, notes and files with quotes, line ends, terminal escapes and bytes that are no UTF-8. Command
# lines that Touchstone prints can be pasted, and nothing that it prints controls a terminal.
# shellcheck shell=bash
# shellcheck source=scripts/program/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

backends=$(echo "$prefix"/lib*/touchstone/backends)
[ -d "$backends" ] || backends=$prefix/backends

# FILE: it is UTF-8 without control characters.
is_plain() {
    iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || fail "$1 is no UTF-8"
    ! LC_ALL=C grep -aq $'[\x01-\x08\x0b-\x1f\x7f]' "$1" || fail "$1 has control characters: $(cat -v "$1" | head -n 3)"
}

# NAME: a backend of that name, a run with findings, and reproducers from every report that lead to the same findings.
reproduces() {
    local name=$1 n=0 line
    cp "$backends/faulty.so" "./$name.so"
    expect 1 touchstone run -q -b "./$name.so" --backend-opt fault=vector-tail -o f.run 'dml.slice1:pairwise'
    is_plain out
    cp out run.txt
    touchstone report f.run --json f.json --csv f.csv --junit f.xml --html f.html
    is_plain f.json
    is_plain f.xml
    is_plain f.html
    tr -d '\r' <f.csv >lines.csv
    is_plain lines.csv
    touchstone lua "$check" f.json 'print(r.causes[1].reproducer) return true' >json.line
    touchstone lua "$check" f.json 'print(r.findings[1].reproducer) return true' >finding.line
    sed -n 's/^  \(touchstone run .*\)/\1/p' run.txt | head -n 1 >text.line
    [ -s text.line ] || fail "no reproducer is printed: $(cat run.txt)"
    cmp text.line json.line || fail "the reports have another reproducer"
    for line in text.line json.line finding.line; do
        n=$(wc -l <$line)
        [ "$n" = 1 ] || fail "a reproducer of $n lines"
        expect 1 sh -c "$(cat $line) -q -o again-$line.run"
        expect 1 touchstone status again-$line.run
    done
    [ ! -e pwned ] || fail "the name was executed"
    # A run that is resumed has the same options.
    rm f.run
}

test_reproducers_can_be_pasted() {
    local name
    # shellcheck disable=SC2016 # nothing is to be expanded
    for name in "it's a\"" '$(touch pwned)`touch pwned`' '-*?[a]' $'caf\xc3\xa9\n' $'\033[2J%s\\n\na!' $'\xff\xe2\x80\xae\t~'; do
        mkdir one
        (cd one && reproduces "$name")
        rm -r one
    done
}

test_a_run_of_a_backend_with_any_name_is_resumed() {
    local name=$'a \xff\nb'
    cp "$backends/cpu.so" "$name.so"
    touchstone run -q -j 1 -b "./$name.so" --tier full -o r.run 'dml.gather:*' >/dev/null 2>&1 &
    local run=$!
    wait_until_begun r.run
    kill -INT $run
    wait $run || true
    timeout -s INT 3 touchstone resume -q -j 1 r.run >out 2>err || true
    is_plain err
    is_plain out
    holds out '^planned [0-9,]+, ran [1-9]'
}

test_the_command_of_a_run_can_be_pasted() {
    mkdir bin
    # shellcheck disable=SC2016 # the new script expands it
    printf '#!/bin/sh\nfor a; do printf "%%s|" "$a"; done\n' >bin/touchstone
    chmod +x bin/touchstone
    local name=$'n \'"$x\n\033'
    expect 0 touchstone run -q -b cpu -o "./$name.run" 'dml.slice1:examples* where dtype == f32'
    touchstone report "./$name.run" --json r.json
    touchstone lua "$check" r.json 'print(r.run.command) return true' >line
    [ "$(wc -l <line)" = 1 ] || fail "the command has several lines: $(cat line)"
    PATH="$PWD/bin:$PATH" sh -c "$(cat line)" >got
    printf '%s|' run -q -b cpu -o "./$name.run" 'dml.slice1:examples* where dtype == f32' >wanted
    cmp got wanted || fail "$(cat line)"
}

test_nothing_controls_the_terminal() {
    local bad=$'\033[31mred\r\nforged: conformant\xff\xe2\x80\xae' file
    touchstone run -q -b faulty --backend-opt fault=vector-tail -o "$bad.run" 'dml.slice1:*' >out 2>err || true
    is_plain out
    is_plain err
    for file in "$bad.run" "$bad.json" "$bad.lua" "$bad.xml" "$bad.so"; do
        [ -e "$file" ] || printf '\033[31m {' >"$file"
    done
    say() {
        local status=0
        timeout -k 5 60 "$@" >out 2>err </dev/null || status=$?
        [ $status -lt 124 ] || fail "$* crashed"
        is_plain out
        is_plain err
    }
    for verb in report status resume; do say touchstone $verb "$bad.run"; done
    say touchstone diff "$bad.run" "$bad.run"
    say touchstone compare "$bad.run" "$bad.run"
    say touchstone compare -b cpu --as "$bad" -b cpu -q 'dml.slice1:examples*'
    say touchstone history h.db --add "$bad.run"
    say touchstone history h.db
    say touchstone history "$bad"
    for file in json lua xml; do
        for verb in check eval explain; do say touchstone $verb "$bad.$file"; done
    done
    for verb in "$bad" run list show explain export ledger; do
        say touchstone "$verb" "$bad"
        say touchstone "$verb" "--$bad"
    done
    say touchstone run -b "./$bad.so"
    say touchstone run -b cpu --tier "$bad"
    printf 'error("\\27[31mred\\r\\nforged\\xff")' >e.lua
    say touchstone eval e.lua
    say touchstone lua e.lua
    cat >known.lua <<'L'
return { { query = "dml.slice1:*", reason = "r\27[31m\nforged", owner = "o\27[2J", link = "l\n", expires = "2099-01-01" } }
L
    say touchstone waive "$bad.run" known.lua
    say touchstone run -q -b faulty --backend-opt fault=vector-tail --waivers known.lua -o w.run 'dml.slice1:*'
    say touchstone report w.run
    [ -e w.run ] || fail "no run with waivers: $(cat err)"
    touchstone report w.run --json w.json --junit w.xml --html w.html --csv w.csv
    is_plain w.json
    is_plain w.xml
    is_plain w.html
    cp "$backends/cpu.so" "$bad.so"
    mkdir "$bad"
    cp "$backends/cpu.so" "$bad/$bad.so"
    TOUCHSTONE_BACKENDS=$PWD/$bad say touchstone backends -v
}

run_tests "$@"

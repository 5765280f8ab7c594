#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands that the help, the README and the program itself show are run, each in a folder that has the files they
# name.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# The files that examples read.
make_files() {
    cp "$prefix/lib/touchstone/backends/cpu.so" mine.so
    cp "$TOUCHSTONE_ROOT/docs/slices.json" model.json
    expect 0 touchstone export dml.slice1:exhaustive:default --format webnn -o slice.json
    expect 0 touchstone export dml.gather:exhaustive:default --format webnn -o gather.json
    echo "const tests = [$(cat slice.json)];" >slice.https.any.js
    cp "$TOUCHSTONE_ROOT/docs/known.lua" .
    ln -s "$TOUCHSTONE_ROOT/docs" docs
    echo 'print(ts.version)' >script.lua
    expect 0 touchstone run -q -b cpu 'dml.slice1:examples' -o cpu.run
    expect 1 touchstone run -q -b faulty --backend-opt fault=reverse-start 'dml.slice1:examples' -o after.run
    cp cpu.run before.run
    cp cpu.run night.run
    for i in 1 2 3 4; do
        expect 0 touchstone run -q -b cpu 'dml.slice1:examples' --shard "$i/4" -o "part$i.run"
    done
}

# Why a command cannot be run here; nothing if it can. $1: the command, $2: "slow" if it may take minutes.
obstacle() {
    case $1 in
    *onnxruntime* | *openvino\ * | *directml*) echo 'needs the library of a vendor' ;;
    *touchstone\ audit*) echo 'needs clang and minutes: audit.sh has its tests' ;;
    *--tier\ full*) [ "$2" = slow ] || [[ $1 = *touchstone\ plan* ]] || echo 'takes long: a slow test runs it' ;;
    esac
}

# Run the commands that standard input lists; each ends with status 0 or 1.
run_commands() {
    local command reason status=0 count=0
    while IFS= read -r command; do
        reason=$(obstacle "$command" "$1")
        if [ -n "$reason" ]; then
            printf '  skipped: %s (%s)\n' "$command" "$reason"
            continue
        fi
        case $command in # an output of an earlier example, or of make_files
        *'-o mine.run'*) rm -f mine.run ;;
        *'-o night.run'*) rm -f night.run ;;
        esac
        status=0
        timeout -k 5 300 bash -c "$command" >out 2>err </dev/null || status=$?
        [ "$status" -le 1 ] || fail "$command: status $status: $(head -n 3 err)"
        ! grep -q '^touchstone' err || fail "$command: $(head -n 3 err)"
        count=$((count + 1))
    done
    [ "$count" -gt 0 ] || fail "no command was run"
}

# The commands of all pages of help.
commands_of_help() {
    local page
    expect 0 touchstone --help
    sed -n '/^Verbs:/,/^Options:/s/^  \([a-z]*\) .*/\1/p' out >pages
    while read -r page; do
        expect 0 touchstone help "$page"
        sed -n '/^Examples\{0,1\}:/,$s/^  //p' out
    done <pages
}

# Each verb and each topic has an example.
test_each_page_has_an_example() {
    local page
    expect 0 touchstone --help
    sed -n '/^Verbs:/,/^Options:/s/^  \([a-z]*\) .*/\1/p' out >pages
    [ "$(wc -l <pages)" -ge 24 ] || fail "the help lists only $(wc -l <pages) verbs and topics"
    while read -r page; do
        expect 0 touchstone help "$page"
        holds out '^Examples?:$'
    done <pages
}

test_examples_of_the_help() {
    make_files
    commands_of_help | sort -u >commands
    run_commands quick <commands
}

slow_examples_of_tier_full() {
    make_files
    commands_of_help | grep -e '--tier full' >commands
    run_commands slow <commands
}

# What README shows in blocks of sh; docs-output.sh runs what it shows with its output.
commands_of_readme() {
    # shellcheck disable=SC2016
    sed -n '/^```sh/,/^```$/s/^\(touchstone [^#]*\).*/\1/p' "$TOUCHSTONE_ROOT/README.md"
}

test_commands_of_the_readme() {
    make_files
    commands_of_readme >commands
    run_commands quick <commands # run.sh has that of tier full
}

# A run prints how to repeat its findings and how to see more; so does its report.
test_commands_that_a_run_prints() {
    local command status
    expect 1 touchstone run -b faulty --backend-opt fault=reverse-start dml.slice1:examples -o f.run
    {
        sed -n 's/^  \(touchstone .*\)/\1/p' out
        grep -o "'touchstone [^']*'" out | tr -d "'" | sed 's/ FILE$/ f.html/'
    } >commands
    touchstone report f.run --json f.json
    touchstone lua "$check" f.json 'for k = 1, 3 do print(r.findings[k].reproducer) end return true' |
        grep '^touchstone ' >>commands
    [ "$(wc -l <commands)" -ge 5 ] || fail "a run prints only these commands: $(cat commands)"
    touchstone report f.run --html f.html
    grep -o 'class="again"><span class="label">[^<]*</span><pre>touchstone [^<]*' f.html | sed "s/.*<pre>//" |
        sed "s/&#39;/'/g; s/&quot;/\"/g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g" | sort -u >of-the-page
    [ "$(grep -c '^touchstone explain ' of-the-page)" -ge 22 ] || fail "a finding has no line that explains it"
    grep '^touchstone explain ' of-the-page | head -n 3 >>commands
    grep '^touchstone run ' of-the-page | head -n 3 >>commands
    while IFS= read -r command; do
        status=0
        timeout -k 5 60 bash -c "$command" >out 2>err </dev/null || status=$?
        case $command in
        'touchstone run '*) [ "$status" = 1 ] || fail "$command: status $status, so the failure was not repeated" ;;
        *) [ "$status" = 0 ] || fail "$command: status $status: $(cat err)" ;;
        esac
    done <commands
}

run_tests "$@"

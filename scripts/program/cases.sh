#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Case files: what is wrong with one is reported, with its place.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# FILE-CONTENT PATTERN...: what touchstone says of a suite with this SLICE1.
broken_case() {
    local content=$1
    shift
    rm -rf suite
    cp -r "$cases" suite
    printf '%s\n' "$content" >suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite refuses 64 'slice1.lua' "$@" -- timeout 60 touchstone run -b cpu dml.slice1 -o x.run
}

test_broken_case_files() {
    local head='local op = operator "dml.slice1"'
    broken_case "$head op:axis(" ':[0-9]+:'
    broken_case 'while true do end' 'steps|endless|instructions'
    broken_case "$head while true do pcall(function() while true do end end) end" 'steps|endless|instructions'
    broken_case 'local s = "x" while true do s = s .. s end' 'memory|MiB'
    broken_case 'local t = {} while true do t[#t + 1] = {} end' 'memory|MiB|steps'
    broken_case 'os.execute("touch broken-out")' "'os'|:1:"
    broken_case 'io.open("/etc/passwd")' "'io'|:1:"
    broken_case 'error("my own words")' 'my own words'
    broken_case '' 'operator'
    broken_case "$head" 'no tests'
    broken_case 'local op = operator "dml.slice9"' "dml.slice9"
    broken_case 'local op = operator "dml.gather"' 'dml.gather|no tests'
    broken_case "$head
op:axis \"rank\" { 1, 2 }
op:test \"t\" { \"title\", colour = 3 }" ':[0-9]+:' 'colour'
    broken_case "$(sed 's/(size == 3) == (at == long)/(size == 3) == (at == lang)/' "$cases/dml/slice1.lua")" 'lang'
    broken_case "$(sed 's/\[1\] = 1/x/; s/InputWindowOffsets = "offset"/InputWindowOffset = "offset"/' \
        "$cases/dml/slice1.lua")" ':[0-9]+:' 'InputWindowOffset'
    broken_case "$(sed '0,/data = { 2, 4, 10, 12 }/s//data = { 2, 4, 10 }/' "$cases/dml/slice1.lua")" 'example'
    [ ! -e broken-out ] || fail "a case file has run a command"
    printf '\033LuaS bytecode' >suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite refuses 64 'slice1.lua' -- touchstone list dml.slice1:examples
    TOUCHSTONE_CASES=$PWD/absent refuses 64 'absent' 'TOUCHSTONE_CASES' -- touchstone list dml.slice1:examples
}

# Each in a folder of its own and all at once, since each takes ten seconds of processor time.
test_library_functions_that_do_not_end() {
    local bomb='string.find(string.rep("a", 40), string.rep("a-", 40) .. "b")' pids=() pid
    mkdir cases waivers check
    cp -r "$cases" cases/suite
    printf 'local op = operator "dml.slice1"\n%s\n' "$bomb" >cases/suite/dml/slice1.lua
    echo "return setmetatable({}, { __index = function() $bomb end })[1]" | tee waivers/w.lua >check/c.lua
    (cd cases && TOUCHSTONE_CASES=$PWD/suite refuses 64 'slice1.lua: .*processor time' -- \
        timeout 300 touchstone list dml.slice1) &
    pids+=($!)
    (cd waivers && refuses 64 'w.lua: .*processor time' -- \
        timeout 300 touchstone run -b cpu dml.slice1:examples --waivers w.lua -o x.run) &
    pids+=($!)
    (cd check && expect 64 timeout 300 touchstone check c.lua && holds err 'c.lua: .*processor time') &
    pids+=($!)
    for pid in "${pids[@]}"; do
        wait "$pid" || fail "a file that does not end"
    done
}

test_an_example_with_a_wrong_expectation() {
    cp -r "$cases" suite
    sed '0,/data = { 2, 4, 10, 12 }/s//data = { 2, 4, 10, 13 }/' "$cases/dml/slice1.lua" >suite/dml/slice1.lua
    ! cmp -s "$cases/dml/slice1.lua" suite/dml/slice1.lua || fail "the example is not there any more"
    local status=0
    TOUCHSTONE_CASES=$PWD/suite timeout 60 touchstone run -b cpu dml.slice1:examples -o x.run >out 2>err || status=$?
    [ "$status" != 0 ] || fail "an example that contradicts the reference passes"
    cat out err >both
    holds both 'example'
}

run_tests "$@"

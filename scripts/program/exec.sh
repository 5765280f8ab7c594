#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# -b exec: programs as backends. The programs are made beside the unit tests: BUILD/tests/exec_*.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

tests=$prefix/../tests
few="dml.element_wise_identity:special where in_layout == packed and out_layout == packed and dtype == f32 and \
each(size < 4)"

need() { # PROGRAM: of the build
    [ -x "$tests/$1" ] || skip "there is no $tests/$1"
}

# MODE STATUS PATTERN...: a run of the hostile program ends so, says so, and leaves no process.
hostile() {
    local mode=$1 status=$2
    shift 2
    rm -f h.run
    expect "$status" touchstone run -b "exec:$tests/exec_hostile $mode" -q --shrink 0 --time-limit 2s -o h.run "$few"
    [ $# = 0 ] || holds out "$@"
    ! pgrep -f "$tests/exec_hostile $mode\$" || fail "$mode: the program is still there"
}

test_cpu_as_a_program() {
    need exec_cpu
    expect 0 touchstone run -b "exec:$tests/exec_cpu" -q -o exec.run
    holds out '^All [0-9]+ operators: conformant in tier quick'
}

test_options_reach_the_program() {
    need exec_cpu
    refuses 64 'backend exec refuses its options: .*fast' -- \
        touchstone run -b "exec:$tests/exec_cpu" --backend-opt fast=1 -o x.run
    refuses 64 'needs the program to run' -- touchstone run -b exec -o x.run
    refuses 64 "command 'a \"b': a quote is not closed" -- touchstone run -b 'exec:a "b' -o x.run
    refuses 64 "'./nothing' cannot be started: No such file" -- touchstone run -b exec:./nothing -o x.run
    refuses 64 "the key 'command' is given twice" -- \
        touchstone run -b exec:./a --backend-opt command=./b -o x.run
    refuses 3 'backend exec cannot be opened: the program ended with exit status 0' -- \
        touchstone run -b exec:true -o x.run
    # What the program printed is a part of the reason, and is not printed a second time.
    printf '#!/bin/sh\necho one >&2\necho no such module >&2\nexit 1\n' >broken
    chmod +x broken
    refuses 3 'ended with exit status 1; the end of its standard error: one / no such module' -- \
        touchstone run -b exec:./broken -o x.run
    [ "$(grep -c 'no such module' err)" = 1 ] || fail "it is printed twice: $(cat err)"
}

test_the_example_and_the_header() {
    need exec_example
    expect 0 touchstone run -b "exec:$tests/exec_example" -q -o a.run 'dml.slice1:*'
    expect 0 touchstone probe "exec:$tests/exec_example"
    holds out '^exec example 1 \(exec\)$' '0 broken' '^it keeps the contract'
    command -v cc >/dev/null || skip 'no compiler here'
    cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -I "$prefix/include/touchstone" -o worker \
        "$prefix/share/touchstone/exec/example/worker.c"
    expect 0 touchstone run -b exec:./worker -q -o b.run 'dml.slice1:examples'
    expect 64 ./worker
    holds err 'touchstone run -b exec:PROGRAM'
}

test_what_ends_the_program_is_a_crash() {
    need exec_hostile
    hostile '' 0
    hostile crash 1 '^  crash +66$' 'was killed by SIGSEGV; the end of its standard error: about to crash\.'
    hostile last-words 1 'standard error: first line / last line\.'
    hostile exit 1 '^  crash +66$' 'the program ended with exit status 3\.'
    hostile kill 1 '^  crash +66$' 'killed by SIGKILL'
    hostile fork-and-crash 1 '^  crash +66$' 'killed by SIGSEGV'
    hostile query-crash 1 '^  crash +138$'
    hostile query-hang 1 '^planned 138, ran 138, passed 132, failed 6 ' '^  hang +6$'
}

test_what_lies_is_lost() {
    need exec_hostile
    hostile status 1 '^  lost +66$' 'the status of the call is 77'
    hostile no-status 1 '^  lost +66$' 'stores no status of this call'
    hostile batch-status 1 '^  lost +66$' 'the status of the call is 99'
    hostile too-many 1 '^  lost +66$' 'the program answered 2 calls; it was asked for 1'
    hostile notes 1 '^  lost +66$' 'sent 0 notes; expected 1000'
    hostile length 1 '^  lost +66$' 'a frame of size 4294967040'
    hostile length-small 1 '^  lost +66$' 'a frame of size 7'
    hostile length-wrong 1 '^  lost +66$' 'sent 3 bytes behind its notes'
    hostile number 1 '^  lost +66$' 'expected the reply to SUBMIT'
    hostile kind 1 '^  lost +66$' 'kind 1'
    hostile short 1 '^  crash +66$' 'ended with exit status 0'
    hostile twice 1 '^  lost ' 'more than one reply'
    hostile close 1 '^  lost +66$' 'closed its connection'
}

test_writes_are_those_of_a_library() {
    need exec_hostile
    hostile modify-input 1 '^  modified-input +66$' 'A backend must not write to its inputs'
    hostile write-behind 1 '^  wrote-outside +66$'
    hostile write-in-front 1 '^  wrote-outside +66$'
    hostile write-far 1 '^  wrote-outside +66$'
    hostile write-others 1 '^planned 138, ran 138, passed 132, failed 6 ' '^  wrote-outside +6$'
    hostile write-input-ahead 1 '^planned 138, ran 138, passed 132, failed 6 ' '^  wrote-outside +6$'
    hostile write-output-back 1 '^planned 138, ran 138, passed 132, failed 6 ' '^  wrote-outside +6$'
    hostile write-call 1 '^  wrote-outside +66$' 'wrote to the call, its tensors or its attributes'
}

# The program answers with what it answered a call of the same tensors before, whatever the data are.
test_remembered_outputs_fail_with_other_data() {
    local seed again workers digest=''
    local special='dml.element_wise_identity:special where fill == bits and dtype == f32 and in_layout == packed and
        out_layout == packed'
    need exec_hostile
    for workers in 1 3; do
        rm -f r.run
        expect 1 touchstone run -b "exec:$tests/exec_hostile remember" --tier full -j $workers --shuffle -q -o r.run \
            "$special"
        holds out '^  mismatch +[1-9]' ', 0 with another verdict$' \
            'With its own data the case passes: this is a further execution with other data'
        [ -z "$digest" ] || [ "$digest" = "$(grep '^digest' out)" ] || fail 'another digest'
        digest=$(grep '^digest' out)
    done
    for seed in 0 1 2 3 4 5; do # each of them draws other cases
        rm -f r.run
        touchstone run -b "exec:$tests/exec_hostile remember" --tier full --seed $seed -q -o r.run "$special" \
            >out || true
        holds out '^planned [0-9]+, ran [0-9]+, passed [0-9]+, failed [0-9]+ '
        touchstone report r.run --json r.json >/dev/null
        touchstone lua "$check" r.json 'r.total.failed == r.total.verdicts.mismatch' \
            '(function() for _, f in ipairs(r.findings) do
                if f.rate ~= null or f.depends ~= null or f.shrunk ~= null or f.matters ~= null or not f.other_data then
                    return false
                end
              end return true end)()' \
            '(function() for i, f in ipairs(r.findings) do print(f.reproducer) end return true end)()' >commands
        while read -r again; do
            rm -f again.run
            expect 1 sh -c "$again -q -o again.run"
            holds out '^  mismatch +1$'
        done <commands
        cat commands >>all
    done
    grep -q -- '--seed [1-5]$' all || fail "no reproducer has a seed: $(cat all)"
}

test_nothing_is_left_behind() {
    need exec_hostile
    hostile fork 0
    hostile daemon 0
    hostile stay 0
    ! pgrep -x exec-left || fail 'a process that the program started is still there'
}

test_a_hang_and_memory() {
    local mode
    need exec_hostile
    rm -f h.run
    expect 1 touchstone run -b "exec:$tests/exec_hostile hang" -q --time-limit 300ms -o h.run \
        'dml.element_wise_identity:drawn:rank=1,size=2'
    holds out '^  hang +1$' 'did not come back within 0.3 s'
    for mode in memory shared-memory; do # of its own, and what it shares with the run and nobody has mapped
        rm -f h.run
        expect 1 touchstone run -b "exec:$tests/exec_hostile $mode" -q --memory-limit 300M --time-limit 30s -o h.run \
            'dml.element_wise_identity:drawn:rank=1,size=2'
        holds out 'took more than 300 MiB of memory'
        ! pgrep -f "$tests/exec_hostile $mode\$" || fail 'the program is still there'
    done
}

test_a_bad_hello_begins_no_run() {
    need exec_hostile
    refuses 3 'expected the reply to HELLO' -- touchstone run -b "exec:$tests/exec_hostile hello-garbage" -o x.run
    refuses 3 'speaks version 9 of the protocol' -- touchstone run -b "exec:$tests/exec_hostile hello-version" -o x.run
    refuses 3 'was killed by SIGSEGV' -- touchstone run -b "exec:$tests/exec_hostile hello-crash" -o x.run
}

test_numpy_is_conformant() {
    local python worker=$TOUCHSTONE_ROOT/backends/exec/python
    python=$(find_python numpy) || skip 'no Python with NumPy: scripts/setup-python.sh installs one'
    export PYTHONPATH=$worker/src
    expect 2 touchstone run -b "exec:$python $worker/examples/numpy_worker.py" -q -o n.run --time-limit 60s
    # Calls without data, which NumPy cannot be asked about, and sizes whose product it cannot express.
    holds out ' failed 0, .*unsupported [1-9]' '^incomplete: the backend does not support [0-9,]+ of the planned cases'
    printf '%s\n' 'from touchstone_exec import operator, run' '@operator("dml.slice1")' \
        'def f(InputTensor, colour): pass' 'run()' >wrong.py
    expect 1 touchstone run -b "exec:$python wrong.py" -q -o w.run 'dml.slice1:examples:example=1'
    holds out 'dml.slice1 has no colour; it has '
}

test_mistakes_of_a_python_worker_are_told() {
    local python
    python=$(find_python numpy) || skip 'no Python with NumPy: scripts/setup-python.sh installs one'
    export PYTHONPATH=$TOUCHSTONE_ROOT/backends/exec/python/src
    printf '%s\n' 'from touchstone_exec import operator, run' '@operator("dml.slcie1")' 'def f(InputTensor): pass' \
        'run()' >name.py
    refuses 3 "there is no operator 'dml.slcie1'; did you mean .*dml.slice1" -- \
        touchstone run -b "exec:$python name.py" -q -o name.run dml.slice1:examples
    printf '%s\n' 'from touchstone_exec import operator, run' '@operator("dml.slice1", clauses=["BUF-10", "SL-055"])' \
        'def f(InputTensor): pass' 'run()' >clause.py
    refuses 3 "there is no clause 'SL-055'; did you mean .*SL-05" -- \
        touchstone run -b "exec:$python clause.py" -q -o clause.run dml.slice1:examples
    printf '%s\n' 'from touchstone_exec import operator, run' '@operator("dml.slice1", clauses=["SL-05"])' \
        'def f(InputTensor): Nothing' 'run()' >raises.py
    expect 1 touchstone run -b "exec:$python raises.py" -q -j 1 --shrink 0 -o raises.run \
        'dml.slice1:examples where dtype == f32' dml.slice1:invalid-SL-05-end
    holds out 'the worker raised NameError: ' '^  unsupported without data  [1-9]' 'has no accepts, which answers calls without data'
    expect 0 touchstone report raises.run --json raises.json
    grep -q 'Traceback (most recent call last)' raises.json || fail 'no traceback was printed'
}

test_functions_may_answer_when_their_batch_is_complete() {
    local python
    python=$(find_python numpy) || skip 'no Python with NumPy: scripts/setup-python.sh installs one'
    export PYTHONPATH=$TOUCHSTONE_ROOT/backends/exec/python/src
    cat >late.py <<'EOF'
from touchstone_exec import Rejected, operator, run

waiting = []
most = 0

@operator("dml.element_wise_identity", supports=lambda call: call.ranks == (1, 1))
def identity(InputTensor):
    def answer():
        global most
        most = max(most, len(waiting))
        open("most", "w").write(str(most))
        waiting.clear()
        if InputTensor.size == 5:
            raise Rejected("five")
        return InputTensor
    waiting.append(answer)
    return answer

run(name="late")
EOF
    expect 0 touchstone run -b "exec:$python late.py" -q -j 1 -o late.run \
        'dml.element_wise_identity:special where rank <= 2 and dtype == f32 and each(size < 4)'
    holds out '^planned [1-9][0-9]*, ' 'Not offered: [0-9,]+ further cases' # those of rank 2
    [ "$(cat most)" -gt 1 ] || fail 'each answer was asked for before the next call was made'
    expect 1 touchstone run -b "exec:$python late.py" -q -j 1 --shrink 0 -o five.run \
        'dml.element_wise_identity:drawn:rank=1,size=5'
    holds out 'rejected-valid' 'refuses it: five'
}

test_a_worker_in_rust() {
    command -v cargo >/dev/null || skip 'no cargo here'
    CARGO_TARGET_DIR=$PWD/rust expect 0 cargo build --quiet --offline \
        --manifest-path "$TOUCHSTONE_ROOT/backends/exec/rust/Cargo.toml" --example slice1
    expect 0 touchstone run -b exec:rust/debug/examples/slice1 -q -o r.run 'dml.slice1:examples' 'dml.slice1:invalid*'
    holds out '^conformant in what was run'
}

run_tests "$@"

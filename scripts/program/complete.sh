#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Completions: what may follow, and bash's way to ask.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

candidates() { # EXPECTED WORD...: the candidates for the last word, without their descriptions
    local expected=$1
    shift
    expect 0 touchstone complete -- "$@"
    [ "$(cut -f 1 out | tr '\n' ' ')" = "$expected" ] || fail "complete $*: $(cut -f 1 out | tr '\n' ' ')"
}

test_candidates() {
    candidates 'run resume report ' r # in the order of the help
    candidates '--tier --time-limit ' run --ti
    candidates 'quick full exhaustive ' run --tier ''
    candidates 'stablehlo ' export --format st
    candidates 'kernels ' audit --subject k
    candidates 'DXD-08 ' check --allow DXD-08
    candidates 'cpu ' run -b cp
    candidates 'dml.slice1: ' show dml.sl
    candidates 'dml.slice1 dml.slice1: ' run dml.sl
    candidates 'dml.slice1:examples: ' show dml.slice1:exa
    candidates 'dml.slice1:exhaustive:rank=1,dtype=u32 dml.slice1:exhaustive:rank=1,dtype=u16 dml.slice1:exhaustive:rank=1,dtype=u8 dml.slice1:exhaustive:rank=1,dtype=u64 ' \
        list dml.slice1:exhaustive:rank=1,dtype=u
    candidates 'queries ' help que
    candidates 'fault=reverse-start ' run -b faulty --backend-opt fault=reverse-s
    candidates 'batch= ' run --backend=faulty --backend-opt ba
    candidates 'fault=none ' probe planted --backend-opt fault=no
    candidates '' run --backend-opt fault=rev # of no backend
    candidates '' report night # a file
    candidates '' nonsense x
    candidates '' show dml.nothing:x
    expect 0 touchstone complete -- show dml.slice1:exhaustive:dt
    holds out $'^dml\\.slice1:exhaustive:dtype=\t.'
}

# What bash inserts behind the last ":" or "=".
test_bash() {
    local file=$prefix/share/bash-completion/completions/touchstone
    COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
    compopt() { :; }
    # shellcheck source=scripts/packaging/completions/touchstone.bash
    . "$file"
    replies() { # LINE EXPECTED
        COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
        _touchstone || true # bash looks only at COMPREPLY
        [ "${COMPREPLY[*]}" = "$2" ] || fail "'$1' gives '${COMPREPLY[*]}', not '$2'"
    }
    replies 'touchstone sho' show
    replies 'touchstone show dml.slice1:exa' examples:
    replies 'touchstone run --tier ' 'quick full exhaustive'
    replies 'touchstone run dml.slice1:exhaustive:dtype=f1' f16
    replies 'touchstone run -b faulty --backend-opt fault=reverse-s' reverse-start
}

run_tests "$@"

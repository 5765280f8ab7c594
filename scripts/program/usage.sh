#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line: help, wrong usage, output that cannot be written.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_help() {
    local verb
    expect 0 touchstone --help
    cp out help
    expect 0 touchstone --version
    holds out '^touchstone [0-9]+\.[0-9]+\.[0-9]+$'
    while read -r verb; do
        expect 0 touchstone "$verb" --help
        holds out "^Usage: touchstone $verb" 'Exit status: '
        [ ! -s err ] || fail "$verb --help writes to standard error"
        refuses 64 "^touchstone $verb: " -- touchstone "$verb" --no-such-option
    done < <(sed -n 's/^  \([a-z]*\) .*/\1/p' help)
    for verb in run list plan show eval report diff compare waive status history backends lua; do
        holds help "^  $verb "
    done
    expect 64 touchstone
    holds err '^Usage: '
}

test_wrong_usage() {
    refuses 64 "no verb 'wander'" -- touchstone wander
    refuses 64 'no backend' -- touchstone run
    refuses 64 'option' -- touchstone run -b cpu --tier
    refuses 64 "'slow'" 'quick, full or exhaustive' -- touchstone run -b cpu --tier slow
    refuses 64 "'7_7'" '6_4' -- touchstone run -b cpu --feature-level 7_7
    refuses 64 "'torch'" 'openvino or numpy' -- touchstone run -b cpu --profile torch
    refuses 64 "'many'" 'whole number' -- touchstone run -b cpu --max-findings many
    refuses 64 "'fault'" 'key=value' -- touchstone run -b faulty --backend-opt fault
    refuses 64 'no-such-fault' -- touchstone run -b faulty --backend-opt fault=no-such-fault \
        dml.slice1:examples -o x.run
    refuses 64 'faulty' 'fault' -- touchstone run -b faulty dml.slice1:examples -o x.run
    refuses 64 'one case' -- touchstone show
    refuses 64 'no (such|single) case' -- touchstone show 'dml.slice1:special'
    refuses 64 'no such run|which run|run file' -- touchstone report
    refuses 64 'script' -- touchstone lua
    refuses 64 'absent.lua' -- touchstone lua absent.lua
    refuses 64 'absent.json' -- touchstone eval absent.json
}

test_output_that_cannot_be_written() {
    [ -w /dev/full ] || skip "no /dev/full here"
    local verb status
    for verb in 'list dml.slice1:special' 'show dml.slice1:examples:example=1' 'backends -v' '--help' '--version'; do
        status=0
        # shellcheck disable=SC2086
        touchstone $verb >/dev/full 2>err || status=$?
        [ "$status" != 0 ] || fail "touchstone $verb > /dev/full: status 0"
    done
}

run_tests "$@"

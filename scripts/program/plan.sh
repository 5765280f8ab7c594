#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone plan.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_counts_cases_by_tier() {
    expect 0 touchstone plan 'dml.slice1:examples' 'dml.slice1:special' -b cpu
    holds out 'dml.slice1:examples +(quick|full) +[0-9]+' 'tier full +[0-9]+ cases'
}

run_tests "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What scripts/bench.sh asks of the program. Nothing is measured.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# Every command line of it parses, and it prints its last rows.
test_command_lines_parse() {
    local bench=$TOUCHSTONE_ROOT/scripts/bench.sh
    expect 0 bash "$bench" --dry-run "$touchstone"
    holds out '^cpu, openvino.strided_slice: ' '^memory of three processes, tier exhaustive' '^its size ' \
        '^directml on llvmpipe, dml.gather:special'
    # A program that takes no --tier twice refuses what a broken script would ask; so does one that knows no --shard.
    printf '#!/bin/sh\ncase "$*" in *--shard*--help) echo no shards >&2; exit 64 ;; esac\nexec %s "$@"\n' "$touchstone" >other
    chmod +x other
    expect 64 bash "$bench" --dry-run ./other
    holds err '^touchstone run -b openvino .*--shard 1/5' '^  no shards$'
    refuses 64 'expected one program' -- bash "$bench" --dry-run
}

run_tests "$@"

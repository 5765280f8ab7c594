#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone eval.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

test_refuses_broken_files() {
    echo '{' >broken.json
    refuses 64 'broken.json' -- touchstone eval broken.json
    echo '{"operator": "dml.slice2", "descriptor": {}}' >operator.json
    refuses 64 'operator.json' 'dml.slice2' -- touchstone eval operator.json
    echo 'return 1 +' >broken.lua
    refuses 64 'broken.lua' -- touchstone eval broken.lua
    echo 'while true do end' >endless.lua
    refuses 64 'endless.lua' -- timeout 60 touchstone eval endless.lua
    echo x >other.txt
    refuses 64 'other.txt' -- touchstone eval other.txt
}

run_tests "$@"

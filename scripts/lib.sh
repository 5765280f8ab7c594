# SPDX-License-Identifier: Apache-2.0
# Shared by the scripts beside it, which source it.
# shellcheck shell=bash

TOUCHSTONE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LC_ALL=C.UTF-8

say() {
    printf '==> %s\n' "$*" >&2
}

die() { # STATUS MESSAGE...
    local status=$1
    shift
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit "$status"
}

# The comment at the head of a script, from its second line of text to the first line that is none.
print_help() {
    sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
}

jobs_here() {
    nproc 2>/dev/null || echo 2
}

# Configure and build quietly: BUILD-FOLDER [CMAKE-OPTION...]. What went wrong is printed.
build_into() {
    local folder=$1 log
    shift
    mkdir -p "$folder"
    log=$folder/touchstone-build.log
    if ! { cmake -S "$TOUCHSTONE_ROOT" -B "$folder" -G Ninja "$@" && cmake --build "$folder" -j "$(jobs_here)"; } \
        >"$log" 2>&1; then
        grep -E -A 6 'error:|Error|FAILED:|warning:' "$log" | head -n 60 >&2 || true
        printf '%s\n' "the build in $folder failed; all of it: $log" >&2
        return 1
    fi
}

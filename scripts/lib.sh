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

is_whole() { # FILE SHA256
    [ -f "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum --check --status
}

# Print a Python that has pip; 1 where there is none.
find_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            echo "$python"
            return
        fi
    done
    return 1
}

# Fetch a Python wheel, from the index that pip is set up for, into a folder: WHEEL SHA256 FOLDER. Nothing of it is run,
# and it may be one for another system. 1, with a line that says why, where it could not be had, is not what it was or
# there is no pip.
fetch_wheel() {
    local wheel=$1 sum=$2 folder=$3 stem=${1%.whl} name version rest options=() pip try
    name=${stem%%-*} rest=${stem#*-}
    version=${rest%%-*}
    if [ "${stem##*-}" != any ]; then # NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM
        rest=${stem%-*}
        rest=${rest%-*}
        options=(--python-version "${rest##*-cp}" --implementation cp --platform "${stem##*-}")
    fi
    pip=$(find_pip) || { echo "there is no pip to fetch $wheel with (Debian's python3-pip)" >&2 && return 1; }
    for try in 1 2 3; do
        timeout 600 "$pip" -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps \
            --only-binary :all: "${options[@]}" --dest "$folder" "$name==$version" >"$folder/pip.log" 2>&1 </dev/null &&
            break
        [ "$try" = 3 ] || sleep $((try * 5))
    done
    if [ ! -f "$folder/$wheel" ]; then
        tail -n 3 "$folder/pip.log" >&2
        echo "$name $version could not be fetched as $wheel" >&2
        return 1
    fi
    rm "$folder/pip.log"
    is_whole "$folder/$wheel" "$sum" || { echo "$wheel is not what it was: another SHA-256" >&2 && return 1; }
}

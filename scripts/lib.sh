# SPDX-License-Identifier: Apache-2.0
# Functions that the other scripts share; they source this file.
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

# Prints the comment at the head of a script, without its first two lines.
print_help() {
    sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
}

jobs_here() {
    nproc 2>/dev/null || echo 2
}

# part_of N: K/N, the part of N that tests take of what grows with operators and vendors. The commit draws it: each tests
# another. Where TOUCHSTONE_WHOLE is set (scripts/test.sh --whole), it is all: 1/1.
part_of() {
    local commit=0
    if [ -n "${TOUCHSTONE_WHOLE:-}" ]; then
        echo 1/1
        return
    fi
    ! commit=$(git -C "$TOUCHSTONE_ROOT" rev-parse HEAD 2>/dev/null) || commit=${commit:0:8}
    echo $((16#${commit:-0} % $1 + 1))/"$1"
}

# A page of a vendor has a table of known failures, one line each:
#   | ID | behaviour | modes | where | smallest case |
# known_lines README MODE prints of each line whose modes name MODE: its ID, "always" (or "sometimes", if the modes say
# so) and the id of the smallest case. Cases without an operator are of StridedSlice.
known_lines() {
    awk -F' *[|] *' -v mode="$2" '$2 ~ /^[A-Z]+-[0-9]+$/ && NF == 7 {
        count = split($4, modes, /[^a-z]+/); listed = 0; when = "always"
        for (i = 1; i <= count; ++i) {
            listed = listed || modes[i] == mode
            if (modes[i] == "sometimes") when = "sometimes"
        }
        if (listed && match($6, /`[^`]*`/)) {
            id = substr($6, RSTART + 1, RLENGTH - 2)
            print $2, when, (id ~ /^(dml|openvino)[.]/ ? id : "openvino.strided_slice:" id)
        }
    }' "$1"
}

# known_cases README MODE prints the ids of the smallest cases of the lines, and those that tier quick has for them.
known_cases() {
    sed -n 's/^\([a-z][^ ]*\)  #.*/\1/p' "$TOUCHSTONE_ROOT/cases/known.txt"
    known_lines "$1" "$2" | cut -d ' ' -f 3
}

# known_lines_hold README MODE WAIVERS RUN TOUCHSTONE...: the lines of the page and the reasons of the waivers name the
# same failures, all of which occur in the run, and so do the smallest cases. Prints what does not hold; then status 1.
known_lines_hold() {
    local page=$1 mode=$2 waivers=$3 run=$4 work status=0
    shift 4
    work=$(mktemp -d)
    known_lines "$page" "$mode" >"$work/lines"
    [ -s "$work/lines" ] || { echo "$page has no line for mode $mode" && status=1; }
    "$@" waive --tighten "$run" "$waivers" -o "$work/occur.json" </dev/null || status=1
    grep -Eo '"reason": *"[A-Z]+-[0-9]+' "$work/occur.json" | sed 's/.*"//' | sort -u >"$work/occur"
    cut -d ' ' -f 1 "$work/lines" | sort -u >"$work/stated"
    grep ' always ' "$work/lines" | cut -d ' ' -f 1 | sort -u >"$work/always"
    comm -13 "$work/stated" "$work/occur" |
        sed "s|.*|& occurs in mode $mode; $page says that it does not|" >"$work/wrong"
    comm -23 "$work/always" "$work/occur" |
        sed "s|.*|& of $page does not occur in mode $mode, or no waiver names it|" >>"$work/wrong"
    # Each smallest case as a waiver: those that fail are covered tightly.
    grep ' always ' "$work/lines" | cut -d ' ' -f 3 >"$work/cases"
    local rest='"reason": "a case", "owner": "a page", "link": "https://a.page", "expires": "2999-12-31" }'
    sed -e "s|.*|{ \"query\": \"&\", $rest|" \
        -e '$!s|$|,|' -e '1s|^|[|' -e '$s|$|]|' "$work/cases" >"$work/cases.json"
    "$@" waive "$run" "$work/cases.json" >"$work/covered" </dev/null || true
    sed -n "s/^waiver [0-9]* \(stale\|unexpected-pass\): '\([^']*\)'.*/\2 does not fail in mode $mode/p" \
        "$work/covered" >>"$work/wrong"
    grep -q '^waiver 1 ' "$work/covered" || echo "the smallest cases of $page cannot be looked up" >>"$work/wrong"
    [ ! -s "$work/wrong" ] || { cat "$work/wrong" && status=1; }
    rm -rf "$work"
    return "$status"
}

# few_unsupported FILE [PERCENT]: in the output of a run, the only shortcoming is that the backend does not support at
# most PERCENT (3) of 100 cases.
few_unsupported() {
    awk -v most="${2:-3}" '/^planned [0-9]/ { planned = $2 + 0; failed = / failed 0,/ }
        /^incomplete: the backend does not support [0-9]+ of the planned cases/ { unsupported = $7 }
        END { exit !(failed && unsupported > 0 && unsupported * 100 <= planned * most) }' "$1"
}

# build_into FOLDER [--target NAME]... [CMAKE-OPTION...]: configures and builds quietly, everything if it names no target;
# prints errors.
build_into() {
    local folder=$1 log targets=()
    shift
    while [ "${1:-}" = --target ]; do
        targets+=("$1" "$2")
        shift 2
    done
    mkdir -p "$folder"
    log=$folder/touchstone-build.log
    if ! { cmake -S "$TOUCHSTONE_ROOT" -B "$folder" -G Ninja "$@" &&
        cmake --build "$folder" -j "$(jobs_here)" "${targets[@]}"; } \
        >"$log" 2>&1; then
        grep -E -A 6 'error:|Error|FAILED:|warning:' "$log" | head -n 60 >&2 || true
        printf '%s\n' "the build in $folder failed; see $log" >&2
        return 1
    fi
}

is_whole() { # FILE SHA256
    [ -f "$1" ] && printf '%s  %s\n' "$2" "$1" | sha256sum --check --status
}

# Prints a Python that has pip; status 1 if there is none.
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

# make_environment PACKAGES FOLDER: makes FOLDER/python, a Python environment with the packages that the file names, in
# pip's format with hashes. Nothing is installed on the system. Status 77 and one line on standard error where there are
# no such packages or no pip, 1 where a download fails or has an unexpected content.
make_environment() {
    local packages=$1 work=$2 base try
    base=$(find_pip) || { say "pip is not installed (Debian's python3-pip)" && return 77; }
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] ||
        { say "there are no packages for $(uname -s) on $(uname -m)" && return 77; }
    "$base" -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 13)))' ||
        { say "there are packages for Python 3.11 and 3.13, not for $("$base" --version)" && return 77; }
    "$base" -m venv --without-pip --symlinks "$work/python" >&2
    for try in 1 2 3; do
        timeout 600 "$base" -m pip --python "$work/python/bin/python" install --quiet --disable-pip-version-check \
            --no-cache-dir --no-compile --no-deps --only-binary :all: --require-hashes \
            -r "$packages" >"$work/log" 2>&1 </dev/null && return 0
        tail -n 5 "$work/log" >&2
        [ "$try" = 3 ] || sleep $((try * 5))
    done
    say "the packages of $packages cannot be installed"
    return 1
}

# The Python of the environment that setup-python.sh makes, which may be absent.
python_of_tests() {
    local digest
    digest=$(sha256sum <"$TOUCHSTONE_ROOT/scripts/python-packages.txt" | cut -c 1-16)
    echo "${XDG_CACHE_HOME:-$HOME/.cache}/touchstone/python-$digest/bin/python"
}

# find_python MODULE: prints a Python that has the module: the one above, or one of the system; status 1 if none has it.
find_python() {
    local python
    for python in "$(python_of_tests)" python3 /usr/bin/python3; do
        if "$python" -c "import $1" >/dev/null 2>&1; then
            echo "$python"
            return
        fi
    done
    return 1
}

# fetch_wheel WHEEL SHA256 FOLDER: downloads a Python wheel from the index that pip is configured for. It may be a wheel
# for another platform; nothing of it is executed. Status 1 and one line on standard error if there is no pip, the
# download fails or the SHA-256 differs.
fetch_wheel() {
    local wheel=$1 sum=$2 folder=$3 stem=${1%.whl} name version rest options=() pip try
    name=${stem%%-*} rest=${stem#*-}
    version=${rest%%-*}
    if [ "${stem##*-}" != any ]; then # NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM[.PLATFORM]...
        rest=${stem%-*}
        rest=${rest%-*}
        options=(--platform "${stem##*[-.]}")
        [[ $rest != *-cp* ]] || options+=(--python-version "${rest##*-cp}" --implementation cp)
    fi
    pip=$(find_pip) || { echo "pip is needed to download $wheel (Debian's python3-pip)" >&2 && return 1; }
    for try in 1 2 3; do
        timeout 600 "$pip" -m pip download --quiet --disable-pip-version-check --no-cache-dir --no-deps \
            --only-binary :all: "${options[@]}" --dest "$folder" "$name==$version" >"$folder/pip.log" 2>&1 </dev/null &&
            break
        [ "$try" = 3 ] || sleep $((try * 5))
    done
    if [ ! -f "$folder/$wheel" ]; then
        tail -n 3 "$folder/pip.log" >&2
        echo "cannot download $wheel ($name $version)" >&2
        return 1
    fi
    rm "$folder/pip.log"
    is_whole "$folder/$wheel" "$sum" || { echo "$wheel has an unexpected SHA-256" >&2 && return 1; }
}

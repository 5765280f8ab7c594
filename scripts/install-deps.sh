#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install-deps.sh [--test | --bench | --all | --windows | --directml | --wine] [--list]
#
# Installs the Debian packages (bookworm or later) that are missing, and nothing where none is. As root, or with sudo.
#
#   (no option)  to build Touchstone and run it
#   --test       and to build and run its unit tests
#   --bench      and for scripts/bench.sh
#   --all        and for all of scripts/test.sh --all: a second compiler, a browser, sqlite3, checkers of shell scripts
#                and of JSON by schema, a Slurm to run a sweep on, what scripts/setup-vendors.sh fetches with, and what
#                --windows and --directml install
#   --windows    to cross-build for Windows and run that under Wine, and nothing else
#   --directml   for scripts/setup-directml.sh, and nothing else
#   --wine       a Wine with Vulkan and an X server, where Debian's is version 10 or later, and nothing else
#   --list       print the names of the packages, missing or not, and stop
#
# Exit status: 0 all are there; 1 something could not be installed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

packages=(gcc libc6-dev cmake ninja-build pkg-config liblua5.4-dev libsqlite3-dev libjansson-dev libexpat1-dev
    libxxhash-dev zlib1g-dev)
for_tests=(g++ libcmocka-dev librandom123-dev)
for_bench=(python3-numpy)
for_all=(clang chromium shellcheck sqlite3 python3-jsonschema slurm-wlm munge)
for_windows=(cmake ninja-build pkg-config make gcc libc6-dev dpkg-dev tcl gcc-mingw-w64-x86-64-win32 libz-mingw-w64-dev
    librandom123-dev wine64)
for_directml=(bubblewrap mmdebstrap debootstrap uidmap python3-pip ca-certificates unzip gcc-mingw-w64-x86-64-win32)
for_wine=(wine64 wine xvfb mesa-vulkan-drivers libvulkan1)
list=
all=
for argument in "$@"; do
    case $argument in
    --test) packages+=("${for_tests[@]}") ;;
    --bench) packages+=("${for_tests[@]}" "${for_bench[@]}") ;;
    --all)
        packages+=("${for_tests[@]}" "${for_all[@]}" "${for_windows[@]}" "${for_directml[@]}")
        all=1
        ;;
    --windows) packages=("${for_windows[@]}") ;;
    --directml) packages=("${for_directml[@]}") ;;
    --wine) packages=("${for_wine[@]}") ;;
    --list) list=1 ;;
    -h | --help)
        print_help
        exit 0
        ;;
    *) die 64 "'$argument' is not known; --help tells what is" ;;
    esac
done
if [ -n "$list" ]; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi

command -v dpkg-query >/dev/null || die 1 "this is no Debian system; install what these packages hold: ${packages[*]}"

missing() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s\n' "$package"
    done
}

# As root; three tries, for mirrors and networks fail at times.
apt() {
    local try
    for try in 1 2 3; do
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 \
            -o DPkg::Lock::Timeout=120 "$@" >"$log" 2>&1 </dev/null && return 0
        [ "$try" = 3 ] || sleep $((try * 5))
    done
    tail -n 20 "$log" >&2
    return 1
}

install() {
    local wanted
    mapfile -t wanted < <(missing "$@")
    [ "${#wanted[@]}" -gt 0 ] || return 0
    as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || die 1 "neither root nor sudo; have these packages installed: ${wanted[*]}"
        as_root=(sudo)
    fi
    say "installing ${wanted[*]}"
    if [ -z "$updated" ]; then
        apt update || die 1 "apt-get update failed three times"
        updated=1
    fi
    apt install --no-install-recommends "${wanted[@]}" || die 1 "these could not be installed: ${wanted[*]}"
}

updated=
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install "${packages[@]}"
if [ -n "$all" ]; then # clang's sanitizers are a package of clang's version
    version=$(clang -dumpversion)
    install "libclang-rt-${version%%.*}-dev"
fi

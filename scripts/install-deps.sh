#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install-deps.sh [--test | --bench | --all | --audit | --package | --arm64 | --windows | --directml |
#                 --wine | --vendors] [--list]
#
# Installs the missing ones of these Debian packages (bookworm or later), as root or with sudo.
#
#   (no option)  packages to build and run Touchstone
#   --test       also those to build and run its unit tests
#   --bench      also those for scripts/bench.sh
#   --all        also those for all of scripts/test.sh --all: a second compiler, a browser, sqlite3, checkers for shell
#                scripts and JSON schemas, Slurm, what scripts/setup-vendors.sh and setup-python.sh download with, and the
#                packages of --package, --arm64, --windows and --directml
#   --audit      also clang, with which a build has `touchstone audit`
#   --package    also those for scripts/package.sh and its test
#   --arm64      only those to cross-build for 64-bit ARM and to run the result; adds that architecture to dpkg
#   --windows    only those to cross-build for Windows and to run the result under Wine
#   --directml   only those for scripts/setup-directml.sh
#   --wine       only Wine with Vulkan and an X server, if Debian's Wine is version 10 or later
#   --vendors    only what scripts/setup-vendors.sh downloads with; npm only if there is none, since other packages of
#                Node.js than Debian's have it in them
#   --list       print the names of the packages, installed or not, and exit
#
# Exit status: 0 all packages are installed; 1 a package could not be installed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

packages=(gcc libc6-dev cmake ninja-build pkg-config liblua5.4-dev libsqlite3-dev libjansson-dev libexpat1-dev
    libxxhash-dev zlib1g-dev)
for_tests=(g++ libcmocka-dev librandom123-dev)
for_bench=(python3-numpy)
for_all=(clang chromium shellcheck sqlite3 python3-jsonschema slurm-wlm munge)
for_package=(help2man lintian dpkg-dev file gzip)
for_arm64=(cmake ninja-build pkg-config gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static librandom123-dev)
of_arm64=(liblua5.4-dev libsqlite3-dev libjansson-dev libexpat1-dev libxxhash-dev zlib1g-dev libcmocka-dev)
for_windows=(cmake ninja-build pkg-config make gcc libc6-dev dpkg-dev tcl gcc-mingw-w64-x86-64-win32 libz-mingw-w64-dev
    librandom123-dev wine64)
for_directml=(bubblewrap mmdebstrap debootstrap uidmap python3-pip ca-certificates unzip gcc-mingw-w64-x86-64-win32)
for_vendors=(python3-pip unzip ca-certificates)
command -v npm >/dev/null || for_vendors+=(npm)
for_wine=(wine64 wine xvfb mesa-vulkan-drivers libvulkan1)
list=
all=
for argument in "$@"; do
    case $argument in
    --test) packages+=("${for_tests[@]}") ;;
    --bench) packages+=("${for_tests[@]}" "${for_bench[@]}") ;;
    --all)
        packages+=("${for_tests[@]}" "${for_all[@]}" "${for_package[@]}" "${for_arm64[@]}" "${of_arm64[@]/%/:arm64}"
            "${for_windows[@]}" "${for_directml[@]}" "${for_vendors[@]}")
        all=1
        ;;
    --audit) packages+=(clang) ;;
    --package) packages+=("${for_package[@]}") ;;
    --arm64) packages=("${for_arm64[@]}" "${of_arm64[@]/%/:arm64}") ;;
    --windows) packages=("${for_windows[@]}") ;;
    --directml) packages=("${for_directml[@]}") ;;
    --wine) packages=("${for_wine[@]}") ;;
    --vendors) packages=("${for_vendors[@]}") ;;
    --list) list=1 ;;
    -h | --help)
        print_help
        exit 0
        ;;
    *) die 64 "unknown argument '$argument'; see --help" ;;
    esac
done
if [ -n "$list" ]; then
    printf '%s\n' "${packages[@]}"
    exit 0
fi

command -v dpkg-query >/dev/null || die 1 "this is not a Debian system; install the equivalents of: ${packages[*]}"

missing() { # PACKAGE[:ARCHITECTURE]...
    local package wanted
    for package in "$@"; do
        wanted=$(dpkg --print-architecture)
        [[ $package != *:* ]] || wanted=${package#*:}
        dpkg-query -W -f='${Architecture} ${db:Status-Status}\n' "${package%:*}" 2>/dev/null |
            grep -qxE "(all|$wanted) installed" || printf '%s\n' "$package"
    done
}

# Runs apt-get as root, up to three times, because mirrors and networks fail at times.
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
        command -v sudo >/dev/null || die 1 "root or sudo is needed to install these packages: ${wanted[*]}"
        as_root=(sudo)
    fi
    say "installing ${wanted[*]}"
    if [[ ${wanted[*]} == *:arm64* ]] && ! dpkg --print-foreign-architectures | grep -qx arm64; then
        "${as_root[@]}" dpkg --add-architecture arm64 || die 1 "dpkg does not take the architecture arm64"
        updated=
    fi
    if [ -z "$updated" ]; then
        apt update || die 1 "apt-get update failed three times"
        updated=1
    fi
    apt install --no-install-recommends "${wanted[@]}" || die 1 "apt-get could not install: ${wanted[*]}"
}

updated=
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install "${packages[@]}"
if [ -n "$all" ]; then # clang's sanitizers are a package of clang's version
    version=$(clang -dumpversion)
    install "libclang-rt-${version%%.*}-dev"
fi

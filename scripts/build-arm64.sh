#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build-arm64.sh [FOLDER [--target NAME]... [CMAKE-OPTION...]]
#
# Cross-builds Touchstone for Linux on 64-bit ARM: FOLDER/bin/touchstone, its backends and its unit tests, which also
# run under qemu-user; or only the targets named. FOLDER defaults to build-arm64. Installs missing Debian packages; for
# those of ARM it adds the architecture arm64 to this machine's dpkg.
#
# Exit status: 0 built; 1 failed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
-*) die 64 "unknown argument '$1'; see --help" ;;
esac
folder=${1:-$TOUCHSTONE_ROOT/build-arm64}
[ $# = 0 ] || shift

bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --arm64 || exit 1
say "building $folder"
build_into "$folder" "$@" -DCMAKE_TOOLCHAIN_FILE="$TOUCHSTONE_ROOT/scripts/aarch64-linux.cmake"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build-windows.sh [FOLDER [CMAKE-OPTION...]]
#
# Cross-builds Touchstone for Windows x64 with mingw-w64: FOLDER/bin/touchstone.exe, its backends FOLDER/backends/*.dll
# and its unit tests FOLDER/tests/*.exe. They need only DLLs of Windows itself and also run under Wine. FOLDER defaults
# to build-windows. Installs missing Debian packages, and builds the libraries that Debian does not package for Windows
# (scripts/windows-deps.sh).
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
folder=${1:-$TOUCHSTONE_ROOT/build-windows}
[ $# = 0 ] || shift

bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --windows || exit 1
deps=$(bash "$TOUCHSTONE_ROOT/scripts/windows-deps.sh") || exit 1
say "building $folder"
build_into "$folder" -DCMAKE_TOOLCHAIN_FILE="$TOUCHSTONE_ROOT/scripts/mingw-w64.cmake" \
    -DTOUCHSTONE_WINDOWS_DEPS="$deps" "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package.sh [--windows | --arm64] [FOLDER]
#
# Builds Touchstone and packs it: Debian packages (touchstone, touchstone-backends, touchstone-dev) and a tar archive
# for this machine, or with --arm64 for 64-bit ARM; with --windows a zip archive for Windows x64. The packages go to
# FOLDER (default: packages). Builds in ./build-package, build-package-windows or build-package-arm64. Installs missing
# Debian packages. Set SOURCE_DATE_EPOCH to have the same packages from the same source at any time.
#
# Exit status: 0 packed; 1 failed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

system=
case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
--windows | --arm64)
    system=${1#--}
    shift
    ;;
-*) die 64 "unknown argument '$1'; see --help" ;;
esac
[ $# -le 1 ] || die 64 "unexpected argument '$2'"
mkdir -p "${1:-packages}" || exit 1
packages=$(cd "${1:-packages}" && pwd)
build=$TOUCHSTONE_ROOT/build-package${system:+-$system}
bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --package || exit 1
options=(-DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_TESTS=OFF)
case $system in
windows) bash "$TOUCHSTONE_ROOT/scripts/build-windows.sh" "$build" "${options[@]}" ;;
arm64) bash "$TOUCHSTONE_ROOT/scripts/build-arm64.sh" "$build" "${options[@]}" ;;
*) say "building $build" && build_into "$build" "${options[@]}" ;;
esac
say "packing"
cpack --config "$build/CPackConfig.cmake" -B "$packages" | sed -n 's/^CPack.*package: \(.*\) generated\.$/\1/p'
rm -rf "$packages/_CPack_Packages"

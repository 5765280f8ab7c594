#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package-test.sh BUILD
#
# Packs the release build in the folder BUILD and tests the Debian packages: lintian finds no error and no warning; the
# program runs from where they are unpacked, finds its cases and backends, and has a manual page for each verb; another
# project builds a backend with find_package(Touchstone) and with pkg-config, and a run loads it.
#
# Exit status: 0 nothing failed; 1 something failed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | -*) die 64 "expected BUILD, the folder of a release build; see --help" ;;
esac
[ -e "$1/CPackConfig.cmake" ] || die 64 "there is no $1/CPackConfig.cmake: not a build of Touchstone"
build=$(cd "$1" && pwd)
bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh" --package || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "packing"
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work" >"$work/cpack.log" 2>&1 || die 1 "cpack: $(tail -n 5 "$work/cpack.log")"
count=$(find "$work" -maxdepth 1 -name '*.deb' | wc -l)
[ "$count" = 3 ] || die 1 "expected three packages, and there are $count"
say "lintian"
lintian --allow-root --fail-on warning,error "$work"/*.deb

root=$work/root
for package in "$work"/*.deb; do
    dpkg-deb -x "$package" "$root"
done
touchstone=$root/usr/bin/touchstone
say "the program"
unset TOUCHSTONE_CASES TOUCHSTONE_BACKENDS
for verb in $("$touchstone" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\)  *[a-z].*/\1/p'); do
    [ -e "$root/usr/share/man/man1/touchstone-$verb.1.gz" ] || die 1 "touchstone $verb has no manual page"
done
"$touchstone" run -b cpu '*:examples' -q -o "$work/cpu.run"

say "a backend of another project"
cp -r "$TOUCHSTONE_ROOT/backends/example" "$work/project"
cat >"$work/project/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.20)
project(mine C)
find_package(Touchstone 0.2 REQUIRED)
add_library(mine MODULE example.c)
set_target_properties(mine PROPERTIES PREFIX "")
target_link_libraries(mine PRIVATE Touchstone::plugin)
PROJECT
cmake -S "$work/project" -B "$work/mine" -DCMAKE_PREFIX_PATH="$root/usr" >/dev/null
cmake --build "$work/mine" >/dev/null
runs() { # BACKEND: it passes what it supports of the examples
    "$touchstone" run -b "$1" dml.element_wise_identity:examples -q -o "${1%.so}.run" >"$work/log" || true
    grep -q 'passed [1-9][0-9]*, failed 0' "$work/log" || die 1 "$1: $(cat "$work/log")"
}
runs "$work/mine/mine.so"
export PKG_CONFIG_PATH=$root/usr/share/pkgconfig
read -ra flags < <(pkg-config --define-prefix --cflags touchstone)
gcc -shared -fPIC "${flags[@]}" -o "$work/other.so" "$work/project/example.c"
runs "$work/other.so"

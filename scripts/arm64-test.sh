#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# arm64-test.sh PREFIX
#
# Cross-builds Touchstone for Linux on 64-bit ARM and tests it under qemu-user: unit tests of the reference and of the
# rooms that start no other process, the rows of a case file, and a run of a part of tier quick (one of 32, which the
# commit draws); rows and digests must be those of the program installed under PREFIX. Left to real machines are the
# tests of crashes, limits and workers, because signals of an emulated process are not those of a real one, and that of
# disks that fill up, because it takes a minute here. The other rows are the installed ones.
#
# Builds in ./build-arm64 or in the folder TOUCHSTONE_BUILD. Exit status: 0 nothing failed; 1 something failed; 64 wrong
# usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | -*) die 64 "expected PREFIX, where Touchstone is installed; see --help" ;;
esac
prefix=$(realpath -m "$1")
native=$prefix/bin/touchstone
[ -x "$native" ] || die 64 "there is no $native: Touchstone is not installed under $1"
build=$(realpath -m "${TOUCHSTONE_BUILD:-$TOUCHSTONE_ROOT/build-arm64}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rooms='reference|harness/(base|expr|space|model|store|formats|check)'
cd "$TOUCHSTONE_ROOT"
targets=(--target touchstone --target backend_cpu --target backend_example --target rows-made/dml-gather.lua)
while IFS= read -r file; do
    file=${file%.c}
    targets+=(--target "${file//\//_}")
done < <(find reference harness -name '*_test.c' -regextype posix-extended -regex "($rooms)/.*" ! -name store_errors_test.c)
rm -rf "$build/rows" "$build/rows-made"
mkdir -p "$build/rows-made"
bash scripts/build-arm64.sh "$build" "${targets[@]}" -DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_WERROR=ON

say "unit tests under qemu-user"
(cd "$build" && ctest -j "$(jobs_here)" --output-on-failure --no-tests=error --timeout 300 \
    -R "^unit/($rooms)/" -E '/store_errors$' </dev/null)

say "the rows of GATHER"
for file in "$build"/rows/*; do
    cmp "$file" "$prefix/share/touchstone/rows/${file##*/}"
done
cp -r "$prefix/share/touchstone/rows" "$build/"

# A line for each part. The emulator keeps a record of every page that a process has ever reserved, gigabytes of them for
# the cases whose elements are far apart: each part has a process of its own.
parts=$(part_of 32)
[ "$parts" != 1/1 ] || parts=$(seq -s ' ' -f '%g/32' 32)
digests() { # NAME PROGRAM...
    local name=$1 part
    shift
    for part in $parts; do
        TOUCHSTONE_CASES=$TOUCHSTONE_ROOT/cases timeout 900 "$@" run -b cpu --tier quick --shard "$part" -q \
            -o "$work/$name-${part%/*}.run" >"$work/$name.log" 2>&1 </dev/null || die 1 "$name: $(tail -n 3 "$work/$name.log")"
        sed -n 's/^digest  *//p' "$work/$name.log" | grep . || die 1 "$name: the run has no digest"
    done
}
say "tier quick: $parts"
here=$(digests here "$native")
arm=$(digests arm64 qemu-aarch64-static "$build/bin/touchstone")
printf 'here\n%s\narm64\n%s\n' "$here" "$arm"
[ "$arm" = "$here" ] || die 1 "the digests differ"

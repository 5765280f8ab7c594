#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh SECONDS [TARGET...]
#
# Runs the fuzz targets in fuzz/ (parsers, the predicate compiler, run files) for SECONDS each; with 0 seconds, only
# their seeds. Without TARGET, all of them. Needs clang. Inputs that crash a target are left in BUILD/fuzz/findings/,
# where BUILD is $TOUCHSTONE_FUZZ_BUILD or build/fuzz.
#
# Exit status: 0 no crash; 1 a target crashed; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -ge 1 ] || { print_help; exit 64; }
case $1 in
-h | --help) print_help; exit 0 ;;
*[!0-9]*) die 64 "expected SECONDS, a number, as the first argument" ;;
esac
seconds=$1
shift
build=${TOUCHSTONE_FUZZ_BUILD:-$TOUCHSTONE_ROOT/build/fuzz}
command -v clang >/dev/null || die 64 "clang is not installed (libFuzzer is part of it)"

if [ $# -eq 0 ]; then
    for file in "$TOUCHSTONE_ROOT"/fuzz/*.c; do
        set -- "$@" "$(basename "$file" .c)"
    done
fi
for target in "$@"; do
    [ -f "$TOUCHSTONE_ROOT/fuzz/$target.c" ] || die 64 "there is no target '$target' in fuzz/"
done

targets=()
for target in "$@"; do
    targets+=(--target "fuzz_$target")
done
say "building in $build"
build_into "$build" "${targets[@]}" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTOUCHSTONE_FUZZ=ON \
    -DTOUCHSTONE_SANITIZE=ON -DTOUCHSTONE_TESTS=OFF
findings=$build/fuzz/findings
mkdir -p "$findings"

failed=0
for target in "$@"; do
    seeds=$TOUCHSTONE_ROOT/fuzz/seeds/$target
    corpus=$build/fuzz/corpus/$target
    mkdir -p "$corpus"
    # The .bin file beside a seed in XML is data of the model, not a seed.
    inputs=()
    while IFS= read -r file; do
        inputs+=("$file")
    done < <(find "$seeds" -type f ! -name '*.bin' 2>/dev/null | sort)
    [ "$target" != lua ] || inputs+=("$TOUCHSTONE_ROOT"/cases/*/*.lua)
    [ ${#inputs[@]} -gt 0 ] || die 64 "no seeds in $seeds"
    common=(-timeout=10 -rss_limit_mb=1024 "-artifact_prefix=$findings/$target-")
    log=$build/fuzz/$target.log
    say "$target: ${#inputs[@]} seeds"
    if ! "$build/fuzz/fuzz_$target" "${common[@]}" "${inputs[@]}" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        failed=1
        continue
    fi
    [ "$seconds" -gt 0 ] || continue
    cp "${inputs[@]}" "$corpus"/
    if ! nice "$build/fuzz/fuzz_$target" "${common[@]}" -max_total_time="$seconds" -print_final_stats=1 \
        "$corpus" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        failed=1
    fi
    say "$target: $(sed -n 's/^stat::number_of_executed_units: */executed /p' "$log" | tail -n 1)"
done
[ "$failed" -eq 0 ] || die 1 "a target failed; its inputs are in $findings"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh
#
# What action.yml beside this file does. The environment has its inputs: INPUT_BACKEND, INPUT_BACKEND_OPTIONS,
# INPUT_QUERIES, INPUT_TIER, INPUT_REQUIRE, INPUT_WAIVERS, INPUT_OUTPUT and INPUT_PREFIX. Without INPUT_PREFIX,
# Touchstone is built in RUNNER_TEMP; a second step of the job uses the same build.
#
# Exit status: that of `touchstone run`; 64 an input is missing; other: a step failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"

[ -n "${INPUT_BACKEND:-}" ] || die 64 "the input 'backend' is missing"
temporary=${RUNNER_TEMP:-${TMPDIR:-/tmp}}
prefix=${INPUT_PREFIX:-$temporary/touchstone}
if [ -z "${INPUT_PREFIX:-}" ] && [ ! -x "$prefix/bin/touchstone" ]; then
    echo '::group::Build Touchstone'
    bash "$TOUCHSTONE_ROOT/scripts/install-deps.sh"
    build_into "$temporary/touchstone-build" -DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_TESTS=OFF
    cmake --install "$temporary/touchstone-build" --prefix "$prefix" >/dev/null
    echo '::endgroup::'
fi
touchstone=$prefix/bin/touchstone
[ -x "$touchstone" ] || die 64 "the input 'prefix': there is no program $touchstone"

# NAME VALUES: adds the option NAME once for each line of VALUES that is not empty.
arguments=()
add_each() {
    local value
    while IFS= read -r value; do
        [ -z "$value" ] || arguments+=("$1" "$value")
    done <<<"$2"
}
arguments=(-q -b "$INPUT_BACKEND" --tier "${INPUT_TIER:-quick}")
add_each --backend-opt "${INPUT_BACKEND_OPTIONS:-}"
add_each --require "${INPUT_REQUIRE:-}"
add_each --waivers "${INPUT_WAIVERS:-}"
arguments+=(--)
while IFS= read -r query; do
    [ -z "$query" ] || arguments+=("$query")
done <<<"${INPUT_QUERIES:-}"

output=${INPUT_OUTPUT:-touchstone-report}
mkdir -p "$output"
run=$output/touchstone.run
rm -f "$run" "$run"-*
status=0
# The runner executes lines that begin with :: as commands; what a run prints has none.
echo '::group::touchstone run'
"$touchstone" run -o "$run" "${arguments[@]}" || status=$?
echo '::endgroup::'
[ -z "${GITHUB_OUTPUT:-}" ] || echo "status=$status" >>"$GITHUB_OUTPUT"
if [ -e "$run" ]; then
    "$touchstone" report "$run" --github --html "$output/touchstone.html" --junit "$output/touchstone.xml"
else
    echo "::error title=Touchstone::The run did not begin (status $status); the log of this step says why."
fi
exit "$status"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs-output.sh [--check | --update] PREFIX [PAGE...]
#
# Runs the commands that the documents show, with the program in PREFIX/bin (an installed prefix or a build folder), and
# compares what they print with what the documents say. It checks that relative links lead to a file and a heading, too.
# Without PAGE: README.md, CONTRIBUTING.md, docs/*.md and the README.md of every folder.
#
#   --check    print each difference (the default)
#   --update   write the new output into the documents
#
# How to write a block that is run: scripts/docs-output.lua.
#
# Exit status: 0 the documents are right, or were updated; 1 they are not; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

mode=--check
case ${1:-} in
--check | --update)
    mode=$1
    shift
    ;;
esac
case ${1:-} in
'' | -*)
    print_help
    exit 64
    ;;
esac
prefix=$(cd "$1" && pwd) || die 64 "$1: no such folder"
shift
[ -x "$prefix/bin/touchstone" ] || die 64 "$prefix/bin/touchstone: no program there"
export PATH="$prefix/bin:$PATH"
unset TOUCHSTONE_CASES TOUCHSTONE_BACKENDS

pages=()
for page in "$@"; do
    pages+=("$(realpath --relative-to="$TOUCHSTONE_ROOT" "$page")")
done
cd "$TOUCHSTONE_ROOT"
shopt -s nullglob
[ ${#pages[@]} -gt 0 ] || pages=(README.md CONTRIBUTING.md docs/*.md [a-z]*/README.md {harness,backends}/*/README.md)

# Commands run in a folder of their own, in which the files of the source tree are found but not written.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$mode" = --check ] || touchstone lua scripts/clauses.lua >docs/clauses.md
touchstone lua scripts/clauses.lua | diff docs/clauses.md - >"$work/clauses" || {
    head -n 20 "$work/clauses"
    die 1 "docs/clauses.md is not what scripts/clauses.lua prints"
}
touchstone lua "$TOUCHSTONE_ROOT/scripts/docs-output.lua" "$mode" "$TOUCHSTONE_ROOT" "$work" "${pages[@]}"

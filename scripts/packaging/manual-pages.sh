#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# manual-pages.sh VERSION FOLDER PROGRAM...
#
# Writes the manual pages of the program and of each of its verbs to FOLDER, compressed: help2man makes them of what
# --help prints.
# PROGRAM may be an emulator and the program. The date in the pages is SOURCE_DATE_EPOCH, if it is set.
set -euo pipefail

version=$1
folder=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$folder"
mkdir -p "$folder"

# NAME SUMMARY ARGUMENT...: help2man takes the name of the page from that of the file that it runs.
page() {
    local name=$1 summary=$2 also=$3
    shift 3
    {
        echo '#!/bin/sh'
        printf 'exec'
        printf ' %q' "$@"
        echo ' "$@"'
    } >"$work/$name"
    chmod +x "$work/$name"
    printf '[see also]\n%s\n' "$also" >"$work/also"
    "${TOUCHSTONE_HELP2MAN:-help2man}" --no-info --version-string="$version" --source="Touchstone $version" \
        --manual=Touchstone --name="$summary" --include="$work/also" --output="$folder/$name.1" "$work/$name"
}

verbs=$("$@" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\)  *\([a-z].*\)$/\1 \2/p')
[ -n "$verbs" ] || { echo "manual-pages.sh: --help lists no verbs" >&2 && exit 1; }
all=$(awk '{ printf "%s.BR touchstone-%s (1)", separator, $1; separator = ",\n" }' <<<"$verbs")
while read -r verb summary; do
    page "touchstone-$verb" "$summary" '.BR touchstone (1)' "$@" "$verb"
done <<<"$verbs"
page touchstone 'conformance tests for tensor operators' "$all" "$@"
gzip -9n "$folder"/*.1

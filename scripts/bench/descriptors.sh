#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/descriptors.sh [--rows FILE] [OPERATOR...]
#
# Does DirectML say of descriptors what the checker says? Asks IDMLDevice::CreateOperator of the real DirectML.dll in
# Wine (scripts/touchstone-wine) about the legal call of each operator that is checked and not computed
# (reference/checked/legal.json), or of those that are named, and about every call that differs from it in one field, or
# in the same field of all tensors. Prints how many of the answers agree, and every kind of disagreement: the clauses that
# the checker names, the field, and how often. Writes all answers to FILE (default: descriptors.csv); goes on where FILE
# ends. A call that ends the process is an answer, too.
#
# TOUCHSTONE_WINDOWS is a build folder of scripts/build-windows.sh (default: ./build-windows).
#
# Exit status: 0 everything was asked, whatever came of it; 3 DirectML is not set up; 64 wrong usage.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"

rows=descriptors.csv
wanted=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        print_help
        exit 0
        ;;
    --rows)
        [ $# -gt 1 ] || die 64 "$1 needs a value"
        rows=$2
        shift
        ;;
    -*) die 64 "unexpected argument '$1'" ;;
    *) wanted+=("$1") ;;
    esac
    shift
done
legal=$TOUCHSTONE_ROOT/reference/checked/legal.json
export TOUCHSTONE_PROGRAM=bench_descriptors.exe
[ "${#wanted[@]}" -gt 0 ] || mapfile -t wanted < <(grep -o '"operator": "[^"]*' "$legal" | sed 's/.*"//')

: >>"$rows"
for operator in "${wanted[@]}"; do
    while ! grep -q "^$operator,end," "$rows"; do
        from=$(grep -c "^$operator," "$rows" || true)
        status=0
        bash "$TOUCHSTONE_ROOT/scripts/touchstone-wine" directml "$legal" "$operator" "$from" >"$rows.part" 2>"$rows.err" ||
            status=$?
        tr -d '\r' <"$rows.part" | grep "^$operator,[0-9]*,[a-z]*,[a-z]*," >>"$rows" || true # whole lines only
        [ "$status" != 3 ] || die 3 "$(tail -n 1 "$rows.err")"
        if [ "$status" = 0 ]; then
            echo "$operator,end,,,," >>"$rows"
        elif [ "$status" != 4 ]; then # the process ended before it could say so
            echo "$operator,$(grep -c "^$operator," "$rows" || true),,crashed,,?" >>"$rows"
        fi
    done
done
rm -f "$rows.part" "$rows.err"

awk -F , '$2 != "end" && $4 != "unsupported" { ++n[$1]; ++all; if ($3 == $4) { ++same[$1]; ++agreed } }
    END { for (op in n) printf "%-45s %5d asked, %5d agree (%.1f %%)\n", op, n[op], same[op], 100 * same[op] / n[op]
          if (all) printf "%-45s %5d asked, %5d agree (%.1f %%)\n", "~all", all, agreed, 100 * agreed / all }' "$rows" |
    sort | sed 's/^~/ /'
echo 'disagreements (operator, the checker, DirectML, clauses, field, how many):'
awk -F , '$2 != "end" && $4 != "unsupported" && $3 != $4 { field = $6; sub(/ (=|is) .*/, "", field); gsub(/[0-9]+/, "i", field)
        ++n[$1 " " $3 " " $4 " [" $5 "] " field] }
    END { for (k in n) print "  " k, n[k] }' "$rows" | sort

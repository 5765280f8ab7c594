#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cost.sh [--total] OPERATOR...
#
# Prints how many lines a person wrote for an operator, by place and kind: what its own files and lines have, and its
# share of what its family shares (the lines divided by the operators of the family). Blank lines count, ledger entries,
# vendors' pages and files that a command writes do not.
#
#     scripts/cost.sh dml.element_wise_bit_and dml.space_to_depth1
#
#   --total   print the sum alone
#
# Exit status: 0 printed; 64 wrong usage, or there is no such operator.
set -uo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

total=
[ "${1:-}" != --total ] || { total=1 && shift; }
case ${1:-} in
-h | --help)
    print_help
    exit 0
    ;;
'' | -*) die 64 "expected OPERATOR...: a name such as dml.slice1" ;;
esac
cd "$TOUCHSTONE_ROOT" || exit 1

# FILE...: all lines of the files that there are.
lines_of() {
    cat -- "$@" 2>/dev/null | wc -l
}

# WORD FILE...: the lines that name the word.
naming() {
    local word=$1
    shift
    cat -- "$@" 2>/dev/null | grep -cw -- "$word"
}

# NAME FILE: the lines of the section that declares NAME in the file of a family, and the others that name it.
declared() {
    awk -v upper="${1^^}" '
        /^\/\* ---- DML_/ { within = index($0, "DML_" upper "_OPERATOR_DESC") > 0 }
        within || $0 ~ "[^a-z0-9_]" short "[^a-z0-9_]" { ++n }
        END { print n + 0 }' short="${1#element_wise_}" "$2"
}

# NAME FILE: the lines of the function that the row of operator NAME has last, and those that name it besides.
kernel() {
    local function
    function=$(sed -n "s/^ *X($1, .* \\([a-z_]*\\)).*/\\1/p" "$2")
    awk -v head="^static [a-z_]+ (run_)?${function:=$1}\\\\(" -v word="[^a-z0-9_]${function}[^a-z0-9_]" '
        $0 ~ head { within = 1 }
        within || $0 ~ word { ++n }
        within && /^}/ { within = 0 }
        END { print n + 0 }' "$2"
}

# FAMILY: the lines of the functions of a family in the oracles.
oracles_of() {
    awk -v head="^local function $1\\\\(" '
        $0 ~ head { within = 1 }
        within { ++n }
        within && /^end/ { within = 0 }
        END { print n + 0 }' cases/oracle/pages.lua cases/oracle/laws.lua
}

# SPEC NAME: the lines of adapters that name an operator.
adapters_of() {
    local adapters
    mapfile -t adapters < <(git ls-files 'backends/*.c' 'backends/*.h' 'backends/*.py' 'harness/formats/*' |
        grep -v '_test\.c$\|^backends/cpu/')
    naming "$1.$2" "${adapters[@]}"
}

# PATTERN: the lines of entries of equivalent.txt that match it, with their reasons.
equivalents_of() {
    awk -v head="^($1)" '
        /^[^ ]/ { within = $0 ~ head }
        /^$/ { within = 0 }
        within { ++n }
        END { print n + 0 }' cases/equivalent.txt
}

# NAME FILE...: the lines that give this key of a table a value.
giving() {
    local key=$1
    shift
    cat "$@" | grep -cE "(^ *|\\[\"|element_wise_)$key(\"\\])? += "
}

row() { # PLACE KIND LINES
    [ -n "$total" ] || [ "$3" = 0 ] || printf '  %-28s %-34s %6d\n' "$1" "$2" "$3"
    sum=$((sum + $3))
}

# Print the lines of an operator of reference/checked/FAMILY.c.
cost_of_declared() {
    local name=$1 short=${1#element_wise_} file=$2 family members all member own_c=0 own_lua=0 own_cpu=0 rest cpu
    family=$(basename "$file" .c)
    cpu=backends/cpu/$family.c
    [ -f "$cpu" ] || cpu=backends/cpu/each.c
    members=$(grep -o '^const checked_operator computed_dml_[a-z0-9_]*' "$file" | sed 's/.*computed_dml_//')
    all=$(grep -c . <<<"$members")
    for member in $members; do
        own_c=$((own_c + $(declared "$member" "$file")))
        own_lua=$((own_lua + $(naming "dml.$member" "cases/dml/$family.lua")))
        own_cpu=$((own_cpu + $(kernel "${member#element_wise_}" "$cpu")))
    done
    row reference/checked 'declaration, clauses, formula' "$(declared "$name" "$file")"
    row cases/dml 'its line in the family' "$(naming "dml.$name" "cases/dml/$family.lua")"
    row backends/cpu 'its kernel' "$(kernel "$short" "$cpu")"
    row cases/oracle 'its formulas' "$(giving "$short" cases/oracle/pages.lua cases/oracle/laws.lua)"
    row tests 'its rows' "$(naming "dml.$name" backends/cpu/random_descriptors.h cases/*.c)"
    row audit/kernels 'kernel of the audit' "$(lines_of "audit/kernels/$name.c" "audit/kernels/$name.h")"
    row cases 'known.txt, equivalent.txt' \
        $(($(naming "dml.$name" cases/known.txt) + $(equivalents_of "dml/$name\\.|kernels/$name\\.")))
    row backends 'lines of adapters that name it' "$(adapters_of dml "$name")"
    rest=$(($(lines_of "$file" "${file%.c}_test.c" "reference/dml/$family.h" "cases/dml/$family.lua" "$cpu") +
        $(lines_of "audit/kernels/family_$family.c") + $(equivalents_of "kernels/family_$family\\.") +
        $(oracles_of "$family") - own_c - own_lua - own_cpu))
    row "shared by $all operators" "reference, tests, cases, cpu, audit" $((rest / all))
}

# Print the lines of an operator with files of its own.
cost_of_files() {
    local spec=$1 name=$2
    row "reference/$spec" 'declaration, check, shape, run' "$(lines_of "reference/$spec/$name.h" "reference/$spec/$name.c")"
    row "reference/$spec" 'explain, suggest and others' \
        "$(lines_of "reference/$spec/${name}_"{explain,suggest,interpretations,loops,mistakes,choices,unjudged}.c)"
    row "reference/$spec" 'unit test' "$(lines_of "reference/$spec/${name}_test.c")"
    row "cases/$spec" 'case file' "$(lines_of "cases/$spec/$name.lua")"
    row cases/oracle 'lines that name it' "$(naming "$spec.$name" cases/oracle/pages.lua cases/oracle/laws.lua)"
    row backends/cpu 'kernel and row' $(($(lines_of "backends/cpu/$name.c") + $(naming "cpu_$name" backends/cpu/cpu.c backends/cpu/cpu.h)))
    row audit/kernels 'kernel of the audit' "$(lines_of "audit/kernels/$name.c" "audit/kernels/$name.h")"
    row cases 'known.txt, equivalent.txt' \
        $(($(naming "$spec.$name" cases/known.txt) + $(equivalents_of "$spec/${name}[._]|kernels/${name}[._]")))
    row backends 'lines of adapters that name it' "$(adapters_of "$spec" "$name")"
}

for operator in "$@"; do
    spec=${operator%%.*} name=${operator#*.} sum=0
    file=$(grep -l "^const checked_operator computed_dml_$name =" reference/checked/*.c | head -n 1)
    [ -n "$file" ] || [ -f "reference/$spec/$name.c" ] || die 64 "there is no computed operator '$operator'"
    [ -n "$total" ] || echo "$operator"
    if [ -n "$file" ]; then
        cost_of_declared "$name" "$file"
    else
        cost_of_files "$spec" "$name"
    fi
    if [ -n "$total" ]; then echo "$operator $sum"; else printf '  %-63s %6d\n' 'in all' "$sum"; fi
done

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench/faults.sh [--backend faulty|planted] [--only PREFIX] [--seconds N] [--faults FILE] [OPERATOR...]
#
# What the suite's tests find of the faults of a backend, faulty (the default) or planted, in each operator or in those
# that are named: by tier quick, by tier full, and by the drawn tests alone in N seconds of processor time (default 60)
# for each fault; with 0, they do not run. --only measures the faults whose names begin with PREFIX, as second- for the
# second set of planted ones. Two operators are measured at a time. Prints for each operator and each class how many are
# found, then the faults that tier full or the drawn tests miss and those that fail in one or two cases of tier quick, and
# writes all rows to FILE (default: faults.csv). Faults that end the process are left out, and gap-write, which no clause
# forbids.
#
# The drawn tests of an operator share their time if they run against all of its faults one after the other. The last
# column has what they find if each fault gets an equal part of N seconds on two cores.
#
# It builds in $TOUCHSTONE_BUILD/bench or ./build-bench, as bench.sh does.
#
# Exit status: 0 everything was measured, whatever was found; other: a measurement failed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../lib.sh"

backend=faulty
seconds=60
file=faults.csv
only=
operators=()
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        print_help
        exit 0
        ;;
    --backend | --only | --seconds | --faults)
        [ $# -gt 1 ] || die 64 "$1 needs a value"
        case $1 in --backend) backend=$2 ;; --only) only=$2 ;; --seconds) seconds=$2 ;; *) file=$2 ;; esac
        shift
        ;;
    -*) die 64 "unexpected argument '$1'" ;;
    *) operators+=("$1") ;;
    esac
    shift
done
[[ $backend =~ ^(faulty|planted)$ ]] || die 64 "--backend $backend: expected faulty or planted"
[[ $only =~ ^[a-z0-9-]*$ ]] || die 64 "--only $only: expected the beginning of the names of faults"
[[ $seconds =~ ^(0|[1-9][0-9]*)$ ]] || die 64 "--seconds $seconds: expected a number of seconds"

build=${TOUCHSTONE_BUILD:+$TOUCHSTONE_BUILD/bench}
build=${build:-$TOUCHSTONE_ROOT/build-bench}
say "building in $build"
build_into "$build" -DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_TESTS=ON
cmake --build "$build" --target bench >/dev/null
cmake --install "$build" --prefix "$build/installed" >/dev/null
export TOUCHSTONE_CASES=$build/installed/share/touchstone/cases TOUCHSTONE_BACKENDS=$build/backends
if [ "${#operators[@]}" -eq 0 ]; then
    mapfile -t operators < <("$build/installed/bin/touchstone" list --count '*:examples' |
        sed -n 's/.*  *\([a-z_0-9.]*\):examples.*/\1/p')
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2016 # the inner shell expands them
printf '%s\n' "${operators[@]}" |
    xargs -P 2 -I OPERATOR bash -c '"$1" "$2" "$3" "$4" "$6*" >"$5/$3.csv"' - "$build/bench/bench_faults" "$backend" \
        OPERATOR "$seconds" "$work" "$only"
{
    echo 'operator,fault,class,quick,full,drawn,drawn_cases,drawn_seconds,quick_failed'
    for operator in "${operators[@]}"; do
        cat "$work/$operator.csv"
    done
} >"$file"

# COLUMN: rows counted by what the column says.
table() {
    awk -F , -v column="$1" -v seconds="$seconds" '
        function share(found, all) { return sprintf("%d (%.0f %%)", found, 100 * found / all) }
        NR > 1 { rows[NR] = $0; of[$column]++; all++ }
        NR > 1 && !($column in seen) { seen[$column] = 1; names[++n] = $column }
        NR > 1 { if ($4 == "yes") { quick[$column]++; q++ }
                 if ($5 == "yes") { full[$column]++; f++ }
                 if ($6 == "yes") { drawn[$column]++; d++ }
                 if ($5 == "yes" || $6 == "yes") { either[$column]++; e++ }
                 operators[$1]++ }
        END {
            for (i in rows) {
                split(rows[i], part, ",")
                if (part[6] == "yes" && part[8] <= 2 * seconds / operators[part[1]]) { shared[part[column]]++; s++ }
            }
            printf "%-26s %6s %12s %12s %12s %14s %14s\n", "", "faults", "quick", "full", "drawn", "full or drawn",
                   "drawn, shared"
            for (i = 1; i <= n; ++i) {
                k = names[i]
                printf "%-26s %6d %12s %12s %12s %14s %14s\n", k, of[k], share(quick[k], of[k]), share(full[k], of[k]),
                       share(drawn[k], of[k]), share(either[k], of[k]), share(shared[k], of[k])
            }
            printf "%-26s %6d %12s %12s %12s %14s %14s\n", "all", all, share(q, all), share(f, all), share(d, all),
                   share(e, all), share(s, all)
        }' "$file"
}
table 1
echo
table 3
awk -F , -v seconds="$seconds" 'NR > 1 && $5 == "no" { full = full "\n  " $1 " " $2 }
    NR > 1 && $6 == "no" { drawn = drawn "\n  " $1 " " $2 }
    NR > 1 && ($9 == 1 || $9 == 2) { few = few "\n  " $1 " " $2 ": " $9; ++count }
    NR > 1 && $4 == "yes" { ++found }
    END { print "\nmissed by tier full:" full; if (seconds > 0) print "\nmissed by the drawn tests:" drawn
          printf "\nfound by one or two cases of tier quick: %d of %d found%s\n", count, found, few }' "$file"

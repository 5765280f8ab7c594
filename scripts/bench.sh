#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh [--dry-run TOUCHSTONE]
#
# Measures the speed of a Release build in $TOUCHSTONE_BUILD/bench or ./build-bench, on one core unless a row says
# otherwise, and prints a table. Each row shows the goal of the project, and what one would reach without Touchstone: a
# bare C loop and a NumPy loop over the same points (scripts/bench/; both print their number of cases, which must be the
# same), memcpy of the same bytes, Random123. Needs the packages of install-deps.sh --bench.
#
# With --dry-run, nothing is built or measured, and the numbers of the table mean nothing: TOUCHSTONE, an installed
# program, only reads every command line that a measurement would begin with, and what refuses one is printed.
#
# Exit status: 0 everything was measured; 64 wrong usage, or with --dry-run a command line is refused; other: a
# measurement failed. Slow results do not affect it.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

dry=
case ${1:-} in
'') ;;
--dry-run)
    [ $# = 2 ] || die 64 "--dry-run: expected one program"
    [ -x "$2" ] || die 64 "$2: no program"
    dry=$(realpath "$2")
    ;;
-h | --help)
    print_help
    exit 0
    ;;
*) die 64 "unexpected argument '$1'" ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
numpy_loop=(/usr/bin/python3 "$TOUCHSTONE_ROOT/scripts/bench/loop.py")
wine=("$TOUCHSTONE_ROOT/scripts/touchstone-wine")
if [ -n "$dry" ]; then
    build=$work/build
    touchstone=$build/installed/bin/touchstone
    wine=("$touchstone")
    numpy_loop=("$build/bench/loop")
    export BENCH_PROGRAM=$dry BENCH_REFUSED=$work/refused PATH="$build/bin:$PATH"
    for name in installed/bin/touchstone bench/{bench_bare,bench_bytes,loop} tests/reports_report_test bin/cargo; do
        install -D -m 755 "$TOUCHSTONE_ROOT/scripts/bench/stand-in.sh" "$build/$name"
    done
else
    build=${TOUCHSTONE_BUILD:+$TOUCHSTONE_BUILD/bench}
    build=${build:-$TOUCHSTONE_ROOT/build-bench}
    say "building in $build"
    build_into "$build" -DCMAKE_BUILD_TYPE=Release -DTOUCHSTONE_TESTS=ON
    cmake --build "$build" --target bench >/dev/null
    cmake --install "$build" --prefix "$build/installed" >/dev/null
    touchstone=$build/installed/bin/touchstone
fi

one_core=()
command -v taskset >/dev/null && one_core=(taskset -c "$(($(jobs_here) - 1))")

row() { # WHAT MEASURED WANTED
    printf '%-58s %18s   %s\n' "$@"
}

# Parse a run's second line, "planned 9, ran 9, ... (0.1 s, 1.17 M cases/s)", or of a slow one "(247 s, 3716 cases/s)":
# the number of cases, and millions per second.
ran_of() {
    local from=${1#*ran }
    printf '%s' "${from%%,*}"
}
speed_of() {
    local before=${1%% cases/s*}
    case ${before##*, } in
    *' M') before=${before% M} && printf '%s' "${before##*, }" ;;
    *) awk -v rate="${before##*, }" 'BEGIN { printf "%.4f", rate / 1e6 }' ;;
    esac
}

# WORKERS QUERY...: prints the counts of a run of $backend, or of cpu.
run_line() {
    local workers=$1 pinned=("${one_core[@]}")
    shift
    [ "$workers" = 1 ] || pinned=()
    rm -f "$work/rate.run"
    "${pinned[@]}" "$touchstone" run -b "${backend:-cpu}" --tier full -j "$workers" -o "$work/rate.run" "$@" |
        grep '^planned '
}

# NAME QUERY...: prints the cases and seconds of a run.
rate() {
    local name=$1 line
    shift
    line=$(run_line 1 "$@")
    row "cpu, $name: $(ran_of "$line") cases" "$(speed_of "$line") M cases/s" "${budget:-}"
}

waive_all() { # RUN WAIVERS: whatever the review says
    local status=0
    "${one_core[@]}" "$touchstone" waive "$@" || status=$?
    [ $status -le 1 ]
}

quotient() { # A B
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f times", a / b }'
}

seconds() { # COMMAND...: of the wall's clock
    local from to
    from=$(date +%s%N)
    "$@" >/dev/null
    to=$(date +%s%N)
    awk -v ns=$((to - from)) 'BEGIN { printf "%.3f s", ns / 1e9 }'
}

best() { # COMMAND...: the shortest of five times that COMMAND prints as "0.12 s"
    local _
    for _ in 1 2 3 4 5; do
        "$@"
        printf '\n'
    done | sort -n | head -n 1
}

# From the command to the first case: the run file gets its name right before it.
first_case() {
    local from to
    rm -f "$work/first.run"
    from=$(date +%s%N)
    "$touchstone" run -b cpu -q -o "$work/first.run" >/dev/null &
    until [ -e "$work/first.run" ]; do
        sleep 0.001
    done
    to=$(date +%s%N)
    wait
    awk -v ns=$((to - from)) 'BEGIN { printf "%.3f s", ns / 1e9 }'
}

both_cores() { # ARGUMENT...: of `run -b cpu`
    rm -f "$work/both.run"
    seconds "$touchstone" run -b cpu -q -j 2 -o "$work/both.run" "$@"
}

# The first five operators, and those that read or write by indices.
twenty=(dml.slice1 dml.gather 'dml.gather_*' 'dml.scatter_*' dml.random_generator dml.element_wise_identity
    openvino.strided_slice 'openvino.gather_*' 'openvino.scatter_*')

grep -m 1 '^model name' /proc/cpuinfo | sed 's/.*: //' || true
row 'on one core' 'measured' 'wanted'
mapfile -t operators < <("$touchstone" list --count '*:examples' | sed -n 's/.*  *\([a-z_0-9.]*\):examples.*/\1/p')
tests_of() { # OPERATOR: all but the drawn ones, whose cases are larger and all different
    "$touchstone" list --count "$1:*" --tier full | sed -n 's/^ *[0-9]*  *\([^ ]*:[^ ]*\) *$/\1/p' | grep -v drawn
}
for operator in "${operators[@]}"; do
    mapfile -t tests < <(tests_of "$operator")
    rate "$operator" "${tests[@]}"
done
rate 'all drawn cases' '*:*drawn*'
rate 'everything'

# OpenVINO, if scripts/setup-vendors.sh has installed it: cases per second with models that repeat and that do not.
openvino_rate() { # MODE WANTED SHARD QUERY
    local line status=0
    rm -f "$work/openvino.run"
    line=$("${one_core[@]}" "$touchstone" run -b openvino --backend-opt "mode=$1" -j 1 -q --shard "$3" \
        -o "$work/openvino.run" "$4" 2>/dev/null) || status=$?
    [ $status -le 1 ] || return 0
    row "OpenVINO, mode=$1: $(ran_of "$line") cases" \
        "$(awk -v n="$(ran_of "$line" | tr -d ,)" -v s="$(sed -n '/^planned /s/.*(\([0-9.]*\) s.*/\1/p' <<<"$line")" \
            'BEGIN { printf "%.0f cases/s", n / s }')" "$2"
}
openvino_rate run '60,000 cases/s' 1/5 "openvino.strided_slice:exhaustive where dtype in {f32,u8,i32} and \
each(begin_mask == 0 and end_mask == 0 and kind == 'range')"
openvino_rate const '700 cases/s' 1/200 'openvino.strided_slice:exhaustive'
openvino_rate core '1,200 cases/s' 1/200 'openvino.strided_slice:exhaustive where min(size) >= 1'

# Programs as backends. On one core, a program and the process of Touchstone that started it take turns.
exec_rate() { # WHAT COMMAND WANTED SHARD
    local line seconds
    rm -f "$work/exec.run"
    line=$("${one_core[@]}" "$touchstone" run -b "exec:$2" --tier full -j 1 -q --shard "$4" -o "$work/exec.run" \
        dml.slice1:exhaustive | grep '^planned ')
    seconds=${line#*(}
    row "exec, a worker in $1: $(ran_of "$line") cases" \
        "$(awk -v n="$(ran_of "$line" | tr -d ,)" -v s="${seconds%% s,*}" \
            'BEGIN { printf "%.0f cases/s", n / s }')" "$3"
}
exec_rate C "$build/tests/exec_example" '100,000 cases/s' 1/2
if command -v cargo >/dev/null && CARGO_TARGET_DIR=$work/rust cargo build --quiet --release --offline \
    --manifest-path "$TOUCHSTONE_ROOT/backends/exec/rust/Cargo.toml" --example slice1; then
    exec_rate Rust "$work/rust/release/examples/slice1" '100,000 cases/s' 1/2
fi
if python=$(find_python numpy); then
    PYTHONPATH=$TOUCHSTONE_ROOT/backends/exec/python/src \
        exec_rate NumPy "$python $TOUCHSTONE_ROOT/backends/exec/python/examples/numpy_worker.py" '20,000 cases/s' 1/8
fi
row 'on two cores, from the command to the first case' "$(best first_case)" '0.1 s'
row 'on two cores, tier quick of twenty operators' "$(best both_cores "${twenty[@]}")" '1.5 s'
row 'on two cores, tier quick of all' "$(best both_cores)" ''
row 'on two cores, tier full of twenty operators' "$(both_cores --tier full "${twenty[@]}")" '60 s'
row 'on two cores, tier full of all' "$(both_cores --tier full)" ''
row 'show ID' "$(best seconds "$touchstone" show dml.slice1:examples:example=2)" '0.05 s'
row 'list' "$(best seconds "$touchstone" list)" '0.1 s'
row "list a covering test's cases" "$(best seconds "$touchstone" list dml.slice1:pairwise)" '0.1 s'
budget='4 M cases/s' rate 'complete small spaces' '*:exhaustive'
one=$(run_line 1 '*:exhaustive')
both=$(run_line 2 '*:exhaustive')
row 'the same on two cores, against one' "$(quotient "$(speed_of "$both")" "$(speed_of "$one")")" '1.9 times'

mine=$(run_line 1 dml.slice1:exhaustive)
bare=$("${one_core[@]}" "$build/bench/bench_bare" "$build/backends/cpu.so")
row "bare C loop over slice1's: ${bare%% *} cases" "${bare##*wrong, }" ''
row "Touchstone over the same: $(ran_of "$mine") cases" "$(speed_of "$mine") M cases/s" ''
row 'that is of the bare loop' "$(quotient "$(speed_of "$mine")" "$(speed_of "$bare")")" 'a third'
if [ -n "$dry" ] || /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    numpy=$("${one_core[@]}" "${numpy_loop[@]}")
    row "NumPy loop over the first ${numpy%% *} of them" "${numpy##*wrong, }" ''
fi
while read -r what mine other share; do
    case $what in
    copy) row 'cpu, a copy of 64 MiB; beside it memcpy' "$mine, $other MiB/s" "80 % of memcpy: $share %" ;;
    philox) row 'cpu, RANDOM_GENERATOR; beside it Random123' "$mine, $other MiB/s" "Random123's: $share %" ;;
    esac
done < <("${one_core[@]}" "$build/bench/bench_bytes" "$build/backends/cpu.so")

if mine=$(backend=onnxruntime run_line 1 dml.slice1:exhaustive 2>/dev/null) && [ -n "$mine" ]; then
    row "onnxruntime, slice1's complete small spaces: $(ran_of "$mine") cases" "$(speed_of "$mine") M cases/s" \
        '0.3 M cases/s'
fi

rm -f "$work"/*.run
"${one_core[@]}" "$touchstone" run -b cpu --tier full -o "$work/size.run" >"$work/size.txt"
ran=$(sed -n 's/.*ran \([0-9]*\),.*/\1/p' "$work/size.txt" | head -n 1)
row "run file of $ran passing cases" "$(stat -c %s "$work/size.run") bytes" '100 KB for 10,000,000'
# The peak memory of all processes of a sweep together.
memory() { # NAME TIER RUN-ARGUMENT...: sampled, since the workers live as long as the sweep
    local name=$1 tier=$2 run peak=0 now
    shift 2
    rm -f "$work/memory.run"
    "$touchstone" run -b cpu --tier "$tier" -j 2 -q -o "$work/memory.run" "$@" >"$work/memory.txt" &
    run=$!
    while kill -0 $run 2>/dev/null; do
        now=$({ ps -o rss= -p "$run" --ppid "$run" || true; } | awk '{ kib += $1 } END { print kib + 0 }')
        [ "$now" -le "$peak" ] || peak=$now
        sleep 0.2
    done
    wait $run || true
    ran=$(sed -n '/^planned /s/.*ran \([0-9]*\),.*/\1/p' "$work/memory.txt")
    row "memory of three processes, $name: $ran cases" "$((peak / 1024)) MiB" '256 MiB for 1,000,000,000'
    row 'its run file' "$(stat -c %s "$work/memory.run") bytes" ''
}
memory 'the largest test, a tenth of it' full --shard 1/10 dml.slice1:wide
memory 'tier exhaustive, a minute of it' exhaustive --budget 60s
# A list of 10,000 waivers: of single cases (every 150th), and of all cases that share their parameters.
rm -f "$work/waived.run"
"${one_core[@]}" "$touchstone" run -b faulty --backend-opt fault=reverse-start --tier full -q -o "$work/waived.run" \
    dml.slice1:exhaustive >"$work/waived.txt" || true
ran=$(sed -n '/^planned /s/.*ran \([0-9]*\),.*/\1/p' "$work/waived.txt")
"$touchstone" list dml.slice1:exhaustive >"$work/ids"
for end in '' ',*'; do
    what=${end:+many cases}
    awk -v end="$end" 'NR % 150 == 3 && n < 10000 {
        printf "%s{\"query\": \"%s%s\", \"reason\": \"r\", \"owner\": \"o\", \"link\": \"l\", " \
               "\"expires\": \"2999-12-31\"}\n", n++ ? "," : "[", $0, end
    } END { print "]" }' "$work/ids" >"$work/waivers.json"
    row "10,000 waivers of ${what:-one case}, a run of $ran cases" \
        "$(seconds waive_all "$work/waived.run" "$work/waivers.json")" ''
done
"$build/tests/reports_report_test" --make-run "$work/many.run" 100000 100000000 >/dev/null
row 'HTML of 100,000 findings in 100,000,000 cases' \
    "$(seconds "${one_core[@]}" "$build/tests/reports_report_test" --make-html "$work/many.run" "$work/many.html")" '2 s'
row 'its size' "$(stat -c %s "$work/many.html") bytes" '5 MB'

# The directml backend, if scripts/setup-directml.sh has set it up: one process, with driver threads on all cores.
directml() { # QUERY
    local line
    rm -f "$work/directml.run"
    line=$({ TOUCHSTONE_WINDOWS=$windows "${wine[@]}" run -b directml -j 1 --tier full \
        -o "$work/directml.run" "$1" || true; } | sed -n '/^planned /p') # what fails is measured as well
    row "directml on llvmpipe, $1: $(ran_of "$line") cases" "$(sed -n 's/.*ran \([0-9]*\),.*(\([0-9.]*\) s, .*/\1 \2/p' \
        <<<"$line" | awk '$2 > 0 { printf "%.0f cases/s", $1 / $2 }')" '30,000 cases/s'
}
if [ -n "$dry" ] || bash "$TOUCHSTONE_ROOT/scripts/setup-directml.sh" --where >/dev/null; then
    windows=${TOUCHSTONE_BUILD:+$TOUCHSTONE_BUILD/bench-windows}
    windows=${windows:-$TOUCHSTONE_ROOT/build-bench-windows}
    [ -n "$dry" ] || bash "$TOUCHSTONE_ROOT/scripts/build-windows.sh" "$windows" -DTOUCHSTONE_TESTS=OFF
    directml dml.slice1:layout
    directml dml.gather:special
fi
if [ -s "$work/refused" ]; then
    cat "$work/refused" >&2
    exit 64
fi

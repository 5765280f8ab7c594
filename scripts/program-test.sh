#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# program-test.sh [--all] PREFIX [NAME-PATTERN]
#
# Tests the program that was installed under PREFIX, as its users see it: exit statuses, messages, files. With --all
# each fault has to be found in each operator that it applies to, not only in one of them. NAME-PATTERN (of the shell:
# 'fault-*') chooses tests. The last line is `program-test: N passed, N failed, N skipped`.
#
# Exit status: 0 nothing failed; 1 something did; 64 wrong usage.
set -uo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"

all=
if [ "${1:-}" = --all ]; then
    all=1
    shift
fi
case ${1:-} in
'' | -*)
    print_help
    exit 64
    ;;
esac
prefix=$(cd "$1" && pwd) || die 64 "$1: no such folder"
pattern=${2:-*}
touchstone=$prefix/bin/touchstone
[ -x "$touchstone" ] || die 64 "$touchstone: no program there"
cases=$prefix/share/touchstone/cases
check=$TOUCHSTONE_ROOT/scripts/json-check.lua
export PATH="$prefix/bin:$PATH"
unset TOUCHSTONE_CASES TOUCHSTONE_BACKENDS

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

# ---- the little that a test needs -----------------------------------------------------------------------------------

fail() {
    printf '  %s\n' "$*"
    exit 1
}

skip() {
    printf '%s\n' "$*"
    exit 77
}

# STATUS COMMAND...: run it, with its outputs in `out` and `err`, and demand the exit status. No test waits for ever.
expect() {
    local wanted=$1 status=0
    shift
    timeout -k 5 300 "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] && return
    printf '  $ %s\n  ended with %s instead of %s\n' "$*" "$status" "$wanted"
    sed 's/^/  out| /' out | head -n 12
    sed 's/^/  err| /' err | head -n 12
    exit 1
}

# FILE PATTERN...: every extended regular expression is found in it.
holds() {
    local file=$1 wanted
    shift
    for wanted in "$@"; do
        grep -Eq -e "$wanted" "$file" && continue
        printf '  %s does not hold /%s/, but:\n' "$file" "$wanted"
        sed 's/^/    | /' "$file" | head -n 12
        exit 1
    done
}

# STATUS PATTERN... -- COMMAND...: it refuses with this status, says why on standard error in one or two lines without
# a word on standard output, and leaves no file.
refuses() {
    local wanted=$1 patterns=() before
    shift
    while [ "$1" != -- ]; do
        patterns+=("$1")
        shift
    done
    shift
    : >out
    : >err
    before=$(find . | sort)
    expect "$wanted" "$@"
    holds err "${patterns[@]}"
    [ ! -s out ] || fail "it wrote to standard output: $(head -n 1 out)"
    [ "$(wc -l <err)" -le 3 ] || fail "the message has $(wc -l <err) lines"
    [ "$(find . | sort)" = "$before" ] || fail "it left files: $(find . | sort | tr '\n' ' ')"
}

# NAME [ARGUMENT...]: run the function test_NAME, dashes as underscores, in a folder of its own.
run_test() {
    local name=$1 status=0 started
    shift
    # shellcheck disable=SC2254
    case $name in $pattern) ;; *) return ;; esac
    mkdir -p "$work/$name/tmp"
    started=$(date +%s%N)
    (
        set -e
        cd "$work/$name"
        export TMPDIR="$work/$name/tmp"
        if [ $# -gt 0 ]; then "$@"; else "test_${name//-/_}"; fi
        [ -z "$(ls -A tmp)" ] || fail "temporary files are left: $(ls -A tmp)"
    ) >"$work/$name/log" 2>&1
    status=$?
    local seconds=$((($(date +%s%N) - started) / 10000000))
    seconds=$((seconds / 100)).$(printf %02d $((seconds % 100)))
    case $status in
    0)
        passed=$((passed + 1))
        printf 'ok       %s (%s s)\n' "$name" "$seconds"
        ;;
    77)
        skipped=$((skipped + 1))
        printf 'skipped  %s: %s\n' "$name" "$(tail -n 1 "$work/$name/log")"
        ;;
    *)
        failed=$((failed + 1))
        printf 'FAILED   %s (%s s)\n' "$name" "$seconds"
        cat "$work/$name/log"
        ;;
    esac
    rm -rf "${work:?}/$name"
}

mapfile -t tests < <("$touchstone" list --tier full 2>/dev/null | awk '/^ *[0-9]+  [a-z_0-9.]+:/ { print $2 }')
[ "${#tests[@]}" -gt 0 ] || die 1 "touchstone list names no tests: $("$touchstone" list 2>&1 | head -n 1)"

# ---- the main job ---------------------------------------------------------------------------------------------------

test_cpu_is_conformant() {
    local ran
    expect 0 touchstone run -b cpu --tier full -o "$work/cpu.run"
    [ ! -s err ] || fail "something on standard error, in a pipe: $(head -n 1 err)"
    holds out '^planned [0-9]+, ran [0-9]+, passed [0-9]+, failed 0' '^conformant$' '^digest   [0-9a-f]{32}$'
    ran=$(sed -n 's/^planned [0-9]*, ran \([0-9]*\),.*/\1/p' out)
    [ "$ran" -ge 5000000 ] || fail "only $ran cases ran; at least 5000000 are expected"
    touchstone report "$work/cpu.run" --json cpu.json
    touchstone lua "$check" cpu.json 'r.outcome == "conformant"' 'r.total.planned == r.total.ran' '#r.findings == 0' \
        'r.total.verdicts.pass + r.total.verdicts.ambiguous == r.total.ran'
}

test_the_same_run_twice_has_the_same_digest() {
    expect 0 touchstone run -b cpu --tier full -o again.run
    touchstone report again.run --json again.json
    touchstone report "$work/cpu.run" --json first.json
    grep '^"digest":' first.json >a
    grep '^"digest":' again.json >b
    holds a '[0-9a-f]{32}'
    cmp a b
    [ "$(sed -n 's/^digest   //p' out)" = "$(grep -o '[0-9a-f]\{32\}' b)" ] || fail "run prints another digest"
}

# Without --tier a run is of tier quick, and what is listed is what runs. A test that is named runs whole.
test_tiers() {
    local quick full
    expect 0 touchstone run -b cpu -o default.run
    holds out '^conformant in tier quick$'
    expect 0 touchstone run -b cpu --tier quick -o quick.run
    expect 0 touchstone diff default.run quick.run
    holds out '^no case changed$'
    touchstone report default.run --json default.json
    touchstone lua "$check" default.json 'r.run.tier == "quick"' 'r.headline:find("in tier quick", 1, true)' \
        'r.total.planned < 100000'
    quick=$(touchstone lua "$check" default.json 'print(r.total.planned) or true')
    [ "$(touchstone list --count | awk '/in all/ { print $1 }')" -ge "$quick" ] || fail "list has fewer than $quick cases"
    expect 0 touchstone list
    holds out 'in all, in tier quick; --tier full and exhaustive have more$'
    full=$(touchstone list dml.slice1:pairwise --tier full --count | awk '/in all/ { print $1 }')
    expect 0 touchstone run -b cpu dml.slice1:pairwise -o named.run
    holds out "^planned $full, ran $full,"
    touchstone list dml.slice1:boundary --tier full | sed -n '5p' >id
    expect 0 touchstone run -b cpu "$(cat id)" -o one.run
    holds out '^planned 1, ran 1,'
    expect 0 touchstone run -b cpu 'dml.slice1:*' -o quick-slice.run
    holds out '^conformant in what was run: dml.slice1:\*$'
    [ "$(sed -n 's/^planned \([0-9]*\),.*/\1/p' out)" -lt "$quick" ] || fail "tests that a * selects run whole"
}

test_part_of_a_run_has_a_digest_of_its_own() {
    touchstone run -b cpu dml.slice1:examples -o a.run >a
    touchstone run -b cpu dml.gather:examples -o b.run >b
    ! diff <(grep ^digest a) <(grep ^digest b) >/dev/null || fail "two different runs have one digest"
    diff <(grep ^suite a) <(grep ^suite b) || fail "one suite has two digests"
}

test_numpy_profile() {
    expect 0 touchstone run -b cpu --profile numpy 'openvino.strided_slice:exhaustive' -o numpy.run
    holds out '^conformant in what was run: '
}

test_older_feature_levels() {
    local level before=0 now
    for level in 2_1 3_0 4_1 6_4; do
        expect 0 touchstone run -b cpu --feature-level $level 'dml.element_wise_identity:layout' \
            'dml.element_wise_identity:special' -o $level.run
        now=$(sed -n 's/^planned [0-9]*, ran \([0-9]*\),.*/\1/p' out)
        [ "$now" -gt "$before" ] || [ "$level" = 6_4 ] || fail "level $level runs $now cases, the one below $before"
        before=$now
    done
    expect 0 touchstone run -b cpu --feature-level 2_1 --tier full -o old.run 'dml.slice1:*' 'dml.gather:examples'
}

# ---- the saboteur ---------------------------------------------------------------------------------------------------

operator_of() {
    case $1 in
    random) echo dml.random_generator ;;
    identity) echo dml.element_wise_identity ;;
    strided_slice) echo openvino.strided_slice ;;
    *) echo "dml.$1" ;;
    esac
}

# Faults that need cases which break exactly one clause; the suite has few of them yet. One that is found after all
# has to go from this list.
unseen=(
)
# What no clause forbids is told as an observation.
observed=gap-write
# What only the memory of a worker shows, and that only in the end.
leak='process-leak'
# Their kind is that one case alone does not show them: a history does.
history='^(sometimes|every-other|stale-state|cached-.*|flaky-.*|order-.*|process-order)$'

# FAULT OPERATOR: exit status 1 from one of the operator's tests, the quick ones first.
find_fault() {
    local fault=$1 operator=$2 stage name part queries status stages parts level
    stages=(examples pairwise 'special layout' boundary exhaustive '*')
    case $fault in
    accept-*) stages=(examples 'invalid*' beyond) ;; # the others hold legal cases only
    *put-offset-* | *put-bytes-*) stages=(sparse) ;; # offsets beyond 32 bits are there alone
    cached-*) stages=('after_*') ;;
    process-*) stages=(pairwise) ;; # a hundredth of it takes its time
    esac
    for stage in "${stages[@]}"; do
        queries=()
        read -ra parts <<<"$stage"
        for name in "${tests[@]}"; do
            case "$stage:$name" in
            *":$operator:"*)
                for part in "${parts[@]}"; do
                    # shellcheck disable=SC2254
                    case ${name##*:} in $part) queries+=("$name") ;; esac
                done
                ;;
            esac
        done
        [ "${#queries[@]}" -gt 0 ] || continue
        rm -f faulty.run
        status=0
        level=()
        [ "$stage" != beyond ] || level=(--feature-level 1_0) # nothing is beyond the highest
        case $fault in
        process-memory) level+=(--memory-limit 256M) ;;
        process-*) level+=(--time-limit 100ms) ;;
        esac
        timeout -k 5 300 touchstone run -b faulty --backend-opt "fault=$fault" --max-findings 20 "${queries[@]}" \
            "${level[@]}" -o faulty.run >out 2>err </dev/null || status=$?
        case $status in
        1) return 0 ;;
        0) ;;
        2) grep -q 'nothing to run' err || fail "it did not run all that it planned: $(cat out)" ;;
        *) fail "status $status of touchstone run -b faulty --backend-opt fault=$fault ${queries[*]}: $(cat err)" ;;
        esac
    done
    return 1
}

test_fault() {
    local fault=$1 operator found=0 command first
    shift
    for operator in "$@"; do
        operator=$(operator_of "$operator")
        if [[ " ${unseen[*]} " = *" $fault/$operator "* ]]; then
            ! find_fault "$fault" "$operator" || fail "$fault is found in $operator: take it from the list \`unseen\`"
            continue
        fi
        find_fault "$fault" "$operator" || fail "$fault is not found in $operator"
        found=$((found + 1))
        holds out '^not conformant$' "-b faulty --backend-opt fault=$fault"
        touchstone report faulty.run --json faulty.json
        touchstone lua "$check" faulty.json 'r.outcome == "failures"' '#r.findings > 0' \
            'for _, f in ipairs(r.findings) do local p = finding_problem(f) if p then error(f.case .. ": " .. p, 0) end end
             return true'
        if ! [[ $fault =~ $history ]]; then # the reproducer, as it stands
            touchstone lua "$check" faulty.json 'print(r.findings[1].reproducer) or true' >reproducer
            first=$(touchstone lua "$check" faulty.json 'print(r.findings[1].verdict) or true')
            command=$(cat reproducer)
            rm -f ./*.run
            expect 1 bash -c "$command"
            holds out "^  $first +1\$"
        fi
        [ -n "$all" ] || break
    done
    [ "$found" -gt 0 ] || skip "no case yet that breaks just the clause which this fault overlooks"
}

test_fault_none() {
    expect 0 touchstone run -b faulty --backend-opt fault=none '*:examples' '*:special' -o none.run
    holds out '^conformant in what was run: '
}

test_observation() {
    expect 0 touchstone run -b faulty --backend-opt "fault=$observed" 'dml.slice1:layout' -o gap.run
    touchstone report gap.run --json gap.json
    touchstone lua "$check" gap.json '#r.observations > 0 and r.observations[1].kind == "gap-write"' \
        'r.observations[1].cases > 0 and r.observations[1].example:find("^dml.slice1:layout:")'
}

# What the text leaves open: nobody is judged, and every answer is told, by its name where it has one.
test_the_ledger_of_a_run() {
    expect 0 touchstone run -b cpu '*:examples' -o right.run
    holds out '^  E-GA-10: our decision \(clamped index\)  11$' '^conformant in what was run: '
    expect 1 touchstone run -b faulty --backend-opt fault=last-unwritten 'dml.gather:examples' -o other.run
    holds out '^  E-GA-10: other than our decision \(not written\)  11$'
    touchstone report other.run --json other.json --html other.html
    touchstone lua "$check" other.json '#r.ledger == 12' 'r.ledger[10].id == "E-GA-10"' \
        'r.ledger[10].state == "unlike" and r.ledger[10].answers[1].cases == 11' 'r.ledger[6].state == "not-asked"'
    holds other.html 'id="ledger-E-GA-10" data-state="other"'
    touchstone report right.run --json right.json
    touchstone lua "$check" right.json '#r.ledger >= 60' \
        '(function() for _, e in ipairs(r.ledger) do if e.state == "unlike" then return false end end return true end)()'
}

# ---- ids and queries ------------------------------------------------------------------------------------------------

# TEST: a few of its ids, from all over it.
sample() {
    touchstone list "$1" >ids
    awk -v n="$(wc -l <ids)" -v parts=2 \
        'BEGIN { step = int(n / parts) + 1 } NR == 1 || NR == n || NR % step == 0' ids
}

test_ids_show_and_run() {
    local name id chosen wanted number=0 every=8
    [ -z "$all" ] || every=3
    for name in "${tests[@]}"; do
        number=$((number + 1)) # of the many small tests of illegal cases, some; with --all, more
        case $name in *:invalid-*) [ $((number % every)) = 0 ] || continue ;; esac
        mapfile -t chosen < <(sample "$name")
        [ "${#chosen[@]}" -gt 0 ] || fail "$name has no ids"
        expect 0 touchstone list "${chosen[@]}"
        printf '%s\n' "${chosen[@]}" | cmp - out || fail "list prints other ids than those of $name that it was given"
        rm -f some.run
        if [ "${name##*:}" = beyond ]; then
            refuses 2 'nothing|no case' -- touchstone run "${chosen[@]}" -b cpu -o some.run # no level is beyond cpu's
        else
            expect 0 touchstone run "${chosen[@]}" -b cpu -o some.run
            holds out "^planned ${#chosen[@]}, ran ${#chosen[@]}, "
        fi
        for id in "${chosen[@]}"; do
            expect 0 touchstone show "$id"
            [ "$(head -n 1 out)" = "$id" ] || fail "show $id shows $(head -n 1 out)"
        done
        wanted=0 # the last one, as a record
        ! grep -q '^  to be refused' out || wanted=1
        case $name in
        *:vast*) # elements by the billion, at one address
            touchstone show --json "$id" >record.json 2>err || holds err 'a record holds at most'
            continue
            ;;
        esac
        expect 0 touchstone show --json "$id"
        mv out record.json
        case $name in *:sparse) continue ;; esac # of a record, all bytes take memory
        expect $wanted touchstone eval record.json
    done
}

test_lists_count_right() {
    local listed
    expect 0 touchstone list --count 'dml.slice1:special'
    listed=$(touchstone list 'dml.slice1:special' | wc -l)
    holds out "(^| )$listed( |\$)"
    [ "$(touchstone list 'dml.slice1:special' | sort | uniq -d | wc -l)" = 0 ] || fail "an id is there twice"
}

test_queries() {
    expect 0 touchstone list "dml.slice1:special where dtype in {u8, i8} and stride < 0"
    holds out '^dml.slice1:special:.*dtype=u8' '^dml.slice1:special:.*dtype=i8'
    ! grep -v 'stride=-' out || fail "an id with a stride that is not negative"
    ! grep -v 'dtype=[ui]8' out || fail "an id with another data type"
    expect 0 touchstone list 'dml.slice1:special:dtype=f16,*'
    ! grep -v 'dtype=f16' out || fail "an id with another data type"
    expect 0 touchstone list --count '*:examples'
    holds out 'dml.slice1:examples' 'dml.gather:examples' ' in all$'
    expect 0 touchstone list --tier full --count 'dml.*:sp*'
    holds out 'dml.slice1:special' 'dml.gather:special'
    ! grep -q boundary out || fail "a test that the query does not name"
    expect 0 touchstone run -b cpu 'dml.slice1:special where dtype == f16' 'dml.gather:examples' -o q.run
    touchstone report q.run --json q.json
    touchstone lua "$check" q.json '#r.tests == 2'
}

test_plan() {
    expect 0 touchstone plan 'dml.slice1:examples' 'dml.slice1:special' -b cpu
    holds out 'dml.slice1:examples +(quick|full) +[0-9]+' 'tier full +[0-9]+ cases'
}

test_list_into_a_closed_pipe() {
    local statuses
    set +e
    touchstone list 'dml.slice1:exhaustive' 2>err | head -n 1 >out
    statuses=("${PIPESTATUS[@]}")
    set -e
    holds out '^dml.slice1:exhaustive:'
    case ${statuses[0]} in 0 | 3 | 141) ;; *) fail "list ended with ${statuses[0]}" ;; esac
    [ "$(wc -l <err)" -le 1 ] || fail "it complains: $(cat err)"
}

test_output_that_cannot_be_written() {
    [ -w /dev/full ] || skip "no /dev/full here"
    local verb status
    for verb in 'list dml.slice1:special' 'show dml.slice1:examples:example=1' 'backends -v' '--help' '--version'; do
        status=0
        # shellcheck disable=SC2086
        touchstone $verb >/dev/full 2>err || status=$?
        [ "$status" != 0 ] || fail "touchstone $verb > /dev/full: status 0"
    done
}

# ---- help and usage -------------------------------------------------------------------------------------------------

test_help() {
    local verb
    expect 0 touchstone --help
    cp out help
    expect 0 touchstone --version
    holds out '^touchstone [0-9]+\.[0-9]+\.[0-9]+$'
    while read -r verb; do
        expect 0 touchstone "$verb" --help
        holds out "^Usage: touchstone $verb" 'Exit status: '
        [ ! -s err ] || fail "$verb --help writes to standard error"
        refuses 64 "^touchstone $verb: " -- touchstone "$verb" --no-such-option
    done < <(sed -n 's/^  \([a-z]*\) .*/\1/p' help)
    for verb in run list plan show eval report diff compare waive status history backends lua; do
        holds help "^  $verb "
    done
    expect 64 touchstone
    holds err '^Usage: '
}

test_audit() {
    local id
    touchstone audit --list >mutants 2>err || { # built without clang
        holds err 'install clang'
        skip "$(tail -n 1 err)"
    }
    id=$(grep -m 1 '^dml/random_generator.c:.*:logic:' mutants) || fail "there is no mutant of RANDOM_GENERATOR"
    expect 0 touchstone audit dml.random_generator --mutant "$id" -j 2
    holds out "^$id\$" '^dml\.random_generator:[^ ]+: [a-z-]+; its smallest case$' "-b mutants --backend-opt mutant=$id"
    # The case that is named tells the mutant from the reference; the reference itself passes it.
    local case
    case=$(sed -n "s/^  touchstone run '\([^']*\)'.*/\1/p" out | head -n 1)
    expect 1 touchstone run "$case" -b mutants --backend-opt "mutant=$id" -o killed.run
    expect 0 touchstone run "$case" -b mutants --backend-opt mutant=none -o whole.run
    refuses 64 "no mutant 'dml.c:1'" 'audit --list' -- touchstone audit --mutant dml.c:1
    refuses 64 "no operator 'dml.slice9'" -- touchstone audit dml.slice9
    refuses 64 "'often'" 'whole number' -- touchstone audit -j often
    refuses 64 'value' -- touchstone audit --hold-out
    refuses 64 'all operators' -- touchstone audit dml.slice1 --choose quick.txt
    refuses 64 'mutant=ID' -- touchstone run "$case" -b mutants --backend-opt mutant=x -o x.run
}

test_wrong_usage() {
    refuses 64 "no verb 'wander'" -- touchstone wander
    refuses 64 'no backend' -- touchstone run
    refuses 64 'option' -- touchstone run -b cpu --tier
    refuses 64 "'slow'" 'quick, full or exhaustive' -- touchstone run -b cpu --tier slow
    refuses 64 "'7_7'" '6_4' -- touchstone run -b cpu --feature-level 7_7
    refuses 64 "'torch'" 'openvino or numpy' -- touchstone run -b cpu --profile torch
    refuses 64 "'many'" 'whole number' -- touchstone run -b cpu --max-findings many
    refuses 64 "'fault'" 'key=value' -- touchstone run -b faulty --backend-opt fault
    refuses 64 'no-such-fault' -- touchstone run -b faulty --backend-opt fault=no-such-fault -o x.run
    refuses 64 'faulty' 'fault' -- touchstone run -b faulty -o x.run
    refuses 64 'one case' -- touchstone show
    refuses 64 'no (such|single) case' -- touchstone show 'dml.slice1:special'
    refuses 64 'no such run|which run|run file' -- touchstone report
    refuses 64 'script' -- touchstone lua
    refuses 64 'absent.lua' -- touchstone lua absent.lua
    refuses 64 'absent.json' -- touchstone eval absent.json
}

test_wrong_queries() {
    refuses 64 "no operator 'dml.slice2'" 'dml.slice1' -- touchstone run -b cpu dml.slice2 -o x.run
    refuses 64 "no test 'pairs'" 'pairwise' -- touchstone run -b cpu dml.slice1:pairs -o x.run
    refuses 64 'colour' -- touchstone run -b cpu 'dml.slice1:special where colour == 1' -o x.run
    refuses 64 'f8' 'f16' -- touchstone run -b cpu 'dml.slice1:special where dtype == f8' -o x.run
    refuses 64 'stride' -- touchstone run -b cpu 'dml.slice1:special where stride <' -o x.run
    refuses 64 '\)' -- touchstone run -b cpu 'dml.slice1:special where (stride < 1' -o x.run
    refuses 64 'colour' -- touchstone show 'dml.slice1:special:colour=1'
    refuses 64 'f8' -- touchstone show 'dml.slice1:special:dtype=f8'
    refuses 64 '1000' -- touchstone show 'dml.slice1:special:fill=special,size=1000.1.1.1'
    refuses 64 "no operator ''|empty|query" -- touchstone list ''
    refuses 64 'query|test' -- touchstone list ':::'
}

test_a_query_that_selects_nothing() {
    refuses 2 'nothing|no case' -- touchstone run -b cpu 'dml.slice1:special where stride == 1000' -o x.run
    refuses 2 'nothing|no case' -- touchstone list 'dml.slice1:special where stride == 1000'
    refuses 2 'nothing|no case' -- touchstone plan 'dml.slice1:special where stride == 1000'
    refuses 2 'nothing|no case' -- touchstone run -b cpu --feature-level 1_0 'dml.slice1:special where dtype == f64' -o x.run
}

# ---- backends -------------------------------------------------------------------------------------------------------

test_backends() {
    expect 0 touchstone backends
    holds out '^cpu ' '^faulty '
    expect 0 touchstone backends -v
    [ "$(grep -c '^    fault=' out)" -ge 20 ] || fail "fewer than 20 faults"
    expect 0 touchstone run -b "$(touchstone backends | sed -n 's/^    \(.*cpu\.so\)$/\1/p')" dml.slice1:examples -o p.run
}

test_directml_says_what_is_missing() {
    refuses 3 'setup-directml.sh' 'touchstone-wine' -- touchstone run -b directml -o x.run
    refuses 64 'debug=2: expected 0 or 1' -- touchstone run -b directml --backend-opt debug=2 -o x.run
    refuses 64 "unknown option 'adaptor'" 'adapter' -- touchstone run -b directml --backend-opt adaptor=0 -o x.run
    expect 0 touchstone backends -v
    holds out '^directml .*setup-directml\.sh' '^    adapter='
}

test_backends_that_are_none() {
    refuses 64 "no backend 'wind'" 'touchstone backends' -- touchstone run -b wind -o x.run
    refuses 64 './wind.so' -- touchstone run -b ./wind.so -o x.run
    echo 'not a library' >text.so
    refuses 64 './text.so' 'loaded' -- touchstone run -b ./text.so -o x.run
    mkdir folder.so
    refuses 64 './folder.so' -- touchstone run -b ./folder.so -o x.run
    : >empty.so
    refuses 64 './empty.so' -- touchstone run -b ./empty.so -o x.run
    mkdir none
    TOUCHSTONE_BACKENDS=$PWD/none refuses 64 "no backend 'cpu'" 'none' -- touchstone run -b cpu -o x.run
    TOUCHSTONE_BACKENDS=$PWD/none refuses 3 'none found' -- touchstone backends
}

test_plugins_of_another_making() {
    command -v cc >/dev/null || skip "no compiler here"
    echo 'int something(void) { return 1; }' >other.c
    cc -shared -fPIC -o other.so other.c
    refuses 64 './other.so' 'touchstone_backend' -- touchstone run -b ./other.so -o x.run
    cat >abi.c <<'C'
#include <backends/backend.h>
static const ts_backend future = { .struct_size = sizeof(ts_backend), .abi = 999 };
TS_BACKEND_EXPORT const ts_backend *touchstone_backend(uint32_t abi) { (void)abi; return &future; }
C
    cc -std=c11 -shared -fPIC -I "$prefix/include/touchstone" -o abi.so abi.c
    refuses 64 './abi.so' '999' 'version 1' -- touchstone run -b ./abi.so -o x.run
    cat >never.c <<'C'
#include <backends/backend.h>
TS_BACKEND_EXPORT const ts_backend *touchstone_backend(uint32_t abi) { (void)abi; return 0; }
C
    cc -std=c11 -shared -fPIC -I "$prefix/include/touchstone" -o never.so never.c
    refuses 64 './never.so' 'version' -- touchstone run -b ./never.so -o x.run
}

test_the_example_backend_builds_outside_the_tree() {
    command -v cc >/dev/null || skip "no compiler here"
    cc -std=c11 -Wall -Wextra -shared -fPIC -fvisibility=hidden -I "$prefix/include/touchstone" \
        -I "$TOUCHSTONE_ROOT" -o example.so "$TOUCHSTONE_ROOT/backends/example/example.c"
    expect 2 touchstone run -b ./example.so 'dml.element_wise_identity:special' -o e.run
    holds out 'failed 0, unsupported [0-9]+' '^incomplete'
    expect 0 touchstone run -b ./example.so \
        'dml.element_wise_identity:special where in_layout == packed and out_layout == packed' -o f.run
    touchstone report e.run --json e.json
    touchstone lua "$check" e.json 'r.outcome == "conformant-in-part"' 'r.total.verdicts.unsupported > 0'
}

# ---- case files -----------------------------------------------------------------------------------------------------

# FILE-CONTENT PATTERN...: what touchstone says of a suite with this SLICE1.
broken_case() {
    local content=$1
    shift
    rm -rf suite
    cp -r "$cases" suite
    printf '%s\n' "$content" >suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite refuses 64 'slice1.lua' "$@" -- timeout 60 touchstone run -b cpu dml.slice1 -o x.run
}

test_broken_case_files() {
    local head='local op = operator "dml.slice1"'
    broken_case "$head op:axis(" ':[0-9]+:'
    broken_case 'while true do end' 'steps|endless|instructions'
    broken_case "$head while true do pcall(function() while true do end end) end" 'steps|endless|instructions'
    broken_case 'local s = "x" while true do s = s .. s end' 'memory|MiB'
    broken_case 'local t = {} while true do t[#t + 1] = {} end' 'memory|MiB|steps'
    broken_case 'os.execute("touch broken-out")' "'os'|:1:"
    broken_case 'io.open("/etc/passwd")' "'io'|:1:"
    broken_case 'error("my own words")' 'my own words'
    broken_case '' 'operator'
    broken_case "$head" 'no tests'
    broken_case 'local op = operator "dml.slice9"' "dml.slice9"
    broken_case 'local op = operator "dml.gather"' 'dml.gather|no tests'
    broken_case "$head
op:axis \"rank\" { 1, 2 }
op:test \"t\" { \"title\", colour = 3 }" ':[0-9]+:' 'colour'
    broken_case "$(sed 's/"eq(size, 3) == eq(at, long)"/"eq(size, 3) == eq(at, lang)"/' "$cases/dml/slice1.lua")" 'lang'
    broken_case "$(sed 's/\[1\] = 1/x/; s/InputWindowOffsets = "offset"/InputWindowOffset = "offset"/' \
        "$cases/dml/slice1.lua")" ':[0-9]+:' 'InputWindowOffset'
    broken_case "$(sed '0,/data = { 2, 4, 10, 12 }/s//data = { 2, 4, 10 }/' "$cases/dml/slice1.lua")" 'example'
    [ ! -e broken-out ] || fail "a case file has run a command"
    printf '\033LuaS bytecode' >suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite refuses 64 'slice1.lua' -- touchstone list dml.slice1:examples
    TOUCHSTONE_CASES=$PWD/absent refuses 64 'absent' 'TOUCHSTONE_CASES' -- touchstone list dml.slice1:examples
}

test_an_example_with_a_wrong_expectation() {
    cp -r "$cases" suite
    sed '0,/data = { 2, 4, 10, 12 }/s//data = { 2, 4, 10, 13 }/' "$cases/dml/slice1.lua" >suite/dml/slice1.lua
    ! cmp -s "$cases/dml/slice1.lua" suite/dml/slice1.lua || fail "the example is not there any more"
    local status=0
    TOUCHSTONE_CASES=$PWD/suite timeout 60 touchstone run -b cpu dml.slice1:examples -o x.run >out 2>err || status=$?
    [ "$status" != 0 ] || fail "an example that contradicts the reference passes"
    cat out err >both
    holds both 'example'
}

# ---- run files ------------------------------------------------------------------------------------------------------

test_files_that_are_no_run() {
    refuses 64 'absent.run' -- touchstone report absent.run
    echo 'hello' >text.run
    refuses 64 'text.run' -- touchstone report text.run
    : >empty.run
    refuses 64 'empty.run' -- touchstone report empty.run
    mkdir folder.run
    refuses 64 'folder.run' -- touchstone report folder.run
    touchstone run -b cpu dml.slice1:special -o whole.run >/dev/null
    head -c 6000 whole.run >cut.run
    refuses 64 'cut.run' -- touchstone report cut.run --json -
    sed 's/SQLite format 3/SQLite format 9/' whole.run >foreign.run
    refuses 64 'foreign.run' -- touchstone report foreign.run
    if [ "$(id -u)" != 0 ]; then
        chmod 0 text.run
        refuses 64 'text.run' 'ermission' -- touchstone report text.run
    fi
}

test_outputs_that_cannot_be() {
    echo precious >there.run
    refuses 64 'there.run' 'exist' -- touchstone run -b cpu dml.slice1:examples -o there.run
    [ "$(cat there.run)" = precious ] || fail "the file that was there has gone"
    refuses 64 'nowhere/x.run' -- touchstone run -b cpu dml.slice1:examples -o nowhere/x.run
    mkdir folder
    refuses 64 'folder' -- touchstone run -b cpu dml.slice1:examples -o folder
    touchstone run -b cpu dml.slice1:examples -o good.run >/dev/null
    refuses 64 'nowhere' -- touchstone report good.run --html nowhere/x.html
    refuses 64 'folder' -- touchstone report good.run --csv folder
}

# COMMAND...: run it where the disk is full after 64 KiB.
on_a_small_disk() {
    if [ "$(id -u)" = 0 ] && mkdir -p disk && mount -t tmpfs -o size=64k,mode=777 touchstone-test disk 2>/dev/null; then
        trap 'umount "$work"/*/disk 2>/dev/null || true' EXIT
        "$@"
    else
        mkdir -p disk
        (
            ulimit -f 64
            trap '' XFSZ
            "$@"
        )
    fi
}

full_disk() {
    local status=0
    # Many findings of a failing backend: more than a small disk holds.
    timeout -k 5 300 touchstone run -b faulty --backend-opt fault=first-element dml.slice1:special -o disk/full.run \
        >out 2>err </dev/null || status=$?
    [ "$status" = 3 ] || fail "status $status instead of 3: $(cat out err)"
    holds err 'disk/full.run' 'full|space|too large|I/O'
    [ ! -s out ] || fail "it printed a result: $(head -n 1 out)"
    if [ -e disk/full.run ]; then # what is there says that it is not all
        cp disk/full.run copy.run 2>/dev/null
        cp disk/full.run-* . 2>/dev/null || true
        status=0
        touchstone report disk/full.run --json full.json 2>err || status=$?
        if [ "$status" = 0 ]; then
            touchstone lua "$check" full.json 'r.outcome ~= "conformant" and r.outcome ~= "conformant-in-part"' \
                'r.run.state ~= "complete"' 'r.digest == null' || exit 1
        else
            holds err 'full.run'
            fail "the file is left unreadable: $(cat err)"
        fi
        rm -f full.run-*
    fi
}

test_full_disk_while_storing() {
    on_a_small_disk full_disk
}

full_disk_report() {
    local status=0
    echo old >disk/report.html
    timeout -k 5 300 touchstone report "$PWD/big.run" --html disk/report.html >out 2>err </dev/null || status=$?
    [ "$status" = 3 ] || fail "status $status instead of 3: $(cat out err)"
    holds err 'disk/report.html'
    [ "$(cat disk/report.html)" = old ] || fail "the old report is damaged"
    [ "$(ls -A disk)" = report.html ] || fail "something half-written is left: $(ls -A disk)"
}

test_full_disk_while_reporting() {
    touchstone run -b faulty --backend-opt fault=first-element dml.slice1:special -o big.run >/dev/null || true
    on_a_small_disk full_disk_report
}

test_interrupted_runs() {
    local signal wanted child status
    for signal in INT TERM KILL; do
        touchstone run -b faulty --backend-opt fault=none --tier full 'dml.slice1:*' openvino.strided_slice:exhaustive \
            -o $signal.run >out 2>err &
        child=$!
        for _ in $(seq 1200); do # a run may be read while it goes on
            sleep 0.1
            touchstone report $signal.run --json now.json 2>/dev/null &&
                touchstone lua "$check" now.json 'r.total.ran > 0' 2>/dev/null && break
        done
        kill -$signal $child
        wanted=2
        [ $signal != KILL ] || wanted=137
        status=0
        wait $child || status=$?
        [ $status = $wanted ] || fail "after SIG$signal: status $status instead of $wanted: $(cat out err)"
        [ $signal = KILL ] || holds out '^interrupted'
        expect 0 touchstone report $signal.run --json $signal.json --html $signal.html --csv $signal.csv \
            --junit $signal.xml
        touchstone lua "$check" $signal.json 'r.outcome == "incomplete"' 'r.total.ran < r.total.planned' 'r.total.ran > 0'
        holds $signal.html '[Ii]ncomplete|[Ii]nterrupted|[Rr]unning'
        holds $signal.csv ',not-run,'
        holds $signal.xml '<error'
    done
}

kill_workers_of() { # PROCESS
    local process
    for process in /proc/[0-9]*; do
        [ "$(cut -d ' ' -f 4 "$process/stat" 2>/dev/null)" != "$1" ] || kill -KILL "${process#/proc/}" 2>/dev/null || true
    done
}

# Killed at random moments, the whole run, its workers or both, it ends as if it had not been.
# RUN: the power fails as well. Of SQLite's log, what was not forced to the disk is gone, from any byte on; what was
# copied to the run file had been.
lose_power() {
    local run=$1 page copied size
    [ -s "$run-wal" ] && [ -s "$run-shm" ] || return 0
    page=$(od -An -tu1 -j16 -N2 "$run" | awk '{ print $1 == 0 && $2 == 1 ? 65536 : $1 * 256 + $2 }')
    copied=$((32 + $(od -An -tu4 -j96 -N4 "$run-shm") * (page + 24)))
    size=$(stat -c %s "$run-wal")
    [ "$copied" -lt "$size" ] || return 0
    truncate -s $((copied + (RANDOM * 32768 + RANDOM) % (size - copied))) "$run-wal"
    rm "$run-shm"
}

test_killed_runs_go_on() {
    local rounds=4 round kills child wanted what=(-b faulty --backend-opt fault=process-crash 'dml.slice1:pairwise'
        'dml.gather:pairwise' -q)
    [ -z "$all" ] || rounds=50
    RANDOM=20260
    touchstone run "${what[@]}" -o whole.run >whole || true
    wanted=$(grep -E '^(planned|digest)' whole | sed 's/  (.*//')
    touchstone report whole.run --json whole.json
    for round in $(seq $rounds); do
        rm -f killed.run*
        touchstone run "${what[@]}" -o killed.run >out 2>err &
        child=$!
        kills=0
        while sleep "$((RANDOM % 2)).$(printf %03d $((RANDOM % 1000)))" && [ $((kills += 1)) -le 3 ] &&
            kill -0 $child 2>/dev/null; do
            case $((RANDOM % 3)) in
            0) kill -KILL $child 2>/dev/null || true ;;
            1)
                kill_workers_of $child # it goes on with others
                continue
                ;;
            2)
                kill_workers_of $child
                kill -KILL $child 2>/dev/null || true
                ;;
            esac
            wait $child || true
            [ $((RANDOM % 2)) = 0 ] || lose_power killed.run
            touchstone status killed.run --json >now.json 2>/dev/null || true
            if ! touchstone lua "$check" now.json 'r.planned > 0' >/dev/null 2>&1; then # it had not begun
                rm -f killed.run*
                touchstone run "${what[@]}" -o killed.run >out 2>err &
            else
                touchstone resume killed.run -q >out 2>err &
            fi
            child=$!
        done
        wait $child || true
        expect 1 touchstone resume killed.run -q
        [ "$(grep -E '^(planned|digest)' out | sed 's/  (.*//')" = "$wanted" ] ||
            fail "round $round: $(cat out err) instead of $wanted"
        touchstone report killed.run --json killed.json
        same_findings whole.json killed.json
    done
}

# The ids of all findings are the same.
same_findings() {
    local file
    for file in "$@"; do
        touchstone lua "$check" "$file" 'for _, f in ipairs(r.findings) do print(f.case) end return true' | sort >"$file.ids"
    done
    cmp "$1.ids" "$2.ids" || fail "$1 and $2 have other findings"
    [ -s "$1.ids" ] || fail "there are no findings"
}

# What crashes, hangs, leaks and scribbles is told from what does not, case by case.
test_storm_has_the_planted_findings() {
    local queries=(dml.element_wise_identity:pairwise dml.slice1:pairwise) f
    [ -z "$all" ] || queries+=(dml.gather:pairwise openvino.strided_slice:pairwise)
    for f in storm storm-marked; do
        expect 1 touchstone run -b faulty --backend-opt fault=process-$f --max-findings 100000 --time-limit 100ms \
            "${queries[@]}" -o $f.run
        touchstone report $f.run --json $f.json
    done
    touchstone lua "$check" storm.json 'r.total.planned == r.total.ran' 'r.total.failed == #r.findings'
    same_findings storm.json storm-marked.json
}

test_workers_are_bounded() {
    expect 1 touchstone run -b faulty --backend-opt fault=process-always --max-losses 10 dml.slice1:pairwise -o a.run
    holds err 'given up: 10 cases in a row ended the backend'
    holds out 'tests were given up'
    # 64 KiB are kept by each call, and all cases pass.
    expect 0 touchstone run -b faulty --backend-opt fault=process-leak --memory-limit 96M -j 1 dml.slice1:pairwise \
        dml.gather:pairwise -o b.run
    holds err 'once, and not when repeated alone, the backend took more than 96 MiB of memory'
    refuses 64 '--time-limit' -- touchstone run -b cpu --time-limit soon -o x.run
    refuses 64 '--memory-limit' -- touchstone run -b cpu --memory-limit 4GB -o x.run
    refuses 64 '--jobs' -- touchstone run -b cpu -j -1 -o x.run
    refuses 64 '--max-losses' -- touchstone run -b cpu --max-losses few -o x.run
}

# What does not come out the same each time: how often, as the reports tell it, and to be seen again.
test_rates_of_failure() {
    local flaky=(-b faulty --backend-opt fault=flaky-quarter --backend-opt batch=1)
    expect 1 touchstone run "${flaky[@]}" --repeat 8 dml.slice1:examples -o rate.run
    holds out 'nondeterministic' 'It failed in 2 of 8 executions of the same call: pass 6 times, '
    touchstone report rate.run --json rate.json --csv rate.csv --junit rate.xml --html rate.html
    touchstone lua "$check" rate.json 'r.findings[1].rate == "2 of 8"' \
        'print(r.findings[1].reproducer) or true' >reproducer
    holds rate.csv ',2 of 8,'
    holds rate.xml 'failed in: 2 of 8'
    holds rate.html '2 of 8'
    sed -i '$!d; s/$/ -o again.run/' reproducer
    expect 1 bash reproducer
    expect 1 touchstone run "${flaky[@]}" dml.slice1:examples -j 0 -o once.run # and without being asked for it
    holds out 'It failed in 4 of 16 executions'
    for repeat in 0 x -1 1.5 ''; do
        refuses 64 "--repeat '$repeat'" 'whole number' -- touchstone run -b cpu --repeat "$repeat" -o x.run
    done
}

# A failure that depends on the cases before it names them, and its reproducer shows it.
test_failures_that_depend_on_others() {
    local id
    expect 1 touchstone run -b faulty --backend-opt fault=order-after-large dml.gather:examples -o order.run
    holds out 'It depends on the cases before it: it fails only after dml.gather:examples:'
    touchstone report order.run --json order.json --csv order.csv --junit order.xml --html order.html
    touchstone lua "$check" order.json 'for _, f in ipairs(r.findings) do if f.depends then print(f.reproducer) break end
        end return true' >reproducer
    touchstone lua "$check" order.json 'for _, f in ipairs(r.findings) do if f.depends then print(f.case) break end
        end return true' >id
    id=$(grep '^dml.gather:' id)
    holds order.xml 'only after: dml.gather:examples:'
    holds order.html 'only after'
    sed -i '/^touchstone run --in-order/!d; s/$/ -o again.run/' reproducer
    expect 1 bash reproducer
    holds out '^planned 2, ran 2, passed 1, failed 1'
    expect 0 touchstone run "$id" -b faulty --backend-opt fault=order-after-large -o alone.run
    refuses 64 'Name their ids' -- touchstone run -b cpu --in-order -o x.run
    refuses 64 'is no id of a case' -- touchstone run -b cpu --in-order dml.gather:examples -o x.run
    refuses 64 'named twice' -- touchstone run -b cpu --in-order "$id" "$id" -o x.run
    refuses 64 'neither --shuffle nor --shard' -- touchstone run -b cpu --in-order --shuffle "$id" -o x.run
    refuses 64 'neither --shuffle nor --shard' -- touchstone run -b cpu --in-order --shard 1/2 "$id" -o x.run
    refuses 64 'with --in-order' -- touchstone resume again.run
}

test_a_second_pass() {
    local signal wanted child status digest what=(-b cpu 'dml.slice1:exhaustive where dtype in {u8,f32,i16,u16}')
    expect 0 touchstone run "${what[@]}" -o plain.run
    digest=$(grep '^digest' out)
    for seed in '' =7; do
        rm -f shuffled.run
        expect 0 touchstone run "${what[@]}" --shuffle$seed -o shuffled.run
        holds out "^second pass, shuffled with seed ${seed:1}" ', 0 came out otherwise$'
        [ "$(grep '^digest' out)" = "$digest" ] || fail "another digest: $(cat out) instead of $digest"
    done
    touchstone report shuffled.run --json shuffled.json --html shuffled.html
    holds shuffled.html 'Second pass, seed'
    for signal in INT KILL; do
        rm -f killed.run*
        touchstone run "${what[@]}" --shuffle -o killed.run >out 2>err &
        child=$!
        for _ in $(seq 600); do
            touchstone status killed.run --json >now.json 2>/dev/null &&
                touchstone lua "$check" now.json 'r.done == r.planned' >/dev/null 2>&1 && break
            sleep 0.05
        done
        kill -$signal $child
        status=0
        wait $child || status=$?
        wanted=2
        [ $signal != KILL ] || wanted=137
        [ $status = $wanted ] || fail "after SIG$signal: status $status instead of $wanted: $(cat out err)"
        expect 64 touchstone resume -j 0 killed.run
        holds err 'needs worker processes'
        expect 0 touchstone resume killed.run -q
        [ "$(grep '^digest' out)" = "$digest" ] || fail "another digest: $(cat out) instead of $digest"
    done
    expect 1 touchstone run -b faulty --backend-opt fault=stale-state dml.random_generator:examples --shuffle -o s.run
    holds out '^second pass, shuffled with seed 1: [0-9]+ of [0-9]+ cases'
    for seed in x -1 5000000000 1.5; do
        refuses 64 "--shuffle '$seed'" 'whole number' -- touchstone run -b cpu "--shuffle=$seed" -o x.run
    done
    refuses 64 '-j 1 or more' -- touchstone run -b cpu --shuffle -j 0 -o x.run
}

test_shards_make_one_run() {
    local i digest
    expect 0 touchstone run -b cpu --tier full 'dml.slice1:*' -o whole.run
    digest=$(grep '^digest' out)
    for i in 1 2 3 4; do
        expect 0 env SLURM_ARRAY_TASK_ID=$((i + 6)) SLURM_ARRAY_TASK_MIN=7 SLURM_ARRAY_TASK_MAX=10 \
            touchstone run -b cpu --tier full --shard auto 'dml.slice1:*' -o part$i.run
    done
    expect 0 touchstone merge all.run part3.run part1.run part4.run part2.run
    [ "$(grep '^digest' out)" = "$digest" ] || fail "the parts come to another digest"
    expect 0 touchstone report all.run --html all.html
    refuses 64 'shard 2 of 4 is missing' -- touchstone merge x.run part1.run part3.run part4.run
    refuses 64 'is no shard' -- touchstone merge x.run part1.run whole.run
    refuses 64 'exists already' -- touchstone merge all.run part1.run part2.run part3.run part4.run
    refuses 64 'its shards' -- touchstone merge x.run
    refuses 64 '--shard' -- touchstone run -b cpu --shard 5/4 -o x.run
    refuses 64 'TEST_TOTAL_SHARDS' -- env -u SLURM_ARRAY_TASK_ID touchstone run -b cpu --shard auto -o x.run
    refuses 64 'there is no such run' -- touchstone resume absent.run
    refuses 64 'which run' -- touchstone resume
    echo text >text.run
    refuses 64 'not a run' -- touchstone resume text.run
}

test_reports() {
    local planned
    touchstone run -b faulty --backend-opt fault=vector-tail dml.slice1:examples dml.gather:examples -o f.run >/dev/null &&
        fail "vector-tail is not found"
    expect 0 touchstone report f.run
    holds out '^backend ' '^digest '
    expect 0 touchstone report f.run --html f.html --csv f.csv --junit f.xml --json f.json
    [ ! -s out ] || fail "it writes to standard output: $(head -n 1 out)"
    touchstone lua "$check" f.json 'r.outcome == "failures"' '#r.findings == r.total.failed' '#r.clauses > 10' \
        'r.run.backend == "faulty"' 'r.run.backend_options == "fault=vector-tail"'
    holds f.html '^<!DOCTYPE html>' '</html>'
    ! grep -Eio '(src|href)="?(https?:)?//[^"> ]*' f.html | grep -iv '^href' || fail "the page loads something"
    holds f.xml '^<\?xml' '<testsuites' '<failure' '</testsuites>'
    planned=$(touchstone lua "$check" f.json 'print(r.total.planned) or true')
    [ "$(awk -F, '$1 == "cases" { sum += $7 } END { print sum }' f.csv)" = "$planned" ] ||
        fail "the CSV's cases do not add up to the $planned that were planned"
    touchstone report f.run --json - >piped.json
    cmp f.json piped.json
}

# ---- what is done with runs ------------------------------------------------------------------------------------------

# FAULT OUT QUERY...: a run of the saboteur.
sabotage() {
    local fault=$1 out=$2
    shift 2
    touchstone run -b faulty --backend-opt "fault=$fault" -o "$out" "$@" >/dev/null
}

test_diff() {
    sabotage none good.run 'dml.slice1:boundary' 'dml.slice1:special' || fail "the reference fails"
    ! sabotage only-i16-8d bad.run 'dml.slice1:boundary' 'dml.slice1:special' || fail "the fault is not found"
    local boundary
    boundary=$(touchstone list --count 'dml.slice1:boundary where rank == 8 and dtype == i16' | awk '/in all/ { print $1 }')
    [ "$boundary" -gt 1000 ] || fail "the region holds $boundary cases"
    expect 1 touchstone diff good.run bad.run
    holds out "^new failures: $((boundary + 4))\$" "^ *$boundary  pass -> mismatch" "'dml.slice1:boundary where rank == 8 and dtype == i16'" \
        "'dml.slice1:special where rank == 8 and dtype == i16'" 'such as dml.slice1:boundary:rank=8,dtype=i16' \
        '^something got worse$'
    expect 0 touchstone diff bad.run good.run
    holds out "^fixed: $((boundary + 4))\$" 'mismatch -> pass' '^nothing got worse$'
    expect 0 touchstone diff good.run good.run
    holds out '^no case changed$'
    expect 1 touchstone diff good.run bad.run --json
    touchstone lua "$check" out 'r.worse' 'r.by_case' '#r.changes == 2' 'r.changes[1].kind == "new-failure"' \
        'r.changes[1].exact' 'r.changes[1].regions[1].others == 0'
    # Another backend, and one that owes less.
    touchstone run -b cpu 'dml.slice1:special where dtype == i16' -o cpu.run >/dev/null
    expect 0 touchstone diff bad.run cpu.run
    holds out '^fixed: 4$' '^no longer planned: '
    # A suite of its own can only be counted.
    cp good.run other.run
    if command -v sqlite3 >/dev/null; then
        sqlite3 other.run "UPDATE meta SET value = 'another' WHERE key = 'suite_digest'"
        expect 1 touchstone diff other.run bad.run
        holds out 'different suites' '^rates that moved:$' 'mismatch +0/'
    fi
    refuses 64 'two run files' -- touchstone diff good.run
    refuses 64 'absent.run' -- touchstone diff good.run absent.run
    echo hello >text.run
    refuses 64 'text.run' 'not a run' -- touchstone diff text.run good.run
    head -c 6000 bad.run >cut.run
    refuses 64 'cut.run' -- touchstone diff good.run cut.run
}

test_compare() {
    local cases
    cases=$(touchstone list --count dml.slice1:pairwise | awk '/in all/ { print $1 }')
    # The same twice differs nowhere.
    expect 0 touchstone compare -b cpu -b cpu dml.slice1:pairwise
    holds out '^cpu: ' '^cpu \(2\): ' "^may be relied on everywhere: $cases\$" '^all agree with the reference in all cases$'
    ! grep -q 'where they part' out || fail "a backend parts from itself"
    # Faults are told apart, each by its region; what is not supported is no failure.
    expect 1 touchstone compare -b cpu -b faulty --backend-opt fault=reject-8-bit --as narrow \
        -b faulty --backend-opt fault=only-i16-8d dml.slice1:boundary -o runs --html page.html
    holds out '^may be relied on everywhere: ' '^where they part: ' "'dml.slice1:boundary where rank == 8 and dtype == i16'" \
        'cpu: pass; narrow: rejected-valid; faulty fault=only-i16-8d: pass' \
        'cpu: pass; narrow: pass; faulty fault=only-i16-8d: mismatch  SL-10' "'dml.slice1:boundary where dtype in \{u8, i8\}'" \
        '^dml.slice1 i16 .* fail' '^they part from the reference$'
    holds page.html '^<!DOCTYPE html>' 'rejected-valid' 'narrow' '</html>'
    ! grep -Eio '(src|href)="?(https?:)?//[^"> ]*' page.html || fail "the page loads something"
    # The same from the runs that it kept.
    [ "$(find runs -name '*.run' | wc -l)" = 3 ] || fail "it kept $(ls runs)"
    expect 1 touchstone compare runs/1-cpu.run runs/2-narrow.run runs/3-faulty-fault-only-i16-8d.run --json
    touchstone lua "$check" out 'r.status == 1' '#r.sides == 3' 'r.total.kinds.parts > 0' \
        'r.total.kinds.everywhere + r.total.kinds.parts == r.total.cases' 'r.total.common == r.total.cases' \
        'r.total.sides[1].pass == r.total.cases' 'r.regions[1].kind == "everywhere"'
    expect 0 touchstone compare runs/1-cpu.run runs/1-cpu.run
    # What a feature level does not have is not supported there, and what it is to refuse is nobody else's.
    touchstone run -b cpu dml.slice1:pairwise dml.slice1:beyond -o new.run >/dev/null
    touchstone run -b cpu dml.slice1:pairwise dml.slice1:beyond --feature-level 3_0 -o old.run >/dev/null
    expect 0 touchstone compare new.run old.run --json
    touchstone lua "$check" out 'r.total.kinds.unsupported > 0' 'r.total.kinds.everywhere > 0' 'r.total.kinds.parts == 0' \
        'r.total.sides[1].pass == r.total.cases' 'r.sides[2].feature_level == "3_0"'
    # Nor what a clause is to be broken for that somebody's library cannot be shown.
    expect 0 touchstone compare -b cpu -b faulty --backend-opt fault=none --backend-opt unshown=EI-04 \
        'dml.element_wise_identity:examples'
    # Open questions: nobody is judged, but what each answers is told.
    expect 0 touchstone compare -b cpu -b faulty --backend-opt fault=vector-tail 'dml.gather:examples:example=out-of-range'
    holds out 'E-GA-10  they part' 'our decision \(clamped index\): cpu 1' 'not written\): faulty fault=vector-tail 1'
    touchstone run -b cpu dml.gather:examples -o gather.run >/dev/null
    refuses 64 'different cases' "'dml.gather:examples'" -- touchstone compare runs/1-cpu.run gather.run
    refuses 64 'two or more' -- touchstone compare -b cpu
    refuses 64 'two or more' -- touchstone compare gather.run
    refuses 64 'absent.run' -- touchstone compare gather.run absent.run
    refuses 64 'no backend' -- touchstone compare --tier quick gather.run gather.run
    refuses 64 'before the first -b' -- touchstone compare --backend-opt fault=none -b cpu -b cpu
    refuses 64 'two are called so' -- touchstone compare -b cpu --as x -b cpu --as x
    refuses 64 "no backend 'nosuch'" -- touchstone compare -b cpu -b nosuch dml.gather:examples
    refuses 64 'key=value' -- touchstone compare -b cpu --backend-opt x -b cpu
    refuses 64 "no test 'pairs'" -- touchstone compare -b cpu -b cpu dml.slice1:pairs
    refuses 64 'gather.run' -- touchstone compare gather.run gather.run --html gather.run
}

test_waivers() {
    cat >known.lua <<'L'
local function w(query, expires)
  return { query = query, reason = "a driver's bug", owner = "kim", link = "https://example.org/1", expires = expires }
end
return { w("dml.slice1:* where dtype == i16", "2999-12-31"), w("dml.slice1:special where dtype == f32", "2999-12-31"),
         w("dml.gather:*", "2999-12-31"), w("dml.slice1:special where rank == 8", "2020-02-29") }
L
    expect 0 touchstone run -b faulty --backend-opt fault=only-i16-8d dml.slice1:special --waivers known.lua -o w.run
    holds out 'failed 0, waived 4' '^conformant in what was run but for what is waived: ' '^waiver 1 too-wide:' \
        '^waiver 2 unexpected-pass:' '^waiver 3 stale:' '^waiver 4 expired:'
    expect 1 touchstone waive w.run known.lua
    expect 0 touchstone waive --tighten w.run known.lua -o tight.json
    holds tight.json 'dml.slice1:special where rank == 8 and dtype == i16' '2020-02-29'
    ! grep -q gather tight.json || fail "a stale waiver is kept"
    expect 0 touchstone waive --tighten w.run known.lua
    cp out tight.lua
    expect 0 touchstone run -b faulty --backend-opt fault=only-i16-8d dml.slice1:special --waivers tight.lua -o t.run
    touchstone report w.run --json w.json
    touchstone lua "$check" w.json 'r.total.verdicts.waived == 4' 'r.total.failed == 0' \
        'r.findings[1].verdict == "waived"' 'r.findings[1].detail:find("kim", 1, true)'
    expect 1 touchstone run -b faulty --backend-opt fault=reject-8-bit dml.slice1:special --waivers tight.lua -o r.run
    refuses 64 'absent.lua' -- touchstone run -b cpu dml.slice1:examples --waivers absent.lua -o x.run
    echo 'return { { query = "dml.slice1:*" } }' >poor.lua
    refuses 64 'poor.lua: waiver 1: reason is missing' -- touchstone run -b cpu dml.slice1:examples --waivers poor.lua -o x.run
    refuses 64 'expected a run file' -- touchstone waive w.run
    refuses 64 'absent.run' -- touchstone waive absent.run known.lua
    refuses 64 'goes with --tighten' -- touchstone waive w.run known.lua -o x.lua
}

# Waivers hold cases that end the backend, whoever runs them, in parts or with a pause.
test_waivers_of_crashes() {
    local what=(-b faulty --backend-opt fault=process-crash dml.slice1:pairwise -q --waivers known.json) wanted
    cat >known.json <<'J'
[ { "query": "dml.slice1:pairwise", "reason": "it ends the process", "owner": "kim", "link": "https://example.org/1",
    "expires": "2999-12-31" } ]
J
    expect 0 touchstone run "${what[@]}" -j 3 -o whole.run
    holds out 'failed 0, waived [1-9]' '^conformant in what was run but for what is waived: ' '^waiver 1 too-wide:'
    wanted=$(grep ^digest out)
    expect 0 touchstone run "${what[@]}" -j 1 --shard 1/2 -o a.run
    expect 0 touchstone run "${what[@]}" -j 2 --shard 2/2 -o b.run
    expect 0 touchstone merge parts.run b.run a.run
    holds out "^$wanted\$" '^waiver 1 too-wide:'
    expect 0 touchstone diff whole.run parts.run
    holds out '^no case changed$'
    touchstone report whole.run --json whole.json
    touchstone report parts.run --json parts.json
    same_findings whole.json parts.json
    # What another shard was to run is no loss.
    expect 0 touchstone diff whole.run a.run
    holds out '^no longer planned: '
    expect 0 touchstone waive --tighten parts.run known.json -o tight.json
    expect 0 touchstone run "${what[@]}" --waivers tight.json -o tight.run
    holds out "^$wanted\$"
    touchstone run "${what[@]}" -o part.run >out 2>err &
    wait_until_begun part.run
    kill -KILL $! || true # where it was not done already
    wait $! || true
    cp known.json first.json
    sed -i 's/2999/2998/' known.json
    refuses 64 'begun with the waivers' -- touchstone resume part.run -q
    cp first.json known.json
    expect 0 touchstone resume part.run -q
    holds out "^$wanted\$" '^waiver 1 too-wide:'
}

# RUN: until some of its cases are done.
wait_until_begun() {
    for _ in $(seq 600); do
        touchstone status "$1" --json >now.json 2>/dev/null &&
            touchstone lua "$check" now.json 'r.done > 0' >/dev/null 2>&1 && return
        sleep 0.05
    done
    fail "$1 does not begin"
}

test_status() {
    local pid
    touchstone run -b cpu dml.slice1:examples -o done.run >/dev/null
    expect 0 touchstone status done.run
    holds out '^done.run: complete$' '^[0-9]+ of [0-9]+ cases done \(100.0 %\), 0 failed'
    touchstone run -b cpu 'dml.slice1:*' --tier exhaustive -j 2 -o long.run >/dev/null 2>&1 &
    pid=$!
    # shellcheck disable=SC2064
    trap "kill -9 $pid 2>/dev/null || true" EXIT # also where the test fails
    for _ in $(seq 300); do
        touchstone status long.run --json >now.json 2>/dev/null &&
            touchstone lua "$check" now.json 'r.done > 0 and r.seconds > 1' >/dev/null 2>&1 && break
        sleep 0.1
    done
    expect 0 touchstone status long.run
    holds out "^long.run: running, process $pid\$" ' left, [0-2] of 2 workers alive$' \
        '^[0-9]+ tests done, [0-9]+ at work, [0-9]+ to come$'
    expect 0 touchstone status long.run --all
    holds out '^  worker [0-9]+ +[0-9]+ MiB, [0-9:]+ of a core$'
    kill -9 "$pid"
    wait "$pid" || true
    touchstone status long.run --json >before.json || true
    sleep 4
    touchstone resume long.run -j 3 >/dev/null 2>&1 &
    pid=$!
    # shellcheck disable=SC2064
    trap "kill -9 $pid 2>/dev/null || true" EXIT
    for _ in $(seq 300); do
        touchstone status long.run --json >now.json && touchstone lua "$check" now.json 'r.state == "running"' \
            >/dev/null && break
        sleep 0.1
    done
    # Seconds in which nobody ran it do not count.
    touchstone lua "$check" now.json 'r.state == "running"' 'r.workers == 3' 'r.rate > 0' \
        "r.seconds < $(touchstone lua "$check" before.json 'print(r.seconds + 2.5) return true')"
    kill -9 "$pid"
    wait "$pid" || true
    expect 2 touchstone status long.run
    holds out "^long.run: interrupted: its process $pid is gone\$"
    expect 2 touchstone status long.run --json
    touchstone lua "$check" out 'r.state == "interrupted"' 'r.done < r.planned' '#r.tests > 10'
    refuses 64 'which run' -- touchstone status
    refuses 64 'absent.run' -- touchstone status absent.run
    echo hello >text.run
    refuses 64 'text.run' -- touchstone status text.run
    refuses 64 'long.run' 'not complete' -- touchstone history nights.db --add long.run
}

test_history() {
    ! sabotage only-i16-8d bad.run dml.slice1:special || fail "the fault is not found"
    expect 0 touchstone history nights.db --add bad.run
    holds out '^bad.run: added as night 1, 4 failed$'
    expect 0 touchstone history nights.db
    holds out '^fails now:$' "since 20.* 4 mismatch  'dml.slice1:special where rank == 8 and dtype == i16'"
    expect 0 touchstone history nights.db --html trend.html
    holds trend.html '^<!DOCTYPE html>' '<svg class="trend"' 'rank == 8 and dtype == i16' '</html>'
    refuses 64 'bad.run' 'there already' -- touchstone history nights.db --add bad.run
    refuses 64 'which history' -- touchstone history
    refuses 64 'no such history' -- touchstone history absent.db
    refuses 64 'is a run' -- touchstone history bad.run
    refuses 64 'absent.run' -- touchstone history new.db --add absent.run
    echo hello there, this is no database >text.db
    refuses 64 'text.db' -- touchstone history text.db --add bad.run
}

# A night, the next one with a fault, and one that is killed and gone on with.
# Night after night of a budget: each case once before any comes again, and what came of them is one run's.
test_nights_make_the_whole() {
    local query=dml.slice1:special n=0 since=() digest total=0 ran
    expect 0 touchstone run -b cpu $query -q -o whole.run
    ran=$(sed -n '1s/.*ran \([0-9]*\),.*/\1/p' out)
    touchstone history nights.db --add whole.run >/dev/null
    while [ $n -lt 200 ]; do
        expect 0 touchstone run -b cpu $query -q --budget 20ms "${since[@]}" -o night-$n.run
        holds out "^night $n: ran [0-9,]+ of [0-9,]+ of the tier \\([0-9.]+ %\\); ever run: [0-9.]+ % since night 0" \
            "^conformant in tonight's share: $query"
        total=$((total + $(sed -n '1s/.*ran \([0-9]*\),.*/\1/p' out)))
        since=(--since "night-$n.run")
        n=$((n + 1))
        ! grep -q '^all has been run; the next night begins anew' out || break
    done
    [ $n -gt 1 ] || fail "one night did it all"
    [ "$total" = "$ran" ] || fail "$n nights ran $total cases, one run $ran"
    holds out 'ever run: 100.0 %'
    digest=$(sed -n 's/^digest *//p' out)
    expect 0 touchstone resume night-$((n - 1)).run -q
    holds out "^digest *$digest"
    touchstone report night-0.run --json night.json --html night.html
    touchstone lua "$check" night.json 'r.coverage.night == 0 and r.coverage.ran == r.total.ran and r.coverage.over' \
        'r.headline:find("in the share of night 0", 1, true)'
    holds night.html 'Night 0 ran '
    expect 0 touchstone history nights.db --add night-0.run
    expect 0 touchstone history nights.db
    holds out 'tier quick by nights' '^    night 0: ran '
    expect 0 touchstone run -b cpu $query -q --budget 20ms --since nights.db -o from-history.run
    holds out '^night 1: '
    expect 0 touchstone run -b cpu $query -q --budget 20ms --night 5 -o slice.run
    holds out 'ever run: not known'
    local x=(touchstone run -b cpu "$query" -q -o x.run)
    for digest in 0 5x -3 1e9h ''; do
        refuses 64 "--budget '$digest'" -- "${x[@]}" --budget "$digest"
    done
    refuses 64 "--night '-1'" -- "${x[@]}" --budget 1s --night -1
    refuses 64 'there is none' -- "${x[@]}" --night 3
    refuses 64 'there is none' -- "${x[@]}" --since night-0.run
    refuses 64 'do not go together' -- "${x[@]}" --budget 1s --shard 1/2
    refuses 64 'goes with neither' -- "${x[@]}" --budget 1s --shuffle
    refuses 64 'tells of night 0 already' -- "${x[@]}" --budget 1s --night 0 --since night-0.run
    refuses 64 'without --budget' -- "${x[@]}" --budget 1s --since whole.run
    refuses 64 'there is no such run' -- "${x[@]}" --budget 1s --since none.run
    refuses 64 'is no shard' -- touchstone merge x.run night-0.run night-1.run
    refuses 64 'no case in common' -- touchstone diff night-0.run night-1.run
    [ ! -e x.run ] || fail "a run that was refused"
}

# What was killed at whatever moment of its start can be gone on with, or is not there.
test_killed_at_its_start() {
    local i
    for i in 1 2 3 4 5 6; do
        touchstone run -b cpu dml.slice1:special -q -j 1 -o start.run >out 2>err &
        sleep "0.0$((i * 8 % 10))"
        kill -KILL $! || true
        wait $! || true
        [ ! -e start.run ] || expect 0 touchstone resume start.run -q
        rm -f start.run*
    done
}

test_nightly() {
    local script=$TOUCHSTONE_ROOT/scripts/nightly.sh what=(-b faulty --backend-opt fault=none dml.slice1:special) page i
    NIGHT=2026-11-01 expect 0 "$script" nights "${what[@]}"
    [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
    holds out '^2026-11-01: Conformant in what was run' '^([0-9]+) of \1 cases run, 0 failed' '^no night before it$' \
        '^no region fails$' '/nights/2026-11-01.html$'
    [ ! -s err ] || fail "cron would write a letter: $(cat err)"
    for page in html junit.xml json run log; do
        [ -s nights/2026-11-01.$page ] || fail "there is no 2026-11-01.$page"
    done
    NIGHT=2026-11-01 expect 0 "$script" nights "${what[@]}" # nothing is left to do
    NIGHT=2026-11-02 expect 1 "$script" nights "${what[@]/none/only-i16-8d}"
    [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
    holds out '^2026-11-02: Not conformant' ', 4 failed' '^since 2026-11-01: something got worse, 1 ' \
        "^regions that fail: 1, the first since .*'dml.slice1:special where rank == 8 and dtype == i16'"
    holds nights/2026-11-02.diff '^new failures: 4$'
    holds nights/trend.html 'rank == 8 and dtype == i16'
    touchstone run "${what[@]}" -q -j 1 -o nights/2026-11-03.run >out 2>err &
    wait_until_begun nights/2026-11-03.run
    kill -KILL $! || true # where it was not done already
    wait $! || true
    NIGHT=2026-11-03 expect 0 "$script" nights "${what[@]}"
    holds out '^since 2026-11-02: nothing got worse$'
    holds nights/2026-11-03.log '^planned ([0-9]+), ran \1,'
    if command -v sqlite3 >/dev/null; then # begun by another version of the suite, and killed
        cp nights/2026-11-01.run nights/2026-11-04.run
        sqlite3 nights/2026-11-04.run "UPDATE meta SET value = 'another' WHERE key = 'suite_digest'"
        NIGHT=2026-11-04 expect 0 "$script" nights "${what[@]}"
        holds out '2026-11-04.run.left-1'
    fi
    NIGHT=2026-11-05 UPDATE=false expect 0 "$script" nights "${what[@]}"
    holds out '\(the update failed\)$'
    for i in 1 2; do
        BUDGET=30ms NIGHT=2026-11-0$i expect 0 "$script" shares "${what[@]}"
        [ "$(wc -l <out)" = 5 ] || fail "not five lines: $(cat out)"
        holds out "in the share of night $((i - 1))" \
            "^night $((i - 1)); [0-9.]+ % of [0-9]+ cases have ever been run, since night 0" '^no region fails$'
        rm shares/*.run # the history knows where it ended
    done
    holds shares/trend.html 'Ever run'
    BUDGET=x refuses 64 BUDGET -- "$script" shares "${what[@]}"
    NIGHT=2026-11-06 expect 64 "$script" nights -b nothing
    [ ! -e nights/2026-11-06.run ] || fail "a run that is none"
    refuses 64 'what is to be run' -- "$script" nights
    refuses 64 'FOLDER' -- "$script"
}

# Every question that reports/README.md asks with sqlite3.
test_questions_of_the_readme() {
    local readme=$TOUCHSTONE_ROOT/reports/README.md asked=0 question
    command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
    ! sabotage vector-tail a.run dml.slice1:examples dml.slice1:special || fail "the fault is not found"
    sabotage none b.run dml.slice1:examples || fail "the reference fails"
    touchstone history n.db --add a.run >/dev/null
    while IFS= read -r -d '' question; do
        question=${question//RUN/a.run}
        question=${question//LAST/b.run}
        question=${question// DB / n.db }
        bash -c "$question" >out 2>err </dev/null || fail "$question: $(head -n 1 err)"
        [ ! -s err ] || fail "$question: $(head -n 1 err)"
        case $question in *crash*) ;; *) [ -s out ] || fail "$question: no answer" ;; esac
        asked=$((asked + 1))
    done < <(awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on && /^sqlite3 / { if (q != "") printf "%s%c", q, 0; q = "" }
                  on && !/^#/ && NF { q = q $0 "\n" } END { if (q != "") printf "%s%c", q, 0 }' "$readme")
    [ "$asked" -ge 12 ] || fail "only $asked questions were found in $readme"
}

# ---- eval and lua ---------------------------------------------------------------------------------------------------

test_lua_evaluates() {
    cat >sketch.lua <<'L'
local r = ts.eval("dml.slice1",
  { InputTensor  = { DataType = "FLOAT32", Sizes = {1,1,4,4} }, OutputTensor = { DataType = "FLOAT32", Sizes = {1,1,2,2} },
    InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,-2,2} },
  { InputTensor = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16} })
print(r.status, table.concat(r.outputs[1].data, " "))
local data = {}
for i = 1, 24 do data[i] = i - 1 end
local s = ts.eval("openvino.strided_slice",
  { data = { type = "i32", shape = {2,3,4} }, begin = {1,1,123}, ["end"] = {0,0,2}, stride = {1,1,-1},
    begin_mask = {0,1,1}, end_mask = {1,1,1} }, { data = data })
print(s.status, table.concat(s.outputs[1].sizes, " "), table.concat(s.outputs[1].data, " "))
local bad = ts.eval("dml.slice1",
  { InputTensor  = { DataType = "FLOAT32", Sizes = {1,1,4,4} }, OutputTensor = { DataType = "FLOAT32", Sizes = {1,1,2,2} },
    InputWindowOffsets = {0,0,0,2}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,2,2} }, {})
print(bad.status, #bad.clauses > 0)
print(#arg, arg[1])
L
    expect 0 touchstone lua sketch.lua word
    cat >wanted <<'T'
ok	14.0 16.0 6.0 8.0
ok	1 3 4	15 14 13 12 19 18 17 16 23 22 21 20
invalid	true
1	word
T
    sed 's/\.0\b//g' wanted >a
    sed 's/\.0\b//g' out >b
    diff a b || fail "the sketch gives something else"
    echo 'os.exit(7)' >seven.lua
    expect 7 touchstone lua seven.lua
    echo 'error("my own words")' >error.lua
    expect 1 touchstone lua error.lua
    holds err 'error.lua:1: my own words'
}

test_eval_refuses() {
    echo '{' >broken.json
    refuses 64 'broken.json' -- touchstone eval broken.json
    echo '{"operator": "dml.slice2", "descriptor": {}}' >operator.json
    refuses 64 'operator.json' 'dml.slice2' -- touchstone eval operator.json
    echo 'return 1 +' >broken.lua
    refuses 64 'broken.lua' -- touchstone eval broken.lua
    echo 'while true do end' >endless.lua
    refuses 64 'endless.lua' -- timeout 60 touchstone eval endless.lua
    echo x >other.txt
    refuses 64 'other.txt' -- touchstone eval other.txt
}

# A report takes the place of an older one, but never of its own run, nor of another report of the same command.
test_reports_do_not_hit_each_other() {
    expect 0 touchstone run -b cpu dml.slice1:examples -o x.run
    cp x.run before
    refuses 64 'own file' -- touchstone report x.run --html x.run
    refuses 64 'own file' -- touchstone report x.run --json ./x.run
    ln x.run y.run
    refuses 64 'own file' -- touchstone report x.run --csv y.run
    refuses 64 '--html and --csv' -- touchstone report x.run --html a --csv "$PWD/a"
    cmp x.run before || fail "the run is no longer what it was"
    echo old >a.html
    expect 0 touchstone report x.run --html a.html
    holds a.html '<!DOCTYPE html>'
}

# check, eval and explain read the same records, and refuse the same ones in the same words.
test_records_are_read_alike() {
    local verb file quiet
    cat >good.lua <<'L'
local function slice(stride)
  return { operator = "dml.slice1", inputs = { InputTensor = {1, 2, 3, 4} }, descriptor = {
    InputTensor = { DataType = "FLOAT32", Sizes = {4} },
    InputWindowOffsets = {0}, InputWindowSizes = {4}, InputWindowStrides = {stride} } }
end
return { slice(2), slice(-1) }
L
    cat >good.json <<'J'
[ { "operator": "dml.slice1", "inputs": { "InputTensor": [1, 2, 3, 4] }, // a comment
    "descriptor": { "InputTensor": { "DataType": "FLOAT32", "Sizes": [4] },
      "InputWindowOffsets": [0], "InputWindowSizes": [4], "InputWindowStrides": [2] } }, ]
J
    sed 's/"InputWindowStrides": \[2\]/"InputWindowStrides": [0]/' good.json >invalid.json
    for verb in check eval explain; do
        expect 0 touchstone $verb good.lua good.json
        expect 1 touchstone $verb good.lua invalid.json
        holds out 'SL-07'
        expect 0 bash -c "touchstone $verb - <good.json"
    done
    sed 's/"InputWindowStrides": \[2\]/"InputWindowStrides": [-9223372036854775808]/' good.json >range.json
    for verb in check eval explain; do
        expect 1 touchstone $verb range.json
        holds out 'TYPE-01 .*InputWindowStrides\[0\] = -9223372036854775808 is out of'
    done
    echo '{ "operator": "dml.slice1",' >cut.json
    sed 's/"DataType"/"DataTypo"/' good.json >field.json
    sed 's/} }, \]/}, "colour": 1 }, ]/' good.json >colour.json
    sed 's/\[2\]/["two"]/' good.json >word.json
    echo 'return 1' >number.lua
    echo 'return { { operator = "dml.slice1", descriptor = {} }, { operator = "dml.slice2" } }' >operator.lua
    for file in cut.json field.json colour.json word.json number.lua operator.lua absent.json absent.lua; do
        for verb in check eval explain; do # check goes on where the others stop, so quietly
            quiet=
            [ $verb != check ] || quiet=-q
            refuses 64 "^touchstone $verb: $file" -- touchstone $verb good.lua $file $quiet
            sed "s/^touchstone $verb: //" err >$verb.err
            cmp check.err $verb.err || fail "check and $verb refuse $file in other words"
        done
        rm -f ./*.err
    done
}

# IR is read back by the checker to the verdict of the case.
test_export_openvino_ir() {
    local id=openvino.strided_slice:examples:example=1
    expect 0 touchstone export "$id" --openvino-ir -o case
    expect 0 touchstone check case/model.xml
    [ "$(stat -c %s case/data.bin) $(stat -c %s case/expected.bin)" = '16384 1152' ] || fail "other sizes: $(ls -l case)"
    grep -qF "$id" case/README.txt || fail "README.txt does not name the case"
    expect 0 touchstone export openvino.strided_slice:examples:example=stride-zero --openvino-ir -o illegal
    expect 1 touchstone check illegal/model.xml
    [ ! -e illegal/expected.bin ] || fail "what is illegal has an expected output"
    refuses 64 'no operator of OpenVINO' -- touchstone export dml.slice1:examples:example=2 --openvino-ir -o none
    refuses 64 'writes a folder' -- touchstone export "$id" --openvino-ir
}

# A model for DxDispatch says what the case says: the checker, which reads such models, judges it the same.
test_export_dxdispatch() {
    local id clause
    for id in dml.slice1:examples:example=2 dml.gather:examples:example=1,dtype=f16 \
        dml.random_generator:examples:example=pi dml.element_wise_identity:examples:example=row-major \
        'dml.slice1:pairwise:*' 'dml.*:invalid-*-05*:*' 'dml.gather:invalid-GA-05*:*'; do
        [[ $id != *\** ]] || id=$(touchstone list "$id" --tier quick | sed -n 1p)
        expect 0 touchstone export "$id" --dxdispatch -o model.json
        clause=$(touchstone show "$id" | sed -n 's/.*to be refused: it breaks //p')
        if [ -n "$clause" ]; then
            holds model.json '"expect": "refused"' "\"clause\": \"$clause\""
            expect 1 touchstone check model.json
            holds out "$clause"
        else
            holds model.json '"expect": "accepted"'
            expect 0 touchstone check model.json
        fi
        rm model.json
    done
    expect 0 touchstone export dml.slice1:examples:example=2 --dxdispatch
    holds out '"DML_OPERATOR_SLICE1"' '"DimensionCount": 4' '"resource": "OutputTensor"' '^    1096810496,$' '3419130827'
    expect 0 touchstone export --dxdispatch dml.gather:examples:example=out-of-range
    holds out '"expect": "open"'
    refuses 64 'no operator of DirectML' -- touchstone export openvino.strided_slice:examples:example=1 --dxdispatch
    refuses 64 'InputWindowStrides is null' -- touchstone export dml.slice1:invalid-SL-02-strides: --dxdispatch
    refuses 64 'no single case' -- touchstone export 'dml.slice1:examples' --dxdispatch
    refuses 64 'as what' -- touchstone export dml.slice1:examples:example=2
    refuses 64 'one case id' -- touchstone export --dxdispatch
    refuses 64 'nowhere/model.json' -- touchstone export dml.slice1:examples:example=2 --dxdispatch -o nowhere/model.json
}

test_export_onnx() {
    expect 0 touchstone export dml.slice1:examples:example=2 --onnx -o case
    [ "$(find case -type f | sort | tr '\n' ' ')" = "case/model.onnx case/test_data_set_0/input_0.pb \
case/test_data_set_0/input_1.pb case/test_data_set_0/input_2.pb case/test_data_set_0/input_3.pb \
case/test_data_set_0/output_0.pb " ] || fail "other files than those of ONNX's tests: $(find case)"
    grep -q Slice case/model.onnx || fail "no Slice in the model"
    expect 0 touchstone export dml.slice1:examples:example=2 --onnx -o case
    refuses 64 'no such operator' -- touchstone export dml.random_generator:examples:example=zero --onnx -o r
    refuses 64 'IndicesTensor has to be INT32 or INT64' -- touchstone export dml.gather:examples:example=1 --onnx -o g
    refuses 64 'have to refuse it' -- touchstone export dml.slice1:invalid-SL-02-strides: --onnx -o i
    refuses 64 '-o says which' -- touchstone export dml.slice1:examples:example=2 --onnx
    refuses 64 'as what' -- touchstone export dml.slice1:examples:example=2 --onnx --dxdispatch
    refuses 64 'nowhere/case' -- touchstone export dml.slice1:examples:example=2 --onnx -o nowhere/case
}

# Without the library: one line that says how to get it.
test_onnxruntime_that_is_not_here() {
    HOME=$PWD XDG_CACHE_HOME='' refuses 3 'setup-vendors.sh onnxruntime' -- touchstone run -b onnxruntime -o o.run
    HOME=$PWD XDG_CACHE_HOME='' expect 0 touchstone backends -v
    holds out '^onnxruntime .*setup-vendors.sh onnxruntime' '^    library=PATH'
    refuses 64 'library=PATH' -- touchstone run -b onnxruntime --backend-opt colour=red -o o.run
    refuses 3 './text.so' -- touchstone run -b onnxruntime --backend-opt library=./text.so -o o.run
}

test_backends_that_print() {
    command -v cc >/dev/null || skip "no compiler here"
    sed 's/^static ts_status example_open.*/#include <stdlib.h>\nstatic void bye(void) { puts("NOISE at exit"); }\n&/;
        s/^    \*out = &self;/    puts("NOISE"); atexit(bye);\n&/' "$TOUCHSTONE_ROOT/backends/example/example.c" >noisy.c
    cc -std=c11 -shared -fPIC -fvisibility=hidden -I "$TOUCHSTONE_ROOT" -o noisy.so noisy.c
    expect 0 touchstone plan -b ./noisy.so 'dml.element_wise_identity:examples'
    touchstone run -b ./noisy.so 'dml.element_wise_identity:examples' -o n.run >noise.out 2>noise.err || true
    ! grep -q '^NOISE$' out noise.out || fail "a backend prints among what the program says"
    grep -q '^NOISE$' noise.err || fail "what a backend prints is lost"
}

# ---- all of them ----------------------------------------------------------------------------------------------------

for name in $(declare -F | sed -n 's/^declare -f test_//p'); do
    case $name in
    fault | cpu_is_conformant | the_same_run_twice_has_the_same_digest) ;;
    *) run_test "${name//_/-}" ;;
    esac
done
while read -r fault operators; do
    # shellcheck disable=SC2086
    case $fault in none | "$observed" | "$leak") ;; *) run_test "fault-$fault" test_fault "$fault" $operators ;; esac
done < <("$touchstone" backends -v | sed -n 's/^    fault=\([^ ]*\)  \([a-z0-9_ ]*\): .*/\1 \2/p')
run_test cpu-is-conformant
[ ! -e "$work/cpu.run" ] || run_test the-same-run-twice-has-the-same-digest

printf 'program-test: %d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]

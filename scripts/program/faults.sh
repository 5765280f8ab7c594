#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone run -b faulty: each fault of the faulty backend is found. A fault is a test by its own name, NAME in the
# first operator that it applies to and NAME-elsewhere in the others, unless a function here has its name. With
# TOUCHSTONE_FAULT_OPERATORS=N, NAME-elsewhere tests N of the others, which N differs from fault to fault.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# Their kind is that one case alone does not show them: a history does.
history='^(sometimes|every-other|stale-state|cached-.*|plan-.*|flaky-.*|order-.*|process-order)$'

# The faults of backends/faulty/faulty_calls.h.
paths=$(sed -n 's/^ *{ "\([a-z0-9-]*\)",.*/\1/p' "$TOUCHSTONE_ROOT/backends/faulty/faulty_calls.h" | paste -sd '|')
paths="^($paths)\$"

# Those of them that tier full does not find in some operator; scripts/bench/faults.sh lists them. Two calls that differ
# in shrink_axis_mask alone, and have the same shapes, are not both determined by the page (SS-16).
escapes='^(count-(block-128m|index-rows|row-1m)|grid-rows-20|magnitude-(step|offset)-16|plan-shrink-mask)$'

# The operators with a row of their own in faulty.c, in its order.
rows=$(sed -n '/^} known\[\] = {/,/^};/s/^ *{ "\([a-z0-9_.]*\)",.*/\1/p' "$TOUCHSTONE_ROOT/backends/faulty/faulty.c")

# FAULT OPERATOR: exit status 1 from one of the operator's tests, the quick ones first.
find_fault() {
    local fault=$1 operator=$2 stage name part queries status stages parts level tests
    mapfile -t tests < <(names_of_tests)
    [ "${#tests[@]}" -gt 0 ] || fail "touchstone list names no tests"
    stages=(examples pairwise 'special layout' boundary exhaustive '*')
    case $fault in
    accept-*) stages=(examples 'invalid*' beyond) ;; # the others hold legal cases only
    *put-offset-* | *put-bytes-*) stages=(sparse) ;; # offsets beyond 32 bits are there alone
    cached-*) stages=('after_*') ;;
    process-*) stages=(pairwise) ;; # a hundredth of it takes its time
    esac
    # Faults of one code path, of large descriptors and of plans: tier quick finds most of them, and what is drawn others.
    ! [[ $fault =~ $paths ]] || stages=(tier-quick tier-drawn tier-all)
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
        level=()
        case $stage in
        tier-quick) queries=("$operator:*") level=(--tier quick) ;;
        tier-drawn) queries=("$operator:*drawn*") level=(--tier full) ;;
        tier-all) queries=("$operator:*") level=(--tier full) ;;
        esac
        [ "${#queries[@]}" -gt 0 ] || continue
        rm -f faulty.run
        status=0
        [ "$stage" != beyond ] || level=(--feature-level 1_0) # nothing is beyond the highest
        case $fault in
        process-memory) level+=(--memory-limit 256M) ;;
        process-*) level+=(--time-limit 100ms) ;;
        esac
        # A fault of what we decided is a fault of the suite, too.
        level+=(--decisions binding)
        timeout -k 5 300 touchstone run -b faulty --backend-opt "fault=$fault" --max-findings 20 --shrink 0 "${queries[@]}" \
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

# FAULT OPERATOR...: it is found in each of these operators, is reported as it should be, and is reproduced.
find_in() {
    local fault=$1 operator command first
    shift
    for operator in "$@"; do
        # Where operators are left out to save time, half a minute of it is not spent to find nothing.
        ! [[ $fault =~ $escapes ]] || [ -z "${TOUCHSTONE_FAULT_OPERATORS:-}" ] || skip "$fault escapes in some operator"
        if ! find_fault "$fault" "$operator"; then
            ! [[ $fault =~ $escapes ]] || skip "$fault escapes in $operator"
            fail "$fault is not found in $operator"
        fi
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
    done
}

test_none() {
    expect 0 touchstone run -b faulty --backend-opt fault=none '*:examples' '*:special' -o none.run
    holds out '^conformant in what was run: '
}

# What no clause forbids is reported as an observation.
test_gap_write() {
    expect 0 touchstone run -b faulty --backend-opt fault=gap-write 'dml.slice1:layout' -o gap.run
    holds out '^  gap-write, which no clause forbids  [0-9]+$' \
        'bytes in gaps of OutputTensor changed, the first at byte [0-9]+\. It is .*behind .* and holds 0x0+ \('
    touchstone report gap.run --json gap.json
    touchstone lua "$check" gap.json '#r.observations > 0 and r.observations[1].kind == "gap-write"' \
        'r.observations[1].cases > 0 and r.observations[1].example:find("^dml.slice1:layout:")'
}

# What no page says is recorded: each value of HasExclusiveSum but 0 is TRUE, and a shrink step ignores its masks, by
# decisions of ours.
recorded_as_open() { # FAULT QUERY ENTRY ANSWER
    expect 0 touchstone run -b faulty --backend-opt "fault=$1" "$2" -o open.run
    holds out "^  $3: $4  [0-9]+\$" '^conformant in what was run: '
}
other='other than our decision \(other values\)'
test_sum_exclusive_one() { recorded_as_open sum-exclusive-one dml.cumulative_summation:examples E-CS-3 "$other"; }
test_sum_exclusive_byte() { recorded_as_open sum-exclusive-byte dml.cumulative_summation:examples E-CS-3 "$other"; }
test_reject_sum_truth() { recorded_as_open reject-sum-truth dml.cumulative_summation:examples E-CS-3 refused; }
test_shrink_begin_mask() { recorded_as_open shrink-begin-mask openvino.strided_slice:drawn E-SS-24 "$other"; }

# The failing cases of a covering test are reduced to the parameters that matter, also where each failure ends a worker.
test_matters() {
    expect 1 touchstone run -b faulty --backend-opt fault=int64-truncated dml.element_wise_identity:pairwise -o m.run
    holds out '  dml\.element_wise_identity:pairwise where .*dtype' 'came from the right element, .*, but its upper half was lost;'
    touchstone report m.run --json m.json --html m.html
    touchstone lua "$check" m.json 'r.findings[1].matters:find("^dtype=[fui]64$")' \
        'r.findings[1].detail:find("It fails whenever dtype=[fui]64: with this alone, and all else at its default, it fails; without", 1)' \
        'r.findings[1].detail:find("all %d+ other cases of the test with this that were tried failed, too%.$")'
    grep -q 'what matters' m.html || fail "the page has no parameters that matter"
    expect 1 touchstone run -b faulty --backend-opt fault=read-past-end dml.slice1:pairwise -o w.run
    touchstone report w.run --json w.json
    touchstone lua "$check" w.json 'r.findings[1].detail:find("ended in SIGSEGV on the guard page beside it.", 1, true)' \
        'r.findings[1].detail:find("It fails whenever") or r.findings[1].detail:find("What matters is") or r.findings[1].detail:find("It fails with all parameters")'
}

# What only the memory of a worker shows, and that only in the end: 64 KiB are kept by each call, and all cases pass.
test_process_leak() {
    expect 0 touchstone run -b faulty --backend-opt fault=process-leak --memory-limit 96M -j 1 dml.slice1:pairwise \
        dml.gather:pairwise -o b.run
    holds err 'once, and not when repeated alone, the backend took more than 96 MiB of memory'
}

# Faults of descriptors of operators that are checked, but not computed.
test_checked_enumeration() {
    expect 1 touchstone run -b faulty --backend-opt fault=checked-enumeration dml.convolution -o c.run
    holds out '^Checked [0-9]+ descriptors of dml\.convolution: [0-9]+ illegal ones accepted\.' \
        '^  accepted-invalid dml\.convolution:invalid:number=[0-9]+,clause=OP-04  OP-04$' \
        '^descriptors are not judged as specified$'
}

test_checked_type() {
    expect 1 touchstone run -b faulty --backend-opt fault=checked-type 'dml.gemm where clause == "OP-03"' -o c.run
    holds out ' of dml\.gemm: 8 illegal ones accepted\.'
}

test_checked_crash() {
    expect 1 touchstone run -b faulty --backend-opt fault=checked-crash dml.argmax --tier full -o c.run
    holds out ' of dml\.argmax: [0-9]+ crashes\.' '^  crash dml\.argmax:invalid:number=[0-9]+,clause=OP-01'
}

test_checked_hang() {
    expect 1 touchstone run -b faulty --backend-opt fault=checked-hang --time-limit 100ms \
        dml.activation_relu:legal -o c.run
    holds out ' of dml\.activation_relu: [0-9]+ hangs?\.'
}

# FAULT OPERATOR...: these operators, or as many of them as are to be tested, from one on that depends on the fault.
some_of() {
    local sum all=("${@:2}")
    local most=${TOUCHSTONE_FAULT_OPERATORS:-${#all[@]}}
    sum=$(printf '%s' "$1" | cksum)
    all=("${all[@]:$((${sum% *} % ${#all[@]}))}" "${all[@]:0:$((${sum% *} % ${#all[@]}))}")
    echo "${all[@]:0:most}"
}

# FAULT OPERATOR...: make its tests.
define_tests_of() {
    local fault=$1 function=${1//-/_}
    ! declare -F "test_$function" >/dev/null || return 0
    eval "test_$function() { find_in $fault $2; }"
    [ $# -le 2 ] || eval "slow_${function}_elsewhere() { find_in $fault $(some_of "$fault" "${@:3}"); }"
}

# CMake reads the names of the faults in their source; TOUCHSTONE_FAULT_TESTS is the list of tests that it made of them.
test_every_fault_is_a_test() {
    [ -n "${TOUCHSTONE_FAULT_TESTS:-}" ] || skip "only ctest knows the tests that CMake made"
    declare -F | sed -n 's/^declare -f \(test\|slow\)_//p' | tr _ - | sort >defined
    tr ' ' '\n' <<<"$TOUCHSTONE_FAULT_TESTS" | sort >made
    diff made defined || fail "CMake makes other tests than there are faults and operators"
}

# LIST: the operators with a row that are in the list of a fault, "A B" or "all operators but A B".
rows_in() {
    local operator most=no named
    [[ $1 != 'all operators'* ]] || most=yes
    for operator in $rows; do
        named=no
        [[ " $1 " != *" $operator "* ]] || named=yes
        [ $most = $named ] || printf '%s ' "$operator"
    done
}

# That a fault shows in operators without a row of their own in faulty.c is held by the unit tests of the backend; that
# the suite finds each of them there is not promised, so a test has one of them only where there is no other operator.
while read -r fault list; do
    operators=$(rows_in "$list")
    # shellcheck disable=SC2086
    define_tests_of "$fault" ${operators:-${list%% *}}
done < <("$touchstone" backends -v |
    sed -n '/^faulty /,/^[a-eg-z]/s/^    fault=\([^ ]*\)  \(checked operators, \)\{0,1\}\([a-z0-9_. ]*\): .*/\1 \3/p')

run_tests "$@"

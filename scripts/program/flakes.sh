#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone run: failures that come and go.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# Cases whose result varies: how often they fail, what the reports say, and whether the command repeats it.
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
    refuses 64 'the ids of the cases' -- touchstone run -b cpu --in-order -o x.run
    refuses 64 'is no id of a case' -- touchstone run -b cpu --in-order dml.gather:examples -o x.run
    refuses 64 'named twice' -- touchstone run -b cpu --in-order "$id" "$id" -o x.run
    refuses 64 'excludes --shuffle and --shard' -- touchstone run -b cpu --in-order --shuffle "$id" -o x.run
    refuses 64 'excludes --shuffle and --shard' -- touchstone run -b cpu --in-order --shard 1/2 "$id" -o x.run
    refuses 64 'with --in-order' -- touchstone resume again.run
}

# Cases that a failure depends on may belong to other tests. The report tells such failures from others.
test_failures_that_depend_on_other_tests() {
    local f=(-b faulty --backend-opt fault=order-after-two) tests=('dml.gather:specia*' 'dml.gather:out_of_rang*') line
    expect 1 touchstone run -j 1 "${f[@]}" "${tests[@]}" -o two.run --html two.html
    holds out '^cause 1: the output differs in [0-9]+ cases of dml.gather, only after other cases$' \
        'Each of the [0-9]+ cases that were executed alone in a new process passed there: they fail only after' \
        'it fails only after dml.gather:special:.* and then dml.gather:out_of_range:'
    holds two.html '<h3>Cause 1: the output differs in [0-9]* cases of dml.gather, only after other cases</h3>' \
        '<p class="alone">Each of the [0-9]* cases that were executed alone'
    line=$(grep '^  touchstone run --in-order' out) || fail "no command: $(cat out)"
    echo "$line -o again.run" >reproducer
    expect 1 bash reproducer
    holds out '^planned 3, ran 3, passed 2, failed 1'
    touchstone report two.run --json two.json --markdown two.md
    touchstone lua "$check" two.json '(function() for _, f in ipairs(r.findings) do if not f.depends and
        not (f.detail:find("It was not executed alone") and f.reproducer:find("^touchstone run .dml.gather:specia"))
        then return false end end return #r.findings > 5 end)()'
    touchstone lua "$check" two.json 'r.causes[1].fails_alone == 0' 'r.causes[1].passes_alone > 1'
    holds two.md 'only after other cases' 'they fail only after other cases in the same process'
    f=(-b faulty --backend-opt fault=reverse-start)
    expect 1 touchstone run "${f[@]}" dml.slice1:examples -o alone.run --html alone.html
    ! grep -q 'only after other cases' out alone.html || fail 'a failure that shows alone is said to need others'
}

# Where the cases that a failure depends on are not found, the command repeats the run: the case alone would pass.
test_failures_that_depend_on_unknown_cases() {
    expect 1 touchstone run -b faulty --backend-opt fault=order-ring-128 'dml.gather:example*' --seed 3 -j 1 -o ring.run
    holds out 'The command repeats the whole run\.$' \
        "^  touchstone run 'dml.gather:example\*' -b faulty --backend-opt fault=order-ring-128 --seed 3\$"
    { grep -m 1 '^  touchstone run' out | tr -d '\n'; echo ' -o again.run'; } >reproducer
    expect 1 bash reproducer
    touchstone report ring.run --csv ring.csv
    holds ring.csv ',unknown,'
}

# The command of a case of --in-order has the cases before it.
test_the_command_of_a_case_in_order() {
    local ones=1.1.1.1.1.1 f=(-b faulty --backend-opt fault=process-order)
    local id=dml.slice1:drawn:rank=6,size=$ones,window=$ones,out_size=$ones
    expect 1 touchstone run --in-order dml.slice1:examples:example=2 "$id" \
        dml.slice1:drawn:rank=7 "${f[@]}" -o order.run
    holds out "^  touchstone run --in-order 'dml\.slice1:examples:example=2' '$id' -b faulty"
    grep -m 1 '^  touchstone run --in-order' out >reproducer
    touchstone report order.run --json order.json # it ended: there is no result beside what was expected
    touchstone lua "$check" order.json 'r.findings[1].tensors[2].expected' 'not r.findings[1].tensors[2].values' \
        'r.findings[1].tensors[1].values'
    sed -i 's/$/ -o again.run/' reproducer
    expect 1 bash reproducer
    holds out '^planned 2, ran 2, passed 1, failed 1'
    expect 0 touchstone run "$id" "${f[@]}" -o alone.run
}

test_a_second_pass() {
    local signal wanted child status digest what=(-b cpu 'dml.slice1:exhaustive where dtype in {u8,f32,i16,u16}')
    expect 0 touchstone run "${what[@]}" -o plain.run
    digest=$(grep '^digest' out)
    for seed in '' =7; do
        rm -f shuffled.run
        expect 0 touchstone run "${what[@]}" --shuffle$seed -o shuffled.run
        holds out "^shuffled pass with seed ${seed:1}" ', 0 with another verdict$'
        [ "$(grep '^digest' out)" = "$digest" ] || fail "another digest: $(cat out) instead of $digest"
    done
    touchstone report shuffled.run --json shuffled.json --html shuffled.html
    holds shuffled.html 'Shuffled pass, seed'
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
    holds out '^shuffled pass with seed 1: [0-9]+ of [0-9]+ cases'
    for seed in x -1 5000000000 1.5; do
        refuses 64 "--shuffle '$seed'" 'whole number' -- touchstone run -b cpu "--shuffle=$seed" -o x.run
    done
    refuses 64 '-j 1 or more' -- touchstone run -b cpu --shuffle -j 0 -o x.run
}

run_tests "$@"

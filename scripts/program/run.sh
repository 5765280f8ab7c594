#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone run: what a run comes to, in which tier, and what it needs.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# A quarter of tier full, by the command that README shows: all of them take minutes. That two runs have one digest,
# same-digest of scripts/test.sh tests with a part of them.
test_cpu_is_conformant() {
    local ran command='touchstone run -b ./mine.so --tier full -o night.run'
    holds "$TOUCHSTONE_ROOT/README.md" "^$command "
    cp "$prefix/lib/touchstone/backends/cpu.so" mine.so
    # shellcheck disable=SC2086
    expect 0 $command --shard "$(part_of 8)"
    [ ! -s err ] || fail "something on standard error, in a pipe: $(head -n 1 err)"
    holds out '^planned [0-9]+, ran [0-9]+, passed [0-9]+, failed 0' '^conformant$' '^digest   [0-9a-f]{32}$'
    ran=$(sed -n 's/^planned [0-9]*, ran \([0-9]*\),.*/\1/p' out)
    [ "$ran" -ge 1000000 ] || fail "only $ran cases ran; at least 1000000 are expected"
    touchstone report night.run --json night.json
    touchstone lua "$check" night.json 'r.outcome == "conformant"' 'r.total.planned == r.total.ran' '#r.findings == 0' \
        'r.total.verdicts.pass + r.total.verdicts.ambiguous + r.total.verdicts["not-judged"] == r.total.ran'
    [ "$(sed -n 's/^digest   //p' out)" = "$(grep '^"digest":' night.json | grep -o '[0-9a-f]\{32\}')" ] ||
        fail "run prints another digest"
}

test_runs_of_the_same_second_have_names_of_their_own() {
    for _ in 1 2 3; do
        expect 0 touchstone run -q -j 1 -b cpu dml.slice1:examples
    done
    [ "$(find . -name 'cpu-*.run' | wc -l)" = 3 ] || fail "not three runs: $(ls)"
}

# An example whose descriptor breaks a clause that we decided is open, and illegal where decisions bind.
test_decisions_bind_open_examples() {
    local query='dml.gather:examples where example == "leading-index-dimensions" and dtype == f32'
    expect 2 touchstone run -b cpu -q -o open.run "$query"
    holds out ' failed 0, ambiguous 1 '
    expect 1 touchstone run -b cpu --decisions binding -q -o binding.run "$query"
    holds out '^  accepted-invalid  *1$' 'breaks GA-07'
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

# A backend that offers little: ELEMENT_WISE_IDENTITY of packed f32 tensors.
build_example() {
    command -v cc >/dev/null || skip "no compiler here"
    cc -std=c11 -shared -fPIC -fvisibility=hidden -I "$TOUCHSTONE_ROOT" -o example.so \
        "$TOUCHSTONE_ROOT/backends/example/example.c"
}

# The first line says what was judged, and what was not; the last line what came of it. The reports say the same.
test_a_verdict_says_its_scope() {
    build_example
    local count
    count=$(touchstone list --count '*:examples' | grep -c ':examples')
    local others="$((count - 1)) of $count operators"
    expect 0 touchstone run -q -b cpu -o all.run
    head -n 1 out >first
    holds first "^All $count operators: "'conformant in tier quick, at feature level 6_4 \([0-9,]+ cases\)\. Not judged: f16 and f32 of dml\.cumulative_summation\.$'
    expect 2 touchstone run -q -b ./example.so dml.element_wise_identity:pairwise -o part.run
    head -n 1 out >first
    holds first '^Incomplete: the backend does not support 72 of [0-9,]+ planned cases\. Judged: dml.element_wise_identity, f32 \([0-9,]+ cases\)\.' \
        "\. Not offered: 10 of 11 data types\. Not tried: $others\.$"
    expect 0 touchstone run -q -b ./example.so \
        'dml.element_wise_identity:special where in_layout == packed and out_layout == packed' -o packed.run
    holds out '^conformant in what was run, as far as offered: ' '^dml.element_wise_identity, f32: conformant in what was run'
    expect 0 touchstone report packed.run --json packed.json --html packed.html --junit packed.xml
    touchstone lua "$check" packed.json 'r.outcome == "conformant-in-part"' 'r.scope.judged[1].dtypes[1] == "f32"' \
        '#r.scope.judged == 1 and #r.scope.judged[1].dtypes == 1' '#r.scope.not_offered[1].dtypes == 10' \
        "#r.scope.not_tried == $((count - 1))" 'r.scope.required[1].operator == "dml.element_wise_identity"'
    holds packed.html '<header class="warn">' "<p class=\"scope\">Not offered: 10 of 11 data types\. Not tried: $others\.</p>"
    holds packed.xml 'name="headline" value="dml.element_wise_identity, f32: conformant'
    expect 0 touchstone status packed.run
    holds out '^dml.element_wise_identity, f32: conformant in what was run'
}

# What a backend refuses at its query is outside the plan. What it cannot express after that makes the run incomplete,
# and every reader says so.
test_unsupported_calls_make_a_run_incomplete() {
    build_example
    expect 2 touchstone run -q -b ./example.so dml.element_wise_identity:pairwise -o part.run
    local planned ran passed
    read -r planned ran passed < <(sed -n 's/^planned \([0-9]*\), ran \([0-9]*\), passed \([0-9]*\),.*/\1 \2 \3/p' out)
    [ "$planned" = $((ran + 72)) ] || fail "planned $planned, ran $ran: 72 are not supported"
    [ "$ran" = "$passed" ] || fail "ran $ran, passed $passed"
    holds out '^incomplete: the backend does not support 72 of the planned cases$'
    expect 2 touchstone status part.run
    holds out '^Incomplete: the backend does not support 72 of '
    expect 0 touchstone report part.run
    holds out "^planned $planned, ran $ran, passed $passed, failed 0, unsupported 72 "
    expect 0 touchstone report part.run --json p.json --junit p.xml --csv p.csv --html p.html --markdown p.md
    touchstone lua "$check" p.json 'r.outcome == "incomplete"' "r.total.ran == $ran" 'r.total.verdicts.unsupported == 72'
    holds p.xml '<testsuites name="touchstone" tests="[0-9]+" failures="0" errors="1"' '<error type="incomplete" message="the backend does not support 72 of '
    holds p.csv '^cases,dml.element_wise_identity,pairwise,f32,1_0,unsupported,17,' ',3_0,unsupported,55,'
    holds p.html '<header class="warn">' '<h1>Incomplete: the backend does not support 72 of '
    holds p.md '^## Touchstone: incomplete$'
    GITHUB_STEP_SUMMARY='' expect 0 touchstone report part.run --github
    holds out '^::warning title=Touchstone::Incomplete: '
    # A failure is told first; it hides nothing.
    sed 's/library_copy(out->data, in->data, /memset(out->data, 0, /' "$TOUCHSTONE_ROOT/backends/example/example.c" >wrong.c
    cc -std=c11 -shared -fPIC -fvisibility=hidden -I "$TOUCHSTONE_ROOT" -o wrong.so wrong.c
    expect 1 touchstone run -q -b ./wrong.so dml.element_wise_identity:pairwise -o wrong.run
    holds out '^Not conformant: ' 'Planned and not supported: 72 cases\.'
    expect 1 touchstone status wrong.run
}

# Cases that break a clause which the backend says it cannot pass on are not planned. The headline counts them, and
# --require needs them.
test_refusals_that_are_not_judged_are_counted() {
    local -a hiding=(-b faulty --backend-opt fault=none --backend-opt unshown=SL-05)
    local all planned
    expect 0 touchstone run -q -b faulty --backend-opt fault=none dml.slice1 -o all.run
    all=$(sed -n 's/^planned \([0-9]*\),.*/\1/p' out)
    expect 0 touchstone run -q "${hiding[@]}" dml.slice1 -o part.run
    planned=$(sed -n 's/^planned \([0-9]*\),.*/\1/p' out)
    head -n 1 out | tr -d , >first
    holds first "conformant in what was run: .* Refusals not judged: $((all - planned)) of $all cases\. Not tried: "
    holds out '^conformant in what was run, as far as offered: '
    expect 0 touchstone status part.run
    holds out 'Refusals not judged: '
    expect 0 touchstone report part.run --json p.json --html p.html --junit p.xml
    touchstone lua "$check" p.json 'r.outcome == "conformant-in-part"' '#r.scope.refusals_not_judged == 1' \
        'r.scope.refusals_not_judged[1].clause == "SL-05"' "r.scope.refusals_not_judged[1].cases == $((all - planned))"
    holds p.html '<p class="scope">Refusals not judged: '
    holds p.xml 'name="headline" value="[^"]* Refusals not judged: '
    expect 2 touchstone run -q "${hiding[@]}" dml.slice1 --require dml.slice1 -o required.run
    holds out "^$((all - planned)) of .* cases required by 'dml.slice1' are absent: not offered: "
    expect 0 touchstone run -q "${hiding[@]}" dml.slice1 --shard 1/2 -o 1.run
    expect 0 touchstone run -q "${hiding[@]}" dml.slice1 --shard 2/2 -o 2.run
    expect 0 touchstone merge whole.run 1.run 2.run
    head -n 1 out | cmp - <(touchstone status part.run | sed -n 2p) || fail 'shards count otherwise'
}

# What --require names must be there: offered, and selected by the queries. Merged and resumed runs keep it.
test_required_cases() {
    local i
    build_example
    expect 0 touchstone run -q -b cpu 'dml.gather' 'dml.slice1:examples' --require dml.gather \
        --require 'dml.slice1:examples where dtype == f16' -o all.run
    expect 2 touchstone run -q -b cpu dml.slice1:examples --require dml.gather -o one.run
    holds out '^Not conformant: [0-9,]+ required cases are absent\. Judged: dml.slice1, all 11 data types' '^not conformant$' \
        "cases required by 'dml.gather' are absent: not tried: dml.gather \(11 data types\)$"
    expect 2 touchstone resume -q one.run
    holds out '^not conformant$' "required by 'dml.gather' are absent"
    expect 0 touchstone report one.run --json one.json --junit one.xml
    touchstone lua "$check" one.json 'r.outcome == "required-absent"' 'r.scope.demands[1].query == "dml.gather"' \
        'r.scope.demands[1].absent == r.scope.demands[1].cases'
    holds one.xml 'errors="1"' 'type="required-absent"'
    for i in 1 2; do
        expect 2 touchstone run -q -b ./example.so dml.element_wise_identity:examples --shard $i/2 -o $i.run \
            --require 'dml.element_wise_identity:examples where dtype == u8'
    done
    expect 2 touchstone merge both.run 1.run 2.run
    holds out "^11 of 11 cases required by 'dml.element_wise_identity:examples where dtype == u8' are absent: not offered"
    # A drawn case has another index where it is named.
    touchstone list 'dml.slice1:draw*' | sed -n '7p' >id
    expect 0 touchstone run -q -b cpu 'dml.slice1:draw*' --require "$(cat id)" -o drawn.run
    expect 2 touchstone run -q -b cpu dml.slice1:examples --require "$(cat id)" -o other.run
    holds out '^1 of 1 case required by .* is absent: not tried: dml.slice1'
    refuses 64 'there is no operator' -- touchstone run -q -b cpu --require dml.slice7
    refuses 64 'do not go together' -- touchstone run -q -b cpu --require dml.slice1 --budget 1s
}

# A backend that fails when it is asked whether it supports a class must not pass for one that does not offer it.
test_a_failing_query_is_no_refusal() {
    local answer
    command -v cc >/dev/null || skip "no compiler here"
    for answer in 'TS_ERROR;the backend returned TS_ERROR when it was asked whether it supports such cases\.' \
        '(ts_status)77;the backend returned the status 77, which the header does not declare, when it was asked'; do
        sed "/^static ts_status example_query(/,/^}/s/return TS_OK;/return ${answer%%;*};/" \
            "$TOUCHSTONE_ROOT/backends/example/example.c" >failing.c
        cc -std=c11 -shared -fPIC -fvisibility=hidden -I "$TOUCHSTONE_ROOT" -o failing.so failing.c
        rm -f failing.run
        expect 1 touchstone run -q -b ./failing.so --shrink 0 'dml.element_wise_identity:examples where dtype == f32' \
            -o failing.run
        holds out '^Not conformant: ' '^ *lost +11$' "${answer#*;}"
    done
}

# The specification leaves this case open: that nothing failed is no success.
# Queries of many classes, behind calls that leave something bad behind: neither they nor their cases are to blame.
test_what_a_call_leaves_behind_blames_no_query() {
    local backends=$prefix/../backends act digest=
    [ -f "$backends/hostile.so" ] || skip "there is no $backends/hostile.so"
    for act in leave-pointer leave-exit; do
        rm -f left.run
        expect 0 touchstone run -q -b "$backends/hostile.so" --backend-opt "inner=$backends/cpu.so" --backend-opt "act=$act" \
            --backend-opt every=20 -j 3 --shrink 0 -o left.run dml.slice1 dml.gather dml.join
        holds out '^planned [0-9]+, ran [0-9]+, passed [0-9]+, failed 0, '
        [ -z "$digest" ] || [ "$digest" = "$(grep '^digest' out)" ] || fail "$act: another digest"
        digest=$(grep '^digest' out)
    done
}

# In Touchstone's own process, whose status would be the backend's.
test_a_backend_that_exits_ends_nothing_with_0() {
    local tests=$prefix/../tests where
    [ -f "$tests/hostile_begin.so" ] || skip "there is no $tests/hostile_begin.so"
    for where in open query close; do
        cp "$tests/hostile_begin.so" "exit-$where.so"
        refuses 3 'the backend ended the program' -- touchstone run -j 0 -b "./exit-$where.so" dml.slice1:examples -o "$where.run"
        refuses 3 'the backend ended the program' -- touchstone plan -b "./exit-$where.so" dml.slice1:examples
    done
}

# The test has more than 256 classes.
test_a_run_ends_where_each_query_fails() {
    local tests=$prefix/../tests
    [ -f "$tests/hostile_begin.so" ] || skip "there is no $tests/hostile_begin.so"
    cp "$tests/hostile_begin.so" crash-query.so
    expect 1 timeout 120 touchstone run -q -b ./crash-query.so -j 2 --shrink 0 dml.gather:drawn -o many.run
    holds out '^  crash +[1-9]'
}

# One finding stands for all cases of a class in a test, whatever the workers and the shards.
test_a_query_that_fails_is_one_finding_of_its_class() {
    local tests=$prefix/../tests workers query=dml.slice1:pairwise
    [ -f "$tests/hostile_begin.so" ] || skip "there is no $tests/hostile_begin.so"
    cp "$tests/hostile_begin.so" crash-query.so
    for workers in 1 3; do
        expect 1 touchstone run -q -b ./crash-query.so -j $workers --shrink 0 $query dml.slice1:drawn -o "$workers.run"
        holds out '^  crash +[1-9]'
        touchstone report "$workers.run" --json "$workers.json" --csv "$workers.csv" --junit "$workers.xml" >/dev/null
    done
    cmp -s 1.csv 3.csv || fail "the findings depend on the number of workers"
    touchstone lua "$check" 1.json \
        '(function() local n, seen = {}, {}
          for _, f in ipairs(r.findings) do
            n[f.test] = (n[f.test] or 0) + f.stands_for
            local key = f.test .. f.class
            if seen[key] or not f.detail:find("was executed: " .. f.stands_for .. ".", 1, true) then return false end
            seen[key] = true
          end
          for _, t in ipairs(r.tests) do if n[t.name] ~= t.failed or t.ran ~= t.planned then return false end end
          return true end)()'
    expect 1 touchstone status 1.run
    holds 1.xml 'further cases fail: ran '
    for workers in 1 2 3; do
        expect 1 touchstone run -q -b ./crash-query.so --shard $workers/3 --shrink 0 $query dml.slice1:drawn \
            -o "s$workers.run"
    done
    expect 1 touchstone merge m.run s1.run s2.run s3.run
    holds out "^digest +$(touchstone report 1.run | awk '/^digest/ { print $2 }')\$"
    touchstone report m.run --json m.json >/dev/null
    touchstone lua "$check" m.json \
        '(function() local n = 0
          for _, f in ipairs(r.findings) do n = n + f.stands_for end
          return n == r.total.failed end)()'
}

test_a_run_that_judges_nothing() {
    expect 2 touchstone run -q -b cpu openvino.strided_slice:examples:example=b7-ellipsis-new-axis -o open.run
    holds out '^Not conformant: nothing was judged' '^nothing was judged: ' '^not conformant$' 'ambiguous 1'
    expect 0 touchstone report open.run --json open.json --junit open.xml
    touchstone lua "$check" open.json 'r.outcome == "nothing"'
    holds open.xml 'errors="1"'
}

# The specification does not determine sums of floats to the bit. They are executed, and make nothing green.
test_a_data_type_that_is_not_judged() {
    local unjudged='dml.cumulative_summation:unjudged where rank == 1' id=dml.cumulative_summation:examples:example=order
    expect 2 touchstone run -q -b cpu "$unjudged" -o none.run
    holds out '^Not conformant: nothing was judged' '^nothing was judged: ' '^not conformant$' 'passed 0, failed 0, not-judged [0-9]+'
    expect 0 touchstone report none.run --json none.json --junit none.xml --csv none.csv --html none.html
    touchstone lua "$check" none.json 'r.outcome == "nothing"' 'r.total.verdicts["not-judged"] == r.total.ran' \
        '#r.scope.judged == 0' '#r.scope.not_judged[1].dtypes == 2' 'r.total.verdicts.pass == 0'
    holds none.xml 'errors="1" skipped="1"' '<skipped message="ran [0-9]+ of [0-9]+ planned; not-judged [0-9]+"/>'
    holds none.csv ',not-judged,'
    holds none.html '>Not judged</th>'
    expect 2 touchstone compare none.run none.run
    # Values do not count, in one execution; all other faults do.
    expect 2 touchstone run -q -b faulty --backend-opt fault=vector-tail "$unjudged"
    expect 1 touchstone run -q -b faulty --backend-opt fault=write-past-end --shrink 0 "$unjudged"
    holds out 'wrote-outside'
    expect 1 touchstone run -q -b faulty --backend-opt fault=input-modified --shrink 0 "$unjudged"
    holds out 'modified-input'
    # Beside judged types, the scope names these; what was refused of them does not make them judged.
    expect 0 touchstone run -q -b cpu dml.cumulative_summation -o all.run
    holds out '^dml.cumulative_summation, 4 of 6 data types: conformant .* Not judged: f16 and f32\.' '^conformant in what was run'
    expect 0 touchstone status all.run
    holds out 'Not judged: f16 and f32\.'
    expect 0 touchstone diff all.run all.run
    expect 0 touchstone report all.run --json all.json
    touchstone lua "$check" all.json 'r.outcome == "conformant"' '#r.scope.judged[1].dtypes == 4' \
        'r.scope.not_judged[1].dtypes[2] == "f32"'
    expect 0 touchstone show "$id"
    holds out 'not judged: the specification does not determine the results of FLOAT32 to the bit'
    expect 0 touchstone show --json "$id"
    holds out '"expect": "open"'
    cp out order.json
    expect 0 touchstone eval order.json
    holds out 'not judged: the specification does not determine the results of FLOAT32 to the bit'
    expect 0 touchstone eval --json order.json
    touchstone lua "$check" out 'r[1].judged == false'
    expect 0 touchstone explain "$id"
    holds out 'Each sum is rounded'
}

test_a_part_has_its_own_digest() {
    touchstone run -b cpu dml.slice1:examples -o a.run >a
    touchstone run -b cpu dml.gather:examples -o b.run >b
    ! diff <(grep ^digest a) <(grep ^digest b) >/dev/null || fail "two different runs have one digest"
    touchstone run -b cpu dml.slice1:special -o c.run >c
    diff <(grep ^suite a) <(grep ^suite c) || fail "the suite of one operator has two digests"
    ! diff <(grep ^suite a) <(grep ^suite b) >/dev/null || fail "the suites of two operators have one digest"
}

# A case file of a user's own: its covering rows are kept in the cache, and nothing that lies there changes its cases.
test_the_cache_changes_no_case() {
    local file where
    cp -r "$cases" own
    sed -i 's/length = { 64, 7, 33 }/length = { 64, 7, 34 }/' own/dml/random_generator.lua
    export TOUCHSTONE_CASES=$PWD/own
    XDG_CACHE_HOME=$PWD/cache expect 0 touchstone list dml.random_generator:pairwise
    mv out wanted
    [ "$(wc -l <wanted)" -gt 1000 ] || fail "few cases"
    file=$(find cache/touchstone -name '*.rows')
    if [ ! -s "$file" ]; then fail "not one file: '$file'"; fi
    XDG_CACHE_HOME=$PWD/cache expect 0 touchstone list dml.random_generator:pairwise
    cmp out wanted || fail "the kept rows are others"
    for where in "printf x >>'$file'" ": >'$file'" "head -c 500 /dev/urandom >'$file'" "rm '$file'; mkfifo '$file'" \
        "rm -f '$file'; ln -s /dev/zero '$file'" "chmod 777 '$file'" "rm -rf cache; mkdir -m 500 cache" \
        "rm -rf cache; : >cache"; do
        eval "$where"
        XDG_CACHE_HOME=$PWD/cache expect 0 touchstone list dml.random_generator:pairwise
        cmp out wanted || fail "after: $where"
    done
    rm -rf cache
    HOME=/nonexistent expect 0 env -u XDG_CACHE_HOME touchstone list dml.random_generator:pairwise
    cmp out wanted || fail "without a home"
    expect 0 env -u HOME -u XDG_CACHE_HOME touchstone list dml.random_generator:pairwise
    cmp out wanted || fail "without HOME"
    XDG_CACHE_HOME=/dev/full/x expect 0 touchstone list dml.random_generator:pairwise
    for where in 1 2 3 4; do # all at once
        XDG_CACHE_HOME=$PWD/cache touchstone list dml.random_generator:pairwise >out.$where &
    done
    wait
    for where in 1 2 3 4; do
        cmp out.$where wanted || fail "one of several at once"
    done
    [ "$(find cache -type f | wc -l)" = 1 ] || fail "files are left: $(find cache -type f)"
}

test_a_missing_backend_is_refused_at_once() {
    expect 64 touchstone run -b nosuch
    holds err "there is no backend 'nosuch'"
    expect 64 timeout 1 touchstone run -b nosuch --tier exhaustive
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

test_a_query_that_selects_nothing() {
    refuses 2 'nothing|no case' -- touchstone run -b cpu 'dml.slice1:special where each(stride == 1000)' -o x.run
    refuses 2 'nothing|no case' -- touchstone list 'dml.slice1:special where each(stride == 1000)'
    refuses 2 'nothing|no case' -- touchstone plan 'dml.slice1:special where each(stride == 1000)'
    refuses 2 'nothing|no case' -- touchstone run -b cpu --feature-level 1_0 'dml.slice1:special where dtype == f64' -o x.run
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

# --html writes the report that `report --html` writes, and refuses what that refuses before the first case.
test_writes_a_report_as_well() {
    expect 1 touchstone run -b faulty --backend-opt fault=reverse-start dml.slice1:examples -o f.run --html f.html
    expect 0 touchstone report f.run --html other.html
    cmp f.html other.html || fail 'run --html and report --html differ'
    echo old >old.html
    expect 0 touchstone run -b cpu dml.slice1:examples -o c.run --html old.html
    holds old.html '<!DOCTYPE html>'
    cp "$prefix/lib/touchstone/backends/cpu.so" mine.so
    refuses 64 '--output and --html both write' -- touchstone run -b cpu dml.slice1:examples -o x.run --html ./x.run
    refuses 64 'never overwritten' -- touchstone run -b cpu dml.slice1:examples -o x.run --html c.run
    refuses 64 'a file that this command reads' -- touchstone run -b ./mine.so dml.slice1:examples -o x.run --html mine.so
    refuses 64 'name of a file' -- touchstone run -b cpu dml.slice1:examples -o x.run --html -
    refuses 64 'nowhere' -- touchstone run -b cpu dml.slice1:examples -o x.run --html nowhere/x.html
    mkdir folder
    refuses 64 'is a directory' -- touchstone run -b cpu dml.slice1:examples -o x.run --html folder
    cmp mine.so "$prefix/lib/touchstone/backends/cpu.so"
    expect 2 touchstone run -b cpu "dml.slice1:examples where 1 == 2" -o none.run --html none.html
    [ ! -e none.html ] || fail 'a report of no run'
}

test_full_disk() {
    on_a_small_disk full_disk
}

# QUERY...: exactly the cases fail that crash, hang, leak or write outside of their buffers.
find_the_storm() {
    local f
    for f in storm storm-marked; do
        expect 1 touchstone run -b faulty --backend-opt fault=process-$f --max-findings 100000 --time-limit 100ms \
            "$@" -o $f.run
        touchstone report $f.run --json $f.json
    done
    touchstone lua "$check" storm.json 'r.total.planned == r.total.ran' 'r.total.failed == #r.findings'
    same_findings storm.json storm-marked.json
}

test_storm_has_the_planted_findings() {
    find_the_storm dml.element_wise_identity:pairwise dml.slice1:pairwise
}

slow_storm_in_four_operators() {
    find_the_storm dml.element_wise_identity:pairwise dml.slice1:pairwise dml.gather:pairwise \
        openvino.strided_slice:pairwise
}

test_workers_are_bounded() {
    expect 1 touchstone run -b faulty --backend-opt fault=process-always --max-losses 10 dml.slice1:pairwise -o a.run
    holds err 'given up: 10 cases in a row ended the backend'
    holds out 'tests were given up'
    refuses 64 '--time-limit' -- touchstone run -b cpu --time-limit soon -o x.run
    refuses 64 '--memory-limit' -- touchstone run -b cpu --memory-limit 4GB -o x.run
    refuses 64 '--jobs' -- touchstone run -b cpu -j -1 -o x.run
    refuses 64 '--max-losses' -- touchstone run -b cpu --max-losses few -o x.run
}

# A cause says in its heading what is wrong, and what else its queries hold.
test_causes_tell_apart_what_fails_otherwise() {
    expect 1 touchstone run -q -b faulty --backend-opt fault=write-past-end dml.gather:drawn_after "$written_to_guard" \
        -o a.run
    holds out '^cause 1: memory outside of the outputs is written in [0-9,]+ cases of dml\.gather$' \
        '^  holds all of these cases and 1 other, which fails and belongs to another cause$' \
        '^cause 2: the process ends in 1 case of dml\.gather$' \
        '^  holds this case and [0-9,]+ others, which fail and belong to another cause$'
    touchstone report a.run --json a.json
    touchstone lua "$check" a.json 'r.causes[2].otherwise == r.causes[1].cases' 'r.causes[1].neither == 0'
    expect 1 touchstone run -q -b faulty --backend-opt fault=input-modified dml.slice1:examples -o b.run
    holds out '^cause 1: an input is changed in'
}

run_tests "$@"

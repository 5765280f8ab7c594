#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone report: the formats, and what is no run.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# Where workers report in another order, the table is the same.
test_csv_of_equal_runs_is_equal() {
    local j
    for j in 1 4; do
        expect 1 touchstone run -q -j $j -b faulty --backend-opt fault=vector-tail --shrink 0 dml.slice1:examples dml.slice1:pairwise -o $j.run
        expect 0 touchstone report $j.run --csv $j.csv
    done
    holds 1.csv '^finding,.*,1,dml'
    cmp 1.csv 4.csv
}

# What a backend says of itself and of its failures cannot turn the text around it, on a page or on a terminal.
test_nothing_changes_the_direction_of_writing() {
    command -v cc >/dev/null || skip "no compiler here"
    sed 's/sizeof info->version, "1")/sizeof info->version, "1\\xE2\\x80\\xAE" "2")/
        s/^static ts_status example_open/static const ts_host *told;\n&/
        s/^    self.host = host;/&\n    told = host;/
        s/    if (!packed(in) || !packed(out))/    if (in->rank == 1) {\n        told->note(told->context, "no\\xE2\\x80\\xAE" "te");\n        return TS_ERROR;\n    }\n&/' \
        "$TOUCHSTONE_ROOT/backends/example/example.c" >bidi.c
    cc -std=c11 -shared -fPIC -fvisibility=hidden -I "$TOUCHSTONE_ROOT" -o bidi.so bidi.c
    expect 1 touchstone run -q -b ./bidi.so dml.element_wise_identity:pairwise -o b.run
    holds out 'no\\u202ete'
    cp out run.txt
    expect 0 touchstone report b.run --html b.html --junit b.xml --csv b.csv --markdown b.md
    holds b.html '1\\u202e2' 'no\\u202ete'
    holds b.xml 'no\\u202ete'
    touchstone report b.run >report.txt
    ! LC_ALL=C grep -laF "$(printf '\342\200\256')" b.html b.xml b.csv b.md run.txt report.txt || fail 'U+202E is as it was'
}

test_all_formats() {
    local planned
    touchstone run -b faulty --backend-opt fault=vector-tail dml.slice1:examples dml.gather:examples -o f.run >/dev/null &&
        fail "vector-tail is not found"
    expect 0 touchstone report f.run
    holds out '^backend ' '^digest ' '^Not conformant: ' '^planned [0-9]+, ran [0-9]+, passed [0-9]+, failed [0-9]+.*  [(][0-9.]+ s' \
        '^  mismatch +[0-9]+$' '^cause 1: the output differs in ' '^  touchstone explain ' \
        "^'touchstone report f.run --html FILE' shows all causes and findings"
    expect 0 touchstone report f.run --html f.html --csv f.csv --junit f.xml --json f.json
    [ ! -s out ] || fail "it writes to standard output: $(head -n 1 out)"
    touchstone lua "$check" f.json 'r.outcome == "failures"' '#r.findings == r.total.failed' '#r.clauses > 10' \
        'r.run.backend == "faulty"' 'r.run.backend_options == "fault=vector-tail"'
    touchstone lua "$check" f.json '#r.causes == 2 and r.causes_unknown == null' 'r.causes[1].kind == "differs"' \
        'r.causes[1].cases + r.causes[2].cases == r.total.failed' 'r.causes[1].missed + r.causes[1].others == 0' \
        'print(r.causes[1].command) return true' >cause.line
    expect 1 sh -c "$(cat cause.line) -q -o cause.run" # the cases of the cause, and no other
    touchstone report cause.run --json cause.json
    touchstone lua "$check" cause.json 'not r.total.verdicts.pass or r.total.verdicts.pass == 0' 'print(r.total.failed) return true' >failed
    touchstone lua "$check" f.json "r.causes[1].cases == $(cat failed)"
    holds f.html '<section id="causes"' '>Causes</h2>'
    holds f.html '^<!DOCTYPE html>' '</html>' '<h3 id="parameters">' 'the example: of the published page'
    ! grep -Eio '(src|href)="?(https?:)?//[^"> ]*' f.html | grep -iv '^href' || fail "the page loads something"
    holds f.xml '^<\?xml' '<testsuites' '<failure' '</testsuites>'
    planned=$(touchstone lua "$check" f.json 'print(r.total.planned) or true')
    [ "$(awk -F, '$1 == "cases" { sum += $7 } END { print sum }' f.csv)" = "$planned" ] ||
        fail "the CSV's cases do not add up to the $planned that were planned"
    touchstone report f.run --json - >piped.json
    cmp f.json piped.json
}

# Servers count the cases of JUnit: each failure is one of them, listed with its finding or as one of the further ones.
test_junit_counts_each_failure_once() {
    ! sabotage reverse-start f.run dml.slice1:examples dml.gather:examples || fail "the fault is not found"
    touchstone report f.run --json f.json --junit f.xml
    touchstone lua "$check" f.json 'print(r.total.failed) return true' >failed
    [ "$(grep -c '<failure ' f.xml)" = "$(cat failed)" ] || fail "$(cat failed) failing cases, but $(grep -c '<failure ' f.xml) failures"
    holds f.xml "<testsuites name=\"touchstone\" tests=\"[0-9]+\" failures=\"$(cat failed)\"" \
        '<testcase classname="dml.gather" name="examples">'
    ! grep -q '<testcase classname="dml.slice1" name="examples">' f.xml || fail "the test is a case beside its findings"
    ! sabotage reverse-start few.run --max-findings 3 dml.slice1:examples || fail "the fault is not found"
    touchstone report few.run --junit few.xml
    holds few.xml 'tests="4" failures="4"' 'message="19 further cases fail: ran 110 of 110 planned; pass 77; mismatch 22[^"]*"'
}

# A process that ends and a call that does not answer are two causes, each with cases of its own verdict.
test_symptoms_are_causes_of_their_own() {
    expect 1 touchstone run -b faulty --backend-opt fault=process-storm --time-limit 100ms \
        'dml.element_wise_identity:pairwise where dtype in {f32, f16, u8}' -o s.run
    holds out '^cause [0-9]: the process ends in ' '^cause [0-9]: the backend does not answer within the time limit in '
    touchstone report s.run --json s.json
    touchstone lua "$check" s.json 'local kinds = { crash = "ended", hang = "hung", ["wrote-outside"] = "differs" }
        local cases = {}
        for _, c in ipairs(r.causes) do
            if kinds[c.verdict] ~= c.kind then return false end
            cases[c.verdict] = (cases[c.verdict] or 0) + c.cases
        end
        for verdict in pairs(kinds) do
            if cases[verdict] ~= r.total.verdicts[verdict] then return false end
        end
        return true'
}

# In a workflow of GitHub: annotations are lines of standard output, and nothing that a backend is called ends a line or
# a property early. The job summary keeps what is there.
test_github() {
    local lines
    ! sabotage reverse-start f.run dml.slice1:special dml.slice1:examples || fail "the fault is not found"
    echo 'before' >summary.md
    expect 0 env GITHUB_STEP_SUMMARY="$PWD/summary.md" touchstone report f.run --github
    holds out '^::error title=Touchstone::Not conformant: dml' '^::error title=dml[.]slice1%3A the output differs in [0-9]+(%2C[0-9]+)* cases?::' \
        '%0Adml[.]slice1:' '%0Atouchstone run .* -b faulty .*%0Atouchstone explain '
    lines=$(wc -l <out)
    [ "$(grep -c '^::error title=[^:,]*::' out)" = "$lines" ] || fail "a line is no annotation: $(cat out)"
    [ "$lines" -le 10 ] || fail "$lines annotations; GitHub shows ten"
    holds summary.md '^before$' '^## Touchstone: not conformant$' '^\| dml\.slice1 \| [0-9,]+ \| [0-9,]+ \| ' \
        '^### dml\.slice1: the output differs in ' '^```sh$' '^touchstone explain '
    expect 0 env -u GITHUB_STEP_SUMMARY touchstone report f.run --markdown f.md --github
    [ "$(sed 1d summary.md)" = "$(cat f.md)" ] || fail "--markdown writes another page than --github"
    refuses 64 'GITHUB_STEP_SUMMARY' 'a run or a history|reads' -- \
        env GITHUB_STEP_SUMMARY=f.run touchstone report f.run --github
    refuses 64 '--json and --github both write to -' -- env -u GITHUB_STEP_SUMMARY touchstone report f.run --github --json -
    expect 64 env GITHUB_STEP_SUMMARY=nowhere/summary.md touchstone report f.run --github
    holds err 'nowhere/summary.md'
    expect 3 env GITHUB_STEP_SUMMARY=/dev/full touchstone report f.run --github
    holds err '/dev/full: .*(disk is full|No space left)'
    expect 0 touchstone run -q -b cpu dml.slice1:examples -o c.run
    expect 0 env -u GITHUB_STEP_SUMMARY touchstone report c.run --github
    [ "$(grep -c '^::notice title=Touchstone::' out)" = "$(wc -l <out)" ] || fail "an annotation of what is conformant: $(cat out)"
}

# The action's script with the environment of a runner.
test_github_action() {
    local folder=$TOUCHSTONE_ROOT/scripts/github-action
    mkdir runner
    local given=(env GITHUB_STEP_SUMMARY="$PWD/summary.md" GITHUB_OUTPUT="$PWD/outputs" RUNNER_TEMP="$PWD/runner"
        INPUT_PREFIX="$prefix" INPUT_QUERIES=$'dml.slice1:examples\n\ndml.slice1:special where dtype == f16'
        INPUT_OUTPUT=report)
    local run=(bash "$folder/run.sh")
    expect 0 "${given[@]}" INPUT_BACKEND=cpu "${run[@]}"
    holds out '^::notice title=Touchstone::dml'
    holds outputs '^status=0$'
    holds summary.md '^## Touchstone: conformant'
    local file
    for file in run html xml; do
        [ -s "report/touchstone.$file" ] || fail "there is no report/touchstone.$file"
    done
    expect 1 "${given[@]}" INPUT_BACKEND=faulty INPUT_BACKEND_OPTIONS=fault=reverse-start "${run[@]}"
    holds out '^::error title=Touchstone::Not conformant: dml'
    holds outputs '^status=1$'
    expect 64 "${given[@]}" INPUT_BACKEND=none-such "${run[@]}"
    holds out '^::error title=Touchstone::The run did not begin'
    expect 64 "${given[@]}" INPUT_BACKEND= "${run[@]}"
    expect 64 "${given[@]}" INPUT_BACKEND=cpu INPUT_PREFIX="$PWD/nowhere" "${run[@]}"
}

# action.yml is YAML, has the keys of a composite action, and every input reaches the script.
test_github_action_file() {
    local python=
    for python in python3 /usr/bin/python3 ''; do
        [ -z "$python" ] || ! "$python" -c 'import yaml' 2>/dev/null || break
    done
    [ -n "$python" ] || skip "no Python with the module yaml"
    "$python" - "$TOUCHSTONE_ROOT/scripts/github-action" <<'PY' || fail "action.yml is no composite action"
import re, sys, yaml
folder = sys.argv[1]
action = yaml.safe_load(open(folder + "/action.yml", encoding="utf-8"))
assert set(action) == {"name", "description", "inputs", "outputs", "runs"}, set(action)
assert action["runs"]["using"] == "composite"
for name, about in action["inputs"].items():
    assert set(about) <= {"description", "required", "default"} and about["description"], name
    assert about.get("required") or isinstance(about.get("default"), str), name
[step] = action["runs"]["steps"]
assert step["shell"] == "bash" and step["id"] == "run" and step["run"].endswith('/run.sh"')
given = {"INPUT_" + name.upper().replace("-", "_"): "${{ inputs.%s }}" % name for name in action["inputs"]}
assert step["env"] == given, step["env"]
read = set(re.findall(r"INPUT_[A-Z_]+", open(folder + "/run.sh", encoding="utf-8").read()))
assert read == set(given), read ^ set(given)
PY
}

# A report takes the place of an older one, but never of its own run, nor of another report of the same command.
test_never_overwrites_a_run() {
    expect 0 touchstone run -b cpu dml.slice1:examples -o x.run
    cp x.run before
    refuses 64 'a file that this command reads' -- touchstone report x.run --html x.run
    refuses 64 'a file that this command reads' -- touchstone report x.run --json ./x.run
    ln x.run y.run
    refuses 64 'a file that this command reads' -- touchstone report x.run --csv y.run
    refuses 64 '--html and --csv' -- touchstone report x.run --html a --csv "$PWD/a"
    cmp x.run before || fail "the run is no longer what it was"
    echo old >a.html
    expect 0 touchstone report x.run --html a.html
    holds a.html '<!DOCTYPE html>'
}

test_refuses_what_is_no_run() {
    refuses 64 'absent.run' -- touchstone report absent.run
    echo 'hello' >text.run
    refuses 64 'text.run' -- touchstone report text.run
    : >empty.run
    refuses 64 'empty.run' -- touchstone report empty.run
    mkdir folder.run
    refuses 64 'folder.run' -- touchstone report folder.run
    touchstone run -b cpu dml.slice1:special -o whole.run >/dev/null
    head -c 6000 whole.run >cut.run
    refuses 3 'cut.run' 'damaged' -- touchstone report cut.run --json -
    sed 's/SQLite format 3/SQLite format 9/' whole.run >foreign.run
    refuses 64 'foreign.run' -- touchstone report foreign.run
    if [ "$(id -u)" != 0 ]; then
        chmod 0 text.run
        refuses 64 'text.run' 'ermission' -- touchstone report text.run
    fi
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

test_full_disk() {
    touchstone run -b faulty --backend-opt fault=first-element dml.slice1:special -o big.run >/dev/null || true
    on_a_small_disk full_disk_report
}

# Every question that docs/formats.md asks with sqlite3.
test_questions_of_the_readme() {
    local readme=$TOUCHSTONE_ROOT/docs/formats.md asked=0 question
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

# Every cause has a case, also where more than a hundred findings of the same test come first that ended in another way.
test_every_cause_has_a_case() {
    expect 1 touchstone run -q -b faulty --backend-opt fault=write-past-end dml.gather:drawn_after "$written_to_guard" \
        --tier quick --shrink 0 -o two.run
    touchstone report two.run --json two.json
    touchstone lua "$check" two.json '#r.causes == 2' 'r.causes[2].kind == "ended"' \
        'for _, c in ipairs(r.causes) do if type(c.case) ~= "string" then error("a cause without a case") end end
         return true'
}

# Where the cases have changed since the run, the report says why it has no causes, and prints findings.
test_says_why_there_are_no_causes() {
    expect 1 touchstone run -q -b faulty --backend-opt fault=reverse-start dml.slice1:examples --shrink 0 -o changed.run
    cp -r "$cases" suite
    echo "local more = 1" >>suite/dml/slice1.lua
    TOUCHSTONE_CASES=$PWD/suite expect 0 touchstone report changed.run
    holds out '^no causes: dml\.slice1: the run was made with another suite' '^mismatch dml\.slice1:examples:'
}

# Tests of which a run has no case do not pass.
test_tests_without_cases_do_not_pass() {
    expect 0 touchstone run -q -b cpu dml.slice1 -l 2_1 -o b.run
    touchstone report b.run --html b.html --junit b.xml
    holds b.html '[0-9]+ tests pass: [0-9,]+ cases[^;]*; [0-9]+ tests have no case in this run</summary>'
    holds b.xml 'no case is planned'
    expect 0 touchstone resume b.run
    holds err 'b\.run is complete: no case is left to run'
    expect 0 touchstone status b.run
    holds out ', [0-9.]+( [kM])? cases/s, '
}

run_tests "$@"

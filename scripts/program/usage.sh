#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line: help, wrong usage, output that cannot be written.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# The verbs, one a line.
verbs() {
    touchstone --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

test_help() {
    local verb
    expect 0 touchstone -h
    cp out help
    expect 0 touchstone --help
    cmp help out || fail '-h and --help differ'
    expect 0 touchstone help
    cmp help out || fail 'help and --help differ'
    while read -r verb; do
        expect 0 touchstone "$verb" --help
        holds out "^Usage: touchstone $verb" 'Exit status: ' '^ +-h, --help +print this text$'
        [ ! -s err ] || fail "$verb --help writes to standard error"
        cp out long
        expect 0 touchstone "$verb" -h
        cmp long out || fail "$verb -h and --help differ"
        expect 0 touchstone help "$verb"
        cmp long out || fail "help $verb and $verb --help differ"
        refuses 64 "^touchstone $verb: unknown option '--no-such-option'" -- touchstone "$verb" --no-such-option
    done < <(verbs)
    for verb in run list plan show eval report diff compare waive status history backends lua; do
        holds help "^  $verb "
    done
    expect 64 touchstone
    holds err '^Usage: '
}

# An option has its short form in each verb, and the help says so.
test_short_options() {
    local verb letter long
    while read -r verb; do
        expect 0 touchstone "$verb" --help
        for long in l:feature-level p:profile o:output q:quiet j:jobs b:backend h:help; do
            letter=${long%%:*} long=${long#*:}
            ! grep -Eq "^ +--${long}[ =]" out || fail "$verb has --$long without -$letter"
            ! grep -Eq "^  -$letter, " out || holds out "^  -$letter, --$long"
        done
    done < <(verbs)
    expect 0 touchstone run -q -j1 -l 4_1 -b cpu dml.slice1:examples -o short.run
    expect 0 touchstone run -p numpy -b cpu openvino.strided_slice:examples -o numpy.run
    expect 0 touchstone plan -b cpu -l 4_1 dml.slice1:examples
    expect 0 touchstone compare -q -j1 -l 4_1 -p openvino -b cpu -b cpu --as again dml.slice1:examples
    expect 0 touchstone show -p numpy openvino.strided_slice:examples:example=1
    expect 0 touchstone shrink -l 4_1 -p openvino dml.slice1:examples:example=2 -b faulty \
        --backend-opt fault=reverse-start
}

test_version() {
    expect 0 touchstone --version
    cp out version
    holds out '^touchstone [0-9]+\.[0-9]+\.[0-9]+$' '^commit +([0-9a-f]{12}|unknown: )' '^plugin interface +[0-9]+$' \
        '^suite +[0-9a-f]{32}$'
    expect 0 touchstone -V
    cmp version out || fail '-V and --version differ'
    expect 0 touchstone run -b cpu '*:examples' -o v.run # of each operator
    holds version "$(sed -n 's/^suite  *//p' out)"
    # Without case files, the rest is printed all the same.
    expect 0 env TOUCHSTONE_CASES=nowhere touchstone --version
    holds out '^touchstone ' '^suite +unknown: .*nowhere'
}

# Where the commit of --version comes from: git in a checkout, commit.txt in a source archive.
test_commit() {
    command -v cmake >/dev/null || skip 'no cmake'
    # FOLDER PATTERN: what the header says that is made for this source folder.
    says() {
        cmake -DSOURCE="$PWD/$1" -DHEADER="$PWD/commit.h" -P "$TOUCHSTONE_ROOT/harness/cli/commit.cmake"
        holds commit.h "^#define TOUCHSTONE_COMMIT \"$2\"\$"
    }
    mkdir -p archive/harness/cli
    # shellcheck disable=SC2016
    echo '$Format:%H$' >archive/harness/cli/commit.txt # as it is in the repository
    says archive 'unknown: .*no git checkout'
    cp -p commit.h before.h
    says archive 'unknown: .*'
    [ ! commit.h -nt before.h ] || fail 'an unchanged header is written again'
    echo 0123456789abcdef0123456789abcdef01234567 >archive/harness/cli/commit.txt
    says archive 0123456789ab
    command -v git >/dev/null || skip 'no git'
    git init -q . # a checkout around the folder is not the one that it was made from
    says archive 0123456789ab
    git -C archive init -q .
    git -C archive add .
    git -C archive -c user.name=a -c user.email=a@b commit -qm first
    says archive "$(git -C archive rev-parse --short=12 HEAD)"
    echo changed >archive/harness/cli/commit.txt
    says archive '[0-9a-f]{12} with local changes'
}

test_topics() {
    local topic
    for topic in queries tiers verdicts ids; do
        expect 0 touchstone help "$topic"
        holds out '^Examples:$'
        [ "$(wc -L <out)" -le 120 ] || fail "help $topic has long lines"
    done
    for topic in $(touchstone help verdicts | sed -n 's/^  \([a-z-]*\)   *[a-z].*/\1/p'); do
        echo "$topic"
    done >listed
    for topic in pass mismatch rejected-valid accepted-invalid wrote-outside read-outside modified-input \
        nondeterministic crash hang lost ambiguous waived unsupported not-judged; do
        grep -qx "$topic" listed || fail "help verdicts does not explain $topic"
    done
}

test_suggestions() {
    refuses 64 "no verb 'rnu' \(did you mean 'run'\?\)" -- touchstone rnu
    refuses 64 "'verdict' \(did you mean 'verdicts'\?\)" -- touchstone help verdict
    refuses 64 "'--tir' \(did you mean '--tier'\?\)" -- touchstone run -b cpu --tir quick
    refuses 64 "'-tier' \(did you mean '--tier'\?\)" -- touchstone run -b cpu -tier quick
    refuses 64 "'ful' \(did you mean 'full'\?\)" -- touchstone run -b cpu --tier ful
    refuses 64 "'nunpy' \(did you mean 'numpy'\?\)" -- touchstone run -b cpu -p nunpy
    refuses 64 "'fautly' \(did you mean 'faulty'\?\)" -- touchstone run -b fautly
    refuses 64 "reverse-strat \(did you mean 'reverse-start'\?\)" -- \
        touchstone run -b faulty --backend-opt fault=reverse-strat dml.slice1:examples -o x.run
    refuses 64 "'dml.slise1' \(did you mean 'dml.slice1'\?\)" -- touchstone list dml.slise1
    refuses 64 "'exampels' \(did you mean 'examples'\?\)" -- touchstone list dml.slice1:exampels
    refuses 64 "'strid' \(did you mean 'stride'\?\)" -- touchstone show dml.slice1:special:strid=1
    refuses 64 "'f61' .*\(did you mean 'f16'\?\)" -- touchstone show dml.slice1:special:dtype=f61
    refuses 64 "'strid' \(did you mean 'stride'\?\)" -- touchstone list 'dml.slice1:special where any(strid < 0)'
    refuses 64 "'f61' .*\(did you mean 'f16'\?\)" -- touchstone list 'dml.slice1:special where dtype == f61'
}

test_color() {
    local escape=$'\033'
    expect 0 touchstone help ids
    ! grep -q "$escape" out || fail 'colours in a file'
    expect 0 touchstone --color always help ids
    holds out "^$escape\\[1mIds:$escape\\[0m"
    expect 0 touchstone help --color=always ids
    holds out "$escape"
    expect 1 touchstone run --color always -b faulty --backend-opt fault=reverse-start dml.slice1:examples -o c.run
    holds out "$escape\\[1;31mmismatch" "$escape\\[1;31mnot conformant"
    expect 0 touchstone report c.run --color always --json c.json --csv c.csv --html c.html
    ! grep -q "$escape" c.json c.csv c.html || fail 'colours in a report'
    refuses 64 "expected auto, always or never" -- touchstone run --color blue -b cpu
    command -v script >/dev/null || skip 'no script(1), which has a terminal'
    # COMMAND...: are there colours on a terminal?
    is_colored() {
        script -qec "$*" /dev/null >shown </dev/null
        grep -q "$escape" shown
    }
    export TERM=xterm
    unset NO_COLOR
    is_colored touchstone help ids || fail 'no colours on a terminal'
    ! is_colored touchstone --color never help ids || fail 'colours with never'
    NO_COLOR='' is_colored touchstone help ids || fail 'an empty NO_COLOR counts'
    ! NO_COLOR=1 is_colored touchstone help ids || fail 'colours with NO_COLOR'
    ! TERM=dumb is_colored touchstone help ids || fail 'colours on a dumb terminal'
    ! is_colored 'touchstone help ids | cat' || fail 'colours in a pipe'
}

test_wrong_usage() {
    refuses 64 "no verb 'wander'" -- touchstone wander
    refuses 64 'no backend' -- touchstone run
    refuses 64 'option' -- touchstone run -b cpu --tier
    refuses 64 "'slow'" 'quick, full or exhaustive' -- touchstone run -b cpu --tier slow
    refuses 64 "'7_7'" '6_4' -- touchstone run -b cpu --feature-level 7_7
    refuses 64 "'torch'" 'openvino or numpy' -- touchstone run -b cpu --profile torch
    refuses 64 "'many'" 'whole number' -- touchstone run -b cpu --max-findings many
    refuses 64 "key 'fault' is given twice" -- touchstone run -b faulty --backend-opt fault=none --backend-opt fault=none
    refuses 64 "'fault'" 'key=value' -- touchstone run -b faulty --backend-opt fault
    refuses 64 'no-such-fault' -- touchstone run -b faulty --backend-opt fault=no-such-fault \
        dml.slice1:examples -o x.run
    refuses 64 'faulty' 'fault' -- touchstone run -b faulty dml.slice1:examples -o x.run
    refuses 64 'one case' -- touchstone show
    refuses 64 'no (such|single) case' -- touchstone show 'dml.slice1:special'
    refuses 64 'no such run|which run|run file' -- touchstone report
    refuses 64 'script' -- touchstone lua
    refuses 64 'absent.lua' -- touchstone lua absent.lua
    refuses 64 'absent.json' -- touchstone eval absent.json
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

# What quickstart.sh suggests to a newcomer can be read: it fits a few screens.
test_suggested_commands_are_short() {
    local line count=0
    # shellcheck disable=SC2016 # the script's own words
    while read -r line; do
        eval "touchstone $line" >out || fail "touchstone $line: status $?"
        [ "$(wc -l <out)" -le 100 ] || fail "touchstone $line prints $(wc -l <out) lines"
        count=$((count + 1))
    done < <(sed -n 's/^    \$touchstone //p' "$TOUCHSTONE_ROOT/scripts/quickstart.sh")
    [ "$count" -ge 3 ] || fail "quickstart.sh suggests $count commands"
}

# A query of an operator that is only checked says so, and which operator may be meant.
test_checked_operators_are_said_to_be() {
    local checked='dml\.slice is checked, not computed \(did you mean .dml\.slice1.\?\)'
    refuses 2 "^touchstone run: nothing to run: .*; $checked" -- touchstone run -b cpu dml.slice -o x.run
    refuses 2 "$checked" -- touchstone plan -b cpu dml.slice
    expect 2 touchstone compare -b cpu -b cpu --as other dml.slice
    holds err "^touchstone compare: nothing to compare; $checked"
    refuses 64 "$checked" -- touchstone run -b cpu dml.slice:examples -o x.run
    for verb in show explain 'shrink -b cpu'; do
        # shellcheck disable=SC2086
        refuses 64 "names no single case; .*; $checked" -- touchstone $verb dml.slice
    done
    refuses 64 "$checked" -- touchstone export dml.slice --format npz -o corpus
    expect 0 touchstone list dml.slice
    holds err '^touchstone list: dml.slice is checked, not computed; did you mean dml.slice1\?$'
    expect 0 touchstone plan dml.slice
    holds err '^touchstone plan: dml.slice is checked, not computed; did you mean dml.slice1\?$'
    expect 0 touchstone list dml.gemm
    [ ! -s err ] || fail "$(cat err)"
    refuses 2 'dml.gemm is checked, not computed$' -- touchstone run -b cpu dml.gemm -o x.run
    echo "ts.eval('dml.slice', {})" >checked.lua
    expect 1 touchstone lua checked.lua
    holds err "$checked"
    for word in slice SLICE1 DML_OPERATOR_SLICE dml.slcie1; do
        refuses 64 "there is no operator '$word' \\(did you mean 'dml\\.slice1'\\?\\)" -- touchstone list "$word"
    done
    refuses 64 "did you mean 'dml.convolution'" -- touchstone list dml.convolutoin
    refuses 64 'did you mean "dml.slice1"' -- touchstone ledger DML_OPERATOR_SLICE1
    if touchstone audit --list dml.slice1 >/dev/null 2>&1; then
        refuses 64 "'dml.slice' has no mutants; $checked" -- touchstone audit dml.slice
    fi
}

run_tests "$@"

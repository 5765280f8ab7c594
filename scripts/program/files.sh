# SPDX-License-Identifier: Apache-2.0
# What is no ordinary file, or no ordinary process: inputs that would block or never end, outputs that would destroy
# something, full disks, closed streams, small limits. Every verb ends with one clear line and a documented status.
# shellcheck shell=bash
# shellcheck source=scripts/program/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

query='dml.slice1:examples*'
id=dml.slice1:examples:example=2

small_run() {
    touchstone run -q -b cpu -o "$1" "$query" >/dev/null
}

waivers() {
    echo 'return { { query = "dml.slice1:*", reason = "r", owner = "o", link = "l", expires = "2099-01-01" } }' >"$1"
}

# FILE COMMAND...: the command is refused and FILE keeps its bytes.
keeps() {
    local file=$1
    shift
    cp "$file" ../kept
    refuses 64 "$file" -- "$@"
    cmp -s "$file" ../kept || fail "$* wrote to $file"
    rm ../kept
}

test_no_output_replaces_a_run_or_an_input() {
    small_run a.run
    cp a.run other # a run by its content
    cp a.run b.run
    waivers known.lua
    ln -s a.run link
    ln a.run hard
    touchstone history h.db --add a.run >/dev/null
    mkdir folder
    cp a.run folder/model.onnx
    local name
    for name in a.run ./a.run link hard other h.db; do
        keeps "$name" touchstone report a.run --html "$name"
        keeps "$name" touchstone report b.run --csv "$name"
        keeps "$name" touchstone waive --tighten a.run known.lua -o "$name"
        keeps "$name" touchstone history h.db --html "$name"
        keeps "$name" touchstone compare a.run b.run --html "$name"
        keeps "$name" touchstone compare -b cpu -b cpu "$query" --html "$name"
        keeps "$name" touchstone export $id --dxdispatch -o "$name"
        keeps "$name" touchstone audit --json "$name"
        keeps "$name" touchstone audit --html "$name"
        keeps "$name" touchstone audit --choose "$name"
        keeps "$name" touchstone run -b cpu "$query" -o "$name"
    done
    # The history is not changed before the page is refused.
    cp h.db before.db
    refuses 64 'a\.run' -- touchstone history h.db --add b.run --html a.run
    cmp h.db before.db || fail "the run was added"
    cp "$prefix"/lib*/touchstone/backends/cpu.so . 2>/dev/null || cp "$prefix"/backends/cpu.so .
    keeps cpu.so touchstone compare -b ./cpu.so -b cpu "$query" --html ./cpu.so
    keeps folder/model.onnx touchstone export $id --onnx -o folder
    # OUT of waive may be FILE, a report may replace a report, and two outputs are two files.
    expect 0 touchstone waive --tighten a.run known.lua -o known.lua
    expect 0 touchstone report a.run --html page.html
    expect 0 touchstone report a.run --html page.html
    refuses 64 'both write to' -- touchstone audit --json x --html ./x
    refuses 64 'both write to' -- touchstone report a.run --json x --html ./x
}

# NAME: a link to a device, a FIFO, a folder, a socket or a file of 100 GB is refused by every verb that reads NAME.*.
reads_none() {
    local at=$1
    small_run a.run
    refuses 64 'x\.json' -- touchstone eval "$at/x.json"
    refuses 64 'x\.lua' -- touchstone eval "$at/x.lua"
    refuses 64 'x\.json' -- touchstone explain "$at/x.json"
    refuses 64 'x\.xml' -- touchstone explain "$at/x.xml"
    expect 64 touchstone check "$at/x.json" "$at/x.lua" "$at/x.xml"
    holds err 'x\.json' 'x\.lua' 'x\.xml'
    refuses 64 'x\.json' -- touchstone waive a.run "$at/x.json"
    refuses 64 'x\.lua' -- touchstone waive a.run "$at/x.lua"
    refuses 64 'x\.lua' -- touchstone run -q -b cpu -o n.run --waivers "$at/x.lua" "$query"
    refuses 64 'x\.run' -- touchstone report "$at/x.run"
    refuses 64 'x\.run' -- touchstone status "$at/x.run"
    refuses 64 'x\.run' -- touchstone resume "$at/x.run"
    refuses 64 'x\.run' -- touchstone diff a.run "$at/x.run"
    refuses 64 'x\.run' -- touchstone merge n.run "$at/x.run"
    refuses 64 'x\.run' -- touchstone run -q -b cpu -o "$at/x.run" "$query"
    refuses 64 'x\.db' -- touchstone history "$at/x.db"
    refuses 64 'x\.db' -- touchstone history "$at/x.db" --add a.run
    refuses 64 'x\.run' -- touchstone history new.db --add "$at/x.run"
}

test_fifos_are_not_waited_for() {
    mkdir at
    local ending
    for ending in json lua xml run db; do mkfifo "at/x.$ending"; done
    reads_none at
    holds err 'is a FIFO'
    refuses 64 'x\.run' -- touchstone report a.run --html at/x.run
    cat at/x.run >page & # a FIFO that is read is an output like any other
    local try # until the reader has opened it
    for try in {1..100}; do
        ! touchstone report a.run --html at/x.run >out 2>err </dev/null || break
        grep -q 'no process is at its other end' err || fail "a FIFO that is read: $(cat err)"
        sleep 0.1
    done
    [ "$try" -lt 100 ] || kill $!
    wait $!
    grep -q '</html>' page || fail "the reader of the FIFO did not get the page"
}

test_devices_are_not_read() {
    mkdir at
    local ending
    for ending in json lua xml run db; do ln -s /dev/zero "at/x.$ending"; done
    reads_none at
}

test_folders_are_not_read() {
    mkdir at
    mkdir at/x.json at/x.lua at/x.xml at/x.run at/x.db
    reads_none at
}

test_files_of_100_gigabytes_are_not_read() {
    mkdir at
    local ending
    for ending in json lua xml run db; do truncate -s 100G "at/x.$ending" || skip "no file of 100 GB can be made"; done
    reads_none at
}

# A model whose constants are in the file m.bin.
test_constants_are_not_read_from_a_fifo() {
    cp "$TOUCHSTONE_ROOT"/scripts/program/data/strided_slice.xml m.xml 2>/dev/null ||
        touchstone export openvino.strided_slice:examples:example=1 --openvino-ir -o ir >/dev/null
    [ -f m.xml ] || cp ir/model.xml m.xml
    mkfifo m.bin
    timeout -k 5 20 touchstone check m.xml >out 2>err </dev/null
    [ $? -lt 124 ] || fail "it waits for the FIFO"
    holds out 'm\.bin: is a FIFO'
    rm m.bin
    ln -s /dev/zero m.bin
    timeout -k 5 20 touchstone check m.xml >out 2>err </dev/null
    holds out 'm\.bin: is a device'
}

# COMMAND...: it fails with one line and status 3 where standard output is full or closed.
says_so_without_output() {
    local status=0
    timeout -k 5 60 "$@" >/dev/full 2>err </dev/null || status=$?
    [ "$status" = 3 ] || fail "$* >/dev/full ended with $status"
    [ "$(wc -l <err)" = 1 ] || fail "$* >/dev/full: $(cat err)"
    holds err 'standard output( cannot be written)?: '
    status=0
    timeout -k 5 60 "$@" >&- 2>err </dev/null || status=$?
    [ "$status" = 3 ] || fail "$* >&- ended with $status"
    [ "$(wc -l <err)" = 1 ] || fail "$* >&-: $(cat err)"
}

test_output_that_is_lost_is_a_failure() {
    [ -w /dev/full ] || skip "there is no /dev/full"
    small_run a.run
    touchstone history h.db --add a.run >/dev/null
    echo '{"operator":"dml.slice1","descriptor":{}}' >d.json
    says_so_without_output touchstone report a.run
    says_so_without_output touchstone list
    says_so_without_output touchstone check d.json # also where it has something to find
    says_so_without_output touchstone report a.run --html -
    says_so_without_output touchstone history h.db
    says_so_without_output touchstone compare a.run a.run
    says_so_without_output touchstone show $id
    says_so_without_output touchstone explain $id
    says_so_without_output touchstone export $id --dxdispatch
    says_so_without_output touchstone backends
    says_so_without_output touchstone run --help
    # No file gets the number of a closed stream, and what is printed does not end in it.
    touchstone run -q -b cpu -o n.run "$query" <&- >&- 2>&- || true
    expect 0 touchstone status n.run
    touchstone report a.run --html page.html <&- >&- 2>&-
    tail -n 1 page.html | grep -q '</html>' || fail "the page does not end as it should"
}

# BLOCKS STATUS... -- COMMAND...: with files of at most so many KiB, it ends with one of these statuses. Prints what it says.
# A pipe takes what is printed, because a file would have the limit, too.
limited() {
    local blocks=$1 wanted=' ' status
    shift
    while [ "$1" != -- ]; do
        wanted+="$1 "
        shift
    done
    shift
    (
        ulimit -f "$blocks"
        status=0
        timeout -k 5 60 "$@" </dev/null 2>&1 || status=$?
        [[ $wanted == *" $status "* ]] || echo "WRONG: $* with files of $blocks KiB ended with $status"
    ) | cat >said
    ! grep WRONG said || fail "$(cat said)"
}

test_a_limit_of_file_sizes_is_an_error() {
    small_run a.run
    waivers known.lua
    local blocks
    for blocks in 0 4 16 40; do
        limited $blocks 3 -- touchstone report a.run --html n.html
        holds said 'ulimit -f'
        limited $blocks 0 3 -- touchstone history n.db --add a.run
        limited $blocks 0 3 -- touchstone run -q -b cpu -o n.run 'dml.slice1:*'
        [ $blocks -gt 4 ] || holds said 'ulimit -f'
        [ $blocks -gt 4 ] || [ -z "$(ls -d n.* 2>/dev/null)" ] || fail "left behind: $(ls -d n.*)"
        rm -f n.*
    done
    limited 0 3 -- touchstone waive --tighten a.run known.lua -o known.lua
    grep -q query known.lua || fail "an empty list replaced the waivers"
}

test_a_small_stack_is_enough() {
    small_run a.run
    waivers known.lua
    local size
    for size in 128 64; do
        (
            ulimit -s $size
            expect 0 touchstone run -q -b cpu -o "s$size.run" 'dml.slice1:*'
            expect 0 touchstone explain $id
            expect 0 touchstone compare a.run a.run
            expect 1 touchstone waive a.run known.lua
        )
    done
}

test_few_descriptors_are_an_error() {
    small_run a.run
    local most status
    for most in 4 5 6 7 8 9; do
        (
            exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- # the caller may have left some open, and the shell needs one
            ulimit -n $most
            status=0
            timeout -k 5 60 touchstone run -q -b cpu -o n.run 'dml.slice1:*' >/dev/null 2>err </dev/null || status=$?
            [ $status -le 3 ] || [ $status = 64 ] || fail "run with ulimit -n $most ended with $status"
            status=0
            timeout -k 5 60 touchstone report a.run --html n.html >/dev/null 2>err </dev/null || status=$?
            [ $status = 0 ] || [ $status = 3 ] || fail "report with ulimit -n $most ended with $status"
        ) || fail "with ulimit -n $most"
        [ -z "$(ls -d n.run.new* 2>/dev/null)" ] || fail "left behind: $(ls -d n.run.new*)"
        rm -f n.*
    done
}

test_outputs_need_their_folder() {
    small_run a.run
    refuses 64 'no/such' -- touchstone report a.run --html no/such/x.html
    refuses 64 'no/such' -- touchstone run -b cpu "$query" -o no/such/x.run
    refuses 64 'no/such' -- touchstone compare -b cpu -b cpu "$query" -o no/such/x
    refuses 64 'no/such' -- touchstone export $id --onnx -o no/such/x
    refuses 64 'no/such' -- touchstone history no/such/h.db --add a.run
}

# A folder that cannot be written, where the user is not above permissions.
test_a_read_only_folder_is_an_error() {
    mkdir locked
    chmod 555 locked
    touch locked/probe 2>/dev/null && skip "this user may write everywhere"
    small_run a.run
    refuses 64 'locked' -- touchstone report a.run --html locked/x.html
    refuses 64 'locked' -- touchstone run -b cpu "$query" -o locked/x.run
    refuses 64 'locked' -- touchstone history locked/h.db --add a.run
}

# The disk has room for 4, 8, 12, ... KiB: it is full before the first commit, or at any later moment.
test_a_disk_that_is_full_at_any_moment() {
    local size status
    [ "$(id -u)" = 0 ] || skip "no small disk can be mounted"
    mkdir disk
    mount -t tmpfs -o size=4k touchstone-test disk 2>/dev/null || skip "no small disk can be mounted"
    trap 'umount "$work"/*/disk 2>/dev/null || true' EXIT
    for size in 4 8 16 24 32 48 64 96 128 192; do
        mount -o remount,size=${size}k disk
        status=0
        timeout -k 5 60 touchstone run -q -b faulty --backend-opt fault=vector-tail -o disk/n.run 'dml.slice1:*' \
            >out 2>err </dev/null || status=$?
        [ $status = 3 ] || [ $status = 1 ] || fail "a disk of $size KiB: ended with $status"
        [ $status = 1 ] || holds err 'disk is full'
        ! grep -q 'touchstone resume' err || [ -e disk/n.run ] || fail "a disk of $size KiB: there is nothing to resume"
        [ $status = 1 ] || [ "$(wc -l <err)" = 1 ] || fail "a disk of $size KiB: $(cat err)"
        if [ -e disk/n.run ] && [ $status = 3 ]; then # it continues when there is room
            mount -o remount,size=32m disk
            expect 1 touchstone resume -q disk/n.run
        fi
        rm -f disk/n.run disk/n.run-* # a log that could not be moved into the run
        [ -z "$(ls -A disk)" ] || fail "a disk of $size KiB: left behind: $(ls -A disk)"
    done
    umount disk
}

# The run file is taken away, or another one put into its place, while the run writes it.
test_a_run_file_that_is_displaced() {
    local how
    small_run other.run
    for how in removed replaced; do
        touchstone run -q -b cpu --tier full --budget 2s dml.slice1 -o $how.run >out 2>err &
        for _ in $(seq 1000); do
            [ ! -s $how.run-wal ] || break
            sleep 0.01
        done
        if [ $how = removed ]; then
            rm $how.run
        else
            mv $how.run taken.run && cp other.run $how.run
        fi
        wait $! || fail "$how: ended with $?"
        holds err "^warning: $how.run was removed or replaced during the run: no file has the results"
        holds out "^run file $how.run \(lost\)$"
    done
}

run_tests "$@"

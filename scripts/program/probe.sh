#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone probe, and what an author of a backend starts from.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

# FILE: build a library of a C file that stands beside it, with the installed header.
build() {
    command -v cc >/dev/null || skip "no compiler here"
    cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -I "$prefix/include/touchstone" \
        -o "$1.so" "$1.c"
}

test_cpu_keeps_the_contract() {
    expect 0 touchstone probe cpu --json p.json
    holds out '^cpu 1 \(cpu\)$' '^ok +batch-empty ' '^n/a +threads ' '^[0-9]+ checks: [0-9]+ ok, 0 broken' \
        '^it keeps the contract'
    touchstone lua "$check" p.json 'r.probe == 1' 'r.kept == true' '#r.checks > 20' 'r.backend == "cpu"' \
        'r.checks[1].name == "entry"' 'r.checks[1].outcome == "ok"'
    expect 0 touchstone probe cpu --check query # which does not ask for the name
    holds out '^cpu$' '^it keeps the contract of backend\.h in these checks; [0-9]+ of [0-9]+ were not run$'
    expect 0 touchstone probe cpu --check info --json -
    touchstone lua "$check" out '#r.checks < 8'
}

test_a_broken_promise_is_named() {
    sed 's/        status\[i\] = run(call);/        status[i] = run(call) == TS_OK ? (ts_status)7 : TS_REJECTED;/' \
        "$TOUCHSTONE_ROOT/backends/example/example.c" >seven.c
    build seven
    expect 1 touchstone probe ./seven.so --json s.json
    holds out '^BROKEN +calls ' 'the status of a call is 7, which the header does not declare: dml.element' \
        'backend.h, ts_status: ' '1 broken' '^it breaks the contract'
    touchstone lua "$check" s.json 'r.kept == false' 'r.checks[7].outcome == "broken"' \
        'r.checks[7].place == "ts_status"'
}

test_refuses_what_it_cannot_probe() {
    refuses 64 'expected one backend' -- touchstone probe
    refuses 64 "no backend 'wind'" -- touchstone probe wind
    refuses 64 'unknown option' -- touchstone probe cpu --backend-opt colour=red
    refuses 64 "no check 'colour'" 'entry, open' -- touchstone probe cpu --check colour
    refuses 64 '--time-limit' -- touchstone probe cpu --time-limit never
    echo 'not a library' >text.so
    refuses 64 './text.so' 'loaded' -- touchstone probe ./text.so
    refuses 3 'cannot be opened' -- touchstone probe directml
    refuses 64 -- touchstone probe cpu --json none/p.json
}

# LANGUAGE COMPILER...: the template of the language builds outside the tree, keeps the contract and is conformant.
try_template() {
    local language=$1 package
    shift
    cp -r "$prefix/share/touchstone/templates/plugin-$language" mine
    cd mine
    package=$(find "$prefix" -name TouchstoneConfig.cmake | head -n 1)
    if [ -n "$package" ] && command -v cmake >/dev/null; then
        cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" >log && cmake --build build >>log
    fi
    mkdir -p build
    "$@" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -shared -fPIC -fvisibility=hidden \
        -I "$prefix/include/touchstone" -o build/strict.so "mine.$language"
    [ -e build/mine.so ] || cp build/strict.so build/mine.so
    expect 0 touchstone probe ./build/mine.so
    expect 0 touchstone run -b ./build/mine.so -o r.run \
        'dml.element_wise_identity:special where in_layout == packed and out_layout == packed'
    holds out 'failed 0'
    expect 2 touchstone run -b ./build/mine.so -o whole.run # strided tensors are not offered
    holds out 'failed 0, .*unsupported' '^incomplete'
    local page pages # what the template and the header refer to is installed
    mapfile -t pages < <(grep -rhoE 'docs/[a-z]+\.md' mine.* "$prefix/include/touchstone" "$prefix/share/touchstone/cases" | sort -u)
    for page in "${pages[@]}"; do
        [ -e "$prefix/share/touchstone/$page" ] || fail "$page is named, and not installed"
    done
}

test_the_template_in_c_builds_outside_the_tree() {
    command -v cc >/dev/null || skip "no compiler here"
    try_template c cc -std=c11
}

test_the_template_in_cpp_builds_outside_the_tree() {
    command -v c++ >/dev/null || skip "no compiler for C++ here"
    try_template cpp c++ -std=c++17
}

test_exceptions_become_statuses() {
    command -v c++ >/dev/null || skip "no compiler for C++ here"
    sed 's/ .* in = c.tensor(0)/ if (c.tensor(0).size(0) == 3) throw std::runtime_error("three");\n&/' \
        "$TOUCHSTONE_ROOT/backends/templates/plugin-cpp/mine.cpp" >three.cpp
    c++ -std=c++17 -Wall -Wextra -Werror -shared -fPIC -I "$prefix/include/touchstone" -o three.so three.cpp
    expect 1 touchstone run -b ./three.so -o t.run \
        'dml.element_wise_identity:special where in_layout == packed and out_layout == packed'
    holds out '^ *lost ' 'the backend failed \(error\): three\.'
}

test_a_refused_call_is_shown() {
    expect 1 touchstone run -b faulty --backend-opt fault=reject-rank-7 \
        dml.slice1:drawn:rank=7,size=1.1.1.1.1.1.1,window=1.1.1.1.1.1.1,out_size=1.1.1.1.1.1.1 -o f.run
    holds out 'The call, as the backend got it:' 'op dml.slice1, profile 0, feature_level 0x6400, attrs_given 0x[ef]' \
        'tensor InputTensor: dtype [0-9]+, rank 7, given 0x[0-9a-f]+, flags' 'attribute InputWindowStrides: given true'
    touchstone report f.run --html f.html --json f.json
    touchstone lua "$check" f.json 'r.findings[1].call.tensors[1].rank == 7' 'r.findings[1].call.op == "dml.slice1"'
    grep -q 'The call, as the backend got it' f.html || fail "the page does not show the call"
}

run_tests "$@"

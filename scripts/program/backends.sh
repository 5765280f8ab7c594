#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# touchstone backends, and the libraries that -b loads.
# shellcheck source=scripts/program/lib.sh
. "$(dirname "$0")/lib.sh"

what=(dml.slice1:examples -o x.run) # what a backend that is refused was to run

test_lists_backends() {
    expect 0 touchstone backends
    holds out '^cpu ' '^faulty '
    expect 0 touchstone backends -v
    [ "$(grep -c '^    fault=' out)" -ge 20 ] || fail "fewer than 20 faults"
    holds out '^    fault=last-element  all operators: ' '^    fault=quiet-nan  all operators but dml\.random_generator '
    expect 0 touchstone run -b "$(touchstone backends | sed -n 's/^    \(.*cpu\.so\)$/\1/p')" dml.slice1:examples -o p.run
}

# The line below the name of a backend says what it is; the one below that is its path.
test_says_what_each_backend_is() {
    expect 0 touchstone backends
    ! grep -A1 '^[^ ]' out | grep '^    .*[/]backends[/][a-z]*[.]so$' || fail "a backend has no summary: $(cat out)"
}

test_shows_the_backends_that_are_named() {
    expect 0 touchstone backends planted -v
    holds out '^planted ' '^    for maintainers' '^    fault=accept-beyond-window '
    ! grep -q '^faulty ' out || fail "a backend that is not named is listed"
    expect 0 touchstone backends cpu "$prefix/lib/touchstone/backends/faulty.so"
    [ "$(grep -c '^[^ ]' out)" = 2 ] || fail "not the two that are named"
    refuses 64 "no backend 'fawlty'" "did you mean 'faulty'" -- touchstone backends fawlty
    refuses 64 "unknown fault reverse-strat \(did you mean 'reverse-start'\?\)" -- \
        touchstone run -b faulty --backend-opt fault=reverse-strat "${what[@]}"
    refuses 64 "unknown option falt \(did you mean 'fault'\?\)" -- \
        touchstone run -b faulty --backend-opt falt=reverse-start "${what[@]}"
    refuses 64 "unknown fault accept-beyond-window \(backend planted has this fault\)" -- \
        touchstone run -b faulty --backend-opt fault=accept-beyond-window "${what[@]}"
    touchstone backends planted -v | sed -n 's/^    fault=\([a-z0-9-]*\) .*/\1/p' | grep -vx none >names
    [ "$(wc -l <names)" -ge 80 ] || fail "planted has few faults"
    while read -r name; do
        refuses 64 'backend planted has this fault' -- touchstone run -b faulty --backend-opt fault="$name" "${what[@]}"
    done < <(sed -n '1p;$p' names)
}

# A fault that no selected operator has changes nothing: a pass would prove nothing.
test_refuses_a_value_that_is_for_no_selected_operator() {
    local f=(-b faulty --backend-opt) join=dml.join:examples verb id
    id=$(touchstone list "$join" | head -n 1)
    for verb in 'run -j 0' 'run -j 2' plan shrink; do
        # shellcheck disable=SC2086 # a verb and its options
        refuses 64 'fault=block-order of backend faulty is for dml.space_to_depth1, and the queries select dml.join alone' \
            "'touchstone backends faulty -v'" -- touchstone $verb "${f[@]}" fault=block-order "$id"
    done
    refuses 64 'fault=block-order' 'dml.join alone' -- \
        touchstone compare -b cpu "${f[@]}" fault=block-order "$join"
    refuses 64 'fault=tile-total of backend planted is for dml.slice1' 'the queries select dml.join alone' -- \
        touchstone run -b planted --backend-opt fault=tile-total "$join"
    refuses 64 'is for checked operators, and the queries select dml.join alone' -- \
        touchstone run "${f[@]}" fault=checked-type "$join"
    refuses 64 'is for all operators but' 'select dml.random_generator alone' -- \
        touchstone run "${f[@]}" fault=quiet-nan dml.random_generator:examples
    refuses 64 'select dml.gather, dml.gather_elements, dml.gather_nd, dml.gather_nd1 and 1 more alone' -- \
        touchstone run "${f[@]}" fault=block-order 'dml.gather*:examples' dml.join:examples
}

test_runs_a_value_that_is_for_one_selected_operator() {
    expect 1 touchstone run -q -b faulty --backend-opt fault=block-order dml.join:examples dml.space_to_depth1:examples -o a.run
    expect 0 touchstone plan -b planted --backend-opt fault=tile-total --tier quick dml.join:examples dml.slice1:examples
    expect 0 touchstone run -q -b faulty --backend-opt fault=none dml.join:examples -o c.run
    # faults of the judgment of all operators of a specification are faults of those that are only checked
    expect 1 touchstone run -q -b faulty --backend-opt fault=accept-flags dml.convolution --tier full -o d.run
}

test_refuses_a_second_value() {
    refuses 64 "'--backend' is given twice, with 'cpu' and 'faulty'" -- touchstone run -b cpu -b faulty "${what[@]}"
    refuses 64 "'--tier' is given twice" -- touchstone list --tier quick --tier full
    refuses 64 "memory-limit '1K': expected at least 16M" -- touchstone run -b cpu --memory-limit 1K "${what[@]}"
}

test_refuses_what_is_no_backend() {
    refuses 64 "no backend 'wind'" 'touchstone backends' -- touchstone run -b wind "${what[@]}"
    refuses 64 './wind.so' -- touchstone run -b ./wind.so "${what[@]}"
    echo 'not a library' >text.so
    refuses 64 './text.so' 'loaded' -- touchstone run -b ./text.so "${what[@]}"
    mkdir folder.so
    refuses 64 './folder.so' -- touchstone run -b ./folder.so "${what[@]}"
    : >empty.so
    refuses 64 './empty.so' -- touchstone run -b ./empty.so "${what[@]}"
    mkdir none
    TOUCHSTONE_BACKENDS=$PWD/none refuses 64 "no backend 'cpu'" 'none' -- touchstone run -b cpu "${what[@]}"
    TOUCHSTONE_BACKENDS=$PWD/none refuses 3 'none found' -- touchstone backends
}

test_refuses_plugins_of_another_making() {
    command -v cc >/dev/null || skip "no compiler here"
    echo 'int something(void) { return 1; }' >other.c
    cc -shared -fPIC -o other.so other.c
    refuses 64 './other.so' 'touchstone_backend' -- touchstone run -b ./other.so "${what[@]}"
    cat >abi.c <<'C'
#include <backends/backend.h>
static const ts_backend future = { .struct_size = sizeof(ts_backend), .abi = 999 };
TS_BACKEND_EXPORT const ts_backend *touchstone_backend(uint32_t abi) { (void)abi; return &future; }
C
    cc -std=c11 -shared -fPIC -I "$prefix/include/touchstone" -o abi.so abi.c
    refuses 64 './abi.so' '999' 'version 1' -- touchstone run -b ./abi.so "${what[@]}"
    cat >never.c <<'C'
#include <backends/backend.h>
TS_BACKEND_EXPORT const ts_backend *touchstone_backend(uint32_t abi) { (void)abi; return 0; }
C
    cc -std=c11 -shared -fPIC -I "$prefix/include/touchstone" -o never.so never.c
    refuses 64 './never.so' 'returned NULL for version 1 of the plugin interface' -- touchstone run -b ./never.so "${what[@]}"
}

test_the_example_builds_outside_the_tree() {
    command -v cc >/dev/null || skip "no compiler here"
    cc -std=c11 -Wall -Wextra -shared -fPIC -fvisibility=hidden -I "$prefix/include/touchstone" \
        -I "$TOUCHSTONE_ROOT" -o example.so "$TOUCHSTONE_ROOT/backends/example/example.c"
    expect 2 touchstone run -b ./example.so 'dml.element_wise_identity:special' -o e.run
    holds out 'failed 0, unsupported [0-9]+' '^incomplete'
    expect 0 touchstone run -b ./example.so \
        'dml.element_wise_identity:special where in_layout == packed and out_layout == packed' -o f.run
    touchstone report e.run --json e.json
    touchstone lua "$check" e.json 'r.outcome == "incomplete"' 'r.total.verdicts.unsupported > 0'
}

test_keeps_what_backends_print_apart() {
    command -v cc >/dev/null || skip "no compiler here"
    sed 's/^static ts_status example_open.*/#include <stdlib.h>\nstatic void bye(void) { puts("NOISE at exit"); }\n&/;
        s/^    \*out = &self;/    puts("NOISE"); atexit(bye);\n&/' "$TOUCHSTONE_ROOT/backends/example/example.c" >noisy.c
    cc -std=c11 -shared -fPIC -fvisibility=hidden -I "$TOUCHSTONE_ROOT" -o noisy.so noisy.c
    expect 0 touchstone plan -b ./noisy.so 'dml.element_wise_identity:examples'
    touchstone run -b ./noisy.so 'dml.element_wise_identity:examples' -o n.run >noise.out 2>noise.err || true
    ! grep -q '^NOISE' out noise.out noise.err || fail "a backend prints among what the program says"
    grep -q '^    | NOISE$' noise.out || fail "the summary does not name what the backend printed"
    touchstone report n.run --json n.json --html n.html
    touchstone lua "$check" n.json 'r.printed[1].head == "NOISE\n"' 'r.printed[1].test == nil or r.printed[1].lines == 1'
    grep -q 'id="printed"' n.html || fail "the page does not show what the backend printed"
    expect 2 touchstone run -j 0 -b ./noisy.so 'dml.element_wise_identity:examples' -o m.run
    ! grep -q '^NOISE' out || fail "without worker processes, a backend prints into the summary"
}

test_directml_reports_what_is_missing() {
    refuses 3 'setup-directml.sh' 'touchstone-wine' -- touchstone run -b directml "${what[@]}"
    refuses 64 'debug=2: expected 0 or 1' -- touchstone run -b directml --backend-opt debug=2 "${what[@]}"
    refuses 64 "unknown option 'adaptor'" 'adapter' -- touchstone run -b directml --backend-opt adaptor=0 "${what[@]}"
    expect 0 touchstone backends -v
    holds out '^directml .*setup-directml\.sh' '^    adapter='
}

# Without the library: one line that says how to get it.
test_onnxruntime_reports_what_is_missing() {
    HOME=$PWD XDG_CACHE_HOME='' refuses 3 'setup-vendors.sh onnxruntime' -- touchstone run -b onnxruntime "${what[@]}"
    HOME=$PWD XDG_CACHE_HOME='' expect 0 touchstone backends -v
    holds out '^onnxruntime .*setup-vendors.sh onnxruntime' '^    library=PATH'
    refuses 64 'library=PATH' -- touchstone run -b onnxruntime --backend-opt colour=red "${what[@]}"
    refuses 3 './text.so' -- touchstone run -b onnxruntime --backend-opt library=./text.so "${what[@]}"
    # Of an execution provider, too; what is wrong without the library is said without it.
    refuses 64 "'ep-lib' needs ep=NAME" -- touchstone run -b onnxruntime --backend-opt ep-lib=./text.so "${what[@]}"
    refuses 64 'ep-opt.KEY=VALUE' -- touchstone run -b onnxruntime --backend-opt ep-opt=1 "${what[@]}"
}

test_onednn_reports_what_is_missing() {
    HOME=$PWD XDG_CACHE_HOME='' refuses 3 'setup-vendors.sh onednn' -- touchstone run -b onednn "${what[@]}"
    refuses 64 'library=PATH' -- touchstone run -b onednn --backend-opt colour=red "${what[@]}"
    refuses 3 './text.so' -- touchstone run -b onednn --backend-opt library=./text.so "${what[@]}"
}

test_litert_reports_what_is_missing() {
    HOME=$PWD XDG_CACHE_HOME='' refuses 3 'setup-vendors.sh litert' -- touchstone run -b litert "${what[@]}"
    refuses 64 'library=PATH' -- touchstone run -b litert --backend-opt colour=red "${what[@]}"
    refuses 64 'delegate, builtin or reference' -- touchstone run -b litert --backend-opt kernels=fast "${what[@]}"
    refuses 3 './text.so' -- touchstone run -b litert --backend-opt library=./text.so "${what[@]}"
}

run_tests "$@"

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/text.h"
#include "harness/probe/probe_internal.h"
#include "harness/testing/platform_testing.h"
#include "harness/testing/sanitizer.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BACKEND(name) TOUCHSTONE_BINARY_DIR "/backends/" name TOUCHSTONE_LIBRARY_SUFFIX
#define BROKEN        TOUCHSTONE_BINARY_DIR "/tests/hostile_broken" TOUCHSTONE_LIBRARY_SUFFIX

static probe_result result;
static plan few; /* of tier quick: the cases of four operators, so that the tests are quick */

static void skip_without_fork(void)
{
    error e;
    const probe_options o = { .name = BACKEND("cpu"), .seconds = 30 };
    if (platform_process_can_fork())
        return;
    assert_false(probe_run(&o, &few, &result, &e));
    assert_non_null(strstr(e.text, "not on Windows"));
    skip();
}

static void good_backends_keep_the_contract(void **state)
{
    (void)state;
    skip_without_fork();
    static const char *const names[] = { BACKEND("cpu"), BACKEND("example") };
    plan all;
    error failed;
    if (!plan_make(&all, NULL, 0, TIER_QUICK, &failed))
        fail_msg("%s", failed.text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const probe_options o = { .name = names[i], .seconds = 60 };
        error e = { .text = "" };
        if (!probe_run(&o, &all, &result, &e))
            fail_msg("%s: %s", names[i], e.text);
        for (size_t k = 0; k < result.count; ++k)
            if (result.lines[k].outcome == PROBE_BROKEN || result.lines[k].outcome == PROBE_NOT_RUN)
                fail_msg("%s: %s: %s", names[i], result.lines[k].check, result.lines[k].text);
        assert_true(result.outcomes[PROBE_KEPT] >= 18);
    }
    plan_free(&all);
}

/* What each broken promise is found as: the check, the place of the promise, and words of the message. */
static const struct sample {
    const char *breaks, *check, *place, *text;
} samples[] = {
    { "version", "entry", "touchstone_backend", "for version 0" },
    { "returns-null", "entry", "touchstone_backend", "returned NULL for version 1 of the plugin interface" },
    { "no-size", "entry", "ts_backend.struct_size", "struct_size is 0; expected at least" },
    { "function", "entry", "ts_backend", "is missing" },
    { "self", "open", "ts_backend.open", "*self is NULL" },
    { "accepts-options", "options", "ts_backend.open", "open returns TS_OK for the unknown option" },
    { "refuses-silently", "options", "Errors", "without a note" },
    { "notes-lines", "options", "ts_host.note", "several lines" },
    { "describes", "describe-options", "ts_backend.describe_options", "an option" },
    { "info-string", "info", "ts_info", "info.vendor has no NUL" },
    { "info-level", "info", "ts_info.highest_level", "0x40" },
    { "info-alignment", "info", "ts_info.buffer_alignment", "48" },
    { "info-changes", "info", "Results", "second call of info" },
    { "info-beyond", "info", "Versions", "beyond the end of ts_info" },
    { "info-newer", "info-newer", "Versions", "info writes byte" },
    { "undeclared", "calls", "ts_status", "7" },
    { "submit-undeclared", "calls", "ts_status", "submit returns 9" },
    { "no-status", "calls", "ts_backend.submit", "stores no status of call 1 of 1" },
    { "status-beyond", "calls", "ts_backend.submit", "beyond the end of `status`" },
    { "writes-call", "calls", "ts_call", "wrote to a call" },
    { "writes-input", "calls", "ts_tensor.data", "of the input" },
    { "writes-beyond", "calls", "ts_tensor.total_bytes", "byte -1" },
    { "accepts-none", "calls", "ts_backend.query", "accepts none" },
    { "refused", "calls", "ts_status", "although the status of the call is TS_UNSUPPORTED" },
    { "crash", "calls", "Process", "SIGABRT" },
    { "reads-null", "calls", "TS_CALL_DESCRIPTOR_ONLY", "without data (TS_CALL_DESCRIPTOR_ONLY)" },
    { "exit", "calls", "Process", "its process ended with exit status 0, in submit of dml." },
    { "hang", "calls", "Process", "did not come back within" },
    { "query-status", "calls", "ts_backend.query", "returns 1: TS_REJECTED" },
    { "query-changes", "calls", "Results", "TS_OK and TS_UNSUPPORTED" },
    { "query-unknown", "query", "ts_backend.query", "touchstone.no_such_operator" },
    { "clause", "query-clause", "ts_backend.query_clause", "returns 4" },
    { "empty", "batch-empty", "ts_backend.submit", "submit of no call returns TS_ERROR" },
    { "together", "batch-many", "ts_backend.submit", "in a batch" },
    { "state", "again", "Results", "made again" },
    { "address", "placement", "Results", "at other addresses" },
    { "plain-index", "calls-newer", "Versions", "as a newer suite has" },
    { "walks", "calls-newer", "Versions", "longer than the header's (see ts_call_next)" },
    { "descriptor-only", "descriptor-only", "TS_CALL_DESCRIPTOR_ONLY", "without data, the status is TS_REJECTED" },
    { "reported", "reported-null", "ts_tensor.reported", "SIGSEGV" },
    { "hides-shape", "calls", "ts_tensor.data_dependent",
      "the shape reported of output is none, where the largest is [" },
    { "shape-beyond", "calls", "ts_tensor.data_dependent", "the shape reported of output is [" },
    { "shape-changes", "again", "Results", "the shape reported of output is [" },
    { "absent", "absent-attributes", "ts_call.attrs_given", "absent attribute" },
    { "illegal", "illegal", "Results", "other illegal descriptors" },
    { "garbage", "garbage", "ts_tensor", "DimensionCount 2^32 - 1" },
    { "keeps-pointers", "kept-pointers", "Memory", "changed after submit had returned" },
    { "opens-once", "open-again", "ts_backend.close", "open number 2 returns TS_ERROR" },
    { "leaks-memory", "open-again", "ts_backend.close", "bytes stay allocated" },
    { "leaks-files", "open-again", "ts_backend.close", "files stay open" },
    { "leaks-threads", "open-again", "ts_backend.close", "threads stay" },
    { "prints", "silence", "Process", "first in the check open: hello" },
};

/* Did a sanitizer in the backend see the fault first, and end the process? */
static bool sanitizer_ended_it(void)
{
    for (size_t i = 0; UNDER_SANITIZER && i < result.count; ++i)
        if (strstr(result.lines[i].text, "its process ended with exit status 1"))
            return true;
    return false;
}

static void finds(const struct sample *s)
{
    const bool survey = strcmp(s->check, "silence") == 0;
    const probe_options o = { .name = BROKEN,
                              .seconds = strcmp(s->breaks, "hang") == 0 ? 0.5 : 30,
                              .only = survey ? "open" : s->check };
    error e = { .text = "" };
    testing_setenv("TOUCHSTONE_TEST_BREAKS", s->breaks);
    if (!probe_run(&o, &few, &result, &e))
        fail_msg("%s: %s", s->breaks, e.text);
    for (size_t i = 0; i < result.count && !sanitizer_ended_it(); ++i) {
        const probe_line *l = &result.lines[i];
        const bool here = strcmp(l->check, s->check) == 0;
        if (here != (l->outcome == PROBE_BROKEN) && l->outcome != PROBE_NOT_RUN)
            fail_msg("%s: the check %s says %s: %s", s->breaks, l->check, probe_outcome_name(l->outcome), l->text);
        if (here && (strcmp(l->place, s->place) != 0 || !strstr(l->text, s->text)))
            fail_msg("%s: %s: %s (%s)", s->breaks, l->check, l->text, l->place);
    }
}

/* Does the C library count what is allocated? A sanitizer has an allocator of its own. */
static bool heap_is_known(void)
{
    platform_footprint before, after;
    void *volatile p;
    const bool fine = platform_footprint_self(&before) && (p = malloc(100000)) != NULL;
    if (!fine || !platform_footprint_self(&after))
        return false;
    free(p);
    return after.heap >= before.heap + 100000;
}

static void every_broken_promise_is_found(void **state)
{
    (void)state;
    skip_without_fork();
    testing_setenv("TOUCHSTONE_TEST_INNER", BACKEND("cpu"));
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i)
        if (strcmp(samples[i].breaks, "leaks-memory") != 0 || heap_is_known())
            finds(&samples[i]);
}

/* What a broken check leaves untried is not run: it is no promise that was kept, and none that was broken. */
static void what_builds_on_a_broken_check_is_not_run(void **state)
{
    (void)state;
    static const struct {
        const char *breaks, *check, *also;
        size_t not_run; /* of the checks behind it, at least */
    } cases[] = { { "undeclared", "calls", "", 12 }, { "info-level", "info", "info-newer", 15 } };
    skip_without_fork();
    testing_setenv("TOUCHSTONE_TEST_INNER", BACKEND("cpu"));
    for (size_t i = 0; i < 2; ++i) {
        const probe_options o = { .name = BROKEN, .seconds = 30 };
        error e = { .text = "" };
        testing_setenv("TOUCHSTONE_TEST_BREAKS", cases[i].breaks);
        if (!probe_run(&o, &few, &result, &e))
            fail_msg("%s", e.text);
        for (size_t k = 0; k < result.count; ++k) {
            const probe_line *l = &result.lines[k];
            const bool here = strcmp(l->check, cases[i].check) == 0 || strcmp(l->check, cases[i].also) == 0;
            if ((l->outcome == PROBE_BROKEN) != here || strstr(l->text, "no call was accepted") ||
                strstr(l->text, "every legal call") || strstr(l->text, "supports no class"))
                fail_msg("%s: %s: %s: %s", cases[i].breaks, l->check, probe_outcome_name(l->outcome), l->text);
        }
        assert_true(result.outcomes[PROBE_NOT_RUN] >= cases[i].not_run);
    }
}

/* An implementation that cannot be asked without data breaks no promise, and keeps none. */
static void without_data_a_call_may_be_unsupported(void **state)
{
    (void)state;
    skip_without_fork();
    const probe_options o = { .name = BROKEN, .seconds = 30, .only = "descriptor-only" };
    error e = { .text = "" };
    testing_setenv("TOUCHSTONE_TEST_INNER", BACKEND("cpu"));
    testing_setenv("TOUCHSTONE_TEST_BREAKS", "unasked");
    if (!probe_run(&o, &few, &result, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < result.count; ++i) {
        const probe_line *l = &result.lines[i];
        const bool here = strcmp(l->check, "descriptor-only") == 0;
        if (here ? l->outcome != PROBE_NOT_APPLICABLE : l->outcome == PROBE_BROKEN)
            fail_msg("%s: %s: %s", l->check, probe_outcome_name(l->outcome), l->text);
        if (here)
            assert_string_equal(l->text, "no call without data is supported");
    }
}

/* Every clause that the probe quotes is in the header, word by word. */
static void quotes_are_in_the_header(void **state)
{
    (void)state;
    text header = { .data = NULL }, flat = { .data = NULL };
    const char *place, *words;
    FILE *file = fopen(TOUCHSTONE_SOURCE_DIR "/backends/backend.h", "rb");
    assert_non_null(file);
    assert_true(text_read(&header, file));
    fclose(file);
    bool blank = true;
    for (const char *c = header.data; *c; ++c) { /* runs of blanks, and the stars of comments, are one blank */
        const bool is_blank = strchr(" \r\n\t", *c) || (*c == '*' && blank && c[1] == ' ');
        if (!is_blank)
            text_bytes(&flat, c, 1);
        else if (!blank)
            text_add(&flat, " ");
        blank = is_blank;
    }
    for (size_t i = 0; probe_contract(i, &place, &words); ++i)
        if (!strstr(flat.data, words))
            fail_msg("%s: the header does not say \"%s\"", place, words);
    text_free(&header);
    text_free(&flat);
}

static void bad_usage_is_refused(void **state)
{
    (void)state;
    skip_without_fork();
    error e;
    const probe_options none = { .name = "./there-is-none.so", .seconds = 30 },
                        check = { .name = BACKEND("cpu"), .seconds = 30, .only = "colour" },
                        opts = { .name = BACKEND("cpu"), .seconds = 30, .options = { { { "a", "b" } }, 1 } };
    assert_false(probe_run(&none, &few, &result, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_false(probe_run(&check, &few, &result, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_non_null(strstr(e.text, "there is no check 'colour'; the checks are entry, open,"));
    assert_non_null(strstr(e.text, "open-again, silence, threads"));
    assert_false(probe_run(&opts, &few, &result, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_non_null(strstr(e.text, "refuses its options: unknown option 'a'"));
}

static void calls_of_all_operators_have_room(void **state)
{
    plan all;
    error e;
    size_t count;
    (void)state;
    operators_all(&count);
    assert_true(plan_make(&all, NULL, 0, TIER_QUICK, &e));
    assert_int_equal(probe_most_calls(&all), count * PROBE_OF_OPERATOR);
    assert_int_equal(probe_most_calls(&few), 4 * PROBE_OF_OPERATOR);
    plan_free(&all);
}

static int make_plan(void **state)
{
    static const char *const names[] = { "dml.gather", "dml.slice1", "openvino.strided_slice", "openvino.non_zero_3" };
    error e;
    (void)state;
    return plan_make(&few, names, 4, TIER_QUICK, &e) ? 0 : -1;
}

static int free_plan(void **state)
{
    (void)state;
    plan_free(&few);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_backends_keep_the_contract),
        cmocka_unit_test(every_broken_promise_is_found),
        cmocka_unit_test(what_builds_on_a_broken_check_is_not_run),
        cmocka_unit_test(without_data_a_call_may_be_unsupported),
        cmocka_unit_test(quotes_are_in_the_header),
        cmocka_unit_test(bad_usage_is_refused),
        cmocka_unit_test(calls_of_all_operators_have_room),
    };
    return cmocka_run_group_tests(tests, make_plan, free_plan);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The setup of a spawned worker: encoded by the run, decoded by the worker. */
#include "harness/run/worker_spawn.h"

#include "harness/testing/platform_testing.h"
#include "harness/run/run_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const queries[] = { "dml.slice1:pairwise where rank == 2", "dml.gather:examples" };
static const ts_option options[] = { { "fault", "none" }, { "other", "a=b" } };

/* Encode the setup of a run. The caller frees *p. suite: a suite digest instead of the plan's, or NULL. */
static void encode(wire *w, plan *p, const char *suite)
{
    const run_options o = { .backend = "faulty",
                            .backend_options = options,
                            .backend_option_count = 2,
                            .queries = queries,
                            .query_count = 2,
                            .tier = TIER_FULL,
                            .level = TS_LEVEL_4_1,
                            .profile = TS_PROFILE_NUMPY,
                            .limits = { .seconds = 0.1 },
                            .repeat = 3 };
    error e;
    char *text = run_config_write(&o);
    assert_non_null(text);
    if (!plan_make(p, queries, 2, TIER_FULL, &e))
        fail_msg("%s", e.text);
    if (suite)
        snprintf(p->suite_digest, sizeof p->suite_digest, "%s", suite);
    const worker_setup setup = { .plan = p, .run_config = text, .reproduce = "-b faulty", .began = 1795252500 };
    worker_encode_setup(w, &setup);
    assert_false(w->broken);
    free(text);
}

static void a_setup_survives_encoding(void **state)
{
    (void)state;
    wire w = { 0 };
    plan p;
    worker_spawned spawned;
    error e = { .text = "" };
    encode(&w, &p, NULL);
    if (!worker_decode_setup(&spawned, w.bytes, w.size, &e))
        fail_msg("%s", e.text);
    const worker_setup *s = &spawned.setup;
    assert_string_equal(s->backend, "faulty");
    assert_int_equal(s->backend_option_count, 2);
    assert_string_equal(s->backend_options[1].key, "other");
    assert_string_equal(s->backend_options[1].value, "a=b");
    assert_int_equal(s->level, TS_LEVEL_4_1);
    assert_int_equal(s->profile, TS_PROFILE_NUMPY);
    assert_string_equal(s->reproduce, "-b faulty");
    assert_true(s->limits.seconds == 0.1);
    assert_int_equal(s->repeat, 3);
    assert_null(s->waivers);
    assert_int_equal(s->plan->item_count, p.item_count);
    for (size_t i = 0; i < p.item_count; ++i) {
        assert_string_equal(s->plan->items[i].test->name, p.items[i].test->name);
        assert_int_equal(s->plan->items[i].first, p.items[i].first);
        assert_int_equal(s->plan->items[i].end, p.items[i].end);
    }
    worker_free_setup(&spawned);
    plan_free(&p);
    wire_free(&w);
}

static void another_suite_digest_is_refused(void **state)
{
    (void)state;
    wire w = { 0 };
    plan p;
    worker_spawned spawned;
    error e = { .text = "" };
    encode(&w, &p, "0123");
    assert_false(worker_decode_setup(&spawned, w.bytes, w.size, &e));
    assert_non_null(strstr(e.text, "case files were changed"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    worker_free_setup(&spawned);
    plan_free(&p);
    wire_free(&w);
}

/* A truncated setup is refused, without a leak. */
static void truncated_setups_are_refused(void **state)
{
    (void)state;
    wire w = { 0 };
    plan p;
    encode(&w, &p, NULL);
    for (size_t size = 0; size < w.size; ++size) {
        worker_spawned spawned;
        error e = { .text = "" };
        assert_false(worker_decode_setup(&spawned, w.bytes, size, &e));
        assert_non_null(strstr(e.text, "cannot decode"));
        worker_free_setup(&spawned);
    }
    plan_free(&p);
    wire_free(&w);
}

static void spawn_data_names_the_shared_memory(void **state)
{
    (void)state;
    static execute_page page;
    static execute_orders orders;
    static execute_blocklist blocklist;
    const worker_context c = { NULL, &page, &orders, &blocklist };
    unsigned char bytes[] = { 1, 2 };
    const platform_spawn_data spawn_data = worker_spawn_data(&(wire){ .bytes = bytes, .size = 2 }, &c);
    assert_ptr_equal(spawn_data.bytes, bytes);
    assert_int_equal(spawn_data.size, 2);
    assert_int_equal(spawn_data.shared_count, 3);
    assert_int_equal(spawn_data.writable, 1);
    assert_ptr_equal(spawn_data.shared[0], &page);
    assert_ptr_equal(spawn_data.shared[1], &orders);
    assert_ptr_equal(spawn_data.shared[2], &blocklist);
}

static int use_cases(void **state)
{
    (void)state;
    return testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_setup_survives_encoding),
        cmocka_unit_test(another_suite_digest_is_refused),
        cmocka_unit_test(truncated_setups_are_refused),
        cmocka_unit_test(spawn_data_names_the_shared_memory),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, use_cases, NULL);
}

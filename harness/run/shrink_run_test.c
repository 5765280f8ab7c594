/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose first findings are shrunk. The cases are those of the suite. */
#include "harness/run/merge.h"
#include "harness/run/shrink.h"
#include "harness/run/worker_spawn.h"
#include "harness/store/store.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[] = "/tmp/shrink_run.XXXXXX";
static char path[3][64];

static int set_up(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
    for (int i = 0; i < 3; ++i)
        snprintf(path[i], sizeof path[i], "%s/%c.run", folder, 'a' + i);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static int no_runs(void **state)
{
    (void)state;
    return testing_empty(folder, ".run");
}

static const char *const examples[] = { "dml.slice1:examples" };
static const ts_option reverse = { "fault", "reverse-start" };

static run_options options_of(uint64_t shrink, unsigned workers, const char *output)
{
    return (run_options){ .backend = "faulty",
                          .backend_options = &reverse,
                          .backend_option_count = 1,
                          .queries = examples,
                          .query_count = 1,
                          .tier = TIER_FULL,
                          .max_findings = 100,
                          .repeat = 1,
                          .shrink = shrink,
                          .workers = workers,
                          .limits = { .seconds = 5, .losses = 100 },
                          .output = output,
                          .command = "touchstone run" };
}

static run_result ran(const run_options *o)
{
    run_result r;
    error e;
    if (!run_execute(o, &r, &e))
        fail_msg("%s", e.text);
    return r;
}

/* The findings of a run, a line each: the case, and that to which it was shrunk. */
typedef struct findings {
    size_t count, shrunk;
    char text[1 << 16];
} findings;

static bool add(void *context, const store_finding *f)
{
    findings *all = context;
    shrunk_facts facts;
    const size_t used = strlen(all->text);
    all->count++;
    all->shrunk += f->shrunk != NULL;
    assert_int_equal(f->shrunk != NULL, f->shrunk_facts != NULL);
    if (f->shrunk) {
        assert_true(shrunk_facts_read(&facts, f->shrunk_facts));
        assert_true(facts.size.elements <= facts.of.elements);
        assert_in_range(facts.executions, 1, 200);
        assert_non_null(strstr(facts.reproducer, f->shrunk));
        assert_non_null(facts.detail);
        shrunk_facts_free(&facts);
    }
    snprintf(all->text + used, sizeof all->text - used, "%s > %s\n", f->case_id, f->shrunk ? f->shrunk : "-");
    return true;
}

static findings *read_run(const char *run, findings *all)
{
    error e;
    store *s = store_open(run, &e);
    memset(all, 0, sizeof *all);
    if (!s || !store_each_finding(s, 0, 0, add, all, &e))
        fail_msg("%s", e.text);
    store_close(s);
    return all;
}

/* The findings keep their case and get the smallest, for any number of workers; the digest is the same without. */
static void the_first_findings_are_shrunk(void **state)
{
    (void)state;
    static findings one, two, none;
    const run_options with = options_of(200, 1, path[0]), more = options_of(200, 3, path[1]),
                      without = options_of(0, 2, path[2]);
    const run_result a = ran(&with), b = ran(&more), c = ran(&without);
    read_run(path[0], &one);
    read_run(path[1], &two);
    read_run(path[2], &none);
    assert_string_equal(one.text, two.text);
    assert_string_equal(a.digest, b.digest);
    assert_string_equal(a.digest, c.digest);
    assert_int_equal(one.count, none.count);
    assert_int_equal(one.shrunk, 3); /* of each test */
    assert_int_equal(none.shrunk, 0);
    assert_non_null(strstr(one.text, "dml.slice1:examples:example=2 > dml.slice1:drawn:rank=1,"));
}

/* A complete run is left as it is, and merging keeps what its shards have. */
static void resuming_and_merging_keep_them(void **state)
{
    (void)state;
    static findings shards, merged;
    run_result r;
    error e;
    run_options o = options_of(200, 2, path[0]);
    o.shards = 2;
    for (o.shard = 1; o.shard <= 2; ++o.shard) {
        o.output = path[o.shard - 1];
        ran(&o);
    }
    const char *const both[] = { path[0], path[1] };
    if (!merge_runs(path[2], both, 2, &r, &e))
        fail_msg("%s", e.text);
    read_run(path[0], &shards);
    size_t expected = shards.shrunk;
    read_run(path[1], &shards);
    expected += shards.shrunk;
    read_run(path[2], &merged);
    assert_true(expected > 0);
    assert_int_equal(merged.shrunk, expected);
    o = options_of(200, 2, path[0]);
    if (!run_resume(&o, &r, &e))
        fail_msg("%s", e.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_first_findings_are_shrunk, no_runs),
        cmocka_unit_test_teardown(resuming_and_merging_keep_them, no_runs),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

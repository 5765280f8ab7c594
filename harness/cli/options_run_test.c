/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/options.h"
#include "harness/execute/case_limits.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void times_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds; /* 0: refused */
    } rows[] = { { "500ms", 0.5 }, { "10s", 10 }, { "10", 10 }, { "2m", 120 }, { "1h", 3600 }, { "1.5s", 1.5 },
                 { "24h", 86400 }, { "25h", 0 },  { "0", 0 },   { "-1s", 0 },  { "", 0 },      { "s", 0 },
                 { "10 s", 0 },    { "1d", 0 },   { "nan", 0 }, { "inf", 0 },  { "0.5ms", 0 }, { "10ss", 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double seconds = 0;
        error e = { .text = "" };
        bool good = options_seconds("--time-limit", rows[i].text, &seconds, &e);
        assert_int_equal(good, rows[i].seconds > 0);
        if (good)
            assert_true(seconds == rows[i].seconds);
        else
            assert_non_null(strstr(e.text, "--time-limit '"));
    }
}

static void sizes_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
        uint64_t bytes;
    } rows[] = { { "0", true, 0 },
                 { "1048576", true, 1u << 20 },
                 { "512M", true, 512u << 20 },
                 { "4G", true, 4ull << 30 },
                 { "3K", true, 3072 },
                 { "2T", true, 2ull << 40 },
                 { "", false, 0 },
                 { "M", false, 0 },
                 { "4GB", false, 0 },
                 { "-1", false, 0 },
                 { "99999999999999T", false, 0 },
                 { "4g", false, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint64_t bytes = 0;
        error e = { .text = "" };
        assert_int_equal(options_bytes("--memory-limit", rows[i].text, &bytes, &e), rows[i].good);
        assert_int_equal(bytes, rows[i].bytes);
    }
}

static void a_memory_limit_leaves_room_for_the_worker(void **state)
{
    (void)state;
    uint64_t bytes;
    error e = { .text = "" };
    assert_false(options_memory("1K", &bytes, &e));
    assert_non_null(strstr(e.text, "--memory-limit '1K': expected at least 16M"));
    assert_false(options_memory("15M", &bytes, &e));
    assert_true(options_memory("16M", &bytes, &e));
    assert_int_equal(bytes, 16u << 20);
    assert_true(options_memory("0", &bytes, &e));
    assert_true(bytes == CASE_MEMORY_UNLIMITED);
}

static void forget(void)
{
    static const char *const names[] = { "TEST_TOTAL_SHARDS",     "TEST_SHARD_INDEX",     "TEST_SHARD_STATUS_FILE",
                                         "SLURM_ARRAY_TASK_ID",   "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
                                         "SLURM_ARRAY_TASK_STEP", "JOB_COMPLETION_INDEX", "TOUCHSTONE_SHARDS" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        testing_setenv(names[i], NULL);
}

static void shard_values_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t shard, shards; /* 0: refused */
    } rows[] = { { "1/1", 1, 1 }, { "3/16", 3, 16 }, { "16/16", 16, 16 }, { "0/4", 0, 0 },  { "5/4", 0, 0 },
                 { "1/0", 0, 0 }, { "1", 0, 0 },     { "1/4x", 0, 0 },    { "-1/4", 0, 0 }, { "", 0, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint64_t shard, shards;
        error e = { .text = "" };
        bool good = options_shard(rows[i].text, &shard, &shards, &e);
        assert_int_equal(good, rows[i].shards > 0);
        if (!good)
            assert_non_null(strstr(e.text, "expected I/N"));
        assert_true(!good || (shard == rows[i].shard && shards == rows[i].shards));
    }
}

static void shard_auto_reads_the_environment(void **state)
{
    (void)state;
    static const struct {
        const char *set[5]; /* "NAME=VALUE" */
        uint64_t shard, shards;
        const char *refusal;
    } rows[] = {
        { { "TEST_TOTAL_SHARDS=5", "TEST_SHARD_INDEX=4" }, 5, 5, NULL },
        { { "TEST_TOTAL_SHARDS=0" }, 0, 0, NULL },
        { { "TEST_TOTAL_SHARDS=5", "TEST_SHARD_INDEX=5" }, 0, 0, "shard 6 of 5" },
        { { "TEST_TOTAL_SHARDS=x" }, 0, 0, "TEST_TOTAL_SHARDS" },
        { { "SLURM_ARRAY_TASK_ID=7", "SLURM_ARRAY_TASK_MIN=3", "SLURM_ARRAY_TASK_MAX=9", "SLURM_ARRAY_TASK_STEP=2" },
          3,
          4,
          NULL },
        { { "SLURM_ARRAY_TASK_ID=0", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_MAX=3" }, 1, 4, NULL },
        { { "SLURM_ARRAY_TASK_ID=9", "SLURM_ARRAY_TASK_MIN=0", "SLURM_ARRAY_TASK_MAX=3" },
          0,
          0,
          "SLURM_ARRAY_TASK_ID" },
        { { "JOB_COMPLETION_INDEX=2", "TOUCHSTONE_SHARDS=3" }, 3, 3, NULL },
        { { "JOB_COMPLETION_INDEX=2" }, 0, 0, "TOUCHSTONE_SHARDS" },
        { { NULL }, 0, 0, "none of" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint64_t shard, shards;
        error e = { .text = "" };
        forget();
        for (size_t k = 0; k < 5 && rows[i].set[k]; ++k)
            assert_int_equal(putenv((char *)(uintptr_t)rows[i].set[k]), 0);
        assert_int_equal(options_shard("auto", &shard, &shards, &e), rows[i].refusal == NULL);
        if (rows[i].refusal && !strstr(e.text, rows[i].refusal))
            fail_msg("\"%s\" has not \"%s\"", e.text, rows[i].refusal);
        assert_true(rows[i].refusal || (shard == rows[i].shard && shards == rows[i].shards));
    }
    forget();
}

/* Bazel assumes that a test does not support sharding unless it creates this file. */
static void bazel_status_file_is_created(void **state)
{
    (void)state;
    char path[] = "/tmp/options_run_test.XXXXXX";
    uint64_t shard, shards;
    error e;
    assert_int_equal(testing_file(path, "", 0), 0);
    remove(path);
    testing_setenv("TEST_TOTAL_SHARDS", "2");
    testing_setenv("TEST_SHARD_INDEX", "0");
    testing_setenv("TEST_SHARD_STATUS_FILE", path);
    assert_true(options_shard("auto", &shard, &shards, &e));
    assert_int_equal(access(path, F_OK), 0);
    remove(path);
    testing_setenv("TEST_SHARD_STATUS_FILE", "/nowhere/at/all");
    assert_false(options_shard("auto", &shard, &shards, &e));
    forget();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_memory_limit_leaves_room_for_the_worker),
        cmocka_unit_test(times_have_units),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(shard_values_are_checked),
        cmocka_unit_test(shard_auto_reads_the_environment),
        cmocka_unit_test(bazel_status_file_is_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

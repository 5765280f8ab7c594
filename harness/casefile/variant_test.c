/* SPDX-License-Identifier: Apache-2.0 */
/* The points of the calls before a case of a drawn test. */
#include "harness/casefile/variant.h"

#include "harness/casefile/casefile.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/variant_test_XXXXXX";
static char path[64];
static case_file *file;
static const case_test *test;

static const char text[] = "local op = operator 'dml.element_wise_identity'\n"
                           "local any = op:family()\n"
                           "any:axis 'rank' { 2, 1, 3 }\n"
                           "any:axis 'dtype' { 'f32', 'u8', 'f16' }\n"
                           "any:axis 'extra' { 0 }\n"
                           "any:axis 'size' { 3, per = 'rank' }\n"
                           "any:axis 'stride' { 1, per = 'rank' }\n"
                           "any:axis 'before' { 'data', 'dtype', 'extra', 'size', 'refused', 'swapped', 'others' }\n"
                           "any:axis 'times' { 0 }\n"
                           "any:axis 'how' { all.hows }\n"
                           "any:axis 'which' { 0 }\n"
                           "any:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Strides = 'stride',\n"
                           "  Extra = 'extra' }, OutputTensor = { Sizes = 'size' } }\n"
                           "any:test 'after' { 'a title', preceded = true, each = { 'dtype', 'rank' }, dtype = '*',\n"
                           "  rank = '*', cases = { full = 9 }, draw = function(r, c) return {} end }\n";

static int load_file(void **state)
{
    error e;
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/case.lua", folder);
    if (testing_write(path, text) != 0 || !(file = casefile_load(path, &e)))
        return -1;
    test = &file->tests[0];
    return 0;
}

static int free_file(void **state)
{
    (void)state;
    casefile_free(file);
    unlink(path);
    return rmdir(folder);
}

/* The values of the call before the case with this id, as an id. */
static const char *before(const char *parameters, uint64_t k)
{
    static char id[CASE_ID_SIZE];
    space_cursor c, other;
    uint64_t index;
    error e;
    if (!space_find(test->space, parameters, &index, &e))
        fail_msg("%s: %s", parameters, e.text);
    assert_true(space_start(&c, test->space, index, index + 1, NULL, NULL));
    const variant v = variant_read(test->space, c.values);
    other = c;
    variant_values(test->space, &v, k, c.values, other.values);
    space_format_id(&other, id, sizeof id);
    return strrchr(id, ':') + 1;
}

static void one_axis_differs_in_one_way(void **state)
{
    (void)state;
    static const struct {
        const char *how, *size, *extra, *dtype;
    } rows[] = {
        { "", "3.3.3", "0", "f32" },
        { ",how=one,which=4", "4.3.9", "0", "f32" },
        { ",how=near,which=4", "4.7.9", "6", "f16" },
        { ",how=flip,which=5", "4.6.8", "4", "f16" },
        { ",how=negated", "-4.6.9", "-5", "f32" },
        { ",how=swap,which=2", "9.6.4", "0", "f32" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char id[200], want[200];
        snprintf(id, sizeof id, "rank=3,dtype=u8,extra=5,size=4.6.9,before=size%s", rows[i].how);
        snprintf(want, sizeof want, "rank=3,dtype=u8,extra=5%s%s,before=size%s",
                 strcmp(rows[i].size, "3.3.3") == 0 ? "" : ",size=",
                 strcmp(rows[i].size, "3.3.3") == 0 ? "" : rows[i].size, rows[i].how);
        assert_string_equal(before(id, 0), want);
        snprintf(id, sizeof id, "rank=3,extra=5,before=extra%s", rows[i].how);
        snprintf(want, sizeof want, "rank=3%s%s,before=extra%s",
                 strcmp(rows[i].extra, "0") == 0 ? "" : ",extra=", strcmp(rows[i].extra, "0") == 0 ? "" : rows[i].extra,
                 rows[i].how);
        assert_string_equal(before(id, 0), want);
        snprintf(id, sizeof id, "dtype=u8,before=dtype%s", rows[i].how);
        snprintf(want, sizeof want, "%s%sbefore=dtype%s", strcmp(rows[i].dtype, "f32") == 0 ? "" : "dtype=f16",
                 strcmp(rows[i].dtype, "f32") == 0 ? "" : ",", rows[i].how);
        assert_string_equal(before(id, 0), want);
    }
}

static void two_dimensions_are_swapped_in_every_vector(void **state)
{
    (void)state;
    assert_string_equal(before("rank=3,size=4.5.6,stride=30.6.1,before=swapped,which=1", 0),
                        "rank=3,size=4.6.5,stride=30.1.6,before=swapped,which=1");
    assert_string_equal(before("rank=1,size=4,before=swapped", 0), "rank=1,size=4,before=swapped");
}

static void refused_calls_and_other_data_have_the_same_values(void **state)
{
    (void)state;
    assert_string_equal(before("size=4.5,before=refused", 0), "size=4.5,before=refused");
    assert_string_equal(before("size=4.5,times=3", 2), "size=4.5,times=3");
}

/* The other calls differ from each other, and are the same each time. */
static void others_are_different_ones(void **state)
{
    (void)state;
    char first[CASE_ID_SIZE];
    unsigned differ = 0, changed = 0;
    static const char id[] = "rank=3,extra=5,size=4.5.6,stride=30.6.1,before=others,times=30";
    for (uint64_t k = 0; k < 30; ++k) {
        snprintf(first, sizeof first, "%s", before(id, k));
        assert_string_equal(before(id, k), first);
        changed += strcmp(first, id) != 0;
        differ += strcmp(before(id, k + 1), first) != 0;
    }
    assert_true(changed > 15 && differ > 15);
}

static void mistakes_in_the_words_are_told(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        { "{ all.hows }", "{ 'default', 'near', 'far' }", "how: 'far' is none of default, one, near" },
        { "'refused'", "'rank'   ", "before: 'rank' is neither" },
        { "'refused'", "'refuse' ", "before: 'refuse' is neither" },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        char changed[sizeof text + 100];
        error e;
        const char *at = strstr(text, changes[i][0]);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i][1],
                 at + strlen(changes[i][0]));
        assert_int_equal(testing_write(path, changed), 0);
        assert_null(casefile_load(path, &e));
        if (!strstr(e.text, changes[i][2]))
            fail_msg("%s", e.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_axis_differs_in_one_way),
        cmocka_unit_test(two_dimensions_are_swapped_in_every_vector),
        cmocka_unit_test(refused_calls_and_other_data_have_the_same_values),
        cmocka_unit_test(others_are_different_ones),
        cmocka_unit_test(mistakes_in_the_words_are_told),
    };
    return cmocka_run_group_tests(tests, load_file, free_file);
}

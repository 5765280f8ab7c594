/* SPDX-License-Identifier: Apache-2.0 */
/* Kept rows are the rows that would be made, whatever lies in the cache. */
#include "harness/casefile/casefile.h"
#include "harness/base/platform.h"
#include "harness/casefile/kept_rows.h"
#include "harness/testing/platform_testing.h"
#include "harness/testing/sanitizer.h"
#include "reference/operators.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/kept_rows_test.XXXXXX";
static char cache[sizeof folder + 32];

static int use_cache(void **state)
{
    (void)state;
    return testing_setenv("XDG_CACHE_HOME", folder) || testing_setenv("LOCALAPPDATA", folder);
}

static int set_up(void **state)
{
    int failed = testing_folder(folder);
    snprintf(cache, sizeof cache, "%s/touchstone", folder);
    return failed || use_cache(state);
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static int no_cache(void **state)
{
    testing_remove(cache);
    return use_cache(state);
}

/* A space that no case file has: `values` makes it one of its own. */
static space *make_space(unsigned values)
{
    static const char *const names[] = { "a", "b", "c", "d", "e" };
    int64_t list[16];
    error e;
    space *s = space_new("op", "test");
    assert_non_null(s);
    for (int64_t v = 0; v < 16; ++v)
        list[v] = v;
    for (size_t i = 0; i < 5; ++i) {
        const space_axis axis = { .name = names[i], .per = SPACE_SCALAR, .values = list, .count = values };
        assert_true(space_add_axis(s, &axis, &e));
    }
    assert_true(space_where(s, "a + b ~= c and (a ~= 1 or d > 2)", "test", &e));
    assert_true(space_close(s, &e));
    return s;
}

/* The ids of all rows, which the caller frees. */
static char *ids_of(const space *s)
{
    static char id[CASE_ID_SIZE];
    size_t used = 0, size = (size_t)space_points(s) * 512 + 1;
    char *all = malloc(size);
    space_cursor c;
    assert_non_null(all);
    *all = '\0';
    for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
        space_format_id(&c, id, sizeof id);
        used += (size_t)snprintf(all + used, size - used, "%s\n", id);
        assert_true(used < size);
    }
    return all;
}

static char *made(unsigned values)
{
    error e;
    space *s = make_space(values);
    assert_true(space_cover(s, 2, &e));
    char *ids = ids_of(s);
    space_free(s);
    return ids;
}

/* Keep the rows in the cache, and store the path of their file. */
static void keep(unsigned values, char path[512])
{
    error e;
    space *s = make_space(values);
    assert_true(space_cover(s, 2, &e));
    kept_rows_save(s, 2);
    space_free(s);
    DIR *d = opendir(cache);
    assert_non_null(d);
    *path = '\0';
    for (struct dirent *entry; (entry = readdir(d)) != NULL;)
        if (strlen(entry->d_name) > 5 && strcmp(entry->d_name + strlen(entry->d_name) - 5, ".rows") == 0)
            snprintf(path, 512, "%s/%s", cache, entry->d_name);
    closedir(d);
    assert_true(*path != '\0');
}

static bool loads(unsigned values)
{
    space *s = make_space(values);
    const bool loaded = kept_rows_load(s, 2);
    if (loaded) {
        char *kept = ids_of(s), *wanted = made(values);
        assert_string_equal(kept, wanted);
        free(kept);
        free(wanted);
    }
    assert_int_equal(space_is_covering(s), loaded);
    space_free(s);
    return loaded;
}

#if !defined(_WIN32) /* a cross-build makes none */
static void the_build_makes_the_rows_of_all_operators(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    error e;
    for (size_t i = 0; i < count; i += UNDER_SANITIZER ? 4 : 1) {
        char path[512];
        assert_true(casefile_path(all[i], path, sizeof path, &e));
        case_file *f = casefile_load_of(path, all[i], &e), *again = casefile_load_of(path, all[i], &e);
        assert_non_null(f);
        assert_non_null(again);
        for (size_t t = 0; t < f->test_count; ++t) {
            case_test *test = &f->tests[t];
            if (!test->strength)
                continue;
            if (!kept_rows_load(test->space, test->strength))
                fail_msg("%s:%s: the build kept no rows of it", all[i]->name, test->name);
            assert_true(space_cover(again->tests[t].space, test->strength, &e));
            char *kept = ids_of(test->space), *wanted = ids_of(again->tests[t].space);
            assert_string_equal(kept, wanted);
            free(kept);
            free(wanted);
        }
        casefile_free(f);
        casefile_free(again);
    }
    assert_int_equal(access(cache, F_OK), -1);
}
#endif

static void rows_of_other_case_files_are_kept_in_the_cache(void **state)
{
    (void)state;
    char path[512];
    assert_false(loads(9));
    keep(9, path);
    assert_true(loads(9));
    assert_false(loads(10)); /* other values, */
    space *s = make_space(9);
    assert_false(kept_rows_load(s, 3)); /* and another strength */
    space_free(s);
    keep(9, path); /* again, over the same file */
    assert_true(loads(9));
    assert_int_equal(testing_count(cache), 1);
}

static void a_damaged_file_is_as_good_as_none(void **state)
{
    (void)state;
    char path[512];
    keep(9, path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char bytes[20000], changed[20000];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 100 && size < sizeof bytes);
    for (size_t at = 0; at <= size; at += at < 60 || at > size - 40 ? 1 : 7) {
        memcpy(changed, bytes, size);
        if (at < size)
            changed[at] ^= (unsigned char)(1u << at % 8);
        for (int cut = 0; cut < 2; ++cut) { /* a bit changed; and cut off there */
            if (at == size && !cut)
                continue;
            file = fopen(path, "wb");
            assert_non_null(file);
            fwrite(changed, 1, cut ? at - (at == size) : size, file);
            fclose(file);
            platform_protect_file(path);
            assert_false(loads(9));
        }
    }
    file = fopen(path, "wb"); /* a kept file of another space under this name */
    fwrite(bytes, 1, size, file);
    fclose(file);
    platform_protect_file(path);
    assert_true(loads(9));
    char other[512], first[512];
    snprintf(first, sizeof first, "%s", path);
    assert_int_equal(remove(path), 0);
    keep(10, other);
    assert_int_equal(rename(other, first), 0);
    assert_false(loads(9));
}

/* Bytes that are not rows of the space, as a file with a right checksum could have them. */
static void rows_are_checked_one_by_one(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } wrong[] = {
        { "", 0 },
        { "\0", 1 },                                    /* no rows */
        { "\1\0\11\0\0\0\0", 7 },                       /* a value that there is not */
        { "\1\1\0\0\0\0\0", 7 },                        /* a block that there is not */
        { "\1\0\0\0\0\0\0", 7 },                        /* a + b = c */
        { "\1\0\1\0\2\2\0", 7 },                        /* a = 1, d = 2 */
        { "\1\0\0\0\1\0", 6 },                          /* too short, */
        { "\1\0\0\0\1\0\0\0", 8 },                      /* too long */
        { "\2\0\0\0\1\0\0\0\0\0\1\0\0", 13 },           /* the same row twice */
        { "\377\377\377\377\17\0\0\0\1\0\0", 11 },      /* more rows than bytes, */
        { "\377\377\377\377\377\377\0\0\0\1\0\0", 12 }, /* and than a number can say */
    };
    space *s = make_space(9);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        if (space_read_rows(s, wrong[i].bytes, wrong[i].size))
            fail_msg("row %zu is accepted", i);
    assert_false(space_is_covering(s));
    assert_true(space_read_rows(s, "\2\0\0\0\1\0\0\0\0\0\1\0\1", 13));
    assert_int_equal(space_points(s), 2);
    space_free(s);
}

#if !defined(_WIN32) /* which has other permissions, and no pipes in folders */
static void a_file_that_others_could_have_written_is_not_used(void **state)
{
    (void)state;
    char path[512], aside[600];
    keep(9, path);
    snprintf(aside, sizeof aside, "%s.aside", path);
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(loads(9));
    assert_int_equal(chmod(path, 0602), 0);
    assert_false(loads(9));
    if (geteuid() == 0) { /* someone else's */
        assert_int_equal(chmod(path, 0600), 0);
        assert_int_equal(chown(path, 12345, 0), 0);
        assert_false(loads(9));
        assert_int_equal(chown(path, 0, 0), 0);
    }
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(loads(9));
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(symlink(aside, path), 0);
    assert_false(loads(9));
    keep(9, path); /* replaces the link, not what it leads to */
    assert_true(loads(9));
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0); /* nobody waits for it, reading or writing */
    assert_false(loads(9));
    keep(9, path);
    assert_true(loads(9));
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(aside, sizeof aside, "%s/mine", path);
    assert_int_equal(testing_touch(aside), 0);
    assert_false(loads(9));
    keep(9, path); /* leaves a folder with files alone */
    assert_false(loads(9));
    assert_int_equal(access(aside, F_OK), 0);
}
#endif

/* kept_rows_save says nothing; the rows of the next run are made again. */
static void without_a_folder_nothing_is_kept(void **state)
{
    (void)state;
    static const char *const homes[] = { NULL, "", "relative", "/proc/nowhere", "/dev/null" };
    error e;
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; ++i) {
        testing_setenv("XDG_CACHE_HOME", homes[i]);
        testing_setenv("LOCALAPPDATA", homes[i]);
        testing_setenv("HOME", homes[i]);
        space *s = make_space(9);
        assert_false(kept_rows_load(s, 2));
        assert_true(space_cover(s, 2, &e));
        if (!homes[i] || *homes[i] != 'r') /* on Windows, a relative one is one */
            kept_rows_save(s, 2);
        space_free(s);
        assert_false(loads(9));
    }
    assert_int_equal(access(cache, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if !defined(_WIN32)
        cmocka_unit_test_setup(the_build_makes_the_rows_of_all_operators, no_cache),
#endif
        cmocka_unit_test_setup(rows_of_other_case_files_are_kept_in_the_cache, no_cache),
        cmocka_unit_test_setup(a_damaged_file_is_as_good_as_none, no_cache),
        cmocka_unit_test_setup(rows_are_checked_one_by_one, no_cache),
#if !defined(_WIN32)
        cmocka_unit_test_setup(a_file_that_others_could_have_written_is_not_used, no_cache),
#endif
        cmocka_unit_test_setup(without_a_folder_nothing_is_kept, no_cache),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

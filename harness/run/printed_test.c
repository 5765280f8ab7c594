/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void take(printed *p, const char *text)
{
    printed_take(p, text, strlen(text));
}

static void last_lines_are(const printed *p, uint64_t from, const char *expected)
{
    char *lines = printed_last_lines(p, from);
    if (expected)
        assert_string_equal(lines, expected);
    else
        assert_null(lines);
    free(lines);
}

static void the_last_lines_begin_at_a_position(void **state)
{
    (void)state;
    static printed p;
    last_lines_are(&p, 0, NULL);
    take(&p, "one\ntwo\n");
    const uint64_t here = p.position;
    last_lines_are(&p, here, NULL);
    take(&p, "three\r\nfo");
    take(&p, "ur\n\n");
    last_lines_are(&p, here, "three\\r\nfour");
    last_lines_are(&p, 0, "one\ntwo\nthree\\r\nfour");
    last_lines_are(&p, here + 1000, NULL);
}

static void at_most_twelve_lines_are_last(void **state)
{
    (void)state;
    static printed p;
    for (int i = 0; i < 1000; ++i) {
        char line[16];
        snprintf(line, sizeof line, "line %d\n", i);
        take(&p, line);
    }
    char *lines = printed_last_lines(&p, 0);
    assert_int_equal(strncmp(lines, "line 988\n", 9), 0);
    assert_string_equal(lines + strlen(lines) - 8, "line 999");
    free(lines);
}

static void escapes_are_visible(void **state)
{
    (void)state;
    static printed p;
    printed_take(&p, "a\033[2J\0b\xFF", 8);
    last_lines_are(&p, 0, "a\\x1b[2J\\x00b\\xff");
}

/* ---- in a run file ---- */

typedef struct rows {
    store_printed list[16];
    size_t head[16], tail[16], count;
} rows;

static bool add_row(void *context, const store_printed *p)
{
    rows *r = context;
    assert_true(r->count < 16);
    r->head[r->count] = p->head ? strlen(p->head) : 0;
    r->tail[r->count] = p->tail ? strlen(p->tail) : 0;
    r->list[r->count++] = *p;
    return true;
}

static store *new_store(void)
{
    error e = { .text = "" };
    remove("printed.run");
    store *s = store_create("printed.run", &e);
    if (!s || !store_begin(s, &e))
        fail_msg("%s", e.text);
    return s;
}

static rows read_rows(store *s)
{
    rows r = { .count = 0 };
    error e;
    assert_true(store_commit(s, &e));
    assert_true(store_each_printed(s, add_row, &r, &e));
    store_close(s);
    remove("printed.run");
    return r;
}

static void the_beginning_and_the_end_are_stored(void **state)
{
    (void)state;
    static printed p;
    static char noise[100000];
    error e;
    store *s = new_store();
    printed_switch(&p, 1);
    take(&p, "short");
    assert_true(printed_store(&p, s, 1, &e));
    printed_switch(&p, 2);
    assert_false(printed_has_news(&p));
    memset(noise, '.', sizeof noise);
    for (int i = 0; i < 1000; ++i)
        printed_take(&p, noise, sizeof noise);
    assert_true(printed_store(&p, s, 1, &e));
    take(&p, "\nthe end\n");
    assert_true(printed_has_news(&p));
    assert_true(printed_store(&p, s, 1, &e)); /* the same row */
    const rows r = read_rows(s);
    assert_int_equal(r.count, 2);
    assert_int_equal(r.list[0].test, 1);
    assert_int_equal(r.list[0].bytes, 5);
    assert_int_equal(r.list[0].lines, 1);
    assert_int_equal(r.head[0], 5);
    assert_int_equal(r.tail[0], 0);
    assert_int_equal(r.list[1].bytes, 100000009);
    assert_int_equal(r.list[1].lines, 2);
    assert_int_equal(r.head[1], PRINTED_HEAD);
    assert_int_equal(r.tail[1], PRINTED_TAIL);
}

/* However many processes a test costs, the run holds the texts of a few, and counts the others. */
static void other_processes_are_counted(void **state)
{
    (void)state;
    error e;
    store *s = new_store();
    for (uint64_t process = 1; process <= 100; ++process) {
        static printed p;
        memset(&p, 0, sizeof p);
        printed_switch(&p, 1);
        for (int i = 0; i < 3; ++i) {
            take(&p, "12345678\n\n");
            assert_true(printed_store(&p, s, process, &e));
        }
    }
    const rows r = read_rows(s);
    assert_int_equal(r.count, STORE_PRINTED_PROCESSES + 1);
    assert_int_equal(r.list[0].process, 0);
    assert_int_equal(r.list[0].processes, 100 - STORE_PRINTED_PROCESSES);
    uint64_t bytes = 0, lines = 0;
    for (size_t i = 0; i < r.count; ++i) {
        bytes += r.list[i].bytes;
        lines += r.list[i].lines;
    }
    assert_int_equal(bytes, 3000);
    assert_int_equal(lines, 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_lines_begin_at_a_position),
        cmocka_unit_test(at_most_twelve_lines_are_last),
        cmocka_unit_test(escapes_are_visible),
        cmocka_unit_test(the_beginning_and_the_end_are_stored),
        cmocka_unit_test(other_processes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

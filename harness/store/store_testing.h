/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the store: a folder for runs, and callbacks that write what they read as text. */
#ifndef TOUCHSTONE_STORE_TESTING_H
#define TOUCHSTONE_STORE_TESTING_H

#include "harness/store/store_private.h"
#include "harness/testing/platform_testing.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/wait.h>
#endif

#include <cmocka.h>

static char folder[] = "/tmp/store_test.XXXXXX";
static char run[sizeof folder + 16];

static inline int set_up_folder(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
#if !defined(_WIN32)
    /* The super-user may read and write every file: run as another user. */
    if (geteuid() == 0 && (chown(folder, 65534, 65534) != 0 || setegid(65534) != 0 || seteuid(65534) != 0))
        print_message("permissions cannot be tested as root\n");
#endif
    snprintf(run, sizeof run, "%s/run.ts", folder);
    return 0;
}

static inline int remove_folder(void **state)
{
    (void)state;
#if !defined(_WIN32)
    if (getuid() == 0 && (seteuid(0) != 0 || setegid(0) != 0)) /* the leak checker needs to be root again */
        return -1;
#endif
    return testing_remove(folder);
}

/* Each test starts with an empty folder. */
static inline int empty_folder(void **state)
{
    (void)state;
    return testing_empty(folder, "");
}

static inline bool present(const char *suffix)
{
    char name[sizeof run + 16];
    snprintf(name, sizeof name, "%s%s", run, suffix);
    return access(name, F_OK) == 0;
}

static inline long long size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (long long)info.st_size : -1;
}

static inline store *make(void)
{
    error e = { 0 };
    store *s = store_create(run, &e);
    if (!s)
        fail_msg("%s", e.text);
    return s;
}

static error trouble;

#define check(call)                                                                                                    \
    do {                                                                                                               \
        if (!(call))                                                                                                   \
            fail_msg("%s", trouble.text);                                                                              \
    } while (0)

/* Opening the file must fail with this status, and the path and this text in the message. */
static inline void refused_with(exit_status status, const char *path, const char *expected)
{
    error e = { 0 };
    store *s = store_open(path, &e);
    if (s)
        fail_msg("'%s' was expected, but the run was opened", expected);
    if (!strstr(e.text, expected) || !strstr(e.text, path))
        fail_msg("'%s' expected in '%s'", expected, e.text);
    assert_int_equal(e.status, status);
}

static inline void refused(const char *path, const char *expected)
{
    refused_with(EXIT_BAD_USAGE, path, expected);
}

static inline void damaged(const char *path, const char *expected)
{
    refused_with(EXIT_HARNESS, path, expected);
}

static inline void put(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static inline void sql(const char *path, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

static inline store_test example_test(const char *op, const char *test)
{
    return (store_test){ .op = op, .test = test, .tier = "full", .title = "all of it", .points = 1000, .planned = 900 };
}

typedef struct seen {
    int rows;
    uint64_t cases;
    char text[4096];
} seen;

static inline void note(seen *to, const char *format, ...) ERROR_PRINTF(2, 3);
static inline void note(seen *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t n = strlen(to->text);
    vsnprintf(to->text + n, sizeof to->text - n, format, args);
    va_end(args);
    to->rows++;
}

static inline bool see_test(void *context, const store_test *t)
{
    note(context, "%d %s %s %s %s %s %llu %llu\n", (int)t->id, t->name, t->op, t->test, t->tier, t->title,
         (unsigned long long)t->points, (unsigned long long)t->planned);
    return true;
}

static inline bool see_tally(void *context, const store_tally *t)
{
    note(context, "%d %s %s %s %llu\n", (int)t->test, t->dtype, t->level, verdict_name(t->verdict),
         (unsigned long long)t->cases);
    return true;
}

static inline bool see_observation(void *context, const store_observation *o)
{
    note(context, "%d %s %llu %s %s\n", (int)o->test, o->kind, (unsigned long long)o->cases,
         o->example ? o->example : "-", o->detail ? o->detail : "-");
    return true;
}

static inline bool see_ledger(void *context, const char *op, const char *entries)
{
    note(context, "%s %s\n", op, entries);
    return true;
}

static inline bool see_clause(void *context, const store_clause *c)
{
    note(context, "%s %s %s %s %s %s %s\n", c->op, c->id, c->text, c->page ? c->page : "-",
         c->section ? c->section : "-", c->basis ? c->basis : "-", c->ground ? c->ground : "-");
    return true;
}

static inline bool see_finding(void *context, const store_finding *f)
{
    note(context, "%d %d %llu %s %s %s %s %s %s %s %s %s %s %llu %s %s %s %s%s\n", (int)f->id, (int)f->test,
         (unsigned long long)f->index, f->case_id, verdict_name(f->verdict), f->clause ? f->clause : "-",
         f->dtype ? f->dtype : "-", f->level ? f->level : "-", f->tensor ? f->tensor : "-",
         f->element ? f->element : "-", f->expected ? f->expected : "-", f->actual ? f->actual : "-",
         f->source ? f->source : "-", (unsigned long long)f->differing, f->detail ? f->detail : "-",
         f->descriptor ? f->descriptor : "-", f->tensors ? f->tensors : "-", f->reproducer ? f->reproducer : "-",
         f->other_data ? " other data" : "");
    return true;
}

static inline bool see_one(void *context, const store_finding *f)
{
    (void)f;
    ((seen *)context)->rows++;
    return false;
}

static inline bool see_plane(void *context, const store_plane *p)
{
    note(context, "%d %llu-%llu:", (int)p->test, (unsigned long long)p->first, (unsigned long long)p->last);
    seen *to = context;
    for (size_t i = 0; i < p->cases && i < 20; ++i)
        note(to, "%d,", p->verdicts[i]);
    to->cases += p->cases;
    return true;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store.h"
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

static int set_up_folder(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
#if !defined(_WIN32)
    /* The super-user may read and write everything, so that nothing would be tested. */
    if (geteuid() == 0 && (chown(folder, 65534, 65534) != 0 || setegid(65534) != 0 || seteuid(65534) != 0))
        print_message("permissions cannot be tested as root\n");
#endif
    snprintf(run, sizeof run, "%s/run.ts", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
#if !defined(_WIN32)
    if (getuid() == 0 && (seteuid(0) != 0 || setegid(0) != 0)) /* the leak checker needs it */
        return -1;
#endif
    return testing_remove(folder);
}

/* Each test starts with an empty folder. */
static int empty_folder(void **state)
{
    (void)state;
    return testing_empty(folder, "");
}

static bool present(const char *suffix)
{
    char name[sizeof run + 16];
    snprintf(name, sizeof name, "%s%s", run, suffix);
    return access(name, F_OK) == 0;
}

static long long size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? (long long)info.st_size : -1;
}

static store *make(void)
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

/* The open must fail, for the user's fault, with this in the message and the path in front. */
static void refused(const char *path, const char *expected)
{
    error e = { 0 };
    store *s = store_open(path, &e);
    assert_null(s);
    if (!strstr(e.text, expected) || !strstr(e.text, path))
        fail_msg("'%s' expected in '%s'", expected, e.text);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

static void put(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

static void sql(const char *path, const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    sqlite3_close(db);
}

static store_test example_test(const char *op, const char *test)
{
    return (store_test){ .op = op, .test = test, .tier = "full", .title = "all of it", .points = 1000, .planned = 900 };
}

/* ---- round trips --------------------------------------------------------------------------------------------------
 */

typedef struct seen {
    int rows;
    uint64_t cases;
    char text[4096];
} seen;

static void note(seen *to, const char *format, ...) ERROR_PRINTF(2, 3);
static void note(seen *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t n = strlen(to->text);
    vsnprintf(to->text + n, sizeof to->text - n, format, args);
    va_end(args);
    to->rows++;
}

static bool see_test(void *context, const store_test *t)
{
    note(context, "%d %s %s %s %s %s %llu %llu\n", (int)t->id, t->name, t->op, t->test, t->tier, t->title,
         (unsigned long long)t->points, (unsigned long long)t->planned);
    return true;
}

static bool see_tally(void *context, const store_tally *t)
{
    note(context, "%d %s %s %s %llu\n", (int)t->test, t->dtype, t->level, verdict_name(t->verdict),
         (unsigned long long)t->cases);
    return true;
}

static bool see_observation(void *context, const store_observation *o)
{
    note(context, "%d %s %llu %s %s\n", (int)o->test, o->kind, (unsigned long long)o->cases,
         o->example ? o->example : "-", o->detail ? o->detail : "-");
    return true;
}

static bool see_ledger(void *context, const char *op, const char *entries)
{
    note(context, "%s %s\n", op, entries);
    return true;
}

static bool see_clause(void *context, const store_clause *c)
{
    note(context, "%s %s %s %s %s\n", c->op, c->id, c->text, c->page ? c->page : "-", c->section ? c->section : "-");
    return true;
}

static bool see_finding(void *context, const store_finding *f)
{
    note(context, "%d %d %llu %s %s %s %s %s %s %s %s %s %s %llu %s %s %s %s\n", (int)f->id, (int)f->test,
         (unsigned long long)f->index, f->case_id, verdict_name(f->verdict), f->clause ? f->clause : "-",
         f->dtype ? f->dtype : "-", f->level ? f->level : "-", f->tensor ? f->tensor : "-",
         f->element ? f->element : "-", f->expected ? f->expected : "-", f->actual ? f->actual : "-",
         f->source ? f->source : "-", (unsigned long long)f->differing, f->detail ? f->detail : "-",
         f->descriptor ? f->descriptor : "-", f->tensors ? f->tensors : "-", f->reproducer ? f->reproducer : "-");
    return true;
}

static bool see_one(void *context, const store_finding *f)
{
    (void)f;
    ((seen *)context)->rows++;
    return false;
}

static bool see_plane(void *context, const store_plane *p)
{
    note(context, "%d %llu-%llu:", (int)p->test, (unsigned long long)p->first, (unsigned long long)p->last);
    seen *to = context;
    for (size_t i = 0; i < p->cases && i < 20; ++i)
        note(to, "%d,", p->verdicts[i]);
    to->cases += p->cases;
    return true;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    store *s = make();
    store_test t = example_test("dml.slice1", "exhaustive"), u = example_test("dml.gather", "pairwise");
    check(store_begin(s, &trouble));
    check(store_set(s, STORE_BACKEND, "cpu", &trouble));
    check(store_set(s, STORE_BACKEND, "faulty", &trouble));
    check(store_set(s, STORE_QUERY, "it's; DROP TABLE meta --", &trouble));
    check(store_add_test(s, &t, &trouble));
    check(store_add_test(s, &u, &trouble));
    assert_int_equal(t.id, 1);
    assert_int_equal(u.id, 2);
    check(store_add_tally(s, 1, "f16", "4_1", VERDICT_PASS, 5, &trouble));
    check(store_add_tally(s, 1, "f16", "4_1", VERDICT_PASS, 6, &trouble));
    check(store_add_tally(s, 1, "f16", "4_1", VERDICT_CRASH, 1, &trouble));
    /* Alike, apart, and alike again: what shares a row is nobody's business. */
    check(store_add_tally(s, 2, "f16", "4_1", VERDICT_PASS, 7, &trouble));
    check(store_add_tally(s, 2, "u8", "4_1", VERDICT_PASS, 7, &trouble));
    check(store_add_tally(s, 2, "f32", "4_1", VERDICT_PASS, 0, &trouble));
    check(store_add_tally(s, 2, "u8", "4_1", VERDICT_PASS, 2, &trouble));
    check(store_add_tally(s, 2, "f16", "4_1", VERDICT_PASS, 2, &trouble));
    check(store_add_tally(s, 2, "f16", "3_0", VERDICT_PASS, 9, &trouble));
    const store_observation observed[] = { { 2, "gap-write", 2, NULL, NULL },
                                           { 2, "gap-write", 3, "dml.gather:pairwise:", "told" },
                                           { 2, "gap-write", 4, "another", "of the other" },
                                           { 2, "E-GA-10: refused", 1, "third", NULL } };
    for (size_t i = 0; i < 4; ++i)
        check(store_add_observation(s, &observed[i], &trouble));
    check(store_add_ledger(s, "dml.slice1", "[{\"id\":\"E-SL-1\"}]", &trouble));
    check(store_add_ledger(s, "dml.gather", "[]", &trouble));
    check(store_add_ledger(s, "dml.slice1", "[]", &trouble)); /* set once */
    store_finding f = { .test = 1,
                        .index = 17,
                        .case_id = "a",
                        .verdict = VERDICT_MISMATCH,
                        .clause = "SL-10",
                        .dtype = "f16",
                        .level = "4_1",
                        .tensor = "OutputTensor",
                        .element = "[1]",
                        .expected = "0x1",
                        .actual = "0x2",
                        .source = "InputTensor[0]",
                        .differing = 3,
                        .detail = "d",
                        .descriptor = "{}",
                        .tensors = "[]",
                        .reproducer = "touchstone run a" };
    store_finding bare = { .test = 2, .case_id = "b", .verdict = VERDICT_HANG };
    check(store_add_finding(s, &f, &trouble));
    check(store_add_finding(s, &bare, &trouble));
    assert_int_equal(bare.id, 2);
    store_clause c = { "dml.slice1", "SL-05", "text", "page", NULL, true, 0, 0 };
    check(store_add_clause(s, &c, &trouble));
    check(store_add_clause(s, &c, &trouble));
    const uint8_t verdicts[] = { 1, 1, 2, 14, 13 };
    check(store_add_plane(s, 1, 100, 199, verdicts, 5, &trouble));
    check(store_add_plane(s, 1, 0, 99, verdicts, 2, &trouble));
    check(store_add_plane(s, 2, 0, 9, verdicts, 0, &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
    assert_false(present("-wal") || present("-shm") || present("-journal"));

    error e = { 0 };
    s = store_open(run, &e);
    assert_non_null(s);
    assert_string_equal(store_get(s, STORE_BACKEND), "faulty");
    assert_string_equal(store_get(s, STORE_QUERY), "it's; DROP TABLE meta --");
    assert_null(store_get(s, "nothing"));
    seen tests = { 0 }, tallies = { 0 }, observations = { 0 }, findings = { 0 }, clauses = { 0 }, planes = { 0 },
         ledger = { 0 };
    check(store_each_test(s, see_test, &tests, &trouble));
    assert_string_equal(tests.text, "1 dml.slice1:exhaustive dml.slice1 exhaustive full all of it 1000 900\n"
                                    "2 dml.gather:pairwise dml.gather pairwise full all of it 1000 900\n");
    check(store_each_tally(s, see_tally, &tallies, &trouble));
    assert_string_equal(tallies.text, "1 f16 4_1 pass 11\n1 f16 4_1 crash 1\n2 f16 3_0 pass 9\n2 f16 4_1 pass 9\n"
                                      "2 f32 4_1 pass 0\n2 u8 4_1 pass 9\n");
    check(store_each_observation(s, see_observation, &observations, &trouble));
    assert_string_equal(observations.text, "2 E-GA-10: refused 1 third -\n2 gap-write 9 dml.gather:pairwise: told\n");
    check(store_each_ledger(s, see_ledger, &ledger, &trouble));
    assert_string_equal(ledger.text, "dml.gather []\ndml.slice1 [{\"id\":\"E-SL-1\"}]\n");
    check(store_each_finding(s, 0, 0, see_finding, &findings, &trouble));
    assert_string_equal(findings.text, "1 1 17 a mismatch SL-10 f16 4_1 OutputTensor [1] 0x1 0x2 InputTensor[0] 3 d {} "
                                       "[] touchstone run a\n"
                                       "2 2 0 b hang - - - - - - - - 0 - - - -\n");
    check(store_each_clause(s, see_clause, &clauses, &trouble));
    assert_string_equal(clauses.text, "dml.slice1 SL-05 text page -\n");
    check(store_each_plane(s, 0, see_plane, &planes, &trouble));
    assert_string_equal(planes.text, "1 0-99:1,1,1 100-199:1,1,2,14,13,2 0-9:");
    seen some = { 0 };
    check(store_each_finding(s, 2, 0, see_finding, &some, &trouble));
    check(store_each_finding(s, 0, 1, see_finding, &some, &trouble));
    check(store_each_finding(s, 0, 0, see_one, &some, &trouble));
    assert_int_equal(some.rows, 3);
    store_close(s);
    store_close(NULL);
}

static void an_open_transaction_is_rolled_back(void **state)
{
    (void)state;
    store *s = make();
    check(store_set(s, STORE_STATE, "running", &trouble));
    check(store_begin(s, &trouble));
    check(store_set(s, STORE_STATE, "complete", &trouble));
    store_close(s);
    error e = { 0 };
    s = store_open(run, &e);
    assert_string_equal(store_get(s, STORE_STATE), "running");
    /* The run can be gone on with. */
    check(store_begin(s, &trouble));
    check(store_set(s, STORE_STATE, "complete", &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
    assert_false(present("-wal"));
}

static void readers_see_one_moment_of_a_running_run(void **state)
{
    (void)state;
    store *writer = make();
    check(store_set(writer, STORE_STATE, "1", &trouble));
    error e = { 0 };
    store *reader = store_open(run, &e);
    assert_non_null(reader);
    check(store_snapshot(reader, &trouble));
    check(store_begin(writer, &trouble));
    check(store_set(writer, STORE_STATE, "2", &trouble));
    assert_string_equal(store_get(reader, STORE_STATE), "1");
    check(store_commit(writer, &trouble));
    assert_string_equal(store_get(reader, STORE_STATE), "1");
    check(store_commit(reader, &trouble));
    assert_string_equal(store_get(reader, STORE_STATE), "2");
    store_close(writer);
    assert_string_equal(store_get(reader, STORE_STATE), "2");
    store_close(reader);
}

#if !defined(_WIN32) /* which has no copies of processes */
static void a_killed_writer_leaves_what_it_committed(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        store *s = make();
        check(store_set(s, STORE_STATE, "running", &trouble));
        check(store_begin(s, &trouble));
        check(store_set(s, STORE_STATE, "lost", &trouble));
        raise(SIGKILL);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_true(present("-wal"));
    error e = { 0 };
    store *s = store_open(run, &e);
    assert_non_null(s);
    assert_string_equal(store_get(s, STORE_STATE), "running");
    store_close(s);
}
#endif

/* Names that SQLite would take for something else. */
static void odd_names_are_names(void **state)
{
    (void)state;
#if defined(_WIN32) /* where those signs are in no file's name */
    static const char *const names[] = { "a b%20#.ts" };
#else
    static const char *const names[] = { ":memory:", "file:x?mode=memory", "a b%20#?.ts" };
#endif
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        error e = { 0 };
        store *s = store_create(names[i], &e);
        assert_non_null(s);
        check(store_set(s, STORE_STATE, "here", &trouble));
        store_close(s);
        assert_true(size_of(names[i]) > 0);
        s = store_open(names[i], &e);
        assert_non_null(s);
        assert_string_equal(store_get(s, STORE_STATE), "here");
        store_close(s);
    }
    assert_int_equal(chdir(before), 0);
    free(before);
}

/* ---- what cannot be opened ----------------------------------------------------------------------------------------
 */

static void each_unusable_file_has_its_message(void **state)
{
    (void)state;
    refused(run, "there is no such run");
    refused(folder, "is a directory");
    put(run, "", 0);
    refused(run, "is empty");
    put(run, "plain text, and rather more than sixteen bytes of it", 52);
    refused(run, "not even an SQLite file");
    put(run, "SQLite format 3", 16);
    refused(run, "cut off");
    remove(run);
    sql(run, "CREATE TABLE bookmarks(url); INSERT INTO bookmarks VALUES('a')");
    refused(run, "but not a run");
    remove(run);

    store_close(make());
    sql(run, "PRAGMA user_version = 7");
    refused(run, "newer Touchstone (format 7");
    sql(run, "PRAGMA user_version = 0");
    refused(run, "no format number");
    sql(run, "PRAGMA user_version = 1");
    refused(run, "older Touchstone (format 1");
    sql(run, "PRAGMA user_version = 5; DROP TABLE plane");
    refused(run, "tables are missing");
    remove(run);
#if !defined(_WIN32) /* whose permissions are others */
    if (geteuid() != 0) {
        store_close(make());
        chmod(run, 0);
        refused(run, "cannot be read: Permission denied");
        remove(run);
    }
#endif
}

static void a_truncated_run_is_told(void **state)
{
    (void)state;
    store_close(make());
    long long size = size_of(run);
    assert_int_equal(truncate(run, (long)(size - 4096)), 0);
    refused(run, "cut off");
}

static void damage_inside_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *change, *expected;
    } damages[] = {
        { "UPDATE plane SET verdicts = x'00112233'", "cannot be decompressed" },
        { "UPDATE plane SET cases = 9000000000000", "more cases than it holds" },
        { "UPDATE plane SET cases = -1", "negative" },
        { "UPDATE tally_group SET verdict = 99", "a verdict is unknown" },
        { "UPDATE plane SET verdicts = x'63'", "an unknown verdict" },
        { "UPDATE plane SET verdicts = x'01', first = 0, last = 8999999999999, cases = 9000000000000",
          "more cases than it holds" },
        { "UPDATE ledger SET entries = x'0011'", "the ledger cannot be decompressed" },
        { "UPDATE ledger SET bytes = 9000000000000", "the ledger cannot be decompressed" },
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        store *s = make();
        const uint8_t verdicts[] = { 1, 1, 1 };
        check(store_add_plane(s, 1, 0, 9, verdicts, 3, &trouble));
        check(store_add_tally(s, 1, "f32", "1_0", VERDICT_PASS, 3, &trouble));
        check(store_add_ledger(s, "dml.slice1", "[]", &trouble));
        store_close(s);
        sql(run, damages[i].change);
        error e = { 0 };
        s = store_open(run, &e);
        assert_non_null(s);
        seen rows = { 0 };
        bool ok = store_each_plane(s, 0, see_plane, &rows, &e) && store_each_tally(s, see_tally, &rows, &e) &&
                  store_each_ledger(s, see_ledger, &rows, &e);
        assert_false(ok);
        assert_non_null(strstr(e.text, damages[i].expected));
        assert_non_null(strstr(e.text, "damaged"));
        store_close(s);
        remove(run);
    }
    /* Pages overwritten with rubbish: an error, in opening or in reading, never a crash and never silence. */
    store *s = make();
    for (int i = 0; i < 2000; ++i)
        check(store_add_tally(s, i, "f32", "1_0", VERDICT_PASS, 3, &trouble));
    store_close(s);
    FILE *file = fopen(run, "r+b");
    assert_non_null(file);
    for (long at = 4096 + 50; at < size_of(run); at += 97) {
        fseek(file, at, SEEK_SET);
        fputc(0xA5, file);
    }
    fclose(file);
    error e = { 0 };
    seen rows = { 0 };
    s = store_open(run, &e);
    assert_false(s && store_each_tally(s, see_tally, &rows, &e));
    assert_non_null(strstr(e.text, "damaged"));
    store_close(s);
}

#if !defined(_WIN32) /* whose permissions are others */
static void a_finished_run_is_read_from_a_read_only_place(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip();
    store *s = make();
    check(store_set(s, STORE_STATE, "complete", &trouble));
    store_close(s);
    sql(run, "PRAGMA journal_mode = WAL"); /* as a crash leaves it */
    chmod(run, 0400);
    chmod(folder, 0500);
    error e = { 0 };
    s = store_open(run, &e);
    const char *got = s ? store_get(s, STORE_STATE) : e.text;
    bool wrote = s && store_set(s, STORE_STATE, "x", &e);
    chmod(folder, 0700);
    assert_string_equal(got ? got : "", "complete");
    assert_false(wrote);
    assert_non_null(strstr(e.text, "cannot be written"));
    store_close(s);
}
#endif

/* ---- what cannot be created or written ----------------------------------------------------------------------------
 */

static void nothing_is_overwritten(void **state)
{
    (void)state;
    error e = { 0 };
    put(run, "precious", 8);
    assert_null(store_create(run, &e));
    assert_non_null(strstr(e.text, "exists already, and is no run"));
    assert_null(strstr(e.text, "resume"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_int_equal(size_of(run), 8);
    assert_null(store_create(folder, &e));
    assert_non_null(strstr(e.text, "is a directory"));
    assert_null(store_create("/tmp/store_test.no/such/run", &e));
    assert_non_null(strstr(e.text, "directory does not exist"));
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    store *s = make();
    error e = { 0 };
    const uint8_t verdicts[] = { 1, 15, 1 };
    assert_false(store_add_plane(s, 1, 0, 1, verdicts, 3, &e));
    assert_false(store_add_plane(s, 1, 1, 0, verdicts, 0, &e));
    assert_false(store_add_plane(s, 1, 0, 9, verdicts, 3, &e));
    assert_non_null(strstr(e.text, "no verdict"));
    check(store_add_plane(s, 1, 0, 9, verdicts, 1, &trouble));
    assert_false(store_add_plane(s, 1, 0, 9, verdicts, 1, &e)); /* the same cases twice */
    store_test t = example_test("dml.slice1", "x");
    t.points = UINT64_MAX;
    assert_false(store_add_test(s, &t, &e));
    assert_non_null(strstr(e.text, "2^63-1"));
    store_close(s);
}

/* Disks fill up at any moment. A thin layer over SQLite's file system says "full" from the n-th write on. */
static sqlite3_vfs small_disk;
static sqlite3_vfs *real_disk;
static int writes_left;
/* SQLite has one table of methods for the run itself, which is locked, and one for its journals. */
static sqlite3_io_methods small_methods[2];
static const sqlite3_io_methods *real_methods[2];

static int small_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
    int which = file->pMethods == &small_methods[1];
    return writes_left-- > 0 ? real_methods[which]->xWrite(file, bytes, n, offset) : SQLITE_FULL;
}

static int small_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags)
{
    (void)vfs;
    int which = (flags & SQLITE_OPEN_MAIN_DB) == 0;
    int code = real_disk->xOpen(real_disk, name, file, flags, out_flags);
    if (code == SQLITE_OK && file->pMethods) {
        real_methods[which] = file->pMethods;
        small_methods[which] = *file->pMethods;
        small_methods[which].xWrite = small_write;
        file->pMethods = &small_methods[which];
    }
    return code;
}

static bool write_much(store *s, error *e)
{
    char text[1000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    if (!store_set(s, STORE_STATE, "running", e))
        return false;
    for (int round = 0; round < 3; ++round) {
        if (!store_begin(s, e))
            return false;
        for (int i = 0; i < 40; ++i) {
            uint64_t index = (uint64_t)(round * 40 + i);
            store_finding f = { .test = 1, .index = index, .verdict = VERDICT_CRASH, .case_id = "a", .detail = text };
            if (!store_add_finding(s, &f, e))
                return false;
        }
        if (!store_commit(s, e))
            return false;
    }
    return true;
}

static void a_full_disk_is_told_at_every_write(void **state)
{
    (void)state;
    real_disk = sqlite3_vfs_find(NULL);
    small_disk = *real_disk;
    small_disk.zName = "small";
    small_disk.xOpen = small_open;
    sqlite3_vfs_register(&small_disk, 1);
    bool finished = false;
    for (int allowed = 0; !finished && allowed < 1000; ++allowed) {
        error e = { 0 };
        writes_left = allowed;
        store *s = store_create(run, &e);
        if (!s) {
            if (!strstr(e.text, "the disk is full"))
                fail_msg("at write %d: %s", allowed, e.text);
            assert_non_null(strstr(e.text, run));
            assert_non_null(strstr(e.text, "no run could be created"));
            assert_int_equal(e.status, EXIT_HARNESS);
            assert_false(present("") || present("-wal") || present("-shm") || present("-journal"));
            continue;
        }
        finished = write_much(s, &e);
        if (!finished) {
            assert_non_null(strstr(e.text, "the disk is full"));
            assert_non_null(strstr(e.text, "touchstone resume"));
            assert_int_equal(e.status, EXIT_HARNESS);
        }
        store_close(s);
        /* What was committed can be read once there is room again. */
        writes_left = 1000000;
        s = store_open(run, &e);
        if (!s)
            fail_msg("%s", e.text);
        seen rows = { 0 };
        check(store_each_finding(s, 0, 0, see_finding, &rows, &trouble));
        assert_int_equal(rows.rows % 40, 0);
        store_close(s);
        remove(run);
    }
    assert_true(finished);
    sqlite3_vfs_unregister(&small_disk);
    sqlite3_vfs_register(real_disk, 1);
}

#if !defined(_WIN32) /* which has no such limit */
static void a_file_size_limit_is_told(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = { 60 * 1024, 60 * 1024 };
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        error e = { 0 };
        store *s = store_create(run, &e);
        bool ok = !s || write_much(s, &e);
        bool told = !ok && strstr(e.text, "ulimit -f") && e.status == EXIT_HARNESS;
        if (!told)
            fprintf(stderr, "unexpected: '%s'\n", e.text);
        store_close(s);
        _exit(told ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

/* Types of which no bit is left are told, and what was counted before stays. */
static void data_types_run_out(void **state)
{
    (void)state;
    char name[16];
    error e = { 0 };
    store *s = make();
    for (int i = 0; i < 62; ++i) {
        snprintf(name, sizeof name, "t%02d", i);
        check(store_add_tally(s, 1, name, "1_0", VERDICT_PASS, 1, &trouble));
    }
    assert_false(store_add_tally(s, 1, "one more", "1_0", VERDICT_PASS, 1, &e));
    assert_non_null(strstr(e.text, "more data types than a run can hold"));
    check(store_add_tally(s, 1, "t61", "1_0", VERDICT_PASS, 1, &trouble));
    seen rows = { 0 };
    check(store_each_tally(s, see_tally, &rows, &trouble));
    assert_non_null(strstr(rows.text, "1 t00 1_0 pass 1\n"));
    assert_non_null(strstr(rows.text, "1 t60 1_0 pass 1\n1 t61 1_0 pass 2\n"));
    store_close(s);
}

static void passing_cases_take_no_room(void **state)
{
    (void)state;
    enum { PLANE = 65536, CASES = 10000000 };
    store *s = make();
    uint8_t *verdicts = malloc(PLANE);
    assert_non_null(verdicts);
    memset(verdicts, VERDICT_PASS, PLANE);
    store_test t = example_test("dml.slice1", "exhaustive");
    check(store_begin(s, &trouble));
    check(store_add_test(s, &t, &trouble));
    for (uint64_t at = 0; at < CASES; at += PLANE) {
        size_t n = CASES - at < PLANE ? (size_t)(CASES - at) : PLANE;
        check(store_add_plane(s, t.id, at, at + n - 1, verdicts, n, &trouble));
    }
    check(store_add_tally(s, t.id, "f32", "4_1", VERDICT_PASS, CASES, &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
    free(verdicts);
    print_message("10^7 passing cases: %lld bytes\n", size_of(run));
    assert_true(size_of(run) < 100 * 1000);
    error e = { 0 };
    s = store_open(run, &e);
    seen rows = { 0 };
    check(store_each_plane(s, 0, see_plane, &rows, &trouble));
    assert_int_equal(rows.cases, CASES);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_written_is_read, empty_folder),
        cmocka_unit_test_setup(an_open_transaction_is_rolled_back, empty_folder),
        cmocka_unit_test_setup(readers_see_one_moment_of_a_running_run, empty_folder),
        cmocka_unit_test_setup(odd_names_are_names, empty_folder),
        cmocka_unit_test_setup(each_unusable_file_has_its_message, empty_folder),
        cmocka_unit_test_setup(a_truncated_run_is_told, empty_folder),
        cmocka_unit_test_setup(damage_inside_is_told, empty_folder),
        cmocka_unit_test_setup(nothing_is_overwritten, empty_folder),
        cmocka_unit_test_setup(contradictions_are_refused, empty_folder),
        cmocka_unit_test_setup(a_full_disk_is_told_at_every_write, empty_folder),
        cmocka_unit_test_setup(data_types_run_out, empty_folder),
        cmocka_unit_test_setup(passing_cases_take_no_room, empty_folder),
#if !defined(_WIN32)
        cmocka_unit_test_setup(a_killed_writer_leaves_what_it_committed, empty_folder),
        cmocka_unit_test_setup(a_finished_run_is_read_from_a_read_only_place, empty_folder),
        cmocka_unit_test_setup(a_file_size_limit_is_told, empty_folder),
#endif
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Files that cannot be opened, created or written. */
#include "harness/store/small_disk_testing.h"
#include "harness/store/store_testing.h"

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
    damaged(run, "no format number");
    sql(run, "PRAGMA user_version = 1");
    refused(run, "older Touchstone (format 1");
    sql(run, "PRAGMA user_version = 6; DROP TABLE plane");
    damaged(run, "the table 'plane' is missing");
    remove(run);
#if !defined(_WIN32) /* which has other permissions */
    if (geteuid() != 0) {
        store_close(make());
        chmod(run, 0);
        refused(run, ": Permission denied");
        remove(run);
    }
#endif
}

static void a_truncated_run_is_refused(void **state)
{
    (void)state;
    store_close(make());
    long long size = size_of(run);
    assert_int_equal(truncate(run, (long)(size - 4096)), 0);
    refused(run, "cut off");
}

static void damaged_contents_are_reported(void **state)
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
        { "INSERT INTO test(operator, test, tier, title, points, first, indices, planned)"
          " VALUES('dml.slice1', 'x', 'full', '', 1, 0, 1, 1)",
          "an operator of its tests has no digest" },
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
                  store_each_ledger(s, see_ledger, &rows, &e) && store_each_operator(s, see_ledger, &rows, &e);
        assert_false(ok);
        assert_non_null(strstr(e.text, damages[i].expected));
        assert_non_null(strstr(e.text, "damaged"));
        store_close(s);
        remove(run);
    }
    /* Overwritten pages: an error in opening or in reading, never a crash, and never ignored. */
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

#if !defined(_WIN32) /* which has other permissions */
static void a_finished_run_is_read_from_a_read_only_directory(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip();
    store *s = make();
    check(store_set(s, STORE_STATE, "complete", &trouble));
    store_close(s);
    sql(run, "PRAGMA journal_mode = WAL"); /* the state after a crash */
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

static void an_existing_file_is_not_overwritten(void **state)
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

static void contradicting_values_are_refused(void **state)
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

static void a_full_disk_is_reported_at_every_write(void **state)
{
    (void)state;
    small_disk_begin();
    bool finished = false;
    for (int allowed = 0; !finished && allowed < 1000; ++allowed) {
        error e = { 0 };
        small_disk_writes_left = allowed;
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
        /* Committed changes can be read once there is room again. */
        small_disk_writes_left = 1000000;
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
    small_disk_end();
}

#if !defined(_WIN32) /* which has no such limit */
static void a_file_size_limit_is_reported(void **state)
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
        bool reported = !ok && strstr(e.text, "ulimit -f") && e.status == EXIT_HARNESS;
        if (!reported)
            fprintf(stderr, "unexpected: '%s'\n", e.text);
        store_close(s);
        _exit(reported ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_unusable_file_has_its_message, empty_folder),
        cmocka_unit_test_setup(a_truncated_run_is_refused, empty_folder),
        cmocka_unit_test_setup(damaged_contents_are_reported, empty_folder),
        cmocka_unit_test_setup(an_existing_file_is_not_overwritten, empty_folder),
        cmocka_unit_test_setup(contradicting_values_are_refused, empty_folder),
        cmocka_unit_test_setup(a_full_disk_is_reported_at_every_write, empty_folder),
#if !defined(_WIN32)
        cmocka_unit_test_setup(a_finished_run_is_read_from_a_read_only_directory, empty_folder),
        cmocka_unit_test_setup(a_file_size_limit_is_reported, empty_folder),
#endif
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}

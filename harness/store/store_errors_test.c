/* SPDX-License-Identifier: Apache-2.0 */
/* Files that cannot be opened, created or written. */
#include "harness/store/run_digest.h"
#include "harness/store/small_disk_testing.h"
#include "harness/store/store_printed.h"
#include "harness/store/store_rerun.h"
#include "harness/store/store_testing.h"
#include "harness/testing/run_forging.h"

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
    damaged(run, "cut off");
    remove(run);
    sql(run, "CREATE TABLE bookmarks(url); INSERT INTO bookmarks VALUES('a')");
    refused(run, "but not a run");
    remove(run);

    store_close(make());
    sql(run, "PRAGMA user_version = 11");
    refused(run, "newer Touchstone (format 11");
    sql(run, "PRAGMA user_version = 0");
    damaged(run, "no format number");
    sql(run, "PRAGMA user_version = 1");
    refused(run, "older Touchstone (format 1");
    sql(run, "PRAGMA user_version = 10; DROP TABLE plane");
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
    damaged(run, "cut off");
}

/* A run of two tests with five cases each, of which two failed. */
static void make_small(void)
{
    store *s = make();
    store_test t = example_test("dml.slice1", "small"), u = example_test("dml.slice1", "rest");
    const uint8_t verdicts[] = { VERDICT_PASS, VERDICT_MISMATCH, VERDICT_PASS, VERDICT_CRASH, VERDICT_PASS };
    run_digest d;
    char digest[33];
    t.indices = u.indices = 10;
    t.planned = u.planned = 5;
    const store_clause c = { "dml.slice1", "SL-05", "text", "page", NULL, "stated", NULL, true, 0, 0 };
    const store_observation o = { 1, "gap-write", 2, "a", NULL };
    check(store_begin(s, &trouble));
    check(store_set(s, STORE_SUITE_DIGEST, "suite", &trouble) && store_set(s, STORE_STATE, "complete", &trouble));
    run_digest_start(&d, "suite");
    for (int i = 0; i < 2; ++i) {
        const uint64_t sums[] = { 11, 12 };
        store_test *row = i ? &u : &t;
        char name[64];
        check(store_add_test(s, row, &trouble) && store_set_done(s, row->id, 5, sums, &trouble));
        check(store_add_plane(s, row->id, 0, i ? 9 : 4, verdicts, 5, &trouble));
        check(store_add_tally(s, row->id, "f32", "1_0", VERDICT_PASS, 3, &trouble));
        check(store_add_tally(s, row->id, "f32", "1_0", VERDICT_MISMATCH, 1, &trouble));
        check(store_add_tally(s, row->id, "f16", "1_0", VERDICT_CRASH, 1, &trouble));
        snprintf(name, sizeof name, "%s:%s", row->op, row->test);
        run_digest_add(&d, name, 5, sums);
        store_finding f = { .test = row->id, .index = 1, .case_id = "a", .verdict = VERDICT_MISMATCH };
        store_finding g = { .test = row->id, .index = 3, .case_id = "b", .verdict = VERDICT_CRASH };
        check(store_add_finding(s, &f, &trouble) && store_add_finding(s, &g, &trouble));
    }
    run_digest_end(&d, digest);
    check(store_add_clause(s, &c, &trouble) && store_add_observation(s, &o, &trouble));
    check(store_add_ledger(s, "dml.slice1", "[]", &trouble) && store_add_operator(s, "dml.slice1", "0", &trouble));
    const store_printed p = {
        .test = 1, .process = 1, .processes = 1, .bytes = 2, .lines = 1, .head = "a", .tail = "b"
    };
    check(store_add_printed(s, &p, &trouble));
    const store_candidate candidate = { .test = 1, .index = 3, .first = VERDICT_CRASH };
    check(store_set_shuffled(s, 2, 0, &trouble) && store_add_candidate(s, &candidate, 4, &trouble));
    check(store_set(s, STORE_DIGEST, digest, &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
}

/* What was changed after it was written. */
static void changed_contents_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *change, *expected;
    } damages[] = {
        { "UPDATE plane SET verdicts = x'00112233' WHERE test = 1",
          "dml.slice1:small: a plane cannot be decompressed" },
        { "UPDATE plane SET cases = 9000000000000", "dml.slice1:small: a plane counts more cases than it holds" },
        { "UPDATE plane SET cases = -1", "dml.slice1:small: a plane counts more cases than it holds" },
        { "UPDATE plane SET verdicts = x'63'", "dml.slice1:small: a plane holds an unknown verdict" },
        { "UPDATE plane SET verdicts = x'01' WHERE test = 2",
          "dml.slice1:rest: the verdict of case 1 is not that of its finding, mismatch" },
        { "UPDATE plane SET verdicts = x'01', last = 9 WHERE test = 1", "dml.slice1:small: " },
        { "DELETE FROM plane WHERE test = 2", "dml.slice1:rest: it has a finding of case 1, which did not run" },
        { "UPDATE plane SET first = 100, last = 109 WHERE test = 2",
          "dml.slice1:rest: verdicts of the cases 100 to 109" },
        { "UPDATE plane SET test = 3 WHERE test = 2", "test 3, which is not in its list of tests: it has verdicts" },
        { "UPDATE tally_group SET verdict = 99 WHERE verdict = 1",
          "dml.slice1:small: its counts have an unknown verdict" },
        { "UPDATE tally_group SET cases = 9 WHERE cases = 3", "dml.slice1:small: it counts more cases than it plans" },
        { "DELETE FROM tally_group WHERE test = 2", "dml.slice1:rest: its verdicts have 3 cases of pass" },
        { "UPDATE tally_group SET dtypes = 4", "dml.slice1:small: its counts have an unknown data type" },
        { "UPDATE tally_group SET level = '2_0'",
          "dml.slice1:small: its verdicts, counts or findings are not as they" },
        { "UPDATE dtype SET id = 0", "two data types have the same number" },
        { "UPDATE dtype SET name = 'u8' WHERE id = 0", "table dtype is not as it was written" },
        { "UPDATE test SET planned = 4 WHERE id = 2", "dml.slice1:rest: it planned 4 cases and ran 5" },
        { "UPDATE test SET planned = 6 WHERE id = 2", "dml.slice1:rest: the run says that it is complete, but 5 of 6" },
        { "UPDATE test SET ran = 4, planned = 4 WHERE id = 2",
          "dml.slice1:rest: it ran 4 cases and has verdicts of 5" },
        { "UPDATE test SET sum = 13 WHERE id = 2", "its digest is not that" },
        { "UPDATE test SET test = 'other' WHERE id = 2", "its digest is not that" },
        { "UPDATE test SET tier = 'quick' WHERE id = 2", "table test is not as it was written" },
        { "DELETE FROM test WHERE id = 2", "test 2, which is not in its list of tests" },
        { "DELETE FROM finding WHERE case_index = 3 AND test = 2",
          "dml.slice1:rest: it has findings of 1 of 2 failed cases" },
        { "DELETE FROM finding WHERE case_index = 3", "dml.slice1:small: its verdicts, counts or findings" },
        { "UPDATE finding SET case_index = 2 WHERE case_index = 3",
          "dml.slice1:small: the verdict of case 2 is not that of its finding, crash" },
        { "UPDATE finding SET case_index = 8 WHERE case_index = 3",
          "dml.slice1:small: it has a finding of case 8, which did not run" },
        { "UPDATE finding SET verdict = 1 WHERE case_index = 3",
          "dml.slice1:small: it has a finding of case 3, which did not fail" },
        { "UPDATE finding SET detail = 'x'", "dml.slice1:small: its verdicts, counts or findings" },
        { "UPDATE finding SET test = 2, case_index = 4 WHERE id = 2", "dml.slice1:rest: it has 2 findings of crash" },
        { "UPDATE observation SET cases = 3", "dml.slice1:small: its verdicts, counts or findings" },
        { "UPDATE meta SET value = 'incomplete' WHERE key = 'state'", "table meta is not as it was written" },
        { "UPDATE meta SET value = 'other' WHERE key = 'suite_digest'", "its digest is not that" },
        { "UPDATE meta SET value = x'78' WHERE key = 'state'", "its state is unknown" },
        { "DELETE FROM meta WHERE key = 'digest'", "its digest is not that" },
        { "INSERT INTO meta VALUES('shard', '1/2')", "table meta is not as it was written" },
        { "UPDATE clause SET breakable = 0", "table clause is not as it was written" },
        { "UPDATE ledger SET entries = x'0011'", "table ledger is not as it was written" },
        { "UPDATE ledger SET bytes = 9000000000000", "table ledger is not as it was written" },
        { "UPDATE verdict SET fails = 0", "table verdict is not as it was written" },
        { "INSERT INTO shuffled VALUES(1, 0)", "dml.slice1:small: its verdicts, counts or findings" },
        { "DELETE FROM seal", "is not as it was written" },
        { "UPDATE seal SET sum = sum + 1 WHERE part = 2", "dml.slice1:rest: its verdicts, counts or findings" },
        { "INSERT INTO seal VALUES('more', 1)", "a checksum belongs to nothing" },
        { "DROP INDEX finding_case", "the index 'finding_case' is missing" },
        { "ALTER TABLE finding RENAME COLUMN detail TO details",
          "the table 'finding' is not declared as it should be" },
        { "ALTER TABLE plane ADD COLUMN more", "the table 'plane' is not declared as it should be" },
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        make_small();
        error e;
        store_close(store_open(run, &e));
        sql(run, damages[i].change);
        damaged(run, damages[i].expected);
        remove(run);
    }
}

static bool count_row(void *context, const store_printed *p)
{
    (void)p;
    ++*(int *)context;
    return true;
}

/* A run that changes after it was opened: its checksums were compared then. */
static void printed_rows_of_another_kind_are_damage(void **state)
{
    (void)state;
    static const struct {
        const char *change, *expected;
    } damages[] = {
        { "UPDATE printed SET head = x'1b00'", "a value is of another type than its column" },
        { "UPDATE printed SET tail = x'00'", "a value is of another type than its column" },
        { "UPDATE printed SET bytes = 'many'", "a value is of another type than its column" },
        { "UPDATE printed SET lines = -1", "a count of what the backend printed is negative" },
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        error e = { .status = 0 };
        int rows = 0;
        make_small();
        store *s = store_open(run, &e);
        assert_non_null(s);
        sql(run, damages[i].change);
        if (store_each_printed(s, count_row, &rows, &e) || !strstr(e.text, damages[i].expected))
            fail_msg("%s: %s", damages[i].change, e.text);
        assert_int_equal(rows, 0);
        store_close(s);
        remove(run);
    }
}

/* Whoever adds a column adds it to the checksums. */
static void a_change_of_any_column_is_reported(void **state)
{
    (void)state;
    static const char columns[] = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c"
                                  " WHERE t.type = 'table' AND c.hidden = 0 ORDER BY 1, 2";
    char changes[128][300];
    size_t count = 0;
    sqlite3 *db;
    sqlite3_stmt *row;
    make_small();
    assert_int_equal(sqlite3_open(run, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, columns, -1, &row, NULL), SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(row, 0),
                   *name = (const char *)sqlite3_column_text(row, 1);
        assert_true(count < 128);
        snprintf(changes[count++], sizeof changes[0],
                 "UPDATE %s SET %s = CASE typeof(%s) WHEN 'integer' THEN %s + 100 WHEN 'blob' THEN x'0506'"
                 " ELSE ifnull(%s, '') || 'x' END",
                 table, name, name, name, name);
    }
    sqlite3_finalize(row);
    sqlite3_close(db);
    assert_true(count > 70);
    for (size_t i = 0; i < count; ++i) {
        remove(run);
        make_small();
        sql(run, changes[i]);
        error e = { 0 };
        store *s = store_open(run, &e);
        if (s || e.status != EXIT_HARNESS || !strstr(e.text, "the run is damaged ("))
            fail_msg("%s: %s", changes[i], s ? "not found" : e.text);
    }
}

/* What contradicted itself when it was written: the checksums are right. */
static void contents_that_contradict_each_other_are_reported(void **state)
{
    (void)state;
    static const struct {
        const char *change, *expected;
    } damages[] = {
        { "UPDATE plane SET verdicts = x'01' WHERE test = 2", "dml.slice1:rest: the verdict of case 1 is not that" },
        { "UPDATE tally_group SET cases = 2 WHERE cases = 3", "dml.slice1:small: its verdicts have 3 cases of pass" },
        { "UPDATE test SET planned = 6 WHERE id = 2", "dml.slice1:rest: the run says that it is complete" },
        { "UPDATE test SET ran = 4, planned = 4 WHERE id = 2",
          "dml.slice1:rest: it ran 4 cases and has verdicts of 5" },
        { "UPDATE test SET sum = 13 WHERE id = 2", "its digest is not that" },
        { "UPDATE meta SET value = '' WHERE key = 'digest'", "its digest is not that" },
        { "UPDATE finding SET case_index = 2 WHERE case_index = 3", "dml.slice1:small: the verdict of case 2 is not" },
        { "UPDATE finding SET verdict = 2 WHERE case_index = 3", "dml.slice1:small: the verdict of case 3 is not" },
        { "UPDATE meta SET value = 'done' WHERE key = 'state'", "its state is unknown" },
        { "INSERT INTO plane VALUES(1, 2, 4, 0, x'')", "dml.slice1:small: verdicts of the cases 2 to 4 are twice" },
        { "UPDATE plane SET test = 9 WHERE test = 2", "test 9, which is not in its list of tests: it has verdicts" },
        { "DELETE FROM finding WHERE id = 4", "dml.slice1:rest: it has findings of 1 of 2 failed cases" },
        { "UPDATE finding SET test = 9 WHERE case_index = 3 AND test = 2",
          "test 9, which is not in its list of tests: it has" },
        { "UPDATE tally_group SET test = 9 WHERE test = 2",
          "test 9, which is not in its list of tests: it has counts" },
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        make_small();
        assert_true(forge(run, damages[i].change));
        damaged(run, damages[i].expected);
        remove(run);
    }
}

static void overwritten_pages_are_reported(void **state)
{
    (void)state;
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
    damaged(run, "damaged");
}

#if !defined(_WIN32) /* which has other permissions */
static void a_finished_run_is_read_from_a_read_only_directory(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip();
    make_small();
    sql(run, "PRAGMA journal_mode = WAL"); /* the state after a crash */
    chmod(run, 0400);
    chmod(folder, 0500);
    error e = { 0 };
    store *s = store_open(run, &e);
    const char *got = s ? store_get(s, STORE_STATE) : e.text;
    bool wrote = s && store_set(s, STORE_STATE, "x", &e);
    chmod(folder, 0700);
    assert_string_equal(got ? got : "", "complete");
    assert_false(wrote);
    assert_non_null(strstr(e.text, "cannot be written"));
    store_close(s);
}
#endif

/* Otherwise the fuzz target would see nothing but its refusal. */
static void the_seed_of_the_fuzz_target_is_a_run(void **state)
{
    (void)state;
    error e = { 0 };
    store *s = store_open(TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/store/examples.sqlite", &e);
    if (!s)
        fail_msg("%s. fuzz/README.md says how to make it again.", e.text);
    store_close(s);
}

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
    const uint8_t verdicts[] = { 1, 16, 1 };
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
        s = store_open_uncounted(run, &e);
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
        cmocka_unit_test_setup(printed_rows_of_another_kind_are_damage, empty_folder),
        cmocka_unit_test_setup(changed_contents_are_reported, empty_folder),
        cmocka_unit_test_setup(a_change_of_any_column_is_reported, empty_folder),
        cmocka_unit_test_setup(contents_that_contradict_each_other_are_reported, empty_folder),
        cmocka_unit_test_setup(overwritten_pages_are_reported, empty_folder),
        cmocka_unit_test(the_seed_of_the_fuzz_target_is_a_run),
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

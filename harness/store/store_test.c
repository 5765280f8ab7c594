/* SPDX-License-Identifier: Apache-2.0 */
/* Data that was written to a run can be read from it. */
#include "harness/store/store_testing.h"

static void write_rows(void)
{
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
    /* Data types share a row, then do not, then share one again: the reader sees no difference. */
    check(store_add_tally(s, 2, "f16", "4_1", VERDICT_PASS, 7, &trouble));
    check(store_add_tally(s, 2, "u8", "4_1", VERDICT_PASS, 7, &trouble));
    check(store_add_tally(s, 2, "f32", "4_1", VERDICT_PASS, 0, &trouble));
    check(store_add_tally(s, 2, "u8", "4_1", VERDICT_PASS, 2, &trouble));
    check(store_add_tally(s, 2, "f16", "4_1", VERDICT_PASS, 2, &trouble));
    check(store_add_tally(s, 2, "f16", "3_0", VERDICT_PASS, 9, &trouble));
    const store_observation observed[] = { { 2, "gap-write", 2, NULL, NULL },
                                           { 2, "gap-write", 3, "dml.gather:pairwise:", "of the third" },
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
                        .reproducer = "touchstone run a",
                        .other_data = true };
    store_finding bare = { .test = 2, .case_id = "b", .verdict = VERDICT_HANG };
    check(store_add_finding(s, &f, &trouble));
    check(store_add_finding(s, &bare, &trouble));
    assert_int_equal(bare.id, 2);
    store_clause c = { "dml.slice1", "SL-05", "text", "page", NULL, "implied", "example 2", true, 0, 0 };
    check(store_add_clause(s, &c, &trouble));
    check(store_add_clause(s, &c, &trouble));
    const uint8_t verdicts[] = { 1, 1, 2, 14, 15 };
    check(store_add_plane(s, 1, 100, 199, verdicts, 5, &trouble));
    check(store_add_plane(s, 1, 0, 99, verdicts, 2, &trouble));
    check(store_add_plane(s, 2, 0, 9, verdicts, 0, &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
    assert_false(present("-wal") || present("-shm") || present("-journal"));
}

static void rows_are_read_as_they_were_written(void **state)
{
    (void)state;
    error e = { 0 };
    write_rows();
    store *s = store_open_uncounted(run, &e);
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
    assert_string_equal(observations.text,
                        "2 E-GA-10: refused 1 third -\n2 gap-write 9 dml.gather:pairwise: of the third\n");
    check(store_each_ledger(s, see_ledger, &ledger, &trouble));
    assert_string_equal(ledger.text, "dml.gather []\ndml.slice1 [{\"id\":\"E-SL-1\"}]\n");
    check(store_each_finding(s, 0, 0, see_finding, &findings, &trouble));
    assert_string_equal(findings.text, "1 1 17 a mismatch SL-10 f16 4_1 OutputTensor [1] 0x1 0x2 InputTensor[0] 3 d {} "
                                       "[] touchstone run a other data\n"
                                       "2 2 0 b hang - - - - - - - - 0 - - - -\n");
    check(store_each_clause(s, see_clause, &clauses, &trouble));
    assert_string_equal(clauses.text, "dml.slice1 SL-05 text page - implied example 2\n");
    check(store_each_plane(s, 0, see_plane, &planes, &trouble));
    assert_string_equal(planes.text, "1 0-99:1,1,1 100-199:1,1,2,14,15,2 0-9:");
    seen some = { 0 };
    check(store_each_finding(s, 2, 0, see_finding, &some, &trouble));
    check(store_each_finding(s, 0, 1, see_finding, &some, &trouble));
    check(store_each_finding(s, 0, 0, see_one, &some, &trouble));
    assert_int_equal(some.rows, 3);
    store_close(s);
    store_close(NULL);
}

static bool count_plane(void *context, const store_plane *p)
{
    *(uint64_t *)context += 1;
    return p->cases <= 262144;
}

/* Ranges that follow each other share a row where all of their cases have one verdict. */
static void adjoining_ranges_share_a_row(void **state)
{
    (void)state;
    static uint8_t verdicts[1024];
    seen planes = { 0 };
    uint64_t rows = 0;
    store *s = make();
    store_test t = example_test("dml.slice1", "exhaustive");
    check(store_begin(s, &trouble) && store_add_test(s, &t, &trouble));
    const uint8_t pass[] = { 0, 0 }, crash[] = { 7, 7 }, mixed[] = { 0, 7 };
    check(store_add_plane(s, 1, 10, 19, pass, 2, &trouble));
    check(store_add_plane(s, 1, 20, 24, pass, 1, &trouble));  /* one row */
    check(store_add_plane(s, 1, 26, 29, pass, 2, &trouble));  /* index 25 did not run */
    check(store_add_plane(s, 1, 30, 39, crash, 2, &trouble)); /* another verdict */
    check(store_add_plane(s, 1, 40, 49, crash, 2, &trouble));
    check(store_add_plane(s, 1, 50, 59, mixed, 2, &trouble));
    check(store_add_plane(s, 1, 60, 69, mixed, 2, &trouble));
    check(store_add_plane(s, 1, 0, 9, pass, 2, &trouble));
    check(store_each_plane(s, 0, see_plane, &planes, &trouble));
    assert_string_equal(planes.text, "1 0-9:0,0,1 10-24:0,0,0,1 26-29:0,0,1 30-49:7,7,7,7,1 50-59:0,7,1 60-69:0,7,");
    for (uint64_t first = 1000; first < 1000 + 512 * 1024; first += 1024)
        check(store_add_plane(s, 1, first, first + 1023, verdicts, 1024, &trouble));
    check(store_each_range(s, 0, count_plane, &rows, &trouble));
    assert_int_equal(rows, 6 + 2); /* whoever reads a plane has a byte for each of its cases */
    store_close(s);
}

static bool see_class(void *context, const store_finding *f)
{
    seen *all = context;
    note(all, "%d %d %s %d: %s ", (int)f->index, (int)f->verdict, f->class, (int)f->stands_for, f->detail);
    return true;
}

/* Of the findings of a class, that of the first case is kept, in whatever order they come. It counts all cases. */
static void one_finding_stands_for_a_class(void **state)
{
    (void)state;
    static const uint64_t indices[] = { 40, 7, 90 };
    store *s = make();
    store_test t = example_test("dml.slice1", "exhaustive");
    seen all = { .rows = 0 };
    check(store_add_test(s, &t, &trouble));
    for (size_t i = 0; i < 3; ++i) {
        store_finding f = { .test = 1,
                            .index = indices[i],
                            .verdict = VERDICT_HANG,
                            .detail = i == 1 ? "First." : "Later.",
                            .class = "dml.slice1 f32.1 f32.1",
                            .stands_for = 2 };
        check(store_add_class_finding(s, &f, &trouble));
    }
    check(store_each_finding(s, 0, 0, see_class, &all, &trouble));
    assert_string_equal(all.text, "7 10 dml.slice1 f32.1 f32.1 6: First. It stands for all cases of its class "
                                  "(dml.slice1 f32.1 f32.1) in this test, none of which was executed: 6. ");
    store_finding other = {
        .test = 1, .index = 3, .verdict = VERDICT_CRASH, .class = "dml.slice1 f32.1 f32.1", .stands_for = 1
    };
    all.text[0] = '\0';
    check(store_add_class_finding(s, &other, &trouble)); /* another verdict */
    check(store_each_finding(s, 0, 1, see_class, &all, &trouble));
    assert_non_null(strstr(all.text, "3 9 dml.slice1 f32.1 f32.1 1:"));
    store_close(s);
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
    /* The run can be resumed. */
    check(store_begin(s, &trouble));
    check(store_set(s, STORE_STATE, "complete", &trouble));
    check(store_commit(s, &trouble));
    store_close(s);
    assert_false(present("-wal"));
}

static void a_reader_sees_a_snapshot_of_a_running_run(void **state)
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

#if !defined(_WIN32) /* which has no fork() */
static void a_killed_writer_leaves_its_committed_changes(void **state)
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

static void names_special_to_sqlite_are_plain_names(void **state)
{
    (void)state;
#if defined(_WIN32) /* where file names have no such characters */
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

/* The counts of the other data types do not change. */
static void more_data_types_than_bits_are_refused(void **state)
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

static void ten_million_passing_cases_take_little_room(void **state)
{
    (void)state;
    enum { PLANE = 65536, CASES = 10000000 };
    store *s = make();
    uint8_t *verdicts = malloc(PLANE);
    assert_non_null(verdicts);
    memset(verdicts, VERDICT_PASS, PLANE);
    store_test t = example_test("dml.slice1", "exhaustive");
    t.points = t.indices = t.planned = CASES;
    check(store_begin(s, &trouble));
    check(store_set(s, STORE_STATE, "running", &trouble));
    check(store_add_test(s, &t, &trouble));
    check(store_set_done(s, t.id, CASES, (const uint64_t[2]){ 1, 2 }, &trouble));
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
    s = store_open(run, &e); /* recounts them */
    assert_non_null(s);
    seen rows = { 0 };
    check(store_each_plane(s, 0, see_plane, &rows, &trouble));
    assert_int_equal(rows.cases, CASES);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rows_are_read_as_they_were_written, empty_folder),
        cmocka_unit_test_setup(adjoining_ranges_share_a_row, empty_folder),
        cmocka_unit_test_setup(one_finding_stands_for_a_class, empty_folder),
        cmocka_unit_test_setup(an_open_transaction_is_rolled_back, empty_folder),
        cmocka_unit_test_setup(a_reader_sees_a_snapshot_of_a_running_run, empty_folder),
        cmocka_unit_test_setup(names_special_to_sqlite_are_plain_names, empty_folder),
        cmocka_unit_test_setup(more_data_types_than_bits_are_refused, empty_folder),
        cmocka_unit_test_setup(ten_million_passing_cases_take_little_room, empty_folder),
#if !defined(_WIN32)
        cmocka_unit_test_setup(a_killed_writer_leaves_its_committed_changes, empty_folder),
#endif
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}

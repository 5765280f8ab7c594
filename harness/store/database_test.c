/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and histories whose schema or rows somebody else has made. */
#include "harness/store/history.h"
#include "harness/store/store_testing.h"
#include "harness/testing/run_forging.h"

/* Change the declaration of a table without touching its rows, as no SQL statement does. */
#define DECLARE(name, text)                                                                                            \
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = " text " WHERE name = '" name "'"

static void a_table_of_another_declaration_is_damage(void **state)
{
    (void)state;
    static const struct {
        const char *change, *expected;
    } changes[] = {
        { "DROP TABLE plane", "the table 'plane' is missing" },
        { "ALTER TABLE test RENAME TO hidden; CREATE VIEW test AS SELECT * FROM hidden", "the table 'test' is not" },
        { "DROP TABLE test; CREATE TABLE test(id INTEGER PRIMARY KEY, name TEXT) WITHOUT ROWID",
          "the table 'test' is not" },
        { "ALTER TABLE test ADD COLUMN extra TEXT", "the table 'test' is not" },
        { "ALTER TABLE meta ADD COLUMN extra GENERATED ALWAYS AS (key || value)", "the table 'meta' is not" },
        { "DROP TABLE meta; CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL DEFAULT (hex(randomblob(9))))"
          " WITHOUT ROWID",
          "the table 'meta' is not" },
        { DECLARE("finding", "replace(sql, 'verdict INTEGER', 'verdict INTEGER CHECK(abs(verdict) < 0)')"),
          "the table 'finding' is not" },
        { "DROP TABLE clause; PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('table', 'clause', 'clause',"
          " 0, 'CREATE VIRTUAL TABLE clause USING absent(x)')",
          "the table 'clause' is not" },
        { "DROP VIEW tally; CREATE VIEW tally AS SELECT 1 AS test, 'f32' AS dtype, '' AS level, 1 AS verdict, 9 AS cases",
          "the view 'tally' is not" },
        { "DROP INDEX finding_case; CREATE UNIQUE INDEX finding_case ON finding(test, case_index) WHERE verdict > 1",
          "the index 'finding_case' is not" },
        { "CREATE INDEX own ON finding(abs(verdict))", "has a foreign index, 'own'" },
        { "CREATE INDEX own ON finding(abs(verdict)); PRAGMA writable_schema = ON;"
          " UPDATE sqlite_schema SET type = 'table', tbl_name = 'own' WHERE name = 'own'",
          "own" }, /* some versions of SQLite refuse it themselves */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        store_close(make());
        sql(run, changes[i].change);
        damaged(run, changes[i].expected);
        remove(run);
    }
}

static int64_t number_in(const char *path, const char *text)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return number;
}

/* What a run does not know stays in the file, and nothing of it is executed. */
static void foreign_objects_are_ignored(void **state)
{
    (void)state;
    store_close(make());
    sql(run, "CREATE TABLE notes(text, twice AS (text || text) STORED);"
             "INSERT INTO notes SELECT value FROM (WITH RECURSIVE n(value) AS (VALUES(1) UNION ALL SELECT value + 1"
             " FROM n LIMIT 1000) SELECT value FROM n);"
             "CREATE INDEX notes_text ON notes(abs(text));"
             "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT * FROM n;"
             "CREATE TRIGGER finding AFTER INSERT ON finding BEGIN DELETE FROM finding; END;"
             "CREATE TRIGGER told AFTER INSERT ON meta BEGIN UPDATE meta SET value = 'complete'; END;"
             "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES('table', 'far', 'far', 0,"
             " 'CREATE VIRTUAL TABLE far USING absent(x)')");
    store *s = store_open(run, &trouble);
    check(s != NULL);
    store_finding f = { .test = 1, .index = 3, .case_id = "a:b:c=1", .verdict = VERDICT_MISMATCH };
    check(store_add_finding(s, &f, &trouble) && store_set(s, STORE_STATE, "running", &trouble));
    seen rows = { 0 };
    check(store_each_finding(s, 0, 0, see_finding, &rows, &trouble));
    assert_int_equal(rows.rows, 1);
    assert_string_equal(store_get(s, STORE_STATE), "running");
    store_close(s);
    assert_int_equal(number_in(run, "SELECT count(*) FROM notes"), 1000);
    assert_int_equal(number_in(run, "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"), 2);
}

static bool read_all(store *s, error *e)
{
    seen rows = { 0 };
    return store_each_test(s, see_test, &rows, e) && store_each_plane(s, 0, see_plane, &rows, e) &&
           store_each_tally(s, see_tally, &rows, e) && store_each_finding(s, 0, 0, see_one, &rows, e) &&
           store_each_observation(s, see_observation, &rows, e) && store_each_clause(s, see_clause, &rows, e) &&
           store_each_ledger(s, see_ledger, &rows, e);
}

static void a_value_of_another_type_is_damage(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE test SET points = 'many'",
        "UPDATE test SET title = x'00'",
        "UPDATE finding SET case_index = 1.5",
        "UPDATE finding SET verdict = 'mismatch'",
        "UPDATE plane SET cases = 'ten'",
        "UPDATE plane SET verdicts = 'text'",
        "UPDATE tally_group SET cases = 'ten'",
        "UPDATE dtype SET name = x'6600'",
        "UPDATE observation SET cases = 'ten'",
        "UPDATE clause SET broken = 'ten'",
        "UPDATE ledger SET bytes = 'ten'",
        /* a NULL in spite of the declaration */
        "CREATE TABLE loose(id INTEGER PRIMARY KEY, operator TEXT, test TEXT, tier TEXT, title TEXT, points, first,"
        " indices, planned, ran, sum, sum2); INSERT INTO loose(id, points) VALUES(1, 5);"
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema"
        " WHERE name = 'loose') WHERE name = 'test'; DELETE FROM sqlite_schema WHERE name = 'loose'",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        store *s = make();
        const uint8_t verdicts[] = { 1, 1, 1 };
        store_test t = example_test("dml.slice1", "all");
        store_finding f = { .test = 1, .index = 3, .case_id = "a:b:c=1", .verdict = VERDICT_MISMATCH };
        const store_observation o = { .test = 1, .kind = "gap-write", .cases = 1 };
        const store_clause c = { .op = "dml.slice1", .id = "SL-01", .breakable = true };
        check(store_add_test(s, &t, &trouble) && store_add_plane(s, 1, 0, 9, verdicts, 3, &trouble) &&
              store_add_tally(s, 1, "f32", "1_0", VERDICT_PASS, 3, &trouble) && store_add_finding(s, &f, &trouble) &&
              store_add_observation(s, &o, &trouble) && store_add_clause(s, &c, &trouble) &&
              store_add_ledger(s, "dml.slice1", "[]", &trouble));
        store_close(s);
        sql(run, changes[i]);
        forge_checksums(run);
        error e = { 0 };
        s = store_open_uncounted(run, &e);
        if (s && read_all(s, &e))
            fail_msg("%s: read without an error", changes[i]);
        if (!strstr(e.text, "damaged") || (!strstr(e.text, "another type") && !strstr(e.text, "NULL value")))
            fail_msg("%s: %s", changes[i], e.text);
        assert_int_equal(e.status, EXIT_HARNESS);
        store_close(s);
        remove(run);
    }
}

static void a_huge_value_is_damage(void **state)
{
    (void)state;
    store_close(make());
    sql(run, "INSERT INTO plane VALUES(1, 0, 9, 3, zeroblob(100000000))");
    forge_checksums(run);
    error e = { 0 };
    store *s = store_open_uncounted(run, &e);
    assert_false(s && read_all(s, &e));
    assert_non_null(strstr(e.text, "damaged"));
    assert_non_null(strstr(e.text, "too big"));
    assert_int_equal(e.status, EXIT_HARNESS);
    store_close(s);
}

/* ---- histories ---- */

static bool see_run(void *context, const history_run *r)
{
    (void)r;
    ++*(int *)context;
    return true;
}

static void a_history_of_another_schema_is_damage(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "DROP TABLE run; CREATE VIEW run AS WITH RECURSIVE n(i) AS (VALUES(1)) SELECT i AS id FROM n",
        "ALTER TABLE run ADD COLUMN extra GENERATED ALWAYS AS (hex(ran))",
        "CREATE INDEX own ON run(abs(ran))",
        "DROP TABLE span",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i)
        for (int make_it = 0; make_it < 2; ++make_it) {
            error e = { 0 };
            history_close(history_open(run, true, &trouble));
            sql(run, changes[i]);
            if (history_open(run, make_it, &e))
                fail_msg("%s: opened", changes[i]);
            if (!strstr(e.text, "damaged") || !strstr(e.text, run))
                fail_msg("%s: %s", changes[i], e.text);
            assert_int_equal(e.status, EXIT_HARNESS);
            remove(run);
        }
}

static void a_history_ignores_triggers_and_checks_types(void **state)
{
    (void)state;
    history_close(history_open(run, true, &trouble));
    sql(run, "CREATE TRIGGER own AFTER INSERT ON series BEGIN DELETE FROM series; END");
    history *h = history_open(run, true, &trouble);
    check(h != NULL);
    history_series s = { 0, "b", "1", "d", "", "6_4", "", "full", "" };
    check(history_add_series(h, &s, &trouble));
    history_close(h);
    assert_int_equal(number_in(run, "SELECT count(*) FROM series"), 1);
    sql(run, "INSERT INTO run VALUES(1, 1, '2020-01-01T01:00:00Z', '1', 'x', 's', 'g', 1.5, 'all', 99, 5, 2, 1)");
    error e = { 0 };
    int runs = 0;
    h = history_open(run, false, &e);
    assert_non_null(h);
    assert_false(history_each_run(h, 1, 0, see_run, &runs, &e));
    assert_non_null(strstr(e.text, "another type"));
    assert_int_equal(e.status, EXIT_HARNESS);
    history_close(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_table_of_another_declaration_is_damage, empty_folder),
        cmocka_unit_test_setup(foreign_objects_are_ignored, empty_folder),
        cmocka_unit_test_setup(a_value_of_another_type_is_damage, empty_folder),
        cmocka_unit_test_setup(a_huge_value_is_damage, empty_folder),
        cmocka_unit_test_setup(a_history_of_another_schema_is_damage, empty_folder),
        cmocka_unit_test_setup(a_history_ignores_triggers_and_checks_types, empty_folder),
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}

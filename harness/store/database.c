/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/database.h"

#include <stdio.h>
#include <string.h>

/* ---- what SQLite may do ---- */

static int out_of_steps(void *context)
{
    (void)context;
    return 1;
}

/* SQLite counts the instructions of a prepared statement over all of its executions: begin again with each. */
static int begin_counting(unsigned event, void *context, void *statement, void *text)
{
    (void)context;
    (void)text;
    if (event == SQLITE_TRACE_STMT)
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1);
    return 0;
}

bool database_restrict(sqlite3 *db)
{
    static const struct {
        int option, value;
    } switches[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, 1 },      { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
        { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 }, { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
        { SQLITE_DBCONFIG_ENABLE_FKEY, 0 },    { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
    };
    static const struct {
        int limit, value;
    } limits[] = {
        { SQLITE_LIMIT_LENGTH, DATABASE_VALUE_BYTES },
        { SQLITE_LIMIT_SQL_LENGTH, 64 << 10 },
        { SQLITE_LIMIT_COLUMN, 100 },
        { SQLITE_LIMIT_EXPR_DEPTH, 100 },
        { SQLITE_LIMIT_COMPOUND_SELECT, 4 },
        { SQLITE_LIMIT_VDBE_OP, 25000 },
        { SQLITE_LIMIT_FUNCTION_ARG, 32 },
        { SQLITE_LIMIT_ATTACHED, 1 }, /* VACUUM attaches its copy */
        { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
        { SQLITE_LIMIT_VARIABLE_NUMBER, 100 },
        { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
        { SQLITE_LIMIT_WORKER_THREADS, 0 },
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; ++i)
        if (sqlite3_db_config(db, switches[i].option, switches[i].value, NULL) != SQLITE_OK)
            return false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
        sqlite3_limit(db, limits[i].limit, limits[i].value);
    sqlite3_hard_heap_limit64((sqlite3_int64)DATABASE_HEAP_MIB << 20);
    sqlite3_progress_handler(db, DATABASE_STEPS, out_of_steps, NULL);
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, begin_counting, NULL) == SQLITE_OK &&
           sqlite3_exec(db, "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON", NULL, NULL, NULL) == SQLITE_OK;
}

/* ---- the schema ---- */

enum { MOST_OBJECTS = 64 };

/* A CREATE statement: pieces of the schema's text. */
typedef struct object {
    const char *sql, *kind, *name; /* kind: "TABLE", "INDEX" or "VIEW" */
    int sql_length, name_length;
} object;

static bool same_name(const object *a, const object *b)
{
    return a->name_length == b->name_length && memcmp(a->name, b->name, (size_t)a->name_length) == 0;
}

static int split(const char *schema, object *list)
{
    int count = 0;
    for (const char *end; count < MOST_OBJECTS && (end = strchr(schema, ';')); schema = end + 1) {
        object *o = &list[count++];
        o->sql = schema;
        o->sql_length = (int)(end - schema);
        o->kind = strchr(schema, ' ') + 1;
        if (strncmp(o->kind, "UNIQUE ", 7) == 0)
            o->kind += 7;
        o->name = strchr(o->kind, ' ') + 1;
        o->name_length = (int)strcspn(o->name, " (");
    }
    return count;
}

/* "table" for a message. */
static const char *kind_of(const object *o)
{
    return *o->kind == 'T' ? "table" : *o->kind == 'I' ? "index" : "view";
}

/* Is the object that the file has under this name one of the list's? A trigger may have any name. */
static bool check_object(sqlite3 *db, const object *o, const object *list, int count, char *wrong, size_t size)
{
    sqlite3_stmt *row = NULL;
    int found = 0, code, good = 0;
    if (sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema WHERE name = ? AND type <> 'trigger'", -1, &row, NULL) !=
        SQLITE_OK)
        return false;
    sqlite3_bind_text(row, 1, o->name, o->name_length, SQLITE_STATIC);
    for (; (code = sqlite3_step(row)) == SQLITE_ROW; ++found) {
        const char *sql = (const char *)sqlite3_column_text(row, 0);
        for (int i = 0; sql && i < count; ++i)
            good += same_name(o, &list[i]) && strlen(sql) == (size_t)list[i].sql_length &&
                    memcmp(sql, list[i].sql, (size_t)list[i].sql_length) == 0;
    }
    sqlite3_finalize(row);
    if (code == SQLITE_DONE && (found != 1 || good != 1))
        snprintf(wrong, size, found ? "the %s '%.*s' is not declared as it should be" : "the %s '%.*s' is missing",
                 kind_of(o), o->name_length, o->name);
    return code == SQLITE_DONE && found == 1 && good == 1;
}

/* Has the table no index but those of the list and those that its declaration implies? What sqlite_schema says of an
   index can be untrue; what SQLite will use cannot. */
static bool check_indexes(sqlite3 *db, const object *table, const object *list, int count, char *wrong, size_t size)
{
    char sql[128];
    sqlite3_stmt *row = NULL;
    int code;
    snprintf(sql, sizeof sql, "PRAGMA index_list('%.*s')", table->name_length, table->name);
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        return false;
    bool fine = true;
    while (fine && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 1);
        const char *origin = (const char *)sqlite3_column_text(row, 3);
        if (!name || !origin || strcmp(origin, "c") != 0) /* made by PRIMARY KEY or UNIQUE */
            continue;
        const object index = { .name = name, .name_length = (int)strlen(name) };
        fine = false;
        for (int i = 0; i < count; ++i)
            fine = fine || (*list[i].kind == 'I' && same_name(&index, &list[i]));
        if (!fine)
            snprintf(wrong, size, "the table '%.*s' has a foreign index, '%.60s'", table->name_length, table->name,
                     name);
    }
    sqlite3_finalize(row);
    return fine && code == SQLITE_DONE;
}

/* Does the file declare more than `known` objects? */
static bool check_foreign(sqlite3 *db, int known, bool *foreign)
{
    sqlite3_stmt *row = NULL;
    bool fine = sqlite3_prepare_v2(db, "SELECT count(*) FROM sqlite_schema WHERE sql IS NOT NULL", -1, &row, NULL) ==
                    SQLITE_OK &&
                sqlite3_step(row) == SQLITE_ROW;
    if (fine)
        *foreign = sqlite3_column_int64(row, 0) > known;
    sqlite3_finalize(row);
    return fine;
}

bool database_check_schema(sqlite3 *db, const char *schema, bool *foreign, char *wrong, size_t size)
{
    object list[MOST_OBJECTS];
    const int count = split(schema, list);
    int names = 0;
    *wrong = '\0';
    for (int i = 0; i < count; ++i) {
        bool again = false;
        for (int k = 0; k < i; ++k)
            again = again || same_name(&list[i], &list[k]);
        if (again)
            continue;
        ++names;
        if (!check_object(db, &list[i], list, count, wrong, size) ||
            (*list[i].kind == 'T' && !check_indexes(db, &list[i], list, count, wrong, size)))
            return false;
    }
    return !foreign || check_foreign(db, names, foreign);
}

/* ---- rows ---- */

bool database_row_has(sqlite3_stmt *row, const char *types)
{
    for (int i = 0; types[i]; ++i) {
        const int type = sqlite3_column_type(row, i);
        const bool fits = types[i] == 'i'   ? type == SQLITE_INTEGER
                          : types[i] == 'd' ? type != SQLITE_TEXT && type != SQLITE_BLOB
                          : types[i] == 'b' ? type == SQLITE_BLOB
                                            : type == SQLITE_TEXT || (types[i] == 'T' && type == SQLITE_NULL);
        if (!fits)
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_private.h"

#include "harness/base/input.h"
#include "harness/base/platform.h"
#include "harness/base/text.h"
#include "harness/store/database.h"
#include "harness/store/store_recount.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The verdict table is for users who query the file with sqlite3; the program does not read it. */
const char store_schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE verdict(id INTEGER PRIMARY KEY, name TEXT NOT NULL, fails INTEGER NOT NULL);"
    "CREATE TABLE test(id INTEGER PRIMARY KEY, name TEXT GENERATED ALWAYS AS (operator || ':' || test),"
    " operator TEXT NOT NULL, test TEXT NOT NULL, tier TEXT NOT NULL, title TEXT NOT NULL, points INTEGER NOT NULL,"
    " first INTEGER NOT NULL, indices INTEGER NOT NULL, planned INTEGER NOT NULL,"
    " ran INTEGER NOT NULL DEFAULT 0, sum INTEGER NOT NULL DEFAULT 0, sum2 INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE plane(test INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,"
    " cases INTEGER NOT NULL, verdicts BLOB NOT NULL, PRIMARY KEY(test, first)) WITHOUT ROWID;"
    "CREATE TABLE dtype(name TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE tally_group(test INTEGER NOT NULL, level TEXT NOT NULL, verdict INTEGER NOT NULL,"
    " cases INTEGER NOT NULL, dtypes INTEGER NOT NULL, PRIMARY KEY(test, level, verdict, cases)) WITHOUT ROWID;"
    "CREATE VIEW tally AS SELECT test, name AS dtype, level, verdict, cases FROM tally_group"
    " JOIN dtype ON dtypes >> id & 1;"
    "CREATE TABLE finding(id INTEGER PRIMARY KEY, test INTEGER NOT NULL, case_index INTEGER NOT NULL,"
    " case_id TEXT, verdict INTEGER NOT NULL, clause TEXT, dtype TEXT, level TEXT, tensor TEXT, element TEXT,"
    " expected TEXT, actual TEXT, source TEXT, differing INTEGER NOT NULL, detail TEXT, descriptor TEXT,"
    " tensors TEXT, reproducer TEXT, rate TEXT, depends TEXT, matters TEXT, printed TEXT,"
    " shrunk TEXT, shrunk_facts TEXT, class TEXT, stands_for INTEGER NOT NULL, other_data INTEGER NOT NULL);"
    "CREATE UNIQUE INDEX finding_case ON finding(test, case_index);"
    "CREATE TABLE shuffled(test INTEGER NOT NULL, block INTEGER NOT NULL, PRIMARY KEY(test, block)) WITHOUT ROWID;"
    "CREATE TABLE candidate(test INTEGER NOT NULL, case_index INTEGER NOT NULL, first INTEGER NOT NULL,"
    " second INTEGER NOT NULL, block_first INTEGER NOT NULL, block_end INTEGER NOT NULL, block_cases INTEGER NOT NULL,"
    " block_ordinal INTEGER NOT NULL, start INTEGER NOT NULL, place INTEGER NOT NULL, bisected INTEGER NOT NULL,"
    " PRIMARY KEY(test, case_index)) WITHOUT ROWID;"
    "CREATE TABLE observation(test INTEGER NOT NULL, kind TEXT NOT NULL, cases INTEGER NOT NULL, example TEXT,"
    " detail TEXT, PRIMARY KEY(test, kind)) WITHOUT ROWID;"
    "CREATE TABLE clause(operator TEXT NOT NULL, id TEXT NOT NULL, text TEXT, page TEXT, section TEXT,"
    " basis TEXT, ground TEXT, breakable INTEGER NOT NULL, broken INTEGER NOT NULL, refused INTEGER NOT NULL);"
    "CREATE TABLE ledger(operator TEXT PRIMARY KEY, bytes INTEGER NOT NULL, entries BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE operator(name TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE printed(test INTEGER NOT NULL, process INTEGER NOT NULL, processes INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, lines INTEGER NOT NULL, head TEXT, tail TEXT, PRIMARY KEY(test, process)) WITHOUT ROWID;"
    "CREATE TABLE seal(part PRIMARY KEY, sum INTEGER NOT NULL) WITHOUT ROWID;";

/* Small pages: most tables are small, and each takes at least one page. */
enum { PAGE_BYTES = 1024, LOG_PAGES = 1024 };

/* A file up to this size is vacuumed when it is closed; in a larger one the gain is small. */
enum { PACKED_BYTES = 4 << 20 };

/* ---- errors: SQLite's codes as messages that say what the user can do -------------------------------------------- */

static bool store_full(const store *s, const char *why, error *e)
{
    if (s->created || s->hidden || s->fresh)
        return error_set(e, "%s: %s, so that no run could be created. Free some space or choose another place.",
                         s->path, why);
    char quoted[400];
    return error_set(e,
                     "%s: %s. The results stored so far are safe: free some space, then continue with "
                     "'touchstone resume %s'.",
                     s->path, why, text_shell_in(quoted, sizeof quoted, s->path));
}

bool store_damaged(const store *s, const char *how, error *e)
{
    return error_set(e,
                     "%s: the run is damaged (%s). Results read from it may be wrong: restore the file from a copy, or "
                     "run again.",
                     s->path, how);
}

bool store_damaged_test(const store *s, int64_t test, const char *how, error *e)
{
    char what[400];
    sqlite3_stmt *row = NULL;
    const char *name = NULL;
    if (sqlite3_prepare_v2(s->db, "SELECT name FROM test WHERE id = ?", -1, &row, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, test);
        if (sqlite3_step(row) == SQLITE_ROW)
            name = (const char *)sqlite3_column_text(row, 0);
    }
    if (name)
        snprintf(what, sizeof what, "%.160s: %s", name, how);
    else
        snprintf(what, sizeof what, "test %lld, which is not in its list of tests: %s", (long long)test, how);
    sqlite3_finalize(row);
    return store_damaged(s, what, e);
}

bool store_fail(const store *s, const char *doing, error *e)
{
    int system = sqlite3_system_errno(s->db), extended = sqlite3_extended_errcode(s->db);
    switch (extended & 0xff) {
    case SQLITE_FULL: return store_full(s, "the disk is full", e);
    case SQLITE_IOERR:
        /* SQLite reports a full disk only for ENOSPC, and often loses the number of any other error. */
        if (system == ENOSPC)
            return store_full(s, "the disk is full", e);
        if (extended == SQLITE_IOERR_WRITE || extended == SQLITE_IOERR_SHMSIZE || extended == SQLITE_IOERR_TRUNCATE)
            return store_full(s, "the operating system refuses to write more (a quota, 'ulimit -f' or a failing disk)",
                              e);
        return error_set(e, "%s: %s: %s (%s)", s->path, doing, sqlite3_errmsg(s->db),
                         system ? strerror(system) : "the operating system gives no reason");
    case SQLITE_READONLY:
        if (extended == SQLITE_READONLY_DBMOVED)
            return error_set(e, "%s: was removed or replaced while it was being written", s->path);
        return error_usage(e, "%s: %s: the file cannot be written (permissions, or a read-only disk)", s->path, doing);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_usage(e, "%s: %s: another process is writing this run. Wait for it or end it.", s->path, doing);
    case SQLITE_INTERRUPT: return store_damaged(s, "reading it takes more steps than any run needs", e);
    case SQLITE_TOOBIG:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return store_damaged(s, sqlite3_errmsg(s->db), e);
    case SQLITE_NOMEM: return error_set(e, "%s: %s: out of memory", s->path, doing);
    default: return error_set(e, "%s: %s: %s", s->path, doing, sqlite3_errmsg(s->db));
    }
}

/* ---- opening and closing ------------------------------------------------------------------------------------------
 */

static char *joined(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *whole = malloc(size);
    if (whole)
        snprintf(whole, size, "%s%s%s", a, b, c);
    return whole;
}

/* A name that SQLite opens as a plain file: ":memory:" and "file:..." have a special meaning to it. */
static char *plain_name(const char *path)
{
    bool special = path[0] == ':' || strncmp(path, "file:", 5) == 0;
    return joined(special ? "./" : "", path, "");
}

static store *store_new(const char *path, error *e)
{
    store *s = calloc(1, sizeof *s);
    if (s)
        s->path = plain_name(path);
    if (!s || !s->path) {
        free(s);
        error_set(e, "%s: out of memory", path);
        return NULL;
    }
    return s;
}

static bool store_execute(store *s, const char *sql, const char *doing, error *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, doing, e);
}

/* Execute a statement that returns one integer. */
static bool store_number(store *s, const char *sql, int64_t *number, error *e)
{
    sqlite3_stmt *row = NULL;
    bool ok = sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    if (ok)
        *number = sqlite3_column_int64(row, 0);
    else
        store_fail(s, "opening the run", e);
    sqlite3_finalize(row);
    return ok;
}

static bool store_connect(store *s, const char *name, int flags, error *e)
{
    if (sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        if (!s->db)
            return error_set(e, "%s: out of memory", s->path);
        return store_fail(s, "opening the run", e);
    }
    sqlite3_busy_timeout(s->db, 30000);
    if (!database_restrict(s->db) || !store_seal_functions(s->db))
        return store_fail(s, "opening the run", e);
    /* A run may take days on the machine that it tests: limit the page cache to a megabyte. What is temporary, which is
       little, needs no file: the disk may be full. */
    return store_execute(s, "PRAGMA cache_size = -1024; PRAGMA temp_store = MEMORY", "opening the run", e);
}

/* Switch to the write-ahead log, so that readers never wait for the writer, nor the writer for readers. It is switched
   on at the first write and off when the run is closed: a finished run is one file, readable from a read-only
   directory. Where the file system does not support it, SQLite stays with its rollback journal, which is correct, too.
 */
bool store_log(store *s, error *e)
{
    if (s->logging || s->hidden)
        return true;
    s->logging = true;
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = %d",
             LOG_PAGES);
    return store_execute(s, sql, "preparing to write", e) && store_seal_keep(s, e);
}

static bool create_tables(store *s, error *e)
{
    char sql[256];
    snprintf(sql, sizeof sql, "PRAGMA page_size = %d", PAGE_BYTES);
    if (s->hidden && !store_execute(s, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", "creating the run", e))
        return false;
    if (!store_execute(s, sql, "creating the run", e) || !store_execute(s, "BEGIN IMMEDIATE", "creating the run", e) ||
        !store_execute(s, store_schema, "creating the run", e))
        return false;
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID,
             STORE_FORMAT);
    if (!store_execute(s, sql, "creating the run", e))
        return false;
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        snprintf(sql, sizeof sql, "INSERT INTO verdict VALUES(%d, '%s', %d)", v, verdict_name((verdict)v),
                 verdict_fails((verdict)v));
        if (!store_execute(s, sql, "creating the run", e))
            return false;
    }
    /* Commit before the log is switched on: the tables are then in the file itself, even if the log is lost. */
    return store_seal_renew(s, e) && store_execute(s, "COMMIT", "creating the run", e) &&
           (s->hidden ? store_seal_keep(s, e) : store_log(s, e));
}

static void remove_companions(const char *path)
{
    static const char *const suffixes[] = { "-wal", "-shm", "-journal" };
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i) {
        char *name = joined(path, suffixes[i], "");
        if (name)
            remove(name);
        free(name);
    }
}

/* Report why a name cannot be used; errno has the reason. */
static bool fail_name(const char *path, error *e)
{
    struct stat info;
    char quoted[400];
    bool empty;
    if (!*path)
        return error_usage(e, "the name of a file is expected, and it is empty");
    if (errno == EEXIST && stat(path, &info) == 0 && (info.st_mode & S_IFMT) == S_IFDIR)
        return error_usage(e, "%s: is a directory; give the name of a file", path);
    if (errno == EEXIST && !input_is_database(path, &empty) && !empty)
        return error_usage(e, "%s: exists already, and is no run. Choose another name.", path);
    if (errno == EEXIST)
        return error_usage(e,
                           "%s: exists already, and runs are never overwritten. Choose another name, or remove it; "
                           "'touchstone resume %s' continues a run that has not ended.",
                           path, text_shell_in(quoted, sizeof quoted, path));
    if (errno == ENOENT || errno == ENOTDIR)
        return error_usage(e, "%s: cannot be created: the directory does not exist", path);
    return error_usage(e, "%s: cannot be created: %s", path, strerror(errno));
}

/* Create a file for a run that is to have this name, which no file has: another one beside it, or the name itself. */
static bool create_file(const char *path, const char *name, error *e)
{
    struct stat info;
    errno = EEXIST;
    FILE *file = *name && stat(name, &info) != 0 ? platform_new_file(path) : NULL;
    if (!file)
        return fail_name(name, e);
    fclose(file);
    return true;
}

bool store_can_create(const char *path, const char *hidden, error *e)
{
    char *name = plain_name(path), *tried = plain_name(hidden);
    bool fine = name && tried ? create_file(tried, name, e) : error_set(e, "%s: out of memory", path);
    if (fine)
        remove(tried);
    free(name);
    free(tried);
    return fine;
}

store *store_publish(store *s, const char *path, error *e)
{
    char *from = joined(s->path, "", ""), *to = plain_name(path);
    store_close(s); /* moves the log into the file, which then is all of the run */
    bool fine = from && to ? true : error_set(e, "%s: out of memory", path);
    fine = fine && (platform_sync_file(from) || error_set(e, "%s: cannot be written: %s", to, strerror(errno)));
    fine = fine && (platform_name_file(from, to) || fail_name(to, e));
    if (from)
        remove(from);
    s = fine ? store_open(path, e) : NULL;
    if (s)
        s->fresh = true;
    free(from);
    free(to);
    return s;
}

void store_has_results(store *s)
{
    s->fresh = false;
}

bool store_is_displaced(store *s)
{
    int moved = 0;
    return sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

static store *create_store(const char *path, bool hidden, error *e)
{
    store *s = store_new(path, e);
    if (!s)
        return NULL;
    s->hidden = hidden;
    if (!create_file(s->path, s->path, e)) {
        store_close(s);
        return NULL;
    }
    s->created = true;
    if (store_connect(s, s->path, SQLITE_OPEN_READWRITE, e) && create_tables(s, e)) {
        s->created = false;
        return s;
    }
    store_discard(s);
    return NULL;
}

void store_discard(store *s)
{
    char *name = s->path;
    s->path = NULL;
    s->logging = false; /* the file is removed: no need to move the log into it */
    store_close(s);
    remove(name);
    remove_companions(name);
    free(name);
}

store *store_create(const char *path, error *e)
{
    return create_store(path, false, e);
}

store *store_create_hidden(const char *path, error *e)
{
    return create_store(path, true, e);
}

static uint64_t big_endian(const unsigned char *p, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value = value << 8 | p[i];
    return value;
}

static bool companion_holds_data(const char *path, const char *suffix)
{
    struct stat info;
    char *name = joined(path, suffix, "");
    bool holds = name && stat(name, &info) == 0 && info.st_size > 0;
    free(name);
    return holds;
}

/* Check the header before SQLite does: it has one message for most of these errors. */
static bool check_file(const char *path, error *e)
{
    struct stat info;
    unsigned char header[100];
    if (stat(path, &info) != 0)
        return error_usage(e, errno == ENOENT || errno == ENOTDIR ? "%s: there is no such run" : "%s: %s", path,
                           strerror(errno));
    FILE *file = input_open(path, e);
    if (!file)
        return false;
    size_t got = fread(header, 1, sizeof header, file);
    bool unreadable = ferror(file) != 0;
    fclose(file);
    if (unreadable)
        return error_usage(e, "%s: cannot be read: %s", path, strerror(errno));
    if (got == 0)
        return error_usage(e,
                           "%s: is empty; a run that was killed at its very start looks like this. Remove it and "
                           "run again.",
                           path);
    if (got < 16 || memcmp(header, "SQLite format 3", 16) != 0)
        return error_usage(e, "%s: is not a run of Touchstone (and not even an SQLite file)", path);
    uint64_t page = big_endian(header + 16, 2), pages = got == sizeof header ? big_endian(header + 28, 4) : 0;
    if (page == 1)
        page = 65536;
    bool pending = companion_holds_data(path, "-wal") || companion_holds_data(path, "-journal");
    if (got < sizeof header || (!pending && (uint64_t)info.st_size < page * pages))
        return error_set(e,
                         "%s: the run is damaged (cut off after %lld of %llu bytes). Restore it from a copy, or "
                         "run again.",
                         path, (long long)info.st_size, (unsigned long long)(page * pages));
    return true;
}

/* A run in a read-only directory whose log was never switched off cannot be opened normally, because SQLite would
   create a file for shared memory beside it. Since no process can write there, open it as a file that does not change.
 */
static bool store_connect_unchanging(store *s, error *e)
{
    char *name = malloc(strlen(s->path) * 3 + sizeof "file:?immutable=1");
    if (!name)
        return error_set(e, "%s: out of memory", s->path);
    size_t n = (size_t)sprintf(name, "file:");
    for (const char *p = s->path; *p; ++p) {
        if (strchr("%?#", *p))
            n += (size_t)sprintf(name + n, "%%%02X", (unsigned)(unsigned char)*p);
        else
            name[n++] = *p;
    }
    strcpy(name + n, "?immutable=1");
    sqlite3_close(s->db);
    s->db = NULL;
    bool ok = store_connect(s, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, e);
    free(name);
    return ok;
}

static bool check_schema(store *s, error *e)
{
    char wrong[160];
    return database_check_schema(s->db, store_schema, &s->foreign, wrong, sizeof wrong) ||
           (*wrong ? store_damaged(s, wrong, e) : store_fail(s, "opening the run", e));
}

static bool check_format(store *s, error *e)
{
    int64_t application, format;
    if (!store_number(s, "PRAGMA application_id", &application, e) ||
        !store_number(s, "PRAGMA user_version", &format, e))
        return false;
    if (application != STORE_APPLICATION_ID)
        return error_usage(e, "%s: is an SQLite file, but not a run of Touchstone", s->path);
    if (format > STORE_FORMAT)
        return error_usage(e,
                           "%s: was written by a newer Touchstone (format %lld; this one reads up to %d). Use that "
                           "one to read it.",
                           s->path, (long long)format, STORE_FORMAT);
    if (format < 1)
        return store_damaged(s, "it has no format number", e);
    if (format < STORE_FORMAT)
        return error_usage(e,
                           "%s: was written by an older Touchstone (format %lld; this one reads %d). Use that one to "
                           "read it, or run again.",
                           s->path, (long long)format, STORE_FORMAT);
    return check_schema(s, e);
}

/* Check what the file holds, in one snapshot, since its run may go on meanwhile. Where a checksum differs, the counts
   may say more precisely what is wrong. */
static bool check_contents(store *s, bool counted, error *e)
{
    error more;
    if (!store_execute(s, "BEGIN", "opening the run", e))
        return false;
    bool shaped = store_seal_shape(s, e), fine = shaped && store_seal_check(s, e);
    if (shaped && counted && !store_recount(s, NULL, &more)) {
        *e = more;
        fine = false;
    }
    sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    return fine;
}

static store *open_run(const char *path, bool counted, error *e)
{
    store *s = store_new(path, e);
    if (!s)
        return NULL;
    bool ok = check_file(s->path, e);
    if (ok && !(store_connect(s, s->path, SQLITE_OPEN_READWRITE, e) && check_format(s, e))) {
        int code = sqlite3_extended_errcode(s->db) & 0xff;
        ok = false;
        if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) {
            if (companion_holds_data(s->path, "-wal"))
                error_usage(e,
                            "%s: has unfinished writes in %s-wal, which cannot be completed because the directory "
                            "cannot be written. Copy both files to another directory.",
                            s->path, s->path);
            else
                ok = store_connect_unchanging(s, e) && check_format(s, e);
        }
    }
    if (!ok || !check_contents(s, counted, e)) {
        store_close(s);
        return NULL;
    }
    return s;
}

store *store_open(const char *path, error *e)
{
    return open_run(path, true, e);
}

store *store_open_uncounted(const char *path, error *e)
{
    return open_run(path, false, e);
}

/* Vacuum a small file: rows that were not inserted in order of their keys leave pages half empty. Where that fails, the
   file stays as it is, and where it declares more than a run does: a vacuum would evaluate the expressions of foreign
   tables and indexes. */
static void store_pack(store *s)
{
    int64_t pages;
    error ignored;
    if (!s->foreign && store_number(s, "PRAGMA page_count", &pages, &ignored) && pages <= PACKED_BYTES / PAGE_BYTES)
        sqlite3_exec(s->db, "VACUUM", NULL, NULL, NULL);
}

void store_close(store *s)
{
    if (!s)
        return;
    for (int i = 0; i < STATEMENT_COUNT; ++i)
        sqlite3_finalize(s->statements[i]);
    if (s->db && s->logging) {
        if (!sqlite3_get_autocommit(s->db))
            sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
        /* Move the log into the file. While another process reads the run this fails; then the next writer does it. */
        sqlite3_busy_timeout(s->db, 0);
        if (sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) == SQLITE_OK)
            store_pack(s);
    }
    sqlite3_close(s->db);
    free(s->path);
    free(s->value);
    free(s);
}

/* ---- writing ------------------------------------------------------------------------------------------------------
 */

bool store_begin(store *s, error *e)
{
    return store_log(s, e) && store_execute(s, "BEGIN IMMEDIATE", "beginning to write", e);
}

bool store_snapshot(store *s, error *e)
{
    /* The snapshot is taken at the first read. */
    int64_t ignored;
    return store_execute(s, "BEGIN", "beginning to read", e) && store_number(s, "PRAGMA schema_version", &ignored, e) &&
           store_number(s, "SELECT count(*) FROM meta", &ignored, e);
}

bool store_commit(store *s, error *e)
{
    if (store_execute(s, "COMMIT", "writing", e))
        return true;
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

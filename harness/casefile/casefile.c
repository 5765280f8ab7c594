/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case file runs once, in a sandbox, and calls functions that only record its declarations. Then this file turns the
 * record into spaces and compiled expressions. So every mistake is found when the file is loaded, with the line of the
 * declaration.
 */
#include "harness/casefile/casefile_internal.h"

#include "harness/base/platform.h"
#include "harness/casefile/casefile_checked.h"
#include "harness/casefile/casefile_facts.h"
#include "harness/casefile/kept_rows.h"
#include "harness/casefile/validation.h"
#include "reference/operators.h"

#include <unistd.h>

static const char *const tier_names[] = { "quick", "full", "exhaustive" };

const char *case_tier_name(case_tier t)
{
    return tier_names[t];
}

bool case_tier_named(const char *name, case_tier *tier)
{
    for (int t = TIER_QUICK; t <= TIER_EXHAUSTIVE; ++t)
        if (strcmp(name, case_tier_name((case_tier)t)) == 0) {
            *tier = (case_tier)t;
            return true;
        }
    return false;
}

bool casefile_fail(loader *l, int line, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_usage(l->e, "%s:%d: %s", l->path, line, text);
}

static size_t list_length(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    size_t n = lua_rawlen(L, -1);
    lua_pop(L, 1);
    return n;
}

/* The changes of the invalid tests, and what the bindings say of the drawn ones and of data types; the record is on top
   of the stack. All tests of a family have the same axes and so one scope. */
static bool read_changes(loader *l, size_t tests, const expr_scope *scope)
{
    lua_State *L = l->lua;
    int record = lua_gettop(L);
    size_t first = l->file->test_count - tests;
    for (size_t i = 0; i < tests; ++i) {
        case_test *t = &l->file->tests[first + i];
        lua_getfield(L, record, "tests");
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        int line = casefile_int(L, "line");
        lua_getfield(L, -1, "def");
        if ((t->kind == CASE_INVALID && !casefile_read_change(l, line, t, scope)) ||
            (t->draw && !casefile_check_draw(l, line, t)) || !casefile_check_types(l, line, t))
            return false;
        lua_settop(L, record);
    }
    return true;
}

/* The tests of the operator and of its families. The record is on top of the stack. */
static size_t count_tests(lua_State *L)
{
    size_t tests = list_length(L, "tests");
    lua_getfield(L, -1, "families");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
        tests += list_length(L, "tests");
    lua_pop(L, 2);
    return tests;
}

/* The axes, tests and bindings of one family. Its record is on top of the stack. */
static bool build_family(loader *l)
{
    lua_State *L = l->lua;
    int record = lua_gettop(L);
    const size_t tests = list_length(L, "tests");
    if (tests == 0)
        return true;
    l->family = &l->file->families[l->file->family_count++];
    for (size_t i = 0; i < l->axis_count; ++i)
        free(l->axes[i].values.items);
    memset(l->axes, 0, sizeof l->axes);
    l->axis_count = 0;
    if (!casefile_read_axes(l))
        return false;
    for (size_t i = 0; i < tests; ++i) {
        lua_getfield(L, record, "tests");
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        case_test *t = &l->file->tests[l->file->test_count++];
        if (!casefile_read_test(l, record, t))
            return false;
        for (size_t k = 0; k + 1 < l->file->test_count; ++k)
            if (strcmp(l->file->tests[k].name, t->name) == 0) {
                lua_settop(L, record + 2);
                return casefile_fail(l, casefile_int(L, "line"), "test '%s' is declared twice", t->name);
            }
        lua_settop(L, record);
    }
    const expr_scope *scope = space_scope(l->file->tests[l->file->test_count - 1].space);
    bool fine = casefile_read_bindings(l, scope) && read_changes(l, tests, scope);
    for (size_t i = l->file->test_count - tests; fine && i < l->file->test_count; ++i)
        fine = casefile_name_bindings(l, &l->file->tests[i]) && case_facts_add(&l->file->tests[i], l->e);
    return fine;
}

static bool build(loader *l)
{
    lua_State *L = l->lua;
    int record = lua_gettop(L);
    const char *name = casefile_string(L, "op");
    if (!name)
        return casefile_fail(l, 1, "the file declares no operator; expected: local op = operator \"dml.name\"");
    if (!(l->file->op = operators_find(name)))
        return casefile_fail(l, casefile_int(L, "line"), "there is no operator '%s'", name);
    size_t tests = count_tests(L), examples = list_length(L, "examples"), families = list_length(L, "families");
    l->file->tests = calloc(tests + 1 + CASEFILE_CHECKED_TESTS, sizeof *l->file->tests);
    l->file->examples = calloc(examples + 1, sizeof *l->file->examples);
    l->file->families = calloc(families + 2, sizeof *l->file->families);
    if (!l->file->tests || !l->file->examples || !l->file->families)
        return error_set(l->e, "out of memory");
    if (tests + examples == 0)
        return casefile_fail(l, 1, "the file declares no tests");
    lua_getfield(L, record, "examples");
    for (size_t i = 0; i < examples; ++i) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        l->file->example_count++;
        if (!casefile_read_example(l, &l->file->examples[i]))
            return false;
        for (size_t k = 0; k < i; ++k)
            if (strcmp(l->file->examples[k].name, l->file->examples[i].name) == 0)
                return casefile_fail(l, casefile_int(L, "line"), "example '%s' is declared twice",
                                     l->file->examples[i].name);
        lua_pop(L, 1);
    }
    lua_settop(L, record);
    if (examples) {
        case_test *t = &l->file->tests[l->file->test_count++];
        if (!casefile_example_test(l, t) || !casefile_name_examples(l, t) || !case_facts_add(t, l->e))
            return false;
    }
    if (!build_family(l))
        return false;
    lua_getfield(L, record, "families");
    for (size_t i = 0; i < families; ++i) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        if (!build_family(l))
            return false;
        lua_pop(L, 1);
    }
    return !operators_declared(l->file->op) || casefile_add_checked(l->file, l->e);
}

/* build, inside a protected call: it reads tables that the file made, and their metatables may do anything. */
static int protected_build(lua_State *L)
{
    loader *l = lua_touserdata(L, 1);
    l->built = build(l);
    return 0;
}

static void sandbox_free(sandbox *box)
{
    if (box)
        sandbox_close(box);
    free(box);
}

static void run_file(void *context)
{
    loader *l = context;
    if (casefile_lua_run(l->box, l->path, l->wanted, l->e))
        sandbox_call(l->box, protected_build, l, 1, l->e);
}

/* A trial would cost time at every start. */
bool casefile_is_trusted(void)
{
    return getenv("TOUCHSTONE_CASES") == NULL;
}

case_file *casefile_load(const char *path, error *e)
{
    return casefile_load_of(path, NULL, e);
}

case_file *casefile_load_of(const char *path, const ts_operator *op, error *e)
{
    sandbox *box = calloc(1, sizeof *box);
    if (!box || !sandbox_open(box, SANDBOX_MEMORY, SANDBOX_STEPS, e)) {
        if (!box)
            error_set(e, "out of memory");
        free(box);
        return NULL;
    }
    case_file *f = calloc(1, sizeof *f);
    loader *l = calloc(1, sizeof *l);
    bool fine = f && l;
    if (fine) {
        f->path = strdup(path);
        f->box = box;
        l->box = box;
        l->lua = box->lua;
        l->path = path;
        l->wanted = op ? op->name : NULL;
        l->file = f;
        l->e = e;
        if (casefile_is_trusted() || sandbox_trial(path, run_file, l, SANDBOX_SECONDS, e))
            run_file(l);
        fine = l->built;
        for (size_t i = 0; i < l->axis_count; ++i)
            free(l->axes[i].values.items);
    } else {
        error_set(e, "out of memory");
    }
    bool draws = false;
    for (size_t i = 0; fine && i < f->test_count; ++i)
        draws = draws || f->tests[i].draw;
    if (fine && op && f->op != op)
        fine = error_usage(e, "%s declares operator %s; expected %s, whose file it is", path, f->op->name, op->name);
    if (draws) {
        sandbox_collect_rarely(box);
    } else {
        sandbox_free(box);
        if (f)
            f->box = NULL;
    }
    free(l);
    if (!fine) {
        casefile_free(f);
        return NULL;
    }
    return f;
}

void casefile_free(case_file *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->test_count; ++i)
        case_draw_free(f->tests[i].draw);
    sandbox_free(f->box);
    validation_close(f->validation);
    for (size_t i = 0; i < f->test_count; ++i) {
        free(f->tests[i].name);
        free(f->tests[i].title);
        free(f->tests[i].clause);
        free(f->tests[i].inside);
        if (f->tests[i].change)
            casefile_free_bindings(f->tests[i].change);
        free(f->tests[i].change);
        space_free(f->tests[i].space);
        case_facts_free(f->tests[i].facts);
    }
    for (size_t i = 0; i < f->example_count; ++i) {
        case_example *x = &f->examples[i];
        free(x->name);
        free(x->note);
        free(x->invalid);
        free(x->ambiguous);
        for (size_t t = 0; t < TS_MAX_TENSORS; ++t)
            json_decref(x->data[t]);
    }
    for (size_t i = 0; i < f->family_count; ++i)
        casefile_free_bindings(&f->families[i].bind);
    free(f->families);
    free(f->tests);
    free(f->examples);
    free(f->path);
    free(f);
}

/* The source tree of a program in its build folder: a file beside bin/ or tests/ names it, which CMake writes there. */
static bool source_folder(char *buf, size_t size)
{
    char program[PATH_MAX], path[PATH_MAX + 32];
    if (!platform_program_folder(program, sizeof program))
        return false;
    snprintf(path, sizeof path, "%s/../source-folder", program);
    FILE *file = fopen(path, "r");
    bool found = file && fgets(buf, (int)size, file) != NULL;
    if (file)
        fclose(file);
    if (found)
        buf[strcspn(buf, "\r\n")] = 0;
    return found;
}

/* The path of the operator's case file in the folder of case files, without its ending: "dml/slice1", or that of its
   family. */
static void file_of(const ts_operator *op, char name[static 128])
{
    const char *family = operators_family(op);
    snprintf(name, 128, "%s", op->name);
    for (char *p = name; *p; ++p)
        if (*p == '.')
            *p = '/';
    char *own = strchr(name, '/');
    if (family && own)
        snprintf(own + 1, 128 - (size_t)(own + 1 - name), "%s", family);
}

bool casefile_path(const ts_operator *op, char *buf, size_t size, error *e)
{
    char name[128], folder[PATH_MAX];
    file_of(op, name);
    const char *set = getenv("TOUCHSTONE_CASES");
    if (set) {
        if ((size_t)snprintf(buf, size, "%s/%s.lua", set, name) < size && access(buf, R_OK) == 0)
            return true;
        return error_usage(e, "%s: no case file of operator %s there (TOUCHSTONE_CASES)", buf, op->name);
    }
    if (platform_program_folder(folder, sizeof folder)) {
        static const char *const beside[] = { "../share/touchstone/cases", "../../cases", "../cases" };
        for (size_t i = 0; i < sizeof beside / sizeof beside[0]; ++i)
            if ((size_t)snprintf(buf, size, "%s/%s/%s.lua", folder, beside[i], name) < size && access(buf, R_OK) == 0)
                return true;
    }
    if (source_folder(folder, sizeof folder) && (size_t)snprintf(buf, size, "%s/cases/%s.lua", folder, name) < size &&
        access(buf, R_OK) == 0)
        return true;
    if ((size_t)snprintf(buf, size, "%s/cases/%s.lua", TOUCHSTONE_DATADIR, name) < size && access(buf, R_OK) == 0)
        return true;
    return error_usage(e,
                       "no case file cases/%s.lua of operator %s found beside the program or in %s; set "
                       "TOUCHSTONE_CASES to the folder that holds it",
                       name, op->name, TOUCHSTONE_DATADIR);
}

bool casefile_beside(const char *name, char *buf, size_t size, error *e)
{
    char path[PATH_MAX], own[128];
    size_t count;
    const ts_operator *first = operators_all(&count)[0];
    if (!casefile_path(first, path, sizeof path, e))
        return false;
    file_of(first, own);
    path[strlen(path) - strlen(own) - strlen(".lua")] = '\0';
    return (size_t)snprintf(buf, size, "%s%s", path, name) < size ? true : error_usage(e, "%s: too long a path", path);
}

bool casefile_prepare(case_test *t, error *e)
{
    if (t->strength == 0 || t->covered)
        return true;
    t->covered = kept_rows_load(t->space, t->strength);
    if (!t->covered && (t->covered = space_cover(t->space, t->strength, e)))
        kept_rows_save(t->space, t->strength);
    return t->covered;
}

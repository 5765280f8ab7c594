/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/sandbox.h"

#include "harness/base/input.h"
#include "harness/base/platform.h"

#include <errno.h>
#include <inttypes.h>
#include <lauxlib.h>
#include <limits.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of instructions between two checks of the budget: the cost is negligible, and a script stops quickly. */
#define STEP_GRAIN 1000

#define COLLECT_AT 1000 /* per cent of the memory in use after a collection: then the next one begins */

/* ---- memory ------------------------------------------------------------------------------------------------ */

static void *allocate(void *context, void *block, size_t old_size, size_t new_size)
{
    sandbox *s = context;
    size_t had = block ? old_size : 0; /* without a block, old_size is the kind of object that Lua creates */
    if (new_size == 0) {
        free(block);
        s->used -= had;
        return NULL;
    }
    if (s->limit && new_size > had && new_size - had > s->limit - s->used)
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved)
        s->used = s->used - had + new_size;
    return moved;
}

static sandbox *sandbox_of(lua_State *lua)
{
    void *context;
    lua_getallocf(lua, &context);
    return context;
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

/* Once the budget is gone the hook fires at every instruction, so that a pcall in the script that catches the error
   is interrupted again at its next step, until no frame of the script is left. */
static void count_steps(lua_State *lua, lua_Debug *where)
{
    sandbox *s = sandbox_of(lua);
    if (s->steps > STEP_GRAIN) {
        s->steps -= STEP_GRAIN;
        return;
    }
    s->steps = 0;
    lua_sethook(lua, count_steps, LUA_MASKCOUNT, 1);
    lua_getinfo(lua, "Sl", where);
    lua_pushfstring(lua, "%s:%d: stopped after %I instructions: an endless loop?", where->short_src, where->currentline,
                    (lua_Integer)s->step_limit);
    lua_error(lua);
}

static bool out_of_steps(const sandbox *s)
{
    return s->step_limit && s->steps == 0;
}

/* ---- the libraries ----------------------------------------------------------------------------------------- */

/* xpcall whose handler runs after the failed call is unwound: called from within the step hook, as Lua's own would,
   it would run without hooks and could loop for ever. */
static int sandbox_xpcall(lua_State *lua)
{
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, 2);
    lua_replace(lua, 1);
    lua_replace(lua, 2); /* handler, function, arguments */
    bool ok = lua_pcall(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0) == LUA_OK;
    if (!ok) {
        lua_pushvalue(lua, 1);
        lua_insert(lua, -2);
        lua_call(lua, 1, 1);
    }
    lua_pushboolean(lua, ok);
    lua_replace(lua, 1);
    return lua_gettop(lua);
}

/* setmetatable without finalizers: Lua runs those without hooks, too. */
static int sandbox_setmetatable(lua_State *lua)
{
    if (lua_istable(lua, 2)) {
        lua_pushliteral(lua, "__gc");
        lua_rawget(lua, 2);
        if (!lua_isnil(lua, -1))
            return luaL_error(lua, "a metatable with __gc is not available here");
        lua_pop(lua, 1);
    }
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
    return lua_gettop(lua);
}

static void remove_functions(lua_State *lua, const char *const *names)
{
    for (; *names; ++names) {
        lua_pushnil(lua);
        lua_setfield(lua, -2, *names);
    }
    lua_pop(lua, 1);
}

static int open_libraries(lua_State *lua)
{
    static const luaL_Reg libraries[] = { { LUA_GNAME, luaopen_base },
                                          { LUA_TABLIBNAME, luaopen_table },
                                          { LUA_STRLIBNAME, luaopen_string },
                                          { LUA_MATHLIBNAME, luaopen_math },
                                          { LUA_UTF8LIBNAME, luaopen_utf8 } };
    static const char *const loading[] = { "dofile", "loadfile", "load", "require", "collectgarbage", "print", NULL };
    static const char *const dumping[] = { "dump", NULL };
    static const char *const chance[] = { "random", "randomseed", NULL };

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; ++i) {
        luaL_requiref(lua, libraries[i].name, libraries[i].func, 1);
        lua_pop(lua, 1);
    }
    lua_pushglobaltable(lua);
    remove_functions(lua, loading);
    lua_getglobal(lua, LUA_STRLIBNAME);
    remove_functions(lua, dumping);
    lua_getglobal(lua, LUA_MATHLIBNAME);
    remove_functions(lua, chance);

    lua_pushcfunction(lua, sandbox_xpcall);
    lua_setglobal(lua, "xpcall");
    lua_getglobal(lua, "setmetatable");
    lua_pushcclosure(lua, sandbox_setmetatable, 1);
    lua_setglobal(lua, "setmetatable");
    return 0;
}

/* ---- errors ------------------------------------------------------------------------------------------------ */

/* Describe the error value on the stack and pop it. This must not raise another error: it converts no value and
   calls no metamethod. */
static bool describe(sandbox *s, int status, const char *what, error *e)
{
    int type = lua_type(s->lua, -1);
    if (status == LUA_ERRMEM && s->limit)
        error_usage(e, "%s: needs more than %zu KiB of memory", what, s->limit >> 10);
    else if (status == LUA_ERRMEM)
        error_set(e, "%s: out of memory", what);
    else if (type == LUA_TSTRING)
        error_usage(e, "%s", lua_tostring(s->lua, -1));
    else if (type == LUA_TNUMBER)
        error_usage(e, "%s: error %g", what, lua_tonumber(s->lua, -1));
    else
        error_usage(e, "%s: the error value is a %s", what, lua_typename(s->lua, type));
    lua_pop(s->lua, 1);
    return false;
}

/* ---- the state --------------------------------------------------------------------------------------------- */

bool sandbox_open(sandbox *s, size_t memory, uint64_t steps, error *e)
{
    *s = (sandbox){ .limit = memory, .steps = steps, .step_limit = steps };
    s->lua = lua_newstate(allocate, s);
    if (!s->lua)
        return memory ? error_usage(e, "a Lua state needs more than %zu KiB of memory", memory >> 10)
                      : error_set(e, "a Lua state: out of memory");
    if (!sandbox_call(s, open_libraries, NULL, 0, e)) {
        sandbox_close(s);
        return false;
    }
    sandbox_refill(s, steps);
    return true;
}

void sandbox_refill(sandbox *s, uint64_t steps)
{
    const bool exhausted = s->steps == 0;
    s->steps = s->step_limit = steps;
    if (steps && (exhausted || lua_gethookcount(s->lua) == 0))
        lua_sethook(s->lua, count_steps, LUA_MASKCOUNT, steps < STEP_GRAIN ? (int)steps : STEP_GRAIN);
}

void sandbox_collect_rarely(sandbox *s)
{
    lua_gc(s->lua, LUA_GCINC, COLLECT_AT, 0, 0);
}

void sandbox_close(sandbox *s)
{
    if (s->lua)
        lua_close(s->lua);
    s->lua = NULL;
}

bool sandbox_call(sandbox *s, lua_CFunction f, void *context, int arguments, error *e)
{
    int base = lua_gettop(s->lua) - arguments;
    if (!lua_checkstack(s->lua, 2)) {
        lua_settop(s->lua, base);
        return error_usage(e, "too many values for the Lua stack");
    }
    lua_pushcfunction(s->lua, f);
    lua_pushlightuserdata(s->lua, context);
    lua_rotate(s->lua, base + 1, 2);
    int status = lua_pcall(s->lua, arguments + 1, 0, 0);
    return status == LUA_OK ? true : describe(s, status, "script", e);
}

/* ---- running a file ---------------------------------------------------------------------------------------- */

bool sandbox_trial(const char *path, void (*f)(void *context), void *context, unsigned seconds, error *e)
{
#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION) /* the fuzzer has its own limit, and a process a file is slow */
    return true;
#endif
    switch (platform_try(f, context, seconds)) {
    case PLATFORM_TRIAL_ENDLESS:
        return error_usage(e,
                           "%s: stopped after %u s of processor time: a library function that does not end, such as a "
                           "pattern with many repetitions, or work on very long strings",
                           path, seconds);
    case PLATFORM_TRIAL_DIED: return error_usage(e, "%s: crashes Lua", path);
    case PLATFORM_TRIAL_FAILED:
        return error_set(e, "%s: the system starts no process in which it could be tried: %s", path, strerror(errno));
    default: return true;
    }
}

typedef struct source {
    FILE *file;
    size_t left; /* bytes that may still be read */
    bool too_long;
    char block[BUFSIZ];
} source;

static const char *read_block(lua_State *lua, void *context, size_t *size)
{
    source *from = context;
    (void)lua;
    *size = fread(from->block, 1, sizeof from->block, from->file);
    from->too_long = *size > from->left;
    if (from->too_long)
        return NULL;
    from->left -= *size;
    return *size ? from->block : NULL;
}

/* Skip what lua(1) skips: a byte order mark, and a first line that starts with '#', whose newline stays so that line
 * numbers are right. False if compiled code follows. */
static bool skip_preamble(FILE *file)
{
    int c = getc(file);
    if (c == 0xEF) {
        getc(file);
        getc(file);
        c = getc(file);
    }
    if (c == '#') {
        while (c != EOF && c != '\n')
            c = getc(file);
    }
    if (c != EOF)
        ungetc(c, file);
    return c != LUA_SIGNATURE[0];
}

/* Leave the file's function on the stack. */
static bool load(sandbox *s, FILE *file, const char *chunk_name, error *e)
{
    char name[256];
    source from = { .file = file, .left = SANDBOX_SOURCE };
    if (!lua_checkstack(s->lua, 2))
        return error_usage(e, "%s: too many values for the Lua stack", chunk_name);
    if (!skip_preamble(file))
        return error_usage(e, "%s: is compiled Lua; only source text is read", chunk_name);
    snprintf(name, sizeof name, "@%s", chunk_name);
    int status = lua_load(s->lua, read_block, &from, name, "t");
    if (ferror(file)) {
        lua_pop(s->lua, 1);
        return error_usage(e, "%s: %s", chunk_name, strerror(errno));
    }
    if (from.too_long) {
        lua_pop(s->lua, 1);
        return error_usage(e, "%s: is longer than %zu MiB", chunk_name, SANDBOX_SOURCE >> 20);
    }
    return status == LUA_OK ? true : describe(s, status, chunk_name, e);
}

bool sandbox_run_file(sandbox *s, const char *path, const char *chunk_name, int arguments, int results, error *e)
{
    int base = lua_gettop(s->lua) - arguments;
    FILE *file = input_open(path, e);
    if (!file) {
        lua_settop(s->lua, base);
        return false;
    }
    bool loaded = load(s, file, chunk_name, e);
    fclose(file);
    if (!loaded) {
        lua_settop(s->lua, base);
        return false;
    }
    lua_insert(s->lua, base + 1);
    int status = lua_pcall(s->lua, arguments, results, 0);
    if (status != LUA_OK)
        return describe(s, status, chunk_name, e);
    if (out_of_steps(s)) { /* a script that caught the error in its very last call */
        lua_settop(s->lua, base);
        return error_usage(e, "%s: stopped after %" PRIu64 " instructions: an endless loop?", chunk_name,
                           s->step_limit);
    }
    return true;
}

/* ---- shared files ---------------------------------------------------------------------------------------- */

static bool path_beside(const char *path, const char *name, size_t length, const char *end, char *buf, size_t size,
                        error *e)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    return (size_t)snprintf(buf, size, "%.*s%.*s%s", folder, path, (int)length, name, end) < size
               ? true
               : error_usage(e, "%s: too long a path", path);
}

bool sandbox_shared_path(const char *path, char *buf, size_t size, error *e)
{
    return path_beside(path, "", 0, "shared.lua", buf, size, e);
}

/* The name of a file without its folders, and the length of what is before its dot. */
static const char *name_of(const char *path, size_t *length)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    *length = strcspn(name, ".");
    return name;
}

static const char shared_end[] = "_shared.lua";

/* The path of the file that the case files of all folders share. */
static bool common_path(const char *path, char *buf, size_t size, error *e)
{
    return path_beside(path, "", 0, "../common.lua", buf, size, e);
}

bool sandbox_each_shared(const char *path, bool (*f)(void *context, const char *shared, error *e), void *context,
                         error *e)
{
    char shared[PATH_MAX];
    size_t most;
    const char *name = name_of(path, &most);
    if (!common_path(path, shared, sizeof shared, e) || (access(shared, R_OK) == 0 && !f(context, shared, e)) ||
        !sandbox_shared_path(path, shared, sizeof shared, e) || (access(shared, R_OK) == 0 && !f(context, shared, e)))
        return false;
    for (size_t length = 1; length <= most; ++length)
        if (!path_beside(path, name, length, shared_end, shared, sizeof shared, e) ||
            (access(shared, R_OK) == 0 && !f(context, shared, e)))
            return false;
    return true;
}

/* shared(...) and common(...): the upvalue is the path of the file. */
static int run_shared(lua_State *lua)
{
    const char *path = lua_tostring(lua, lua_upvalueindex(1));
    error e;
    if (!sandbox_run_file(sandbox_of(lua), path, path, lua_gettop(lua), 1, &e))
        return luaL_error(lua, "%s", e.text);
    return 1;
}

/* shared_file(NAME, ...). Only the beginning of the file's own name may name a file, so that those that belong to a
   case file can be told without running it. */
static int run_shared_file(lua_State *lua)
{
    const char *path = lua_tostring(lua, lua_upvalueindex(1)), *wanted = luaL_checkstring(lua, 1);
    const size_t end = sizeof shared_end - 1, length = strlen(wanted);
    char shared[PATH_MAX];
    size_t most;
    const char *name = name_of(path, &most);
    error e;
    if (length <= end || strcmp(wanted + length - end, shared_end) != 0 || length - end > most ||
        strncmp(wanted, name, length - end) != 0)
        return luaL_error(lua, "shared_file: '%s' is no file of %s: the name has to be the beginning of its own and %s",
                          wanted, name, shared_end);
    if (!path_beside(path, wanted, length, "", shared, sizeof shared, &e))
        return luaL_error(lua, "%s", e.text);
    lua_remove(lua, 1);
    if (!sandbox_run_file(sandbox_of(lua), shared, shared, lua_gettop(lua), 1, &e))
        return luaL_error(lua, "%s", e.text);
    return 1;
}

/* The paths of shared.lua, of the file itself and of common.lua. */
static int set_shared(lua_State *lua)
{
    const char *const *paths = lua_touserdata(lua, 1);
    lua_pushstring(lua, paths[2]);
    lua_pushcclosure(lua, run_shared, 1);
    lua_setglobal(lua, "common");
    lua_pushstring(lua, paths[0]);
    lua_pushcclosure(lua, run_shared, 1);
    lua_setglobal(lua, "shared");
    lua_pushstring(lua, paths[1]);
    lua_pushcclosure(lua, run_shared_file, 1);
    lua_setglobal(lua, "shared_file");
    return 0;
}

bool sandbox_share(sandbox *s, const char *path, error *e)
{
    char shared[PATH_MAX], common[PATH_MAX];
    const char *paths[] = { shared, path, common };
    return sandbox_shared_path(path, shared, sizeof shared, e) && common_path(path, common, sizeof common, e) &&
           sandbox_call(s, set_shared, paths, 0, e);
}

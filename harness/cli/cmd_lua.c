/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/base/text.h"
#include "harness/casefile/ts_module.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: touchstone lua [OPTION] SCRIPT [ARGS]\n"
    "Run a Lua script that can use the module ts, as a global and by require; - reads the script from standard\n"
    "input.\n"
    "\n"
    "  ts.eval(operator, descriptor, inputs [, options])  golden outputs, or the violated clauses. Data of inputs are\n"
    "                         lists of elements in logical order, or strings of a buffer's bytes; outputs have both,\n"
    "                         data and raw, which ends with the last element\n"
    "  ts.cases(query [, {tier =, seed =, first =, most =}])\n"
    "                         an iterator over cases of the suite: id, descriptor, tensors, case:at(name, coordinates)\n"
    "  ts.operators([known])  the names of the computed operators; true: also of those that are only checked\n"
    "  ts.operator(name)      the operator's declaration: family, tensors, attributes, clauses, support\n"
    "  ts.version, ts.null    Touchstone's version; the value that stands for a null pointer in a descriptor\n"
    "\n"
    "  -h, --help             print this text\n"
    "\n"
    "The script has all of Lua's standard libraries.\n"
    "\n"
    "Exit status: the script's own if it calls os.exit; otherwise 0, or 1 after an error; 64 wrong usage, or a\n"
    "script that cannot be read.\n"
    "\n"
    "Example:\n"
    "  touchstone lua script.lua\n";

/* The argument and result of run(), which Lua calls in protected mode. */
typedef struct script {
    int argc;
    char **argv; /* argv[0] is the verb */
    int index;   /* of the script */
    int status;
} script;

/* Turn an error value into text with a traceback, as lua(1) does. */
static int explain(lua_State *lua)
{
    const char *message = lua_tostring(lua, 1);
    if (!message) {
        if (luaL_callmeta(lua, 1, "__tostring") && lua_type(lua, -1) == LUA_TSTRING)
            return 1;
        message = lua_pushfstring(lua, "(error object is a %s value)", luaL_typename(lua, 1));
    }
    luaL_traceback(lua, lua, message, 1);
    return 1;
}

/* As in lua(1): arg[0] is the script; arguments before it have negative indices. */
static void set_arguments(lua_State *lua, const script *s)
{
    lua_createtable(lua, s->argc - s->index, s->index + 1);
    for (int i = 0; i < s->argc; ++i) {
        lua_pushstring(lua, s->argv[i]);
        lua_rawseti(lua, -2, i - s->index);
    }
    lua_setglobal(lua, "arg");
}

static void complain(lua_State *lua)
{
    const char *message = lua_tostring(lua, -1);
    text t = { .data = NULL };
    text_visible_lines(&t, message, message ? strlen(message) : 0);
    fprintf(stderr, "touchstone lua: %s\n", t.data ? t.data : "an error without a message");
    text_free(&t);
}

static int run(lua_State *lua)
{
    script *s = lua_touserdata(lua, 1);
    const char *path = s->argv[s->index];
    luaL_openlibs(lua);
    ts_module_install(lua);
    set_arguments(lua, s);
    lua_settop(lua, 0);
    lua_pushcfunction(lua, explain);
    int status = luaL_loadfile(lua, strcmp(path, "-") == 0 ? NULL : path);
    if (status == LUA_OK) {
        int count = s->argc - s->index - 1;
        luaL_checkstack(lua, count, "too many arguments to script");
        for (int i = 1; i <= count; ++i)
            lua_pushstring(lua, s->argv[s->index + i]);
        status = lua_pcall(lua, count, 0, 1);
    }
    s->status = status == LUA_OK ? EXIT_CONFORMANT : status == LUA_ERRFILE ? EXIT_BAD_USAGE : EXIT_FAILURES;
    if (status != LUA_OK)
        complain(lua);
    return 0;
}

int cmd_lua(int argc, char **argv)
{
    static const struct option long_options[] = { { NULL, 0, NULL, 0 } };
    error e;
    int option;
    arguments args;
    arguments_start(&args, argc, argv, long_options);
    args.in_order = true; /* what follows the script is its own */
    while ((option = arguments_next(&args)) != -1) {
        return option == 'h' ? command_help(usage) : EXIT_BAD_USAGE;
    }
    if (optind == argc)
        return command_usage("lua", "expected a script");
    script s = { .argc = argc, .argv = argv, .index = optind, .status = EXIT_HARNESS };
    lua_State *lua = luaL_newstate();
    if (!lua) {
        error_set(&e, "out of memory");
        return command_fail("lua", &e);
    }
    lua_pushcfunction(lua, run);
    lua_pushlightuserdata(lua, &s);
    if (lua_pcall(lua, 1, 0, 0) != LUA_OK)
        complain(lua);
    lua_close(lua);
    if (s.status == EXIT_CONFORMANT && (fflush(stdout) != 0 || ferror(stdout))) {
        error_output(&e);
        return command_fail("lua", &e);
    }
    return s.status;
}

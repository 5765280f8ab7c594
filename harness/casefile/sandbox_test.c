/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/sandbox.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <lauxlib.h>

#define MEMORY ((size_t)8 << 20)
#define STEPS  UINT64_C(200000)

/* Run a text of `size` bytes as the file "x.lua" with these limits. */
static bool run_bytes(sandbox *s, const char *text, size_t size, error *e)
{
    char path[] = "/tmp/sandbox_test_XXXXXX";
    assert_int_equal(testing_file(path, text, size), 0);
    bool ok = sandbox_run_file(s, path, "x.lua", 0, 1, e);
    unlink(path);
    return ok;
}

static bool run(sandbox *s, const char *text, error *e)
{
    return run_bytes(s, text, strlen(text), e);
}

/* The text must fail with a message that contains every one of the given words. */
static void refuses(const char *text, const char *first, const char *second)
{
    sandbox s;
    error e = { .text = "" };
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e));
    if (run(&s, text, &e))
        fail_msg("accepted: %s", text);
    if (!strstr(e.text, first) || !strstr(e.text, second))
        fail_msg("\"%s\" has not both \"%s\" and \"%s\"", e.text, first, second);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_int_equal(lua_gettop(s.lua), 0);
    sandbox_close(&s);
    assert_int_equal(s.used, 0);
}

static void accepts(const char *text)
{
    sandbox s;
    error e = { .text = "" };
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e));
    if (!run(&s, text, &e))
        fail_msg("%s", e.text);
    assert_int_equal(lua_gettop(s.lua), 1);
    sandbox_close(&s);
}

static void endless_loops_end(void **state)
{
    (void)state;
    refuses("local x\nwhile true do end", "x.lua:2", "endless loop");
    refuses("local function f() return f() end\nf()", "x.lua:1", "endless loop");
    refuses("repeat local t = {} until false", "x.lua:1", "endless loop");
}

/* ---- trials ---- */

typedef struct script {
    sandbox s;
    const char *text;
} script;

static void run_script(void *context)
{
    script *s = context;
    error ignored;
    run(&s->s, s->text, &ignored);
}

static void library_functions_are_bounded_in_time(void **state)
{
    (void)state;
    static const char *const endless[] = {
        "return string.find(string.rep('a', 40), string.rep('a-', 40) .. 'b')",
        "return string.rep('', 1 << 62)",
        "return table.move({}, 1, (1 << 62), 2)",
        "local a = ('x'):rep(1 << 20) .. 'a'\nlocal b = ('x'):rep(1 << 20) .. 'b'\nwhile a < b do end",
    };
    for (size_t i = 0; i < sizeof endless / sizeof *endless; ++i) {
        script s = { .text = endless[i] };
        error e = { .text = "" };
        assert_true(sandbox_open(&s.s, MEMORY, SANDBOX_STEPS, &e));
        bool ended = sandbox_trial("x.lua", run_script, &s, 1, &e);
#if defined(_WIN32)
        assert_true(ended); /* nothing was tried */
#else
        if (ended)
            fail_msg("ended: %s", endless[i]);
        assert_non_null(strstr(e.text, "x.lua: stopped after 1 s of processor time"));
        assert_int_equal(e.status, EXIT_BAD_USAGE);
#endif
        assert_int_equal(lua_gettop(s.s.lua), 0); /* untouched */
        sandbox_close(&s.s);
    }
    script s = { .text = "return 1" };
    error e = { .text = "" };
    assert_true(sandbox_open(&s.s, MEMORY, STEPS, &e) && sandbox_trial("x.lua", run_script, &s, 1, &e));
    sandbox_close(&s.s);
}

static void a_file_has_a_largest_size(void **state)
{
    (void)state;
    sandbox s;
    error e = { .text = "" };
    char *text = malloc(SANDBOX_SOURCE + 1);
    assert_non_null(text);
    memset(text, ' ', SANDBOX_SOURCE + 1);
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e) && run_bytes(&s, text, SANDBOX_SOURCE, &e));
    sandbox_close(&s);
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e));
    assert_false(run_bytes(&s, text, SANDBOX_SOURCE + 1, &e));
    assert_non_null(strstr(e.text, "x.lua: is longer than 16 MiB"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    sandbox_close(&s);
    free(text);
}

static void pcall_cannot_swallow_the_limit(void **state)
{
    (void)state;
    refuses("while true do pcall(function() while true do end end) end", "x.lua:1", "endless loop");
    refuses("pcall(function() while true do end end)\nreturn 1", "x.lua", "endless loop");
    refuses("return pcall(pcall, pcall, function() while true do end end)", "x.lua", "endless loop");
    refuses("return pcall(function() while true do end end)", "x.lua", "endless loop");
    refuses("local function f() pcall(f) while true do pcall(f) end end f()", "x.lua:1", "endless loop");
    refuses("local function loop() while true do end end\n"
            "while true do xpcall(loop, loop) end",
            "x.lua", "endless loop");
    refuses("local t <close> = setmetatable({}, { __close = function() while true do end end })\n"
            "while true do end",
            "x.lua", "endless loop");
    refuses("local m = { __tostring = function() while true do end end }\n"
            "error(setmetatable({}, m))",
            "x.lua", "table");
}

static void memory_is_bounded(void **state)
{
    (void)state;
    refuses("local s = 'x' while true do s = s .. s end", "x.lua", "needs more than 8192 KiB");
    refuses("return ('x'):rep(1 << 30)", "x.lua", "needs more than 8192 KiB");
    refuses("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end", "x.lua", "needs more than 8192 KiB");
    refuses("local t = {}\nwhile true do pcall(function() while true do t[#t + 1] = ('x'):rep(1e5) .. #t end end) end",
            "x.lua", "");
    sandbox s;
    error e;
    assert_false(sandbox_open(&s, 1000, 0, &e));
    assert_int_equal(s.used, 0);
    assert_false(sandbox_open(&s, 9000, 0, &e)); /* enough for a state, not for the libraries */
    assert_int_equal(s.used, 0);
}

static void scripts_cannot_reach_the_system(void **state)
{
    (void)state;
    accepts("for _, name in ipairs { 'io', 'os', 'debug', 'package', 'coroutine', 'require', 'load', 'loadfile', "
            "'dofile', 'collectgarbage', 'print' } do assert(_G[name] == nil, name) end\n"
            "assert(string.dump == nil and math.random == nil and math.randomseed == nil)\n"
            "assert(table.concat and string.format and math.floor and utf8.char and pairs)");
    refuses("io.open('/etc/passwd')", "x.lua:1", "'io'");
    refuses("setmetatable({}, { __gc = function() while true do end end })", "x.lua:1", "__gc");
    accepts("local t = setmetatable({}, { __index = function(_, k) return k end }) assert(t.x == 'x')");
}

static void xpcall_works(void **state)
{
    (void)state;
    accepts("local ok, a, b = xpcall(function(x, y) return y, x end, error, 1, 2)\n"
            "assert(ok == true and a == 2 and b == 1)\n"
            "local bad, text, none = xpcall(error, function(m) return m .. '!', 2 end, 'no')\n"
            "assert(bad == false and text == 'no!' and none == nil)");
}

static void errors_have_file_and_line(void **state)
{
    (void)state;
    refuses("local a = 1\nlocal = 2", "x.lua:2:", "near '='");
    refuses("\n\nerror 'bad'", "x.lua:3:", "bad");
    refuses("#!/usr/bin/lua\nerror 'bad'", "x.lua:2:", "bad");
    refuses("\xEF\xBB\xBF"
            "error 'bad'",
            "x.lua:1:", "bad");
    refuses("error(42)", "x.lua", "42");
    refuses("error()", "x.lua", "nil");
}

static void bytecode_is_refused(void **state)
{
    (void)state;
    static const char compiled[] = "\x1bLua\x54\x00\x19\x93\r\n";
    sandbox s;
    error e = { .text = "" };
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e));
    assert_false(run_bytes(&s, compiled, sizeof compiled, &e));
    assert_non_null(strstr(e.text, "compiled Lua"));
    sandbox_close(&s);
}

static void missing_files_are_reported(void **state)
{
    (void)state;
    sandbox s;
    error e = { .text = "" };
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e));
    assert_false(sandbox_run_file(&s, "/nowhere/x.lua", "x.lua", 0, 0, &e));
    assert_non_null(strstr(e.text, "/nowhere/x.lua: No such file"));
    assert_false(sandbox_run_file(&s, "/tmp", "x.lua", 0, 0, &e));
    assert_true(strstr(e.text, "directory") || strstr(e.text, "Permission denied")); /* the latter on Windows */
    assert_int_equal(lua_gettop(s.lua), 0);
    sandbox_close(&s);
}

static int add_arguments(lua_State *lua)
{
    lua_Integer *sum = lua_touserdata(lua, 1);
    for (int i = 2; i <= lua_gettop(lua); ++i)
        *sum += luaL_checkinteger(lua, i);
    return 0;
}

static void calls_are_protected(void **state)
{
    (void)state;
    sandbox s;
    error e = { .text = "" };
    lua_Integer sum = 0;
    assert_true(sandbox_open(&s, MEMORY, STEPS, &e));
    lua_pushboolean(s.lua, 1);
    lua_pushinteger(s.lua, 3);
    lua_pushinteger(s.lua, 4);
    assert_true(sandbox_call(&s, add_arguments, &sum, 2, &e));
    assert_int_equal(sum, 7);
    assert_int_equal(lua_gettop(s.lua), 1);
    assert_false(sandbox_call(&s, add_arguments, &sum, 1, &e));
    assert_non_null(strstr(e.text, "number expected"));
    assert_int_equal(lua_gettop(s.lua), 0);
    sandbox_close(&s);
}

static void without_limits_nothing_is_limited(void **state)
{
    (void)state;
    sandbox s;
    error e = { .text = "" };
    assert_true(sandbox_open(&s, 0, 0, &e));
    assert_true(run(&s, "local n = 0 for i = 1, 3000000 do n = n + 1 end return n", &e));
    assert_int_equal(lua_tointeger(s.lua, -1), 3000000);
    sandbox_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(library_functions_are_bounded_in_time),
        cmocka_unit_test(a_file_has_a_largest_size),
        cmocka_unit_test(pcall_cannot_swallow_the_limit),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(scripts_cannot_reach_the_system),
        cmocka_unit_test(xpcall_works),
        cmocka_unit_test(errors_have_file_and_line),
        cmocka_unit_test(bytecode_is_refused),
        cmocka_unit_test(missing_files_are_reported),
        cmocka_unit_test(calls_are_protected),
        cmocka_unit_test(without_limits_nothing_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

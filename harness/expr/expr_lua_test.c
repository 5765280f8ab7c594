/* SPDX-License-Identifier: Apache-2.0 */
/* The same expressions, evaluated by this room and by Lua itself, where each() and its like evaluate their argument for
   one element after the other. */
#include "harness/expr/expr_fixture.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static const char prelude[] =
    "local meta = {}\n"
    "local function vector(t) return setmetatable(t, meta) end\n"
    "local function is(x) return getmetatable(x) == meta end\n"
    "local function map(f, ...)\n"
    "  local arguments, n = {...}, nil\n"
    "  for i = 1, #arguments do if is(arguments[i]) then n = #arguments[i] end end\n"
    "  if n == nil then return f(...) end\n"
    "  local r = {}\n"
    "  for k = 1, n do\n"
    "    local a = {}\n"
    "    for i = 1, #arguments do\n"
    "      if is(arguments[i]) then a[i] = arguments[i][k] else a[i] = arguments[i] end\n"
    "    end\n"
    "    r[k] = f(table.unpack(a))\n"
    "  end\n"
    "  return vector(r)\n"
    "end\n"
    "local function by(f) return function(x, y) return map(f, x, y) end end\n"
    "meta.__add = by(function(a, b) return a + b end)\n"
    "meta.__sub = by(function(a, b) return a - b end)\n"
    "meta.__mul = by(function(a, b) return a * b end)\n"
    "meta.__idiv = by(function(a, b) return a // b end)\n"
    "meta.__mod = by(function(a, b) return a % b end)\n"
    "meta.__unm = function(x) return map(function(a) return -a end, x) end\n"
    "meta.__index = function() error 'index' end\n"
    "local function fold(start, f) return function(v)\n"
    "  local r = start\n"
    "  for k = 1, #v do r = f(r, v[k]) end\n"
    "  return r\n"
    "end end\n"
    "local function extreme(f) return function(x, y)\n"
    "  if y ~= nil then return map(f, x, y) end\n"
    "  local r = x[1]\n"
    "  for k = 2, #x do r = f(r, x[k]) end\n"
    "  return r\n"
    "end end\n"
    "local function truth(f) return by(function(a, b) return f(a, b) and 1 or 0 end) end\n"
    "local function equal(a, b) return a == b end\n"
    "local function less(a, b) return a < b end\n"
    "env = {\n"
    "  abs = function(x) return map(math.abs, x) end,\n"
    "  min = extreme(function(a, b) return a < b and a or b end),\n"
    "  max = extreme(function(a, b) return a > b and a or b end),\n"
    "  sum = fold(0, function(a, b) return a + b end),\n"
    "  product = fold(1, function(a, b) return a * b end),\n"
    "  count = fold(0, function(a, b) return (b == true or b ~= 0 and b) and a + 1 or a end),\n"
    "  len = function(v) return #v end,\n"
    "  eq = truth(equal),\n"
    "  ne = truth(function(a, b) return a ~= b end),\n"
    "  lt = truth(less),\n"
    "  le = truth(function(a, b) return a <= b end),\n"
    "  gt = truth(function(a, b) return a > b end),\n"
    "  ge = truth(function(a, b) return a >= b end),\n"
    "  pick = function(c, x, y)\n"
    "    return map(function(a, b, d) if a and a ~= 0 then return b else return d end end, c, x, y)\n"
    "  end,\n"
    "}\n"
    "new_vector = vector\n";

static const char by_element[] =
    "local vector, meta = new_vector, getmetatable(new_vector {})\n"
    "local function is(x) return getmetatable(x) == meta end\n"
    "-- A vector of truth values: `body` computes the one of element k. A comparison of vectors compares their elements\n"
    "-- `now` while it runs; none of them has an element where they are empty.\n"
    "local now, length\n"
    "local function compare(f) return function(x, y)\n"
    "  length = is(x) and #x or #y\n"
    "  if length == 0 then error(meta) end\n"
    "  if is(x) then x = x[now] end\n"
    "  if is(y) then y = y[now] end\n"
    "  return f(x, y)\n"
    "end end\n"
    "meta.__lt, meta.__le = compare(function(a, b) return a < b end), compare(function(a, b) return a <= b end)\n"
    "meta.__eq = compare(function(a, b) return a == b end)\n"
    "env.by_element = function(body)\n"
    "  local outer, outer_length, truths = now, length, {}\n"
    "  local value = true\n"
    "  now, length = 1, nil\n"
    "  repeat\n"
    "    local fine, result = pcall(body)\n"
    "    if not fine and result ~= meta then error(result, 0) end\n"
    "    truths[now], now, value = result, now + 1, result\n"
    "  until length == nil or length == 0 or now > length\n"
    "  if length then value = vector(length > 0 and truths or {}) end\n"
    "  now, length = outer, outer_length\n"
    "  return value\n"
    "end\n"
    "local function some(v, wanted)\n"
    "  if not is(v) then return v == wanted end -- decided by a scalar\n"
    "  for k = 1, #v do if v[k] == wanted then return true end end\n"
    "  return false\n"
    "end\n"
    "env.each = function(v) return not some(v, false) end\n"
    "env.any = function(v) return some(v, true) end\n"
    "-- The first argument of some functions is computed for one element after the other.\n"
    "local takes_truths = { each = true, any = true, count = true, pick = true }\n"
    "local function rewritten(text)\n"
    "  return (text:gsub('([%a_]*)(%b())', function(name, inside)\n"
    "    inside = inside:sub(2, -2)\n"
    "    if not takes_truths[name] then return name .. '(' .. rewritten(inside) .. ')' end\n"
    "    local depth, comma = 0, #inside + 1\n"
    "    for at = #inside, 1, -1 do\n"
    "      local c = inside:sub(at, at)\n"
    "      depth = depth + (c:find '[%])]' and 1 or c:find '[%[(]' and -1 or 0)\n"
    "      if c == ',' and depth == 0 then comma = at end\n"
    "    end\n"
    "    return name .. '(by_element(function() return ' .. rewritten(inside:sub(1, comma - 1)) .. ' end)' ..\n"
    "           rewritten(inside:sub(comma)) .. ')'\n"
    "  end))\n"
    "end\n"
    "function compiled(text) return load('return ' .. rewritten(text), text, 't', env) end\n"
    "new_vector = vector\n";

static void push_value(lua_State *lua, const expr_name *name, int64_t value)
{
    if (name->symbols == NULL) {
        lua_pushinteger(lua, value);
        return;
    }
    size_t i = 0;
    while (name->symbol_values[i] != value)
        ++i;
    lua_pushstring(lua, name->symbols[i]);
}

/* env[name] = value */
static void set_lua_values(lua_State *lua, const expr_value *values)
{
    lua_getglobal(lua, "env");
    for (int i = 0; i < NAME_COUNT; ++i) {
        if (names[i].vector) {
            lua_getglobal(lua, "new_vector");
            lua_newtable(lua);
            for (uint32_t k = 0; k < values[i].length; ++k) {
                push_value(lua, &names[i], values[i].v[k]);
                lua_rawseti(lua, -2, (lua_Integer)k + 1);
            }
            lua_call(lua, 1, 1);
        } else {
            push_value(lua, &names[i], values[i].v[0]);
        }
        lua_setfield(lua, -2, i == END ? "end_" : names[i].name);
    }
    lua_pop(lua, 1);
}

static int residuals; /* comparisons with a residual expression */
static int series;    /* of these, by expr_series */

/* Where expr_series does not give up, it gives what its values give one by one. */
static void compare_with_series(const expr *left, int64_t first, expr_value *values, int slot)
{
    int64_t value[EXPR_SERIES];
    const size_t count = 1 + (uint64_t)first % EXPR_SERIES;
    if (!expr_series(left, values, first, count, value))
        return;
    for (size_t k = 0; k < count; ++k) {
        bool failed = false;
        values[slot].v[0] = (int64_t)((uint64_t)first + k);
        assert_int_equal(value[k], expr_eval(left, values, &failed));
        assert_false(failed);
    }
    ++series;
}

/* Whichever scalar is left unknown, the residual expression gives what the whole one gives: with the value that the
   scalar has, and with others. */
static void compare_with_residuals(const expr *x, const expr_value *values)
{
    expr_value other[NAME_COUNT];
    memcpy(other, values, sizeof other);
    for (int slot = 0; slot < NAME_COUNT; ++slot) {
        expr *left = names[slot].vector ? NULL : expr_residual(x, values, slot);
        for (int64_t change = 0; left && change < 3; ++change) {
            bool failed = false, left_failed = false;
            other[slot].v[0] = (int64_t)((uint64_t)values[slot].v[0] + (uint64_t)change);
            const int64_t value = expr_eval(x, other, &failed), left_value = expr_eval(left, other, &left_failed);
            if (value != left_value || failed != left_failed)
                fail_msg("'%s' gives %lld (failed %d); with only %s unknown %lld (failed %d)", expr_text(x),
                         (long long)value, failed, names[slot].name, (long long)left_value, left_failed);
            ++residuals;
        }
        if (left)
            compare_with_series(left, values[slot].v[0], other, slot);
        other[slot] = values[slot];
        expr_free(left);
    }
}

/* The result of Lua is on top of its stack, or an error message if it failed. */
static void compare_with_lua(lua_State *lua, const expr *x, const expr_value *values, bool lua_failed)
{
    bool failed = false;
    if (expr_type_of(x) != EXPR_VECTOR) {
        int64_t value = expr_eval(x, values, &failed);
        if (failed != lua_failed)
            fail_msg("'%s': %s, Lua: %s", expr_text(x), failed ? "failed" : "did not fail",
                     lua_failed ? lua_tostring(lua, -1) : "no error");
        if (failed)
            return;
        bool is_truth = lua_isboolean(lua, -1);
        assert_int_equal(is_truth, expr_type_of(x) == EXPR_BOOL);
        int64_t expected = is_truth ? lua_toboolean(lua, -1) : luaL_checkinteger(lua, -1);
        if (value != expected)
            fail_msg("'%s': %lld, Lua: %lld", expr_text(x), (long long)value, (long long)expected);
        return;
    }
    uint32_t length = values[expr_per_of(x) == 0 ? SIZE : AXES].length;
    for (uint32_t k = 0; k < length; ++k) {
        int64_t value = expr_eval_at(x, values, k, &failed);
        if (lua_failed || failed)
            continue;
        lua_rawgeti(lua, -1, (lua_Integer)k + 1);
        if (value != luaL_checkinteger(lua, -1))
            fail_msg("'%s' at %u: %lld, Lua: %lld", expr_text(x), k, (long long)value,
                     (long long)lua_tointeger(lua, -1));
        lua_pop(lua, 1);
    }
    if (failed != lua_failed && length > 0)
        fail_msg("'%s': failed %d, Lua %d", expr_text(x), failed, lua_failed);
}

static void test_same_as_lua(void **unused)
{
    (void)unused;
    lua_State *lua = luaL_newstate();
    assert_non_null(lua);
    luaL_openlibs(lua);
    if (luaL_dostring(lua, prelude) != LUA_OK || luaL_dostring(lua, by_element) != LUA_OK)
        fail_msg("%s", lua_tostring(lua, -1));
    state = 1;
    int passed = 0;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; ++i) {
        expr *x = compile_in(&strict, shared[i]);
        lua_getglobal(lua, "compiled");
        lua_pushstring(lua, shared[i]);
        lua_call(lua, 1, 1);
        assert_true(lua_isfunction(lua, -1));
        for (int s = 0; s < 200; ++s) {
            expr_value values[NAME_COUNT];
            randomize(values);
            set_lua_values(lua, values);
            lua_pushvalue(lua, -1);
            int status = lua_pcall(lua, 0, 1, 0);
            passed += status == LUA_OK;
            compare_with_lua(lua, x, values, status != LUA_OK);
            compare_with_residuals(x, values);
            lua_pop(lua, 1);
        }
        lua_pop(lua, 1);
        expr_free(x);
    }
    assert_true(sizeof shared / sizeof shared[0] >= 100);
    assert_true(residuals > 100000);
    assert_true(series > residuals / 6); /* one series for three comparisons; some fail */
    assert_true(passed > 100 * 200);     /* Most of the samples compare values, not failures. */
    lua_close(lua);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_lua),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

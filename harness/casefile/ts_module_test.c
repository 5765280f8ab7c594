/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/ts_module.h"
#include "harness/casefile/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lauxlib.h>
#include <lualib.h>

/* The first lines of every script in these tests. */
static const char prelude[] =
    "function list(t, ...) local want = { ... } assert(#t == #want, #t .. ' elements, not ' .. #want)\n"
    "  for i, x in ipairs(want) do assert(t[i] == x, i .. ': ' .. tostring(t[i]) .. ', not ' .. tostring(x)) end end\n"
    "function count(n, from) local t = {} for i = 1, n do t[i] = i - 1 + (from or 0) end return t end\n"
    "function slice() return {\n"
    "  InputTensor = { DataType = 'FLOAT32', Sizes = {1,1,4,4} }, OutputTensor = { DataType = 'FLOAT32',\n"
    "  Sizes = {1,1,2,2} }, InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3},\n"
    "  InputWindowStrides = {1,1,-2,2} } end\n"
    "function same(dtype, n) return { InputTensor = { DataType = dtype, Sizes = { n } } } end\n"
    "function eval1(...) local r = ts.eval(...) assert(r.status == 'ok', r.violations[1] and r.violations[1].message)\n"
    "  return r.outputs[1] end\n"
    "identity = 'dml.element_wise_identity'\n";

static bool run(const char *text, char *message, size_t size)
{
    lua_State *lua = luaL_newstate();
    luaL_openlibs(lua);
    ts_module_install(lua);
    assert_int_equal(lua_gettop(lua), 0);
    bool ok = luaL_dostring(lua, prelude) == LUA_OK && luaL_dostring(lua, text) == LUA_OK;
    message[0] = 0;
    if (!ok)
        strncat(message, lua_tostring(lua, -1), size - 1);
    lua_close(lua);
    return ok;
}

static void works(const char *text)
{
    char message[1024];
    if (!run(text, message, sizeof message))
        fail_msg("%s", message);
}

static void fails(const char *text, const char *first, const char *second)
{
    char message[1024];
    if (run(text, message, sizeof message))
        fail_msg("no error: %s", text);
    if (!strstr(message, first) || !strstr(message, second))
        fail_msg("\"%s\" has not both \"%s\" and \"%s\"", message, first, second);
}

/* The two calls that the documentation shows. */
static void sketches_work(void **state)
{
    (void)state;
    works("local r = ts.eval('dml.slice1',\n"
          "  { InputTensor  = { DataType = 'FLOAT32', Sizes = {1,1,4,4} }, OutputTensor = { DataType = 'FLOAT32', "
          "Sizes = {1,1,2,2} },\n"
          "    InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,-2,2} },\n"
          "  { InputTensor = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16} })\n"
          "list(r.outputs[1].data, 14, 16, 6, 8)\n"
          "list(r.outputs[1].sizes, 1, 1, 2, 2) list(r.clauses)\n"
          "assert(r.status == 'ok' and #r.outputs == 1 and r.outputs[1].name == 'OutputTensor')\n"
          "assert(r.outputs[1].dtype == 'FLOAT32' and r.outputs[1].raw == string.pack('<ffff', 14, 16, 6, 8))\n"
          "assert(r.outputs[1].unspecified == nil and #r.violations == 0)");
    works("local s = ts.eval('openvino.strided_slice',\n"
          "  { data = { type = 'i32', shape = {2,3,4} }, begin = {1,1,123}, ['end'] = {0,0,2}, stride = {1,1,-1},\n"
          "    begin_mask = {0,1,1}, end_mask = {1,1,1} }, { data = count(24) })\n"
          "list(s.outputs[1].data, 15,14,13,12, 19,18,17,16, 23,22,21,20)\n" /* E-SS-7 */
          "list(s.outputs[1].sizes, 1, 3, 4) assert(s.outputs[1].dtype == 'i32')");
}

static void examples_of_the_pages(void **state)
{
    (void)state;
    works("local d = slice() d.InputWindowStrides = {1,1,2,2}\n"
          "list(eval1('dml.slice1', d, { InputTensor = count(16, 1) }).data, 2, 4, 10, 12)");
    works("function gather(sizes, data, index_sizes, indices, axis, dims, ...)\n"
          "  local o = eval1('dml.gather', { InputTensor = { DataType = 'FLOAT32', Sizes = sizes },\n"
          "    IndicesTensor = { DataType = 'UINT32', Sizes = index_sizes }, Axis = axis, IndexDimensions = dims },\n"
          "    { InputTensor = data, IndicesTensor = indices })\n"
          "  list(o.data, ...) return o.sizes end\n"
          "list(gather({4}, {11,12,13,14}, {5}, {3,1,3,0,2}, 0, 1, 14,12,14,11,13), 5)\n"
          "list(gather({3,2}, {{1,2},{3,4},{5,6}}, {1,4}, {0,1,1,2}, 0, 1, 1,2,3,4,3,4,5,6), 4, 2)\n"
          "list(gather({3,2}, count(6, 1), {1,2}, {1,0}, 1, 1, 2,1,4,3,6,5), 3, 2)\n" /* E-GA-2 */
          "list(gather({1,3,3}, count(9, 1), {1,1,2}, {0,2}, 2, 2, 1,3,4,6,7,9), 3, 1, 2)\n"
          "list(gather({1,3,2}, count(6, 1), {1,2,2}, {0,1,1,2}, 1, 2, 1,2,3,4,3,4,5,6), 2, 2, 2)");
    works("local r = ts.eval('dml.gather', { InputTensor = { DataType = 'FLOAT32', Sizes = {3,2} },\n" /* E-GA-2 */
          "  IndicesTensor = { DataType = 'UINT32', Sizes = {1,2} }, OutputTensor = { Sizes = {3,2} }, Axis = 1,\n"
          "  IndexDimensions = 2 }, { InputTensor = count(6), IndicesTensor = {1,0} })\n"
          "assert(r.status == 'invalid') list(r.clauses, 'GA-08') list(r.outputs)");
    works("local r = ts.eval('dml.random_generator', { InputStateTensor = { DataType = 'UINT32', Sizes = {1,1,1,6} },\n"
          "  OutputTensor = { Sizes = {5} }, OutputStateTensor = {}, Type = 0 }, { InputStateTensor = count(6, 0) and\n"
          "  {0,0,0,0,0,0} })\n"
          "list(r.outputs[1].data, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4)\n"
          "list(r.outputs[2].data, 2, 0, 0, 0, 0, 0) assert(r.outputs[2].name == 'OutputStateTensor')");
    works("local d = { data = { type = 'f32', shape = {2,4} }, begin = {1234,0,-1,0}, ['end'] = {1234,2,9876,4},\n"
          "  stride = {132,1,241,1}, new_axis_mask = {1,0,1,0} }\n"
          "list(eval1('openvino.strided_slice', d, { data = count(8) }).sizes, 1, 2, 1, 4)\n"
          "d = { data = { type = 'f32', shape = {2,2} }, begin = {1234,2}, ['end'] = {1234,4321}, stride = {1,-1} }\n"
          "local o = eval1('openvino.strided_slice', d, { data = count(4) })\n" /* E-SS-11 */
          "list(o.sizes, 0, 0) list(o.data) assert(o.raw == '')");
}

static void profiles_and_levels(void **state)
{
    (void)state;
    works("local d = { data = { type = 'i32', shape = {4} }, begin = {-9}, ['end'] = {-9}, stride = {-1} }\n"
          "local i = { data = count(4) }\n" /* E-SS-6 */
          "list(eval1('openvino.strided_slice', d, i).data, 0)\n"
          "list(eval1('openvino.strided_slice', d, i, { profile = 'numpy' }).data)\n"
          "d.profile = 'numpy' list(eval1('openvino.strided_slice', d, i).data)\n"
          "list(eval1('openvino.strided_slice', d, i, { profile = 'openvino' }).data, 0)");
    works("local d = slice() d.InputTensor.DataType = 'FLOAT64' d.OutputTensor.DataType = 'FLOAT64'\n"
          "assert(ts.eval('dml.slice1', d).status == 'ok')\n"
          "for _, level in ipairs { '4_0', '4.0', 'DML_FEATURE_LEVEL_4_0', 4.0 } do\n"
          "  local r = ts.eval('dml.slice1', d, nil, { feature_level = level })\n"
          "  assert(r.status == 'unsupported' and #r.outputs == 0) list(r.clauses, 'SL-04')\n"
          "  assert(r.violations[1].needs == '4_1' and r.violations[1].result == 'unsupported')\n"
          "end");
}

static void violations_are_reported(void **state)
{
    (void)state;
    works("local d = slice() d.InputWindowSizes[4] = 4 d.InputWindowStrides[3] = 0\n"
          "local r = ts.eval('dml.slice1', d, { InputTensor = count(16) })\n"
          "assert(r.status == 'invalid') list(r.clauses, 'SL-07', 'SL-05')\n"
          "local v = r.violations[2] assert(v.clause == 'SL-05' and v.tensor == 'InputTensor' and v.axis == 3)\n"
          "assert(v.message:find('1 + 4 = 5', 1, true) and v.text:find('<=', 1, true) and v.result == 'invalid')\n"
          "assert(v.page == 'DML_SLICE1_OPERATOR_DESC' and v.section and not v.needs)");
    works("local d = slice() d.InputTensor = ts.null\n"
          "local r = ts.eval('dml.slice1', d) assert(r.status == 'invalid') list(r.clauses, 'SL-02')");
    works("local d = slice() d.InputTensor.TotalTensorSizeInBytes = 65\n"
          "local r = ts.eval('dml.slice1', d) assert(r.status == 'ok') list(r.clauses)\n"
          "assert(r.violations[1].clause == 'BUF-13' and r.violations[1].result == 'warning')");
    works("local r = ts.eval('dml.slice1', {}) assert(r.status == 'invalid')");
    works("local d = slice() d.InputWindowStrides[3] = math.mininteger d.InputWindowOffsets[1] = 1e300\n"
          "local r = ts.eval('dml.slice1', d, { InputTensor = count(16) }) assert(r.status == 'invalid')\n"
          "assert(r.clauses[1] == 'TYPE-01' and #r.outputs == 0)\n"
          "local v = r.violations[1] assert(v.page and v.message:find('is out of range', 1, true))");
}

static void data_is_exact(void **state)
{
    (void)state;
    works("local big = { math.maxinteger, math.mininteger, -1, 9007199254740993 }\n"
          "list(eval1(identity, same('INT64', 4), { InputTensor = big }).data, table.unpack(big))\n"
          "list(eval1(identity, same('UINT64', 4), { InputTensor = big }).data, table.unpack(big))\n"
          "list(eval1(identity, same('UINT64', 2), { InputTensor = { 2.0^63, 3.0 } }).data, math.mininteger, 3)\n"
          "list(eval1(identity, same('UINT64', 1), { InputTensor = { '18446744073709551615' } }).data, -1)\n"
          "list(eval1(identity, same('INT8', 2), { InputTensor = { -128, 127.0 } }).data, -128, 127)\n"
          "assert(math.type(eval1(identity, same('UINT8', 1), { InputTensor = { 3.0 } }).data[1]) == 'integer')");
    works("local nan = eval1(identity, same('FLOAT32', 3), { InputTensor = { 0/0, 1/0, -1/0 } })\n"
          "assert(nan.data[1] ~= nan.data[1] and nan.data[2] == 1/0 and nan.data[3] == -1/0)\n"
          "local zero = eval1(identity, same('FLOAT16', 1), { InputTensor = { -0.0 } })\n"
          "assert(zero.raw == '\\x00\\x80' and 1 / zero.data[1] == -1/0)");
    works("local bits = '\\x01\\x00\\x80\\x7f\\x45\\x23\\xc1\\xff'\n" /* two NaNs, the first of them signalling */
          "local o = eval1(identity, same('FLOAT32', 2), { InputTensor = bits })\n"
          "assert(o.raw == bits and o.data[1] ~= o.data[1])\n"
          "o = eval1(identity, same('FLOAT32', 2), { InputTensor = { 'nan(0x7f800001)', '0xffc12345' } })\n"
          "assert(o.raw == bits)");
    works("local bytes = '\\0\\xff\"\\x80' local d = same('UINT8', 4)\n" /* invalid UTF-8, a zero and a quote */
          "assert(eval1(identity, d, { InputTensor = bytes }).raw == bytes)\n"
          "d = { InputTensor = { DataType = 'UINT8', Sizes = {2,3}, Strides = {0,1} } }\n"
          "list(eval1(identity, d, { InputTensor = '\\7\\8\\9' }).data, 7, 8, 9, 7, 8, 9)\n"
          "d.OutputTensor = { Sizes = {2,3}, Strides = {1,3} }\n"
          "local o = eval1(identity, d, { InputTensor = '\\7\\8\\9' }) list(o.data, 7, 8, 9, 7, 8, 9)\n"
          "assert(o.raw == '\\7\\7\\0\\8\\8\\0\\9\\9')");
    works("local o = eval1('dml.gather', { InputTensor = { DataType = 'UINT8', Sizes = {4} }, IndicesTensor = {\n"
          "  DataType = 'INT32', Sizes = {4} }, Axis = 0, IndexDimensions = 1 }, { InputTensor = {5,6,7,8},\n"
          "  IndicesTensor = {0, 9, -1, -5} })\n"
          "list(o.unspecified, 2, 4) assert(o.data[1] == 5 and o.data[3] == 8)");
}

static void mistakes_are_errors(void **state)
{
    (void)state;
    fails("ts.eval('dml.slice2', {})", "no operator \"dml.slice2\"", "did you mean \"dml.slice1\"?");
    fails("ts.eval('dml.slice1')", "table expected", "#2");
    fails("ts.eval('dml.slice1', slice(), 7)", "table expected", "#3");
    fails("ts.eval('dml.slice1', { InputWindowOffset = {} })", "\"InputWindowOffsets\"?", "OutputTensor");
    fails("ts.eval('dml.slice1', slice(), { InputTensor = {1,2} })", "InputTensor: 2 numbers", "expected 16");
    fails("ts.eval('dml.slice1', slice(), { InputTensor = 'abc' })", "3 raw bytes", "expected 64");
    fails("ts.eval('dml.slice1', slice(), { inputTensor = {1} })", "\"InputTensor\"?", "no input");
    fails("ts.eval('dml.slice1', slice(), {})", "no InputTensor", "16 numbers of FLOAT32, or 64 raw bytes");
    fails("ts.eval('dml.slice1', slice(), { {} })", "inputs", "the data of each tensor by its name");
    fails("ts.eval('dml.slice1', slice(), nil, { profil = 'numpy' })", "\"profile\"?", "feature_level");
    fails("ts.eval('dml.slice1', slice(), nil, { profile = 'numpy' })", "no profile", "default");
    fails("ts.eval('dml.slice1', slice(), nil, { 1 })", "options", "a list");
    fails("local d = slice() d.InputTensor = print ts.eval('dml.slice1', d)", "a function", "descriptor");
    fails("local d = slice() d.x = d ts.eval('dml.slice1', d)", "contain itself", "descriptor");
    fails("local d = slice() d.InputWindowSizes = {1,nil,4,3} ts.eval('dml.slice1', d)", "nil among them",
          "4 elements");
    fails("local d = slice() d.InputWindowSizes = {[3] = 1} ts.eval('dml.slice1', d)", "hole", "element 3");
    fails("local d = slice() d[1] = 1 ts.eval('dml.slice1', d)", "both a list and a record", "");
    fails("local d = slice() d[true] = 1 ts.eval('dml.slice1', d)", "a key that is a boolean", "");
    fails("local d = slice() d.InputTensor.DataType = '\\xff' ts.eval('dml.slice1', d)", "no UTF-8", "");
    fails("ts.eval('dml.slice1', { ['\\xff'] = 1 })", "no UTF-8", "");
    fails("local d = same('UINT8', 2) ts.eval(identity, d, { InputTensor = {1, 256} })", "element 1 is 256", "u8");
    fails("local d = same('UINT8', 2) d.InputTensor.TotalTensorSizeInBytes = 1 << 40 ts.eval(identity, d, {})",
          "4096 MiB", "");
    fails("ts.operator('x')", "no operator", "dml.cumulative_summation");
}

static void declarations_are_tables(void **state)
{
    (void)state;
    works("local names = table.concat(ts.operators(), ' ')\n"
          "assert(names:find 'dml.slice1' and names:find 'openvino.strided_slice' and type(ts.version) == 'string')\n"
          "assert(require 'ts' == ts or require('ts').eval)\n"
          "for _, name in ipairs(ts.operators()) do\n"
          "  local op = ts.operator(name)\n"
          "  assert(op.name == name and op.title and op.page and #op.tensors >= 2 and #op.clauses > 0)\n"
          "  for _, row in ipairs(op.support) do for _, t in ipairs(op.tensors) do assert(row[t.name].dtypes[1]) end "
          "end\n"
          "end\n"
          "local op = ts.operator 'dml.slice1'\n"
          "assert(op.tensors[1].name == 'InputTensor' and op.tensors[1].role == 'input')\n"
          "assert(op.attributes[4].name == 'InputWindowStrides' and op.attributes[4].type == 'i32')\n"
          "assert(op.attributes[4].list and op.attributes[4].capacity == 16)\n"
          "assert(op.support[1].level == '2_1' and op.support[1].InputTensor.min_dims == 4)\n"
          "assert(op.clauses[5].id == 'SL-05' and op.clauses[5].result == 'invalid')");
}

static void memory_can_be_limited(void **state)
{
    (void)state;
    lua_State *lua = luaL_newstate();
    luaL_openlibs(lua);
    ts_module_install(lua);
    ts_module_limit(lua, 1 << 20);
    assert_true(luaL_dostring(lua, "ts.eval('dml.element_wise_identity', { InputTensor = { DataType = 'UINT8', "
                                   "Sizes = { 600000 } } })"));
    assert_non_null(strstr(lua_tostring(lua, -1), "more than 1024 KiB"));
    assert_true(luaL_dostring(lua, "ts.cases('dml.slice1:examples')"));
    assert_non_null(strstr(lua_tostring(lua, -1), "'touchstone lua' alone"));
    lua_close(lua);
}

/* A call that covers every kind of value: lists, strings, raw bytes, violations, outputs. */
static int evaluate_much(lua_State *lua)
{
    static const char text[] = "local d = slice() d.InputTensor.DataType = 'UINT64' d.OutputTensor = nil\n"
                               "ts.eval('dml.slice1', d, { InputTensor = count(16, -8) })\n"
                               "ts.eval('dml.slice1', d, { InputTensor = ('x'):rep(128) }, { feature_level = '5_0' })\n"
                               "d.InputWindowStrides[1] = 0 ts.eval('dml.slice1', d) ts.operator('dml.gather')\n";
    ts_module_install(lua);
    if (luaL_loadbufferx(lua, prelude, sizeof prelude - 1, "prelude", "t") != LUA_OK)
        lua_error(lua);
    lua_call(lua, 0, 0);
    if (luaL_loadbufferx(lua, text, sizeof text - 1, "text", "t") != LUA_OK)
        lua_error(lua);
    lua_call(lua, 0, 0);
    return 0;
}

/* Whichever allocation fails, the call ends with an error; the sanitizers detect leaks. */
/* Drawn cases with what they have in memory: the elements of the output are those of the input, whatever the layouts.
 */
static void cases_have_their_elements(void **state)
{
    (void)state;
    works("local n, ids = 0, {}\n"
          "for c in ts.cases(identity .. ':drawn', { most = 40, seed = 3 }) do\n"
          "  n, ids[c.id] = n + 1, true\n"
          "  local from, to = c.tensors.InputTensor, c.tensors.OutputTensor\n"
          "  assert(c.drawn and c.operator == identity and c.test == 'drawn' and not c.invalid and not c.ambiguous)\n"
          "  assert(from.role == 'input' and to.role == 'output' and from.bits == to.bits and from.count == to.count)\n"
          "  assert(#c.descriptor.InputTensor.Sizes == #from.sizes)\n"
          "  local at = {}\n"
          "  for i, size in ipairs(from.sizes) do at[i] = size - 1 end\n"
          "  assert(c:at('InputTensor', at) == c:at('OutputTensor', at))\n"
          "end\n"
          "assert(n == 40)\n"
          "for c in ts.cases(identity .. ':drawn', { most = 5, first = 7, seed = 3 }) do assert(ids[c.id]) end\n"
          "for c in ts.cases('dml.slice1:invalid-SL-07-*', { most = 3 }) do\n"
          "  assert(c.invalid == 'SL-07' and not next(c.tensors))\n"
          "end\n"
          "assert(not ts.cases('dml.slice1:drawn where rank == 1 and rank == 2')())");
    fails("ts.cases('dml.slice2')", "no operator", "dml.slice2");
    fails("ts.cases('dml.slice1', { sed = 1 })", "unknown option 'sed'", "seed");
    fails("ts.cases('dml.slice1', { tier = 'half' })", "tier 'half'", "exhaustive");
    fails("ts.cases('dml.slice1', { seed = -1 })", "seed is a number", "0");
    fails("local i = ts.cases(identity .. ':drawn') local c = i() i() c:at('InputTensor', {})", "gone on", "case");
    fails("ts.cases(identity .. ':drawn')():at('Input', {})", "no tensor 'Input'", "");
    fails("ts.cases(identity .. ':drawn where rank == 4')():at('InputTensor', { 0 })", "for each dimension", "");
    fails("ts.cases(identity .. ':drawn where rank == 1')():at('InputTensor', { 1 << 40 })", "leaves the tensor", "");
}

static void lua_may_run_out_of_memory(void **state)
{
    (void)state;
    unsigned failed = 0;
    bool ok = false;
    for (size_t limit = 24 << 10; !ok; limit += 97) {
        sandbox s;
        error e = { .text = "" };
        if (!sandbox_open(&s, limit, 0, &e))
            continue;
        ok = sandbox_call(&s, evaluate_much, NULL, 0, &e);
        failed += !ok;
        sandbox_close(&s);
        assert_int_equal(s.used, 0);
        assert_in_range(limit, 0, 1 << 20);
    }
    assert_in_range(failed, 50, UINT32_MAX);
}

static unsigned allocations_left;

static void *failing_malloc(size_t size)
{
    return allocations_left == 0 || --allocations_left == 0 ? NULL : malloc(size);
}

static void json_may_run_out_of_memory(void **state)
{
    (void)state;
    bool ok = false;
    for (unsigned n = 1; !ok; ++n) {
        sandbox s;
        error e = { .text = "" };
        assert_true(sandbox_open(&s, 0, 0, &e));
        json_set_alloc_funcs(failing_malloc, free);
        allocations_left = n;
        ok = sandbox_call(&s, evaluate_much, NULL, 0, &e);
        json_set_alloc_funcs(malloc, free);
        sandbox_close(&s);
        assert_in_range(n, 0, 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sketches_work),
        cmocka_unit_test(examples_of_the_pages),
        cmocka_unit_test(profiles_and_levels),
        cmocka_unit_test(violations_are_reported),
        cmocka_unit_test(data_is_exact),
        cmocka_unit_test(mistakes_are_errors),
        cmocka_unit_test(declarations_are_tables),
        cmocka_unit_test(memory_can_be_limited),
        cmocka_unit_test(cases_have_their_elements),
        cmocka_unit_test(lua_may_run_out_of_memory),
        cmocka_unit_test(json_may_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

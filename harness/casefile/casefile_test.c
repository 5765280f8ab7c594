/* SPDX-License-Identifier: Apache-2.0 */
/* Every mistake in a case file is found when it is loaded. The message has the file, the line and what was expected. */
#include "harness/casefile/casebuild.h"
#include "harness/testing/platform_testing.h"
#include "harness/casefile/sandbox.h"
#include "harness/model/value.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/casefile_test_XXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/case.lua", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static case_file *load(const char *text, error *e)
{
    assert_int_equal(testing_write(path, text), 0);
    memset(e, 0, sizeof *e);
    return casefile_load(path, e);
}

/* Six correct lines. The text of each test starts on line 7. */
#define START                                                                                                          \
    "local op = operator 'dml.slice1'\n"                                                                               \
    "op:axis 'dtype' { all.dtypes }\n"                                                                                 \
    "op:axis 'rank' { 2, 1, 4 }\n"                                                                                     \
    "op:axis 'size' { 3, 1, 2, per = 'rank' }\n"                                                                       \
    "op:axis 'layout' { all.output_layouts }\n"                                                                        \
    "op:axis 'words' { 5, 6, per = 3 }\n"
#define BIND                                                                                                           \
    "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Layout = 'layout' }, InputWindowOffsets = "         \
    "'size - size', InputWindowSizes = 'size', InputWindowStrides = 'eq(size, size)' }\n"
#define TEST "op:test 't' { 'a title', size = '*' }\n"

typedef struct mistake {
    const char *text;
    int line;         /* 0: the message names the file alone */
    const char *says; /* part of the message */
    const char *also; /* another part, or NULL */
} mistake;

static void expect(const mistake *m)
{
    error e;
    char place[80];
    case_file *f = load(m->text, &e);
    if (f)
        fail_msg("this is accepted:\n%s", m->text);
    if (m->line)
        snprintf(place, sizeof place, "%s:%d:", path, m->line);
    else
        snprintf(place, sizeof place, "%s", path);
    if (!strstr(e.text, place) || !strstr(e.text, m->says) || (m->also && !strstr(e.text, m->also)))
        fail_msg("message '%s'\nshould say '%s', '%s' and '%s', for\n%s", e.text, place, m->says,
                 m->also ? m->also : "", m->text);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

static void expect_all(const mistake *m, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        expect(&m[i]);
}
#define EXPECT_ALL(list) expect_all(list, sizeof(list) / sizeof((list)[0]))

static void test_mistakes_of_lua(void **state)
{
    static const mistake list[] = {
        { "local op = operator 'dml.slice1\n", 1, "unfinished string", NULL },
        { "local op =\n= 2", 2, "unexpected symbol", NULL },
        { "\n\nfoo()\n", 3, "foo", NULL },
        { "\nerror 'so it is'\n", 2, "so it is", NULL },
        { "io.open('x')\n", 1, "io", NULL },
        { "os.exit(0)\n", 1, "os", NULL },
        { "require 'x'\n", 1, "require", NULL },
        { "dofile 'x'\n", 1, "dofile", NULL },
        { "while true do end\n", 1, "endless loop", NULL },
        { "local t = {}\nfor i = 1, 1e9 do t[i] = { i } end\n", 0, "memory", NULL },
        { "local s = 'x'\nfor _ = 1, 60 do s = s .. s end\n", 0, "memory", NULL },
        { "\x1bLua", 0, "text", NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

static void test_mistakes_of_operators(void **state)
{
    static const mistake list[] = {
        { "\nlocal op = operator 'dml.slice2'\n", 2, "there is no operator 'dml.slice2'", "dml.gather" },
        { "operator(5)\n", 1, "expected a string, not number", NULL },
        { "operator 'dml.gather'\noperator 'dml.slice1'\n", 2, "this is the second", NULL },
        { "local x = 1\n", 1, "declares no operator", "operator \"dml.name\"" },
        { "operator 'dml.gather'\n", 1, "declares no tests", NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

static void test_mistakes_of_axes(void **state)
{
    static const mistake list[] = {
        { START "op:axis 'rank' { 1 }\n" BIND TEST, 7, "axis 'rank' is declared twice", NULL },
        { START "op:axis 'Rank' { 1 }\n" BIND TEST, 7, "small letters", NULL },
        { START "op:axis '' { 1 }\n" BIND TEST, 7, "needs a name", NULL },
        { START "op:axis 'i' { 1 }\n" BIND TEST, 7, "i numbers elements", NULL },
        { START "op:axis(nil)\n" BIND TEST, 7, "expected a string", NULL },
        { START "op:axis 'x' 'y'\n" BIND TEST, 7, "expected a table", NULL },
        { START "op:axis 'x' { }\n" BIND TEST, 7, "axis 'x' has no values", NULL },
        { START "op:axis 'x' { 1, 2, 1 }\n" BIND TEST, 7, "has a value twice (number 3)", NULL },
        { START "op:axis 'x' { 1.5, '1.50' }\n" BIND TEST, 7, "'1.50' is not written as a number is", NULL },
        { START "op:axis 'x' { 1.5, 'a' }\n" BIND TEST, 7, "'a' is not written as a number is", NULL },
        { START "op:axis 'x' { 1.5, 2, 2.0 }\n" BIND TEST, 7, "has a value twice (number 3)", NULL },
        { START "op:axis 'x' { 1.5, true }\n" BIND TEST, 7, "value 2 is boolean; expected a number", NULL },
        { START "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Alignment = 1 / 0 } }\n" TEST, 7,
          "bind InputTensor.Alignment: nan and inf are values of an axis: bind its name", NULL },
        { START "op:axis 'x' { 1.5, per = 'rank' }\n" BIND TEST, 7, "a vector has integers or names", NULL },
        { START
          "op:axis 'x' { 1.5 }\nop:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Alignment = 'x' }, "
          "InputWindowOffsets = 'size - size', InputWindowSizes = 'size', InputWindowStrides = 'eq(size, size)' }\n" TEST,
          8, "bind InputTensor.Alignment: 'x' is a decimal number; expected an integer", NULL },
        { START "op:axis 'x' { true }\n" BIND TEST, 7, "value 1 is boolean", NULL },
        { START "op:axis 'x' { 'a', 1 }\n" BIND TEST, 7, "mixes names and numbers", NULL },
        { START "op:axis 'x' { 'a b' }\n" BIND TEST, 7, "cannot be a value", NULL },
        { START "op:axis 'x' { 1, per = 'ranks' }\n" BIND TEST, 7, "names no axis declared before it", NULL },
        { START "op:axis 'x' { 1, per = {} }\n" BIND TEST, 7, "name of an axis or a number", NULL },
        { START "op:axis 'x' { 1, per = 17 }\n" BIND TEST, 0, "17 elements; 1 to 16", NULL },
        { START "op:axis 'x' { 1, per = 0 }\n" BIND TEST, 0, "0 elements", NULL },
        { START "op:axis 'x' { 1, per = 'size' }\n" BIND TEST, 0, "must be a scalar axis", NULL },
        { START "op:axis 'n' { 17 }\nop:axis 'x' { 1, per = 'n' }\n" BIND TEST, 0, "17 is outside 0 to 16", NULL },
        { START "op:positions('at', 'ranks')\n" BIND TEST, 7, "names no axis declared before it", NULL },
        { START "op:positions('at')\n" BIND TEST, 7, "expected a string", NULL },
        { START "for k = 1, 60 do op:axis('x' .. k) { 1 } end\n" BIND TEST, 7, "more than 48 axes", NULL },
        { START "local t = {}\nfor k = 1, 97 do t[k] = 'v' .. k end\nop:axis 'x' { t }\n" BIND TEST, 9,
          "more than 96 named values", NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

static void test_mistakes_of_predicates(void **state)
{
    static const mistake list[] = {
        { START "op:where 'sizes > 1'\n" BIND TEST, 7, "unknown name 'sizes'", "did you mean 'size'" },
        { START "\nop:where 'size >'\n" BIND TEST, 8, "size >", NULL },
        { START "op:where 'size + 1'\n" BIND TEST, 7, "no truth value", NULL },
        { START "op:where \"dtype == 'f31'\"\n" BIND TEST, 7, "unknown value 'f31' of 'dtype'", "f32" },
        { START "op:where 'dtype == 1'\n" BIND TEST, 7, "dtype", NULL },
        { START "op:where 'each(size < words)'\n" BIND TEST, 7, "per", NULL },
        { START "op:where { 'rank > 0', 5 }\n" BIND TEST, 7, "expected strings", NULL },
        { START "op:where { 'rank > 0', nil, 'rank < 3' }\n" BIND TEST, 7, "without gaps: number 2 is nil", NULL },
        { START BIND "op:test 't' { 'a', where = { nil, 'rank < 3' } }\n", 8, "number 1 is nil", NULL },
        { START "op:where(5)\n" BIND TEST, 7, "expected a string or a list of strings", NULL },
        { START "op:where()\n" BIND TEST, 7, "expected a string or a list of strings", NULL },
        { START "op:axis('far', '') { 1 }\n" BIND TEST, 7, "its description is not one line", "120 characters" },
        { START "op:axis('far', 'a\\nb') { 1 }\n" BIND TEST, 7, "its description is not one line", NULL },
        { START "op:axis('far', ('x'):rep(121)) { 1 }\n" BIND TEST, 7, "its description is not one line", NULL },
        { START "op:axis('far', { 1 })\n" BIND TEST, 7, "the description of axis far: expected a string", NULL },
        { START "op:where 'each(size > 9)'\n" BIND TEST, 8 + 0, "leave no combination", NULL },
        { START "op:where 'each(1 // (size - 3) >= 0)'\n" BIND TEST, 9 - 0, "divides by zero", NULL },
    };
    (void)state;
    for (size_t i = 0; i + 2 < sizeof list / sizeof list[0]; ++i)
        expect(&list[i]);
    /* Mistakes that only the complete space shows are reported at the line of the test. */
    mistake last = list[sizeof list / sizeof list[0] - 2];
    last.line = 9;
    expect(&last);
    expect(&list[sizeof list / sizeof list[0] - 1]);
}

static void test_mistakes_of_tests(void **state)
{
    static const mistake list[] = {
        { START BIND "op:test 't' { size = '*' }\n", 8, "needs a title", NULL },
        { START BIND "op:test 't' { 'a', 'b' }\n", 8, "only value without a name is its title", NULL },
        { START BIND "op:test 't' { 'a', sizes = { 1 } }\n", 8, "there is no axis 'sizes'", "dtype, rank, size" },
        { START BIND "op:test 't' { 'a', size = 3 }\n", 8, "expected a list of values or \"*\", not number", NULL },
        { START BIND "op:test 't' { 'a', size = {} }\n", 8, "has no values in this test", NULL },
        { START BIND "op:test 't' { 'a', size = { 1, 1 } }\n", 8, "has a value twice", NULL },
        { START BIND "op:test 't' { 'a', tier = 'night' }\n", 8, "expected quick, full or exhaustive", "night" },
        { START BIND "op:test 't' { 'a', tier = 2 }\n", 8, "expected quick, full or exhaustive", NULL },
        { START BIND "op:test 't' { 'a', strength = 4 }\n", 8, "2 (every pair) or 3", NULL },
        { START BIND "op:test 't' { 'a', sparse = 1 }\n", 8, "sparse is true or false", "number" },
        { START BIND "op:test 't' { 'a', vast = 'yes' }\n", 8, "vast is true or false", "string" },
        { START BIND "op:test 't' { 'a', in_place = 2 }\n", 8, "in_place is true or false", "number" },
        { START BIND "op:test 't' { 'a', in_place = true, sparse = true }\n", 8, "in_place is for legal cases", NULL },
        { START BIND "op:test 't' { 'a', in_place = true }\n", 8, "of dml.slice1 does not allow it", NULL },
        { START BIND "op:test 't' { 'a', after = 'data' }\n", 8, "after is a list", "other" },
        { START BIND "op:test 't' { 'a', after = { 'data', 'date' } }\n", 8, "after is a list", NULL },
        { START BIND "op:test 't' { 'a', after = {} }\n", 8, "after is a list", NULL },
        { START BIND "op:test 't' { 'a', strength = 'two' }\n", 8, "2 (every pair) or 3", NULL },
        { START BIND "op:test 't' { 'a', vary = 'all' }\n", 8, "vary is \"*\" or a list", NULL },
        { START BIND "op:test 't' { 'a', vary = { 'sizes' } }\n", 8, "there is no axis 'sizes'", NULL },
        { START BIND "op:test 't' { 'a', limit = 5 }\n", 8, "limit must be a table", NULL },
        { START BIND "op:test 't' { 'a', limit = { sizes = 5 } }\n", 8, "'sizes' is no axis", NULL },
        { START BIND "op:test 't' { 'a', limit = { size = 'x' } }\n", 8, "'size' is no axis with an integer", NULL },
        { START BIND "op:test 't' { 'a', size = '*', limit = { size = 0 } }\n", 8, "leaves no value of axis 'size'",
          NULL },
        { START BIND "op:test 't' { 'a', where = 'each(size > 3)' }\n", 8, "leave no combination", NULL },
        { START BIND "op:test 't' { 'a', where = 5 }\n", 8, "expected a string or a list", NULL },
        { START BIND TEST "op:test 't' { 'a' }\n", 9, "test 't' is declared twice", NULL },
        { START BIND "op:test 'T x' { 'a' }\n", 8, "small letters", NULL },
        { START BIND "op:test 't' 'a'\n", 8, "expected a table", NULL },
        { START BIND "op:test(t)\n", 8, "expected a string", NULL },
        { "local op = operator 'dml.cumulative_summation'\nop:axis 'dtype' { all.dtypes }\n"
          "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' } }\nop:axis 'size' { 1, per = 1 }\n"
          "op:test 't' { 'a', dtype = { 'u32', all.unjudged_dtypes } }\n",
          5, "test 't': of the data types u32 and f32 one is judged and the other is not", "all.unjudged_dtypes" },
        { START BIND
          "op:axis 'a' { 1, 2, 3, 4, 5, 6, 7, 8, per = 16 }\nop:axis 'b' { 1, 2, 3, 4, 5, 6, 7, 8, per = 16 }\n"
          "op:test 't' { 'a', vary = '*' }\n",
          10, "more than 2^62 points", "strength" },
        { START BIND
          "op:test 'examples' { 'a' }\nop:example 'e' { InputTensor = { DataType = 'FLOAT32', Sizes = { 1 } }, "
          "InputWindowOffsets = { 0 }, InputWindowSizes = { 1 }, InputWindowStrides = { 1 } }\n",
          8, "'examples' is declared twice", NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

static void test_mistakes_of_bindings(void **state)
{
    static const mistake list[] = {
        { START TEST, 0, "op:bind { ... } is missing", NULL },
        { START BIND BIND TEST, 8, "bind is given twice", NULL },
        { START "op:bind 'x'\n" TEST, 7, "expected a table", NULL },
        { START "op:bind { Input = {} }\n" TEST, 7, "no tensor or attribute 'Input'", NULL },
        { START "op:bind { InputTensor = 'size' }\n" TEST, 7, "expected a table with DataType", NULL },
        { START "op:bind { InputTensor = { Size = 'size' } }\n" TEST, 7, "no field 'Size'", NULL },
        { START "op:bind { InputTensor = { Sizes = 'size' } }\n" TEST, 7, "needs a DataType", NULL },
        { START "op:bind { InputTensor = { DataType = 'dtype' } }\n" TEST, 7, "needs Sizes", NULL },
        { START "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'rank' } }\n" TEST, 7, "InputTensor.Sizes",
          "'rank' is an integer; expected a vector" },
        { START "op:bind { InputTensor = { DataType = 'dtype', Sizes = true } }\n" TEST, 7, "expression in a string",
          NULL },
        { START "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size +' } }\n" TEST, 7, "size +", NULL },
        { START "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Extra = 'i' } }\n" TEST, 7,
          "unknown name 'i'", NULL },
        { START "op:bind { InputWindowOffsets = 'rank' }\n" TEST, 7, "expected a vector", NULL },
        { START "op:bind { InputWindowOffsets = { Values = 'size' } }\n" TEST, 7, "no field 'Values'", NULL },
        { START "op:bind { InputWindowOffsets = { Present = '1' } }\n" TEST, 7, "needs a Value", NULL },
        { START "op:bind { DimensionCount = { Value = 'rank', Count = '1' } }\n" TEST, 7, "only a vector has a Count",
          NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

#define EXAMPLE                                                                                                        \
    "op:example 'e' { InputTensor = { DataType = 'FLOAT32', Sizes = { 2 }, data = { 1, 2 } }, "                        \
    "InputWindowOffsets = { 0 }, InputWindowSizes = { 2 }, InputWindowStrides = { 1 }"

static void test_mistakes_of_examples(void **state)
{
    static const mistake list[] = {
        { "local op = operator 'dml.slice1'\nop:example 'a b' {}\n", 2, "needs a name without blanks", NULL },
        { "local op = operator 'dml.slice1'\nop:example 'a' { function() end }\n", 2, "function has no place", NULL },
        { "local op = operator 'dml.slice1'\nop:example 'a' { 1 / 0 }\n", 2, "not finite", "inf" },
        { "local op = operator 'dml.slice1'\nop:example 'a' { ['\\xff'] = 1 }\n", 2, "not valid UTF-8", NULL },
        { "local op = operator 'dml.slice1'\nlocal t = {}\nfor i = 1, 30 do t = { t, t } end\n"
          "op:example 'a' { x = t }\n",
          4, "needs more than", NULL },
        { "local op = operator 'dml.slice1'\nlocal t = {}\nt.t = t\nop:example 'a' { x = t }\n", 4, "nested deeper",
          NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", invalid = 'GA-08' }\n", 2, "has no clause 'GA-08'", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", note = 5 }\n", 2, "note", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", Foo = 5 }\n", 2, "Foo", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE "}\n" EXAMPLE "}\n", 3, "'e' is declared twice", NULL },
        { "local op = operator 'dml.slice1'\n\n" EXAMPLE ", OutputTensor = { DataType = 'FLOAT32', Sizes = { 2 }, "
          "data = { 1 } } }\n",
          3, "OutputTensor", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", OutputTensor = { DataType = 'UINT8', Sizes = { 2 }, "
          "data = { 1, 256 } } }\n",
          2, "256", NULL },
        { "local op = operator 'dml.element_wise_identity'\nlocal t = { DataType = 'UINT8', Sizes = { 1 } }\n"
          "op:example 'a' { InputTensor = t, OutputTensor = t }\nlocal u = { DataType = 'UINT4', Sizes = { 1 } }\n"
          "op:example 'b' { InputTensor = u, OutputTensor = u, own_types = true }\n",
          5, "example 'b' is never executed", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", printed = true, OutputTensor = { DataType = 'FLOAT32', "
          "Sizes = { 2 } } }\n",
          2, "the page prints it, so OutputTensor needs its data", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", printed = true, invalid = 'SL-05' }\n", 2,
          "neither invalid nor ambiguous", NULL },
        { "local op = operator 'dml.slice1'\n" EXAMPLE ", printed = 1 }\n", 2, "printed", NULL },
        { "\nlocal op = operators { ['dml.slice1'] = {} }\n", 2, "a family of operators", "none of them is asked for" },
        { "local op = operators { ['dml.slice9'] = {} }\n", 1, "there is no operator 'dml.slice9'", NULL },
        { "local op = operators 'dml.slice1'\n", 1, "operators: expected a table", NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

static void test_missing_files(void **state)
{
    error e;
    char buffer[600];
    (void)state;
    assert_null(casefile_load("/nonexistent/case.lua", &e));
    assert_non_null(strstr(e.text, "/nonexistent/case.lua"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_null(casefile_load(folder, &e)); /* a folder is not a file */
    assert_non_null(strstr(e.text, folder));
    testing_setenv("TOUCHSTONE_CASES", "/nonexistent");
    assert_false(casefile_path(operators_find("dml.slice1"), buffer, sizeof buffer, &e));
    assert_non_null(strstr(e.text, "/nonexistent/dml/slice1.lua"));
    testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases");
    assert_true(casefile_path(operators_find("dml.slice1"), buffer, sizeof buffer, &e));
    assert_string_equal(buffer, TOUCHSTONE_SOURCE_DIR "/cases/dml/slice1.lua");
    testing_setenv("TOUCHSTONE_CASES", NULL); /* the build folder knows its source tree */
    assert_true(casefile_path(operators_find("dml.slice1"), buffer, sizeof buffer, &e));
    assert_non_null(strstr(buffer, "/cases/dml/slice1.lua"));
}

/* Tables with metatables may do anything while they are read; an endless loop or an error is still an error. */
static void test_hostile_tables(void **state)
{
    static const mistake list[] = {
        { START BIND "op:test 't' (setmetatable({ 'a' }, { __index = function() error 'caught' end }))\n", 0, "caught",
          NULL },
        { START BIND "op:test 't' (setmetatable({ 'a' }, { __index = function() while true do end end }))\n", 0,
          "endless loop", NULL },
    };
    (void)state;
    EXPECT_ALL(list);
}

/* ---- what is right --------------------------------------------------------------------------------------------------
 */

static const case_test *only_test(const char *text, case_file **f)
{
    error e;
    *f = load(text, &e);
    if (!*f)
        fail_msg("%s", e.text);
    return &(*f)->tests[(*f)->test_count - 1];
}

/* A family describes an axis itself, or has the description of the operator's axis of that name. */
static void test_descriptions(void **state)
{
    static const char text[] = START "op:axis('far', 'how far it is') { 1, 2 }\n" BIND TEST "local f = op:family()\n"
                                     "f:axis('rank', 'dimensions') { 2 }\n"
                                     "f:axis 'dtype' { 'f32' }\n"
                                     "f:axis 'far' { 1 }\n"
                                     "f:axis('size', 'drawn') { 3, per = 'rank' }\n"
                                     "f:positions('at', 'rank')\n"
                                     "f:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                                     "  InputWindowOffsets = 'size - size', InputWindowSizes = 'size',\n"
                                     "  InputWindowStrides = 'size' }\n"
                                     "f:test 'u' { 'b' }\n";
    static const struct {
        const char *test, *axis, *description;
    } rows[] = { { "t", "far", "how far it is" }, { "t", "rank", "dimensions" },
                 { "t", "layout", NULL },         { "u", "far", "how far it is" },
                 { "u", "size", "drawn" },        { "u", "at", "the number of the element, from 1" } };
    error e;
    (void)state;
    case_file *f = load(text, &e);
    if (!f)
        fail_msg("%s", e.text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (size_t t = 0; t < f->test_count; ++t) {
            const space *s = f->tests[t].space;
            if (strcmp(f->tests[t].name, rows[i].test) != 0)
                continue;
            const space_axis *axis = space_axis_at(s, (size_t)space_axis_named(s, rows[i].axis));
            if (rows[i].description)
                assert_string_equal(axis->description, rows[i].description);
            else
                assert_null(axis->description);
        }
    casefile_free(f);
}

static void test_values_of_a_test(void **state)
{
    static const struct {
        const char *test;
        uint64_t points;
    } rows[] = {
        { "op:test 't' { 'a' }\n", 1 }, /* every axis has its default */
        { "op:test 't' { 'a', size = '*' }\n", 9 },
        { "op:test 't' { 'a', vary = { 'size' } }\n", 9 },
        { "op:test 't' { 'a', vary = '*', words = { 5 }, dtype = { 'f32' }, layout = { 'gaps' } }\n", 9 + 3 + 81 },
        { "op:test 't' { 'a', size = '*', limit = { size = 2 } }\n", 4 },
        { "op:test 't' { 'a', rank = range(1, 3), size = { 1, { 7, 8 } } }\n", 3 + 9 + 27 },
        { "op:test 't' { 'a', words = '*', where = 'sum(words) == 16' }\n", 8 }, /* points; three of them are legal */
        { "op:test 't' { 'a', dtype = { 'u8', 'i8' }, size = '*', where = { 'each(size >= 2)', \"dtype == 'u8'\" } }\n",
          8 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[2000];
        case_file *f;
        snprintf(text, sizeof text, "%s%s%s", START, BIND, rows[i].test);
        const case_test *t = only_test(text, &f);
        assert_int_equal(space_points(t->space), rows[i].points);
        assert_string_equal(t->title, "a");
        assert_int_equal(t->tier, TIER_FULL);
        casefile_free(f);
    }
}

static void test_words_of_a_file(void **state)
{
    case_file *f;
    const case_test *t = only_test(
        START BIND "op:test 'first' { 'one', tier = 'exhaustive' }\n"
                   "op:test 'pairs' { 'two', vary = '*', strength = 2, tier = 'quick' }\n" EXAMPLE ", note = 'n' }\n",
        &f);
    error e;
    (void)state;
    assert_int_equal(f->test_count, 3);
    assert_string_equal(f->tests[0].name, "examples"); /* always the first */
    assert_int_equal(f->tests[0].tier, TIER_QUICK);    /* all examples are */
    assert_string_equal(f->tests[1].name, "first");
    assert_int_equal(f->tests[1].tier, TIER_EXHAUSTIVE);
    assert_int_equal(t->strength, 2);
    assert_false(t->covered);
    assert_true(casefile_prepare(&f->tests[2], &e));
    assert_true(f->tests[2].covered && space_is_covering(t->space));
    assert_true(casefile_prepare(&f->tests[2], &e)); /* once is enough */
    assert_string_equal(f->examples[0].note, "n");
    assert_int_equal(space_points(f->tests[0].space), 11); /* one example with eleven types */
    casefile_free(f);
}

/* Mistakes in declarations of the shared file are reported at the line that called it. */
static void test_a_shared_file(void **state)
{
    static const char shares[] = "local op, size = ...\nop:axis 'more' { size }\nlocal it = {}\n"
                                 "function it.test(name)\n  op:test(name) { 'a title', [name] = '*' }\nend\n"
                                 "return it\n";
    char shared[80];
    error e;
    case_file *f;
    (void)state;
    expect(&(mistake){ START "shared(op)\n" BIND TEST, 7, "shared.lua", NULL });
    assert_true(sandbox_shared_path(path, shared, sizeof shared, &e));
    assert_int_equal(testing_write(shared, shares), 0);
    const case_test *t =
        only_test(START "local it = shared(op, 7)\n" BIND TEST "op:test 'more' { 'm', more = '*' }\n", &f);
    assert_string_equal(t->name, "more");
    assert_int_equal(space_points(t->space), 1);
    casefile_free(f);
    expect(&(mistake){ START "local it = shared(op, {})\n" BIND TEST, 7, "axis 'more'", NULL });
    expect(&(mistake){ START "local it = shared(op, 7)\n" BIND "\nit.test('size')\nit.test('sizes')\n", 11,
                       "test 'sizes'", "no axis" });
    assert_null(load(START "local it = shared(op, 7)\n" BIND "it.test()\n", &e));
    assert_non_null(strstr(
        e.text, "shared.lua:5: test: expected a string")); /* other mistakes of the shared file are reported there */
    unlink(shared);
}

/* A file that case files with a common beginning of their names share. */
static void test_a_shared_file_of_a_family(void **state)
{
    static const char shares[] = "local op, size = ...\nop:axis 'more' { size }\nreturn op.name\n";
    const char *name = strrchr(path, '/') + 1;
    char file[80], other[16], start[1000];
    error e;
    case_file *f;
    (void)state;
    snprintf(other, sizeof other, "%.3s_shared.lua", name);
    snprintf(file, sizeof file, "%.*s%s", (int)(name - path), path, other);
    snprintf(start, sizeof start, START "local it = shared_file('%s', op, 7)\n" BIND TEST, other);
    assert_null(load(start, &e)); /* there is no such file */
    assert_non_null(strstr(e.text, other));
    assert_int_equal(testing_write(file, shares), 0);
    snprintf(start, sizeof start,
             START "local it = shared_file('%s', op, 7)\n" BIND TEST "op:test 'more' { 'm', more = '*' }\n", other);
    assert_string_equal(only_test(start, &f)->name, "more");
    casefile_free(f);
    unlink(file);
    static const char *const wrong[] = { "none_shared.lua", "shared.lua", "_shared.lua", "../x_shared.lua" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        snprintf(start, sizeof start, START "shared_file('%s')\n" BIND TEST, wrong[i]);
        assert_null(load(start, &e));
        assert_non_null(strstr(e.text, ":7: shared_file: "));
        assert_non_null(strstr(e.text, "the name has to be the beginning of its own and _shared.lua"));
    }
}

/* The file in the folder above, which the case files of all folders share. */
static void test_a_common_file(void **state)
{
    static const char text[] = START "local it = common(op, 7)\n" BIND TEST "op:test 'more' { 'm', more = '*' }\n";
    char inner[64], file[80], beside[80];
    error e;
    (void)state;
    snprintf(inner, sizeof inner, "%s/in_XXXXXX", folder);
    assert_int_equal(testing_folder(inner), 0);
    snprintf(file, sizeof file, "%s/a.lua", inner);
    snprintf(beside, sizeof beside, "%s/common.lua", folder);
    assert_int_equal(testing_write(file, text), 0);
    assert_null(casefile_load(file, &e));
    assert_non_null(strstr(e.text, "common.lua")); /* there is none */
    assert_int_equal(testing_write(beside, "local op, size = ...\nop:axis 'more' { size }\nreturn op.name\n"), 0);
    case_file *f = casefile_load(file, &e);
    assert_non_null(f);
    assert_string_equal(f->tests[f->test_count - 1].name, "more");
    casefile_free(f);
    unlink(beside);
    unlink(file);
    rmdir(inner);
}

/* All layouts belong to one enumeration: axes with different layouts can be compared and use the same numbers. */
static void test_layouts_compare(void **state)
{
    case_file *f;
    const case_test *t = only_test(START "op:axis 'other' { 'gaps', 'packed', 'broadcast-all' }\n"
                                         "op:where \"layout == other or other == 'broadcast-all'\"\n" BIND
                                         "op:test 't' { 'a', layout = '*', other = '*' }\n",
                                   &f);
    uint64_t count;
    error e;
    (void)state;
    assert_true(space_count(t->space, 0, UINT64_MAX, NULL, NULL, &count, &e));
    assert_int_equal(count, 2 + 7);
    casefile_free(f);
}

/* A vector attribute with fewer or more values than its vector has elements. */
static void test_counts_of_attributes(void **state)
{
    case_file *f;
    const case_test *t =
        only_test("local op = operator 'openvino.strided_slice'\nop:axis 'more' { 0, 2, -1 }\nop:axis 'steps' { 2 }\n"
                  "op:axis 'mask' { 0, 1, per = 'steps' }\nop:axis 'size' { 3, per = 2 }\n"
                  "op:bind { data = { DataType = '1', Sizes = 'size' }, begin = 'mask * 0', ['end'] = 'mask * 0 + 9', "
                  "begin_mask = { Value = 'mask', Count = 'steps + more', Rest = '1' } }\n"
                  "op:test 't' { 'a', more = '*', mask = '*' }\n",
                  &f);
    casebuild b;
    space_cursor c;
    error e;
    unsigned cases = 0;
    int mask = operator_attr_index(f->op, "begin_mask");
    (void)state;
    assert_true(mask >= 0);
    casebuild_init(&b, t, 0, 0, NULL);
    for (bool more = space_start(&c, t->space, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c), ++cases) {
        assert_true(casebuild_case(&b, &c, &e));
        int64_t count = 2 + c.values[0].v[0];
        assert_int_equal(operator_attr_count(&b.now.descriptor, (unsigned)mask), count);
        for (unsigned i = 0; i < count; ++i)
            assert_int_equal(operator_attr_value(&b.now.descriptor, (unsigned)mask, i), i < 2 ? c.values[2].v[i] : 1);
    }
    assert_int_equal(cases, 12);
    casefile_free(f);
}

/* Bound data has one value per logical element, independent of the layout; a value that does not fit is reported with
   its case. */
static void test_bound_data(void **state)
{
    static const char *const text = "local op = operator 'dml.element_wise_identity'\nop:axis 'layout' { 'gaps' }\n"
                                    "op:axis 'scale' { 10, 200 }\nop:axis 'size' { 3, per = 2 }\n"
                                    "op:bind { InputTensor = { DataType = '5', Sizes = 'size', Layout = 'layout', "
                                    "Data = 'i * scale + 1' }, OutputTensor = { Sizes = 'size' } }\n"
                                    "op:test 't' { 'a', scale = '*' }\n";
    case_file *f;
    const case_test *t = only_test(text, &f);
    casebuild b;
    space_cursor c;
    error e;
    unsigned char memory[256];
    (void)state;
    casebuild_init(&b, t, 0, 0, NULL);
    assert_true(space_start(&c, t->space, 0, UINT64_MAX, NULL, NULL));
    assert_true(casebuild_case(&b, &c, &e));
    ts_tensor *in = &b.now.descriptor.tensors[0];
    assert_true(in->total_bytes <= sizeof memory);
    in->data = memory;
    assert_true(casebuild_fill(&b, 0, &e));
    uint64_t coord[TS_MAX_DIMS] = { 0 }, i = 0;
    do
        assert_int_equal(value_bits(in->dtype, tensor_at(in, coord)), i++ * 10 + 1);
    while (tensor_next(in, coord));
    assert_true(space_next(&c));
    assert_true(casebuild_case(&b, &c, &e));
    b.now.descriptor.tensors[0].data = memory;
    assert_false(casebuild_fill(&b, 0, &e)); /* 401 is no u8 */
    assert_non_null(strstr(e.text, "element 2"));
    assert_non_null(strstr(e.text, "does not fit"));
    casefile_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes_of_lua),
        cmocka_unit_test(test_mistakes_of_operators),
        cmocka_unit_test(test_mistakes_of_axes),
        cmocka_unit_test(test_mistakes_of_predicates),
        cmocka_unit_test(test_mistakes_of_tests),
        cmocka_unit_test(test_mistakes_of_bindings),
        cmocka_unit_test(test_mistakes_of_examples),
        cmocka_unit_test(test_missing_files),
        cmocka_unit_test(test_hostile_tables),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_values_of_a_test),
        cmocka_unit_test(test_words_of_a_file),
        cmocka_unit_test(test_layouts_compare),
        cmocka_unit_test(test_counts_of_attributes),
        cmocka_unit_test(test_bound_data),
        cmocka_unit_test(test_a_shared_file),
        cmocka_unit_test(test_a_shared_file_of_a_family),
        cmocka_unit_test(test_a_common_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

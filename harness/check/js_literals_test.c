/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of literals in JavaScript become JSON, line by line; everything else is skipped or refused with its place.
 */
#include "harness/check/js_literals.h"

#include "harness/check/json_scanner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static error problem;

static bool convert(const char *js, source_text *t)
{
    assert_true(source_text_copy(t, "x.js", js, strlen(js), &problem));
    const bool fine = js_literals_to_json(t, &problem);
    if (!fine)
        source_text_free(t);
    return fine;
}

/* The JSON, without the blanks that stand for code. */
static void gives(const char *js, const char *json)
{
    source_text t;
    check_span root;
    char *tight;
    size_t n = 0;
    if (!convert(js, &t))
        fail_msg("%s: %s", js, problem.text);
    tight = calloc(1, t.size + 1);
    for (size_t i = 0; i < t.size; ++i)
        if (t.bytes[i] != ' ' && t.bytes[i] != '\n')
            tight[n++] = t.bytes[i];
    assert_string_equal(tight, json);
    if (!json_scanner_check(&t, &root, &problem))
        fail_msg("%s: %s", json, problem.text);
    free(tight);
    source_text_free(&t);
}

static void refuses(const char *js, const char *message)
{
    source_text t;
    if (convert(js, &t))
        fail_msg("accepted: %s", js);
    assert_int_equal(problem.status, EXIT_BAD_USAGE);
    if (strcmp(problem.text, message) != 0)
        fail_msg("%s: '%s' instead of '%s'", js, problem.text, message);
}

static void test_literals(void **state)
{
    (void)state;
    gives("const a = [];", "[[],]");
    gives("let a = [1, -2.5, +3, .5, 6., 0x1F, 1e3, 007, 9007199254740993n, -5n, -0];",
          "[[1,-2.5,3,0.5,6.0,31,1e3,7,9007199254740993,-5,-0.0],]");
    gives("var a = [true, false, null, NaN, Infinity, -Infinity];", "[[true,false,null,\"nan\",\"inf\",\"-inf\"],]");
    gives("const a = [{'x': 'y', \"z\": [1,], shape: {$k_1: 2}, 3: 4,}];",
          "[[{\"x\":\"y\",\"z\":[1,],\"shape\":{\"$k_1\":2},\"3\":4,}],]");
    gives("const a = ['it\\'s', 'a\"b', \"\\x41\\u00e9\\n\", `t`];",
          "[[\"it's\",\"a\\\"b\",\"\\u0041\\u00e9\\n\",\"t\"],]");
    gives("const a = ['one' +\n 'two' + \"three\"];", "[[\"onetwothree\"],]");
}

static void test_code_is_skipped(void **state)
{
    (void)state;
    gives(
        "'use strict';\n// const no = [1];\n/* const no = [2]; */\nconst f = (a) => { const no = [3]; return a[0]; };\n"
        "const yes = [4];\nif (x) { f('const no = [5];', `${no}\n`, \"\\\"\"); }\nconst word = 'x', other = [6];\n"
        "constant = [7];\nlet two = [8]\n",
        "[[4],[8],]");
    gives("", "[]");
}

/* A place in the JSON has the line that it has in the source. */
static void test_lines_stay(void **state)
{
    (void)state;
    source_text t;
    assert_true(convert("// a\n\nconst a = [\n  {name: 'x' +\n     'y',\n   b: 1},\n  {c: 2}\n];\n", &t));
    const char *found = strstr(t.bytes, "{\"c\"");
    assert_non_null(found);
    const check_place place = source_text_place(&t, (size_t)(found - t.bytes));
    assert_int_equal(place.line, 7);
    source_text_free(&t);
}

/* A hole is null, wherever it is. */
static void test_holes(void **state)
{
    (void)state;
    gives("const a = [1,,2];", "[[1,null,2],]");
    gives("const a = [,\n 1\n ,\n , // two\n 2,,];", "[[null,1,null,2,null,],]");
    gives("const a = [{'x': [,]}\n ,\n ,\n {y: 2}];", "[[{\"x\":[null,]},null,{\"y\":2}],]");
    refuses("const a = [{b: 1,, c: 2", "x.js:1:24: expected ',' or '}', but the file ends");
}

/* The string that stands for the one expression of [1, EXPRESSION, {x: 2}]; what is around it stays. */
static void unreadable(const char *expression, const char *message)
{
    char js[200], json[200], tight[200];
    size_t n = 0;
    snprintf(js, sizeof js, "const a = [1,\n%s, {x: 2}];", expression);
    snprintf(json, sizeof json, "[[1,\"\\u0001x.js:2:%s\",{\"x\":2}],]", message);
    for (const char *c = json; *c; ++c)
        if (*c != ' ')
            tight[n++] = *c;
    tight[n] = 0;
    gives(js, tight);
}

static void test_expressions(void **state)
{
    (void)state;
    unreadable("f(1, [2], '}')", "1: expected a literal, found 'f'");
    unreadable("...b", "2: expected a digit, found '.'");
    unreadable("1 + 2", "3: expected ',' or ']', found '+'");
    unreadable("12px", "3: expected the end of a number, found 'px'");
    unreadable("0xg", "1: expected a number of at most 16 hex digits, found '0xg'");
    unreadable("1e", "3: expected an exponent, found ','");
    unreadable("'b' + 1", "7: expected a string, found '1'");
    unreadable("`${b}`", "1: expected a string that ends in its line");
    unreadable("'\\q'", "2: an escape sequence that is not known here");
    unreadable("(x) => { return [x, 1]; }", "1: expected a literal, found '('");
    gives("const a = [{b: f(1), c: 2}];", "[[{\"b\":\"\\u0001x.js:1:16:expectedaliteral,found'f'\",\"c\":2}],]");
    gives("const a = [{b 1, c: 2}];", "[[{\"b1\":\"\\u0001x.js:1:15:expected':',found'1'\",\"c\":2}],]");
    gives("const a = [{...b, c: 2}];",
          "[[{\"...b\":\"\\u0001x.js:1:13:expectedthenameofamember,found'.'\",\"c\":2}],]");
    gives("const a = [[[f()]], 1];", "[[[[\"\\u0001x.js:1:14:expectedaliteral,found'f'\"]],1],]");
}

static void test_refusals(void **state)
{
    (void)state;
    refuses("const a = ['b\n'];", "x.js:1:12: expected a string that ends in its line");
    refuses("const a = [1, [2]", "x.js:1:18: expected ',' or ']', but the file ends");
    refuses("const a = [1", "x.js:1:13: expected ',' or ']', but the file ends");
    refuses("const a = [", "x.js:1:12: expected a literal, but the file ends");
    refuses("const a = [f(1", "x.js:1:12: expected a literal, found 'f'");
    refuses("f(", "x.js:1:3: a bracket that is not closed");
    refuses("f())", "x.js:1:4: a bracket that closes nothing");
    refuses("f('", "x.js:1:3: a string that does not end");
    char deep[128] = "const a = ";
    memset(deep + 10, '[', 80);
    refuses(deep, "x.js:1:75: more than 64 nested brackets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals), cmocka_unit_test(test_code_is_skipped), cmocka_unit_test(test_lines_stay),
        cmocka_unit_test(test_holes),    cmocka_unit_test(test_expressions),     cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of WebNN become records; a case that was exported comes back as the descriptor that it was. */
#include "harness/check/check_import.h"

#include "harness/formats/export.h"
#include "harness/model/descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct {
    unsigned count;
    check_import_result result;
    check_place place;
    char text[400], name[160];
    json_t *record;
} last;

static bool look(void *context, const check_imported *test, error *e)
{
    (void)context;
    (void)e;
    last.count++;
    last.result = test->result;
    last.place = test->place;
    snprintf(last.text, sizeof last.text, "%s", test->text);
    snprintf(last.name, sizeof last.name, "%s", test->name);
    json_decref(last.record);
    last.record = json_incref(test->record);
    return true;
}

static bool import_bytes(const char *bytes, size_t size, bool javascript, error *e)
{
    source_text t;
    last.count = 0;
    assert_true(source_text_copy(&t, javascript ? "x.js" : "x.json", bytes, size, e));
    const bool fine = check_import_text(&t, javascript, look, NULL, e);
    source_text_free(&t);
    return fine;
}

/* ---- the way back ------------------------------------------------------------------------------------------------ */

/* Export a case and import it. `same`: it has no other layout and no more leading ones than it needs, so the descriptor
   is what it was. */
static void round_trip(const char *id, bool same)
{
    static export_files files;
    case_view c;
    error e;
    if (!case_view_find(&c, id, &e) || !export_write(export_format_named("webnn", &e), &c, &files, &e))
        fail_msg("%s: %s%s", id, files.why, e.text);
    const text *bytes = &files.list[0].bytes;
    if (!import_bytes(bytes->data, bytes->length, false, &e))
        fail_msg("%s: %s", id, e.text);
    assert_int_equal(last.count, 1);
    if (last.result != CHECK_IMPORT_AGREES)
        fail_msg("%s: %d %s", id, (int)last.result, last.text);
    assert_string_equal(last.name, id);
    json_t *was = descriptor_to_json(&c.value.descriptor), *is = json_object_get(last.record, "descriptor");
    if (same && !json_equal(was, is))
        fail_msg("%s is\n%s\ninstead of\n%s", id, json_dumps(is, 0), json_dumps(was, 0));
    json_decref(was);
    case_view_close(&c);
    export_files_free(&files);
}

static void test_round_trip(void **state)
{
    (void)state;
    round_trip("dml.slice1:examples:example=1", true);
    round_trip("dml.slice1:examples:example=1,dtype=i64", true);
    round_trip("dml.slice1:drawn:size=4.2.28.21,offset=0.1.0.0,window=3.1.28.21,stride=2.1.3.4,out_size=2.1.10.6",
               false);
    round_trip("dml.gather:examples:example=2,dtype=f16", true);
    round_trip("dml.gather:examples:example=1,dtype=u8", true);
    round_trip("dml.gather:examples:example=scalar-index", true);
    round_trip("dml.gather_elements:examples:example=1", true);
    round_trip("dml.gather_elements:drawn:rank=3,dtype=f16,index_dtype=i64,axis=1,size=2.5.3,index_size=2.4.3", true);
    round_trip("dml.scatter_elements:examples:example=2", true);
    round_trip("dml.scatter_elements:examples:example=negative,dtype=f16", true);
    round_trip("dml.scatter_elements:drawn:rank=3,dtype=i8,index_dtype=i64,axis=1,size=2.5.3,index_size=2.4.3", true);
    round_trip("dml.element_wise_identity:drawn:rank=3,out_layout=strides,size=2.3.4,out_stride=1.2.6", false);
    round_trip("openvino.strided_slice:examples:example=shrink-axis-24x40", false);
}

/* ---- tests of others --------------------------------------------------------------------------------------------- */

#define TENSOR(name, data, shape, type)                                                                                \
    "\"" name "\": { \"data\": " data ", \"descriptor\": { \"shape\": " shape ", \"dataType\": \"" type "\" } }"
#define OUTPUT(data, shape, type) " }, \"expectedOutputs\": { " TENSOR("o", data, shape, type) " }, \"operators\": [ "
#define TEST(inputs, output, op)  "{ \"name\": \"t\", \"graph\": { \"inputs\": { " inputs output op " ] } }"
#define OPERATOR(name, arguments)                                                                                      \
    "{ \"name\": \"" name "\", \"arguments\": [ { \"input\": \"i\" }" arguments " ], \"outputs\": \"o\" }"

static void import_of(const char *json, check_import_result result)
{
    error e;
    if (!import_bytes(json, strlen(json), false, &e))
        fail_msg("%s: %s", json, e.text);
    assert_int_equal(last.count, 1);
    if (last.result != result)
        fail_msg("%s: %d instead of %d: %s", json, (int)last.result, (int)result, last.text);
}

static const char *operator_of(void)
{
    return json_string_value(json_object_get(last.record, "operator"));
}

#define INPUT TENSOR("i", "[1, 2, 3, 4, 5, 6]", "[2, 3]", "float32")

static void test_operators(void **state)
{
    (void)state;
    import_of(TEST(INPUT, OUTPUT("[2, 5]", "[2, 1]", "float32"),
                   OPERATOR("slice", ", { \"starts\": [0, 1] }, { \"sizes\": [2, 1] }")),
              CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.slice1");
    import_of(
        TEST(INPUT, OUTPUT("[1, 3]", "[1, 2]", "float32"),
             OPERATOR("slice", ", { \"starts\": [0, 0] }, { \"sizes\": [1, 3] }, { \"options\": { \"strides\": [1, 2], "
                               "\"label\": \"x\" } }")),
        CHECK_IMPORT_AGREES);
    import_of(TEST(INPUT, OUTPUT("[6, 5, 4, 3, 2, 1]", "[2, 3]", "float32"), OPERATOR("reverse", "")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(INPUT, OUTPUT("[3, 2, 1, 6, 5, 4]", "[2, 3]", "float32"),
                   OPERATOR("reverse", ", { \"options\": { \"axes\": [1] } }")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(INPUT, OUTPUT("[1, 4, 2, 5, 3, 6]", "[3, 2]", "float32"), OPERATOR("transpose", "")),
              CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.element_wise_identity");
    import_of(TEST(INPUT, OUTPUT("[1, 2, 3, 4, 5, 6]", "[2, 3]", "float32"),
                   OPERATOR("transpose", ", { \"options\": { \"permutation\": [0, 1] } }")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(TENSOR("i", "[1, 2]", "[2, 1]", "int8"), OUTPUT("[1, 1, 2, 2, 1, 1, 2, 2]", "[2, 2, 2]", "int8"),
                   OPERATOR("expand", ", { \"newShape\": [2, 2, 2] }")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(INPUT, OUTPUT("[1, 2, 3, 4, 5, 6]", "[2, 3]", "float32"), OPERATOR("identity", "")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(INPUT ", " TENSOR("n", "[1, -2]", "[2]", "int32"), OUTPUT("[4, 5, 6, 1, 2, 3]", "[2, 3]", "float32"),
                   OPERATOR("gather", ", { \"indices\": \"n\" }")),
              CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.gather");
    import_of(TEST(INPUT ", " TENSOR("n", "[2, 0]", "[1, 2]", "uint32"), OUTPUT("[3, 1, 6, 4]", "[2, 1, 2]", "float32"),
                   OPERATOR("gather", ", { \"indices\": \"n\" }, { \"options\": { \"axis\": 1 } }")),
              CHECK_IMPORT_AGREES);
}

#define SCATTER(updates, shape, expected)                                                                              \
    TEST(INPUT ", " TENSOR("n", "[1, -2, 1]", "[1, 3]", "int32") ", " TENSOR("u", updates, shape, "float32"),          \
         OUTPUT(expected, "[2, 3]", "float32"),                                                                        \
         OPERATOR("scatterElements", ", { \"indices\": \"n\" }, { \"updates\": \"u\" }"))

/* Of an element with several updates, any may be expected. */
static void test_scatter_elements(void **state)
{
    (void)state;
    import_of(SCATTER("[7, 8, 9]", "[1, 3]", "[1, 8, 3, 7, 5, 9]"), CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.scatter_elements");
    import_of(SCATTER("[7, 8, 9]", "[1, 3]", "[1, 2, 3, 7, 5, 9]"), CHECK_IMPORT_DIFFERS);
    import_of(SCATTER("[7, 8]", "[1, 2]", "[1, 8, 3, 7, 5, 9]"), CHECK_IMPORT_ILLEGAL);
    assert_non_null(strstr(last.text, "SE-07"));
    static const struct {
        const char *expected;
        check_import_result result;
    } rows[] = { { "[1, 7, 3, 4, 5, 6]", CHECK_IMPORT_AGREES },
                 { "[1, 8, 3, 4, 5, 6]", CHECK_IMPORT_AGREES },
                 { "[1, 15, 3, 4, 5, 6]", CHECK_IMPORT_DIFFERS } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char json[800];
        snprintf(json, sizeof json,
                 TEST(TENSOR("i", "[1, 2, 3, 4, 5, 6]", "[6]", "float32") ", " TENSOR("n", "[1, 1]", "[2]", "int32") //
                      ", " TENSOR("u", "[7, 8]", "[2]", "float32"),
                      OUTPUT("%s", "[6]", "float32"),
                      OPERATOR("scatterElements", ", { \"indices\": \"n\" }, { \"updates\": \"u\" }")),
                 rows[i].expected);
        import_of(json, rows[i].result);
    }
}

static void test_scalars_and_values(void **state)
{
    (void)state;
    import_of(TEST(TENSOR("i", "[7]", "[]", "float16"), OUTPUT("[7]", "[]", "float16"),
                   OPERATOR("slice", ", { \"starts\": [] }, { \"sizes\": [] }")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(TENSOR("i", "[7]", "[]", "float16"), OUTPUT("[7]", "[]", "float16"), OPERATOR("transpose", "")),
              CHECK_IMPORT_AGREES);
    import_of(
        TEST(TENSOR("i", "2.5", "[2, 2]", "float32"), OUTPUT("2.5", "[2, 2]", "float32"), OPERATOR("identity", "")),
        CHECK_IMPORT_AGREES);
    import_of(TEST(TENSOR("i", "[\"-9223372036854775808n\", 18446744073709551615]", "[2]", "uint64"),
                   OUTPUT("[0, 0]", "[2]", "uint64"), OPERATOR("conv2d", "")),
              CHECK_IMPORT_LEFT_OUT);
    import_of(TEST(TENSOR("i", "[\"9007199254740993n\", 18446744073709551615]", "[2]", "uint64"),
                   OUTPUT("[9007199254740993, \"18446744073709551615n\"]", "[2]", "uint64"), OPERATOR("identity", "")),
              CHECK_IMPORT_AGREES);
    import_of(TEST(TENSOR("i", "[\"nan\", \"-inf\", -0.0]", "[3]", "float32"),
                   OUTPUT("[\"nan\", \"-inf\", -0.0]", "[3]", "float32"), OPERATOR("identity", "")),
              CHECK_IMPORT_AGREES);
    import_of(
        TEST(TENSOR("i", "[0.0]", "[1]", "float32"), OUTPUT("[-0.0]", "[1]", "float32"), OPERATOR("identity", "")),
        CHECK_IMPORT_DIFFERS);
}

static void test_what_differs_is_illegal_or_open(void **state)
{
    (void)state;
    import_of(TEST(INPUT, OUTPUT("[1, 2, 3, 4, 9, 6]", "[2, 3]", "float32"), OPERATOR("identity", "")),
              CHECK_IMPORT_DIFFERS);
    assert_string_equal(last.text,
                        "element [1,1] of the output is 0x40a00000 (5) where the test expects 0x41100000 (9); 1 of 6 "
                        "elements differ");
    import_of(TEST(INPUT, OUTPUT("[1, 2]", "[2, 1]", "float32"), OPERATOR("identity", "")), CHECK_IMPORT_ILLEGAL);
    assert_non_null(strstr(last.text, "EI-0"));
    import_of(TEST(INPUT ", " TENSOR("n", "[2]", "[1]", "uint32"), OUTPUT("[4, 5, 6]", "[1, 3]", "float32"),
                   OPERATOR("gather", ", { \"indices\": \"n\" }")),
              CHECK_IMPORT_OPEN);
}

static void test_what_is_left_out(void **state)
{
    (void)state;
    import_of(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), OPERATOR("relu", "")), CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "relu is no operator of the suite");
    import_of(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "") ", " OPERATOR("relu", "")),
              CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "a graph of 2 operators");
    import_of(TEST(INPUT, OUTPUT("[1]", "[1]", "int4"), OPERATOR("identity", "")), CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "the type \"int4\" is not judged");
    import_of(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", ", { \"mood\": 1 }")),
              CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "identity has the argument \"mood\"");
    import_of(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), OPERATOR("reverse", ", { \"options\": { \"axis\": 1 } }")),
              CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "reverse has the option \"axis\"");
    import_of(TEST(TENSOR("i", "1", "[4294967295, 4294967295]", "float32"), OUTPUT("[1]", "[1]", "float32"),
                   OPERATOR("identity", "")),
              CHECK_IMPORT_LEFT_OUT);
    assert_non_null(strstr(last.text, "4194304 elements"));
}

/* ---- bad input --------------------------------------------------------------------------------------------------- */

static void refuses(const char *json, const char *message)
{
    error e;
    if (import_bytes(json, strlen(json), false, &e))
        fail_msg("accepted: %s", json);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    if (!strstr(e.text, message))
        fail_msg("%s: '%s' does not hold '%s'", json, e.text, message);
}

#define SLICE(starts) OPERATOR("slice", ", { \"starts\": " starts " }, { \"sizes\": [1, 1] }")

static void test_bad_input(void **state)
{
    (void)state;
    refuses("{", "x.json:1:");
    refuses("\n 7", "x.json:2:2: no test of WebNN");
    refuses("{ \"tests\": 7 }", "x.json:1:12: \"tests\" is no list");
    refuses("[ { \"graph\": 7 } ]", "x.json:1:3: expected { \"name\"");
    refuses(TEST("", OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "")),
            "x.json:1:1: \"t\": graph.inputs.i: expected { \"data\"");
    refuses(
        TEST(TENSOR("i", "[1, 2, 3]", "[2, 2]", "float32"), OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "")),
        "graph.inputs.i.data: 3 values, but the shape has 4 elements");
    refuses(TEST(INPUT, OUTPUT("[1]", "[2]", "float32"), OPERATOR("identity", "")),
            "graph.expectedOutputs.o.data: 1 values, but the shape has 2 elements");
    refuses(TEST(TENSOR("i", "\"x\"", "[1]", "float32"), OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "")),
            "graph.inputs.i.data: expected a list of numbers");
    refuses(TEST(TENSOR("i", "[300]", "[1]", "uint8"), OUTPUT("[1]", "[1]", "uint8"), OPERATOR("identity", "")), "300");
    refuses(TEST(TENSOR("i", "[1]", "[-1]", "uint8"), OUTPUT("[1]", "[1]", "uint8"), OPERATOR("identity", "")),
            "graph.inputs.i.descriptor.shape: item 0 is no integer from 0 to 4294967295");
    refuses(TEST(INPUT, OUTPUT("[\"x\"]", "[1, 1]", "float32"), SLICE("[0, 0]")), "no value of f32");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), SLICE("[0]")),
            "starts: 1 numbers, but the input has 2 dimensions");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), SLICE("[0, 0.5]")), "starts: item 1 is no integer");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), SLICE("7")), "starts: expected a list of numbers");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), SLICE("[0, 0]")), "the output has 1 dimensions, expected 2");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"),
                 OPERATOR("transpose", ", { \"options\": { \"permutation\": [1, 1] } }")),
            "permutation: expected each number below 2 once");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), OPERATOR("expand", ", { \"newShape\": [4, 3] }")),
            "newShape: 4 along dimension 0, where the input has 2");
    refuses(
        TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), OPERATOR("reverse", ", { \"options\": { \"axes\": [2] } }")),
        "axes: 2, but the input has 2 dimensions");
    refuses(TEST(INPUT ", " TENSOR("n", "[2]", "[1]", "uint32"), OUTPUT("[1]", "[1, 1]", "float32"),
                 OPERATOR("gather", ", { \"indices\": \"n\" }, { \"options\": { \"axis\": 2 } }")),
            "axis: expected an integer below the 2 dimensions of the input");
    refuses(TEST(INPUT ", " TENSOR("n", "[1]", "[1]", "uint32"), OUTPUT("[1]", "[1, 1]", "float32"),
                 OPERATOR("gatherElements", ", { \"indices\": \"n\" }")),
            "indices: expected the 2 dimensions of the input, not 1");
    refuses(SCATTER("[7, 8, 9]", "[3]", "[1, 8, 3, 7, 5, 9]"),
            "updates: expected the 2 dimensions of the input, not 1");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), OPERATOR("gather", "")),
            "{ \"indices\": ... } does not name an input");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), "{ \"name\": \"identity\", \"arguments\": 7 }"),
            "operators[0].arguments: expected a list");
    refuses(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), "{ \"name\": \"identity\", \"arguments\": [] }"),
            "operators[0].outputs: expected the name of one output");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_operators),
        cmocka_unit_test(test_scatter_elements), cmocka_unit_test(test_scalars_and_values),
        cmocka_unit_test(test_what_is_left_out), cmocka_unit_test(test_what_differs_is_illegal_or_open),
        cmocka_unit_test(test_bad_input),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(last.record);
    return failed;
}

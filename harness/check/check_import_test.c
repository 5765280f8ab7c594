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
    char text[1100], name[160];
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
    round_trip("dml.gather_elements:drawn:rank=3,dtype=f16,index_dtype=i64,axis=1,size=2.5.3,index_size=2.4.3", true);
    round_trip("dml.scatter_elements:examples:example=negative,dtype=f16", true);
    round_trip("dml.scatter_elements:drawn:rank=3,dtype=i8,index_dtype=i64,axis=1,size=2.5.3,index_size=2.4.3", true);
    round_trip("dml.gather_nd:drawn:rank=3,dtype=f16,index_dtype=i64,own=3,size=2.5.3,index_size=1.4.2", true);
    round_trip("dml.scatter_nd:drawn:rank=3,own=3,index_dims=2,dtype=i8,index_dtype=i32,size=2.5.3,index_size=1.2.3,"
               "update_size=1.1.2",
               true);
    round_trip("dml.join:drawn:rank=3,dtype=u8,axis=1,count=3,size=2.5.3,part=5.1.7.1.1.1.1.1.1.1.1.1.1.1.1.1", true);
    round_trip("dml.cumulative_summation:drawn:rank=3,dtype=i64,axis=1,direction=decreasing,exclusive=1,size=2.5.3",
               true);
    round_trip("dml.space_to_depth1:drawn:dtype=i8,order=crd,block=3,size=2.1.6.9,out_size=2.9.2.3", true);
    round_trip("dml.space_to_depth1:drawn:dtype=i8,block=3,size=2.1.6.9,out_size=2.9.2.3", true);
    round_trip("dml.element_wise_identity:drawn:rank=3,out_layout=strides,size=2.3.4,out_stride=1.2.6", false);
    round_trip("openvino.strided_slice:examples:example=shrink-axis-24x40", false);
}

/* Is the descriptor what it was, but for memory layouts, which files of WebNN do not have? */
static bool same_but_for_layouts(const json_t *was, const json_t *is)
{
    static const char *const layout[] = { "Strides", "TotalTensorSizeInBytes", "GuaranteedBaseOffsetAlignment",
                                          "Flags" };
    json_t *packed = json_deep_copy(was), *member, *tensor;
    const char *key;
    size_t k;
    json_object_foreach(packed, key, member)
    {
        for (size_t i = 0; i < sizeof layout / sizeof *layout; ++i) {
            json_object_del(member, layout[i]);
            json_array_foreach(member, k, tensor) json_object_del(tensor, layout[i]);
        }
    }
    const bool same = json_equal(packed, is);
    json_decref(packed);
    return same;
}

/* The examples of an operator, as many as are exported: each comes back and agrees. `exact`: as the descriptor that it
   was; else some do, and the others have other leading ones, or another operator of the same meaning. */
static void examples_come_back(const char *name, bool exact)
{
    static export_files files;
    static case_view c;
    const plan_options options = { .tier = TIER_QUICK };
    char query[100];
    const char *const queries[] = { query };
    unsigned exported = 0, same = 0;
    bool found = false;
    plan p;
    error e;
    snprintf(query, sizeof query, "%s:examples", name);
    if (!plan_make_with(&p, queries, 1, &options, &e) || !case_view_first(&c, &p.items[0], &found, &e))
        fail_msg("%s: %s", name, e.text);
    for (; found; assert_true(case_view_next(&c, &found, &e))) {
        if (!export_write(export_format_named("webnn", &e), &c, &files, &e)) {
            if (!files.why[0])
                fail_msg("%s: %s", c.id, e.text);
            continue;
        }
        if (!import_bytes(files.list[0].bytes.data, files.list[0].bytes.length, false, &e))
            fail_msg("%s: %s", c.id, e.text);
        const bool judged = operator_judges(c.value.descriptor.op, c.value.descriptor.tensors[0].dtype);
        if (last.count != 1 || last.result != (judged ? CHECK_IMPORT_AGREES : CHECK_IMPORT_OPEN))
            fail_msg("%s: %d %s", c.id, (int)last.result, last.text);
        assert_string_equal(last.name, c.id);
        json_t *was = descriptor_to_json(&c.value.descriptor);
        const bool again = strcmp(json_string_value(json_object_get(last.record, "operator")), name) == 0 &&
                           same_but_for_layouts(was, json_object_get(last.record, "descriptor"));
        if (exact && !again)
            fail_msg("%s comes back as another descriptor", c.id);
        json_decref(was);
        exported++;
        same += again;
    }
    plan_free(&p);
    evaluate_end(&c.value);
    export_files_free(&files);
    if (exported == 0 || (same == 0 && strncmp(name, "dml.", 4) == 0 && strcmp(name, "dml.gather_nd1") != 0))
        fail_msg("%s: %u cases are exported, and %u are the same", name, exported, same);
}

static void test_every_exported_operator(void **state)
{
    (void)state;
    examples_come_back("dml.slice1", false);
    examples_come_back("dml.gather", false);
    examples_come_back("dml.gather_elements", true);
    examples_come_back("dml.gather_nd", false);
    examples_come_back("dml.gather_nd1", false);
    examples_come_back("dml.scatter_elements", true);
    examples_come_back("dml.scatter_nd", false);
    examples_come_back("dml.join", true);
    examples_come_back("dml.cumulative_summation", false);
    examples_come_back("dml.space_to_depth1", true);
    examples_come_back("dml.element_wise_identity", true);
    examples_come_back("openvino.strided_slice", false);
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
    /* SE-14 is observed: no page bounds the indices along the axis. */
    import_of(TEST(INPUT ", " TENSOR("n", "[0, 1, 0, 1, 0, 1, 0, 0, 0]", "[3, 3]", "int32") ", "
                       TENSOR("u", "[1, 2, 3, 4, 5, 6, 7, 8, 9]", "[3, 3]", "float32"),
                   OUTPUT("[1, 2, 3, 4, 5, 6]", "[2, 3]", "float32"),
                   OPERATOR("scatterElements", ", { \"indices\": \"n\" }, { \"updates\": \"u\" }")),
              CHECK_IMPORT_OPEN);
    assert_non_null(strstr(last.text, "SE-14"));
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

#define TUPLES(name, data, shape, arguments, inputs, expected, out_shape)                                              \
    TEST(INPUT ", " TENSOR("n", data, shape, "int32") inputs, OUTPUT(expected, out_shape, "float32"),                  \
         OPERATOR(name, ", { \"indices\": \"n\" }" arguments))
#define GATHER_ND(data, shape, expected, out_shape) TUPLES("gatherND", data, shape, "", "", expected, out_shape)
#define SCATTER_ND(data, shape, updates, up_shape, expected)                                                           \
    TUPLES("scatterND", data, shape, ", { \"updates\": \"u\" }", ", " TENSOR("u", updates, up_shape, "float32"),       \
           expected, "[2, 3]")

static void test_tuples(void **state)
{
    (void)state;
    import_of(GATHER_ND("[1, -2]", "[2, 1]", "[4, 5, 6, 1, 2, 3]", "[2, 3]"), CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.gather_nd");
    import_of(GATHER_ND("[1, 2, 0, -1]", "[2, 2]", "[6, 3]", "[2]"), CHECK_IMPORT_AGREES);
    import_of(GATHER_ND("[1, 2]", "[2]", "[6]", "[]"), CHECK_IMPORT_AGREES); /* a scalar */
    import_of(GATHER_ND("[1, 0]", "[1, 1, 2, 1]", "[4, 5, 6, 1, 2, 3]", "[1, 1, 2, 3]"), CHECK_IMPORT_AGREES);
    import_of(GATHER_ND("[1, 2, 0, -1]", "[2, 2]", "[6, 2]", "[2]"), CHECK_IMPORT_DIFFERS);
    import_of(GATHER_ND("[1, 2]", "[2]", "[6, 6]", "[2]"), CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "the output has 1 dimensions, expected 0"));
    import_of(GATHER_ND("[1, 2, 0]", "[3]", "[6]", "[]"), CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "indices: tuples of 3, but the input has 2 dimensions"));
    import_of(GATHER_ND("[1]", "[]", "[6]", "[]"), CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "indices: expected at least one dimension"));
    import_of(GATHER_ND("[1]", "[1, 1, 1, 1, 1, 1, 1, 1]", "[4, 5, 6]", "[1, 1, 1, 1, 1, 1, 1, 3]"),
              CHECK_IMPORT_AGREES);
    import_of(SCATTER_ND("[1]", "[1, 1]", "[7, 8, 9]", "[1, 3]", "[1, 2, 3, 7, 8, 9]"), CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.scatter_nd");
    import_of(SCATTER_ND("[0, 1, 1, -1]", "[2, 2]", "[7, 8]", "[2]", "[1, 7, 3, 4, 5, 8]"), CHECK_IMPORT_AGREES);
    import_of(SCATTER_ND("[1, 1]", "[2, 1]", "[7, 8, 9, 10, 11, 12]", "[2, 3]", "[1, 2, 3, 7, 8, 12]"),
              CHECK_IMPORT_AGREES); /* either of two updates */
    import_of(SCATTER_ND("[1]", "[1, 1]", "[7, 8, 9]", "[3]", "[1, 2, 3, 7, 8, 9]"), CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "updates: expected 2 dimensions, not 1"));
}

#define CONCAT(names, axis, expected, shape)                                                                           \
    TEST(INPUT ", " TENSOR("j", "[7, 8]", "[2, 1]", "float32"), OUTPUT(expected, shape, "float32"),                    \
         "{ \"name\": \"concat\", \"arguments\": [ { \"inputs\": " names " }, { \"axis\": " axis " } ], "              \
         "\"outputs\": \"o\" }")
#define SUM(type, options, expected)                                                                                   \
    TEST(TENSOR("i", "[1, 2, 3, 4, 5, 6]", "[2, 3]", type), OUTPUT(expected, "[2, 3]", type),                          \
         OPERATOR("cumulativeSum", ", { \"axis\": 1 }" options))

static void test_joined_and_summed(void **state)
{
    (void)state;
    import_of(CONCAT("[\"i\", \"j\", \"j\"]", "1", "[1, 2, 3, 7, 7, 4, 5, 6, 8, 8]", "[2, 5]"), CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.join");
    import_of(CONCAT("[\"i\"]", "0", "[1, 2, 3, 4, 5, 6]", "[2, 3]"), CHECK_IMPORT_AGREES);
    import_of(CONCAT("[\"i\", \"j\"]", "0", "[1, 2, 3, 4]", "[2, 2]"), CHECK_IMPORT_ILLEGAL);
    import_of(CONCAT("[\"i\", \"j\"]", "2", "[1, 2, 3, 4]", "[2, 2]"), CHECK_IMPORT_UNREADABLE);
    import_of(CONCAT("[\"i\", \"k\"]", "0", "[1, 2, 3, 4]", "[2, 2]"), CHECK_IMPORT_UNREADABLE);
    import_of(CONCAT("[]", "0", "[1, 2, 3, 4]", "[2, 2]"), CHECK_IMPORT_UNREADABLE);
    import_of(CONCAT("[\"i\", 7]", "0", "[1, 2, 3, 4]", "[2, 2]"), CHECK_IMPORT_UNREADABLE);
    import_of(
        CONCAT(
            "[\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\",\"i\"]",
            "0", "[1]", "[1, 1]"),
        CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "more than 16 inputs");
    import_of(SUM("int32", "", "[1, 3, 6, 4, 9, 15]"), CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.cumulative_summation");
    import_of(SUM("uint64", ", { \"options\": { \"exclusive\": true, \"reversed\": true } }", "[5, 3, 0, 11, 6, 0]"),
              CHECK_IMPORT_AGREES);
    import_of(SUM("int32", ", { \"options\": { \"reversed\": false } }", "[1, 3, 6, 4, 9, 16]"), CHECK_IMPORT_DIFFERS);
    /* Sums of floats are not determined to the bit. */
    import_of(SUM("float32", "", "[1, 3, 6, 4, 9, 15.000001]"), CHECK_IMPORT_OPEN);
    import_of(SUM("int32", ", { \"options\": { \"reversed\": 1 } }", "[1, 3, 6, 4, 9, 15]"), CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "options: reversed: expected true or false"));
}

#define STEP(name, input, output, arguments)                                                                           \
    "{ \"name\": \"" name "\", \"arguments\": [ { \"input\": \"" input "\" }, { " arguments                            \
    " } ], \"outputs\": \"" output "\" }"
#define BLOCKS(first, permutation, second, expected)                                                                   \
    TEST(TENSOR("i", "[0, 1, 2, 3, 4, 5, 6, 7]", "[1, 2, 2, 2]", "int8"), OUTPUT(expected, "[1, 8, 1, 1]", "int8"),    \
         STEP("reshape", "i", "x", "\"newShape\": " first) ", " STEP("transpose", "x", "y",                            \
                                                                     "\"options\": { \"permutation\": " permutation    \
                                                                     " }") ", " STEP("reshape", "y", "o",              \
                                                                                     "\"newShape\": " second))

static void test_blocks(void **state)
{
    (void)state;
    import_of(BLOCKS("[1, 2, 1, 2, 1, 2]", "[0, 3, 5, 1, 2, 4]", "[1, 8, 1, 1]", "[0, 4, 1, 5, 2, 6, 3, 7]"),
              CHECK_IMPORT_AGREES);
    assert_string_equal(operator_of(), "dml.space_to_depth1");
    import_of(BLOCKS("[1, 2, 1, 2, 1, 2]", "[0, 1, 3, 5, 2, 4]", "[1, 8, 1, 1]", "[0, 1, 2, 3, 4, 5, 6, 7]"),
              CHECK_IMPORT_AGREES);
    import_of(BLOCKS("[1, 2, 1, 2, 1, 2]", "[0, 1, 3, 5, 2, 4]", "[1, 8, 1, 1]", "[0, 4, 1, 5, 2, 6, 3, 7]"),
              CHECK_IMPORT_DIFFERS);
    import_of(BLOCKS("[1, 2, 1, 2, 1, 2]", "[0, 1, 2, 3, 4, 5]", "[1, 8, 1, 1]", "[0, 1, 2, 3, 4, 5, 6, 7]"),
              CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "a graph of 3 operators");
    import_of(BLOCKS("[1, 2, 1, 2, 2, 1]", "[0, 3, 5, 1, 2, 4]", "[1, 8, 1, 1]", "[0, 4, 1, 5, 2, 6, 3, 7]"),
              CHECK_IMPORT_LEFT_OUT);
}

#define BATCH(shape, declared, expected)                                                                               \
    TEST("\"i\": { \"data\": [1, 2, 3, 4, 5, 6], \"shape\": " shape ", \"descriptor\": { \"shape\": " declared         \
         ", \"dataType\": \"float32\" } }",                                                                            \
         OUTPUT("[1, 2, 3, 4, 5, 6]", expected, "float32"), OPERATOR("identity", ""))

/* A descriptor with dynamic sizes has numbers for them beside it. */
static void test_dynamic_shapes(void **state)
{
    (void)state;
    import_of(BATCH("[2, 3]", "[{ \"name\": \"batch\", \"maxSize\": 5 }, 3]", "[2, 3]"), CHECK_IMPORT_AGREES);
    import_of(BATCH("[2, 3]", "[{ \"name\": \"batch\" }, { \"name\": \"n\", \"minSize\": 3 }]", "[2, 3]"),
              CHECK_IMPORT_AGREES);
    import_of(BATCH("[2, 3]", "[2, 3]", "[2, 3]"), CHECK_IMPORT_AGREES);
    import_of(BATCH("[6, 1]", "[{ \"name\": \"batch\", \"maxSize\": 5 }, 1]", "[6, 1]"), CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "graph.inputs.i.shape: item 0 is 6, which the descriptor does not allow"));
    import_of(BATCH("[2, 3]", "[{ \"name\": \"batch\" }, 2]", "[2, 3]"), CHECK_IMPORT_UNREADABLE);
    import_of(BATCH("[2, 3]", "[{ \"name\": \"batch\" }]", "[2, 3]"), CHECK_IMPORT_UNREADABLE);
    import_of(TEST(TENSOR("i", "[1]", "[{ \"name\": \"batch\" }]", "float32"), OUTPUT("[1]", "[1]", "float32"),
                   OPERATOR("identity", "")),
              CHECK_IMPORT_LEFT_OUT);
    assert_string_equal(last.text, "a dynamic size without a number for it");
}

/* The last test of a file of JavaScript. */
static void import_js(const char *js, unsigned count, check_import_result result)
{
    error e;
    if (!import_bytes(js, strlen(js), true, &e))
        fail_msg("%s: %s", js, e.text);
    assert_int_equal(last.count, count);
    if (last.count > 0 && last.result != result)
        fail_msg("%s: %d instead of %d: %s", js, (int)last.result, (int)result, last.text);
}

#define FINE TEST(INPUT, OUTPUT("[1, 2, 3, 4, 5, 6]", "[2, 3]", "float32"), OPERATOR("identity", ""))

static void test_javascript(void **state)
{
    (void)state;
    import_js("const a = [1, 'x', f(2)], b = 3;\nconst tests = [\n" FINE "\n ,\n ,\n" FINE ",,];", 2,
              CHECK_IMPORT_AGREES);
    import_js("const a = [{ name: 'x', input: 7 }];", 0, CHECK_IMPORT_AGREES);
    /* An expression that is no literal: its test is left out, the others stay. */
    import_js("const tests = [" FINE ",\n { name: 'x',\n graph: make([1, 2]) }];", 2, CHECK_IMPORT_UNREADABLE);
    assert_string_equal(last.name, "x");
    assert_string_equal(last.text, "x.js:3:9: expected a literal, found 'make'");
    import_js("const tests = [{ name: 'x', graph: make() },\n" FINE "];", 2, CHECK_IMPORT_AGREES);
    import_js("const tests = [" TEST(TENSOR("i", "[1, f(2)]", "[2]", "float32"), OUTPUT("[1, 2]", "[2]", "float32"),
                                     OPERATOR("identity", "")) "];",
              1, CHECK_IMPORT_UNREADABLE);
    assert_non_null(strstr(last.text, "expected a literal, found 'f'"));
    import_js("const tests = [" TEST(TENSOR("i", "[1, , 2]", "[3]", "float32"), OUTPUT("[1, 2, 2]", "[3]", "float32"),
                                     OPERATOR("identity", "")) "];",
              1, CHECK_IMPORT_UNREADABLE);
    /* One that is not needed is not looked at. */
    import_js("const tests = [{ skip: [f()], \"name\": \"t\", \"graph\": { \"inputs\": { " INPUT OUTPUT(
                  "[1, 2, 3, 4, 5, 6]", "[2, 3]", "float32") OPERATOR("identity", "") " ] } }];",
              1, CHECK_IMPORT_AGREES);
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

/* The test is left out, and the others stay. */
static void unread(const char *json, const char *message)
{
    error e;
    if (!import_bytes(json, strlen(json), false, &e))
        fail_msg("%s: %s", json, e.text);
    assert_int_equal(last.count, 1);
    assert_int_equal(last.result, CHECK_IMPORT_UNREADABLE);
    if (!strstr(last.text, message))
        fail_msg("%s: '%s' does not hold '%s'", json, last.text, message);
}

#define SLICE(starts) OPERATOR("slice", ", { \"starts\": " starts " }, { \"sizes\": [1, 1] }")

static void test_bad_input(void **state)
{
    (void)state;
    refuses("{", "x.json:1:");
    refuses("\n 7", "x.json:2:2: no test of WebNN");
    refuses("{ \"tests\": 7 }", "x.json:1:12: \"tests\" is no list");
    unread("[ { \"graph\": 7 } ]", "x.json:1:3: expected { \"name\"");
    unread(TEST("", OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "")),
           "x.json:1:1: graph.inputs.i: expected { \"data\"");
    unread(
        TEST(TENSOR("i", "[1, 2, 3]", "[2, 2]", "float32"), OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "")),
        "graph.inputs.i.data: 3 values, but the shape has 4 elements");
    unread(TEST(INPUT, OUTPUT("[1]", "[2]", "float32"), OPERATOR("identity", "")),
           "graph.expectedOutputs.o.data: 1 values, but the shape has 2 elements");
    unread(TEST(TENSOR("i", "\"x\"", "[1]", "float32"), OUTPUT("[1]", "[1]", "float32"), OPERATOR("identity", "")),
           "graph.inputs.i.data: expected a list of numbers");
    unread(TEST(TENSOR("i", "[300]", "[1]", "uint8"), OUTPUT("[1]", "[1]", "uint8"), OPERATOR("identity", "")), "300");
    unread(TEST(TENSOR("i", "[1]", "[-1]", "uint8"), OUTPUT("[1]", "[1]", "uint8"), OPERATOR("identity", "")),
           "graph.inputs.i.descriptor.shape: item 0 is no integer from 0 to 4294967295");
    unread(TEST(INPUT, OUTPUT("[\"x\"]", "[1, 1]", "float32"), SLICE("[0, 0]")), "no value of f32");
    unread(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), SLICE("[0]")),
           "starts: 1 numbers, but the input has 2 dimensions");
    unread(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), SLICE("[0, 0.5]")), "starts: item 1 is no integer");
    unread(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), SLICE("7")), "starts: expected a list of numbers");
    unread(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), SLICE("[0, 0]")), "the output has 1 dimensions, expected 2");
    unread(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"),
                OPERATOR("transpose", ", { \"options\": { \"permutation\": [1, 1] } }")),
           "permutation: expected each number below 2 once");
    unread(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), OPERATOR("expand", ", { \"newShape\": [4, 3] }")),
           "newShape: 4 along dimension 0, where the input has 2");
    unread(TEST(INPUT, OUTPUT("[1]", "[1, 1]", "float32"), OPERATOR("reverse", ", { \"options\": { \"axes\": [2] } }")),
           "axes: 2, but the input has 2 dimensions");
    unread(TEST(INPUT ", " TENSOR("n", "[2]", "[1]", "uint32"), OUTPUT("[1]", "[1, 1]", "float32"),
                OPERATOR("gather", ", { \"indices\": \"n\" }, { \"options\": { \"axis\": 2 } }")),
           "axis: expected an integer below the 2 dimensions of the input");
    unread(TEST(INPUT ", " TENSOR("n", "[1]", "[1]", "uint32"), OUTPUT("[1]", "[1, 1]", "float32"),
                OPERATOR("gatherElements", ", { \"indices\": \"n\" }")),
           "indices: expected the 2 dimensions of the input, not 1");
    unread(SCATTER("[7, 8, 9]", "[3]", "[1, 8, 3, 7, 5, 9]"), "updates: expected the 2 dimensions of the input, not 1");
    unread(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), OPERATOR("gather", "")),
           "{ \"indices\": ... } does not name an input");
    unread(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), "{ \"name\": \"identity\", \"arguments\": 7 }"),
           "operators[0].arguments: expected a list");
    unread(TEST(INPUT, OUTPUT("[1]", "[1]", "float32"), "{ \"name\": \"identity\", \"arguments\": [] }"),
           "operators[0].outputs: expected the name of one output");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_every_exported_operator),
        cmocka_unit_test(test_tuples),           cmocka_unit_test(test_joined_and_summed),
        cmocka_unit_test(test_blocks),           cmocka_unit_test(test_dynamic_shapes),
        cmocka_unit_test(test_javascript),       cmocka_unit_test(test_operators),
        cmocka_unit_test(test_scatter_elements), cmocka_unit_test(test_scalars_and_values),
        cmocka_unit_test(test_what_is_left_out), cmocka_unit_test(test_what_differs_is_illegal_or_open),
        cmocka_unit_test(test_bad_input),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    json_decref(last.record);
    return failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_file.h"
#include "harness/check/check_print.h"
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

/* ---- what a text comes to ---------------------------------------------------------------------------------- */

/* One item of a text: its answer, its clauses in order without repetition, and at which levels it is valid. */
typedef struct answer {
    char name[64], clauses[256], levels[160], note[512];
    evaluate_status status;
    bool known, judged, undecided;
    char broken[512];
    check_place place, first;   /* of the item, of its first violation */
    char legal[512], text[176]; /* of the first violation */
} answer;

static struct {
    answer list[16];
    size_t count;
    check_options options;
    error e;
} seen;

static bool see(void *context, const check_item *item, error *e)
{
    static ts_report report;
    answer *a = &seen.list[seen.count++];
    (void)context;
    (void)e;
    assert_true(seen.count <= 16);
    memset(a, 0, sizeof *a);
    snprintf(a->name, sizeof a->name, "%s", item->name ? item->name : "");
    strcpy(a->note, item->note);
    a->known = item->known;
    a->judged = item->judged;
    a->undecided = item->undecided;
    snprintf(a->broken, sizeof a->broken, "%s", item->broken ? item->broken : "");
    a->place = item->place;
    if (!item->known)
        return true;
    check_judge_item(item, &seen.options, 0, &report);
    a->status = check_status(&report);
    for (unsigned i = 0; i < report.count; ++i) {
        if (strstr(a->clauses, report.items[i].clause) == NULL) {
            strcat(a->clauses, a->clauses[0] ? " " : "");
            strcat(a->clauses, report.items[i].clause);
        }
    }
    if (report.count > 0) {
        a->first = check_violation_place(item, &report.items[0]);
        strcpy(a->text, report.items[0].text);
        check_violation_legal(item, &report.items[0], a->legal, sizeof a->legal);
    }
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    for (size_t i = 0; i < count; ++i) {
        check_judge_item(item, &seen.options, levels[i], &report);
        if (check_status(&report) == EVALUATE_OK) {
            strcat(a->levels, a->levels[0] ? " " : "");
            strcat(a->levels, tensor_level_name(levels[i]));
        }
    }
    return true;
}

static bool read_json(const char *text)
{
    check_file f;
    seen.count = 0;
    if (!check_file_copy(&f, "test.json", text, strlen(text), CHECK_DESCRIPTORS, &seen.e))
        return false;
    bool ok = check_file_visit(&f, &seen.options, see, NULL, &seen.e);
    check_file_close(&f);
    return ok;
}

static bool read_ir(const char *text)
{
    source_text t;
    seen.count = 0;
    assert_true(source_text_copy(&t, "test.xml", text, strlen(text), &seen.e));
    bool ok = check_read_ir(&t, NULL, &seen.options, see, NULL, &seen.e);
    source_text_free(&t);
    return ok;
}

static int reset(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    return 0;
}

/* Exactly these clauses, in the order of their report. */
static void breaks(const char *json, const char *clauses)
{
    if (!read_json(json))
        fail_msg("%s", seen.e.text);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.list[0].clauses, clauses);
}

/* Valid from a level on. */
static void valid_from(const char *json, const char *level)
{
    breaks(json, "");
    size_t n = strlen(level);
    if (strncmp(seen.list[0].levels, level, n) != 0)
        fail_msg("valid at %s, expected from %s", seen.list[0].levels, level);
    assert_non_null(strstr(seen.list[0].levels, "6_4"));
}

#define SLICE(in, out, rest)                                                                                           \
    "{\"type\":\"DML_OPERATOR_SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" in              \
    "},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" out "}," rest "}}"
#define WINDOW(offset, size, stride)                                                                                   \
    "\"InputWindowOffsets\":" offset ",\"InputWindowSizes\":" size ",\"InputWindowStrides\":" stride
#define GATHER(in, indices, out, rest)                                                                                 \
    "{\"type\":\"GATHER\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" in                           \
    "},\"IndicesTensor\":{\"DataType\":\"UINT32\",\"Sizes\":" indices                                                  \
    "},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" out "}," rest "}}"
#define STRIDED(rest) "{\"operator\":\"openvino.strided_slice\",\"descriptor\":{" rest "}}"

/* ---- the pages' own examples ------------------------------------------------------------------------------- */

static void examples_are_valid_from_their_level(void **state)
{
    (void)state;
    valid_from(SLICE("[1,1,4,4]", "[1,1,2,2]", WINDOW("[0,0,0,1]", "[1,1,4,3]", "[1,1,2,2]")), "2_1");
    valid_from(SLICE("[1,1,4,4]", "[1,1,2,2]", WINDOW("[0,0,0,1]", "[1,1,4,3]", "[1,1,-2,2]")), "2_1");
    valid_from(GATHER("[10]", "[3]", "[3]", "\"Axis\":0,\"IndexDimensions\":1"), "3_0");
    valid_from(GATHER("[3,2]", "[1,4]", "[4,2]", "\"Axis\":0,\"IndexDimensions\":1"), "3_0");
    valid_from(GATHER("[3,2]", "[1,2]", "[3,2]", "\"Axis\":1,\"IndexDimensions\":1"), "3_0");
    valid_from(GATHER("[1,1,1,10]", "[1,1,1,3]", "[1,1,1,3]", "\"Axis\":3,\"IndexDimensions\":1"), "1_0");
    valid_from(GATHER("[1,1,3,2]", "[1,1,1,4]", "[1,1,4,2]", "\"Axis\":2,\"IndexDimensions\":1"), "1_0");
    valid_from("{\"type\":\"DML_OPERATOR_RANDOM_GENERATOR\",\"desc\":{"
               "\"InputStateTensor\":{\"DataType\":\"UINT32\",\"Sizes\":[1,1,1,6]},"
               "\"OutputTensor\":{\"DataType\":\"UINT32\",\"Sizes\":[3,3,20,7219]},"
               "\"OutputStateTensor\":{\"DataType\":\"UINT32\",\"Sizes\":[1,1,1,6]},"
               "\"Type\":\"DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10\"}}",
               "3_0");
}

static void gather_example_3_as_printed_is_invalid(void **state)
{
    (void)state;
    breaks(GATHER("[3,2]", "[1,2]", "[3,2]", "\"Axis\":1,\"IndexDimensions\":2"), "GA-08");
    assert_string_equal(seen.list[0].legal,
                        "IndexDimensions = 1, or 1 more leading 1s on all tensors, and Axis increased by as many");
}

/* A message says which half of a clause is broken, and no hint breaks another clause. */
static void messages_name_what_is_wrong(void **state)
{
    (void)state;
    breaks(GATHER("[1,1,3]", "[1,1,2]", "[1,1,2]", "\"Axis\":0,\"IndexDimensions\":2"), "GA-08");
    assert_string_equal(seen.list[0].text, "IndexDimensions - 1 = 1 exceeds Axis = 0");
    breaks(SLICE("[4]", "[5]", WINDOW("[0]", "[4]", "[0]")), "SL-07 SL-08");
    breaks(SLICE("[4]", "[4]", WINDOW("[0]", "[4]", "[0]")), "SL-07");
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[4]},"
           "\"OutputTensor\":{\"DataType\":\"INT32\",\"Sizes\":[4]}," WINDOW("[0]", "[4]", "[1]") "}}",
           "SL-04");
    assert_string_equal(seen.list[0].text, "OutputTensor.DataType = INT32 differs from InputTensor.DataType = FLOAT32");
    breaks(STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"output\":{\"type\":\"i32\",\"shape\":[4]},"
                   "\"begin\":[0],\"end\":[4]"),
           "SS-14");
    assert_string_equal(seen.list[0].text, "output's type i32 differs from data's f32");
    assert_string_equal(seen.list[0].legal, "both of type f32");
    breaks(STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4611686018427387904,8]},\"begin\":[],\"end\":[]"), "SS-14");
    assert_string_equal(seen.list[0].text, "data spans more than 2^64 - 1 bytes");
}

static void masks_of_different_lengths(void **state)
{
    (void)state;
    static const char uneven[] = STRIDED("\"data\":{\"type\":\"i32\",\"shape\":[2,3,4]},\"begin\":[1,1,123],"
                                         "\"end\":[0,0,2],\"stride\":[1,1,-1],\"begin_mask\":[0,1,1],"
                                         "\"end_mask\":[1,1,1],\"new_axis_mask\":[0,0,0,0,0],"
                                         "\"shrink_axis_mask\":[0,0],\"ellipsis_mask\":[0]");
    breaks(uneven, "");
    assert_true(check_add_profile(&seen.options, "ov_equal_masks", &seen.e));
    breaks(uneven, "SS-03");
    assert_int_equal(seen.list[0].status, EVALUATE_INVALID);
}

static void strict_shrink(void **state)
{
    (void)state;
    static const char shrink[] = STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"begin\":[1],\"end\":[3],"
                                         "\"shrink_axis_mask\":[1]");
    breaks(shrink, "");
    assert_true(check_add_profile(&seen.options, "numpy,strict_shrink", &seen.e));
    breaks(shrink, "SS-09");
    assert_string_equal(seen.list[0].legal, "end[0] = 1");
    assert_false(check_add_profile(&seen.options, "strict_shrnk", &seen.e));
    assert_non_null(strstr(seen.e.text, "strict_shrink"));
}

static void profiles_decide_the_reverse_begin(void **state)
{
    (void)state;
    static const char reverse[] = STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"output\":{\"shape\":[1]},"
                                          "\"begin\":[-9],\"end\":[0],\"end_mask\":[1],\"stride\":[-1]");
    breaks(reverse, "");
    assert_true(check_add_profile(&seen.options, "numpy", &seen.e));
    breaks(reverse, "SS-12");
}

/* ---- every violated clause, in 64 bits --------------------------------------------------------------------- */

static void sums_that_wrap_in_32_bits(void **state)
{
    (void)state;
    breaks(SLICE("[4]", "[1]", WINDOW("[4294967295]", "[2]", "[1]")), "SL-05");
    breaks(SLICE("[4]", "[1]", WINDOW("[1]", "[4294967295]", "[1]")), "SL-05");
    assert_string_equal(seen.list[0].legal, "InputWindowSizes[0] = 1 to 3");
}

static void strides_whose_product_wraps(void **state)
{
    (void)state;
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[65537,65537],"
           "\"Strides\":[65536,65536],\"TotalTensorSizeInBytes\":64},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1]}," WINDOW("[0,0]", "[1,1]", "[1,1]") "}}",
           "BUF-11 BUF-10");
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2,2],"
           "\"Strides\":[4294967295,1],\"TotalTensorSizeInBytes\":8},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1]}," WINDOW("[0,0]", "[1,1]", "[1,1]") "}}",
           "BUF-11 BUF-10");
}

static void extreme_strides(void **state)
{
    (void)state;
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[-2147483648]")), "");
    breaks(SLICE("[4]", "[2]", WINDOW("[0]", "[4]", "[-2147483648]")), "SL-08");
    assert_string_equal(seen.list[0].legal, "OutputTensor.Sizes[0] = 1 to 1");
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[-9223372036854775808]")), "TYPE-01");
    breaks(SLICE("[4]", "[2]", WINDOW("[0]", "[4]", "[-9223372036854775808]")), "TYPE-01 SL-08");
    breaks(STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"output\":{\"shape\":[1]},\"begin\":[3],\"end\":[0],"
                   "\"end_mask\":[1],\"stride\":[-9223372036854775808]"),
           "");
}

/* Numbers that no descriptor can hold are judged all the same: as out of their field's range, and by what the nearest
   one in it breaks. */
static void numbers_beyond_their_fields(void **state)
{
    (void)state;
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[99999999999999999999]")), "TYPE-01");
    assert_int_equal(seen.list[0].status, EVALUATE_INVALID);
    assert_string_equal(seen.list[0].levels, "");
    assert_string_equal(seen.list[0].text,
                        "InputWindowStrides[0] = 99999999999999999999 is out of range: -2147483648 to "
                        "2147483647; judged as 2147483647");
    assert_int_equal(seen.list[0].first.column, 208);
    breaks(SLICE("[4]", "[1]", WINDOW("[-1]", "[4]", "[1]")), "TYPE-01");
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4294967296]", "[1]")), "TYPE-01 SL-05");
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[-1]", "[1]")), "TYPE-01 SL-06");
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[1e300]")), "TYPE-01");
    breaks(SLICE("[4,-1]", "[1,1]", WINDOW("[0,0]", "[4,1]", "[1,1]")), "TYPE-01 BUF-06");
    breaks(SLICE("[4,4294967296]", "[1,1]", WINDOW("[0,0]", "[4,1]", "[1,1]")), "TYPE-01 BUF-11");
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[1]") ",\"DimensionCount\":-1"), "TYPE-01");
    breaks(GATHER("[10]", "[3]", "[3]", "\"Axis\":-1,\"IndexDimensions\":1"), "TYPE-01");
    breaks(GATHER("[10]", "[3]", "[3]", "\"Axis\":4294967296,\"IndexDimensions\":1"), "TYPE-01 GA-05");
    breaks("{\"operator\":\"dml.slice1\",\"descriptor\":{\"DimensionCount\":-1,\"InputTensor\":{\"DataType\":\"UINT8\","
           "\"Sizes\":[4],\"DimensionCount\":4294967296,\"Strides\":[-1],\"TotalTensorSizeInBytes\":4,"
           "\"GuaranteedBaseOffsetAlignment\":-1,\"Flags\":-1}," WINDOW("[0]", "[4]", "[1]") "}}",
           "TYPE-01");
    breaks(STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"begin\":[-9223372036854775809],"
                   "\"end\":[9223372036854775808],\"begin_mask\":[256],\"end_mask\":[-1]"),
           "TYPE-01 SS-02");
    assert_true(
        read_ir("<layer type=\"StridedSlice\"><data begin_mask=\"99999999999999999999\"/><input>"
                "<port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\"><dim>1</dim>"
                "</port></input><output><port id=\"3\">\n<dim>-2</dim></port></output></layer>"));
    assert_string_equal(seen.list[0].clauses, "TYPE-01 SS-02");
    assert_int_equal(seen.list[0].first.line, 2);
}

static void eight_and_nine_dimensions(void **state)
{
    (void)state;
    valid_from(SLICE("[1,1,1,1,1,1,1,4]", "[1,1,1,1,1,1,1,4]",
                     WINDOW("[0,0,0,0,0,0,0,0]", "[1,1,1,1,1,1,1,4]", "[1,1,1,1,1,1,1,1]")),
               "3_0");
    breaks(SLICE("[1,1,1,1,1,1,1,1,4]", "[1,1,1,1,1,1,1,1,4]",
                 WINDOW("[0,0,0,0,0,0,0,0,0]", "[1,1,1,1,1,1,1,1,4]", "[1,1,1,1,1,1,1,1,1]")),
           "BUF-05");
    assert_string_equal(seen.list[0].levels, "");
}

static void zero_sizes_and_null_pointers(void **state)
{
    (void)state;
    breaks(SLICE("[2,0]", "[1,1]", WINDOW("[0,0]", "[1,1]", "[1,1]")), "BUF-06");
    breaks(SLICE("[2]", "[1]", WINDOW("[0]", "[0]", "[0]")), "SL-06 SL-07");
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":null," WINDOW("[0]", "[1]", "[1]") "}}", "SL-02");
    breaks(
        "{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"DimensionCount\":1,"
        "\"Sizes\":null},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1]}," WINDOW("[0]", "[1]", "[1]") "}}",
        "BUF-06");
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"Type\":\"BUFFER\",\"Desc\":null},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1]}," WINDOW("[0]", "[1]", "[1]") "}}",
           "BUF-01");
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"Sizes\":[1]},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1]}," WINDOW("[0]", "[1]", "[1]") "}}",
           "BUF-02 SL-04");
}

static void one_byte_short(void **state)
{
    (void)state;
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[4],"
           "\"TotalTensorSizeInBytes\":15},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1],"
           "\"TotalTensorSizeInBytes\":5}," WINDOW("[0]", "[1]", "[1]") "}}",
           "BUF-10 BUF-13");
    assert_string_equal(seen.list[0].legal, "InputTensor.TotalTensorSizeInBytes >= 16");
}

static void several_clauses_are_all_reported(void **state)
{
    (void)state;
    breaks("{\"type\":\"SLICE1\",\"desc\":{"
           "\"InputTensor\":{\"DataType\":\"FLOAT64\",\"Sizes\":[1,1,0,4]},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,2,2],\"Strides\":[4,4,0,1],"
           "\"TotalTensorSizeInBytes\":3}," WINDOW("[0,0,0,4294967295]", "[1,0,4,2]", "[1,1,0,-2147483648]") "}}",
           "BUF-06 BUF-12 BUF-10 SL-04 SL-06 SL-07 SL-05 SL-08");
}

static void overlap_is_a_policy(void **state)
{
    (void)state;
    static const char overlap[] =
        "{\"type\":\"ELEMENT_WISE_IDENTITY\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},"
        "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2],\"Strides\":[0]}}}";
    breaks(overlap, "BUF-12");
    seen.options.allow_overlap = true;
    breaks(overlap, "");
}

static void ambiguous_is_not_invalid(void **state)
{
    (void)state;
    breaks(GATHER("[3,2]", "[3,2]", "[3,2]", "\"Axis\":1,\"IndexDimensions\":1"), "GA-07");
    assert_int_equal(seen.list[0].status, EVALUATE_OK);
}

/* ---- DxDispatch's ways ------------------------------------------------------------------------------------- */

static void models_of_several_operators(void **state)
{
    (void)state;
    assert_true(read_json(
        "{ \"resources\": {}, // names\n \"commands\": [],\n \"dispatchables\": {\n"
        "  \"a\": " SLICE(
            "[4]", "[5]",
            WINDOW("[0]", "[4]",
                   "[1]")) ",\n"
                           "  \"b\": { \"type\": \"hlsl\", \"sourcePath\": \"x\" }, /* two\n lines */\n"
                           "  \"c\\u0041\": { \"type\": \"DML_OPERATOR_CONVOLUTION\", \"desc\": {}, },\n }, }"));
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.list[0].name, "a");
    assert_string_equal(seen.list[0].clauses, "SL-08");
    assert_int_equal(seen.list[0].place.line, 4);
    assert_int_equal(seen.list[0].place.column, 8);
    assert_int_equal(seen.list[0].first.line, 4);
    assert_true(seen.list[0].first.column > 100);
    assert_false(seen.list[1].known);
    assert_int_equal(seen.list[2].place.line, 7);
    assert_string_equal(seen.list[2].name, "cA");
}

static void what_dxdispatch_infers(void **state)
{
    (void)state;
    breaks("{\"Type\":\"DML_OPERATOR_SLICE1\",\"Desc\":{\"InputTensor\":{\"DataType\":\"DML_TENSOR_DATA_TYPE_UINT8\","
           "\"Flags\":[\"NONE\",\"DML_TENSOR_FLAG_OWNED_BY_DML\"],\"Sizes\":[3],\"Strides\":[],"
           "\"TotalTensorSizeInBytes\":0},\"OutputTensor\":{\"DataType\":\"UINT8\",\"Sizes\":[3],"
           "\"Flags\":\"OWNED_BY_DML\"},\"DimensionCount\":1," WINDOW("[0]", "[3]", "[1]") "}}",
           "BUF-04");
    breaks("{\"type\":\"ELEMENT_WISE_IDENTITY\",\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2],"
           "\"Sises\":[3]},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},\"ScaleBias\":{\"Scale\":1}}",
           "");
    assert_non_null(
        strstr(seen.list[0].note, "InputTensor.Sises is not known here and was ignored; did you mean Sizes?"));
    assert_non_null(strstr(seen.list[0].note, "desc.ScaleBias is not judged here"));
    assert_true(seen.list[0].undecided);
}

/* ---- broken files ------------------------------------------------------------------------------------------ */

static void refused(const char *json, const char *message)
{
    assert_false(read_json(json));
    assert_int_equal(seen.e.status, EXIT_BAD_USAGE);
    if (!strstr(seen.e.text, message))
        fail_msg("\"%s\" has no \"%s\"", seen.e.text, message);
}

static void broken_json(void **state)
{
    (void)state;
    char deep[200];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    refused("", "test.json:1:1: expected a value, found the end");
    refused("{\"a\":1", "test.json:1:1: this record does not end");
    refused("{\n  \"a\": [1,\n 2}", "test.json:3:3: expected ',' or ']', found '}'");
    refused(deep, "test.json:1:65: brackets within brackets, deeper than 64");
    refused("{\"a\": NaN}", "no NaN");
    refused("{\"a\": 01}", "leading zero");
    refused("{\"a\": \"\xff\"}", "test.json:1:8: byte 0xff is no UTF-8");
    refused("{\"a\": \"\xc0\x80\"}", "is no UTF-8");
    refused("\xff\xfe{", "UTF-16");
    refused("{\"a\": \"b", "a string that does not end");
    refused("{} {}", "expected the end behind the value");
    refused("/* {}", "a comment that does not end");
    refused("{\"dispatchables\":{\"a\":{\"type\":\"x\"},\"a\":{\"type\":\"x\"}}}", "two dispatchables named \"a\"");
    refused("{\"dispatchables\":{}}", "no descriptor in it");
    refused("{\"dispatchables\":[]}", "is no record of operators by name");
    refused("[]", "no descriptor in it");
    refused("{\"a\":1}", "no descriptor: expected a DxDispatch model");
    refused("{\"type\":\"SLICE1\",\"desc\":{\"a\":1,\"a\":2}}", "test.json:1:32: \"a\" is given twice");
    refused("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"Sizes\":[1e400]}}}", "real number overflow");
    refused("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT31\",\"Sizes\":[1]}}}",
            "test.json:1:52: InputTensor.DataType");
    refused("{\"operator\":\"dml.slice2\"}", "did you mean \"dml.slice1\"");
    refused("{\"operator\":\"dml.slice1\",\"operator\":\"dml.slice1\"}", "operator is given twice");
}

/* Where one descriptor cannot be read, the others still are. */
static void reading_goes_on_behind_a_mistake(void **state)
{
    (void)state;
    seen.options.go_on = true;
    assert_true(read_json(
        "{\"dispatchables\":{\n\"a\":{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":"
        "\"FLOAT\",\"Sizes\":[1]}}},\n\"b\":7,\n\"c\":{},\n\"d\":{\"type\":\"dml_operator_slice\"},\n\"e\":" SLICE(
            "[4]", "[5]", WINDOW("[0]", "[4]", "[1]")) "}}"));
    assert_int_equal(seen.count, 5);
    assert_string_equal(seen.list[0].name, "a");
    assert_non_null(strstr(seen.list[0].broken, "InputTensor.DataType: no data type \"FLOAT\" (did you mean"));
    assert_null(strstr(seen.list[0].broken, "bf16")); /* no type of DirectML */
    assert_int_equal(seen.list[0].place.line, 2);
    assert_int_equal(seen.list[0].place.column, 56);
    assert_string_equal(seen.list[2].broken, "an operator without \"type\"");
    assert_non_null(strstr(seen.list[3].note, "did you mean DML_OPERATOR_SLICE1?"));
    assert_string_equal(seen.list[4].clauses, "SL-08");
    assert_true(read_json("[ { \"operator\": \"dml.gather\" }, 3, { \"operator\": \"dml.gathre\" } ]"));
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.list[0].broken, "descriptor is missing");
    assert_true(read_json("{\"dispatchables\":{}}"));
    assert_int_equal(seen.count, 0);
    assert_true(read_ir("<net/>"));
    assert_int_equal(seen.count, 0);
    assert_true(
        read_ir("<layer type=\"StridedSlice\"><data begin_mask=\"0 0\"/></layer>\n<layer "
                "type=\"StridedSlice\"><input><port id=\"0\">\n<dim>two</dim></port></input></layer>\n"
                "<layer type=\"StridedSlice\"><data BEGIN_MASK=\"1\"/><input><port id=\"0\" precision=\"FP99\">"
                "<dim>2</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\"><dim>1</dim></port></input>"
                "</layer>"));
    assert_int_equal(seen.count, 3);
    assert_non_null(strstr(seen.list[0].broken, "with commas between them"));
    assert_non_null(strstr(seen.list[1].broken, "that is no size"));
    assert_int_equal(seen.list[1].place.line, 3);
    assert_true(seen.list[2].undecided);
    assert_non_null(strstr(seen.list[2].note, "BEGIN_MASK is not one of StridedSlice and was ignored; did you mean"));
    assert_non_null(strstr(seen.list[2].note, "FP99"));
}

/* Lists that do not fit each other are a clause, not the end. */
static void lists_of_lengths_that_do_not_fit(void **state)
{
    (void)state;
    breaks(SLICE("[1,4]", "[1,4]", WINDOW("[0,0]", "[1,4]", "[1]")), "TYPE-02");
    assert_string_equal(seen.list[0].text, "InputWindowOffsets has 2 values, but InputWindowStrides has 1");
    breaks(SLICE("[4],\"Strides\":[4,1]", "[4]", WINDOW("[0]", "[4]", "[1]")), "TYPE-02");
    assert_string_equal(seen.list[0].text, "InputTensor.Strides has 2 values, but InputTensor.Sizes has 1");
    breaks(SLICE("[4],\"DimensionCount\":3", "[4]", WINDOW("[0]", "[4]", "[1]")), "TYPE-02");
    breaks(SLICE("[4]", "[4]", WINDOW("[0]", "[4]", "[1]") ",\"DimensionCount\":3"), "TYPE-02");
    assert_int_equal(seen.list[0].status, EVALUATE_INVALID);
}

/* ---- OpenVINO ---------------------------------------------------------------------------------------------- */

static void snippets_of_the_page(void **state)
{
    (void)state;
    assert_true(read_ir("<layer ... type=\"StridedSlice\" ...>\n <data begin_mask=\"0,1,1\" end_mask=\"1,1,1\" "
                        "new_axis_mask=\"0,0,0,0,0\" shrink_axis_mask=\"0,0\" ellipsis_mask=\"0\" />\n <input>"
                        "<port id=\"0\"><dim>2</dim><dim>3</dim><dim>4</dim></port>"
                        "<port id=\"1\"><dim>3</dim> <!-- begin: [1, 1, 123] --></port>"
                        "<port id=\"2\"><dim>3</dim></port><port id=\"3\"><dim>3</dim></port></input>\n"
                        "<output><port id=\"4\"><dim>1</dim><dim>3</dim>\n<dim>3</dim></port></output></layer>\n"
                        "<layer type=\"StridedSlice\"><input><port id=\"0\"><dim>2</dim></port>"
                        "<port id=\"1\"><dim>2</dim></port><port id=\"2\"><dim>2</dim></port></input>"
                        "<output><port id=\"3\"><dim>2</dim></port></output></layer>"));
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.list[0].clauses, "");
    assert_non_null(strstr(seen.list[0].note, "stride is not in the file: no edge leads to it"));
    assert_int_equal(seen.list[0].place.column, 1);
    assert_string_equal(seen.list[1].clauses, "SS-06");
    assert_int_equal(seen.list[1].place.line, 6);
    assert_true(check_add_profile(&seen.options, "ov_equal_masks", &seen.e));
    assert_true(read_ir("<layer type=\"StridedSlice\"><data begin_mask=\"0,1\" end_mask=\"1\" shrink_axis_mask=\"\"/>"
                        "<input><port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>1</dim></port>"
                        "<port id=\"2\"><dim>1</dim></port></input></layer>"));
    assert_string_equal(seen.list[0].clauses, "SS-03");
}

static void pages_of_examples(void **state)
{
    (void)state;
    static const char *const clauses[] = { "", "", "", "", "", "", "", "SS-12" }; /* the last one is E-SS-14 */
    error e;
    seen.count = 0;
    assert_true(check_read_file(TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/ir/page_all.xml", &seen.options, see, NULL, &e));
    assert_int_equal(seen.count, 8);
    for (size_t i = 0; i < 8; ++i)
        assert_string_equal(seen.list[i].clauses, clauses[i]);
}

static void constants_and_edges(void **state)
{
    (void)state;
    error e;
    seen.count = 0;
    assert_true(check_read_file(TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/ir/model.xml", &seen.options, see, NULL, &e));
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.list[0].note, "");
    assert_string_equal(seen.list[0].clauses, "");
    assert_string_equal(seen.list[1].clauses, "SS-12");
    assert_int_equal(seen.list[1].first.line, 88);
    assert_string_equal(seen.list[2].clauses, "SS-09");
    assert_string_equal(seen.list[2].legal, "begin[1] = -3 to 2");
}

static void broken_ir(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        { "", "no element found" },
        { "<net><layers><layer type=\"StridedSlice\"></net>", "mismatched tag" },
        { "<!DOCTYPE a [<!ENTITY b \"c\">]><net/>", "document type declaration" },
        { "<net/>", "no StridedSlice layer in it" },
        { "<layer type=\"StridedSlice\"><input><port><dim>two</dim></port></input></layer>", "is no size" },
        { "<layer type=\"StridedSlice\"><data begin_mask=\"0;1\"/></layer>", "is no list of integers" },
        { "<layer id=\"x\" type=\"StridedSlice\"/>", "is no number" },
        { "<net><layers><layer id=\"0\" type=\"Const\"><data offset=\"0\"/></layer><layer id=\"1\" "
          "type=\"StridedSlice\"><input><port id=\"0\"/><port id=\"1\"/></input></layer></layers><edges><edge "
          "from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"1\"/></edges></net>",
          "offset and size" },
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        assert_false(read_ir(files[i][0]));
        assert_int_equal(seen.e.status, EXIT_BAD_USAGE);
        if (!strstr(seen.e.text, files[i][1]))
            fail_msg("\"%s\" has no \"%s\"", seen.e.text, files[i][1]);
    }
    static const char *const nested[] = { "<layer/>", "<port/>", "<layer type=\"StridedSlice\"/>" };
    for (size_t i = 0; i < 3; ++i) { /* what belongs elsewhere, within a dimension */
        char text[256];
        snprintf(text, sizeof text,
                 "<layer type=\"StridedSlice\"><input><port id=\"0\"><dim>2%s</dim></port></input>"
                 "</layer>",
                 nested[i]);
        assert_true(read_ir(text));
    }
    char deep[4096] = "";
    for (int i = 0; i < 300; ++i)
        strcat(deep, "<a>");
    assert_false(read_ir(deep));
    assert_non_null(strstr(seen.e.text, "deeper than 256"));
}

static void constants_beyond_the_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/check_test_XXXXXX", path[64];
    error e;
    assert_int_equal(testing_folder(folder), 0);
    snprintf(path, sizeof path, "%s/m.xml", folder);
    FILE *file = fopen(path, "w");
    fputs("<net><layers><layer id=\"0\" type=\"Const\"><data element_type=\"i64\" shape=\"1\" "
          "offset=\"18446744073709551615\" size=\"8\"/></layer>\n<layer id=\"1\" type=\"StridedSlice\"><input>"
          "<port id=\"0\"><dim>2</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\"><dim>1</dim></port>"
          "</input></layer></layers><edges><edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"1\"/>"
          "</edges></net>",
          file);
    fclose(file);
    seen.count = 0;
    assert_true(check_read_file(path, &seen.options, see, NULL, &e)); /* without the .bin: not known */
    assert_non_null(strstr(seen.list[0].note, "m.bin: No such file or directory"));
    char bin[64];
    snprintf(bin, sizeof bin, "%s/m.bin", folder);
    file = fopen(bin, "w");
    fputs("12345678", file);
    fclose(file);
    assert_false(check_read_file(path, &seen.options, see, NULL, &e));
    assert_non_null(strstr(e.text, ":1:14: a Const layer in bytes 18446744073709551615"));
    unlink(path);
    unlink(bin);
    rmdir(folder);
}

/* ---- formats ----------------------------------------------------------------------------------------------- */

static char *print_as(check_format format, const char *json)
{
    static check_printer p;
    static check_options o;
    check_file f;
    error e;
    memset(&p, 0, sizeof p);
    p.o = &o;
    p.format = format;
    p.to = platform_temporary_file();
    assert_non_null(p.to);
    check_print_begin(&p);
    assert_true(check_file_copy(&f, "a b.json", json, strlen(json), CHECK_DESCRIPTORS, &e));
    assert_true(check_file_visit(&f, &o, check_print_item, &p, &e));
    check_print_end(&p);
    check_file_close(&f);
    return testing_end_text(p.to);
}

static const char two[] = "{\"dispatchables\":{\n\"x\\\"\\u0007\":" SLICE(
    "[4]", "[5]", WINDOW("[0]", "[4]", "[1]")) ",\n\"y\":{\"type\":\"JOIN\"}}}";

static void json_is_json(void **state)
{
    (void)state;
    char *text = print_as(CHECK_JSON, two);
    json_t *list = json_loads(text, 0, NULL), *item = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(item, "name")), "x\"\a");
    assert_string_equal(json_string_value(json_object_get(item, "status")), "invalid");
    assert_int_equal(json_integer_value(json_object_get(item, "line")), 2);
    assert_string_equal(json_string_value(json_object_get(json_object_get(item, "levels"), "2_0")), "invalid");
    json_t *v = json_array_get(json_object_get(item, "violations"), 0);
    assert_string_equal(json_string_value(json_object_get(v, "clause")), "SL-08");
    assert_string_equal(json_string_value(json_object_get(v, "legal")), "OutputTensor.Sizes[0] = 1 to 4");
    assert_int_equal(json_integer_value(json_object_get(v, "axis")), 0);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "status")), "unknown operator");
    json_decref(list);
    free(text);
}

static void sarif_has_its_structure(void **state)
{
    (void)state;
    char *text = print_as(CHECK_SARIF, two);
    json_t *log = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(log);
    assert_string_equal(json_string_value(json_object_get(log, "version")), "2.1.0");
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    json_t *rules = json_object_get(driver, "rules"), *results = json_object_get(run, "results");
    assert_string_equal(json_string_value(json_object_get(driver, "name")), "touchstone");
    assert_true(json_array_size(rules) > 60);
    for (size_t i = 0; i < json_array_size(rules); ++i) { /* ids are unique */
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(json_string_value(json_object_get(json_array_get(rules, i), "id")),
                                    json_string_value(json_object_get(json_array_get(rules, j), "id")));
    }
    assert_int_equal(json_array_size(results), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(results, 1), "ruleId")), "unknown operator");
    json_t *result = json_array_get(results, 0);
    json_t *rule = json_array_get(rules, (size_t)json_integer_value(json_object_get(result, "ruleIndex")));
    assert_string_equal(json_string_value(json_object_get(rule, "id")), "SL-08");
    assert_string_equal(json_string_value(json_object_get(result, "ruleId")), "SL-08");
    assert_string_equal(json_string_value(json_object_get(result, "level")), "error");
    assert_non_null(json_string_value(json_object_get(json_object_get(result, "message"), "text")));
    json_t *location = json_array_get(json_object_get(result, "locations"), 0);
    json_t *physical = json_object_get(location, "physicalLocation");
    json_t *region = json_object_get(physical, "region");
    assert_string_equal(json_string_value(json_object_get(json_object_get(physical, "artifactLocation"), "uri")),
                        "a%20b.json");
    assert_int_equal(json_integer_value(json_object_get(region, "startLine")), 2);
    assert_true(json_integer_value(json_object_get(region, "startColumn")) > 1);
    json_decref(log);
    free(text);
}

static void drawings_mark_the_axis(void **state)
{
    (void)state;
    char *stride = print_as(CHECK_TEXT, SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[0]")));
    assert_non_null(strstr(stride, "    InputTensor FLOAT32     4\n    OutputTensor")); /* it is the stride's fault */
    assert_non_null(strstr(stride, "    InputWindowStrides      0\n                            ^  SL-07\n"));
    free(stride);
    char *text = print_as(CHECK_TEXT, two);
    assert_non_null(strstr(text, "a b.json:2:13: x\"?: dml.slice1: invalid"));
    assert_non_null(strstr(text, "    OutputTensor FLOAT32    5\n                            ^  SL-08\n"));
    assert_non_null(strstr(text, "clause: 1 <= OutputTensor.Sizes[i]"));
    assert_non_null(strstr(text, "page:   DML_SLICE1_OPERATOR_DESC, Description"));
    assert_non_null(strstr(text, "legal:  OutputTensor.Sizes[0] = 1 to 4"));
    assert_non_null(strstr(text, "    1_0 to 2_0  invalid: SL-01 SL-08\n"));
    assert_non_null(
        strstr(text, "2 descriptors: 0 valid, 1 invalid\n1 not fully judged: 1 of an unknown operator (JOIN 1)\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(examples_are_valid_from_their_level, reset),
        cmocka_unit_test_setup(gather_example_3_as_printed_is_invalid, reset),
        cmocka_unit_test_setup(messages_name_what_is_wrong, reset),
        cmocka_unit_test_setup(masks_of_different_lengths, reset),
        cmocka_unit_test_setup(strict_shrink, reset),
        cmocka_unit_test_setup(profiles_decide_the_reverse_begin, reset),
        cmocka_unit_test_setup(sums_that_wrap_in_32_bits, reset),
        cmocka_unit_test_setup(strides_whose_product_wraps, reset),
        cmocka_unit_test_setup(extreme_strides, reset),
        cmocka_unit_test_setup(numbers_beyond_their_fields, reset),
        cmocka_unit_test_setup(eight_and_nine_dimensions, reset),
        cmocka_unit_test_setup(zero_sizes_and_null_pointers, reset),
        cmocka_unit_test_setup(one_byte_short, reset),
        cmocka_unit_test_setup(several_clauses_are_all_reported, reset),
        cmocka_unit_test_setup(overlap_is_a_policy, reset),
        cmocka_unit_test_setup(ambiguous_is_not_invalid, reset),
        cmocka_unit_test_setup(models_of_several_operators, reset),
        cmocka_unit_test_setup(what_dxdispatch_infers, reset),
        cmocka_unit_test_setup(broken_json, reset),
        cmocka_unit_test_setup(reading_goes_on_behind_a_mistake, reset),
        cmocka_unit_test_setup(lists_of_lengths_that_do_not_fit, reset),
        cmocka_unit_test_setup(snippets_of_the_page, reset),
        cmocka_unit_test_setup(pages_of_examples, reset),
        cmocka_unit_test_setup(constants_and_edges, reset),
        cmocka_unit_test_setup(broken_ir, reset),
        cmocka_unit_test_setup(constants_beyond_the_file, reset),
        cmocka_unit_test_setup(json_is_json, reset),
        cmocka_unit_test_setup(sarif_has_its_structure, reset),
        cmocka_unit_test_setup(drawings_mark_the_axis, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

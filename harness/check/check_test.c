/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_testing.h"
#include "harness/check/check_file.h"

#include <stdlib.h>

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

/* The text has one descriptor, which breaks exactly these clauses, in this order. */
static void breaks(const char *json, const char *clauses)
{
    if (!read_json(json))
        fail_msg("%s", seen.e.text);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.list[0].clauses, clauses);
}

/* The descriptor is valid from this level on. */
static void valid_from(const char *json, const char *level)
{
    breaks(json, "");
    size_t n = strlen(level);
    if (strncmp(seen.list[0].levels, level, n) != 0)
        fail_msg("valid at %s, expected from %s", seen.list[0].levels, level);
    assert_non_null(strstr(seen.list[0].levels, "6_4"));
}

#define GATHER(in, indices, out, rest)                                                                                 \
    "{\"type\":\"GATHER\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" in                           \
    "},\"IndicesTensor\":{\"DataType\":\"UINT32\",\"Sizes\":" indices                                                  \
    "},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" out "}," rest "}}"
#define STRIDED(rest) "{\"operator\":\"openvino.strided_slice\",\"descriptor\":{" rest "}}"

/* ---- the pages' own examples ------------------------------------------------------------------------------- */

static void operators_have_other_names(void **state)
{
    (void)state;
    static const char *const names[] = { "SCATTER", "SCATTER_ELEMENTS" }; /* two names of one operator */
    for (unsigned i = 0; i < 2; ++i) {
        char text[700];
        snprintf(text, sizeof text,
                 "{\"type\":\"DML_OPERATOR_%s\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3]},"
                 "\"IndicesTensor\":{\"DataType\":\"INT64\",\"Sizes\":[2]},"
                 "\"UpdatesTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},"
                 "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3]},\"Axis\":0}}",
                 names[i]);
        valid_from(text, "3_0");
    }
}

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
                        "IndexDimensions = 1, or one leading 1 more in the sizes of every tensor and Axis = 2 and "
                        "OutputTensor.Sizes = {3,1,2}");
}

#define ELEMENTS(in, indices, out, axis)                                                                               \
    "{\"type\":\"GATHER_ELEMENTS\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" in                  \
    "},\"IndicesTensor\":{\"DataType\":\"UINT32\",\"Sizes\":" indices                                                  \
    "},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" out "},\"Axis\":" axis "}}"

static void gather_elements_takes_indices_of_its_own(void **state)
{
    (void)state;
    valid_from(ELEMENTS("[3,3]", "[2,3]", "[2,3]", "0"), "3_0");
    valid_from(ELEMENTS("[1,1,3,3]", "[1,1,2,3]", "[1,1,2,3]", "2"), "2_1");
    breaks(ELEMENTS("[3,3]", "[2,3]", "[2,3]", "2"), "GE-05");
    assert_string_equal(seen.list[0].legal, "Axis = 0"); /* along axis 1, the indices are too few */
    breaks(ELEMENTS("[3,3]", "[2,2]", "[2,2]", "0"), "GE-06");
    assert_string_equal(seen.list[0].legal, "IndicesTensor.Sizes[1] and OutputTensor.Sizes[1] = 3");
    breaks(ELEMENTS("[3,3]", "[2,3]", "[3,3]", "0"), "GE-07");
}

/* The message names the part of the clause that is broken, and no suggestion breaks another clause. */
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
    assert_string_equal(seen.list[0].legal, "output of type f32");
    breaks(STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4611686018427387904,8]},\"begin\":[],\"end\":[]"), "SS-14");
    assert_string_equal(seen.list[0].text, "data spans more than 2^64 - 1 elements");
}

/* What a clause suggests is tried: types that are none, and dimension counts that no longer fit, are not. */
static void suggestions_are_tried(void **state)
{
    (void)state;
    breaks(GATHER("[1,1,3,4]", "[2]", "[1,1,2,4]", "\"Axis\":2,\"IndexDimensions\":1"), "GA-02");
    assert_string_equal(seen.list[0].legal, "IndicesTensor of 4 dimensions");
    breaks("{\"type\":\"GATHER_ND\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3,4]},"
           "\"IndicesTensor\":{\"DataType\":\"UINT32\",\"Sizes\":[2]},\"OutputTensor\":{\"DataType\":\"FLOAT32\","
           "\"Sizes\":[1,1]},\"InputDimensionCount\":2,\"IndicesDimensionCount\":1}}",
           "ND-02");
    assert_string_equal(seen.list[0].legal, "IndicesTensor of 2 dimensions");
    breaks("{\"type\":\"SCATTER_ND\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3,4]},"
           "\"IndicesTensor\":{\"DataType\":\"UINT32\",\"Sizes\":[2]},\"UpdatesTensor\":{\"DataType\":\"FLOAT32\","
           "\"Sizes\":[1,1]},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3,4]},"
           "\"InputDimensionCount\":2,\"IndicesDimensionCount\":1}}",
           "SN-02");
    assert_string_equal(seen.list[0].legal, "IndicesTensor of 2 dimensions");
    breaks("{\"type\":\"JOIN\",\"desc\":{\"InputTensors\":[{\"DataType\":\"FLOAT32\",\"Sizes\":[2,3]},"
           "{\"DataType\":\"FLOAT32\",\"Sizes\":[3]}],\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[3,3]},"
           "\"Axis\":0}}",
           "JO-04");
    assert_memory_equal(seen.list[0].legal, "InputTensors[1] of 2 dimensions", 31);
    breaks("{\"type\":\"ELEMENT_WISE_IDENTITY\",\"desc\":{\"InputTensor\":{\"DataType\":\"UNKNOWN\",\"Sizes\":[2]},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]}}}",
           "BUF-02 EI-02");
    assert_string_equal(seen.list[0].legal, "InputTensor of type FLOAT32");
    breaks("{\"type\":\"REDUCE\",\"desc\":{\"Function\":\"SUM\",\"InputTensor\":{\"DataType\":\"FLOAT32\","
           "\"Sizes\":[1,3,4,4]},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,3,4,1]},\"Axes\":[-1]}}",
           "TYPE-01");
    assert_string_equal(seen.list[0].legal, "Axes[0] = 3"); /* counted from the end */
}

static void masks_of_different_lengths_are_legal(void **state)
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

static void strict_shrink_compares_begin_and_end(void **state)
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

static void profile_decides_the_begin_of_a_reverse_range(void **state)
{
    (void)state;
    static const char reverse[] = STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"output\":{\"shape\":[1]},"
                                          "\"begin\":[-9],\"end\":[0],\"end_mask\":[1],\"stride\":[-1]");
    breaks(reverse, "");
    assert_true(check_add_profile(&seen.options, "numpy", &seen.e));
    breaks(reverse, "SS-19");
}

/* ---- every violated clause, in 64 bits --------------------------------------------------------------------- */

static void window_sums_are_64_bit(void **state)
{
    (void)state;
    breaks(SLICE("[4]", "[1]", WINDOW("[4294967295]", "[2]", "[1]")), "SL-05");
    breaks(SLICE("[4]", "[1]", WINDOW("[1]", "[4294967295]", "[1]")), "SL-05");
    assert_string_equal(seen.list[0].legal, "InputWindowSizes[0] = 1 to 3");
}

static void stride_products_do_not_wrap(void **state)
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

static void extreme_strides_are_judged(void **state)
{
    (void)state;
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[-2147483648]")), "");
    breaks(SLICE("[4]", "[2]", WINDOW("[0]", "[4]", "[-2147483648]")), "SL-08");
    assert_string_equal(seen.list[0].legal, "OutputTensor.Sizes[0] = 1");
    breaks(SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[-9223372036854775808]")), "TYPE-01");
    breaks(SLICE("[4]", "[2]", WINDOW("[0]", "[4]", "[-9223372036854775808]")), "TYPE-01 SL-08");
    breaks(STRIDED("\"data\":{\"type\":\"f32\",\"shape\":[4]},\"output\":{\"shape\":[1]},\"begin\":[3],\"end\":[0],"
                   "\"end_mask\":[1],\"stride\":[-9223372036854775808]"),
           "");
}

/* Numbers that no descriptor can hold break the range clause; the clauses that the nearest legal number breaks are
   reported as well. */
static void numbers_beyond_their_fields_break_the_range_clause(void **state)
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

static void more_than_eight_dimensions_are_refused(void **state)
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

static void zero_sizes_and_null_pointers_are_refused(void **state)
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

static void a_tensor_one_byte_short_is_refused(void **state)
{
    (void)state;
    breaks("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[4],"
           "\"TotalTensorSizeInBytes\":15},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1],"
           "\"TotalTensorSizeInBytes\":5}," WINDOW("[0]", "[1]", "[1]") "}}",
           "BUF-10 BUF-13");
    assert_string_equal(seen.list[0].legal, "InputTensor.TotalTensorSizeInBytes = 16 or more");
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

static void overlap_can_be_allowed(void **state)
{
    (void)state;
    static const char overlap[] =
        "{\"type\":\"ELEMENT_WISE_IDENTITY\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},"
        "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2],\"Strides\":[0]}}}";
    breaks(overlap, "BUF-12");
    seen.options.allow_overlap = true;
    breaks(overlap, "");
}

static void open_results_are_not_invalid(void **state)
{
    (void)state;
    breaks(GATHER("[3,2]", "[3,2]", "[3,2]", "\"Axis\":1,\"IndexDimensions\":1"), "GA-07");
    assert_int_equal(seen.list[0].status, EVALUATE_OPEN);
}

/* ---- DxDispatch's ways ------------------------------------------------------------------------------------- */

static void models_hold_several_operators(void **state)
{
    (void)state;
    assert_true(
        read_json("{ \"resources\": {}, // names\n \"commands\": [],\n \"dispatchables\": {\n"
                  "  \"a\": " SLICE(
                      "[4]", "[5]",
                      WINDOW("[0]", "[4]",
                             "[1]")) ",\n"
                                     "  \"b\": { \"type\": \"hlsl\", \"sourcePath\": \"x\" }, /* two\n lines */\n"
                                     "  \"c\\u0041\": { \"type\": \"DML_OPERATOR_NO_SUCH\", \"desc\": {}, },\n }, }"));
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

static void omitted_fields_are_inferred_as_by_dxdispatch(void **state)
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
    assert_non_null(strstr(seen.list[0].note, "InputTensor.Sises is not known here and was ignored"));
    assert_null(strstr(seen.list[0].note, "did you mean Sizes")); /* they are given */
    assert_non_null(strstr(seen.list[0].note, "desc.ScaleBias is not judged here: it is no record of Scale and Bias"));
    assert_true(seen.list[0].undecided);
    breaks("{\"type\":\"ELEMENT_WISE_IDENTITY\",\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},"
           "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},\"ScaleBias\":{\"Scale\":1,\"Bias\":0.5}}",
           "");
    assert_non_null(strstr(seen.list[0].note, "desc.ScaleBias is given, with which nothing is computed here"));
    assert_false(seen.list[0].undecided);
    breaks("{\"type\":\"ELEMENT_WISE_IDENTITY\",\"InputTensor\":{\"DataType\":\"INT64\",\"Sizes\":[2]},"
           "\"OutputTensor\":{\"DataType\":\"INT64\",\"Sizes\":[2]},\"ScaleBias\":{\"Scale\":1,\"Bias\":0}}",
           "");
    assert_true(seen.list[0].undecided);
}

#define IDENTITY(type, more)                                                                                           \
    "{\"operator\":\"dml.element_wise_identity\",\"descriptor\":{\"InputTensor\":{\"DataType\":\"" type                \
    "\",\"Sizes\":[2]},\"OutputTensor\":{\"DataType\":\"" type "\",\"Sizes\":[2]}" more "}}"

/* ScaleBias of IDENTITY is read in records as in models: judged, and not computed. */
static void scale_bias_is_read_in_records(void **state)
{
    (void)state;
    breaks(IDENTITY("FLOAT32", ",\"ScaleBias\":{\"Scale\":2,\"Bias\":1}"), "");
    assert_non_null(strstr(seen.list[0].note, "descriptor.ScaleBias is given, with which nothing is computed here"));
    assert_false(seen.list[0].undecided);
    breaks(IDENTITY("FLOAT32", ",\"ScaleBias\":null"), "");
    assert_string_equal(seen.list[0].note, "");
    breaks(IDENTITY("INT64", ",\"ScaleBias\":{\"Scale\":2,\"Bias\":1}"), "");
    assert_true(seen.list[0].undecided); /* no page says whether it may have a 64-bit type */
    breaks(IDENTITY("FLOAT32", ",\"ScaleBias\":{\"Scale\":2,\"Bias\":1},\"feature_level\":\"1_0\""), "EI-03");
}

/* ---- broken files ------------------------------------------------------------------------------------------ */

static void refused(const char *json, const char *message)
{
    assert_false(read_json(json));
    assert_int_equal(seen.e.status, EXIT_BAD_USAGE);
    if (!strstr(seen.e.text, message))
        fail_msg("\"%s\" has no \"%s\"", seen.e.text, message);
}

static void broken_json_is_refused_with_a_place(void **state)
{
    (void)state;
    refused(IDENTITY("FLOAT32", ",\"ScaleBias\":{\"Scal\":2,\"Bias\":1}"),
            "ScaleBias: expected null or a record with the numbers Scale and Bias");
    char deep[200];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    refused("", "test.json:1:1: expected a value, found the end");
    refused("{\"a\":1", "test.json:1:1: this record does not end");
    refused("{\n  \"a\": [1,\n 2}", "test.json:3:3: expected ',' or ']', found '}'");
    refused(deep, "test.json:1:65: brackets are nested deeper than 64");
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
    refused("{\"tpye\":\"SLICE1\",\"desc\":{}}", "(did you mean \"type\" by \"tpye\"?)");
    refused("{\"dispatchables\":{\"a\":{\"tpye\":\"SLICE1\"}}}",
            "an operator without \"type\" (did you mean \"type\" by \"tpye\"?)");
    refused("{\"type\":\"SLICE1\",\"desc\":{\"a\":1,\"a\":2}}", "test.json:1:32: \"a\" is given twice");
    refused("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"Sizes\":[1e400]}}}", "real number overflow");
    refused("{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT31\",\"Sizes\":[1]}}}",
            "test.json:1:52: InputTensor.DataType");
    refused("{\"operator\":\"dml.slice2\"}", "did you mean \"dml.slice1\"");
    refused("{\"operator\":\"dml.slice1\",\"operator\":\"dml.slice1\"}", "operator is given twice");
}

/* Reading continues behind an unreadable descriptor. */
static void reading_continues_after_an_unreadable_descriptor(void **state)
{
    (void)state;
    seen.options.go_on = true;
    assert_true(read_json(
        "{\"dispatchables\":{\n\"a\":{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":"
        "\"FLOAT\",\"Sizes\":[1]}}},\n\"b\":7,\n\"c\":{},\n\"d\":{\"type\":\"dml_operator_slise1\"},\n\"e\":" SLICE(
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
                "<layer type=\"StridedSlice\"><data other=\"1\"/><input><port id=\"0\" precision=\"FP99\">"
                "<dim>2</dim></port><port id=\"1\"><dim>1</dim></port><port id=\"2\"><dim>1</dim></port></input>"
                "</layer>"));
    assert_int_equal(seen.count, 3);
    assert_non_null(strstr(seen.list[0].broken, "with commas between them"));
    assert_non_null(strstr(seen.list[1].broken, "that is no size"));
    assert_int_equal(seen.list[1].place.line, 3);
    assert_true(seen.list[2].undecided);
    assert_non_null(strstr(seen.list[2].note, "the attribute other is not one of StridedSlice and was ignored"));
    assert_non_null(strstr(seen.list[2].note, "FP99"));
}

/* Lists whose lengths differ break a clause; reading continues. */
static void lists_of_different_lengths_break_the_count_clause(void **state)
{
    (void)state;
    breaks(SLICE("[1,4]", "[1,4]", WINDOW("[0,0]", "[1,4]", "[1]")), "TYPE-02");
    assert_string_equal(seen.list[0].text, "InputWindowStrides has 1 value, but the other lists have 2");
    assert_string_equal(seen.list[0].legal, "InputWindowStrides with 2 values");
    breaks(SLICE("[4],\"Strides\":[4,1]", "[4]", WINDOW("[0]", "[4]", "[1]")), "TYPE-02");
    assert_string_equal(seen.list[0].text, "InputTensor.Strides has 2 values, but InputTensor.Sizes has 1");
    breaks(SLICE("[4],\"DimensionCount\":3", "[4]", WINDOW("[0]", "[4]", "[1]")), "TYPE-02");
    breaks(SLICE("[4]", "[4]", WINDOW("[0]", "[4]", "[1]") ",\"DimensionCount\":3"), "TYPE-02");
    assert_int_equal(seen.list[0].status, EVALUATE_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(examples_are_valid_from_their_level, reset),
        cmocka_unit_test_setup(operators_have_other_names, reset),
        cmocka_unit_test_setup(gather_example_3_as_printed_is_invalid, reset),
        cmocka_unit_test_setup(gather_elements_takes_indices_of_its_own, reset),
        cmocka_unit_test_setup(messages_name_what_is_wrong, reset),
        cmocka_unit_test_setup(suggestions_are_tried, reset),
        cmocka_unit_test_setup(masks_of_different_lengths_are_legal, reset),
        cmocka_unit_test_setup(strict_shrink_compares_begin_and_end, reset),
        cmocka_unit_test_setup(profile_decides_the_begin_of_a_reverse_range, reset),
        cmocka_unit_test_setup(window_sums_are_64_bit, reset),
        cmocka_unit_test_setup(stride_products_do_not_wrap, reset),
        cmocka_unit_test_setup(extreme_strides_are_judged, reset),
        cmocka_unit_test_setup(numbers_beyond_their_fields_break_the_range_clause, reset),
        cmocka_unit_test_setup(more_than_eight_dimensions_are_refused, reset),
        cmocka_unit_test_setup(zero_sizes_and_null_pointers_are_refused, reset),
        cmocka_unit_test_setup(a_tensor_one_byte_short_is_refused, reset),
        cmocka_unit_test_setup(several_clauses_are_all_reported, reset),
        cmocka_unit_test_setup(overlap_can_be_allowed, reset),
        cmocka_unit_test_setup(open_results_are_not_invalid, reset),
        cmocka_unit_test_setup(models_hold_several_operators, reset),
        cmocka_unit_test_setup(omitted_fields_are_inferred_as_by_dxdispatch, reset),
        cmocka_unit_test_setup(scale_bias_is_read_in_records, reset),
        cmocka_unit_test_setup(broken_json_is_refused_with_a_place, reset),
        cmocka_unit_test_setup(reading_continues_after_an_unreadable_descriptor, reset),
        cmocka_unit_test_setup(lists_of_different_lengths_break_the_count_clause, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

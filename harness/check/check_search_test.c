/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for operators that are checked only: the nearest change that the checker accepts. */
#include "harness/check/check.h"
#include "harness/check/check_search.h"
#include "harness/model/suggest_text.h"
#include "reference/operators.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

static char said[512], violated[176]; /* the suggestion, and the violation that it is for */
static bool directly;                 /* call the search even where the clause declares a suggestion */

/* What is suggested for the first violation of a clause. */
static const char *suggested(const char *op, const char *desc, const char *clause)
{
    ts_descriptor d;
    ts_report report;
    error e;
    json_t *json = json_loads(desc, 0, NULL);
    assert_non_null(json);
    if (!descriptor_from_json(operators_find_known(op), json, &d, NULL, &e))
        fail_msg("%s", e.text);
    json_decref(json);
    memset(&report, 0, sizeof report);
    operator_check(&d, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        if (strcmp(report.items[i].clause, clause) == 0) {
            static check_trial trial;
            ts_suggestion out;
            suggest_begin(&out);
            strcpy(violated, report.items[i].text);
            check_trial_begin(&trial, &d, &report.items[i]);
            if (directly)
                check_search(&trial, &out);
            suggest_text(&d, &out, said, sizeof said);
            if (!directly)
                check_suggest(&d, &report.items[i], said, sizeof said);
            return said;
        }
    }
    fail_msg("%s is not broken", clause);
    return "";
}

#define GEMM(a, b, out, more)                                                                                          \
    "{\"ATensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" a "},\"BTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" b       \
    "},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":" out                                                      \
    "},\"TransA\":0,\"TransB\":0,\"Alpha\":1,\"Beta\":1" more "}"

static void one_field_is_changed(void **state)
{
    (void)state;
    assert_string_equal(suggested("dml.gemm", GEMM("[1,1,2,3]", "[1,1,3,4]", "[1,1,2,5]", ""), "OP-09"),
                        "OutputTensor.Sizes[3] = 4");
    assert_string_equal(suggested("dml.gemm",
                                  GEMM("[1,1,2,3]", "[1,1,3,4]", "[1,1,2,4]",
                                       ",\"FusedActivation\":"
                                       "{\"Type\":\"ACTIVATION_ELU\"}"),
                                  "OP-10"),
                        "FusedActivation with all of its attributes and no tensor");
    assert_string_equal(
        suggested("dml.element_wise_add",
                  "{\"ATensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]},\"BTensor\":{\"DataType\":"
                  "\"FLOAT16\",\"Sizes\":[2]},\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2]}}",
                  "OP-06"),
        "BTensor of type FLOAT32");
    assert_string_equal(
        suggested("dml.reverse_subsequences",
                  "{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[2,3]},\"SequenceLengthsTensor\":"
                  "{\"DataType\":\"UINT32\",\"Sizes\":[2,1]},\"OutputTensor\":{\"DataType\":\"FLOAT32\","
                  "\"Sizes\":[2,3]},\"Axis\":7}",
                  "OP-10"),
        "Axis = 1");
}

/* Where a type may not be fused, those that may. */
static void types_of_nested_operators_are_listed(void **state)
{
    (void)state;
    const char *legal = suggested(
        "dml.gemm",
        GEMM("[1,1,2,3]", "[1,1,3,4]", "[1,1,2,4]", ",\"FusedActivation\":{\"Type\":\"ACTIVATION_HARDMAX\"}"), "OP-10");
    static const char begin[] = "no FusedActivation, or a Type of ACTIVATION_CELU, ACTIVATION_ELU, ";
    assert_memory_equal(legal, begin, strlen(begin));
    assert_non_null(strstr(legal, ", ACTIVATION_SOFTMAX, "));
}

#define QUERY(sizes) "{\"DataType\":\"FLOAT32\",\"Sizes\":" sizes "}"
#define ATTENTION(heads)                                                                                               \
    "{\"QueryTensor\":" QUERY("[2,4,64]") ",\"KeyTensor\":" QUERY("[2,5,64]") ",\"ValueTensor\":" QUERY(               \
        "[2,5,64]") ",\"OutputTensor\":" QUERY("[2,4,64]") ",\"Scale\":1,\"MaskFilterValue\":0,\"HeadCount\":" heads   \
                                                           ",\"MaskType\":\"NONE\"}"
#define CONVOLUTION_LISTS                                                                                              \
    "\"Strides\":[1,1],\"Dilations\":[1,1],\"StartPadding\":[0,0],\"EndPadding\":[0,0],\"OutputPadding\":[0,0]"
#define CONVOLUTION_TENSORS                                                                                            \
    "\"InputTensor\":" QUERY("[1,4,8,8]") ",\"FilterTensor\":" QUERY("[6,4,3,3]") ",\"OutputTensor\":" QUERY(          \
        "[1,6,6,6]")
#define CONVOLUTION(bias)                                                                                              \
    "{" CONVOLUTION_TENSORS ",\"BiasTensor\":" QUERY(bias) "," CONVOLUTION_LISTS                                       \
                                                           ",\"Mode\":0,\"Direction\":0,\"GroupCount\":1}"

/* The nearest legal number comes first; sizes of 1 are added on both sides. */
static void what_is_nearest_comes_first(void **state)
{
    (void)state;
    assert_string_equal(suggested("dml.multihead_attention", ATTENTION("7"), "OP-10"), "HeadCount = 8, 4, 2 or 1");
    assert_string_equal(violated, "QueryTensor.Sizes[2] = 64 is not a multiple of HeadCount = 7");
    assert_string_equal(suggested("dml.convolution", CONVOLUTION("[6]"), "OP-07"), "BiasTensor.Sizes = {1,6,1,1}");
    assert_string_equal(suggested("dml.convolution", CONVOLUTION("[6]"), "OP-15"), "BiasTensor.Sizes = {1,6,1,1}");
    assert_string_equal(violated, "BiasTensor.Sizes[0] = 6 is not 1");
}

#define BINARY(a, b) "{\"ATensor\":" QUERY(a) ",\"BTensor\":" QUERY(b) ",\"OutputTensor\":" QUERY("[1,3,4,4]") "}"
#define GEMM_C(c)    GEMM("[1,1,2,3]", "[1,1,3,4]", "[1,1,2,4]", ",\"CTensor\":" QUERY(c))

/* DirectML broadcasts by strides of 0, not by sizes of 1. */
static void sizes_are_broadcast_by_strides(void **state)
{
    (void)state;
    assert_string_equal(suggested("dml.element_wise_add", BINARY("[1,3,4,4]", "[1,3,1,1]"), "OP-08"),
                        "BTensor.Sizes = {1,3,4,4} with Strides {0,1,0,0}");
    assert_string_equal(suggested("dml.element_wise_add", BINARY("[1,3,4,4]", "[4]"), "OP-07"),
                        "BTensor.Sizes = {1,3,4,4} with Strides {0,0,0,1}");
    assert_string_equal(suggested("dml.element_wise_add", BINARY("[1,3,4,1]", "[1,1,1,4]"), "OP-08"),
                        "BTensor.Sizes = {1,3,4,4} with Strides {0,0,0,1} and ATensor.Sizes = {1,3,4,4} with Strides "
                        "{0,4,1,0}");
    assert_string_equal(suggested("dml.gemm", GEMM_C("[1,1,1,1]"), "OP-08"),
                        "CTensor.Sizes = {1,1,2,4} with Strides {0,0,0,0}");
    assert_string_equal(suggested("dml.gemm", GEMM_C("[1]"), "OP-07"),
                        "CTensor.Sizes = {1,1,2,4} with Strides {0,0,0,0}");
    assert_string_equal(suggested("dml.gemm", GEMM_C("[4]"), "OP-02"),
                        "CTensor.Sizes = {1,1,2,4} with Strides {0,0,0,1}");
}

#define NORMALIZATION(c)                                                                                                  \
    "{\"InputTensor\":" QUERY("[1,3,4,4]") ",\"MeanTensor\":" QUERY(c) ",\"VarianceTensor\":" QUERY(                      \
        c) ",\"ScaleTensor\":" QUERY(c) ",\"BiasTensor\":" QUERY(c) ",\"OutputTensor\":" QUERY("[1,3,4,4]") ",\"Sp"       \
                                                                                                            "atial\":1,"  \
                                                                                                            "\"Epsilon\"" \
                                                                                                            ":0.1}"

/* Tensors that are alike change alike: each of them alone would leave the others wrong. */
static void tensors_of_one_kind_change_together(void **state)
{
    static const char legal[] =
        "MeanTensor.Sizes, VarianceTensor.Sizes, ScaleTensor.Sizes and BiasTensor.Sizes = {1,3,1,1}";
    (void)state;
    assert_string_equal(suggested("dml.batch_normalization", NORMALIZATION("[3]"), "OP-07"), legal);
    assert_string_equal(suggested("dml.batch_normalization", NORMALIZATION("[3]"), "OP-09"), legal);
}

#define UINTS(sizes) "{\"DataType\":\"UINT32\",\"Sizes\":" sizes "}"

/* What is to be computed, and from what, changes last; what follows from a change is said with it. */
static void inputs_and_functions_are_kept(void **state)
{
    (void)state;
    assert_string_equal(suggested("dml.top_k",
                                  "{\"InputTensor\":" QUERY("[1,1,2,5]") ",\"OutputValueTensor\":" QUERY(
                                      "[1,1,2,5]") ",\"OutputIndexTensor\":" UINTS("[1,1,2,5]") ",\"Axis\":3,\"K\":9}",
                                  "OP-10"),
                        "K = 5");
    assert_string_equal(suggested("dml.top_k",
                                  "{\"InputTensor\":" QUERY("[1,1,2,5]") ",\"OutputValueTensor\":" QUERY(
                                      "[1,1,2,9]") ",\"OutputIndexTensor\":" UINTS("[1,1,2,9]") ",\"Axis\":3,\"K\":9}",
                                  "OP-10"),
                        "K = 5 and OutputValueTensor.Sizes = {1,1,2,5} and OutputIndexTensor.Sizes = {1,1,2,5}");
    assert_string_equal(suggested("dml.reduce",
                                  "{\"Function\":\"ARGMAX\",\"InputTensor\":" QUERY(
                                      "[1,3,4,4]") ",\"OutputTensor\":" QUERY("[1,3,4,1]") ",\"Axes\":[3]}",
                                  "OP-07"),
                        "OutputTensor of type UINT32");
}

/* Where no single field makes the call legal, two do: each of them alone would differ from the other. */
static void two_fields_are_changed(void **state)
{
    (void)state;
    directly = true;
    assert_string_equal(suggested("dml.activation_relu",
                                  "{\"InputTensor\":{\"DataType\":\"UINT8\",\"Sizes\":[2]},\"OutputTensor\":{"
                                  "\"DataType\":\"UINT8\",\"Sizes\":[2]}}",
                                  "OP-03"),
                        "InputTensor and OutputTensor of type FLOAT32");
    directly = false;
}

/* Where other violations remain, the change mends this one and breaks nothing else. */
static void other_violations_remain(void **state)
{
    (void)state;
    assert_string_equal(suggested("dml.gemm",
                                  GEMM("[1,1,2,3]", "[1,1,3,4]", "[1,1,2,5]",
                                       ",\"FusedActivation\":"
                                       "{\"Type\":\"ACTIVATION_ELU\"}"),
                                  "OP-09"),
                        "OutputTensor.Sizes[3] = 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_field_is_changed),
        cmocka_unit_test(types_of_nested_operators_are_listed),
        cmocka_unit_test(what_is_nearest_comes_first),
        cmocka_unit_test(two_fields_are_changed),
        cmocka_unit_test(other_violations_remain),
        cmocka_unit_test(sizes_are_broadcast_by_strides),
        cmocka_unit_test(tensors_of_one_kind_change_together),
        cmocka_unit_test(inputs_and_functions_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

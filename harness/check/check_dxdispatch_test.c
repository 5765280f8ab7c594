/* SPDX-License-Identifier: Apache-2.0 */
/* What DxDispatch's parser takes is taken, in all of its spellings; and names that are nearly right are recognized. */
#include "harness/check/check_dxdispatch.h"
#include "harness/check/check_file.h"
#include "harness/check/check_testing.h"
#include "reference/operators.h"

#include <stdlib.h>

static void read_text(const char *text)
{
    check_file f;
    seen.count = 0;
    seen.options.go_on = seen.options.partly = true;
    if (!check_file_copy(&f, "model.json", text, strlen(text), CHECK_DESCRIPTORS, &seen.e) ||
        !check_file_visit(&f, &seen.options, see, NULL, &seen.e))
        fail_msg("%s", seen.e.text);
    check_file_close(&f);
}

#define T(sizes) "{\"DataType\":\"FLOAT32\",\"Sizes\":" sizes "}"
#define ELU(value)                                                                                                     \
    "{\"type\":\"ACTIVATION_ELU\",\"desc\":{\"InputTensor\":" T("[2]") ",\"OutputTensor\":" T(                         \
        "[2]") ",\"Alpha\":" value "}}"
#define SUM(direction, exclusive)                                                                                      \
    "{\"type\":\"CUMULATIVE_SUMMATION\",\"desc\":{\"InputTensor\":" T("[1,1,2,3]") ",\"OutputTensor\":" T(             \
        "[1,1,2,3]") ",\"Axis\":3,\"AxisDirection\":" direction ",\"HasExclusiveSum\":" exclusive "}}"
#define ADD(fused)                                                                                                     \
    "{\"type\":\"ELEMENT_WISE_ADD1\",\"desc\":{\"ATensor\":" T("[3]") ",\"BTensor\":" T("[3]") ",\"OutputTensor\":" T( \
        "[3]") ",\"FusedActivation\":" fused "}}"
#define FILL(type, value)                                                                                              \
    "{\"type\":\"FILL_VALUE_CONSTANT\",\"desc\":{\"OutputTensor\":{\"DataType\":" type                                 \
    ",\"Sizes\":[4]},\"ValueDataType\":" type ",\"Value\":" value "}}"
#define TENSOR(tensor)                                                                                                 \
    "{\"type\":\"ACTIVATION_RELU\",\"desc\":{\"InputTensor\":" tensor ",\"OutputTensor\":" T("[2]") "}}"
#define SCALE(size)                                                                                                    \
    "{\"type\":\"UPSAMPLE_2D\",\"desc\":{\"InputTensor\":" T("[1,1,2,3]") ",\"OutputTensor\":" T(                      \
        "[1,1,4,9]") ",\"ScaleSize\":" size ",\"InterpolationMode\":\"NEAREST_NEIGHBOR\"}}"

/* JsonParsers.cpp takes each of these; so it is valid here. */
static void every_spelling_is_taken(void **state)
{
    static const char *const texts[] = {
        /* operators */
        "{\"type\":\"DML_OPERATOR_ACTIVATION_RELU\",\"desc\":{\"InputTensor\":" T("[2]") ",\"OutputTensor\":" T(
            "[2]") "}}",
        "{\"Type\":\"ACTIVATION_RELU\",\"Desc\":{\"InputTensor\":" T("[2]") ",\"OutputTensor\":" T("[2]") "}}",
        "{\"type\":\"ACTIVATION_RELU\",\"InputTensor\":" T("[2]") ",\"OutputTensor\":" T("[2]") "}",
        "/* a */ {\"type\":\"ACTIVATION_RELU\", // b\n\"desc\":{\"InputTensor\":" T("[2,]") ",\"OutputTensor\":" T(
            "[2]") ",},}",
        "{\"type\":\"ACTIVATION_RELU\",\"dmlCompileType\":\"DmlCompileGraph\",\"executionFlags\":[\"NONE\","
        "\"DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE\"],\"desc\":{\"InputTensor\":" T("[2]") ",\"OutputTensor\":" T(
            "[2]") "}}",
        /* tensors */
        TENSOR("{\"Type\":\"BUFFER\",\"DataType\":\"DML_TENSOR_DATA_TYPE_FLOAT32\",\"Sizes\":[2],\"Strides\":[]}"),
        TENSOR(
            "{\"Type\":\"DML_TENSOR_TYPE_BUFFER\",\"Desc\":{\"DataType\":\"FLOAT32\",\"Flags\":\"DML_TENSOR_FLAG_NONE\","
            "\"DimensionCount\":1,\"Sizes\":[2],\"Strides\":[1],\"TotalTensorSizeInBytes\":0,"
            "\"GuaranteedBaseOffsetAlignment\":0}}"),
        TENSOR("{\"DataType\":\"FLOAT32\",\"Sizes\":[2],\"Flags\":[\"NONE\",\"OWNED_BY_DML\"]}"),
        TENSOR("{\"DataType\":\"FLOAT32\",\"Sizes\":[2],\"Flags\":[]}"),
        /* numbers, enumerations, bools */
        ELU("1"), ELU("1.5e0"), ELU("\"NaN\""), ELU("\"-inf\""), ELU("\"Inf\""), SUM("\"INCREASING\"", "true"),
        SUM("\"DML_AXIS_DIRECTION_DECREASING\"", "false"),
        /* DML_SCALAR_UNION: a number, or the member of its type; others beside it are ignored */
        FILL("\"FLOAT16\"", "1.5"), FILL("\"FLOAT16\"", "{\"UInt16\":15872}"),
        FILL("\"FLOAT32\"", "{\"Float32\":\"inf\"}"), FILL("\"UINT64\"", "18446744073709551615"),
        FILL("\"INT8\"", "{\"UInt8\":200,\"Int8\":-3}"),
        /* nested records, fused activations in both spellings */
        SCALE("{\"Width\":3,\"Height\":2}"), ADD("{\"Type\":\"ACTIVATION_ELU\",\"Alpha\":0.5}"),
        ADD("{\"Type\":\"DML_OPERATOR_ACTIVATION_ELU\",\"Desc\":{\"Alpha\":0.5}}"),
        ADD("{\"type\":\"ACTIVATION_ELU\",\"desc\":{\"Alpha\":0.5}}"),
        ADD("{\"Type\":\"ACTIVATION_RELU\",\"InputTensor\":" T("[3]") "}"), /* DxDispatch drops it */
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        read_text(texts[i]);
        assert_int_equal(seen.count, 1);
        if (!seen.list[0].known || seen.list[0].status != EVALUATE_OK || seen.list[0].broken[0] ||
            seen.list[0].findings[0])
            fail_msg("%s: %s %s %s", texts[i], seen.list[0].clauses, seen.list[0].broken, seen.list[0].findings);
    }
}

/* And these are reported: a note, or a finding. */
static void other_spellings_are_reported(void **state)
{
    static const char *const texts[][2] = {
        { ADD("{\"Type\":\"ACTIVATION_EUL\",\"Alpha\":0.5}"), "did you mean ACTIVATION_ELU?" },
        { ADD("{\"Type\":\"ACTIVATION_RELU\",\"InputTensor\":" T("[3]") "}"),
          "FusedActivation.InputTensor is ignored" },
        { "{\"type\":\"ACTIVATION_RELU\",\"executionFlags\":\"DISABLE_META\",\"desc\":{\"InputTensor\":" T(
              "[2]") ",\"OutputTensor\":" T("[2]") "}}",
          "did you mean 'DISABLE_META_COMMANDS'?" },
        { "{\"type\":\"ACTIVATION_RELU\",\"dmlCompileType\":7,\"desc\":{\"InputTensor\":" T(
              "[2]") ",\"OutputTensor\":" T("[2]") "}}",
          "dmlCompileType: expected a word" },
        { "{\"type\":\"HLSL\",\"sourcePath\":\"a.hlsl\"}", "no DirectML operator" },
        { "{\"type\":\"dmlSerializedGraph\",\"sourcePath\":\"a.bin\"}", "the file of the graph is not read here" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        read_text(texts[i][0]);
        if (!strstr(seen.list[0].note, texts[i][1]) && !strstr(seen.list[0].findings, texts[i][1]))
            fail_msg("%s: \"%s\" \"%s\"", texts[i][0], seen.list[0].note, seen.list[0].findings);
    }
}

/* The first mistake of the only item. */
static char mistake[640];

static bool see_mistake(void *context, const check_item *item, error *e)
{
    static check_printer p; /* judges the rest, too, which must not depend on what could not be read */
    (void)context;
    p = (check_printer){ .to = fopen("/dev/null", "w"), .format = CHECK_TEXT, .o = &seen.options };
    if (p.to) {
        check_print_item(&p, item, e);
        fclose(p.to);
    }
    snprintf(mistake, sizeof mistake, "%s", item->gaps.mistake_count ? item->gaps.mistakes[0].text : "");
    return true;
}

static void read_mistake(const char *text)
{
    check_file f;
    assert_true(check_file_copy(&f, "model.json", text, strlen(text), CHECK_DESCRIPTORS, &seen.e));
    seen.options.go_on = seen.options.partly = true;
    assert_true(check_file_visit(&f, &seen.options, see_mistake, NULL, &seen.e));
    check_file_close(&f);
}

static void mistakes_name_what_is_meant(void **state)
{
    static const char *const texts[][2] = {
        { SUM("\"INCREASIN\"", "true"), "AxisDirection: no value \"INCREASIN\" (did you mean \"INCREASING\"?)" },
        { SCALE("{\"Widht\":3,\"Height\":2}"), "ScaleSize: no member \"Widht\" (did you mean \"Width\"?)" },
        { SCALE("{\"Height\":2}"), "ScaleSize.Width: expected an integer, found nothing" },
        { ADD("{\"Type\":\"ACTIVATION_ELU\",\"Alhpa\":0.5}"), "no field \"Alhpa\" (did you mean \"Alpha\"?)" },
        { FILL("\"FLOAT32\"", "{\"Flota32\":1}"), "expected a number, or a record with FLOAT32 in any case" },
        { TENSOR("{\"DataType\":\"FLOAT32\",\"Sizes\":[2],\"Flags\":[\"OWNED\"]}"),
          "(did you mean \"OWNED_BY_DML\"?)" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        read_mistake(texts[i][0]);
        if (!strstr(mistake, texts[i][1]))
            fail_msg("%s: \"%s\"", texts[i][0], mistake);
    }
}

/* A letter of the name of each operator, and of each of its fields, is replaced by another. */
static void every_name_is_recognized(void **state)
{
    const ts_operator *op;
    unsigned names = 0, fields = 0;
    (void)state;
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        const int n = (int)descriptor_stem_length(op);
        char text[400], meant[120];
        if (n == 0)
            continue;
        snprintf(text, sizeof text, "{\"type\":\"%.2s%c%.*s\",\"desc\":{}}", op->title + 4,
                 op->title[6] == 'Q' ? 'Z' : 'Q', n - 3, op->title + 7);
        snprintf(meant, sizeof meant, "did you mean %.*s?", n, op->title + 4);
        read_text(text);
        if (!strstr(seen.list[0].note, meant))
            fail_msg("%s: \"%s\"", text, seen.list[0].note);
        ++names;
        for (unsigned k = 0; k < op->attr_count + op->tensor_count; ++k) {
            const char *field =
                k < op->attr_count ? op->attrs[k].name : operator_field_of_tensor(op, k - op->attr_count);
            if (strlen(field) < 4)
                continue;
            snprintf(text, sizeof text, "{\"type\":\"%.*s\",\"desc\":{\"%c%cQ%s\":1}}", n, op->title + 4, field[0],
                     field[1], field + 3);
            snprintf(meant, sizeof meant, "(did you mean \"%s\"?)", field);
            read_mistake(text);
            if (!strstr(mistake, meant))
                fail_msg("%s: \"%s\"", text, mistake);
            ++fields;
        }
    }
    assert_true(names == 177 && fields > 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_spelling_is_taken, reset),
        cmocka_unit_test_setup(other_spellings_are_reported, reset),
        cmocka_unit_test_setup(mistakes_name_what_is_meant, reset),
        cmocka_unit_test_setup(every_name_is_recognized, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

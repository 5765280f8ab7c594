/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "reference/dml/slice1.h"
#include "reference/operators.h"
#include "reports/raw_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A descriptor whose every member differs from its default, as a finding stores it. The caller frees it. */
static char *stored(ts_descriptor *d)
{
    const ts_operator *op = operators_find("dml.slice1");
    ts_dml_slice1 *a;
    operator_begin(d, op);
    d->feature_level = TS_LEVEL_5_1;
    a = (ts_dml_slice1 *)(void *)d->attrs;
    *a = (ts_dml_slice1){ .DimensionCount = 2,
                          .InputWindowOffsets = { 1, 0 },
                          .InputWindowSizes = { 2, 3 },
                          .InputWindowStrides = { -1, 2 } };
    d->attrs_given = TS_SLICE1_GIVEN_DIMENSION_COUNT | TS_SLICE1_GIVEN_INPUT_WINDOW_OFFSETS |
                     TS_SLICE1_GIVEN_INPUT_WINDOW_SIZES | TS_SLICE1_GIVEN_INPUT_WINDOW_STRIDES;
    tensor_init(&d->tensors[0], TS_FLOAT16, 2, (uint64_t[]){ 3, 4 });
    tensor_init(&d->tensors[1], TS_FLOAT16, 2, (uint64_t[]){ 2, 2 });
    d->tensors[0].given |= TS_GIVEN_STRIDES;
    d->tensors[0].strides[0] = 8;
    d->tensors[0].total_bytes = 64;
    d->tensors[0].alignment = 32;
    d->tensors[0].flags = 1;
    json_t *record = json_pack("{s:s,s:o}", "operator", op->name, "descriptor", descriptor_to_json(d));
    char *line = json_dumps(record, JSON_COMPACT);
    json_decref(record);
    return line;
}

static void every_member_is_shown(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "op dml.slice1, profile 0, feature_level 0x5100, attrs_given 0xf, attrs_size 196, tensor_count 2",
        "\n  tensor InputTensor: dtype 2, rank 2, given 0xf, flags 1, alignment 32, total_bytes 64, sizes [3,4], "
        "strides [8,1]\n",
        "\n  tensor OutputTensor: dtype 2, rank 2, given 0x7, flags 0, alignment 0, total_bytes 8, sizes [2,2], "
        "strides [2,1]\n",
        "\n  attribute DimensionCount: given true, value 2\n",
        "\n  attribute InputWindowOffsets: given true, value [1,0]\n",
        "\n  attribute InputWindowStrides: given true, value [-1,2]",
    };
    ts_descriptor d;
    text shown = { .data = NULL };
    store_finding f = { .verdict = VERDICT_REJECTED_VALID, .descriptor = stored(&d) };
    raw_call_text(&shown, &f);
    assert_non_null(shown.data);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i)
        if (!strstr(shown.data, lines[i]))
            fail_msg("%s is not in:\n%s", lines[i], shown.data);
    text_free(&shown);
    f.verdict = VERDICT_MISMATCH; /* only a refused call is shown */
    assert_null(raw_call(&f));
    free((char *)(uintptr_t)f.descriptor);
}

static void records_are_shown_by_their_bits(void **state)
{
    (void)state;
    static const char record[] = "{\"operator\":\"dml.element_wise_clip\",\"descriptor\":{"
                                 "\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,1,2]},"
                                 "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,1,2]},"
                                 "\"ScaleBias\":{\"Scale\":2,\"Bias\":0.5},\"Min\":-1,\"Max\":1}}";
    char line[sizeof record];
    text shown = { .data = NULL };
    store_finding f = { .verdict = VERDICT_REJECTED_VALID, .descriptor = line };
    memcpy(line, record, sizeof record);
    raw_call_text(&shown, &f);
    assert_non_null(shown.data);
    assert_non_null(strstr(shown.data, "\n  attribute ScaleBias: given true, value [1073741824,1056964608]"));
    assert_non_null(strstr(shown.data, "\n  attribute Min: given true, value 3212836864"));
    text_free(&shown);
}

/* What is shown is read from the stored descriptor: it must be the one that was passed. */
static void the_stored_descriptor_is_the_one_that_was_passed(void **state)
{
    (void)state;
    ts_descriptor d, again;
    error e;
    char *line = stored(&d);
    json_t *record = json_loads(line, 0, NULL);
    assert_true(descriptor_from_json(d.op, json_object_get(record, "descriptor"), &again, NULL, &e));
    assert_memory_equal(&d, &again, sizeof d);
    json_decref(record);
    free(line);
}

static void a_broken_descriptor_is_not_shown(void **state)
{
    (void)state;
    static const char *const broken[] = {
        NULL, "", "[", "{}", "{\"operator\":\"x\",\"descriptor\":{}}", "{\"operator\":\"dml.slice1\",\"descriptor\":7}"
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        const store_finding f = { .verdict = VERDICT_REJECTED_VALID, .descriptor = broken[i] };
        assert_null(raw_call(&f));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_shown),
        cmocka_unit_test(records_are_shown_by_their_bits),
        cmocka_unit_test(the_stored_descriptor_is_the_one_that_was_passed),
        cmocka_unit_test(a_broken_descriptor_is_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "reports/explain_print.h"
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "reference/dml/gather.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- telling ----------------------------------------------------------------------------------------------- */

/* Read a descriptor with inputs (or "null") and give its explanation as text, to be freed, with its lines joined: where
   they are broken is nothing that a test should know. */
static char *explained(const char *operator_name, const char *descriptor, const char *inputs)
{
    const ts_operator *op = operators_find(operator_name);
    json_t *json = json_loads(descriptor, 0, NULL), *data = json_loads(inputs, JSON_DECODE_ANY, NULL);
    ts_descriptor d;
    evaluation v;
    ts_explanation x;
    error e = { .text = "" };
    assert_non_null(json);
    if (!descriptor_from_json(op, json, &d, NULL, &e))
        fail_msg("%s", e.text);
    if (json_is_object(data)) {
        assert_true(evaluate_begin(&v, &d, NULL, &e) && evaluate_fill(&v, data, &e));
    } else {
        memset(&v, 0, sizeof v);
        v.descriptor = d;
        operator_check(&v.descriptor, &v.report);
        v.status = v.report.worst == TS_RESULT_INVALID ? EVALUATE_INVALID : EVALUATE_OK;
    }
    explain_begin(&x, 12);
    op->explain(&v.descriptor, &x);
    FILE *file = platform_temporary_file();
    assert_non_null(file);
    assert_true(explain_print_text(file, &(explain_heading){ .name = "here" }, &v, &x, &e));
    char *text = testing_end_text(file);
    explain_end(&x);
    evaluate_end(&v);
    json_decref(json);
    json_decref(data);
    char *to = text;
    for (const char *from = text; *from; ++from) {
        bool broken = *from == '\n' && strncmp(from + 1, "    ", 4) == 0 && from[5] != ' ' && from[5] != 0;
        if (broken)
            from += 4;
        *to++ = broken ? ' ' : *from;
    }
    *to = 0;
    return text;
}

static void expect(const char *operator_name, const char *descriptor, const char *inputs, const char *const *fragments)
{
    char *text = explained(operator_name, descriptor, inputs);
    for (; *fragments; ++fragments) {
        if (!strstr(text, *fragments))
            fail_msg("\"%s\" is not in the explanation:\n%s", *fragments, text);
    }
    free(text);
}

#define EXPECT(op, descriptor, inputs, ...) expect(op, descriptor, inputs, (const char *const[]){ __VA_ARGS__, NULL })

#define SIXTEEN "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]"

static void slice1_is_explained(void **state)
{
    (void)state;
    EXPECT("dml.slice1",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [1,1,4,4] }, \"OutputTensor\": { \"Sizes\": "
           "[1,1,2,2] }, \"InputWindowOffsets\": [0,0,0,1], \"InputWindowSizes\": [1,1,4,3],"
           "\"InputWindowStrides\": [1,1,-2,2] }",
           "{ \"InputTensor\": " SIXTEEN " }", "0 + 4 - 1 = 3", "1 + (4 - 1) / 2 = 2", "index along axis 2: 3, 1",
           "index along axis 3: 1, 3\n", "OutputTensor[o0,o1,o2,o3] = InputTensor[o0, o1, 3 - 2*o2, 1 + 2*o3]",
           "OutputTensor[0,0,0,0] = InputTensor[0,0,3,1] = 14\n", "OutputTensor[0,0,1,1] = InputTensor[0,0,1,3] = 8",
           "SL-08: 1 <= OutputTensor.Sizes[i]");
    EXPECT("dml.slice1",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [4] }, \"OutputTensor\": { \"Sizes\": [2] },"
           "\"InputWindowOffsets\": [3], \"InputWindowSizes\": [2], \"InputWindowStrides\": [1] }",
           "null", "invalid", "3 + 2 = 5 exceeds that, which breaks SL-05", "InputTensor[4], which does not exist");
    EXPECT("dml.slice1",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [4] }, \"OutputTensor\": { \"Sizes\": [2] },"
           "\"InputWindowOffsets\": [0], \"InputWindowSizes\": [0], \"InputWindowStrides\": [0] }",
           "null", "breaks SL-06", "breaks SL-07", "no element can be copied");
}

static void gather_is_explained(void **state)
{
    (void)state;
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [1,3,3] }, \"IndicesTensor\": { \"DataType\":"
           "\"UINT32\", \"Sizes\": [1,1,2] }, \"Axis\": 2, \"IndexDimensions\": 2 }",
           "{ \"InputTensor\": [1,2,3,4,5,6,7,8,9], \"IndicesTensor\": [0,2] }", "{1,3} ++ {1,2} ++ {}",
           "expected      {3,1,2}", "k = IndicesTensor[0,o1,o2]",
           "OutputTensor[2,0,1] = InputTensor[0,2,2] = 9  by IndicesTensor[0,0,1] = 2");
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [3] }, \"IndicesTensor\": { \"DataType\":"
           "\"INT32\", \"Sizes\": [4] }, \"Axis\": 0, \"IndexDimensions\": 1 }",
           "{ \"InputTensor\": [5,6,7], \"IndicesTensor\": [-1,3,-4,0] }", "-1 + 3 = 2",
           "3: outside of the axis, not defined", "-4: outside of the axis, not defined; clamped to 0",
           "OutputTensor[1] is not defined", "OutputTensor[3] = InputTensor[0]");
    /* Example 3 as the page prints it. */
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3,2] }, \"IndicesTensor\": { \"DataType\":"
           "\"UINT32\", \"Sizes\": [1,2] }, \"OutputTensor\": { \"Sizes\": [3,2] }, \"Axis\": 1,"
           "\"IndexDimensions\": 2 }",
           "null", "invalid", "GA-08  broken", "this breaks GA-08");
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [2,2] }, \"IndicesTensor\": { \"DataType\":"
           "\"INT32\", \"Sizes\": [2,1] }, \"OutputTensor\": { \"Sizes\": [2,1] }, \"Axis\": 1,"
           "\"IndexDimensions\": 1 }",
           "null", "E-GA-9", "OutputTensor[0,0] is not defined");
}

static void random_generator_is_explained(void **state)
{
    (void)state;
    EXPECT("dml.random_generator",
           "{ \"InputStateTensor\": { \"DataType\": \"UINT32\", \"Sizes\": [6] }, \"OutputTensor\": { \"Sizes\": [8] },"
           "\"OutputStateTensor\": {}, \"Type\": 0 }",
           "{ \"InputStateTensor\": [4294967295,0,0,0,1,2] }", "8 outputs from 2 blocks",
           "block 1  counter 00000000'00000000'00000001'00000000  outputs 4 to 7",
           "692858e1  f906bbe0  fc4d241f  46ba3cd1", "OutputTensor[7] = word 3 of block 1 = 0x6b2f71c5",
           "word 0  ffffffff + 00000002 + carry 0 = 00000001, carry 1",
           "word 1  00000000 + 00000000 + carry 1 = 00000001, carry 0",
           "next   00000001  00000001  00000000  00000000  00000001  00000002");
    EXPECT("dml.random_generator",
           "{ \"InputStateTensor\": { \"DataType\": \"UINT32\", \"Sizes\": [6] }, \"OutputTensor\": { \"Sizes\": [5] },"
           "\"Type\": 0 }",
           "null", "a state of zeros, as an example", "6627e8d5  e169c58d  bc57ac4c  9b00dbd8", "  output 4",
           "OutputStateTensor is absent", "OutputTensor[4] = word 0 of block 1 = 0xf8e4cca4");
}

static void identity_is_explained(void **state)
{
    (void)state;
    EXPECT("dml.element_wise_identity",
           "{ \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [2,3], \"Strides\": [0,1] }, \"OutputTensor\": {"
           "\"Strides\": [5,1] } }",
           "{ \"InputTensor\": { \"raw\": \"01020300\" } }", "broadcast", "is element 5*i0 + i1 of the buffer",
           "OutputTensor[1,2] at 7 = InputTensor[1,2] at 2 = 3");
}

static void strided_slice_is_explained(void **state)
{
    (void)state;
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [2,3,4] }, \"begin\": [1,1,123], \"end\": [0,0,2],"
           "\"stride\": [1,1,-1], \"begin_mask\": [0,1,1], \"end_mask\": [1,1,1], \"new_axis_mask\": [0,0,0,0,0] }",
           "null", "begin[2] = 123 is ignored", "end = -1, one before", "count = (3 - -1 - 1) / 1 + 1 = 4",
           "expected  {1,3,4}", "output[o0,o1,o2] = data[1, o1, 3 - o2]", "like data[begin:end:stride] in Python",
           "otherwise element 0", "data[1:, :, ::-1]", "InputWindowStrides = {1,1,-1}",
           "those from entry 3 on belong to no step", "output[0,2,3] = data[1,2,0]");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [2,4] }, \"begin\": [1234,0,-1,0], \"end\": [1234,2,9876,4],"
           "\"stride\": [132,1,241,1], \"new_axis_mask\": [1,0,1,0] }",
           "null", "expected  {1,2,1,4}", "data[np.newaxis, 0:2, np.newaxis, 0:4]", "with the sizes {1,2,1,4}");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [10,10,10,10,10,10,10,10,10,10] }, \"begin\": [2,1,10,10],"
           "\"end\": [123,1,10,5], \"stride\": [1,-1,1,1], \"begin_mask\": [0,0,1,1], \"end_mask\": [1,1,0,0],"
           "\"new_axis_mask\": [0,0,1], \"ellipsis_mask\": [0,1] }",
           "null", "10 dimensions of data minus 2 consumed", "expected  {8,10,10,10,10,10,10,10,10,1,5}",
           "data[2:, ..., np.newaxis, :5]", "10 dimensions");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4] }, \"begin\": [-9], \"end\": [-9], \"stride\": [-1] }",
           "null", "-5 is outside of [0, 3] and is silently clamped to 0", "profiles differ", "output[0] = data[0]",
           "data[0:-9:-1]");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4] }, \"begin\": [-9], \"end\": [-9], \"stride\": [-1],"
           "\"profile\": \"numpy\" }",
           "null", "clamped to -1", "it is empty", "nothing is copied", "DirectML has no tensors without elements");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4,2] }, \"begin\": [7,0], \"end\": [0,1], \"stride\": [1,0],"
           "\"output\": { \"shape\": [2] }, \"shrink_axis_mask\": [1] }",
           "null", "invalid", "7 is not within 0 to 3", "stride[1] = 0 breaks SS-10", "A step breaks a clause");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4,2] }, \"begin\": [0,0], \"end\": [1,1],"
           "\"output\": { \"shape\": [2] }, \"ellipsis_mask\": [1,1] }",
           "null", "invalid", "SS-04  broken", "The explanation ends here");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slice1_is_explained),           cmocka_unit_test(gather_is_explained),
        cmocka_unit_test(random_generator_is_explained), cmocka_unit_test(identity_is_explained),
        cmocka_unit_test(strided_slice_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Calls are converted to DirectML's descriptors unchanged. */
#include "backends/call_of.h"
#include "backends/directml/describe.h"
#include "reference/dml/gather.h"
#include "reference/dml/join.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/slice1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static ts_tensor tensor(uint32_t dtype, uint32_t rank, uint64_t size)
{
    ts_tensor t = { .dtype = dtype, .rank = rank, .given = TS_GIVEN_ALL, .total_bytes = 64, .alignment = 32 };
    for (uint32_t i = 0; i < TS_MAX_DIMS; ++i) {
        t.sizes[i] = size + i;
        t.strides[i] = 1;
    }
    return t;
}

static void test_slice1(void **state)
{
    const ts_tensor tensors[] = { tensor(TS_FLOAT16, 3, 4), tensor(TS_FLOAT16, 3, 2) };
    const ts_dml_slice1 a = { 3, { 1, 2, 3 }, { 4, 5, 6 }, { -1, 2, 1 } };
    ts_call call = call_of("dml.slice1", &a, sizeof a, UINT32_MAX, tensors, 2);
    describe_room room;
    (void)state;
    assert_int_equal(describe_call(describe_find("dml.slice1"), &call, &room), TS_OK);
    assert_int_equal(room.desc.Type, 111);
    const DML_SLICE1_OPERATOR_DESC *d = room.desc.Desc;
    assert_int_equal(d->DimensionCount, 3);
    assert_memory_equal(d->InputWindowOffsets, a.InputWindowOffsets, 12);
    assert_memory_equal(d->InputWindowSizes, a.InputWindowSizes, 12);
    assert_memory_equal(d->InputWindowStrides, a.InputWindowStrides, 12);
    assert_int_equal(d->InputTensor->Type, DML_TENSOR_TYPE_BUFFER);
    const DML_BUFFER_TENSOR_DESC *in = d->InputTensor->Desc;
    assert_int_equal(in->DataType, 2);
    assert_int_equal(in->DimensionCount, 3);
    assert_int_equal(in->Sizes[2], 6);
    assert_null(in->Strides);
    assert_int_equal(in->TotalTensorSizeInBytes, 64);
    assert_int_equal(in->GuaranteedBaseOffsetAlignment, 32);
}

/* A list of tensors is an array, and only those that it has are bound. */
static void test_lists_are_arrays(void **state)
{
    ts_tensor tensors[TS_JOIN_OUTPUT + 1] = { tensor(TS_INT8, 2, 4), tensor(TS_INT8, 2, 4), tensor(TS_INT8, 2, 4) };
    const ts_dml_join a = { 3, 1 };
    tensors[TS_JOIN_OUTPUT] = tensor(TS_INT8, 3, 5);
    ts_call call = call_of("dml.join", &a, sizeof a, UINT32_MAX, tensors, TS_JOIN_OUTPUT + 1);
    describe_room room;
    (void)state;
    const describe_operator *op = describe_find("dml.join");
    assert_int_equal(describe_call(op, &call, &room), TS_OK);
    const DML_JOIN_OPERATOR_DESC *d = room.desc.Desc;
    assert_int_equal(room.desc.Type, 63);
    assert_int_equal(d->InputCount, 3);
    assert_int_equal(d->Axis, 1);
    for (unsigned k = 0; k < 3; ++k)
        assert_int_equal(((const DML_BUFFER_TENSOR_DESC *)d->InputTensors[k].Desc)->DimensionCount, 2);
    assert_int_equal(((const DML_BUFFER_TENSOR_DESC *)d->OutputTensor->Desc)->DimensionCount, 3);
    assert_int_equal(describe_bound(op, &call, 0, op->input_count), 3);
    assert_int_equal(describe_bound(op, &call, op->input_count, 1), 1);
    memset(tensors, 0, 3 * sizeof *tensors);
    assert_int_equal(describe_call(op, &call, &room), TS_OK);
    assert_null(d->InputTensors);
}

static const DML_SLICE1_OPERATOR_DESC *slice1_of(const describe_room *room)
{
    return room->desc.Desc;
}

static void test_null_pointers_are_passed_on(void **state)
{
    ts_tensor tensors[] = { tensor(TS_INT8, 1, 4), tensor(TS_INT8, 1, 4) };
    const ts_dml_slice1 a = { .DimensionCount = 1 };
    ts_call call = call_of("dml.slice1", &a, sizeof a, UINT32_MAX, tensors, 2);
    describe_room room;
    (void)state;
    call.attrs_given = ~(1u << 2);
    tensors[0].given = TS_GIVEN_TENSOR | TS_GIVEN_DESC | TS_GIVEN_STRIDES;
    tensors[1].given = TS_GIVEN_TENSOR;
    assert_int_equal(describe_call(describe_find("dml.slice1"), &call, &room), TS_OK);
    assert_non_null(slice1_of(&room)->InputWindowOffsets);
    assert_null(slice1_of(&room)->InputWindowSizes);
    assert_null(((const DML_BUFFER_TENSOR_DESC *)slice1_of(&room)->InputTensor->Desc)->Sizes);
    assert_int_equal(((const DML_BUFFER_TENSOR_DESC *)slice1_of(&room)->InputTensor->Desc)->Strides[0], 1);
    assert_null(slice1_of(&room)->OutputTensor->Desc);
    tensors[1].given = 0;
    assert_int_equal(describe_call(describe_find("dml.slice1"), &call, &room), TS_OK);
    assert_null(slice1_of(&room)->OutputTensor);
}

static void test_gather_and_random_generator(void **state)
{
    ts_tensor tensors[] = { tensor(TS_UINT32, 1, 6), tensor(TS_UINT32, 1, 3), tensor(TS_UINT32, 1, 6) };
    const ts_dml_gather gather = { 7, 9 };
    const ts_dml_random_generator random = { 5 };
    ts_call call = call_of("dml.gather", &gather, sizeof gather, UINT32_MAX, tensors, 3);
    describe_room room;
    (void)state;
    assert_int_equal(describe_call(describe_find(call.op), &call, &room), TS_OK);
    assert_int_equal(room.desc.Type, 67);
    const DML_GATHER_OPERATOR_DESC *g = room.desc.Desc;
    assert_int_equal(g->Axis, 7);
    assert_int_equal(g->IndexDimensions, 9);
    assert_ptr_equal(g->OutputTensor, &room.tensors.tensors[2]);
    call.attrs_given = 1; /* without IndexDimensions, which cannot be a null pointer */
    assert_int_equal(describe_call(describe_find(call.op), &call, &room), TS_UNSUPPORTED);
    call = call_of("dml.random_generator", &random, sizeof random, UINT32_MAX, tensors, 3);
    tensors[2].given = 0;
    assert_int_equal(describe_call(describe_find(call.op), &call, &room), TS_OK);
    assert_int_equal(room.desc.Type, 132);
    const DML_RANDOM_GENERATOR_OPERATOR_DESC *r = room.desc.Desc;
    assert_int_equal(r->Type, 5);
    assert_null(r->OutputStateTensor);
}

static void test_garbage(void **state)
{
    ts_tensor tensors[] = { tensor(99, 0xFFFFFFFF, 4), tensor(TS_BOOLEAN, 17, 4) };
    const uint32_t none = 0;
    ts_call call = call_of("dml.element_wise_identity", &none, sizeof none, UINT32_MAX, tensors, 2);
    describe_room room;
    (void)state;
    assert_int_equal(describe_call(describe_find(call.op), &call, &room), TS_OK);
    assert_int_equal(room.tensors.buffers[0].DimensionCount, 0xFFFFFFFF);
    assert_int_equal(room.tensors.buffers[0].DataType, 99);
    assert_int_equal(room.tensors.buffers[1].DataType, 15);
    assert_null(((const DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC *)room.desc.Desc)->ScaleBias);
    tensors[0] = tensor(TS_INT8, 2, UINT64_C(1) << 32); /* DirectML cannot express it */
    assert_int_equal(describe_call(describe_find(call.op), &call, &room), TS_UNSUPPORTED);
    call.attrs_size = 0;
    assert_int_equal(describe_call(describe_find(call.op), &call, &room), TS_ERROR);
    assert_null(describe_find("openvino.strided_slice"));
    assert_null(describe_find(NULL));
}

/* A row that leaves out a field, or has them in another order, is refused, whichever field it is. */
static void test_rows_are_whole(void **state)
{
    (void)state;
    char why[160] = "";
    if (!describe_rows_are_whole(why, sizeof why))
        fail_msg("%s", why);
    for (size_t k = 0; k < describe_operator_count; ++k) {
        const describe_operator *op = &describe_operators[k];
        for (uint32_t left_out = 0; left_out < op->field_count; ++left_out) {
            describe_field fields[16];
            describe_operator changed = *op;
            assert_in_range(op->field_count, 1, 16);
            memcpy(fields, op->fields, op->field_count * sizeof *fields);
            memmove(fields + left_out, op->fields + left_out + 1, (op->field_count - left_out - 1) * sizeof *fields);
            changed.fields = fields;
            changed.field_count = op->field_count - 1;
            if (describe_row_is_whole(&changed, why, sizeof why))
                fail_msg("%s without field %u is taken as whole", op->name, left_out + 1);
            assert_non_null(strstr(why, op->name));
            if (left_out == 0)
                continue;
            memcpy(fields, op->fields, op->field_count * sizeof *fields);
            fields[left_out - 1] = op->fields[left_out];
            fields[left_out] = op->fields[left_out - 1];
            changed.field_count = op->field_count;
            if (describe_row_is_whole(&changed, why, sizeof why))
                fail_msg("%s with fields %u and %u exchanged is taken as whole", op->name, left_out, left_out + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice1),
        cmocka_unit_test(test_lists_are_arrays),
        cmocka_unit_test(test_null_pointers_are_passed_on),
        cmocka_unit_test(test_gather_and_random_generator),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_rows_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

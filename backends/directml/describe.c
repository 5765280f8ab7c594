/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/describe.h"

#include "reference/dml/element_wise_identity.h"
#include "reference/dml/gather.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/slice1.h"

#include <string.h>

static const describe_operator operators[] = {
    { "dml.slice1", DML_OPERATOR_SLICE1, 2, 1, sizeof(ts_dml_slice1), 0 },
    { "dml.gather", DML_OPERATOR_GATHER, 3, 2, sizeof(ts_dml_gather), 1 | 2 },
    { "dml.random_generator", DML_OPERATOR_RANDOM_GENERATOR, 3, 1, sizeof(ts_dml_random_generator), 1 },
    { "dml.element_wise_identity", DML_OPERATOR_ELEMENT_WISE_IDENTITY, 2, 1, sizeof(ts_dml_element_wise_identity), 0 },
};

const describe_operator *describe_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof operators / sizeof *operators; ++i)
        if (strcmp(operators[i].name, name) == 0)
            return &operators[i];
    return NULL;
}

/* The number of dimensions in the suite's arrays: a descriptor may state more. */
static bool narrow(const uint64_t *wide, uint32_t rank, uint32_t *out)
{
    for (uint32_t i = 0; i < TS_MAX_DIMS; ++i) {
        if (i < rank && wide[i] > UINT32_MAX)
            return false;
        out[i] = i < rank ? (uint32_t)wide[i] : 0;
    }
    return true;
}

static bool describe_tensor(const ts_tensor *t, describe_room *room, uint32_t i)
{
    bool sizes = (t->given & TS_GIVEN_SIZES) != 0, strides = (t->given & TS_GIVEN_STRIDES) != 0;
    bool desc = (t->given & TS_GIVEN_DESC) != 0;
    if ((sizes && !narrow(t->sizes, t->rank, room->sizes[i])) ||
        (strides && !narrow(t->strides, t->rank, room->strides[i])))
        return false;
    room->buffers[i] = (DML_BUFFER_TENSOR_DESC){ .DataType = t->dtype,
                                                 .Flags = t->flags,
                                                 .DimensionCount = t->rank,
                                                 .Sizes = sizes ? room->sizes[i] : NULL,
                                                 .Strides = strides ? room->strides[i] : NULL,
                                                 .TotalTensorSizeInBytes = t->total_bytes,
                                                 .GuaranteedBaseOffsetAlignment = t->alignment };
    room->tensors[i] = (DML_TENSOR_DESC){ DML_TENSOR_TYPE_BUFFER, desc ? &room->buffers[i] : NULL };
    return true;
}

/* Attribute k's array, or the null pointer if it is absent. */
#define ARRAY(call, k, array) ((call)->attrs_given >> (k)&1 ? (array) : NULL)

ts_status describe_call(const describe_operator *op, const ts_call *call, describe_room *room)
{
    const DML_TENSOR_DESC *t[DESCRIBE_TENSORS] = { NULL };
    if (call->tensor_count != op->tensor_count || call->attrs_size < op->attrs_size || !call->attrs)
        return TS_ERROR;
    if ((call->attrs_given & op->numbers) != op->numbers)
        return TS_UNSUPPORTED;
    for (uint32_t i = 0; i < op->tensor_count; ++i) {
        const ts_tensor *tensor = ts_call_tensor(call, i);
        if (!(tensor->given & TS_GIVEN_TENSOR))
            continue;
        if (!describe_tensor(tensor, room, i))
            return TS_UNSUPPORTED;
        t[i] = &room->tensors[i];
    }
    room->desc = (DML_OPERATOR_DESC){ op->type, &room->op };
    if (op->type == DML_OPERATOR_SLICE1) {
        const ts_dml_slice1 *a = call->attrs;
        room->op.slice1 = (DML_SLICE1_OPERATOR_DESC){ .InputTensor = t[0],
                                                      .OutputTensor = t[1],
                                                      .DimensionCount = a->DimensionCount,
                                                      .InputWindowOffsets = ARRAY(call, 1, a->InputWindowOffsets),
                                                      .InputWindowSizes = ARRAY(call, 2, a->InputWindowSizes),
                                                      .InputWindowStrides = ARRAY(call, 3, a->InputWindowStrides) };
    } else if (op->type == DML_OPERATOR_GATHER) {
        const ts_dml_gather *a = call->attrs;
        room->op.gather = (DML_GATHER_OPERATOR_DESC){ t[0], t[1], t[2], a->Axis, a->IndexDimensions };
    } else if (op->type == DML_OPERATOR_RANDOM_GENERATOR) {
        const ts_dml_random_generator *a = call->attrs;
        room->op.random_generator = (DML_RANDOM_GENERATOR_OPERATOR_DESC){ t[0], t[1], t[2], a->Type };
    } else {
        room->op.identity = (DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC){ t[0], t[1], NULL };
    }
    return TS_OK;
}

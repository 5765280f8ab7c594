/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/describe.h"

#include <stdio.h>
#include <string.h>

const describe_operator *describe_find(const char *name)
{
    for (size_t i = 0; name && i < describe_operator_count; ++i)
        if (strcmp(describe_operators[i].name, name) == 0)
            return &describe_operators[i];
    return NULL;
}

/* The tensors that a field is about. */
static uint32_t tensors_of(describe_kind kind)
{
    switch (kind) {
    case DESCRIBE_INPUT:
    case DESCRIBE_OUTPUT: return 1;
    case DESCRIBE_INPUTS:
    case DESCRIBE_OUTPUTS: return DESCRIBE_LISTED;
    default: return 0;
    }
}

static bool is_input(describe_kind kind)
{
    return kind == DESCRIBE_INPUT || kind == DESCRIBE_INPUTS;
}

static bool is_number(describe_kind kind)
{
    return kind == DESCRIBE_NUMBER || kind == DESCRIBE_COUNT;
}

/* Does a field at `offset` follow what ends at *end, but for padding to `alignment`? Moves *end behind it. */
static bool follows(uint32_t *end, uint32_t offset, uint32_t size, uint32_t alignment)
{
    const uint32_t padded = (*end + alignment - 1) / alignment * alignment;
    *end = offset + size;
    return offset == padded;
}

bool describe_row_is_whole(const describe_operator *op, char *why, size_t size)
{
    uint32_t end = 0, attrs_end = 0, inputs = 0, outputs = 0;
    for (uint32_t i = 0; i < op->field_count; ++i) {
        const describe_field *f = &op->fields[i];
        const uint32_t bytes = is_number(f->kind) ? sizeof(uint32_t) : sizeof(void *);
        if (f->to_size != bytes || (is_number(f->kind) && f->from_size != bytes)) {
            snprintf(why, size, "%s: field %u has %u bytes instead of %u", op->name, i + 1, f->to_size, bytes);
            return false;
        }
        if (!follows(&end, f->to, bytes, bytes) ||
            (f->from_size && !follows(&attrs_end, f->from, f->from_size, sizeof(uint32_t)))) {
            snprintf(why, size, "%s: a field before field %u is left out, or out of order", op->name, i + 1);
            return false;
        }
        inputs += is_input(f->kind) ? tensors_of(f->kind) : 0;
        outputs += is_input(f->kind) ? 0 : tensors_of(f->kind);
    }
    const uint32_t alignment = sizeof(void *), whole = (end + alignment - 1) / alignment * alignment;
    if (whole != op->desc_size || (attrs_end && attrs_end != op->attrs_size))
        snprintf(why, size, "%s: a field at the end is left out", op->name);
    else if (inputs != op->input_count || inputs + outputs != op->tensor_count)
        snprintf(why, size, "%s: it counts other tensors than it names", op->name);
    else if (op->desc_size > DESCRIBE_BYTES || op->tensor_count > DESCRIBE_TENSORS)
        snprintf(why, size, "%s: a descriptor has too little room", op->name);
    else
        return true;
    return false;
}

bool describe_rows_are_whole(char *why, size_t size)
{
    for (size_t i = 0; i < describe_operator_count; ++i)
        if (!describe_row_is_whole(&describe_operators[i], why, size))
            return false;
    return true;
}

bool describe_has_numbers(const describe_operator *op, uint32_t attrs_given)
{
    uint32_t attribute = 0;
    for (uint32_t i = 0; i < op->field_count; ++i) {
        if (op->fields[i].kind == DESCRIBE_NUMBER && !(attrs_given >> attribute & 1))
            return false;
        attribute += op->fields[i].from_size != 0;
    }
    return true;
}

uint32_t describe_bound(const describe_operator *op, const ts_call *call, uint32_t first, uint32_t n)
{
    bool lists = false;
    for (uint32_t i = 0; i < op->field_count; ++i)
        lists = lists || tensors_of(op->fields[i].kind) > 1;
    while (lists && n > 0 && !(ts_call_tensor(call, first + n - 1)->given & TS_GIVEN_TENSOR))
        --n;
    return n;
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

static bool describe_tensor(const ts_tensor *t, describe_tensors *room, uint32_t i)
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

bool describe_list(const ts_call *call, uint32_t first, uint32_t n, describe_tensors *room, bool *fits)
{
    bool given = false;
    for (uint32_t i = first; i < first + n; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        const bool present = (t->given & TS_GIVEN_TENSOR) != 0;
        if (present && !describe_tensor(t, room, i))
            *fits = false;
        if (n > 1 && !present) /* what an array has in place of a null pointer */
            room->tensors[i] = (DML_TENSOR_DESC){ DML_TENSOR_TYPE_INVALID, NULL };
        given = given || present;
    }
    return given;
}

ts_status describe_call(const describe_operator *op, const ts_call *call, describe_room *room)
{
    uint32_t tensor = 0, attribute = 0;
    if (call->tensor_count != op->tensor_count || call->attrs_size < op->attrs_size || !call->attrs)
        return TS_ERROR;
    if (!describe_has_numbers(op, call->attrs_given))
        return TS_UNSUPPORTED;
    for (uint32_t i = 0; i < op->field_count; ++i) {
        const describe_field *f = &op->fields[i];
        const void *pointer = NULL;
        if (f->from_size) { /* an array is absent as a null pointer */
            const bool given = is_number(f->kind) || (call->attrs_given >> attribute & 1);
            pointer = given ? (const unsigned char *)call->attrs + f->from : NULL;
            ++attribute;
        } else {
            const uint32_t first = tensor, n = tensors_of(f->kind);
            bool fits = true;
            const bool given = describe_list(call, first, n, &room->tensors, &fits);
            if (!fits)
                return TS_UNSUPPORTED;
            tensor += n;
            pointer = given ? &room->tensors.tensors[first] : NULL;
        }
        memcpy(room->op.bytes + f->to, is_number(f->kind) ? pointer : &pointer, f->to_size);
    }
    room->desc = (DML_OPERATOR_DESC){ op->type, &room->op };
    return TS_OK;
}

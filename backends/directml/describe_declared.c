/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/describe_declared.h"

#include "reference/checked/checked.h"
#include "reference/operators.h"

#include <string.h>

/* The structure that is written, field by field, each at its natural alignment. */
typedef struct writer {
    unsigned char *bytes;
    size_t used;
    bool fits;
} writer;

static void put(writer *w, const void *value, size_t size, size_t alignment)
{
    w->used = (w->used + alignment - 1) / alignment * alignment;
    w->fits = w->fits && w->used + size <= DECLARED_BYTES;
    if (w->fits)
        memcpy(w->bytes + w->used, value, size);
    w->used += size;
}

static void put_pointer(writer *w, const void *pointer)
{
    put(w, &pointer, sizeof pointer, sizeof pointer);
}

const ts_operator *declared_operator(const ts_call *call)
{
    const ts_operator *op = operators_find_known(call->op);
    return op && operators_declared(op) && call->tensor_count == op->tensor_count && call->attrs_size >= op->attrs_size
               ? op
               : NULL;
}

uint32_t declared_inputs(const ts_operator *op)
{
    uint32_t n = 0;
    while (n < op->tensor_count && op->tensors[n].role == TS_INPUT)
        ++n;
    return n;
}

/* Is the attribute a number of the structure itself, not behind a pointer? */
static bool is_number(const ts_attr_decl *a)
{
    return a->type != TS_ATTR_OPERATOR && a->count != TS_ARRAY && !(a->count == TS_RECORD && a->optional);
}

/* Does the call have all numbers that cannot be absent? */
static bool has_numbers(const ts_operator *op, const ts_call *call)
{
    for (unsigned k = 0; k < op->attr_count; ++k)
        if (is_number(&op->attrs[k]) && !op->attrs[k].counts && !(call->attrs_given >> k & 1))
            return false;
    return true;
}

/* Write an attribute that is no nested operator. */
static void put_attr(writer *w, const ts_attr_decl *a, const unsigned char *attrs, bool given)
{
    const size_t bytes = operator_attr_range(a->type).bytes;
    if (!is_number(a))
        put_pointer(w, given ? attrs + a->offset : NULL);
    else
        for (unsigned i = 0; i < (a->count == TS_RECORD ? a->capacity : 1u); ++i)
            put(w, attrs + a->offset + i * bytes, bytes, bytes);
}

/* The structure of a nested operator, whose tensors are null pointers, but for those that it has by mistake. */
static bool put_nested(const ts_attr_decl *a, const ts_nested_operator *nested, uint32_t i, declared_room *room)
{
    writer w = { room->nested_op[i].bytes, 0, true };
    ts_descriptor *inner = &room->inner[i];
    if (!operator_of_nested(inner, a, nested) || operator_missing_attrs(inner))
        return false;
    const checked_operator *declared = (const checked_operator *)(const void *)inner->op;
    unsigned tensor = 0, attr = 0;
    for (const char *field = declared->order; *field; ++field) {
        if (*field == 't') {
            put_pointer(&w, nested->tensors >> tensor & 1 ? &room->tensors.tensors[0] : NULL);
            ++tensor;
        } else {
            put_attr(&w, &inner->op->attrs[attr], inner->attrs, inner->attrs_given >> attr & 1);
            ++attr;
        }
    }
    room->nested[i] = (DML_OPERATOR_DESC){ declared->value, &room->nested_op[i] };
    return w.fits;
}

/* A fused activation, or the activations of a recurrent network. False if one of them is none that is declared. */
static bool put_operators(writer *w, const ts_call *call, const ts_attr_decl *a, bool given, declared_room *room)
{
    const unsigned char *attrs = call->attrs;
    uint32_t n = 1;
    if (a->count == TS_ARRAY)
        memcpy(&n, attrs + a->count_offset, sizeof n);
    for (uint32_t i = 0; given && i < n && i < DECLARED_NESTED; ++i) {
        ts_nested_operator nested;
        memcpy(&nested, attrs + a->offset + i * sizeof nested, sizeof nested);
        if (!put_nested(a, &nested, i, room))
            return false;
    }
    put_pointer(w, given ? room->nested : NULL);
    return n <= DECLARED_NESTED;
}

ts_status declared_call(const ts_call *call, declared_room *room)
{
    const ts_operator *op = declared_operator(call);
    if (!op || !has_numbers(op, call))
        return TS_UNSUPPORTED;
    const checked_operator *declared = (const checked_operator *)(const void *)op;
    writer w = { room->op.bytes, 0, true };
    unsigned tensor = 0, attr = 0;
    for (const char *field = declared->order; *field; ++field) {
        if (*field == 't') {
            const ts_tensor_list *l = operator_list_of(op, tensor);
            const uint32_t n = l ? l->most : 1;
            const bool given = describe_list(call, tensor, n, &room->tensors, &w.fits);
            put_pointer(&w, given ? &room->tensors.tensors[tensor] : NULL);
            tensor += n;
            continue;
        }
        const ts_attr_decl *a = &op->attrs[attr];
        const bool given = call->attrs_given >> attr & 1;
        if (a->type != TS_ATTR_OPERATOR)
            put_attr(&w, a, call->attrs, given);
        else if (!put_operators(&w, call, a, given, room))
            return TS_UNSUPPORTED;
        ++attr;
    }
    room->desc = (DML_OPERATOR_DESC){ declared->value, &room->op };
    return w.fits ? TS_OK : TS_UNSUPPORTED;
}

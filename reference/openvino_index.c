/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino_index.h"

#include <inttypes.h>

uint64_t openvino_index(const ts_tensor *indices, const uint64_t *coord, bool *negative)
{
    const void *p = tensor_at(indices, coord);
    int64_t stated = 0;
    switch (indices->dtype) {
    case TS_INT8: stated = *(const int8_t *)p; break;
    case TS_INT16: {
        int16_t value;
        memcpy(&value, p, sizeof value);
        stated = value;
        break;
    }
    case TS_INT32: {
        int32_t value;
        memcpy(&value, p, sizeof value);
        stated = value;
        break;
    }
    default: memcpy(&stated, p, tensor_element_bytes(indices->dtype)); break; /* little-endian */
    }
    *negative = stated < 0 && indices->dtype != TS_UINT64;
    return (uint64_t)stated;
}

bool openvino_from_start(uint64_t stated, bool negative, uint64_t n, uint64_t *at)
{
    *at = stated;
    return !negative && stated < n;
}

bool openvino_from_either_end(uint64_t stated, bool negative, uint64_t n, uint64_t *at)
{
    *at = stated + (negative ? n : 0); /* mod 2^64, so that it is below n only where the index is at least -n */
    return *at < n;
}

void openvino_stray(ts_unspecified *unspecified, unsigned tensor, uint64_t number)
{
    if (unspecified)
        unspecified->may_fail = true;
    operator_unspecified(unspecified, tensor, number);
}

bool openvino_check_tensors(const ts_descriptor *d, const char *given, const char *bytes, ts_report *report)
{
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        if ((d->tensors[i].given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
            operator_violate(report, given, TS_RESULT_INVALID, (int)i, -1, "%s has no shape", d->op->tensors[i].name);
            return false;
        }
        openvino_check_bytes(d, i, bytes, report);
    }
    return true;
}

bool openvino_check_dims(const ts_descriptor *d, unsigned tensor, uint32_t least, uint32_t most, const char *clause,
                         ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *name = d->op->tensors[tensor].name;
    if (t->rank < least) {
        operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, -1, "%s has no dimension", name);
        return false;
    }
    if (t->rank > most) {
        operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, (int)tensor, -1,
                         "%s has %u dimensions; Touchstone judges up to %u", name, t->rank, most);
        return false;
    }
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] > INT64_MAX) {
            operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, (int)tensor, (int)i,
                             "%s's dimension %u = %" PRIu64 " exceeds 2^63 - 1", name, i, t->sizes[i]);
            return false;
        }
    }
    return true;
}

void openvino_check_same_type(const ts_descriptor *d, unsigned out, const char *clause, ts_report *report)
{
    const ts_tensor *t = &d->tensors[out], *first = &d->tensors[0];
    if (t->dtype != first->dtype)
        operator_violate(report, clause, TS_RESULT_INVALID, (int)out, -1, "%s's type %s differs from %s's %s",
                         d->op->tensors[out].name, operator_dtype_name(d->op, t->dtype), d->op->tensors[0].name,
                         operator_dtype_name(d->op, first->dtype));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino_index.h"

#include <inttypes.h>

int64_t openvino_index(const ts_tensor *indices, const uint64_t *coord)
{
    int32_t narrow;
    int64_t wide;
    if (indices->dtype == TS_INT32) {
        memcpy(&narrow, tensor_at(indices, coord), sizeof narrow);
        return narrow;
    }
    memcpy(&wide, tensor_at(indices, coord), sizeof wide);
    return wide;
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino.h"

#include <inttypes.h>

void openvino_check_bytes(const ts_descriptor *d, unsigned tensor, const char *clause, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *name = d->op->tensors[tensor].name;
    const size_t element = tensor_element_bytes(t->dtype);
    uint64_t span;
    if (t->rank > TS_MAX_DIMS || element == 0)
        return;
    if (!tensor_span_elements(t, &span))
        operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, -1, "%s spans more than 2^64 - 1 elements",
                         name);
    else if (span > t->total_bytes / element)
        operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, -1,
                         "%s spans %" PRIu64 " elements of %zu bytes in a buffer of %" PRIu64 " bytes", name, span,
                         element, t->total_bytes);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of operators that are checked, but not computed: what becomes of their descriptors. */
#include "backends/faulty/fault.h"

#include <stdlib.h>

static bool accept_enumeration(const fault_call *call, const ts_report *report)
{
    (void)call;
    return !fault_refuses(report) || fault_forgives(report, "OP-04");
}

static bool accept_type(const fault_call *call, const ts_report *report)
{
    (void)call;
    return !fault_refuses(report) || fault_forgives(report, "OP-03");
}

/* End the process where a list is a null pointer, as an implementation does that reads it. */
static bool crash_on_null_list(const fault_call *call, const ts_report *report)
{
    const ts_descriptor *d = call->d;
    for (unsigned k = 0; k < d->op->attr_count; ++k)
        if (d->op->attrs[k].count == TS_ARRAY && !(d->attrs_given >> k & 1))
            abort();
    return !fault_refuses(report);
}

/* Never return where a size is the largest one that a counter of 32 bits holds. */
static bool hang_on_large(const fault_call *call, const ts_report *report)
{
    for (unsigned k = 0; k < call->d->op->tensor_count; ++k)
        for (uint32_t i = 0; i < call->d->tensors[k].rank && i < TS_MAX_DIMS; ++i)
            if ((call->d->tensors[k].given & TS_GIVEN_TENSOR) && call->d->tensors[k].sizes[i] == 0xFFFFFFFF)
                fault_hang_deaf();
    return !fault_refuses(report);
}

static const fault rows[] = {
    { "checked-enumeration", ON_CHECKED, REFUSAL, "any value of an enumeration is accepted",
      .judge = accept_enumeration },
    { "checked-type", ON_CHECKED, REFUSAL, "the data types of the support table are not compared",
      .judge = accept_type },
    { "checked-crash", ON_CHECKED, PROCESS, "a list that is a null pointer ends the process",
      .judge = crash_on_null_list },
    { "checked-hang", ON_CHECKED, PROCESS, "a loop up to a size of 2^32 - 1 never ends", .judge = hang_on_large },
};

const fault_table fault_checked = { rows, sizeof rows / sizeof *rows };

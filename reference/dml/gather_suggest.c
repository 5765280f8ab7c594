/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

enum { IN };

ts_suggest dml_gather_suggest_axis, dml_gather_suggest_index_dims, dml_gather_suggest_leading_sizes,
    dml_gather_suggest_crop;

void dml_gather_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add_range(out, 0, d->tensors[IN].rank - 1, "Axis");
}

void dml_gather_suggest_index_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add_range(out, 0, d->tensors[IN].rank, "IndexDimensions");
}

void dml_gather_suggest_leading_sizes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    suggest_add(out, "IndicesTensor.Sizes[%d] = 1", v->axis);
}

/* The smaller values of IndexDimensions that break nothing, everything else unchanged. False: there is none. */
static bool add_legal_index_dims(const ts_descriptor *d, ts_suggestion *out)
{
    ts_descriptor tried = *d;
    ts_report report;
    unsigned k = (unsigned)operator_attr_index(d->op, "IndexDimensions");
    bool any = false;
    for (int64_t n = 0; n <= TS_MAX_DIMS && n < suggest_attr(d, "IndexDimensions", 0); ++n) {
        report.count = report.dropped = 0;
        report.worst = TS_RESULT_NONE;
        operator_set_attr(&tried, k, &n, 1);
        operator_check(&tried, &report);
        if (operator_graver(report.worst, TS_RESULT_WARNING))
            continue;
        suggest_add(out, any ? " or %" PRId64 : "IndexDimensions = %" PRId64, n);
        any = true;
    }
    return any;
}

void dml_gather_suggest_crop(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint32_t ones = 0, dims = d->tensors[IN].rank < TS_MAX_DIMS ? d->tensors[IN].rank : TS_MAX_DIMS;
    int64_t axis = suggest_attr(d, "Axis", 0), stated = suggest_attr(d, "IndexDimensions", 0);
    (void)v;
    while (ones < dims && d->tensors[IN].sizes[ones] == 1)
        ++ones;
    if (!add_legal_index_dims(d, out))
        suggest_add(out, "IndexDimensions of at most %" PRId64 ", and sizes to fit", 1 + (axis < ones ? axis : ones));
    int64_t missing = stated - 1 - ones;
    if (missing == 1)
        suggest_add(out, ", or add one leading 1 to the sizes of every tensor and add 1 to Axis");
    else if (missing > 1)
        suggest_add(out, ", or add %" PRId64 " leading 1s to the sizes of every tensor and add %" PRId64 " to Axis",
                    missing, missing);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that users may add with `touchstone check --profile`: rules of OpenVINO or of the page that our decisions do
   not follow. */
#include "reference/openvino/strided_slice.h"
#include "harness/model/mention.h"
#include "harness/model/suggest.h"

#include <inttypes.h>

ts_choice_check openvino_strided_slice_equal_masks, openvino_strided_slice_strict_shrink;
ts_suggest openvino_strided_slice_suggest_mask_length, openvino_strided_slice_suggest_end;

/* E-SS-9: OpenVINO refuses masks of different lengths. */
void openvino_strided_slice_equal_masks(const ts_descriptor *d, ts_report *report)
{
    const ts_operator *op = d->op;
    int first = -1;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        uint32_t count = operator_attr_count(d, k);
        if (op->attrs[k].type != TS_ATTR_BIT || count == 0)
            continue;
        if (first < 0)
            first = (int)k;
        else if (count != operator_attr_count(d, (unsigned)first))
            operator_violate(report, "SS-03", TS_RESULT_INVALID, -1, -1,
                             "%s has %u values, %s has %u: OpenVINO requires one length (profile ov_equal_masks)",
                             op->attrs[first].name, operator_attr_count(d, (unsigned)first), op->attrs[k].name, count);
    }
}

/* Every mask that is there as long as begin. */
void openvino_strided_slice_suggest_mask_length(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint32_t steps = TS_ATTRS(ts_openvino_strided_slice, d)->begin_count;
    (void)v;
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const uint32_t count = operator_attr_count(d, k);
        if (d->op->attrs[k].type == TS_ATTR_BIT && count != 0 && count != steps)
            suggest_length(d, out, d->op->attrs[k].name, steps);
    }
}

/* E-SS-4: by the page, end must equal begin in a shrink step; no implementation requires that. */
void openvino_strided_slice_strict_shrink(const ts_descriptor *d, ts_report *report)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    for (unsigned i = 0; i < a->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i) {
        int64_t begin = suggest_attr(d, "begin", i), end = suggest_attr(d, "end", i);
        if (suggest_attr(d, "shrink_axis_mask", i) != 1 || suggest_attr(d, "new_axis_mask", i) == 1 ||
            suggest_attr(d, "ellipsis_mask", i) == 1 || begin == end)
            continue;
        operator_violate(report, "SS-09", TS_RESULT_INVALID, -1, -1,
                         "begin[%u] = %" PRId64 " differs from end[%u] = %" PRId64
                         " in a shrink step (profile strict_shrink)",
                         i, begin, i, end);
    }
}

void openvino_strided_slice_suggest_end(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const unsigned i = mention_index(d, v, "begin");
    suggest_value(d, out, "end", i, suggest_attr(d, "begin", i), suggest_attr(d, "begin", i));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/cumulative_summation.h"
#include "reference/dml_explain.h"

#include <inttypes.h>
#include <stdio.h>

enum { IN, OUT };

/* The elements along Axis that an element of the output is the sum of: *first to *last, or none. */
static bool summed(const ts_descriptor *d, const uint64_t *to, uint64_t *first, uint64_t *last)
{
    const ts_dml_cumulative_summation *a = TS_ATTRS(ts_dml_cumulative_summation, d);
    const uint64_t own = to[a->Axis], size = d->tensors[IN].sizes[a->Axis], left_out = a->HasExclusiveSum ? 1 : 0;
    *first = a->AxisDirection == TS_AXIS_INCREASING ? 0 : own + left_out;
    *last = a->AxisDirection == TS_AXIS_INCREASING ? own - left_out : size - 1;
    return a->AxisDirection == TS_AXIS_INCREASING ? own >= left_out : *first < size;
}

/* cumulative_summation_unjudged.c */
uint64_t dml_cumulative_summation_add_floats(uint32_t dtype, uint64_t a, uint64_t b);

/* The sum of elements `first` to `last` of the line of `to`, in the order of AxisDirection. */
static uint64_t sum_of(const ts_descriptor *d, const uint64_t *to, uint64_t first, uint64_t last)
{
    const ts_dml_cumulative_summation *a = TS_ATTRS(ts_dml_cumulative_summation, d);
    const ts_tensor *in = &d->tensors[IN];
    const size_t bytes = tensor_element_bytes(in->dtype);
    uint64_t at[TS_MAX_DIMS], sum = 0;
    memcpy(at, to, sizeof at);
    for (uint64_t k = 0; k <= last - first; ++k) {
        uint64_t element = 0;
        at[a->Axis] = a->AxisDirection == TS_AXIS_INCREASING ? first + k : last - k;
        memcpy(&element, tensor_at(in, at), bytes);
        sum = operator_judges(d->op, in->dtype) ? sum + element
                                                : dml_cumulative_summation_add_floats(in->dtype, sum, element);
    }
    return bytes < sizeof sum ? sum & ((UINT64_C(1) << 8 * bytes) - 1) : sum;
}

/* Which elements are added up, and their sum. */
static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_dml_cumulative_summation *a = TS_ATTRS(ts_dml_cumulative_summation, d);
    const ts_tensor *in = &d->tensors[IN];
    uint64_t first, last;
    size_t used = 0;
    e->addresses = dml_explain_addresses(d);
    e->has_bits = in->data != NULL;
    if (!summed(d, e->to_coord, &first, &last)) {
        snprintf(e->source, sizeof e->source, "0, the sum of no element");
        return true;
    }
    e->bits = in->data ? sum_of(d, e->to_coord, first, last) : 0;
    used += (size_t)snprintf(e->source, sizeof e->source, "%sInputTensor[", first == last ? "" : "the sum of ");
    for (uint32_t i = 0; i < in->rank && used < sizeof e->source; ++i) {
        const char *comma = i ? "," : "";
        char *end = e->source + used;
        const size_t room = sizeof e->source - used;
        used += (size_t)(i != a->Axis    ? snprintf(end, room, "%s%" PRIu64, comma, e->to_coord[i])
                         : first == last ? snprintf(end, room, "%s%" PRIu64, comma, first)
                                         : snprintf(end, room, "%s%" PRIu64 " to %" PRIu64, comma, first, last));
    }
    if (used < sizeof e->source)
        snprintf(e->source + used, sizeof e->source - used, "]");
    return true;
}

static void explain_values(const ts_descriptor *d, ts_explanation *x)
{
    const uint32_t dtype = d->tensors[IN].dtype;
    if (!operator_judges(d->op, dtype)) {
        explain_step(x, "CS-10", "Each sum is rounded");
        explain_say(x,
                    "The page does not say in which order %s elements are added, nor how precise the intermediate sums "
                    "are, so that several results are right. Touchstone adds them one by one in the order of "
                    "AxisDirection, rounds every sum to %s, and judges no value by it but those that the page prints.",
                    operator_dtype_name(d->op, dtype), operator_dtype_name(d->op, dtype));
        return;
    }
    explain_step(x, "CS-09", "Sums that the type cannot hold");
    explain_say(x,
                "A sum beyond the range of the type is taken modulo 2^%u: the bits that do not fit are cut off. So the "
                "order of the additions does not matter.",
                8 * (unsigned)tensor_element_bytes(dtype));
}

ts_explain dml_cumulative_summation_explain;
void dml_cumulative_summation_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_cumulative_summation *a = TS_ATTRS(ts_dml_cumulative_summation, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const bool increasing = a->AxisDirection == TS_AXIS_INCREASING;
    explain_step(x, "CS-05 CS-03 CS-04", "Elements are added up along dimension %u", a->Axis);
    explain_say(x, "Both tensors have the same sizes. Elements whose other coordinates are equal are one line along "
                   "Axis, and each line has its own sums.");
    explain_show(x, "InputTensor   %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "OutputTensor  %s", explain_list(out->sizes, out->rank).text);
    if (in->rank < 1 || in->rank > TS_MAX_DIMS || a->Axis >= in->rank || a->AxisDirection > TS_AXIS_DECREASING ||
        out->rank != in->rank || memcmp(in->sizes, out->sizes, in->rank * sizeof in->sizes[0]) != 0) {
        explain_say(x,
                    "There is no such dimension or direction, or the tensors differ in their sizes, so no element of "
                    "the output is a sum.");
        return;
    }
    explain_step(x, "CS-07 CS-06 CS-08 CS-11", "The sum of which elements");
    explain_show(x, "%s, HasExclusiveSum = %u: Output[.., k, ..] = the sum of Input[.., j, ..], j %s k",
                 increasing ? "INCREASING" : "DECREASING", a->HasExclusiveSum,
                 increasing ? (a->HasExclusiveSum ? "<" : "<=") : (a->HasExclusiveSum ? ">" : ">="));
    explain_values(d, x);
    dml_explain_strided(x, d);
    explain_step(x, "CS-07", "Each element");
    explain_elements(x, d, OUT, source, d);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How NonZero-3 determines its output. */
#include "harness/model/explain.h"
#include "reference/openvino/non_zero_shared.h"

#include <inttypes.h>
#include <stdio.h>

enum { DATA, OUT };

/* The elements of data that are not zero; at the number `wanted`, its coordinate. data has values and no size of 0. */
static uint64_t count_elements(const ts_tensor *data, uint64_t wanted, uint64_t *coord)
{
    uint64_t at[TS_MAX_DIMS] = { 0 }, count = 0;
    do
        if (!openvino_is_zero(data, at) && count++ == wanted)
            memcpy(coord, at, sizeof at);
    while (tensor_next(data, at));
    return count;
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_tensor *data = &d->tensors[DATA];
    uint64_t at[TS_MAX_DIMS] = { 0 };
    count_elements(data, e->to_coord[1], at);
    e->has_bits = true;
    e->bits = at[e->to_coord[0]];
    snprintf(e->source, sizeof e->source, "the index in dimension %" PRIu64 " of data[", e->to_coord[0]);
    for (uint32_t k = 0; k < data->rank; ++k)
        explain_append(e->source, sizeof e->source, "%s%" PRIu64, k ? "," : "", at[k]);
    explain_append(e->source, sizeof e->source, "]");
    return true;
}

/* The descriptor with the output as its elements lie. */
static ts_descriptor with_result(const ts_descriptor *d, uint64_t found)
{
    ts_descriptor result = *d;
    const ts_shape shape = { .rank = 2, .sizes = { d->tensors[DATA].rank, found } };
    result.tensors[OUT] = operator_result(d, OUT, &shape);
    return result;
}

ts_explain openvino_non_zero_3_explain;
void openvino_non_zero_3_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    uint64_t elements, ignored[TS_MAX_DIMS];
    explain_step(x, "NZ3-07 NZ3-02 NZ3-08", "The shape of the output depends on the values of data");
    explain_say(x, "It is [rank(data), number of elements that are not zero]. The descriptor states the largest, with "
                   "all elements of data; a call reports the shape that it finds, and its elements lie packed at the "
                   "start of the buffer.");
    explain_show(x, "data     %s", explain_list(data->sizes, data->rank).text);
    explain_show(x, "output   %s at most", explain_list(out->sizes, out->rank).text);
    if (data->rank > TS_MAX_DIMS || !tensor_element_count(data, &elements) || out->rank != 2) {
        explain_say(x, "There are too many dimensions or elements, or output does not have two dimensions.");
        return;
    }
    explain_step(x, "NZ3-10 NZ3-03", "What is zero");
    explain_say(x, "An element whose value is 0; of a float type that is 0 and -0. A NaN and a denormal are not zero.");
    if (elements > 0 && !data->data) {
        explain_step(x, "NZ3-09", "Each element");
        explain_say(x, "output[k, j] is the index in dimension k of the j-th such element, in row-major order. The "
                       "descriptor has no values of data, so the elements are not listed.");
        return;
    }
    const uint64_t found = elements ? count_elements(data, elements, ignored) : 0;
    const ts_descriptor result = with_result(d, found);
    explain_show(x, "%" PRIu64 " of %" PRIu64 " elements are not zero: output %s", found, elements,
                 explain_list(result.tensors[OUT].sizes, 2).text);
    explain_step(x, "NZ3-09 NZ3-04 NZ3-05", "Each element");
    explain_say(x, "output[k, j] is the index in dimension k of the j-th element, in row-major order, that is not "
                   "zero.");
    if (found > 0 && data->rank > 0)
        explain_elements(x, &result, OUT, source, d);
    else
        explain_say(x, "output has no elements.");
}

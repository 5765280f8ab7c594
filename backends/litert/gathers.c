/* SPDX-License-Identifier: Apache-2.0 */
/* The operators with indices as GATHER and GATHER_ND. */
#include "backends/litert/node.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_nd.h"
#include "reference/dml/gather_nd1.h"
#include "reference/openvino/gather_1.h"
#include "reference/openvino/gather_7.h"
#include "reference/openvino/gather_8.h"
#include "reference/openvino/gather_nd_5.h"
#include "reference/openvino/gather_nd_8.h"

#include <string.h>

enum { DATA, INDICES };

#define NO_NEGATIVES "GATHER and GATHER_ND have no indices that count from the end"

/* ---- the values of indices --------------------------------------------------------------------------------------- */

static int64_t index_at(const ts_tensor *t, uint64_t element)
{
    const char *at = (const char *)t->data + element * node_element(t->dtype);
    int16_t i16;
    int32_t i32;
    int64_t i64;
    switch (t->dtype) {
    case TS_INT16: return memcpy(&i16, at, sizeof i16), i16;
    case TS_INT32: return memcpy(&i32, at, sizeof i32), i32;
    default: return memcpy(&i64, at, sizeof i64), i64;
    }
}

/* Is an index below `least`, or not below `most`? */
static bool strays(const ts_tensor *t, int64_t least, int64_t most)
{
    uint64_t bytes, at[TS_MAX_DIMS] = { 0 }, element = 0;
    uint32_t i = t->rank;
    if (!t->data || !node_fits(t->sizes, t->rank) || !node_measure(t, &bytes) || bytes == 0)
        return false;
    for (;;) {
        const int64_t index = index_at(t, element);
        if (index < least || index >= most)
            return true;
        for (i = t->rank; i-- > 0;) {
            element += t->strides[i];
            if (++at[i] < t->sizes[i])
                break;
            element -= t->strides[i] * t->sizes[i];
            at[i] = 0;
        }
        if (i == UINT32_MAX)
            return false;
    }
}

/* ---- GATHER ------------------------------------------------------------------------------------------------------ */

static ts_status make_gather(node *n, int64_t axis, int64_t batch_dims, const char **reason)
{
    if (axis < INT32_MIN || axis > INT32_MAX || batch_dims < INT32_MIN || batch_dims > INT32_MAX) {
        *reason = "GATHER has attributes of INT32";
        return TS_UNSUPPORTED;
    }
    n->operation = NODE_GATHER;
    n->options_type = NODE_GATHER_OPTIONS;
    n->option_count = 2;
    n->options[0] = (int32_t)axis;
    n->options[1] = (int32_t)batch_dims;
    return TS_OK;
}

/* In DirectML, all three tensors have the same rank, with leading dimensions of 1; GATHER's indices have rank
   IndexDimensions. GATHER's output has the same elements in the same order; only the number of leading 1s differs. */
ts_status node_dml_gather(const ts_call *call, node *n, const char **reason)
{
    const ts_dml_gather *a = call->attrs;
    const uint32_t given = TS_GATHER_GIVEN_AXIS | TS_GATHER_GIVEN_INDEX_DIMENSIONS;
    const ts_tensor *in = ts_call_tensor(call, DATA), *indices = ts_call_tensor(call, INDICES), *out = n->out;
    const uint32_t rank = in->rank, axis = a->Axis, count = a->IndexDimensions;
    *reason = "refused by the adapter: GATHER cannot express these shapes";
    if (in->rank != out->rank || indices->rank != in->rank || in->dtype != out->dtype ||
        (call->attrs_given & given) != given || axis >= rank || !node_keep_last(n, in, rank) ||
        !node_keep_last(n, indices, count))
        return TS_REJECTED;
    /* The sizes of the output with all leading 1s, and the difference in their number. */
    uint32_t size_count = 0, at = 0;
    for (uint32_t i = 0; i < axis; ++i)
        n->out_sizes[size_count++] = in->sizes[i];
    for (uint32_t i = rank - count; i < rank; ++i)
        n->out_sizes[size_count++] = indices->sizes[i];
    for (uint32_t i = axis + 1; i < rank; ++i)
        n->out_sizes[size_count++] = in->sizes[i];
    for (; size_count - at > rank; ++at)
        if (at >= axis || n->out_sizes[at] != 1)
            return TS_REJECTED;
    const uint32_t before = rank - (size_count - at);
    for (uint32_t i = 0; i < rank; ++i)
        if (out->sizes[i] != (i < before ? 1 : n->out_sizes[at + i - before]))
            return TS_REJECTED;
    n->reshaped = true;
    n->out_rank = size_count;
    if (strays(indices, 0, INT64_MAX)) {
        *reason = NO_NEGATIVES;
        return TS_UNSUPPORTED;
    }
    return make_gather(n, axis, 0, reason);
}

static ts_status openvino_gather(const ts_call *call, node *n, bool given, int64_t axis, int64_t batch_dims,
                                 const char **reason)
{
    if (!given) {
        *reason = "GATHER has an axis";
        return TS_UNSUPPORTED;
    }
    n->in[n->input_count++] = ts_call_tensor(call, DATA);
    n->in[n->input_count++] = ts_call_tensor(call, INDICES);
    return make_gather(n, axis, batch_dims, reason);
}

ts_status node_gather_1(const ts_call *call, node *n, const char **reason)
{
    const ts_openvino_gather_1 *a = call->attrs;
    return openvino_gather(call, n, call->attrs_given & TS_GATHER_1_GIVEN_AXIS, a->axis, 0, reason);
}

ts_status node_gather_7(const ts_call *call, node *n, const char **reason)
{
    const ts_openvino_gather_7 *a = call->attrs;
    const int64_t batch_dims = call->attrs_given & TS_GATHER_7_GIVEN_BATCH_DIMS ? a->batch_dims : 0;
    return openvino_gather(call, n, call->attrs_given & TS_GATHER_7_GIVEN_AXIS, a->axis, batch_dims, reason);
}

/* Gather-8 also takes indices that count from the end, and gives 0 for those beyond the axis; GATHER refuses both. */
ts_status node_gather_8(const ts_call *call, node *n, const char **reason)
{
    const ts_openvino_gather_8 *a = call->attrs;
    const ts_tensor *data = ts_call_tensor(call, DATA);
    const int64_t batch_dims = call->attrs_given & TS_GATHER_8_GIVEN_BATCH_DIMS ? a->batch_dims : 0;
    const int64_t axis = a->axis < 0 ? a->axis + data->rank : a->axis;
    if (axis >= 0 && axis < data->rank && data->sizes[axis] <= INT32_MAX &&
        strays(ts_call_tensor(call, INDICES), 0, (int64_t)data->sizes[axis])) {
        *reason = "GATHER has no indices that are negative or beyond the axis";
        return TS_UNSUPPORTED;
    }
    return openvino_gather(call, n, call->attrs_given & TS_GATHER_8_GIVEN_AXIS, a->axis, batch_dims, reason);
}

/* ---- GATHER_ND --------------------------------------------------------------------------------------------------- */

static ts_status make_gather_nd(node *n, int64_t batch_dims, const char **reason)
{
    if (batch_dims != 0) {
        *reason = "GATHER_ND has no batches";
        return TS_UNSUPPORTED;
    }
    n->operation = NODE_GATHER_ND;
    n->options_type = NODE_GATHER_ND_OPTIONS;
    return TS_OK;
}

static ts_status openvino_gather_nd(const ts_call *call, node *n, int64_t batch_dims, const char **reason)
{
    n->in[n->input_count++] = ts_call_tensor(call, DATA);
    n->in[n->input_count++] = ts_call_tensor(call, INDICES);
    return make_gather_nd(n, batch_dims, reason);
}

ts_status node_gather_nd_5(const ts_call *call, node *n, const char **reason)
{
    const ts_openvino_gather_nd_5 *a = call->attrs;
    return openvino_gather_nd(call, n, call->attrs_given & TS_GATHER_ND_5_GIVEN_BATCH_DIMS ? a->batch_dims : 0, reason);
}

ts_status node_gather_nd_8(const ts_call *call, node *n, const char **reason)
{
    const ts_openvino_gather_nd_8 *a = call->attrs;
    if (strays(ts_call_tensor(call, INDICES), 0, INT64_MAX)) {
        *reason = NO_NEGATIVES;
        return TS_UNSUPPORTED;
    }
    return openvino_gather_nd(call, n, call->attrs_given & TS_GATHER_ND_8_GIVEN_BATCH_DIMS ? a->batch_dims : 0, reason);
}

static ts_status dml_gather_nd(const ts_call *call, node *n, const ts_dml_gather_nd1 *a, const char **reason)
{
    const uint64_t input = a->InputDimensionCount, tuples = a->IndicesDimensionCount;
    const ts_tensor *in = ts_call_tensor(call, DATA), *indices = ts_call_tensor(call, INDICES), *out = n->out;
    *reason = "refused by the adapter: GATHER_ND cannot express these shapes";
    if (out->dtype != in->dtype || indices->rank != in->rank || out->rank != in->rank || input == 0 || tuples == 0 ||
        !node_keep_last(n, in, input) || !node_keep_last(n, indices, tuples))
        return TS_REJECTED;
    const uint64_t *sizes = in->sizes + n->drop[DATA], *tuple_sizes = indices->sizes + n->drop[INDICES];
    const uint64_t tuple = tuple_sizes[tuples - 1];
    if (tuple > input)
        return TS_REJECTED;
    for (uint64_t i = 0; i < tuples - 1; ++i)
        n->out_sizes[n->out_rank++] = tuple_sizes[i];
    for (uint64_t i = tuple; i < input; ++i)
        n->out_sizes[n->out_rank++] = sizes[i];
    node expected = { .input_count = 0 };
    if (!node_keep_last(&expected, out, n->out_rank) ||
        memcmp(out->sizes + expected.drop[0], n->out_sizes, n->out_rank * sizeof n->out_sizes[0]) != 0)
        return TS_REJECTED;
    n->reshaped = true;
    if (strays(indices, 0, INT64_MAX)) {
        *reason = NO_NEGATIVES;
        return TS_UNSUPPORTED;
    }
    return make_gather_nd(n, a->BatchDimensionCount, reason);
}

ts_status node_dml_gather_nd(const ts_call *call, node *n, const char **reason)
{
    const ts_dml_gather_nd *a = call->attrs;
    const uint32_t given = TS_GATHER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_GATHER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    const ts_dml_gather_nd1 counts = { a->InputDimensionCount, a->IndicesDimensionCount, 0 };
    *reason = "refused by the adapter: an attribute is absent";
    return (call->attrs_given & given) == given ? dml_gather_nd(call, n, &counts, reason) : TS_REJECTED;
}

ts_status node_dml_gather_nd1(const ts_call *call, node *n, const char **reason)
{
    const ts_dml_gather_nd1 *a = call->attrs;
    const uint32_t given = TS_GATHER_ND1_GIVEN_INPUT_DIMENSION_COUNT | TS_GATHER_ND1_GIVEN_INDICES_DIMENSION_COUNT |
                           TS_GATHER_ND1_GIVEN_BATCH_DIMENSION_COUNT;
    *reason = "refused by the adapter: an attribute is absent";
    if ((call->attrs_given & given) != given)
        return TS_REJECTED;
    if (a->BatchDimensionCount != 0)
        return make_gather_nd(n, a->BatchDimensionCount, reason);
    return dml_gather_nd(call, n, a, reason);
}

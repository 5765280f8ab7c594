/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER_ND and DML_GATHER_ND1 as GatherND-8. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/gather_nd.h"
#include "reference/dml/gather_nd1.h"

#include <string.h>

enum { IN, INDICES, OUT, TENSORS };

/* Its indices are signed. */
static bool query(const ts_call *shape)
{
    const uint32_t dtype = pack_query(shape, TENSORS) ? ts_call_tensor(shape, INDICES)->dtype : 0;
    return dtype == TS_INT32 || dtype == TS_INT64;
}

static ts_status make(const ts_call *call, const ts_dml_gather_nd1 *a, layer *l, const char **reason)
{
    const uint64_t input = a->InputDimensionCount, tuples = a->IndicesDimensionCount, batch = a->BatchDimensionCount;
    const ts_tensor *t[TENSORS];
    *reason = "refused by the adapter: GatherND cannot express these shapes";
    if (!pack_tensors(call, TENSORS, t))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    if (batch >= input || batch >= tuples || t[OUT]->dtype != t[IN]->dtype || t[INDICES]->rank != t[IN]->rank ||
        t[OUT]->rank != t[IN]->rank || !layer_keep_last(l, IN, t[IN], input) ||
        !layer_keep_last(l, INDICES, t[INDICES], tuples))
        return TS_REJECTED;
    const uint64_t *sizes = t[IN]->sizes + l->drop[IN], *tuple_sizes = t[INDICES]->sizes + l->drop[INDICES];
    const uint64_t tuple = tuple_sizes[tuples - 1];
    if (tuple > input - batch)
        return TS_REJECTED;
    l->tuple = tuple;            /* the output's rank depends on it */
    l->index_range = UINT64_MAX; /* what none of the dimensions of a tuple exceeds */
    for (uint64_t i = batch; i < batch + tuple; ++i)
        if (sizes[i] < l->index_range)
            l->index_range = sizes[i];
    for (uint64_t i = 0; i < tuples - 1; ++i)
        l->out_sizes[l->out_rank++] = tuple_sizes[i];
    for (uint64_t i = batch + tuple; i < input; ++i)
        l->out_sizes[l->out_rank++] = sizes[i];
    layer expected = { .out_rank = l->out_rank };
    if (!layer_keep_last(&expected, 0, t[OUT], l->out_rank) ||
        memcmp(t[OUT]->sizes + expected.drop[0], l->out_sizes, l->out_rank * sizeof l->out_sizes[0]) != 0)
        return TS_REJECTED;
    l->type = "GatherND";
    l->opset = "opset8";
    l->tensor_count = OUT;
    l->has_batch_dims = true;
    l->batch_dims = a->BatchDimensionCount;
    l->out = t[OUT];
    l->reshaped = true;
    return TS_OK;
}

static ts_status make_nd(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_gather_nd *a = call->attrs;
    const uint32_t given = TS_GATHER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_GATHER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    const ts_dml_gather_nd1 counts = { a->InputDimensionCount, a->IndicesDimensionCount, 0 };
    if ((call->attrs_given & given) != given) {
        *reason = "refused by the adapter: an attribute is absent";
        return TS_REJECTED;
    }
    return make(call, &counts, l, reason);
}

static ts_status make_nd1(const ts_call *call, layer *l, const char **reason)
{
    const uint32_t given = TS_GATHER_ND1_GIVEN_INPUT_DIMENSION_COUNT | TS_GATHER_ND1_GIVEN_INDICES_DIMENSION_COUNT |
                           TS_GATHER_ND1_GIVEN_BATCH_DIMENSION_COUNT;
    if ((call->attrs_given & given) != given) {
        *reason = "refused by the adapter: an attribute is absent";
        return TS_REJECTED;
    }
    return make(call, call->attrs, l, reason);
}

const layer_operator layer_gather_nd = { "dml.gather_nd", TENSORS, sizeof(ts_dml_gather_nd), query, make_nd };
const layer_operator layer_gather_nd1 = { "dml.gather_nd1", TENSORS, sizeof(ts_dml_gather_nd1), query, make_nd1 };

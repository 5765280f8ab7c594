/* SPDX-License-Identifier: Apache-2.0 */
/* SPACE_TO_DEPTH1 as SPACE_TO_DEPTH. Its channels are the last dimension, and have the order DEPTH_COLUMN_ROW. */
#include "backends/litert/node.h"
#include "reference/dml/space_to_depth1.h"

/* The same elements with the channels last. */
static void move_channels(ts_tensor *to, const ts_tensor *t)
{
    static const uint32_t from[] = { 0, 2, 3, 1 };
    *to = *t;
    for (uint32_t i = 0; i < 4; ++i) {
        to->sizes[i] = t->sizes[from[i]];
        to->strides[i] = t->strides[from[i]];
    }
}

ts_status node_space_to_depth1(const ts_call *call, node *n, const char **reason)
{
    const ts_dml_space_to_depth1 *a = call->attrs;
    const uint32_t given = TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE | TS_SPACE_TO_DEPTH1_GIVEN_ORDER;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    *reason = "refused by the adapter: SPACE_TO_DEPTH cannot express this call";
    if ((call->attrs_given & given) != given || in->rank != 4 || out->rank != 4 || a->BlockSize == 0)
        return TS_REJECTED;
    if (a->Order != TS_DEPTH_COLUMN_ROW || a->BlockSize > INT32_MAX) {
        *reason = "SPACE_TO_DEPTH has no other order than DEPTH_COLUMN_ROW, and its blocks have 32 bits";
        return TS_UNSUPPORTED;
    }
    n->operation = NODE_SPACE_TO_DEPTH;
    n->options_type = NODE_SPACE_TO_DEPTH_OPTIONS;
    n->option_count = 1;
    n->options[0] = (int32_t)a->BlockSize;
    move_channels(&n->moved[0], in);
    move_channels(&n->moved[1], out);
    n->in[n->input_count++] = &n->moved[0];
    n->out = &n->moved[1];
    n->reshaped = true; /* the shape with the channels last is not that of the call */
    n->out_rank = 4;
    for (uint32_t i = 0; i < 4; ++i)
        n->out_sizes[i] = n->out->sizes[i];
    return TS_OK;
}

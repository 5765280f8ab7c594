/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SPACE_TO_DEPTH1 as SpaceToDepth-1: DEPTH_COLUMN_ROW is the mode blocks_first, and COLUMN_ROW_DEPTH depth_first.
 */
#include "backends/openvino/pack.h"
#include "harness/formats/openvino/layer.h"
#include "reference/dml/space_to_depth1.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool query(const ts_call *shape)
{
    return pack_query(shape, 2);
}

/* Are these the sizes of the output? */
static bool fits(const uint64_t *in, const uint64_t *out, uint64_t block)
{
    if (block == 0 || in[2] % block != 0 || in[3] % block != 0 || out[1] % (block * block) != 0)
        return false;
    return out[0] == in[0] && out[1] / (block * block) == in[1] && out[2] == in[2] / block && out[3] == in[3] / block;
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_space_to_depth1 *a = call->attrs;
    const uint32_t given = TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE | TS_SPACE_TO_DEPTH1_GIVEN_ORDER;
    const ts_tensor *t[2];
    *reason = "refused by the adapter: SpaceToDepth cannot express these shapes";
    if (!pack_tensors(call, 2, t) || (call->attrs_given & given) != given || a->Order > TS_COLUMN_ROW_DEPTH ||
        t[0]->rank != 4 || t[1]->rank != 4 || t[0]->dtype != t[1]->dtype ||
        !fits(t[0]->sizes, t[1]->sizes, a->BlockSize))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    l->type = "SpaceToDepth";
    l->opset = "opset1";
    l->tensor_count = 1;
    l->in[0] = t[0];
    l->out = t[1];
    snprintf(l->attributes, sizeof l->attributes, " block_size=\"%" PRIu32 "\" mode=\"%s\"", a->BlockSize,
             a->Order == TS_COLUMN_ROW_DEPTH ? "depth_first" : "blocks_first");
    return TS_OK;
}

const layer_operator layer_space_to_depth1 = { "dml.space_to_depth1", 2, sizeof(ts_dml_space_to_depth1), query, make };

/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SPACE_TO_DEPTH and SPACE_TO_DEPTH1 as SpaceToDepth-1, DEPTH_TO_SPACE and DEPTH_TO_SPACE1 as DepthToSpace-1:
   DEPTH_COLUMN_ROW is the mode blocks_first, and COLUMN_ROW_DEPTH depth_first. */
#include "backends/openvino/pack.h"
#include "harness/formats/openvino/layer.h"
#include "reference/dml/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool query(const ts_call *shape)
{
    return pack_query(shape, 2);
}

/* Are these the sizes of a tensor of whole blocks, and of the one that has their elements as channels? */
static bool fits(const uint64_t *flat, const uint64_t *deep, uint64_t block)
{
    if (block == 0 || flat[2] % block != 0 || flat[3] % block != 0 || deep[1] % (block * block) != 0)
        return false;
    return deep[0] == flat[0] && deep[1] / (block * block) == flat[1] && deep[2] == flat[2] / block &&
           deep[3] == flat[3] / block;
}

static ts_status make(const ts_call *call, layer *l, const char **reason, bool to_depth, bool ordered)
{
    const ts_dml_space_to_depth *a = call->attrs;
    const uint32_t given = ordered ? TS_BLOCKS_GIVEN_BLOCK_SIZE | TS_BLOCKS_GIVEN_ORDER : TS_BLOCKS_GIVEN_BLOCK_SIZE;
    const uint32_t order = ordered ? ((const ts_dml_space_to_depth1 *)call->attrs)->Order : TS_DEPTH_COLUMN_ROW;
    const ts_tensor *t[2];
    *reason = "refused by the adapter: the operation cannot express these shapes";
    if (!pack_tensors(call, 2, t) || (call->attrs_given & given) != given || order > TS_COLUMN_ROW_DEPTH ||
        t[0]->rank != 4 || t[1]->rank != 4 || t[0]->dtype != t[1]->dtype ||
        !fits(t[!to_depth]->sizes, t[to_depth]->sizes, a->BlockSize))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    l->type = to_depth ? "SpaceToDepth" : "DepthToSpace";
    l->opset = "opset1";
    l->tensor_count = 1;
    l->in[0] = t[0];
    l->out = t[1];
    snprintf(l->attributes, sizeof l->attributes, " block_size=\"%" PRIu32 "\" mode=\"%s\"", a->BlockSize,
             order == TS_COLUMN_ROW_DEPTH ? "depth_first" : "blocks_first");
    return TS_OK;
}

static ts_status make_depth_to_space(const ts_call *call, layer *l, const char **reason)
{
    return make(call, l, reason, false, false);
}

static ts_status make_depth_to_space1(const ts_call *call, layer *l, const char **reason)
{
    return make(call, l, reason, false, true);
}

static ts_status make_space_to_depth(const ts_call *call, layer *l, const char **reason)
{
    return make(call, l, reason, true, false);
}

static ts_status make_space_to_depth1(const ts_call *call, layer *l, const char **reason)
{
    return make(call, l, reason, true, true);
}

const layer_operator layer_depth_to_space = { "dml.depth_to_space", 2, sizeof(ts_dml_depth_to_space), query,
                                              make_depth_to_space };
const layer_operator layer_depth_to_space1 = { "dml.depth_to_space1", 2, sizeof(ts_dml_depth_to_space1), query,
                                               make_depth_to_space1 };
const layer_operator layer_space_to_depth = { "dml.space_to_depth", 2, sizeof(ts_dml_space_to_depth), query,
                                              make_space_to_depth };
const layer_operator layer_space_to_depth1 = { "dml.space_to_depth1", 2, sizeof(ts_dml_space_to_depth1), query,
                                               make_space_to_depth1 };

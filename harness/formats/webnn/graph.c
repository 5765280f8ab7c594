/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/webnn/graph.h"

#include "reference/dml/cumulative_summation.h"
#include "reference/dml/join.h"
#include "reference/dml/space_to_depth1.h"

#include <string.h>

_Static_assert(WEBNN_MOST_JOINED == TS_JOIN_MAX_INPUTS, "the inputs of JOIN");

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void add_argument(webnn_operation *o, const char *name, bool option, webnn_kind kind, uint64_t value)
{
    o->arguments[o->argument_count++] =
        (webnn_argument){ .name = name, .option = option, .kind = kind, .count = 1, .values = { value } };
}

static void add_numbers(webnn_operation *o, const char *name, bool option, const uint64_t *values, uint32_t count)
{
    webnn_argument *a = &o->arguments[o->argument_count++];
    *a = (webnn_argument){ .name = name, .option = option, .kind = WEBNN_NUMBERS, .count = count };
    for (uint32_t i = 0; i < count; ++i)
        a->values[i] = values[i];
}

static webnn_operation *add_operation(webnn_graph *g, const char *name, const char *input, const char *output)
{
    g->operations[g->count] = (webnn_operation){ .name = name, .input = input, .output = output };
    return &g->operations[g->count++];
}

/* ---- one for each operator --------------------------------------------------------------------------------------- */

static void make_concat(const ts_call *call, webnn_graph *g)
{
    const ts_dml_join *a = call->attrs;
    webnn_operation *o = add_operation(g, "concat", "input", "output");
    o->joined = a->InputCount;
    add_argument(o, "axis", false, WEBNN_NUMBER, a->Axis);
}

static void make_cumulative_sum(const ts_call *call, webnn_graph *g)
{
    const ts_dml_cumulative_summation *a = call->attrs;
    webnn_operation *o = add_operation(g, "cumulativeSum", "input", "output");
    add_argument(o, "axis", false, WEBNN_NUMBER, a->Axis);
    add_argument(o, "exclusive", true, WEBNN_FLAG, a->HasExclusiveSum != 0);
    add_argument(o, "reversed", true, WEBNN_FLAG, a->AxisDirection == TS_AXIS_DECREASING);
}

/* The dimensions in the order of the output, where those of a block are before or behind the channels. */
static const uint64_t permutations[][WEBNN_BLOCK_DIMS] = {
    [TS_DEPTH_COLUMN_ROW] = { 0, 3, 5, 1, 2, 4 },
    [TS_COLUMN_ROW_DEPTH] = { 0, 1, 3, 5, 2, 4 },
};

static void make_blocks(const ts_call *call, webnn_graph *g)
{
    const ts_dml_space_to_depth1 *a = call->attrs;
    const uint64_t *in = ts_call_tensor(call, 0)->sizes, *out = ts_call_tensor(call, 1)->sizes;
    const uint64_t blocks[WEBNN_BLOCK_DIMS] = { in[0], in[1], out[2], a->BlockSize, out[3], a->BlockSize };
    add_numbers(add_operation(g, "reshape", "input", "blocks"), "newShape", false, blocks, WEBNN_BLOCK_DIMS);
    add_numbers(add_operation(g, "transpose", "blocks", "moved"), "permutation", true, permutations[a->Order],
                WEBNN_BLOCK_DIMS);
    add_numbers(add_operation(g, "reshape", "moved", "output"), "newShape", false, out, WEBNN_BLOCK_OUT);
}

const char *webnn_graph_order(const uint64_t permutation[WEBNN_BLOCK_DIMS])
{
    if (memcmp(permutation, permutations[TS_DEPTH_COLUMN_ROW], sizeof permutations[0]) == 0)
        return "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW";
    if (memcmp(permutation, permutations[TS_COLUMN_ROW_DEPTH], sizeof permutations[0]) == 0)
        return "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH";
    return NULL;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

typedef struct graph_operator {
    const char *name, *title;
    void (*make)(const ts_call *call, webnn_graph *g);
} graph_operator;

static const graph_operator *find(const char *name)
{
    static const graph_operator all[] = {
        { "dml.join", "concat", make_concat },
        { "dml.cumulative_summation", "cumulativeSum", make_cumulative_sum },
        { "dml.space_to_depth1", "spaceToDepth", make_blocks },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

bool webnn_graph_of(const char *operator_name)
{
    return find(operator_name) != NULL;
}

void webnn_graph_make(const ts_call *call, webnn_graph *g)
{
    const graph_operator *o = find(call->op);
    g->title = o->title;
    g->count = 0;
    o->make(call, g);
}

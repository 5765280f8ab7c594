/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of several operators that are one operator of DirectML: SPACE_TO_DEPTH1, as webnn/graph.h makes it.
 */
#include "harness/formats/import_webnn_internal.h"

#include <string.h>

/* Does operator i have this name and, as its input, the output of the one before it? */
static bool follows(const json_t *operators, size_t i, const char *name)
{
    const json_t *op = json_array_get(operators, i);
    const char *is = json_string_value(json_object_get(op, "name"));
    const char *input = json_string_value(import_webnn_argument_of(op, "input"));
    const char *before =
        i > 0 ? json_string_value(json_object_get(json_array_get(operators, i - 1), "outputs")) : input;
    return is && input && before && strcmp(is, name) == 0 && strcmp(input, before) == 0;
}

/* Read a list of so many positive numbers. */
static bool sizes_of(const json_t *list, uint64_t *sizes, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const json_int_t size = json_integer_value(json_array_get(list, i));
        if (size < 0 || size > UINT32_MAX)
            return false;
        sizes[i] = (uint64_t)size;
    }
    return json_array_size(list) == count;
}

static const json_t *list_of(const json_t *op, const char *name)
{
    const json_t *options = import_webnn_argument_of(op, "options");
    return options ? json_object_get(options, name) : import_webnn_argument_of(op, name);
}

/* The channels, rows and columns of blocks that the first operator makes, and their order, which is that of the second
   one's permutation. False: these are not blocks. */
static bool take_blocks(const json_t *operators, uint64_t in[WEBNN_BLOCK_DIMS], uint64_t out[WEBNN_BLOCK_OUT],
                        const char **order)
{
    uint64_t permutation[WEBNN_BLOCK_DIMS];
    if (!sizes_of(list_of(json_array_get(operators, 0), "newShape"), in, WEBNN_BLOCK_DIMS) ||
        !sizes_of(list_of(json_array_get(operators, 1), "permutation"), permutation, WEBNN_BLOCK_DIMS) ||
        !sizes_of(list_of(json_array_get(operators, 2), "newShape"), out, WEBNN_BLOCK_OUT))
        return false;
    *order = webnn_graph_order(permutation);
    return *order && in[3] == in[5] && out[0] == in[0] && out[1] == in[1] * in[3] * in[3] && out[2] == in[2] &&
           out[3] == in[4];
}

static bool map_blocks(import_reader *r)
{
    uint64_t in[WEBNN_BLOCK_DIMS], out[WEBNN_BLOCK_OUT];
    const char *order;
    if (!take_blocks(json_object_get(r->graph, "operators"), in, out, &order))
        return false;
    const uint64_t sizes[] = { in[0], in[1], in[2] * in[3], in[4] * in[5] };
    if (!import_webnn_has_rank(r, WEBNN_BLOCK_OUT))
        return false;
    if (r->input.rank != WEBNN_BLOCK_OUT || memcmp(r->input.sizes, sizes, sizeof sizes) != 0)
        return error_usage(r->e, "newShape: these are not the blocks of the input");
    json_object_set_new(r->descriptor, "InputTensor", import_webnn_tensor(&r->input, 0));
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    json_object_set_new(r->descriptor, "BlockSize", json_integer((json_int_t)in[3]));
    json_object_set_new(r->descriptor, "Order", json_string(order));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    return true;
}

const import_mapping *import_webnn_pattern(const import_reader *r)
{
    static const import_mapping blocks = {
        "reshape", "dml.space_to_depth1", IMPORT_DML_DIMENSIONS, " input newShape options ", " label ", map_blocks
    };
    const json_t *operators = json_object_get(r->graph, "operators");
    const size_t count = json_array_size(operators);
    uint64_t in[WEBNN_BLOCK_DIMS], out[WEBNN_BLOCK_OUT];
    const char *order;
    if (count == 3 && follows(operators, 0, "reshape") && follows(operators, 1, "transpose") &&
        follows(operators, 2, "reshape") && take_blocks(operators, in, out, &order))
        return &blocks;
    import_webnn_cannot(r, "a graph of %zu operators", count);
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/litert/node.h"

#include "backends/fetched/strided.h"

#include <string.h>

/* ---- types ------------------------------------------------------------------------------------------------------- */

/* For each type: its bytes, its number in a model (+ 1, so that 0 is none) and its number in LiteRT's interface. */
static const struct node_type {
    uint8_t bytes, model, api;
} node_types[TS_DTYPE_COUNT] = {
    [TS_FLOAT32] = { 4, 0 + 1, 1 },    [TS_FLOAT16] = { 2, 1 + 1, 10 }, [TS_FLOAT64] = { 8, 10 + 1, 11 },
    [TS_INT8] = { 1, 9 + 1, 9 },       [TS_INT16] = { 2, 7 + 1, 7 },    [TS_INT32] = { 4, 2 + 1, 2 },
    [TS_INT64] = { 8, 4 + 1, 4 },      [TS_UINT8] = { 1, 3 + 1, 3 },    [TS_UINT16] = { 2, 16 + 1, 17 },
    [TS_UINT32] = { 4, 15 + 1, 16 },   [TS_UINT64] = { 8, 12 + 1, 13 }, [TS_BOOLEAN] = { 1, 6 + 1, 6 },
    [TS_BFLOAT16] = { 2, 18 + 1, 19 },
};

static const struct node_type *type_of(uint32_t dtype)
{
    static const struct node_type none = { 0, 0, 0 };
    return dtype < TS_DTYPE_COUNT ? &node_types[dtype] : &none;
}

int node_type_in_model(uint32_t dtype)
{
    return type_of(dtype)->model - 1;
}

int node_type_in_api(uint32_t dtype)
{
    return type_of(dtype)->api;
}

uint32_t node_element(uint32_t dtype)
{
    return type_of(dtype)->bytes;
}

/* ---- operators --------------------------------------------------------------------------------------------------- */

#define TYPE(name) (UINT32_C(1) << TS_##name)

/* What the kernels accept. STRIDED_SLICE and RESHAPE copy elements of any type. */
#define ANY                                                                                                            \
    (TYPE(FLOAT32) | TYPE(FLOAT16) | TYPE(FLOAT64) | TYPE(BFLOAT16) | TYPE(INT8) | TYPE(INT16) | TYPE(INT32) |         \
     TYPE(INT64) | TYPE(UINT8) | TYPE(UINT16) | TYPE(UINT32) | TYPE(UINT64) | TYPE(BOOLEAN))
#define GATHERED                                                                                                       \
    (TYPE(FLOAT32) | TYPE(FLOAT16) | TYPE(BFLOAT16) | TYPE(INT8) | TYPE(INT16) | TYPE(INT32) | TYPE(INT64) |           \
     TYPE(UINT8) | TYPE(BOOLEAN))
#define JOINED  (GATHERED | TYPE(UINT32))
#define MOVED   (TYPE(FLOAT32) | TYPE(INT8) | TYPE(INT32) | TYPE(INT64) | TYPE(UINT8))
#define INDICES (TYPE(INT16) | TYPE(INT32) | TYPE(INT64))

static const node_operator operators[] = {
    { "openvino.strided_slice", 2, ANY, 0, true, " SS-02 SS-14 ", node_strided_slice },
    { "openvino.gather_1", 3, GATHERED, INDICES, false, " G1-02 G1-03 G1-04 G1-05 ", node_gather_1 },
    { "openvino.gather_7", 3, GATHERED, INDICES, false, " G7-02 G7-03 G7-04 G7-05 ", node_gather_7 },
    { "openvino.gather_8", 3, GATHERED, INDICES, false, " G8-02 G8-03 G8-04 G8-05 ", node_gather_8 },
    { "openvino.gather_nd_5", 3, GATHERED, INDICES, false, " ND5-02 ND5-03 ND5-04 ND5-05 ", node_gather_nd_5 },
    { "openvino.gather_nd_8", 3, GATHERED, INDICES, false, " ND8-02 ND8-03 ND8-04 ND8-05 ", node_gather_nd_8 },
    { "dml.slice1", 2, ANY, 0, false, NULL, node_slice1 },
    { "dml.gather", 3, GATHERED, INDICES, false, NULL, node_dml_gather },
    { "dml.gather_nd", 3, GATHERED, INDICES, false, NULL, node_dml_gather_nd },
    { "dml.gather_nd1", 3, GATHERED, INDICES, false, NULL, node_dml_gather_nd1 },
    { "dml.join", 17, JOINED, 0, false, NULL, node_join },
    { "dml.space_to_depth1", 2, MOVED, 0, false, NULL, node_space_to_depth1 },
    { "dml.element_wise_identity", 2, ANY, 0, false, NULL, node_identity },
};

const node_operator *node_find(const char *name)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i)
        if (strcmp(operators[i].name, name) == 0)
            return &operators[i];
    return NULL;
}

bool node_query(const node_operator *op, const ts_call *shape)
{
    if (shape->tensor_count != op->tensor_count || (shape->profile != TS_PROFILE_DEFAULT && !op->profiles))
        return false;
    for (uint32_t i = 0; i < shape->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(shape, i);
        const bool optional = i > 0 && i + 1 < shape->tensor_count && op->index_types == 0; /* of JOIN */
        if (!(t->given & TS_GIVEN_TENSOR) && optional)
            continue;
        const uint32_t types = i == 1 && op->index_types ? op->index_types : op->types;
        if (!(t->given & TS_GIVEN_TENSOR) || t->dtype >= TS_DTYPE_COUNT || !(types >> t->dtype & 1) ||
            t->rank > NODE_DIMS)
            return false;
    }
    return true;
}

bool node_fits(const uint64_t *sizes, uint32_t rank)
{
    uint64_t elements = 1;
    for (uint32_t i = 0; i < rank; ++i)
        if (sizes[i] > INT32_MAX || __builtin_mul_overflow(elements, sizes[i], &elements) || elements > INT32_MAX)
            return false;
    return rank <= NODE_DIMS;
}

ts_status node_make(const node_operator *op, const ts_call *call, node *n, const char **reason)
{
    uint32_t rank;
    memset(n, 0, sizeof *n);
    for (uint32_t i = 0; i < call->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        if (t->given & TS_GIVEN_TENSOR && (t->rank > NODE_DIMS || (t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL)) {
            *reason = "LiteRT has no tensor without a shape, and none of more than 8 dimensions";
            return TS_UNSUPPORTED;
        }
    }
    n->out = ts_call_tensor(call, call->tensor_count - 1);
    const ts_status status = op->make(call, n, reason);
    if (status != TS_OK)
        return status;
    const uint64_t *sizes = node_out_sizes(n, &rank);
    bool fit = node_fits(sizes, rank);
    for (uint32_t i = 0; i < n->input_count; ++i) {
        sizes = node_in_sizes(n, i, &rank);
        fit = fit && node_fits(sizes, rank);
    }
    if (!fit)
        *reason = "TensorFlow Lite counts dimensions and elements in 32 bits, and LiteRT has 8 dimensions";
    return fit ? TS_OK : TS_UNSUPPORTED;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

const uint64_t *node_in_sizes(const node *n, uint32_t i, uint32_t *rank)
{
    *rank = n->in[i]->rank - n->drop[i];
    return n->in[i]->sizes + n->drop[i];
}

const uint64_t *node_out_sizes(const node *n, uint32_t *rank)
{
    *rank = n->reshaped ? n->out_rank : n->out->rank;
    return n->reshaped ? n->out_sizes : n->out->sizes;
}

bool node_measure(const ts_tensor *t, uint64_t *bytes)
{
    const uint32_t element = node_element(t->dtype);
    uint64_t count = 1;
    for (uint32_t i = 0; i < t->rank; ++i)
        count *= t->sizes[i]; /* at most INT32_MAX */
    *bytes = count * element;
    return count == 0 || strided_fits(t, element);
}

bool node_keep_last(node *n, const ts_tensor *t, uint64_t count)
{
    if (count > t->rank)
        return false;
    for (uint32_t i = 0; i < t->rank - count; ++i)
        if (t->sizes[i] != 1)
            return false;
    n->drop[n->input_count] = t->rank - (uint32_t)count;
    n->in[n->input_count++] = t;
    return true;
}

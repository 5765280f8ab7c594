/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: GatherTree, invented. */
#include "backends/planted/third.h"

#include "reference/openvino/gather_tree_shared.h"

#include <stdlib.h>

/* One beam on its way. */
typedef struct beam {
    const fault_call *call;
    uint64_t batch, number;
    uint64_t steps; /* of the call: MAX_TIME */
    uint64_t count; /* steps of the batch */
} beam;

/* What a kernel does otherwise; NULL: as the page says. */
typedef struct ways {
    /* The steps of the batch. */
    void (*counts)(beam *b);
    /* The parent of a beam, `at` a step. */
    uint64_t (*parent)(const beam *b, const uint64_t *at, uint64_t right);
    /* Is the step an end? */
    bool (*ends)(const beam *b, const uint64_t *at, bool right);
    /* Is the end token written at this step, `behind` an end? */
    bool (*fills)(const beam *b, uint64_t step, uint64_t behind);
    const unsigned char *token; /* instead of the end token */
} ways;

static const ts_tensor *steps_of(const fault_call *call)
{
    return &call->d->tensors[GATHER_TREE_STEPS];
}

static void put_token(const beam *b, const ways *w, const uint64_t *at)
{
    const ts_tensor *out = b->call->out;
    const void *token = w->token ? w->token : (const unsigned char *)b->call->d->tensors[GATHER_TREE_END].data;
    memcpy(tensor_at(out, at), token, tensor_element_bytes(out->dtype));
}

static void make_beam(beam *b, const ways *w)
{
    const ts_descriptor *d = b->call->d;
    uint64_t at[TS_MAX_DIMS] = { 0, b->batch, b->number }, from[TS_MAX_DIMS] = { 0, b->batch, b->number };
    bool known = true;
    b->steps = steps_of(b->call)->sizes[0];
    if (!openvino_gather_tree_length(d, b->batch, &b->count))
        return;
    if (w->counts)
        w->counts(b);
    for (at[0] = 0; at[0] < b->steps; ++at[0])
        put_token(b, w, at);
    for (uint64_t step = b->count; known && step-- > 0;) {
        uint64_t next = 0;
        at[0] = from[0] = step;
        tensor_copy_element(b->call->out, at, steps_of(b->call), from);
        known = step == 0 || openvino_gather_tree_parent(d, from, &next);
        if (step > 0 && w->parent)
            next = w->parent(b, from, next);
        from[2] = fault_inside((int64_t)next, steps_of(b->call)->sizes[2]);
    }
    uint64_t ended = UINT64_MAX;
    for (at[0] = 0; at[0] < b->count; ++at[0]) {
        const bool ends = openvino_gather_tree_ends(d, b->call->out, at);
        if (ended != UINT64_MAX && (!w->fills || w->fills(b, at[0], at[0] - ended)))
            put_token(b, w, at);
        else if (ended == UINT64_MAX && (w->ends ? w->ends(b, at, ends) : ends))
            ended = at[0];
    }
}

/* Make all beams; where a length or a parent is none, the page leaves the result open. */
static void third_tree(const fault_call *call, const ways *w)
{
    fault_run_right(call);
    for (uint64_t batch = 0; batch < call->out->sizes[1]; ++batch)
        for (uint64_t number = 0; number < call->out->sizes[2] && call->out->sizes[0] > 0; ++number)
            make_beam(&(beam){ .call = call, .batch = batch, .number = number }, w);
}

/* ---- lengths ----------------------------------------------------------------------------------------------------- */

/* The length is that of the first beam of the warp. */
static void of_warp(beam *b)
{
    const uint64_t width = steps_of(b->call)->sizes[2], first = fault_floor(b->batch * width + b->number, 32);
    openvino_gather_tree_length(b->call->d, first / width, &b->count);
}

static void tree_warp(const fault_call *call)
{
    third_tree(call, &(ways){ .counts = of_warp });
}

/* With as many beams as batches, the number of the beam is taken for that of the batch. */
static void of_beam(beam *b)
{
    const ts_tensor *steps = steps_of(b->call);
    if (steps->sizes[1] == steps->sizes[2])
        openvino_gather_tree_length(b->call->d, b->number, &b->count);
}

static void tree_square(const fault_call *call)
{
    third_tree(call, &(ways){ .counts = of_beam });
}

/* ---- parents ----------------------------------------------------------------------------------------------------- */

/* Chunks of 64 steps begin with the beam itself. */
static uint64_t chunked(const beam *b, const uint64_t *at, uint64_t right)
{
    return at[0] % 64 == 0 ? b->number : right;
}

static void tree_chunk(const fault_call *call)
{
    third_tree(call, &(ways){ .parent = chunked });
}

static uint64_t signed_byte(const beam *b, const uint64_t *at, uint64_t right)
{
    (void)b;
    (void)at;
    return right > 127 ? 0 : right;
}

static void tree_byte(const fault_call *call)
{
    third_tree(call, &(ways){ .parent = signed_byte });
}

/* ---- ends -------------------------------------------------------------------------------------------------------- */

static bool eight_behind(const beam *b, uint64_t step, uint64_t behind)
{
    (void)b;
    (void)step;
    return behind <= 8;
}

static void tree_unrolled(const fault_call *call)
{
    third_tree(call, &(ways){ .fills = eight_behind });
}

/* Integers are compared as floats. */
static bool as_float(const beam *b, const uint64_t *at, bool right)
{
    const ts_tensor *out = b->call->out;
    uint32_t id = 0, token = 0;
    if (tensor_dtype(out->dtype)->is_float || tensor_element_bytes(out->dtype) != 4)
        return right;
    memcpy(&id, tensor_at(out, at), sizeof id);
    memcpy(&token, b->call->d->tensors[GATHER_TREE_END].data, sizeof token);
    return tensor_dtype(out->dtype)->is_signed ? (float)(int32_t)id == (float)(int32_t)token
                                               : (float)id == (float)token;
}

static void tree_float(const fault_call *call)
{
    third_tree(call, &(ways){ .ends = as_float });
}

typedef struct kept_token {
    uint64_t key;
    unsigned char bytes[8];
} kept_token;

/* The end token of a shape is that of its first call. */
static void tree_token(const fault_call *call)
{
    const uint64_t key = third_key(steps_of(call));
    if (!*call->kept)
        *call->kept = calloc(1, sizeof(kept_token));
    kept_token *kept = *call->kept;
    if (kept && kept->key == key) {
        third_tree(call, &(ways){ .token = kept->bytes });
        return;
    }
    fault_run_right(call);
    if (kept) {
        kept->key = key;
        memcpy(kept->bytes, call->d->tensors[GATHER_TREE_END].data, tensor_element_bytes(call->out->dtype));
    }
}

static const fault rows[] = {
    { "third-tree-warp", ON_GATHER_TREE, GRIDS, "the length of a batch is read by the first beam of a warp",
      .execute = tree_warp },
    { "third-tree-square", ON_GATHER_TREE, LAYOUTS,
      "with as many beams as batches, the length is that of the batch with the number of the beam",
      .execute = tree_square },
    { "third-tree-chunk", ON_GATHER_TREE, GRIDS, "steps are in chunks of 64, each of which begins with its own beam",
      .execute = tree_chunk },
    { "third-tree-byte", ON_GATHER_TREE, MAGNITUDES, "parents are kept in signed bytes", .execute = tree_byte },
    { "third-tree-unrolled", ON_GATHER_TREE, COUNTS, "the end token is written into eight steps behind an end",
      .execute = tree_unrolled },
    { "third-tree-float", ON_GATHER_TREE, VALUES, "32-bit integers are compared with the end token as floats",
      .execute = tree_float },
    { "third-tree-token", ON_GATHER_TREE, HISTORY, "the end token of a shape is that of its first call",
      .execute = tree_token },
};

const fault_table planted_third_trees = { rows, sizeof rows / sizeof *rows };

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JOIN. Of dense tensors, each position before the axis is a block of each input, one behind the other: short ones of
 * one size are collected to vectors, and the others are copied, input by input. If there are many short blocks, a
 * thread per element looks up its input in the table of offsets. Other layouts take a strided copy for each input.
 */
#include "audit/kernels/copy.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "reference/dml/join.h"

#include <string.h>

enum { OUT = TS_JOIN_OUTPUT };
enum { VECTOR = 64 };                /* bytes of the blocks of all inputs that are collected to a vector */
enum { LEAST_THREADS = 512 };        /* elements of an output that threads compute, */
enum { MOST_ROW = 256, INPUTS = 3 }; /* elements of one position, and the inputs that make them worthwhile */

/* What is known of a dense join. An element of the output is at offset[k] of a row, or behind, if it is of input k. */
typedef struct dense_join {
    uint32_t count, bytes;
    uint64_t rows;                            /* positions before the axis */
    uint64_t row_bytes;                       /* of the output */
    uint64_t offsets[TS_JOIN_MAX_INPUTS + 1]; /* in bytes; the last one is row_bytes */
    const unsigned char *from[TS_JOIN_MAX_INPUTS];
    unsigned char *to;
    uint32_t elements; /* threads: of the output, */
    divisor by_row;    /* and the division by those of a row */
} dense_join;

/* A strided copy of each input, whose plan depends on this input and on the output only. */
static plan_cache cache;
static copy_plan plans[PLAN_SLOTS];

/* ---- dense tensors ---------------------------------------------------------------------------------------------- */

static uint64_t block_bytes(const dense_join *j, uint32_t k)
{
    return j->offsets[k + 1] - j->offsets[k];
}

/* Is the block of each input one element of the same width, at most 16 bytes wide, and do all fit a vector? */
static bool fits_vector(const dense_join *j)
{
    const uint64_t block = block_bytes(j, 0);
    for (uint32_t k = 1; k < j->count; ++k)
        if (block_bytes(j, k) != block)
            return false;
    return j->row_bytes <= VECTOR && block <= LANE_MOST && (block & (block - 1)) == 0;
}

static void run_vectors(const dense_join *j)
{
    unsigned char vector[VECTOR];
    const uint32_t block = (uint32_t)block_bytes(j, 0);
    for (uint64_t row = 0; row < j->rows; ++row) {
        for (uint32_t k = 0; k < j->count; ++k)
            lane_copy(vector + k * block, j->from[k] + row * block, block);
        memcpy(j->to + row * j->row_bytes, vector, (size_t)j->row_bytes);
    }
}

static void run_blocks(const dense_join *j)
{
    for (uint32_t k = 0; k < j->count; ++k) {
        const uint64_t block = block_bytes(j, k);
        unsigned char *to = j->to + j->offsets[k];
        for (uint64_t row = 0; row < j->rows; ++row)
            copy_block(to + row * j->row_bytes, j->from[k] + row * block, block);
    }
}

/* The input with this byte of a row. */
static uint32_t input_at(const dense_join *j, uint64_t byte)
{
    uint32_t first = 0, end = j->count;
    while (end - first > 1) {
        const uint32_t middle = (first + end) / 2;
        if (byte < j->offsets[middle])
            end = middle;
        else
            first = middle;
    }
    return first;
}

static void one_thread(const dense_join *j, uint32_t element)
{
    uint32_t inside;
    const uint64_t row = divisor_split(&j->by_row, element, &inside);
    const uint64_t byte = (uint64_t)inside * j->bytes;
    const uint32_t k = input_at(j, byte);
    lane_copy(j->to + (uint64_t)element * j->bytes, j->from[k] + row * block_bytes(j, k) + (byte - j->offsets[k]),
              j->bytes);
}

static void shader(const dispatch *d, void *context)
{
    const dense_join *j = context;
    const uint64_t first = d->first[0] * GRID_THREADS, threads = (uint64_t)d->groups[0] * GRID_THREADS;
    for (uint64_t element = first; element < first + threads; ++element)
        if (element < j->elements)
            one_thread(j, (uint32_t)element);
}

static bool fits_threads(const dense_join *j)
{
    const uint64_t row = j->row_bytes / j->bytes, elements = row * j->rows;
    return j->count >= INPUTS && row <= MOST_ROW && elements >= LEAST_THREADS && elements <= INT32_MAX;
}

static void run_threads(dense_join *j)
{
    const uint64_t row = j->row_bytes / j->bytes;
    j->elements = (uint32_t)(row * j->rows);
    j->by_row = divisor_of((uint32_t)row);
    const uint64_t groups = ((uint64_t)j->elements + GRID_THREADS - 1) / GRID_THREADS;
    grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, j);
}

static dense_join dense_of(const ts_call *call, uint32_t count, uint32_t axis)
{
    const ts_tensor *out = ts_call_tensor(call, OUT);
    dense_join j = { .count = count, .bytes = lane_bytes(out->dtype), .rows = 1, .to = out->data };
    uint64_t step = j.bytes;
    for (uint32_t k = axis + 1; k < out->rank; ++k)
        step *= out->sizes[k];
    for (uint32_t k = 0; k < axis; ++k)
        j.rows *= out->sizes[k];
    for (uint32_t k = 0; k < count; ++k) {
        const ts_tensor *in = ts_call_tensor(call, k);
        j.from[k] = in->data;
        j.offsets[k + 1] = j.offsets[k] + in->sizes[axis] * step;
    }
    j.row_bytes = j.offsets[count];
    return j;
}

/* ---- other layouts ---------------------------------------------------------------------------------------------- */

static const copy_plan *plan_of(const ts_tensor *in, const ts_tensor *out)
{
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    for (uint32_t k = 0; k < out->rank; ++k)
        plan_key_add(&key, in->sizes[k] > 1 ? (uint64_t)tensor_step(out, k) : 0);
    bool found;
    copy_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (found)
        return p;
    nest loops;
    nest_begin(&loops, lane_bytes(in->dtype));
    for (uint32_t k = 0; k < in->rank; ++k)
        nest_add(&loops, in->sizes[k], tensor_step(out, k), tensor_step(in, k));
    copy_plan_make(p, &loops);
    return p;
}

static void run_copies(const ts_call *call, uint32_t count, uint32_t axis)
{
    const ts_tensor *out = ts_call_tensor(call, OUT);
    unsigned char *to = out->data;
    for (uint32_t k = 0; k < count; ++k) {
        const ts_tensor *in = ts_call_tensor(call, k);
        copy_plan_run(plan_of(in, out), to, in->data);
        to += (int64_t)in->sizes[axis] * tensor_step(out, axis);
    }
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static bool all_dense(const ts_call *call, uint32_t count)
{
    for (uint32_t k = 0; k < count; ++k)
        if (!tensor_is_dense(ts_call_tensor(call, k)))
            return false;
    return tensor_is_dense(ts_call_tensor(call, OUT));
}

static ts_status run(const ts_call *call)
{
    const ts_dml_join *attrs = call->attrs;
    if (!all_dense(call, attrs->InputCount)) {
        run_copies(call, attrs->InputCount, attrs->Axis);
        return TS_OK;
    }
    dense_join j = dense_of(call, attrs->InputCount, attrs->Axis);
    if (fits_vector(&j))
        run_vectors(&j);
    else if (fits_threads(&j))
        run_threads(&j);
    else
        run_blocks(&j);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_join = { "dml.join", run, reset };

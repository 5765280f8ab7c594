/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: what earlier calls leave behind, invented and reported. */
#include "backends/planted/second.h"

#include <stdlib.h>

/* ---- submissions that end early ---------------------------------------------------------------------------------- */

typedef struct restoring {
    const unsigned char *before; /* the bytes of the output */
    const unsigned char *data;
    uint64_t first;
} restoring;

static void restore(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const restoring *r = context;
    if (number >= r->first)
        memcpy(element, r->before + (element - r->data), bytes);
}

void second_run_until(const fault_call *call, uint64_t first)
{
    unsigned char *before = malloc((size_t)call->out->total_bytes + 1);
    if (before)
        memcpy(before, call->out->data, (size_t)call->out->total_bytes);
    fault_run_right(call);
    restoring r = { before, call->out->data, first };
    if (before)
        fault_each(call->out, restore, &r);
    free(before);
}

/* ---- invented ---------------------------------------------------------------------------------------------------- */

static void still_wide(const fault_call *call)
{
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    const uint64_t count = fault_count(call->out);
    if (*call->carried == 8 && bytes == 4 && count % 2 == 1)
        second_run_until(call, count - 1);
    else
        fault_run_right(call);
    *call->carried = bytes;
}

typedef struct kept_alignment {
    uint64_t key;
    bool aligned;
} kept_alignment;

static uint64_t key_of(const ts_tensor *t, uint64_t seed)
{
    uint64_t key = seed * 1000003 + t->dtype;
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        key = key * 1000003 + t->sizes[i];
    return key;
}

/* Is the output aligned now as in the call for which the kernel was chosen? */
static bool aligned_before(const fault_path *p)
{
    const uint64_t key = key_of(p->call->out, p->call->on);
    const bool aligned = (uintptr_t)p->call->out->data % 16 == 0;
    kept_alignment *kept = *p->call->kept;
    if (p->dims > 1 || !fault_vector(p) || p->count * p->bytes < 16)
        return false;
    if (kept && kept->key == key)
        return kept->aligned && !aligned;
    if (!kept)
        *p->call->kept = kept = malloc(sizeof *kept);
    if (kept)
        *kept = (kept_alignment){ key, aligned };
    return false;
}

static void stored_down(const fault_path *p, fault_place *e)
{
    e->to -= (int64_t)((uintptr_t)p->call->out->data % 16 / p->bytes);
}

/* Are the indices as many as in the call before, which had 32-bit ones, and now of 64 bits? */
static bool narrow_before(const fault_path *p)
{
    const uint64_t before = *p->call->carried, bytes = tensor_element_bytes(p->indices->dtype);
    *p->call->carried = fault_picks(p) << 4 | bytes;
    return before == (fault_picks(p) << 4 | 4) && bytes == 8;
}

static void halves_of_indices(const fault_path *p, fault_place *e)
{
    int32_t half;
    memcpy(&half, (const unsigned char *)p->indices->data + e->pick * sizeof half, sizeof half);
    int64_t index = half < 0 ? half + p->picked_size : half;
    index = index < 0 ? 0 : index >= p->picked_size ? p->picked_size - 1 : index;
    e->from += (index - e->index) * p->picked_stride;
}

/* ---- reported ---------------------------------------------------------------------------------------------------- */

typedef struct kept_layout {
    uint64_t key;
    uint64_t strides[TS_MAX_DIMS];
} kept_layout;

static uint64_t logical_key(const fault_call *call)
{
    uint64_t key = key_of(call->out, key_of(call->in, call->on));
    for (uint32_t i = 0; call->on != ON_RANDOM && i < call->in->rank && i < TS_MAX_DIMS; ++i)
        key = key * 1000003 + call->in->strides[i];
    for (size_t i = 0; i < call->d->op->attrs_size; ++i)
        key = key * 31 + call->d->attrs[i];
    return key;
}

static void layout_kept(const fault_call *call)
{
    kept_layout *kept = *call->kept;
    const uint64_t key = logical_key(call);
    if (!kept || kept->key != key) {
        if (!kept)
            *call->kept = kept = malloc(sizeof *kept);
        if (kept)
            kept->key = key;
        if (kept)
            memcpy(kept->strides, call->out->strides, sizeof kept->strides);
        fault_run_right(call);
        return;
    }
    ts_descriptor d = *call->d;
    ts_tensor *out = &d.tensors[call->out - call->d->tensors];
    uint64_t bytes = 0;
    memcpy(out->strides, kept->strides, sizeof out->strides);
    if (tensor_min_bytes(out, &bytes) && bytes <= out->total_bytes)
        d.op->run(&d, NULL);
    else
        fault_run_right(call);
}

/* Were the rows as many in the call before, and shorter? */
static bool specialized(const fault_path *p)
{
    const uint64_t rows = p->axis[0].size, length = fault_row(p)->size, before = *p->call->carried;
    if (!fault_rows(p) || rows > UINT32_MAX || length > UINT32_MAX)
        return false;
    if (before >> 32 != rows)
        *p->call->carried = rows << 32 | length;
    return before >> 32 == rows && length > (before & UINT32_MAX);
}

static void constant_length(const fault_path *p, fault_place *e)
{
    e->unwritten = column(p, e) >= (*p->call->carried & UINT32_MAX);
}

typedef struct kept_buffer {
    uint32_t rank;
    uint64_t first, last, count;
} kept_buffer;

static void smaller_buffer(const fault_call *call)
{
    const ts_tensor *out = call->out;
    kept_buffer *kept = *call->kept;
    const uint64_t count = fault_count(out);
    if (out->rank >= 3 && kept && kept->rank == out->rank && kept->first == out->sizes[0] &&
        kept->last == out->sizes[out->rank - 1] && kept->count < count)
        second_run_until(call, kept->count);
    else
        fault_run_right(call);
    if (!kept)
        *call->kept = kept = malloc(sizeof *kept);
    if (kept)
        *kept = (kept_buffer){ out->rank, out->rank ? out->sizes[0] : 0, reported_size(out, 0), count };
}

static const fault rows[] = {
    { "second-history-wide", ON_EVERY_COPY, HISTORY,
      "after 64-bit elements, 32-bit ones are still copied two at a time, without the last of an odd number",
      .execute = still_wide },
    { "second-history-aligned", ON_EVERY, HISTORY,
      "a kernel for aligned outputs is kept for the same sizes; it stores to aligned addresses",
      .takes = aligned_before, .wrong = stored_down },
    { "second-history-indices", ON_GATHER, HISTORY, "after 32-bit indices, as many 64-bit ones are read as 32-bit ones",
      .takes = narrow_before, .wrong = halves_of_indices },
    { "second-turbine-layout", ON_EVERY, HISTORY,
      "the key of a kept kernel has no layout of the output (iree-turbine pull request 472)", .execute = layout_kept },
    { "second-helion-length", ON_EVERY, HISTORY,
      "the length of rows is a constant of the kernel that is kept for their number (helion issue 1577)",
      .takes = specialized, .wrong = constant_length },
    { "second-ort-buffer", ON_EVERY, HISTORY,
      "an earlier, smaller buffer is used again if two of the sizes agree (onnxruntime issue 23739)",
      .execute = smaller_buffer },
};

const fault_table planted_second_history = { rows, sizeof rows / sizeof *rows };

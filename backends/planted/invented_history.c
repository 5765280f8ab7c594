/* SPDX-License-Identifier: Apache-2.0 */
/* What earlier calls leave behind. */
#include "backends/planted/planted.h"
#include "reference/dml/gather.h"

#include <stdlib.h>

/* Memory that is kept, zero at first; NULL if there is none. */
static void *kept_of(const fault_call *call, size_t bytes)
{
    if (!*call->kept)
        *call->kept = calloc(1, bytes);
    return *call->kept;
}

static bool packed(const ts_tensor *t)
{
    ts_tensor p = *t;
    tensor_pack(&p);
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > 1 && t->strides[i] != p.strides[i])
            return false;
    return true;
}

/* The tensor whose strides are a matter of the call: the output of RANDOM_GENERATOR, else the input. */
static const ts_tensor *laid_out(const fault_call *call)
{
    return call->on == ON_RANDOM ? call->out : call->in;
}

/* ---- a plan, whose key has the sum of all strides -----------------------------------------------------------------
 */

typedef struct plan_key {
    uint32_t on, dtype, rank;
    uint64_t sizes[TS_MAX_DIMS];
    uint64_t strides_sum, attributes;
} plan_key;

typedef struct plan {
    plan_key key;
    uint64_t strides[TS_MAX_DIMS];
} plan;

static plan plan_of(const fault_call *call)
{
    const ts_tensor *t = laid_out(call);
    plan p;
    memset(&p, 0, sizeof p);
    p.key.on = call->on;
    p.key.dtype = t->dtype;
    p.key.rank = t->rank;
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        p.key.sizes[i] = t->sizes[i];
        p.strides[i] = t->strides[i];
        p.key.strides_sum += t->strides[i];
    }
    for (size_t i = 0; i < call->d->op->attrs_size; ++i)
        p.key.attributes = p.key.attributes * 31 + call->d->attrs[i];
    return p;
}

static void run_with_strides(const fault_call *call, const uint64_t *strides)
{
    ts_descriptor d = *call->d;
    ts_tensor *t = &d.tensors[laid_out(call) - call->d->tensors];
    uint64_t bytes = 0;
    memcpy(t->strides, strides, sizeof t->strides);
    if (tensor_min_bytes(t, &bytes) && bytes <= t->total_bytes)
        d.op->run(&d, NULL);
    else
        fault_run_right(call);
}

static void strides_summed(const fault_call *call)
{
    const plan now = plan_of(call);
    plan *kept = kept_of(call, sizeof *kept);
    if (!kept || memcmp(&kept->key, &now.key, sizeof now.key) != 0) {
        fault_run_right(call);
        if (kept)
            *kept = now;
        return;
    }
    run_with_strides(call, kept->strides);
}

/* ---- the buffer in which the elements of tensors with gaps are collected ------------------------------------------
 */

enum { STAGED = 65536 };

typedef struct staging {
    uint64_t bytes;
    unsigned char data[STAGED];
} staging;

typedef struct stage_walk {
    staging *s;
    uint64_t cut; /* what lies behind comes from the call before */
} stage_walk;

static void stage(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const stage_walk *w = context;
    const uint64_t at = number * bytes;
    if (at + bytes > STAGED)
        return;
    if (at >= w->cut)
        memcpy(element, w->s->data + at, bytes);
    else
        memcpy(w->s->data + at, element, bytes);
}

static void staging_tail(const fault_call *call)
{
    const uint64_t bytes = fault_count(call->out) * tensor_element_bytes(call->out->dtype);
    staging *s = kept_of(call, sizeof *s);
    fault_run_right(call);
    if (!s || (packed(call->out) && (call->on == ON_RANDOM || packed(call->in))))
        return;
    stage_walk w = { s, UINT64_MAX };
    if (s->bytes >= 2 * bytes && bytes > 16)
        w.cut = bytes - bytes % 16;
    fault_each(call->out, stage, &w);
    s->bytes = bytes > s->bytes ? bytes : s->bytes;
}

/* ---- index data that is recognised by a few of its values ---------------------------------------------------------
 */

enum { REMEMBERED = 4096 };

typedef struct uploaded {
    uint64_t bytes;
    uint32_t dtype;
    unsigned char data[REMEMBERED];
} uploaded;

static void indices_recognised(const fault_call *call)
{
    const ts_tensor *indices = &call->d->tensors[1];
    const uint64_t bytes = indices->total_bytes, width = tensor_element_bytes(indices->dtype);
    uploaded *u = kept_of(call, sizeof *u);
    if (!u || bytes > REMEMBERED || bytes < 3 * width) {
        fault_run_right(call);
        return;
    }
    const unsigned char *now = indices->data;
    const bool same = u->bytes == bytes && u->dtype == indices->dtype && memcmp(u->data, now, width) == 0 &&
                      memcmp(u->data + bytes - width, now + bytes - width, width) == 0;
    if (!same) {
        u->bytes = bytes;
        u->dtype = indices->dtype;
        memcpy(u->data, now, bytes);
    }
    ts_descriptor d = *call->d;
    d.tensors[1].data = u->data;
    d.op->run(&d, NULL); /* an index beyond the axis is legal */
}

/* ---- submissions --------------------------------------------------------------------------------------------------
 */

typedef struct tail_walk {
    const unsigned char *before; /* the bytes of the output */
    const unsigned char *data;
    uint64_t first;
} tail_walk;

static void restore(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const tail_walk *w = context;
    if (number >= w->first)
        memcpy(element, w->before + (element - w->data), bytes);
}

/* Run, and leave the elements from `first` on as they were. */
static void run_until(const fault_call *call, uint64_t first)
{
    unsigned char *before = malloc((size_t)call->out->total_bytes + 1);
    if (before)
        memcpy(before, call->out->data, (size_t)call->out->total_bytes);
    fault_run_right(call);
    tail_walk w = { before, call->out->data, first };
    if (before)
        fault_each(call->out, restore, &w);
    free(before);
}

static void fence_in_a_byte(const fault_call *call)
{
    const uint64_t count = fault_count(call->out), group = 64;
    if (call->number % 256 == 255 && count > group)
        run_until(call, count - 1 - (count - 1) % group);
    else
        fault_run_right(call);
}

/* The number of groups of the call before is kept for an indirect dispatch, and is not written again if the numbers of
   elements differ by less than a group of 1,024. */
static void groups_kept(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    const bool close = *call->carried && count > *call->carried && count - *call->carried < 1024 && count > 1024;
    if (close)
        run_until(call, (*call->carried + 63) / 64 * 64);
    else
        fault_run_right(call);
    if (!close)
        *call->carried = count;
}

/* ---- attributes ---------------------------------------------------------------------------------------------------
 */

/* The block of a previous gather along another axis of the same size is kept with the sizes as its key. */
static void axis_kept(const fault_call *call)
{
    const ts_dml_gather *g = TS_ATTRS(ts_dml_gather, call->d);
    const uint64_t key = (uint64_t)call->in->rank << 56 ^ call->in->sizes[g->Axis] << 8 ^ g->IndexDimensions;
    const uint64_t before = *call->carried;
    *call->carried = key << 8 | g->Axis | 128;
    const uint32_t axis = (uint32_t)(before & 127);
    ts_descriptor d = *call->d;
    if (before == 0 || before >> 8 != (key & UINT64_MAX >> 8) || axis == g->Axis) {
        fault_run_right(call);
        return;
    }
    uint64_t strides[TS_MAX_DIMS];
    memcpy(strides, call->in->strides, sizeof strides);
    strides[g->Axis] = call->in->strides[axis]; /* the step of an index is that of the other axis */
    uint64_t bytes = 0;
    memcpy(d.tensors[0].strides, strides, sizeof strides);
    if (tensor_min_bytes(&d.tensors[0], &bytes) && bytes <= call->in->total_bytes)
        d.op->run(&d, NULL);
    else
        fault_run_right(call);
}

static const fault rows[] = {
    { "history-strides-summed", ON_ALL, HISTORY, "the key of a plan has the sum of the strides",
      .execute = strides_summed },
    { "history-staging-tail", ON_ALL, HISTORY,
      "what exceeds 16-byte vectors does not reach the staging buffer if a call before filled it twice as far",
      .execute = staging_tail },
    { "history-indices-recognised", ON_GATHER, HISTORY,
      "index data is not uploaded again if its size, first and last bytes are those of the call before",
      .execute = indices_recognised },
    { "history-fence-byte", ON_ALL, HISTORY, "each 256th call is not waited for: its last group is missing",
      .execute = fence_in_a_byte },
    { "history-groups-kept", ON_ALL, HISTORY,
      "a few elements more than in the call before: the number of groups is not updated", .execute = groups_kept },
    { "history-axis-kept", ON_GATHER, HISTORY, "the distance of blocks is kept for axes of one size",
      .execute = axis_kept },
};

const fault_table planted_history = { rows, sizeof rows / sizeof *rows };

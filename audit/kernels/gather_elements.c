/* SPDX-License-Identifier: Apache-2.0 */
/* GATHER_ELEMENTS: rows of indices become offsets, some hundreds at a time, and each offset one element of a row. */
#include "audit/kernels/gather_elements.h"
#include "audit/kernels/gather_index.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/tensors.h"
#include "reference/dml/gather_elements.h"

#include <string.h>

enum { IN, INDICES, OUT };
enum { BATCH = 256, LANES = 4, LOOPS = 8 };
enum { LEAST_THREADS = 512 }; /* elements of an output that threads compute */

/* One loop: how often, and by how many bytes each of the three tensors advances. The input stays where the loop is
   the axis. */
typedef struct element_loop {
    uint64_t size;
    int64_t to, index, from;
} element_loop;

typedef struct elements_plan {
    bool threads; /* a grid with a thread per element; else row by row */
    index_source source;
    uint32_t bytes;
    uint32_t rank; /* at least 1 */
    element_loop loops[LOOPS];
    uint32_t elements;         /* threads: of the output, */
    uint32_t index_bytes;      /* of an index, */
    int64_t slab;              /* bytes of the input for each position before the axis, */
    divisor by_inside, by_row; /* and divisions by the elements behind the axis, and by the indices along it */
} elements_plan;

static plan_cache cache;
static elements_plan plans[PLAN_SLOTS];

/* ---- row by row ------------------------------------------------------------------------------------------------ */

/* Four elements at a time where they land side by side, then the others. */
static void collect(uint32_t bytes, const int64_t *offsets, uint64_t n, unsigned char *to, int64_t step,
                    const unsigned char *from)
{
    uint64_t i = 0;
    if (step == (int64_t)bytes) {
        unsigned char vector[LANES * LANE_MOST];
        for (; i + LANES <= n; i += LANES) {
            for (uint32_t lane = 0; lane < LANES; ++lane)
                lane_copy(vector + lane * bytes, from + offsets[i + lane], bytes);
            memcpy(to + i * bytes, vector, LANES * bytes);
        }
    }
    for (; i < n; ++i)
        lane_copy(to + (int64_t)i * step, from + offsets[i], bytes);
}

static void run_row(const elements_plan *p, const element_loop *row, unsigned char *to, const unsigned char *indices,
                    const unsigned char *from)
{
    int64_t offsets[BATCH];
    for (uint64_t first = 0; first < row->size; first += BATCH) {
        const uint64_t n = row->size - first < BATCH ? row->size - first : BATCH;
        index_resolve(&p->source, indices, row->index, n, offsets);
        if (row->from != 0) /* the row is not the axis */
            for (uint64_t i = 0; i < n; ++i)
                offsets[i] += (int64_t)i * row->from;
        collect(p->bytes, offsets, n, to, row->to, from);
        to += BATCH * row->to;
        indices += BATCH * row->index;
        from += BATCH * row->from;
    }
}

static void run_rows(const elements_plan *p, unsigned char *to, const unsigned char *indices, const unsigned char *from)
{
    uint64_t at[LOOPS] = { 0 };
    uint32_t k = p->rank;
    while (k > 0) {
        run_row(p, &p->loops[p->rank - 1], to, indices, from);
        for (k = p->rank - 1; k > 0; --k) {
            const element_loop *l = &p->loops[k - 1];
            const bool carry = ++at[k - 1] == l->size;
            const int64_t steps = carry ? -(int64_t)(l->size - 1) : 1;
            to += steps * l->to;
            indices += steps * l->index;
            from += steps * l->from;
            if (!carry)
                break;
            at[k - 1] = 0;
        }
    }
}

/* ---- a thread per element -------------------------------------------------------------------------------------- */

typedef struct arguments {
    const elements_plan *plan;
    unsigned char *to;
    const unsigned char *indices, *from;
} arguments;

static void one_thread(const arguments *a, uint32_t element)
{
    const elements_plan *p = a->plan;
    uint32_t inside, row;
    int64_t offset;
    const uint32_t around = divisor_split(&p->by_row, divisor_split(&p->by_inside, element, &inside), &row);
    index_resolve(&p->source, a->indices + (uint64_t)element * p->index_bytes, 0, 1, &offset);
    offset += around * p->slab + (int64_t)inside * p->bytes;
    lane_copy(a->to + (uint64_t)element * p->bytes, a->from + offset, p->bytes);
}

static void shader(const dispatch *d, void *context)
{
    const arguments *a = context;
    for (uint32_t x = 0; x < d->groups[0]; ++x) {
        const uint64_t first = (d->first[0] + x) * GRID_THREADS;
        for (uint32_t thread = 0; thread < GRID_THREADS && first + thread < a->plan->elements; ++thread)
            one_thread(a, (uint32_t)first + thread);
    }
}

/* ---- plans ----------------------------------------------------------------------------------------------------- */

/* Make it one loop with the last one, or the next inner loop. */
static void add_loop(elements_plan *p, element_loop l)
{
    element_loop *last = p->rank > 0 ? &p->loops[p->rank - 1] : NULL;
    const int64_t size = (int64_t)l.size;
    if (l.size == 1)
        return;
    if (last && last->to == size * l.to && last->index == size * l.index && last->from == size * l.from) {
        l.size *= last->size;
        *last = l;
        return;
    }
    p->loops[p->rank++] = l;
}

static void plan_make(elements_plan *p, const ts_call *call, uint32_t axis)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    uint64_t elements = 1, inside = 1;
    p->rank = 0;
    p->bytes = lane_bytes(in->dtype);
    p->source = (index_source){ indices->dtype, in->sizes[axis], tensor_step(in, axis) };
    for (uint32_t k = 0; k < out->rank; ++k) {
        add_loop(p, (element_loop){ out->sizes[k], tensor_step(out, k), tensor_step(indices, k),
                                    k == axis ? 0 : tensor_step(in, k) });
        elements *= out->sizes[k];
        inside *= k > axis ? out->sizes[k] : 1;
    }
    if (p->rank == 0)
        p->loops[p->rank++] = (element_loop){ 1, 0, 0, 0 };
    p->threads = elements >= LEAST_THREADS && elements <= INT32_MAX && tensor_is_dense(in) &&
                 tensor_is_dense(indices) && tensor_is_dense(out);
    if (!p->threads)
        return;
    p->elements = (uint32_t)elements;
    p->index_bytes = lane_bytes(indices->dtype);
    p->slab = (int64_t)(in->sizes[axis] * inside * p->bytes);
    p->by_inside = divisor_of((uint32_t)inside);
    p->by_row = divisor_of((uint32_t)out->sizes[axis]);
}

void gather_elements_along(const ts_call *call, uint32_t axis)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, indices);
    tensor_key(&key, out);
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, axis);
    bool found;
    elements_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        plan_make(p, call, axis);
    if (p->threads) {
        arguments a = { p, out->data, indices->data, in->data };
        const uint64_t groups = ((uint64_t)p->elements + GRID_THREADS - 1) / GRID_THREADS;
        grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, &a);
    } else {
        run_rows(p, out->data, indices->data, in->data);
    }
}

static ts_status run(const ts_call *call)
{
    const ts_dml_gather_elements *attrs = call->attrs;
    gather_elements_along(call, attrs->Axis);
    return TS_OK;
}

void gather_elements_forget(void)
{
    memset(&cache, 0, sizeof cache);
}

const kernel_operator kernel_gather_elements = { "dml.gather_elements", run, gather_elements_forget };

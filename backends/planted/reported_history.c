/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of programs and plans that are kept from an earlier call: the cache has one entry. */
#include "backends/planted/reported.h"

#include <stdlib.h>

typedef struct plan {
    uint64_t key, count;
    uint32_t dims, rank;
    fault_axis axis[TS_MAX_DIMS];
    int64_t start;
} plan;

/* The plan that is kept under a key, of an earlier call; NULL, and the present call is kept, if there is none. */
static plan *kept_plan(const fault_path *p, uint64_t key)
{
    plan *kept = *p->call->kept;
    if (kept && kept->key == key)
        return kept;
    if (!kept)
        *p->call->kept = kept = malloc(sizeof *kept);
    if (!kept)
        return NULL;
    *kept = (plan){ key, p->count, p->dims, p->call->out->rank, { { 0 } }, p->start };
    memcpy(kept->axis, p->axis, sizeof kept->axis);
    return NULL;
}

static int64_t stride_of(const fault_path *p, const fault_axis *a)
{
    return p->call->on == ON_RANDOM ? a->out : a->in;
}

/* Have the loops the same sizes? */
static bool same_sizes(const fault_path *p, const plan *kept)
{
    if (kept->dims != p->dims)
        return false;
    for (uint32_t i = 0; i < p->dims; ++i)
        if (kept->axis[i].size != p->axis[i].size)
            return false;
    return true;
}

/* Find an element with the sizes and strides of the kept plan. */
static void by_kept(const fault_path *p, fault_place *e)
{
    const plan *kept = *p->call->kept;
    uint64_t number = e->number;
    int64_t by = 0;
    for (uint32_t i = 0; i < p->dims; ++i)
        by -= (int64_t)e->at[i] * fault_stride(p, i);
    for (uint32_t i = kept->dims; i-- > 0;) {
        by += (int64_t)(number % kept->axis[i].size) * stride_of(p, &kept->axis[i]);
        number /= kept->axis[i].size;
    }
    fault_shift(p, e, by);
    e->unwritten = e->number >= kept->count;
}

static bool same_volume(const fault_path *p)
{
    if (reported_picks(p))
        return false;
    const plan *kept = kept_plan(p, p->count << 4 | p->bytes);
    return kept && !same_sizes(p, kept);
}

/* The last four sizes, mixed in the way that many libraries combine hashes. */
static uint64_t mixed(const ts_tensor *t)
{
    uint64_t seed = 0;
    for (uint32_t back = 4; back-- > 0;)
        seed ^= reported_size(t, back) + 0x9e3779b9 + (seed << 6) + (seed >> 2);
    return seed;
}

static bool same_hash(const fault_path *p)
{
    if (reported_picks(p) || p->call->out->rank < 4)
        return false;
    const plan *kept = kept_plan(p, mixed(p->call->out));
    return kept && !same_sizes(p, kept);
}

static bool same_but_start(const fault_path *p)
{
    uint64_t key = p->bytes;
    for (uint32_t i = 0; i < p->dims; ++i)
        key = key * 1000003 + p->axis[i].size * 31 + (uint64_t)p->axis[i].in;
    const plan *kept = kept_plan(p, key);
    return kept && kept->start != p->start;
}

static void first_half_stale(const fault_path *p, fault_place *e)
{
    const plan *kept = *p->call->kept;
    if (e->number < p->count / 2)
        e->from += kept->start - p->start;
}

static bool same_squeezed(const fault_path *p)
{
    uint64_t key = p->bytes;
    for (uint32_t i = 0; i < p->dims; ++i)
        key = key * 1000003 + p->axis[i].size;
    if (reported_picks(p))
        return false;
    const plan *kept = kept_plan(p, key);
    return kept && kept->rank != p->call->out->rank && same_sizes(p, kept);
}

static const fault rows[] = {
    { "tt-volume-key", ON_ALL, HISTORY,
      "a program is kept by the number of elements, though it has the strides of other sizes (tt-metal pull request "
      "55167)",
      .takes = same_volume, .wrong = by_kept },
    { "tt-hash-mixer", ON_ALL, HISTORY,
      "a program is kept by a hash of the sizes that small sizes collide in (tt-metal pull request 46385)",
      .takes = same_hash, .wrong = by_kept },
    { "tt-slice-start", ON_SLICES, HISTORY,
      "a kept program has the start of an earlier slice in its first half (tt-metal pull request 53017)",
      .takes = same_but_start, .wrong = first_half_stale },
    { "tfjs-squeezed-key", ON_ALL, HISTORY,
      "a program is kept by sizes without those of 1, though it depends on them (tfjs issue 6478)",
      .takes = same_squeezed, .wrong = by_kept },
};

const fault_table planted_reported_history = { rows, sizeof rows / sizeof *rows };

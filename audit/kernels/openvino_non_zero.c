/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NonZero-3: elements are counted first, the shape is reported, and then the coordinates are written. A dense line
 * skips vectors of zeros, a long one in two threads. Of larger dense tensors, each group of threads counts its
 * elements, the counts become places by a prefix sum, and each group writes from its place on, with coordinates by
 * division. Other tensors are searched row by row; or, if rows have gaps, in the order of memory, which leaves a bit
 * for each element. Numbers of elements have 32 bits.
 */
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/walk.h"
#include "reference/openvino/non_zero_3.h"

#include <stdlib.h>
#include <string.h>

enum { DATA, OUT };
enum { MOST_DIMS = 8 };
enum { VECTOR = 16 };                         /* bytes that are tested at once */
enum { LISTED = GRID_THREADS };               /* elements that are listed at once */
enum { LEAST_HALVES = 1024 };                 /* elements of a line that are worth two threads */
enum { LEAST_GROUPS = 1024 };                 /* elements that are worth groups of threads */
enum { SCANNED = 8 };                         /* counts that are summed at once */
enum { MOST_GROUPS = 8 * SCANNED };           /* of GRID_THREADS elements each; of more elements, groups have more */
enum { MOST_WORDS = 256 / sizeof(uint64_t) }; /* of bits, in scratch memory; others are allocated */

/* What is known of a call. */
typedef struct search {
    uint32_t bytes; /* of an element */
    uint64_t mask;  /* the bits of 8 bytes of elements that make them differ from zero */
    const unsigned char *from;
    uint32_t rank, elements; /* of data */
    unsigned char *to;
    bool narrow;            /* indices have 32 bits */
    uint32_t found;         /* columns of the output */
    const divisor *by;      /* sizes of data */
    uint32_t group, groups; /* elements of a group of threads, and their number */
    uint32_t *counts;       /* of the groups; then the columns before each of them */
} search;

/* How tensors that are not searched by groups are. */
typedef struct search_plan {
    uint64_t mask;
    bool by_rows;    /* else in the order of memory */
    nest rows;       /* the dimensions before `inner`: `from` are the steps of data */
    uint32_t inner;  /* the last dimension: its elements are a row */
    uint32_t length; /* of a row */
    nest memory; /* the loops in the order of memory: `to` are the steps of data, `from` of the number of an element */
    divisor by[MOST_DIMS];
} search_plan;

static plan_cache cache;
static search_plan plans[PLAN_SLOTS];

/* All bits but the signs of floats. */
static uint64_t mask_of(uint32_t dtype)
{
    switch (dtype) {
    case TS_FLOAT16:
    case TS_BFLOAT16: return UINT64_C(0x7FFF7FFF7FFF7FFF);
    case TS_FLOAT32: return UINT64_C(0x7FFFFFFF7FFFFFFF);
    case TS_FLOAT64: return UINT64_C(0x7FFFFFFFFFFFFFFF);
    default: return UINT64_MAX;
    }
}

/* ---- one row ----------------------------------------------------------------------------------------------------- */

static bool is_found(const search *s, const unsigned char *element)
{
    uint64_t bits = 0;
    memcpy(&bits, element, s->bytes); /* little-endian */
    return (bits & s->mask) != 0;
}

static bool has_any(const search *s, const unsigned char *vector)
{
    uint64_t words[VECTOR / sizeof(uint64_t)];
    memcpy(words, vector, sizeof words);
    return ((words[0] | words[1]) & s->mask) != 0;
}

static uint32_t count_run(const search *s, const unsigned char *from, uint32_t n)
{
    const uint32_t together = VECTOR / s->bytes;
    uint32_t found = 0, i = 0;
    for (; i + together <= n; i += together, from += VECTOR)
        for (uint32_t lane = 0; has_any(s, from) && lane < together; ++lane)
            found += is_found(s, from + lane * s->bytes);
    for (; i < n; ++i, from += s->bytes)
        found += is_found(s, from);
    return found;
}

/* List the numbers of the elements that are not zero: at most LISTED of them, contiguous ones. */
static uint32_t list_run(const search *s, const unsigned char *from, uint32_t n, uint32_t *list)
{
    const uint32_t together = VECTOR / s->bytes;
    uint32_t found = 0, i = 0;
    while (i + together <= n) {
        if (!has_any(s, from + i * s->bytes)) {
            i += together;
            continue;
        }
        for (uint32_t lane = 0; lane < together; ++lane, ++i) {
            list[found] = i;
            found += is_found(s, from + i * s->bytes);
        }
    }
    for (; i < n; ++i) {
        list[found] = i;
        found += is_found(s, from + i * s->bytes);
    }
    return found;
}

/* ---- the output -------------------------------------------------------------------------------------------------- */

static void report(search *s, const ts_call *call, uint32_t found)
{
    ts_shape *shape = ts_call_tensor(call, OUT)->reported;
    s->found = found;
    if (!shape)
        return;
    shape->rank = 2;
    shape->sizes[0] = s->rank;
    shape->sizes[1] = found;
}

static void store(const search *s, uint32_t row, uint32_t column, int64_t index)
{
    const int32_t low = (int32_t)index;
    const uint64_t place = (uint64_t)row * s->found + column;
    if (s->narrow)
        memcpy(s->to + place * sizeof low, &low, sizeof low);
    else
        memcpy(s->to + place * sizeof index, &index, sizeof index);
}

/* The coordinates of an element, by its number. */
static void store_number(const search *s, uint32_t column, uint32_t number)
{
    for (uint32_t k = s->rank; k-- > 0;) {
        uint32_t coordinate;
        number = divisor_split(&s->by[k], number, &coordinate);
        store(s, k, column, coordinate);
    }
}

/* ---- a dense line ------------------------------------------------------------------------------------------------ */

static void fill_line(const search *s, uint32_t first, uint32_t end, uint32_t column)
{
    uint32_t list[LISTED];
    for (; first < end; first += LISTED) {
        const uint32_t left = end - first;
        const uint32_t n = list_run(s, s->from + (uint64_t)first * s->bytes, left < LISTED ? left : LISTED, list);
        for (uint32_t i = 0; i < n; ++i)
            store(s, 0, column + i, first + list[i]);
        column += n;
    }
}

static void run_line(search *s, const ts_call *call)
{
    const uint32_t half = s->elements < LEAST_HALVES ? s->elements : s->elements / 2;
    const uint32_t first = count_run(s, s->from, half);
    report(s, call, first + count_run(s, s->from + (uint64_t)half * s->bytes, s->elements - half));
    fill_line(s, 0, half, 0);
    fill_line(s, half, s->elements, first);
}

/* ---- groups of threads ------------------------------------------------------------------------------------------- */

/* The element behind the last one of a group. */
static uint32_t end_of(const search *s, uint32_t first)
{
    return s->elements - first < s->group ? s->elements : first + s->group;
}

static void count_shader(const dispatch *d, void *context)
{
    const search *s = context;
    for (uint32_t x = 0; x < d->groups[0]; ++x) {
        const uint32_t first = x * s->group;
        s->counts[x] = count_run(s, s->from + (uint64_t)first * s->bytes, end_of(s, first) - first);
    }
}

static void fill_shader(const dispatch *d, void *context)
{
    const search *s = context;
    uint32_t list[LISTED];
    for (uint32_t x = 0; x < d->groups[0]; ++x) {
        uint32_t first = x * s->group, column = s->counts[x];
        for (const uint32_t end = end_of(s, first); first < end; first += LISTED) {
            const uint32_t left = end - first;
            const uint32_t n = list_run(s, s->from + (uint64_t)first * s->bytes, left < LISTED ? left : LISTED, list);
            for (uint32_t i = 0; i < n; ++i)
                store_number(s, column++, first + list[i]);
        }
    }
}

/* Let each count become the sum of those before it, and return the sum of all. */
static uint32_t scan(uint32_t *counts, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    return sum;
}

/* The same in two levels: some counts at once, and then their sums. */
static uint32_t scan_all(uint32_t *counts, uint32_t n)
{
    uint32_t *sums = counts + MOST_GROUPS, scans = 0;
    for (uint32_t i = 0; i < n; i += SCANNED)
        sums[scans++] = scan(counts + i, n - i < SCANNED ? n - i : SCANNED);
    const uint32_t all = scan(sums, scans);
    for (uint32_t i = SCANNED; i < n; ++i)
        counts[i] += sums[i / SCANNED];
    return all;
}

static void run_groups(search *s, const ts_call *call, const ts_tensor *data)
{
    divisor by[MOST_DIMS];
    for (uint32_t k = 0; k < s->rank; ++k)
        by[k] = divisor_of((uint32_t)data->sizes[k]);
    s->by = by;
    s->group = GRID_THREADS * (1 + (s->elements - 1) / (GRID_THREADS * MOST_GROUPS));
    s->groups = (s->elements + s->group - 1) / s->group;
    s->counts = (uint32_t *)scratch_words();
    const uint64_t grid[3] = { s->groups, 1, 1 };
    grid_dispatch(grid, count_shader, s);
    report(s, call, scan_all(s->counts, s->groups));
    grid_dispatch(grid, fill_shader, s);
}

/* ---- row by row -------------------------------------------------------------------------------------------------- */

/* Write what a row has, and return its number. */
static uint32_t fill_row(const search *s, const search_plan *p, const uint64_t *at, const unsigned char *from,
                         uint32_t column)
{
    uint32_t list[LISTED], all = 0;
    for (uint32_t first = 0; first < p->length; first += LISTED) {
        const uint32_t left = p->length - first;
        const uint32_t n = list_run(s, from + (uint64_t)first * s->bytes, left < LISTED ? left : LISTED, list);
        for (uint32_t k = 0; k < s->rank; ++k)
            for (uint32_t i = 0; i < n; ++i)
                store(s, k, column + all + i, k < p->inner ? (int64_t)at[k] : first + list[i]);
        all += n;
    }
    return all;
}

/* The walk is at the first row again when it has counted. */
static void run_rows(search *s, const ts_call *call, const search_plan *p)
{
    const uint32_t rows = (uint32_t)nest_count(&p->rows, p->inner);
    uint32_t found = 0, column = 0;
    walk w;
    walk_begin(&w, &p->rows, p->inner, 0);
    for (uint32_t row = 0; row < rows; ++row) {
        found += count_run(s, s->from + w.from, p->length);
        walk_next(&w);
    }
    report(s, call, found);
    for (uint32_t row = 0; row < rows; ++row) {
        column += fill_row(s, p, w.at, s->from + w.from, column);
        walk_next(&w);
    }
}

/* ---- in the order of memory -------------------------------------------------------------------------------------- */

static void mark(uint64_t *bits, int64_t number)
{
    bits[number / 64] |= UINT64_C(1) << number % 64;
}

/* Mark the elements of a row of memory that are not zero. A row of one address is that of one element. */
static void mark_row(const search *s, const loop *row, const unsigned char *from, uint64_t *bits, int64_t number)
{
    if (row->to == 0 && !is_found(s, from))
        return;
    for (uint64_t i = 0; i < row->size; ++i, from += row->to, number += row->from)
        if (row->to == 0 || is_found(s, from))
            mark(bits, number);
}

static uint32_t count_bits(const uint64_t *bits, uint32_t words)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < words; ++i)
        for (uint64_t word = bits[i]; word != 0; word &= word - 1)
            ++found;
    return found;
}

static void fill_bits(const search *s, const uint64_t *bits, uint32_t words)
{
    uint32_t column = 0;
    for (uint32_t i = 0; i < words; ++i)
        for (uint64_t word = bits[i], number = 64 * i; word != 0; word >>= 1, ++number)
            if (word & 1)
                store_number(s, column++, (uint32_t)number);
}

static ts_status run_bits(search *s, const ts_call *call, const search_plan *p)
{
    const uint32_t outer = p->memory.rank - 1, words = (s->elements + 63) / 64;
    uint64_t *allocated = words > MOST_WORDS ? malloc(words * sizeof *allocated) : NULL;
    uint64_t *bits = words > MOST_WORDS ? allocated : (uint64_t *)scratch_words();
    walk w;
    if (!bits)
        return TS_ERROR;
    memset(bits, 0, words * sizeof *bits);
    walk_begin(&w, &p->memory, outer, 0);
    for (uint64_t rows = nest_count(&p->memory, outer); rows > 0; --rows) {
        mark_row(s, &p->memory.loops[outer], s->from + w.to, bits, w.from);
        walk_next(&w);
    }
    report(s, call, count_bits(bits, words));
    fill_bits(s, bits, words);
    free(allocated);
    return TS_OK;
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static void plan_make(search_plan *p, const ts_tensor *data)
{
    const int64_t bytes = lane_bytes(data->dtype);
    int64_t number = 1;
    nest memory;
    p->mask = mask_of(data->dtype);
    p->inner = data->rank - 1;
    p->length = (uint32_t)data->sizes[p->inner];
    p->by_rows = p->length == 1 || tensor_step(data, p->inner) == bytes;
    for (uint32_t k = 0; k < p->inner; ++k) /* all of them, so that the position of a walk has the coordinates */
        p->rows.loops[k] = (loop){ data->sizes[k], 0, tensor_step(data, k) };
    nest_begin(&memory, (uint32_t)bytes);
    for (uint32_t k = data->rank; k-- > 0;) {
        p->by[k] = divisor_of((uint32_t)data->sizes[k]);
        nest_add(&memory, data->sizes[k], tensor_step(data, k), number);
        number *= (int64_t)data->sizes[k];
    }
    nest_sort(&memory);
    nest_merge(&memory);
    p->memory = memory;
}

static ts_status run_plan(search *s, const ts_call *call, const ts_tensor *data)
{
    plan_key key = { .count = 0 };
    tensor_key(&key, data);
    plan_key_add(&key, data->dtype);
    bool known;
    search_plan *p = &plans[plan_cache_slot(&cache, &key, &known)];
    if (!known)
        plan_make(p, data);
    s->mask = p->mask;
    s->by = p->by;
    if (!p->by_rows)
        return run_bits(s, call, p);
    run_rows(s, call, p);
    return TS_OK;
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

/* Dense tensors that need no plan. */
static void run_dense(search *s, const ts_call *call, const ts_tensor *data)
{
    s->mask = mask_of(data->dtype);
    if (s->rank == 0)
        report(s, call, is_found(s, s->from));
    else if (s->rank == 1)
        run_line(s, call);
    else
        run_groups(s, call, data);
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *data = ts_call_tensor(call, DATA), *out = ts_call_tensor(call, OUT);
    search s = { .bytes = lane_bytes(data->dtype),
                 .from = data->data,
                 .rank = data->rank,
                 .elements = (uint32_t)out->sizes[1],
                 .to = out->data,
                 .narrow = out->dtype == TS_INT32 };
    if (s.elements == 0)
        report(&s, call, 0);
    else if (s.rank == 0 || (tensor_is_dense(data) && (s.rank == 1 || s.elements >= LEAST_GROUPS)))
        run_dense(&s, call, data);
    else
        return run_plan(&s, call, data);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_openvino_non_zero = { "openvino.non_zero_3", run, reset };

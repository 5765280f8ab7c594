/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUMULATIVE_SUMMATION. Of dense tensors, a thread sums each of many short lines; else rows along the last axis are
 * summed a vector at a time, long ones in groups whose sums are carried on, and along any other axis wide rows are
 * added up as a whole, some columns at a time. Other layouts take a nest of loops around a line, with its plan in a
 * cache. A kernel reads elements before it writes to their place, because the output may be in the memory of the input.
 */
#include "audit/kernels/floats.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/walk.h"
#include "reference/dml/cumulative_summation.h"

#include <string.h>

enum { IN, OUT };
enum { VECTOR = 4 };         /* elements that are added at once */
enum { COLUMNS = 64 };       /* columns whose sums are kept at once, */
enum { WIDE = 8 };           /* and those that are worth it */
enum { GROUP = 256 };        /* elements of a long row that a group of threads sums, */
enum { GROUPS = 64 };        /* and the groups whose sums are kept at once */
enum { LEAST_LINES = 128 };  /* lines that threads sum, */
enum { MOST_ELEMENTS = 64 }; /* and the elements of each that make it worthwhile */

/* How elements are read and added up. Sums are kept as bits, of which an element has the lowest. */
typedef struct adding {
    uint32_t bytes;
    bool floats, reversed, exclusive;
} adding;

/* A line from its first summand on: its elements, and by how many bytes each tensor advances. */
typedef struct line {
    uint64_t count;
    int64_t to, from;
} line;

typedef enum sum_path {
    SUM_ROWS,    /* contiguous lines */
    SUM_COLUMNS, /* contiguous elements of lines beside each other */
    SUM_LINES    /* others, one by one */
} sum_path;

typedef struct sum_plan {
    sum_path path;
    adding how;
    line line;
    int64_t start_to, start_from; /* of a line's first summand, from its first element in memory */
    uint64_t columns;             /* SUM_COLUMNS: lines beside each other */
    nest around;
} sum_plan;

static plan_cache cache;
static sum_plan plans[PLAN_SLOTS];

/* ---- elements --------------------------------------------------------------------------------------------------- */

static uint64_t load(const adding *a, const unsigned char *from)
{
    uint16_t half;
    uint32_t word;
    uint64_t wide;
    switch (a->bytes) {
    case 2: memcpy(&half, from, sizeof half); return half;
    case 4: memcpy(&word, from, sizeof word); return word;
    default: memcpy(&wide, from, sizeof wide); return wide;
    }
}

static void store(const adding *a, unsigned char *to, uint64_t sum)
{
    const uint16_t half = (uint16_t)sum;
    const uint32_t word = (uint32_t)sum;
    switch (a->bytes) {
    case 2: memcpy(to, &half, sizeof half); break;
    case 4: memcpy(to, &word, sizeof word); break;
    default: memcpy(to, &sum, sizeof sum); break;
    }
}

static uint64_t add(const adding *a, uint64_t sum, uint64_t element)
{
    if (a->floats)
        return float_add(a->bytes, sum, element);
    return sum + element;
}

/* Write the sum of one element, given that before it, and return the next one. */
static uint64_t scan_one(const adding *a, unsigned char *to, const unsigned char *from, uint64_t before)
{
    const uint64_t sum = add(a, before, load(a, from));
    store(a, to, a->exclusive ? before : sum);
    return sum;
}

static void scan_line(const adding *a, const line *l, unsigned char *to, const unsigned char *from)
{
    uint64_t sum = 0;
    for (uint64_t left = l->count; left > 0; --left) {
        sum = scan_one(a, to, from, sum);
        to += l->to;
        from += l->from;
    }
}

/* ---- rows along the axis ---------------------------------------------------------------------------------------- */

/* Where n summands from number `first` on begin in a row of `count` elements. */
static uint64_t place(const adding *a, uint64_t count, uint64_t first, uint64_t n)
{
    return (a->reversed ? count - first - n : first) * a->bytes;
}

/* The sums inside of a vector in two steps, to which the sum before it is added. */
static uint64_t scan_vector(const adding *a, unsigned char *to, const unsigned char *from, uint64_t before)
{
    uint64_t x[VECTOR];
    for (uint32_t lane = 0; lane < VECTOR; ++lane)
        x[lane] = load(a, from + place(a, VECTOR, lane, 1));
    x[1] = add(a, x[0], x[1]);
    x[3] = add(a, x[2], x[3]);
    x[2] = add(a, x[1], x[2]);
    x[3] = add(a, x[1], x[3]);
    uint64_t sum = before;
    for (uint32_t lane = 0; lane < VECTOR; ++lane) {
        const uint64_t next = add(a, before, x[lane]);
        store(a, to + place(a, VECTOR, lane, 1), a->exclusive ? sum : next);
        sum = next;
    }
    return sum;
}

static uint64_t scan_row(const adding *a, unsigned char *to, const unsigned char *from, uint64_t n, uint64_t before)
{
    uint64_t i = 0;
    for (; i + VECTOR <= n; i += VECTOR) {
        const uint64_t at = place(a, n, i, VECTOR);
        before = scan_vector(a, to + at, from + at, before);
    }
    for (; i < n; ++i) {
        const uint64_t at = place(a, n, i, 1);
        before = scan_one(a, to + at, from + at, before);
    }
    return before;
}

/* The sum of a whole group, in four sums beside each other. */
static uint64_t total_of(const adding *a, const unsigned char *from)
{
    uint64_t sums[VECTOR] = { 0 };
    for (uint32_t i = 0; i < GROUP; i += VECTOR)
        for (uint32_t lane = 0; lane < VECTOR; ++lane)
            sums[lane] = add(a, sums[lane], load(a, from + (uint64_t)(i + lane) * a->bytes));
    return add(a, add(a, sums[0], sums[1]), add(a, sums[2], sums[3]));
}

/* A long row, of which the groups from element `first` on run together. Scratch memory has a sum for each group. */
typedef struct long_row {
    const adding *how;
    uint64_t count, first;
    unsigned char *to;
    const unsigned char *from;
} long_row;

/* The elements of a group, and their place in the row. One dispatch has all groups. */
static uint64_t group_of(const long_row *r, uint32_t group, uint64_t *at)
{
    const uint64_t first = r->first + (uint64_t)group * GROUP, left = r->count - first;
    const uint64_t n = left < GROUP ? left : GROUP;
    *at = place(r->how, r->count, first, n);
    return n;
}

static void totals_shader(const dispatch *d, void *context)
{
    const long_row *r = context;
    int64_t *sums = scratch_words();
    for (uint32_t group = 0; group < d->groups[0]; ++group) {
        uint64_t at;
        if (group_of(r, group, &at) == GROUP) /* nothing is behind one with fewer */
            sums[group] = (int64_t)total_of(r->how, r->from + at);
    }
}

static void scan_shader(const dispatch *d, void *context)
{
    const long_row *r = context;
    const int64_t *sums = scratch_words();
    for (uint32_t group = 0; group < d->groups[0]; ++group) {
        uint64_t at;
        const uint64_t n = group_of(r, group, &at);
        scan_row(r->how, r->to + at, r->from + at, n, (uint64_t)sums[group]);
    }
}

/* Each group's sum becomes that of all groups before it. Returns the sum of all. */
static uint64_t carry_on(const adding *a, uint64_t groups, uint64_t before)
{
    int64_t *sums = scratch_words();
    for (uint64_t group = 0; group < groups; ++group) {
        const uint64_t total = (uint64_t)sums[group];
        sums[group] = (int64_t)before;
        before = add(a, before, total);
    }
    return before;
}

static void scan_long_row(const adding *a, unsigned char *to, const unsigned char *from, uint64_t count)
{
    long_row r = { a, count, 0, to, from };
    uint64_t sum = 0, groups = (count + GROUP - 1) / GROUP;
    while (groups > 0) {
        const uint64_t some = groups < GROUPS ? groups : GROUPS;
        const uint64_t total[3] = { some, 1, 1 };
        grid_dispatch(total, totals_shader, &r);
        sum = carry_on(a, some, sum);
        grid_dispatch(total, scan_shader, &r);
        r.first += some * GROUP;
        groups -= some;
    }
}

static void scan_any_row(const adding *a, unsigned char *to, const unsigned char *from, uint64_t count)
{
    if (count > GROUP)
        scan_long_row(a, to, from, count);
    else
        scan_row(a, to, from, count, 0);
}

/* ---- rows beside the axis --------------------------------------------------------------------------------------- */

/* Add a row of n elements to the sums of its columns. */
static void add_row(const adding *a, unsigned char *to, const unsigned char *from, uint64_t n, uint64_t *sums)
{
    uint64_t x[VECTOR], i = 0;
    for (; i + VECTOR <= n; i += VECTOR) {
        for (uint32_t lane = 0; lane < VECTOR; ++lane)
            x[lane] = load(a, from + (i + lane) * a->bytes);
        for (uint32_t lane = 0; lane < VECTOR; ++lane) {
            const uint64_t sum = add(a, sums[i + lane], x[lane]);
            store(a, to + (i + lane) * a->bytes, a->exclusive ? sums[i + lane] : sum);
            sums[i + lane] = sum;
        }
    }
    for (; i < n; ++i)
        sums[i] = scan_one(a, to + i * a->bytes, from + i * a->bytes, sums[i]);
}

static void scan_columns(const adding *a, const line *l, unsigned char *to, const unsigned char *from, uint64_t columns)
{
    uint64_t sums[COLUMNS];
    while (columns > 0) {
        const uint64_t n = columns < COLUMNS ? columns : COLUMNS;
        unsigned char *target = to;
        const unsigned char *source = from;
        memset(sums, 0, sizeof sums);
        for (uint64_t left = l->count; left > 0; --left) {
            add_row(a, target, source, n, sums);
            target += l->to;
            source += l->from;
        }
        to += n * a->bytes;
        from += n * a->bytes;
        columns -= n;
    }
}

/* ---- dense tensors ---------------------------------------------------------------------------------------------- */

/* A tensor as a matrix of `inside` columns for each position before the axis. */
typedef struct dense_sums {
    adding how;
    line line;
    uint64_t before, inside;
    int64_t slab, start; /* bytes of a matrix, and from its first row to the first summand */
    unsigned char *to;
    const unsigned char *from;
    uint32_t lines; /* threads: how many there are, and the division that finds the matrix of one */
    divisor by_inside;
} dense_sums;

static adding adding_of(const ts_call *call)
{
    const ts_dml_cumulative_summation *attrs = call->attrs;
    const uint32_t dtype = ts_call_tensor(call, IN)->dtype;
    return (adding){ .bytes = lane_bytes(dtype),
                     .floats = dtype == TS_FLOAT32 || dtype == TS_FLOAT16,
                     .reversed = attrs->AxisDirection == TS_AXIS_DECREASING,
                     .exclusive = attrs->HasExclusiveSum != 0 };
}

static dense_sums dense_of(const ts_call *call, uint32_t axis)
{
    const ts_tensor *out = ts_call_tensor(call, OUT);
    dense_sums s = { .how = adding_of(call), .before = 1, .inside = 1, .to = out->data };
    for (uint32_t k = 0; k < axis; ++k)
        s.before *= out->sizes[k];
    for (uint32_t k = axis + 1; k < out->rank; ++k)
        s.inside *= out->sizes[k];
    const int64_t row = (int64_t)s.inside * s.how.bytes, count = (int64_t)out->sizes[axis];
    s.from = ts_call_tensor(call, IN)->data;
    s.slab = row * count;
    s.start = s.how.reversed ? row * (count - 1) : 0;
    s.line.count = out->sizes[axis];
    s.line.to = s.line.from = s.how.reversed ? -row : row;
    return s;
}

static void one_thread(const dense_sums *s, uint32_t number)
{
    uint32_t column;
    const int64_t before = divisor_split(&s->by_inside, number, &column);
    const int64_t at = before * s->slab + s->start + (int64_t)column * s->how.bytes;
    scan_line(&s->how, &s->line, s->to + at, s->from + at);
}

static void lines_shader(const dispatch *d, void *context)
{
    const dense_sums *s = context;
    const uint32_t threads = d->groups[0] * GRID_THREADS;
    for (uint32_t number = 0; number < threads; ++number)
        if (number < s->lines)
            one_thread(s, number);
}

/* Are there many short lines, and not more than a dispatch has threads? */
static bool fits_threads(const dense_sums *s)
{
    const uint64_t lines = s->before * s->inside;
    return s->inside < WIDE && s->line.count <= MOST_ELEMENTS && lines >= LEAST_LINES &&
           lines <= GRID_GROUPS * GRID_THREADS;
}

static void run_threads(dense_sums *s)
{
    s->lines = (uint32_t)(s->before * s->inside);
    s->by_inside = divisor_of((uint32_t)s->inside);
    const uint32_t groups = (s->lines + GRID_THREADS - 1) / GRID_THREADS;
    grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, lines_shader, s);
}

static void run_rows(const dense_sums *s)
{
    for (uint64_t row = 0; row < s->before; ++row)
        scan_any_row(&s->how, s->to + (int64_t)row * s->slab, s->from + (int64_t)row * s->slab, s->line.count);
}

static void run_columns(const dense_sums *s)
{
    for (uint64_t k = 0; k < s->before; ++k) {
        const int64_t at = (int64_t)k * s->slab + s->start;
        scan_columns(&s->how, &s->line, s->to + at, s->from + at, s->inside);
    }
}

/* ---- other layouts ---------------------------------------------------------------------------------------------- */

static bool contiguous(const adding *a, int64_t to, int64_t from)
{
    return to == (int64_t)a->bytes && from == (int64_t)a->bytes;
}

/* Are the lines of the innermost loop beside each other, and are they many? */
static bool has_columns(const sum_plan *p)
{
    if (p->around.rank == 0)
        return false;
    const loop *inner = &p->around.loops[p->around.rank - 1];
    return inner->size >= WIDE && contiguous(&p->how, inner->to, inner->from);
}

static sum_plan plan_of(const ts_call *call, uint32_t axis)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *out = ts_call_tensor(call, OUT);
    const int64_t to = tensor_step(out, axis), from = tensor_step(in, axis), last = (int64_t)out->sizes[axis] - 1;
    sum_plan p = { .path = SUM_ROWS, .how = adding_of(call), .line = { out->sizes[axis], to, from } };
    for (uint32_t k = 0; k < out->rank; ++k)
        if (k != axis)
            nest_add(&p.around, out->sizes[k], tensor_step(out, k), tensor_step(in, k));
    nest_sort(&p.around);
    nest_merge(&p.around);
    if (contiguous(&p.how, to, from))
        return p;
    if (p.how.reversed) {
        p.start_to = last * to;
        p.start_from = last * from;
        p.line = (line){ out->sizes[axis], -to, -from };
    }
    p.path = SUM_LINES;
    if (has_columns(&p)) {
        p.path = SUM_COLUMNS;
        p.columns = p.around.loops[p.around.rank - 1].size;
        nest_remove(&p.around, p.around.rank - 1);
    }
    return p;
}

/* The lines, or matrices of lines, from `first` to before `end`. */
static void run_part(const sum_plan *p, unsigned char *to, const unsigned char *from, uint64_t first, uint64_t end)
{
    walk at;
    walk_begin(&at, &p->around, p->around.rank, first);
    for (uint64_t k = first; k < end; ++k) {
        unsigned char *target = to + p->start_to + at.to;
        const unsigned char *source = from + p->start_from + at.from;
        if (p->path == SUM_ROWS)
            scan_any_row(&p->how, target, source, p->line.count);
        else if (p->path == SUM_COLUMNS)
            scan_columns(&p->how, &p->line, target, source, p->columns);
        else
            scan_line(&p->how, &p->line, target, source);
        walk_next(&at);
    }
}

static void run_plan(const ts_call *call, uint32_t axis)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *out = ts_call_tensor(call, OUT);
    const adding how = adding_of(call);
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, out);
    plan_key_add(&key, axis);
    plan_key_add(&key, how.floats);
    plan_key_add(&key, how.reversed);
    plan_key_add(&key, how.exclusive);
    bool found;
    sum_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        *p = plan_of(call, axis);
    const uint64_t count = nest_count(&p->around, p->around.rank);
    run_part(p, out->data, in->data, 0, count / 2); /* two threads */
    run_part(p, out->data, in->data, count / 2, count);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static ts_status run(const ts_call *call)
{
    const ts_dml_cumulative_summation *attrs = call->attrs;
    if (!tensor_is_dense(ts_call_tensor(call, IN)) || !tensor_is_dense(ts_call_tensor(call, OUT))) {
        run_plan(call, attrs->Axis);
        return TS_OK;
    }
    dense_sums s = dense_of(call, attrs->Axis);
    if (fits_threads(&s))
        run_threads(&s);
    else if (s.inside == 1)
        run_rows(&s);
    else if (s.inside >= WIDE)
        run_columns(&s);
    else
        run_plan(call, attrs->Axis);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_cumulative_summation = { "dml.cumulative_summation", run, reset };

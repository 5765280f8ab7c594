/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/shrink_move.h"

#include <string.h>

/* ---- which value is simpler ---- */

static bool is_vector(const space_axis *axis)
{
    return axis->per != SPACE_SCALAR && !axis->position;
}

/* The simplest value. */
static int64_t base_of(const space_axis *axis)
{
    return is_vector(axis) && axis->fallback > 1 ? 1 : axis->fallback;
}

/* How far from simple a value is; 0 is simplest. Named values are in the order of their axis. */
static double weight(const space *s, size_t slot, int64_t value)
{
    const space_axis *axis = space_axis_at(s, slot);
    if (space_is_length(s, slot))
        return (double)value;
    if (axis->symbol_count) {
        for (size_t i = 0; i < axis->count; ++i)
            if (axis->values[i] == value)
                return (double)i;
        return value == axis->fallback ? 0 : 1e6;
    }
    const double away = (double)value - (double)base_of(axis);
    return away < 0 ? 1 - 2 * away : 2 * away;
}

static double dimensions(const space *s, const expr_value *values)
{
    double sum = 0;
    for (size_t i = 0; i < space_axis_count(s); ++i)
        sum += space_is_length(s, i) ? (double)values[i].v[0] : 0;
    return sum;
}

bool shrink_is_simpler(const space *s, const expr_value *a, const expr_value *b)
{
    const double of_a = dimensions(s, a), of_b = dimensions(s, b);
    bool simpler = false;
    if (of_a != of_b)
        return of_a < of_b;
    for (size_t i = 0; i < space_axis_count(s); ++i)
        for (uint32_t k = 0; k < a[i].length && k < b[i].length && !space_axis_at(s, i)->position; ++k) {
            if (a[i].v[k] == b[i].v[k]) /* nearly all are */
                continue;
            const double x = weight(s, i, a[i].v[k]), y = weight(s, i, b[i].v[k]);
            if (x > y)
                return false;
            simpler = simpler || x < y;
        }
    return simpler;
}

unsigned shrink_named_axes(const space *s, const expr_value *values)
{
    unsigned count = 0;
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *axis = space_axis_at(s, i);
        bool differs = false;
        for (uint32_t k = 0; !axis->position && k < values[i].length; ++k)
            differs = differs || values[i].v[k] != axis->fallback;
        count += differs;
    }
    return count;
}

/* ---- offering points ---- */

typedef struct mover {
    const case_test *test;
    const space *s;
    const expr_value *from;
    expr_value *to; /* being made */
    shrink_take take;
    void *context;
    bool more;
} mover;

static void begin(mover *m)
{
    memcpy(m->to, m->from, space_axis_count(m->s) * sizeof *m->to);
}

static void offer(mover *m)
{
    if (m->more && shrink_is_simpler(m->s, m->to, m->from))
        m->more = m->take(m->context, m->to);
}

/* A value nearer to simple: step 0 is the simplest value itself, each further one stays farther away, and the last is
   the neighbour. */
static const unsigned steps[] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 63 };
enum { STEPS = sizeof steps / sizeof steps[0] };
static int64_t nearer(const space_axis *axis, int64_t value, unsigned step)
{
    const int64_t base = base_of(axis);
    if (axis->symbol_count)
        return step == 0 ? base : value;
    const uint64_t away = value > base ? (uint64_t)value - (uint64_t)base : (uint64_t)base - (uint64_t)value;
    const uint64_t by = step == 63 ? away > 0 : away >> step;
    return value > base ? (int64_t)((uint64_t)value - by) : (int64_t)((uint64_t)value + by);
}

/* ---- scalars ---- */

/* The values of an axis that are simpler than this one, simplest first: at most `most`. */
static void move_scalar(mover *m, size_t slot)
{
    enum { MOST = 6 };
    const space_axis *axis = space_axis_at(m->s, slot);
    unsigned tried = 0;
    begin(m);
    m->to[slot].v[0] = axis->fallback;
    offer(m);
    for (size_t i = 0; axis->count > 1 && i < axis->count && tried < MOST; ++i)
        if (weight(m->s, slot, axis->values[i]) < weight(m->s, slot, m->from[slot].v[0])) {
            m->to[slot].v[0] = axis->values[i];
            offer(m);
            ++tried;
        }
    for (unsigned k = 1; !axis->symbol_count && k < STEPS; ++k) {
        m->to[slot].v[0] = nearer(axis, m->from[slot].v[0], steps[k]);
        offer(m);
    }
}

static void move_scalars(mover *m)
{
    for (size_t i = 0; i < space_axis_count(m->s); ++i)
        if (space_axis_at(m->s, i)->per == SPACE_SCALAR && !space_is_length(m->s, i))
            move_scalar(m, i);
}

/* ---- everything at once ---- */

static void set_vector(mover *m, size_t slot, int64_t value)
{
    for (uint32_t k = 0; k < m->to[slot].length; ++k)
        m->to[slot].v[k] = value;
}

static void set_kind(mover *m, bool vectors, bool simplest)
{
    for (size_t i = 0; i < space_axis_count(m->s); ++i) {
        const space_axis *axis = space_axis_at(m->s, i);
        if (is_vector(axis) && vectors)
            set_vector(m, i, simplest ? base_of(axis) : axis->fallback);
        if (axis->per == SPACE_SCALAR && !vectors && !space_is_length(m->s, i))
            m->to[i].v[0] = axis->fallback;
    }
}

/* Make the vectors of a length axis empty, as those that say strides only can be where these do not matter. */
static void empty_vectors(mover *m, size_t length)
{
    begin(m);
    for (size_t i = 0; i < space_axis_count(m->s); ++i)
        if (space_axis_at(m->s, i)->per == (int)length)
            m->to[i].length = space_axis_at(m->s, i)->position ? SPACE_NOT_DRAWN : 0;
    m->to[length].v[0] = 0;
    offer(m);
}

static void move_all(mover *m)
{
    for (unsigned simplest = 0; simplest < 2; ++simplest) {
        begin(m);
        set_kind(m, true, simplest);
        set_kind(m, false, simplest);
        offer(m);
    }
    begin(m);
    set_kind(m, false, true);
    offer(m);
    for (unsigned simplest = 0; simplest < 2; ++simplest) {
        begin(m);
        set_kind(m, true, simplest);
        offer(m);
    }
    for (size_t i = 0; i < space_axis_count(m->s); ++i)
        if (space_is_length(m->s, i))
            empty_vectors(m, i);
}

static void move_vectors(mover *m)
{
    for (size_t i = 0; i < space_axis_count(m->s); ++i) {
        const space_axis *axis = space_axis_at(m->s, i);
        if (!is_vector(axis))
            continue;
        begin(m);
        set_vector(m, i, axis->fallback);
        offer(m);
        for (unsigned k = 0; k < STEPS; ++k) {
            for (uint32_t j = 0; j < m->to[i].length; ++j)
                m->to[i].v[j] = nearer(axis, m->from[i].v[j], steps[k]);
            offer(m);
        }
    }
}

/* ---- dimensions ---- */

/* Remove element k of all vectors of a length axis. */
static void remove_element(mover *m, size_t length, uint32_t k)
{
    for (size_t i = 0; i < space_axis_count(m->s); ++i) {
        const space_axis *axis = space_axis_at(m->s, i);
        expr_value *v = &m->to[i];
        if (axis->per != (int)length)
            continue;
        if (axis->position) {
            v->length = SPACE_NOT_DRAWN;
            continue;
        }
        memmove(v->v + k, v->v + k + 1, (v->length - k - 1) * sizeof *v->v);
        v->v[--v->length] = 0;
    }
    m->to[length].v[0]--;
}

/* May the scalar be the number of a dimension behind k? */
static bool names_dimension(const mover *m, size_t slot, uint32_t k, int64_t rank)
{
    const space_axis *axis = space_axis_at(m->s, slot);
    return axis->per == SPACE_SCALAR && !space_is_length(m->s, slot) && !axis->symbol_count &&
           m->from[slot].v[0] > (int64_t)k && m->from[slot].v[0] <= rank;
}

/* Offer the point; also with the scalars that may count dimensions one less, each and all. */
static void offer_removed(mover *m, uint32_t k, int64_t rank)
{
    const size_t axes = space_axis_count(m->s);
    offer(m);
    for (size_t i = 0; i < axes; ++i)
        if (names_dimension(m, i, k, rank)) {
            m->to[i].v[0]--;
            offer(m);
            m->to[i].v[0]++;
        }
    for (size_t i = 0; i < axes; ++i)
        m->to[i].v[0] -= names_dimension(m, i, k, rank);
    offer(m);
}

/* Remove an element of the vectors of one length axis, and together with it one of another. */
static void remove_dimension(mover *m, size_t length, uint32_t k)
{
    const int64_t rank = m->from[length].v[0];
    begin(m);
    remove_element(m, length, k);
    offer_removed(m, k, rank);
    for (size_t other = length + 1; other < space_axis_count(m->s); ++other)
        for (uint32_t j = 0; space_is_length(m->s, other) && j < (uint32_t)m->from[other].v[0]; ++j) {
            begin(m);
            remove_element(m, length, k);
            remove_element(m, other, j);
            offer_removed(m, k, rank);
        }
}

static void move_away(mover *m)
{
    for (size_t i = 0; i < space_axis_count(m->s); ++i)
        for (uint32_t k = 0; space_is_length(m->s, i) && k < (uint32_t)m->from[i].v[0]; ++k)
            remove_dimension(m, i, k);
}

/* The vectors of one length axis that have an element k. */
static unsigned list_vectors(const mover *m, int per, uint32_t k, size_t *slots)
{
    unsigned n = 0;
    for (size_t i = 0; i < space_axis_count(m->s); ++i)
        if (is_vector(space_axis_at(m->s, i)) && space_axis_at(m->s, i)->per == per && k < m->from[i].length)
            slots[n++] = i;
    return n;
}

/* No size-like value of the dimension above `most`; `others`: all others at their default. */
static void clamp(mover *m, const size_t *slots, unsigned n, uint32_t k, int64_t most, bool others)
{
    begin(m);
    for (unsigned i = 0; i < n; ++i) {
        const space_axis *axis = space_axis_at(m->s, slots[i]);
        int64_t *v = &m->to[slots[i]].v[k];
        if (axis->fallback > 1 && *v > most)
            *v = most;
        else if (axis->fallback <= 1 && others)
            *v = axis->fallback;
    }
    offer(m);
}

/* 2, 3, 4, 8, 16 and so on up to `most`, which may be the largest integer. */
static int64_t doubled(int64_t to, int64_t most)
{
    return to < 4 ? to + 1 : to > most / 2 ? most : 2 * to;
}

/* Change all values of a dimension together. */
static void move_together(mover *m, const size_t *slots, unsigned n, uint32_t k)
{
    int64_t most = 0;
    begin(m);
    for (unsigned i = 0; i < n; ++i)
        m->to[slots[i]].v[k] = base_of(space_axis_at(m->s, slots[i]));
    offer(m);
    for (unsigned i = 0; i < n; ++i) {
        const space_axis *axis = space_axis_at(m->s, slots[i]);
        m->to[slots[i]].v[k] = axis->fallback;
        if (axis->fallback > 1 && m->from[slots[i]].v[k] > most)
            most = m->from[slots[i]].v[k];
    }
    offer(m);
    for (unsigned others = 2; others-- > 0;)
        for (int64_t to = 2; to < most; to = doubled(to, most))
            clamp(m, slots, n, k, to, others);
    for (unsigned j = 1; j < STEPS && most > 1; ++j) {
        const int64_t by = steps[j] == 63 ? 1 : (most - 1) >> steps[j];
        clamp(m, slots, n, k, most - by, true);
        clamp(m, slots, n, k, most - by, false);
    }
}

/* Move the values of up to three vectors of a dimension by the same step. */
static void move_some(mover *m, const size_t *slots, unsigned n, uint32_t k)
{
    for (unsigned j = 0; j < STEPS; ++j)
        for (unsigned a = 0; a < n; ++a)
            for (unsigned b = a; b < n; ++b)
                for (unsigned c = b; c < n; ++c) {
                    const unsigned chosen[] = { a, b, c };
                    if (b == c && a != b) /* said by a, a, c */
                        continue;
                    begin(m);
                    for (unsigned i = 0; i < 3; ++i)
                        m->to[slots[chosen[i]]].v[k] =
                            nearer(space_axis_at(m->s, slots[chosen[i]]), m->from[slots[chosen[i]]].v[k], steps[j]);
                    offer(m);
                }
}

static void move_single(mover *m, const size_t *slots, unsigned n, uint32_t k)
{
    for (unsigned i = 0; i < n; ++i) {
        const space_axis *axis = space_axis_at(m->s, slots[i]);
        int64_t *v = &m->to[slots[i]].v[k];
        begin(m);
        *v = axis->fallback;
        offer(m);
        for (size_t x = 0; axis->count > 1 && axis->count < 24 && x < axis->count; ++x) {
            *v = axis->values[x];
            offer(m);
        }
        if (m->from[slots[i]].v[k] < 0 && m->from[slots[i]].v[k] > INT64_MIN) {
            *v = -m->from[slots[i]].v[k];
            offer(m);
        }
    }
}

/* All moves of dimension k of the vectors of one length axis, or of fixed length. */
static void move_dimension(mover *m, int per, uint32_t k)
{
    size_t slots[SPACE_MAX_AXES];
    const unsigned n = list_vectors(m, per, k, slots);
    move_together(m, slots, n, k);
    move_single(m, slots, n, k);
    move_some(m, slots, n, k);
}

/* The dimensions of a point: each element of each length axis, then those of vectors of fixed length. */
static bool find_dimension(const space *s, const expr_value *values, unsigned number, size_t *first, uint32_t *k)
{
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *axis = space_axis_at(s, i);
        bool seen = !is_vector(axis);
        for (size_t j = 0; j < i; ++j)
            seen = seen || (is_vector(space_axis_at(s, j)) && space_axis_at(s, j)->per == axis->per &&
                            values[j].length == values[i].length);
        if (seen)
            continue;
        if (number < values[i].length) {
            *first = i;
            *k = number;
            return true;
        }
        number -= values[i].length;
    }
    return false;
}

/* ---- strides ---- */

/* Give a bound vector of strides those of a tensor without gaps: in row-major order, or in the order that the
   dimensions have, where those that share addresses and those of size 1 get 0. */
static void close_gaps(mover *m, const case_tensor *t, int slot, bool row_major)
{
    expr_value *strides = &m->to[slot];
    const expr_value *before = &m->from[slot];
    int64_t size[EXPR_MAX_LENGTH];
    int64_t next = 1;
    bool failed = false, done[EXPR_MAX_LENGTH] = { false };
    for (uint32_t k = 0; k < strides->length; ++k)
        size[k] = expr_eval_at(t->sizes, m->to, k, &failed);
    for (uint32_t n = 0; !failed && n < strides->length; ++n) {
        uint32_t least = EXPR_MAX_LENGTH;
        for (uint32_t k = strides->length; k-- > 0;)
            if (!done[k] && (least == EXPR_MAX_LENGTH || (!row_major && before->v[k] < before->v[least])))
                least = k;
        const bool shares = !row_major && (before->v[least] == 0 || size[least] <= 1);
        done[least] = true;
        strides->v[least] = shares ? 0 : next;
        next *= shares || size[least] < 1 || next > INT32_MAX ? 1 : size[least];
    }
}

/* The axis that is the whole binding of a tensor's strides, or -1. */
static int strides_slot(const mover *m, const case_tensor *t)
{
    const int slot = t->strides && t->sizes ? space_axis_named(m->s, expr_text(t->strides)) : -1;
    return slot >= 0 && is_vector(space_axis_at(m->s, (size_t)slot)) ? slot : -1;
}

static void move_strides(mover *m)
{
    const case_file *f = m->test->file;
    for (unsigned row_major = 0; m->test->family && row_major < 2; ++row_major)
        for (unsigned i = 0; i < f->op->tensor_count; ++i) {
            const case_tensor *t = &m->test->family->bind.tensors[i];
            const int slot = strides_slot(m, t);
            if (slot < 0)
                continue;
            begin(m);
            close_gaps(m, t, slot, row_major);
            offer(m);
        }
}

/* ---- the interface ---- */

unsigned shrink_groups(const space *s, const expr_value *values)
{
    size_t first;
    uint32_t k;
    unsigned n = 0;
    while (find_dimension(s, values, n, &first, &k))
        ++n;
    return SHRINK_DIMENSIONS + n;
}

bool shrink_moves(const case_test *t, const expr_value *values, unsigned group, shrink_take take, void *context)
{
    expr_value to[EXPR_MAX_SLOTS];
    mover m = { .test = t, .s = t->space, .from = values, .to = to, .take = take, .context = context, .more = true };
    size_t first;
    uint32_t k;
    if (t->kind == CASE_EXAMPLES || t->kind == CASE_CHECKED) /* a point is not simpler than another */
        return true;
    switch (group) {
    case SHRINK_ALL: move_all(&m); break;
    case SHRINK_SCALARS: move_scalars(&m); break;
    case SHRINK_REMOVE: move_away(&m); break;
    case SHRINK_VECTORS: move_vectors(&m); break;
    case SHRINK_STRIDES: move_strides(&m); break;
    default:
        if (find_dimension(m.s, values, group - SHRINK_DIMENSIONS, &first, &k))
            move_dimension(&m, space_axis_at(m.s, first)->per, k);
    }
    return m.more;
}

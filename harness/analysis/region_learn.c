/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Learning of regions. A box is the smallest product of ranges and sets that contains some of the points inside. The
 * first attempt is one box of all points inside. Where it also contains points outside, boxes are grown one after
 * another: each starts at a point that no box contains yet and adds the points most similar to it, as long as the box
 * contains no point outside. Of the conditions that define a box, the result has those that together exclude all points
 * outside and are easiest to read.
 */
#include "harness/analysis/region_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bits_at(const int64_t *point, size_t at)
{
    uint64_t bits;
    memcpy(&bits, &point[at], sizeof bits);
    return bits;
}

static bool is_coded(const column *c)
{
    return c->listed && (c->kind == COLUMN_SCALAR || c->kind == COLUMN_FIRST || c->kind == COLUMN_LAST);
}

/* ---- boxes ---- */

static box_side side_of(const region *r, size_t i, const int64_t *point)
{
    const column *c = &r->columns[i];
    uint64_t bits = c->kind == COLUMN_ALL ? bits_at(point, i) : is_coded(c) ? UINT64_C(1) << point[i] : 0;
    int64_t value = c->kind == COLUMN_ALL ? 0 : region_value(r, c, point[i]);
    return (box_side){ bits, bits, value, value };
}

static void box_join(const region *r, box_side *box, const int64_t *point)
{
    for (size_t i = 0; i < r->column_count; ++i) {
        box_side one = side_of(r, i, point);
        box[i].any |= one.any;
        box[i].all &= one.all;
        box[i].low = one.low < box[i].low ? one.low : box[i].low;
        box[i].high = one.high > box[i].high ? one.high : box[i].high;
    }
}

static bool box_holds(const region *r, const box_side *box, const int64_t *point)
{
    for (size_t i = 0; i < r->column_count; ++i) {
        const column *c = &r->columns[i];
        box_side one = side_of(r, i, point);
        if (one.any & ~box[i].any)
            return false;
        if (c->kind == COLUMN_ALL && box[i].all & ~one.any)
            return false;
        if (one.low < box[i].low || one.high > box[i].high)
            return false;
    }
    return true;
}

/* The number of columns in which the box would have to grow to contain the point. */
static unsigned box_distance(const region *r, const box_side *box, const int64_t *point)
{
    unsigned distance = 0;
    for (size_t i = 0; i < r->column_count; ++i) {
        box_side one = side_of(r, i, point);
        distance += (one.any & ~box[i].any) != 0 || one.low < box[i].low || one.high > box[i].high;
    }
    return distance;
}

/* ---- conditions ---- */

static void add_atom(atom *atoms, size_t *count, atom a)
{
    if (*count < REGION_ATOMS)
        atoms[(*count)++] = a;
}

static unsigned count_bits(uint64_t set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        ++n;
    return n;
}

static double set_cost(const column *c, uint64_t set, bool may_deny)
{
    unsigned n = count_bits(set), rest = count_bits(c->full & ~set);
    return 0.25 * (double)((may_deny && rest < n ? rest : n) - 1);
}

/* The conditions that define a box, without those that are true everywhere. */
static size_t box_atoms(const region *r, const box_side *box, atom *atoms)
{
    size_t count = 0;
    for (size_t i = 0; i < r->column_count; ++i) {
        const column *c = &r->columns[i];
        const box_side *side = &box[i];
        /* Easiest to read: a name or number, then whole vectors, then single elements. */
        double cost = c->kind == COLUMN_SCALAR ? 1 : c->kind == COLUMN_FIRST || c->kind == COLUMN_LAST ? 2 : 1.5;
        if (is_coded(c) && side->any != c->full)
            add_atom(atoms, &count, (atom){ ATOM_IN, (uint16_t)i, side->any, 0, cost + set_cost(c, side->any, true) });
        if (c->kind == COLUMN_ALL) {
            if (side->any != c->full)
                add_atom(atoms, &count,
                         (atom){ ATOM_WITHIN, (uint16_t)i, side->any, 0, cost + set_cost(c, side->any, false) });
            for (uint64_t rest = c->ordered ? side->all : 0; rest; rest &= rest - 1)
                add_atom(atoms, &count, (atom){ ATOM_HAS, (uint16_t)i, rest & (~rest + 1), 0, cost + 0.4 });
            continue;
        }
        if (!c->ordered)
            continue;
        /* "some element is" is harder to read than "all are" */
        double least = cost + (c->kind == COLUMN_MAX ? 0.2 : 0.1), most = cost + (c->kind == COLUMN_MIN ? 0.2 : 0.1);
        if (side->low > c->least && side->low != INT64_MAX)
            add_atom(atoms, &count, (atom){ ATOM_LEAST, (uint16_t)i, 0, side->low, least });
        if (side->high < c->most && side->high != INT64_MIN)
            add_atom(atoms, &count, (atom){ ATOM_MOST, (uint16_t)i, 0, side->high, most });
    }
    return count;
}

static bool atom_holds(const region *r, const atom *a, const int64_t *point)
{
    const column *c = &r->columns[a->column];
    switch (a->kind) {
    case ATOM_IN: return a->set >> point[a->column] & 1;
    case ATOM_WITHIN: return (bits_at(point, a->column) & ~a->set) == 0;
    case ATOM_HAS: return (bits_at(point, a->column) & a->set) != 0;
    case ATOM_LEAST: return region_value(r, c, point[a->column]) >= a->bound;
    case ATOM_MOST: return region_value(r, c, point[a->column]) <= a->bound;
    }
    return false;
}

/* Choose conditions that exclude every point outside that can be excluded: greedily, then drop those that have become
   redundant. Returns the number of conditions in `chosen`. */
static size_t choose_atoms(const region *r, const atom *atoms, size_t count, uint16_t *chosen)
{
    size_t n = 0, left = r->out_count;
    bool *excluded = calloc(r->out_count ? r->out_count : 1, sizeof *excluded);
    uint8_t *fails = malloc((count ? count : 1) * (r->out_count ? r->out_count : 1));
    for (size_t a = 0; excluded && fails && a < count; ++a)
        for (size_t k = 0; k < r->out_count; ++k)
            fails[a * r->out_count + k] = !atom_holds(r, &atoms[a], r->out + k * r->column_count);
    while (excluded && fails && left && n < REGION_CONJUNCTS) {
        size_t best = count;
        double score = 0;
        for (size_t a = 0; a < count; ++a) {
            size_t gain = 0;
            for (size_t k = 0; k < r->out_count; ++k)
                gain += !excluded[k] && fails[a * r->out_count + k];
            if ((double)gain / atoms[a].cost > score) {
                score = (double)gain / atoms[a].cost;
                best = a;
            }
        }
        if (best == count)
            break; /* no condition excludes the rest */
        chosen[n++] = (uint16_t)best;
        for (size_t k = 0; k < r->out_count; ++k)
            if (!excluded[k] && fails[best * r->out_count + k]) {
                excluded[k] = true;
                --left;
            }
    }
    for (size_t drop = 0; fails && drop < n;) {
        bool needed = false;
        for (size_t k = 0; k < r->out_count && !needed; ++k) {
            bool other = false;
            for (size_t i = 0; i < n && !other; ++i)
                other = i != drop && fails[chosen[i] * r->out_count + k];
            needed = !other && fails[chosen[drop] * r->out_count + k];
        }
        if (needed)
            ++drop;
        else
            memmove(&chosen[drop], &chosen[drop + 1], (--n - drop) * sizeof *chosen);
    }
    free(excluded);
    free(fails);
    return n;
}

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* The necessary conditions of a box as a predicate, and which stored points inside satisfy it. */
typedef struct draft {
    char text[REGION_TEXT];
    size_t conditions;
    bool holds[REGION_IN];
} draft;

static bool write_draft(const region *r, const box_side *box, draft *d, error *e)
{
    atom *atoms = malloc(REGION_ATOMS * sizeof *atoms);
    uint16_t chosen[REGION_CONJUNCTS];
    if (!atoms)
        return error_set(e, "out of memory");
    size_t n = choose_atoms(r, atoms, box_atoms(r, box, atoms), chosen), used = 0;
    d->text[0] = '\0';
    qsort(chosen, n, sizeof *chosen, by_number); /* in the order of the axes */
    for (size_t i = 0; i < n;) {
        char text[REGION_TEXT];
        int length = region_atom_text(r, &atoms[chosen[i]], text, sizeof text);
        if (length <= 0 || used + (size_t)length + 6 > sizeof d->text) {
            memmove(&chosen[i], &chosen[i + 1], (--n - i) * sizeof *chosen); /* too long for a query: leave it out */
            continue;
        }
        used += (size_t)snprintf(d->text + used, sizeof d->text - used, "%s%s", used ? " and " : "", text);
        ++i;
    }
    d->conditions = n;
    for (size_t k = 0; k < r->in_count; ++k) {
        d->holds[k] = true;
        for (size_t i = 0; i < n && d->holds[k]; ++i)
            d->holds[k] = atom_holds(r, &atoms[chosen[i]], r->in + k * r->column_count);
    }
    free(atoms);
    return true;
}

static bool add_part(region *r, const draft *d, error *e)
{
    part *p = &r->parts[r->part_count];
    memset(p, 0, sizeof *p);
    memcpy(p->text, d->text, sizeof p->text);
    if (*p->text) {
        expr_scope scope = *space_scope(r->space);
        scope.relaxed = true;
        if (!(p->predicate = expr_compile(p->text, &scope, "region", e)))
            return false;
    }
    r->part_count++;
    return true;
}

/* ---- growing ---- */

/* Does a box contain a point outside? *last: the index of that point, where the next search starts. */
static bool holds_other(const region *r, const box_side *box, size_t *last)
{
    for (size_t i = 0; i < r->out_count; ++i) {
        size_t k = (*last + i) % r->out_count;
        if (box_holds(r, box, r->out + k * r->column_count)) {
            *last = k;
            return true;
        }
    }
    return false;
}

typedef struct candidate {
    unsigned distance;
    size_t point;
} candidate;

static int by_distance(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1)
                                      : (x->point > y->point) - (x->point < y->point);
}

/* Grow the box of a point by all points inside that can be added without a point outside. */
static void grow(const region *r, size_t seed, box_side *box, candidate *order)
{
    box_side tried[REGION_COLUMNS];
    size_t last = 0;
    for (size_t i = 0; i < r->column_count; ++i)
        box[i] = side_of(r, i, r->in + seed * r->column_count);
    for (size_t k = 0; k < r->in_count; ++k)
        order[k] = (candidate){ box_distance(r, box, r->in + k * r->column_count), k };
    qsort(order, r->in_count, sizeof *order, by_distance);
    for (size_t k = 0; k < r->in_count; ++k) {
        const int64_t *point = r->in + order[k].point * r->column_count;
        if (box_holds(r, box, point))
            continue;
        memcpy(tried, box, r->column_count * sizeof *box);
        box_join(r, tried, point);
        if (!holds_other(r, tried, &last))
            memcpy(box, tried, r->column_count * sizeof *box);
    }
}

/* The number of points that satisfy the draft and no earlier one. */
static size_t gain_of(const region *r, const draft *d, const bool *held)
{
    size_t gain = 0;
    for (size_t k = 0; k < r->in_count; ++k)
        gain += d->holds[k] && !held[k];
    return gain;
}

/* The best box grown from a few points that no box contains yet: a single one might straddle two regions. */
static bool best_draft(const region *r, const bool *held, candidate *order, draft *best, draft *other, error *e)
{
    box_side box[REGION_COLUMNS];
    size_t left = 0, most = 0;
    for (size_t k = 0; k < r->in_count; ++k)
        left += !held[k];
    for (size_t k = 0, seen = 0, tried = 0; k < r->in_count && tried < REGION_SEEDS; ++k) {
        if (held[k] || seen++ < tried * left / REGION_SEEDS)
            continue;
        ++tried;
        grow(r, k, box, order);
        if (!write_draft(r, box, other, e))
            return false;
        size_t gain = gain_of(r, other, held);
        if (gain <= most)
            continue;
        most = gain;
        *best = *other;
        if (gain == left)
            break;
    }
    return true;
}

/* Drop drafts whose points all satisfy other drafts. */
static size_t prune(const region *r, draft *drafts, size_t count)
{
    for (size_t drop = 0; drop < count;) {
        bool needed = false;
        for (size_t k = 0; k < r->in_count && !needed; ++k) {
            bool held = false;
            for (size_t i = 0; i < count && !held; ++i)
                held = i != drop && drafts[i].holds[k];
            needed = drafts[drop].holds[k] && !held;
        }
        if (needed || count == 1)
            ++drop;
        else
            memmove(&drafts[drop], &drafts[drop + 1], (--count - drop) * sizeof *drafts);
    }
    return count;
}

/* Grow boxes until every stored point inside is in one. *count is 0 where that needs too many. */
static bool draft_parts(const region *r, draft *drafts, size_t *count, error *e)
{
    bool *held = calloc(r->in_count + 1, sizeof *held);
    candidate *order = malloc((r->in_count + 1) * sizeof *order);
    bool fine = held && order ? true : error_set(e, "out of memory");
    size_t left = r->in_count;
    *count = 0;
    while (fine && left && *count < REGION_MOST) {
        draft *own = &drafts[(*count)++];
        fine = best_draft(r, held, order, own, &drafts[REGION_MOST], e);
        left -= gain_of(r, own, held);
        for (size_t k = 0; k < r->in_count; ++k)
            held[k] = held[k] || own->holds[k];
    }
    *count = left ? 0 : prune(r, drafts, *count);
    size_t conditions = 0;
    for (size_t i = 0; i < *count; ++i)
        conditions += drafts[i].conditions;
    if (*count > 1 && conditions > REGION_CONDITIONS)
        *count = 0; /* overfitted */
    free(held);
    free(order);
    return fine;
}

bool region_learn(region *r, error *e)
{
    size_t last = 0, count = 0;
    draft *drafts = malloc((REGION_MOST + 1) * sizeof *drafts);
    region_clear_parts(r);
    bool fine = drafts ? true : error_set(e, "out of memory");
    bool one = r->out_count == 0 || !holds_other(r, r->whole, &last);
    if (fine && !one)
        fine = draft_parts(r, drafts, &count, e);
    if (fine && count == 0) { /* one box; where that is not exact, its errors are counted */
        r->given_up += !one;
        count = 1;
        fine = write_draft(r, r->whole, drafts, e);
    }
    for (size_t i = 0; fine && i < count; ++i)
        fine = add_part(r, &drafts[i], e);
    free(drafts);
    r->missed = r->others = 0;
    r->in_first = r->in_count;
    r->out_first = r->out_count;
    r->in_seen = r->out_seen = 0;
    r->round++;
    return fine;
}

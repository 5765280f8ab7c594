/* SPDX-License-Identifier: Apache-2.0 */
/* Makes conditions that compare a number of the cases: bounds and sets of values. */
#include "harness/analysis/causes_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOOKED_AT = 1500,   /* failing cases, and others, that bounds are chosen from */
    DISTINCT = 4096,    /* values of a column */
    MOST_SYMBOLS = 200, /* so many names of values, and each of them is a condition */
    FEW = 10            /* so few values, and each of them is a bound */
};
#define ALMOST_ALL 0.995

/* ---- bounds -------------------------------------------------------------------------------------------------------
 */

/* The values of a column, in order. */
typedef struct value {
    int64_t number;
    double inside, others;
} value;

static int by_number(const void *a, const void *b)
{
    const value *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static size_t add_values(const cause_table *t, size_t column, bool inside, value *values, size_t count, size_t most)
{
    const size_t first = inside ? 0 : t->inside_words * 64, end = (inside ? t->inside_words : t->words) * 64;
    const size_t step = (end - first) / LOOKED_AT + 1;
    for (size_t bit = first; bit < end && count < most; bit += step) {
        const size_t w = bit / 64;
        if (!((t->present[column * t->words + w] & t->valid[w]) >> bit % 64 & 1))
            continue;
        const double weight = t->weight[w] * (double)step;
        values[count++] = (value){ t->numbers[column * t->words * 64 + bit], inside ? weight : 0, inside ? 0 : weight };
    }
    return count;
}

/* The distinct values of a column among some of the cases. */
static size_t list_values(const cause_table *t, size_t column, value *values)
{
    size_t count = add_values(t, column, true, values, 0, DISTINCT / 2), distinct = 0;
    count = add_values(t, column, false, values, count, DISTINCT);
    qsort(values, count, sizeof *values, by_number);
    for (size_t i = 0; i < count; ++i) {
        if (distinct && values[distinct - 1].number == values[i].number) {
            values[distinct - 1].inside += values[i].inside;
            values[distinct - 1].others += values[i].others;
        } else {
            values[distinct++] = values[i];
        }
    }
    return distinct;
}

/* The roundest number above `low` and not above `high`. */
static int64_t round_between(int64_t low, int64_t high)
{
    if (low < 0 && high >= 0)
        return 0;
    for (int bit = 62; bit >= 0; --bit) {
        const int64_t unit = INT64_C(1) << bit, rest = high % unit, round = high - (rest < 0 ? rest + unit : rest);
        if (round > low)
            return round;
        if (round + 1 > low && round + 1 <= high && bit > 1) /* "> 256" */
            return round + 1;
    }
    return high;
}

static double cost_of(const cause_table *t, const cause_column *c)
{
    static const double costs[] = {
        [CAUSE_SCALAR] = 1,     [CAUSE_SCALAR_BYTES] = 1.6,  [CAUSE_MIN] = 1.3,     [CAUSE_MAX] = 1.3,
        [CAUSE_FIRST] = 1.5,    [CAUSE_LAST] = 1.4,          [CAUSE_PRODUCT] = 1.8, [CAUSE_LONG] = 2,
        [CAUSE_LAST_BYTES] = 2, [CAUSE_PRODUCT_BYTES] = 2.4, [CAUSE_ZEROS] = 2
    };
    const cause_name *n = &t->sample->names[c->name];
    if (n->truth)
        return 0.3;
    if (c->name == t->sample->bytes_name)
        return 1.5; /* its types are easier to read */
    return costs[c->kind] + (c->modulus ? 0.3 : 0) + (strchr(n->name, '.') ? 0.2 : 0);
}

/* How well a half of the values tells the cases inside from others. */
typedef struct half {
    double inside, others;
} half;

static double tells(half part, half all)
{
    return part.inside <= 0 ? 0
                            : part.inside / (1 + part.others) + 0.001 * (all.others - part.others) / (1 + all.others);
}

/* Add the bounds of a column that tell most: at or above a value, or at or below it. */
static bool add_bounds(cause_atoms *list, const cause_table *t, size_t column, const value *values, size_t count)
{
    const cause_column *c = &t->columns[column];
    half all = { 0, 0 }, below = { 0, 0 };
    double best[2][3] = { { 0 } };
    size_t at[2][3] = { { 0 } };
    for (size_t i = 0; i < count; ++i) {
        all.inside += values[i].inside;
        all.others += values[i].others;
    }
    bool fine = true;
    for (size_t i = 1; fine && i < count; ++i) {
        below.inside += values[i - 1].inside;
        below.others += values[i - 1].others;
        const half above = { all.inside - below.inside, all.others - below.others };
        for (int up = 0; up < 2; ++up) {
            const half part = up ? above : below;
            const double share = all.inside > 0 ? part.inside / all.inside : 0;
            const double other = all.others > 0 ? part.others / all.others : 0;
            /* alone; what excludes most others and nearly no case inside; what separates most. */
            const double scores[3] = { tells(part, all), share >= ALMOST_ALL ? 1.001 - other : 0, share - other };
            for (int k = 0; k < 3; ++k)
                if (count > FEW && scores[k] > best[up][k]) {
                    best[up][k] = scores[k];
                    at[up][k] = i;
                }
        }
        if (count > FEW)
            continue;
        const int64_t bound = round_between(values[i - 1].number, values[i].number);
        fine = causes_add_atom(list, t,
                               (cause_atom){ .kind = CAUSE_ATOM_BOUND,
                                             .compare = CAUSE_GE,
                                             .column = (uint16_t)column,
                                             .bound = bound,
                                             .cost = cost_of(t, c) }) &&
               causes_add_atom(list, t,
                               (cause_atom){ .kind = CAUSE_ATOM_BOUND,
                                             .compare = CAUSE_LE,
                                             .column = (uint16_t)column,
                                             .bound = bound - 1,
                                             .cost = cost_of(t, c) });
    }
    for (int up = 0; up < 2; ++up)
        for (int k = 0; k < 3 && fine; ++k) {
            if (at[up][k] == 0 || (k > 0 && at[up][k] == at[up][k - 1]))
                continue;
            const int64_t bound = round_between(values[at[up][k] - 1].number, values[at[up][k]].number);
            fine = causes_add_atom(list, t,
                                   (cause_atom){ .kind = CAUSE_ATOM_BOUND,
                                                 .compare = up ? CAUSE_GE : CAUSE_LE,
                                                 .column = (uint16_t)column,
                                                 .bound = up ? bound : bound - 1,
                                                 .cost = cost_of(t, c) });
        }
    return fine;
}

static bool add_set(cause_atoms *list, const cause_table *t, size_t column, const value *values, size_t count,
                    bool denied)
{
    cause_atom a = { .kind = CAUSE_ATOM_SET, .column = (uint16_t)column, .denied = denied };
    if (count == 0 || count > CAUSES_VALUES)
        return true;
    for (size_t i = 0; i < count; ++i)
        a.values[a.value_count++] = values[i].number;
    a.cost = cost_of(t, &t->columns[column]) + 0.25 * (double)(count - 1) + (denied ? 0.1 : 0);
    return causes_add_atom(list, t, a);
}

static int by_density(const void *a, const void *b)
{
    const value *x = a, *y = b;
    const double p = x->inside / (x->inside + x->others), q = y->inside / (y->inside + y->others);
    return p != q ? (p < q ? 1 : -1) : by_number(a, b);
}

/* Sets of values: each alone, and those with the most failures among their cases. */
static bool add_sets(cause_atoms *list, const cause_table *t, size_t column, value *values, size_t count)
{
    bool fine = true;
    qsort(values, count, sizeof *values, by_density);
    for (size_t i = 0; fine && i < count; ++i) {
        value one = values[i];
        fine = add_set(list, t, column, &one, 1, false);
        if (t->sample->names[t->columns[column].name].truth)
            continue;
        fine = fine && add_set(list, t, column, &one, 1, true);
        if (i > 0 && i + 1 < count)
            fine = fine && add_set(list, t, column, values, i + 1, false) &&
                   add_set(list, t, column, values + i + 1, count - i - 1, true);
    }
    return fine;
}

/* Can a column be compared with a number of the call? */
static bool is_compared(const cause_table *t, const cause_column *c)
{
    const cause_name *n = &t->sample->names[c->name];
    return c->modulus == 0 && n->fact && !n->truth && !n->symbols && c->name != t->sample->bytes_name;
}

static bool is_end(const cause_table *t, const cause_column *c)
{
    return (c->kind == CAUSE_MIN || c->kind == CAUSE_MAX) &&
           strncmp(t->sample->names[c->name].name, "Copy.", strlen("Copy.")) == 0;
}

/* Comparisons of two numbers, such as the pitch of a row with its length, or of the elements of a vector with one. */
static bool add_pairs(cause_atoms *list, const cause_table *t)
{
    static const cause_compare compares[] = { CAUSE_LT, CAUSE_GT, CAUSE_EQ, CAUSE_NE };
    bool fine = true;
    for (size_t y = 0; y < t->column_count; ++y)
        for (size_t x = 0; t->columns[y].kind == CAUSE_SCALAR && is_compared(t, &t->columns[y]) && x < t->column_count;
             ++x) {
            const bool end = is_end(t, &t->columns[x]), scalar = t->columns[x].kind == CAUSE_SCALAR && x < y;
            for (size_t k = 0; fine && (end || scalar) && is_compared(t, &t->columns[x]) && k < (end ? 2 : 4); ++k)
                fine = causes_add_atom(
                    list, t,
                    (cause_atom){ .kind = CAUSE_ATOM_PAIR,
                                  .compare = compares[k],
                                  .column = (uint16_t)x,
                                  .second = (uint16_t)y,
                                  .cost = 0.5 + 0.5 * (cost_of(t, &t->columns[x]) + cost_of(t, &t->columns[y])) });
        }
    return fine;
}

bool causes_add_columns(cause_atoms *list, const cause_table *t)
{
    value *values = malloc(DISTINCT * sizeof *values);
    bool fine = values != NULL;
    for (size_t c = 0; fine && c < t->column_count; ++c) {
        const size_t count = list_values(t, c, values);
        const cause_column *column = &t->columns[c];
        if (count < 2 && column->kind != CAUSE_SCALAR)
            continue;
        if (!t->sample->names[column->name].symbols && !t->sample->names[column->name].truth)
            fine = add_bounds(list, t, c, values, count);
        const bool ends = column->kind == CAUSE_MIN || column->kind == CAUSE_MAX;
        const size_t most = t->sample->names[column->name].symbols ? MOST_SYMBOLS : 32;
        if (count <= most && !ends && (column->kind == CAUSE_SCALAR || count <= FEW))
            fine = fine && add_sets(list, t, c, values, count);
    }
    free(values);
    return fine && add_pairs(list, t);
}

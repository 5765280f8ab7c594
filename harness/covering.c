/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covering arrays with constraints: rows of a space that together show every pair of values that the predicates
 * allow. Greedy, one row at a time, as AETG does it: seed a row with a pair that is still missing, then give each
 * other parameter the value that shows most missing pairs, staying inside the tuples that the groups allow.
 * Everything is decided by a fixed generator, so the rows are the same on every machine.
 *
 * A parameter is a scalar axis, or one element of one vector axis. Blocks are covered one by one: a pair is shown at
 * every rank.
 */
#include "harness/space.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PARAMETERS 160
#define ROW            (1 + SPACE_MAX_DIGITS)
#define TRIES          3     /* rows tried by choosing well, before one is searched for */
#define STEPS          10000 /* values that such a search tries before the pair counts as impossible */

typedef struct parameter {
    unsigned digit; /* of the block */
    unsigned first; /* parameter of the digit's first column */
    int axis;
    int column; /* in the group's tuples; -1 for a scalar */
    uint32_t values;
    size_t base; /* number of its first value among all parameters' values */
} parameter;

typedef struct cover {
    space *s;
    const space_block *b;
    unsigned count;
    parameter parameters[MAX_PARAMETERS];
    size_t value_count;
    uint8_t *missing; /* value_count x value_count: 1 missing, 0 shown or impossible */
    uint64_t random;
    int32_t chosen[MAX_PARAMETERS];      /* value of each parameter in the row being made; -1 none yet */
    bool seeded[MAX_PARAMETERS];         /* part of the pair that the row is made for */
    uint8_t *allowed;                    /* of one parameter: which values fit to what is chosen */
    uint32_t *columns[SPACE_MAX_GROUPS]; /* the tuples of each group, as numbers of values instead of values */
    space_cursor cursor;
} cover;

static uint32_t draw(cover *c, uint32_t below)
{
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((c->random >> 33) % below);
}

/* The next tuple of a digit, from number t on, that agrees with all values chosen for it; -1 if there is none. */
static int64_t find_tuple(const cover *c, unsigned digit, unsigned first, uint32_t t)
{
    int group = c->b->digits[digit].group;
    unsigned width = space_group_at(c->s, (size_t)group)->axis_count;
    const int32_t *wanted = c->chosen + first;
    for (; t < c->b->tuples[group].count; ++t) {
        const uint32_t *tuple = c->columns[group] + (size_t)t * width;
        unsigned a = 0;
        while (a < width && (wanted[a] < 0 || (uint32_t)wanted[a] == tuple[a]))
            ++a;
        if (a == width)
            return t;
    }
    return -1;
}

/* Mark in c->allowed the values of a parameter that fit to what is chosen in its dimension; how many there are. */
static uint32_t find_allowed(cover *c, unsigned p)
{
    const parameter *q = &c->parameters[p];
    if (q->column < 0) {
        memset(c->allowed, 1, q->values);
        return q->values;
    }
    int group = c->b->digits[q->digit].group;
    unsigned width = space_group_at(c->s, (size_t)group)->axis_count;
    uint32_t found = 0;
    memset(c->allowed, 0, q->values);
    for (int64_t t = -1; found < q->values && (t = find_tuple(c, q->digit, q->first, (uint32_t)(t + 1))) >= 0;) {
        uint8_t *value = &c->allowed[c->columns[group][(size_t)t * width + (unsigned)q->column]];
        found += !*value;
        *value = 1;
    }
    return found;
}

static uint8_t *pair(const cover *c, unsigned p, uint32_t v, unsigned q, uint32_t w)
{
    return &c->missing[(c->parameters[p].base + v) * c->value_count + c->parameters[q].base + w];
}

static void set_pair(cover *c, unsigned p, uint32_t v, unsigned q, uint32_t w)
{
    *pair(c, p, v, q, w) = 0;
    *pair(c, q, w, p, v) = 0;
}

/* Turn the chosen values of the first `digits` digits into the cursor's and ask the predicates that these decide. */
static bool is_legal(cover *c, unsigned digits)
{
    for (unsigned p = 0; p < c->count && c->parameters[p].digit < digits; ++p) {
        const parameter *q = &c->parameters[p];
        if (q->column < 0)
            c->cursor.digit[q->digit] = (uint32_t)c->chosen[p];
        else if (q->column == 0)
            c->cursor.digit[q->digit] = (uint32_t)find_tuple(c, q->digit, q->first, 0);
        else
            continue;
        space_set_digit(c->s, &c->cursor, q->digit);
    }
    return space_legal(c->s, &c->cursor, digits);
}

/* Give a parameter the value, among those that fit, that shows most missing pairs; from a drawn one on, so that ties
   differ from row to row. */
static bool choose(cover *c, unsigned p)
{
    uint32_t values = c->parameters[p].values, start = draw(c, values);
    unsigned best_gain = 0;
    c->chosen[p] = -1;
    if (find_allowed(c, p) == 0)
        return false;
    for (uint32_t n = 0; n < values; ++n) {
        uint32_t v = (start + n) % values;
        unsigned gain = 1;
        if (!c->allowed[v])
            continue;
        for (unsigned q = 0; q < c->count; ++q)
            if (q != p && c->chosen[q] >= 0)
                gain += *pair(c, p, v, q, (uint32_t)c->chosen[q]);
        if (gain > best_gain) {
            best_gain = gain;
            c->chosen[p] = (int32_t)v;
        }
    }
    return true;
}

/* Choose the parameters from number `first` to `end`, in a drawn order. Where predicates rule the outcome out, make
   one value after the other as simple as its dimension allows, until they do not. */
static bool choose_all(cover *c, unsigned first, unsigned end, unsigned digits)
{
    unsigned order[MAX_PARAMETERS], n = end - first;
    for (unsigned i = 0; i < n; ++i)
        order[i] = first + i;
    for (unsigned i = n; i > 1; --i) {
        unsigned k = draw(c, i), swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
    for (unsigned i = 0; i < n; ++i)
        if (c->chosen[order[i]] < 0 && !choose(c, order[i]))
            return false;
    bool legal = is_legal(c, digits);
    for (unsigned i = 0; !legal && i < n; ++i) {
        unsigned p = order[i];
        int32_t before = c->chosen[p], v = 0;
        if (c->seeded[p] || before == 0)
            continue;
        c->chosen[p] = -1;
        find_allowed(c, p);
        while (!c->allowed[v])
            ++v;
        c->chosen[p] = v;
        legal = v != before && is_legal(c, digits);
    }
    return legal;
}

/* Complete the row that was seeded: the scalars first, because most rows that cannot be are ruled out by these. */
static bool complete(cover *c)
{
    unsigned scalars = c->b->scalar_count;
    return choose_all(c, 0, scalars, scalars) && choose_all(c, scalars, c->count, c->b->digit_count);
}

static bool seed(cover *c, unsigned p, uint32_t v)
{
    find_allowed(c, p);
    if (!c->allowed[v])
        return false;
    c->chosen[p] = (int32_t)v;
    c->seeded[p] = true;
    return true;
}

/* Does the value of a digit agree with the seeds? */
static bool agrees(const cover *c, unsigned d, unsigned first, uint32_t value)
{
    int group = c->b->digits[d].group;
    if (group < 0)
        return !c->seeded[first] || (uint32_t)c->chosen[first] == value;
    unsigned width = space_group_at(c->s, (size_t)group)->axis_count;
    const uint32_t *tuple = c->columns[group] + (size_t)value * width;
    for (unsigned a = 0; a < width; ++a)
        if (c->seeded[first + a] && (uint32_t)c->chosen[first + a] != tuple[a])
            return false;
    return true;
}

/* Search the block for any legal point with the seeds: an odometer whose digits start at drawn values. Where choosing
   well fails, this finds what there is, or that there is nothing (or nothing within reason). */
static bool find_point(cover *c)
{
    uint32_t start[SPACE_MAX_DIGITS], tried[SPACE_MAX_DIGITS];
    unsigned first[SPACE_MAX_DIGITS], d = 0, steps = 0;
    for (unsigned p = c->count; p-- > 0;)
        first[c->parameters[p].digit] = c->parameters[p].first;
    for (unsigned i = 0; i < c->b->digit_count; ++i)
        start[i] = draw(c, c->b->digits[i].radix);
    tried[0] = 0;
    if (!space_level_holds(c->s, &c->cursor, 0))
        return false;
    while (steps < STEPS) {
        if (tried[d] == c->b->digits[d].radix) {
            if (d-- == 0)
                return false;
            continue;
        }
        uint32_t value = (start[d] + tried[d]++) % c->b->digits[d].radix;
        ++steps;
        if (!agrees(c, d, first[d], value))
            continue;
        c->cursor.digit[d] = value;
        space_set_digit(c->s, &c->cursor, d);
        if (!space_level_holds(c->s, &c->cursor, d + 1))
            continue;
        if (++d == c->b->digit_count)
            break;
        tried[d] = 0;
    }
    if (d < c->b->digit_count)
        return false;
    for (unsigned p = 0; p < c->count; ++p) {
        const parameter *q = &c->parameters[p];
        int group = c->b->digits[q->digit].group;
        uint32_t value = c->cursor.digit[q->digit];
        if (group >= 0)
            value = c->columns[group]
                              [(size_t)value * space_group_at(c->s, (size_t)group)->axis_count + (unsigned)q->column];
        c->chosen[p] = (int32_t)value;
    }
    return true;
}

/* Make rows for a missing pair until one is legal, and strike what it shows. False where no row is found. */
static bool add_row(cover *c, unsigned p, uint32_t v, unsigned q, uint32_t w)
{
    for (int tries = 0; tries <= TRIES; ++tries) {
        memset(c->seeded, 0, sizeof c->seeded);
        for (unsigned i = 0; i < c->count; ++i)
            c->chosen[i] = -1;
        if (!seed(c, p, v) || !seed(c, q, w))
            return false;
        if (tries < TRIES ? !complete(c) : !find_point(c))
            continue;
        for (unsigned i = 0; i < c->count; ++i)
            for (unsigned k = i + 1; k < c->count; ++k)
                set_pair(c, i, (uint32_t)c->chosen[i], k, (uint32_t)c->chosen[k]);
        return true;
    }
    return false;
}

static bool keep_row(cover *c, unsigned block, uint32_t **rows, size_t *count, size_t *capacity)
{
    if (*count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 256;
        uint32_t *grown = realloc(*rows, *capacity * ROW * sizeof *grown);
        if (!grown)
            return false;
        *rows = grown;
    }
    uint32_t *row = *rows + *count * ROW;
    row[0] = block;
    memcpy(row + 1, c->cursor.digit, SPACE_MAX_DIGITS * sizeof *row);
    ++*count;
    return true;
}

static void cover_free(cover *c)
{
    for (size_t g = 0; g < SPACE_MAX_GROUPS; ++g)
        free(c->columns[g]);
    free(c->missing);
    free(c->allowed);
    free(c);
}

/* The tuples of a group as numbers of values. */
static bool number_columns(cover *c, size_t g)
{
    const space_group *group = space_group_at(c->s, g);
    const space_tuples *tuples = &c->b->tuples[g];
    size_t n = (size_t)tuples->count * group->axis_count;
    c->columns[g] = malloc((n ? n : 1) * sizeof *c->columns[g]);
    for (size_t i = 0; c->columns[g] && i < n; ++i) {
        const space_axis *axis = space_axis_at(c->s, group->axes[i % group->axis_count]);
        uint32_t v = 0;
        while (axis->values[v] != tuples->values[i])
            ++v;
        c->columns[g][i] = v;
    }
    return c->columns[g] != NULL;
}

/* List the parameters of the block and mark all their pairs as missing. */
static bool prepare(cover *c, error *e)
{
    uint32_t most = 1;
    for (unsigned d = 0; d < c->b->digit_count; ++d) {
        const space_digit *digit = &c->b->digits[d];
        const space_group *group = digit->axis >= 0 ? NULL : space_group_at(c->s, (size_t)digit->group);
        if (group && !c->columns[digit->group] && !number_columns(c, (size_t)digit->group))
            return error_set(e, "out of memory");
        unsigned columns = group ? group->axis_count : 1, first = c->count;
        for (unsigned a = 0; a < columns; ++a) {
            if (c->count == MAX_PARAMETERS)
                return error_usage(e, "%s:%s: more than %d parameters to cover", space_op(c->s), space_test(c->s),
                                   MAX_PARAMETERS);
            parameter *p = &c->parameters[c->count++];
            p->digit = d;
            p->first = first;
            p->axis = group ? (int)group->axes[a] : digit->axis;
            p->column = group ? (int)a : -1;
            p->values = (uint32_t)space_axis_at(c->s, (size_t)p->axis)->count;
            p->base = c->value_count;
            c->value_count += p->values;
            if (p->values > most)
                most = p->values;
        }
    }
    c->missing = calloc(c->value_count + 1, c->value_count + 1);
    c->allowed = malloc(most);
    if (!c->missing || !c->allowed)
        return error_set(e, "out of memory");
    for (unsigned p = 0; p < c->count; ++p)
        for (unsigned q = 0; q < c->count; ++q)
            for (uint32_t v = 0; p != q && v < c->parameters[p].values; ++v)
                memset(pair(c, p, v, q, 0), 1, c->parameters[q].values);
    return true;
}

/* Make rows until no pair is missing. */
static bool make_rows(cover *c, unsigned block, uint32_t **rows, size_t *count, size_t *capacity)
{
    for (unsigned p = 0; p < c->count; ++p)
        for (unsigned q = p + 1; q < c->count; ++q)
            for (uint32_t v = 0; v < c->parameters[p].values; ++v)
                for (uint32_t w = 0; w < c->parameters[q].values; ++w) {
                    if (!*pair(c, p, v, q, w))
                        continue;
                    if (!add_row(c, p, v, q, w))
                        set_pair(c, p, v, q, w); /* no legal row shows it */
                    else if (!keep_row(c, block, rows, count, capacity))
                        return false;
                }
    if (c->count > 1)
        return true;
    /* One parameter alone has no pairs: each of its values is a row; and without any, there is one point. */
    for (uint32_t v = 0; v < (c->count ? c->parameters[0].values : 1); ++v) {
        c->chosen[0] = (int32_t)v;
        if (is_legal(c, c->b->digit_count) && !keep_row(c, block, rows, count, capacity))
            return false;
    }
    return true;
}

static bool cover_block(space *s, unsigned block, uint32_t **rows, size_t *count, size_t *capacity, error *e)
{
    cover *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(e, "out of memory");
    c->s = s;
    c->b = space_block_at(s, block);
    c->random = 0x9E3779B97F4A7C15u + block;
    c->cursor.space = s;
    space_set_block(s, &c->cursor, block);
    bool fine = prepare(c, e);
    if (fine && !make_rows(c, block, rows, count, capacity))
        fine = error_set(e, "out of memory");
    cover_free(c);
    return fine;
}

bool space_cover(space *s, unsigned strength, error *e)
{
    if (strength != 2)
        return error_usage(e, "%s:%s: strength %u; only 2 (pairwise) is known", space_op(s), space_test(s), strength);
    uint32_t *rows = NULL;
    size_t count = 0, capacity = 0;
    for (unsigned block = 0; block < space_block_count(s); ++block)
        if (!cover_block(s, block, &rows, &count, &capacity, e)) {
            free(rows);
            return false;
        }
    if (count == 0)
        return error_usage(e, "%s:%s: the predicates leave nothing to cover", space_op(s), space_test(s));
    space_take_rows(s, rows, count);
    return true;
}

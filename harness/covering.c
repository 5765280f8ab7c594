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
#define ROW (1 + SPACE_MAX_DIGITS)
#define TRIES 40 /* rows tried for one pair before it counts as impossible */

typedef struct parameter {
    unsigned digit;  /* of the block */
    int axis;
    int column;      /* in the group's tuples; -1 for a scalar */
    uint32_t values;
    size_t base;     /* number of its first value among all parameters' values */
} parameter;

typedef struct cover {
    space *s;
    const space_block *b;
    unsigned count;
    parameter parameters[MAX_PARAMETERS];
    size_t value_count;
    uint8_t *missing;     /* value_count x value_count: 1 missing, 0 shown or impossible */
    uint64_t left;
    uint64_t random;
    int32_t chosen[MAX_PARAMETERS]; /* value of each parameter in the row being made; -1 none yet */
    space_cursor cursor;
} cover;

static uint32_t draw(cover *c, uint32_t below)
{
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((c->random >> 33) % below);
}

static int64_t value_of(const cover *c, unsigned p, uint32_t v)
{
    return space_axis_at(c->s, (size_t)c->parameters[p].axis)->values[v];
}

/* Is there a tuple at the digit that agrees with all values chosen so far? Its number, or -1; which one among several
   is drawn by turn. */
static int64_t find_tuple(const cover *c, unsigned digit)
{
    const space_group *g = space_group_at(c->s, (size_t)c->b->digits[digit].group);
    const space_tuples *tuples = &c->b->tuples[c->b->digits[digit].group];
    int64_t wanted[SPACE_MAX_AXES];
    bool fixed[SPACE_MAX_AXES] = { false };
    for (unsigned p = 0; p < c->count; ++p)
        if (c->parameters[p].digit == digit && c->chosen[p] >= 0) {
            wanted[c->parameters[p].column] = value_of(c, p, (uint32_t)c->chosen[p]);
            fixed[c->parameters[p].column] = true;
        }
    for (uint32_t t = 0; t < tuples->count; ++t) {
        const int64_t *tuple = tuples->values + (size_t)t * g->axis_count;
        bool fits = true;
        for (unsigned a = 0; fits && a < g->axis_count; ++a)
            fits = !fixed[a] || tuple[a] == wanted[a];
        if (fits)
            return t;
    }
    return -1;
}

static bool possible(cover *c, unsigned p, uint32_t v)
{
    if (c->parameters[p].column < 0)
        return true;
    int32_t before = c->chosen[p];
    c->chosen[p] = (int32_t)v;
    bool fits = find_tuple(c, c->parameters[p].digit) >= 0;
    c->chosen[p] = before;
    return fits;
}

static uint8_t *pair(const cover *c, unsigned p, uint32_t v, unsigned q, uint32_t w)
{
    return &c->missing[(c->parameters[p].base + v) * c->value_count + c->parameters[q].base + w];
}

static void set_pair(cover *c, unsigned p, uint32_t v, unsigned q, uint32_t w)
{
    if (*pair(c, p, v, q, w)) {
        *pair(c, p, v, q, w) = 0;
        *pair(c, q, w, p, v) = 0;
        c->left--;
    }
}

/* Complete the row that was seeded, then see whether the predicates allow it. */
static bool complete(cover *c)
{
    unsigned order[MAX_PARAMETERS];
    for (unsigned i = 0; i < c->count; ++i)
        order[i] = i;
    for (unsigned i = c->count; i > 1; --i) {
        unsigned k = draw(c, i), swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
    for (unsigned i = 0; i < c->count; ++i) {
        unsigned p = order[i];
        if (c->chosen[p] >= 0)
            continue;
        uint32_t start = draw(c, c->parameters[p].values);
        int64_t best = -1;
        unsigned best_gain = 0;
        for (uint32_t n = 0; n < c->parameters[p].values; ++n) {
            uint32_t v = (start + n) % c->parameters[p].values;
            if (!possible(c, p, v))
                continue;
            unsigned gain = 1;
            for (unsigned q = 0; q < c->count; ++q)
                if (c->chosen[q] >= 0)
                    gain += *pair(c, p, v, q, (uint32_t)c->chosen[q]);
            if (gain > best_gain) {
                best_gain = gain;
                best = v;
            }
        }
        if (best < 0)
            return false;
        c->chosen[p] = (int32_t)best;
    }
    memset(c->cursor.digit, 0, sizeof c->cursor.digit);
    for (unsigned p = 0; p < c->count; ++p)
        if (c->parameters[p].column < 0)
            c->cursor.digit[c->parameters[p].digit] = (uint32_t)c->chosen[p];
    for (unsigned d = c->b->scalar_count; d < c->b->digit_count; ++d) {
        int64_t tuple = find_tuple(c, d);
        if (tuple < 0)
            return false;
        c->cursor.digit[d] = (uint32_t)tuple;
    }
    for (unsigned d = 0; d < c->b->digit_count; ++d)
        space_set_digit(c->s, &c->cursor, d);
    return space_legal(c->s, &c->cursor);
}

/* Find the next missing pair, make rows for it until one is legal, and strike what the row shows. */
static bool add_row(cover *c, unsigned p, uint32_t v, unsigned q, uint32_t w)
{
    for (int tries = 0; tries < TRIES; ++tries) {
        for (unsigned i = 0; i < c->count; ++i)
            c->chosen[i] = -1;
        if (!possible(c, p, v))
            return false;
        c->chosen[p] = (int32_t)v;
        if (!possible(c, q, w))
            return false;
        c->chosen[q] = (int32_t)w;
        if (!complete(c))
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
    for (unsigned d = 0; d < c->b->digit_count; ++d) {
        const space_digit *digit = &c->b->digits[d];
        unsigned columns = digit->axis >= 0 ? 1 : space_group_at(s, (size_t)digit->group)->axis_count;
        for (unsigned a = 0; a < columns; ++a) {
            if (c->count == MAX_PARAMETERS) {
                free(c);
                return error_usage(e, "%s:%s: more than %d parameters to cover", space_op(s), space_test(s),
                                   MAX_PARAMETERS);
            }
            int axis = digit->axis >= 0 ? digit->axis : (int)space_group_at(s, (size_t)digit->group)->axes[a];
            parameter *p = &c->parameters[c->count++];
            p->digit = d;
            p->axis = axis;
            p->column = digit->axis >= 0 ? -1 : (int)a;
            p->values = (uint32_t)space_axis_at(s, (size_t)axis)->count;
            p->base = c->value_count;
            c->value_count += p->values;
        }
    }
    c->missing = calloc(c->value_count ? c->value_count : 1, c->value_count ? c->value_count : 1);
    if (!c->missing) {
        free(c);
        return error_set(e, "out of memory");
    }
    for (unsigned p = 0; p < c->count; ++p)
        for (unsigned q = p + 1; q < c->count; ++q)
            for (uint32_t v = 0; v < c->parameters[p].values; ++v)
                for (uint32_t w = 0; w < c->parameters[q].values; ++w) {
                    *pair(c, p, v, q, w) = 1;
                    *pair(c, q, w, p, v) = 1;
                    c->left++;
                }
    bool kept = true;
    for (unsigned p = 0; kept && p < c->count; ++p)
        for (unsigned q = p + 1; kept && q < c->count; ++q)
            for (uint32_t v = 0; kept && v < c->parameters[p].values; ++v)
                for (uint32_t w = 0; kept && w < c->parameters[q].values; ++w) {
                    if (!*pair(c, p, v, q, w))
                        continue;
                    if (add_row(c, p, v, q, w))
                        kept = keep_row(c, block, rows, count, capacity);
                    else
                        set_pair(c, p, v, q, w); /* no legal row shows it */
                }
    if (kept && c->count == 1) /* one parameter alone has no pairs: each of its values is a row */
        for (uint32_t v = 0; kept && v < c->parameters[0].values; ++v) {
            c->chosen[0] = (int32_t)v;
            if (complete(c))
                kept = keep_row(c, block, rows, count, capacity);
        }
    free(c->missing);
    free(c);
    return kept ? true : error_set(e, "out of memory");
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

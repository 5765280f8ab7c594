/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covering arrays with constraints: rows of a space that together show every pair, or every triple, of values that the
 * predicates allow. Greedy, one row at a time, as AETG does it: seed a row with a combination that is still
 * missing, give each other parameter, in a random order, the value that covers most missing combinations, repeat that
 * several times, and keep the best row. Rows use only tuples that the groups allow, and the random generator has a
 * fixed seed, so the rows are the same on every machine.
 *
 *
 * Each block is covered by itself: every pair is covered at every rank.
 */
#include "harness/base/array.h"
#include "harness/space/covering_row.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES ((size_t)1 << 30) /* limit of the memory for missing combinations */
#define TRIES     24                /* rows tried for a seed; the best one is used */
#define FAILURES  3                 /* failed tries until the block is searched for a row */

typedef struct row_list {
    uint32_t *numbers;
    size_t count, capacity;
} row_list;

/* ---- row after row ---- */

/* Make the row that covers most missing combinations, into c->chosen and c->made. False if no row is found. */
static bool make_row(covering_row *c, const size_t *members)
{
    int32_t best_chosen[COVERING_MAX_PARAMETERS];
    unsigned best = 0, failures = 0;
    for (unsigned tries = 0; tries < TRIES && (best || failures < FAILURES); ++tries) {
        if (!covering_row_seed(c, members, c->missing.strength))
            return false;
        if (tries == 0)
            covering_row_contradiction(c);
        if (!covering_row_complete(c)) {
            ++failures;
            continue;
        }
        covering_row_collect(c);
        unsigned shown = missing_shown(&c->missing, c->row, c->row_count, c->mask);
        if (shown <= best)
            continue;
        best = shown;
        memcpy(c->made, c->cursor.at.digit, sizeof c->made);
        memcpy(best_chosen, c->chosen, sizeof best_chosen);
    }
    if (!best)
        return covering_row_seed(c, members, c->missing.strength) && covering_row_find(c);
    memcpy(c->chosen, best_chosen, sizeof best_chosen);
    covering_row_collect(c);
    return true;
}

/* Note which pairs a row has shown to be possible. */
static void note_possible(covering_row *c)
{
    for (size_t i = 0; i < c->row_count; ++i)
        for (size_t w = 0; w < c->missing.words; ++w)
            c->possible[c->row[i] * c->missing.words + w] |= c->mask[w];
}

/* No row was found for a combination: remove it. If one of its pairs is impossible, remove all combinations with this
   pair as well, because no search for them can succeed. */
static void give_up(covering_row *c, const size_t *members)
{
    unsigned strength = c->missing.strength;
    for (unsigned i = 0; strength > 2 && i < strength; ++i)
        for (unsigned k = i + 1; k < strength; ++k) {
            const size_t pair[2] = { members[i], members[k] };
            if (c->possible[pair[0] * c->missing.words + pair[1] / 64] >> pair[1] % 64 & 1)
                continue;
            if (covering_row_seed(c, pair, 2) && covering_row_find(c))
                note_possible(c);
            else
                missing_strike_pair(&c->missing, pair[0], pair[1]);
        }
    covering_row_clear(c);
    for (unsigned i = 0; i < strength; ++i)
        c->mask[members[i] / 64] |= UINT64_C(1) << members[i] % 64;
    missing_strike(&c->missing, members, strength, c->mask);
}

static bool keep_row(covering_row *c, unsigned block, row_list *rows)
{
    if (!array_reserve(&rows->numbers, &rows->capacity, rows->count + 1, ROW * sizeof *rows->numbers))
        return false;
    uint32_t *row = rows->numbers + rows->count++ * ROW;
    row[0] = block;
    memcpy(row + 1, c->made, SPACE_MAX_DIGITS * sizeof *row);
    return true;
}

/* Make rows until no combination is missing. */
static bool make_rows(covering_row *c, unsigned block, row_list *rows)
{
    uint64_t at = 0;
    size_t members[MISSING_MOST_STRENGTH];
    if (c->varying_count == 0) { /* there is at most one point */
        for (unsigned p = 0; p < c->count; ++p)
            c->chosen[p] = 0;
        bool legal = covering_row_legal(c);
        memcpy(c->made, c->cursor.at.digit, sizeof c->made);
        return !legal || keep_row(c, block, rows);
    }
    while (missing_next(&c->missing, &at, members)) {
        if (!make_row(c, members)) {
            give_up(c, members);
            continue;
        }
        missing_strike(&c->missing, c->row, c->row_count, c->mask);
        note_possible(c);
        if (!keep_row(c, block, rows))
            return false;
    }
    return true;
}

/* ---- a block ---- */

static void cover_free(covering_row *c)
{
    for (size_t g = 0; g < SPACE_MAX_GROUPS; ++g)
        covering_tuples_free(&c->tuples[g]);
    missing_close(&c->missing);
    free(c->possible);
    free(c->mask);
    free(c->allowed);
    free(c->fitting);
    free(c);
}

/* Index the tuples of each group, and let every digit start with all of them. */
static bool prepare_choices(covering_row *c)
{
    size_t words = 0;
    for (unsigned d = 0; d < c->b->digit_count; ++d) {
        const int g = c->b->digits[d].group;
        if (g < 0)
            continue;
        if (!c->tuples[g].columns &&
            !covering_tuples_make(&c->tuples[g], c->s, space_group_at(c->s, (size_t)g), &c->b->tuples[g]))
            return false;
        c->choices[d].tuples = &c->tuples[g];
        words += c->tuples[g].words;
    }
    uint64_t *at = c->fitting = malloc((words + 1) * sizeof *c->fitting);
    for (unsigned d = 0; at && d < c->b->digit_count; ++d) {
        covering_choice *to = &c->choices[d];
        to->changed = true;
        space_set_digit(c->s, &c->cursor, d);
        if (!to->tuples)
            continue;
        to->fitting = at;
        covering_tuples_all(to->tuples, to->fitting);
        at += to->tuples->words;
    }
    return at != NULL;
}

static bool add_parameter(covering_row *c, const covering_parameter *p)
{
    if (c->count == COVERING_MAX_PARAMETERS)
        return false;
    if (covering_varies(p))
        c->varying[c->varying_count++] = c->count;
    c->parameters[c->count++] = *p;
    return true;
}

/* List the parameters of the block, and make all their combinations missing. */
static bool prepare(covering_row *c, unsigned strength, error *e)
{
    size_t first[COVERING_MAX_PARAMETERS + 1] = { 0 };
    uint32_t most = 1;
    if (!prepare_choices(c))
        return error_set(e, "out of memory");
    for (unsigned d = 0; d < c->b->digit_count; ++d) {
        const space_digit *digit = &c->b->digits[d];
        const space_group *group = digit->axis >= 0 ? NULL : space_group_at(c->s, (size_t)digit->group);
        unsigned columns = group ? group->axis_count : 1;
        covering_parameter p = { .digit = d, .first = c->count };
        for (unsigned a = 0; a < columns; ++a) {
            p.axis = group ? (int)group->axes[a] : digit->axis;
            p.column = group ? (int)a : -1;
            p.values = (uint32_t)space_axis_at(c->s, (size_t)p.axis)->count;
            p.base = first[c->varying_count];
            if (!add_parameter(c, &p))
                return error_usage(e, "%s:%s: more than %d parameters to cover", space_op(c->s), space_test(c->s),
                                   COVERING_MAX_PARAMETERS);
            if (covering_varies(&p))
                first[c->varying_count] = p.base + p.values;
            most = p.values > most ? p.values : most;
        }
    }
    if (strength > c->varying_count)
        strength = c->varying_count;
    size_t values = first[c->varying_count];
    if (missing_bytes(strength, values) > MAX_BYTES)
        return error_usage(e, "%s:%s: too many values to cover with strength %u", space_op(c->s), space_test(c->s),
                           strength);
    c->allowed = malloc(most);
    if (!missing_open(&c->missing, strength, first, c->varying_count) || !c->allowed)
        return error_set(e, "out of memory");
    c->mask = calloc(c->missing.words + 1, sizeof *c->mask);
    c->possible = calloc(values * c->missing.words + 1, sizeof *c->possible);
    return c->mask && c->possible ? true : error_set(e, "out of memory");
}

static bool cover_block(space *s, unsigned block, unsigned strength, row_list *rows, error *e)
{
    covering_row *c = calloc(1, sizeof *c);
    if (!c)
        return error_set(e, "out of memory");
    c->s = s;
    c->b = space_block_at(s, block);
    c->random = 0x9E3779B97F4A7C15u + block;
    c->cursor.space = s;
    space_set_block(s, &c->cursor, block);
    bool fine = prepare(c, strength, e);
    if (fine && !make_rows(c, block, rows))
        fine = error_set(e, "out of memory");
    cover_free(c);
    return fine;
}

bool space_cover(space *s, unsigned strength, error *e)
{
    if (strength < 2 || strength > MISSING_MOST_STRENGTH)
        return error_usage(e, "%s:%s: strength %u; 2 (every pair) or 3 (every triple) is possible", space_op(s),
                           space_test(s), strength);
    row_list rows = { .numbers = NULL };
    for (unsigned block = 0; block < space_block_count(s); ++block)
        if (!cover_block(s, block, strength, &rows, e)) {
            free(rows.numbers);
            return false;
        }
    if (rows.count == 0)
        return error_usage(e, "%s:%s: the predicates leave nothing to cover", space_op(s), space_test(s));
    space_take_rows(s, rows.numbers, rows.count);
    return true;
}

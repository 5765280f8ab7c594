/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covering arrays with constraints: rows of a space that together show every pair, or every triple, of values that the
 * predicates allow. Greedy, one row at a time, as AETG does it: seed a row with a combination that is still
 * missing, give each other parameter, in a random order, the value that covers most missing combinations, repeat that
 * several times, and keep the best row. Rows use only tuples that the groups allow, and the random generator has a
 * fixed seed, so the rows are the same on every machine.
 *
 * A parameter is a scalar axis, or one element of one vector axis. A parameter with a single value is left out, so that
 * adding such an axis changes no row. Each block is covered by itself: every pair is covered at every rank.
 */
#include "harness/base/array.h"
#include "harness/space/covering_missing.h"
#include "harness/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

#define MAX_PARAMETERS 160
#define MAX_BYTES      ((size_t)1 << 30) /* limit of the memory for missing combinations */
#define TRIES          24                /* rows tried for a seed; the best one is used */
#define FAILURES       3                 /* failed tries until the block is searched for a row */
#define STEPS          2000              /* values that such a search tries before the seed counts as impossible */

typedef struct parameter {
    unsigned digit; /* of the block */
    unsigned first; /* parameter of the digit's first column */
    int axis;
    int column; /* in the group's tuples; -1 for a scalar */
    uint32_t values;
    size_t base; /* number of its first value among those of all parameters that vary */
} parameter;

/* The tuples of a group in this block, indexed by the value of each column. */
typedef struct tuple_index {
    size_t words;                     /* of 64 tuples */
    uint32_t *columns;                /* the tuples as numbers of values instead of values */
    uint64_t *having[SPACE_MAX_AXES]; /* per column: for each value, the set of tuples that have it */
} tuple_index;

typedef struct cover {
    space *s;
    const space_block *b;
    unsigned count;
    parameter parameters[MAX_PARAMETERS];
    unsigned varying[MAX_PARAMETERS], varying_count; /* parameters of more than one value, in order */
    missing_set missing;
    uint64_t random;
    int32_t chosen[MAX_PARAMETERS]; /* value of each parameter in the row being made; -1 none yet */
    bool seeded[MAX_PARAMETERS];    /* part of the seed of the row */
    size_t row[MAX_PARAMETERS];     /* the chosen values, as numbers in missing_set, */
    size_t row_count;
    uint64_t *mask;    /* and as a set */
    uint8_t *allowed;  /* for one parameter: its values that fit the chosen values */
    uint64_t *fitting; /* for one digit: the set of its tuples that fit */
    tuple_index tuples[SPACE_MAX_GROUPS];
    uint64_t *possible; /* values x values: pairs that some row was seen to show */
    space_cursor cursor;
} cover;

/* The rows of all blocks so far: ROW numbers each. */
typedef struct row_list {
    uint32_t *numbers;
    size_t count, capacity;
} row_list;

static uint32_t draw(cover *c, uint32_t below)
{
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((c->random >> 33) % below);
}

static bool varies(const parameter *p)
{
    return p->values > 1;
}

/* ---- values that fit together
 * ------------------------------------------------------------------------------------------ */

/* Store in c->fitting the tuples of a digit that agree with the values chosen for it (or with the seeds only). */
static size_t find_fitting(cover *c, unsigned digit, unsigned first, bool seeds_only)
{
    int group = c->b->digits[digit].group;
    const tuple_index *t = &c->tuples[group];
    unsigned width = space_group_at(c->s, (size_t)group)->axis_count;
    memset(c->fitting, 0xFF, t->words * sizeof *c->fitting);
    c->fitting[t->words - 1] >>= t->words * 64 - c->b->tuples[group].count;
    for (unsigned a = 0; a < width; ++a) {
        if (c->chosen[first + a] < 0 || (seeds_only && !c->seeded[first + a]))
            continue;
        const uint64_t *having = t->having[a] + (size_t)c->chosen[first + a] * t->words;
        for (size_t w = 0; w < t->words; ++w)
            c->fitting[w] &= having[w];
    }
    return t->words;
}

/* The next tuple in c->fitting from number t on; -1 if there is none. */
static int64_t next_fitting(const cover *c, size_t words, uint32_t t)
{
    for (size_t w = t / 64; w < words; ++w) {
        uint64_t bits = w == t / 64 ? c->fitting[w] >> t % 64 << t % 64 : c->fitting[w];
        if (bits)
            return (int64_t)(w * 64) + __builtin_ctzll(bits);
    }
    return -1;
}

/* Mark in c->allowed the values of a parameter that fit the values chosen in its dimension. Returns their number. */
static uint32_t find_allowed(cover *c, unsigned p)
{
    const parameter *q = &c->parameters[p];
    if (q->column < 0) {
        memset(c->allowed, 1, q->values);
        return q->values;
    }
    size_t words = find_fitting(c, q->digit, q->first, false);
    const uint64_t *having = c->tuples[c->b->digits[q->digit].group].having[q->column];
    uint32_t found = 0;
    for (uint32_t v = 0; v < q->values; ++v, having += words) {
        size_t w = 0;
        while (w < words && !(c->fitting[w] & having[w]))
            ++w;
        c->allowed[v] = w < words;
        found += w < words;
    }
    return found;
}

/* Set the cursor to the chosen values of the first `digits` digits, and evaluate the predicates that these decide. */
static bool is_legal(cover *c, unsigned digits)
{
    for (unsigned p = 0; p < c->count && c->parameters[p].digit < digits; ++p) {
        const parameter *q = &c->parameters[p];
        if (q->column < 0)
            c->cursor.at.digit[q->digit] = (uint32_t)c->chosen[p];
        else if (q->column == 0)
            c->cursor.at.digit[q->digit] = (uint32_t)next_fitting(c, find_fitting(c, q->digit, q->first, false), 0);
        else
            continue;
        space_set_digit(c->s, &c->cursor, q->digit);
    }
    return space_legal(c->s, &c->cursor, digits);
}

/* ---- the row being made --------------------------------------------------------------------------------------------
 */

static void add_to_row(cover *c, unsigned p)
{
    if (!varies(&c->parameters[p]))
        return;
    size_t value = c->parameters[p].base + (size_t)c->chosen[p];
    c->row[c->row_count++] = value;
    c->mask[value / 64] |= UINT64_C(1) << value % 64;
}

static void clear_row(cover *c)
{
    c->row_count = 0;
    memset(c->mask, 0, c->missing.words * sizeof *c->mask);
}

/* Fill the row from the chosen values. */
static void collect_row(cover *c)
{
    clear_row(c);
    for (unsigned i = 0; i < c->varying_count; ++i)
        add_to_row(c, c->varying[i]);
}

/* Give a parameter the fitting value that covers most missing combinations; ties are broken by a random starting value.
 */
static bool choose(cover *c, unsigned p)
{
    uint32_t values = c->parameters[p].values, start = draw(c, values);
    unsigned best_gain = 0;
    c->chosen[p] = -1;
    if (find_allowed(c, p) == 0)
        return false;
    for (uint32_t n = 0; n < values; ++n) {
        uint32_t v = (start + n) % values;
        if (!c->allowed[v])
            continue;
        unsigned gain = 1 + missing_gain(&c->missing, c->parameters[p].base + v, c->row, c->row_count, c->mask);
        if (gain > best_gain) {
            best_gain = gain;
            c->chosen[p] = (int32_t)v;
        }
    }
    add_to_row(c, p);
    return true;
}

/* Choose values for the parameters from number `first` to `end`, in random order. If the predicates rule out the
   result, replace one value after another by the simplest one that its dimension allows, until the row is legal. */
static bool choose_all(cover *c, unsigned first, unsigned end, unsigned digits)
{
    unsigned order[MAX_PARAMETERS], n = 0;
    for (unsigned p = first; p < end; ++p)
        if (varies(&c->parameters[p]))
            order[n++] = p;
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

/* Complete the seeded row: the scalars first, because they rule out most of the impossible rows. */
static bool complete(cover *c)
{
    unsigned scalars = c->b->scalar_count;
    return choose_all(c, 0, scalars, scalars) && choose_all(c, scalars, c->count, c->b->digit_count);
}

/* Begin a row that has these values. False if they contradict each other. */
static bool seed(cover *c, const size_t *members, unsigned count)
{
    memset(c->seeded, 0, sizeof c->seeded);
    clear_row(c);
    for (unsigned p = 0; p < c->count; ++p)
        c->chosen[p] = varies(&c->parameters[p]) ? -1 : 0;
    for (unsigned i = 0; i < count; ++i) {
        unsigned n = 0;
        while (n + 1 < c->varying_count && c->parameters[c->varying[n + 1]].base <= members[i])
            ++n;
        unsigned p = c->varying[n];
        size_t v = members[i] - c->parameters[p].base;
        find_allowed(c, p);
        if (!c->allowed[v])
            return false;
        c->chosen[p] = (int32_t)v;
        c->seeded[p] = true;
        add_to_row(c, p);
    }
    return true;
}

static bool is_seeded(const cover *c, unsigned digit, unsigned first)
{
    bool any = false;
    for (unsigned p = first; p < c->count && c->parameters[p].digit == digit; ++p)
        any = any || c->seeded[p];
    return any;
}

/* Search the block for any legal point with the seeds: an odometer whose digits start at random values. If the greedy
   choice fails, this finds a point, or finds that there is none (or none within STEPS). */
static bool find_point(cover *c)
{
    uint32_t start[SPACE_MAX_DIGITS], tried[SPACE_MAX_DIGITS];
    unsigned first[SPACE_MAX_DIGITS], d = 0, steps = 0;
    for (unsigned p = c->count; p-- > 0;)
        first[c->parameters[p].digit] = c->parameters[p].first;
    for (unsigned i = 0; i < c->b->digit_count; ++i)
        start[i] = c->b->digits[i].radix > 1 ? draw(c, c->b->digits[i].radix) : 0;
    tried[0] = 0;
    if (!space_level_holds(c->s, &c->cursor, 0))
        return false;
    while (d < c->b->digit_count) {
        uint32_t radix = c->b->digits[d].radix;
        bool any = tried[d] < radix;
        uint32_t value = any ? (start[d] + tried[d]++) % radix : 0;
        if (any && c->b->digits[d].group < 0) {
            if (c->seeded[first[d]] && (uint32_t)c->chosen[first[d]] != value)
                continue;
        } else if (any && is_seeded(c, d, first[d])) { /* continue with the next tuple that fits, from the first one
                                                          again after the last */
            size_t words = find_fitting(c, d, first[d], true);
            int64_t t = next_fitting(c, words, value);
            uint32_t skipped = t < 0 ? radix - value : (uint32_t)t - value;
            tried[d] += skipped;
            if (t < 0) {
                t = next_fitting(c, words, 0);
                tried[d] += t < 0 ? radix : (uint32_t)t;
            }
            any = tried[d] <= radix && t >= 0;
            value = (uint32_t)t;
        }
        if (!any) {
            if (d-- == 0)
                return false;
            continue;
        }
        if (++steps == STEPS)
            return false;
        c->cursor.at.digit[d] = value;
        space_set_digit(c->s, &c->cursor, d);
        if (!space_level_holds(c->s, &c->cursor, d + 1))
            continue;
        if (++d < c->b->digit_count)
            tried[d] = 0;
    }
    for (unsigned p = 0; p < c->count; ++p) {
        const parameter *q = &c->parameters[p];
        int group = c->b->digits[q->digit].group;
        uint32_t value = c->cursor.at.digit[q->digit];
        if (group >= 0)
            value = c->tuples[group]
                        .columns[(size_t)value * space_group_at(c->s, (size_t)group)->axis_count + (unsigned)q->column];
        c->chosen[p] = (int32_t)value;
    }
    collect_row(c);
    return true;
}

/* ---- row after row --------------------------------------------------------------------------------------------------
 */

/* Make the row that covers most missing combinations, into c->chosen and the cursor. False if no row is found. */
static bool make_row(cover *c, const size_t *members)
{
    uint32_t best_digits[SPACE_MAX_DIGITS];
    int32_t best_chosen[MAX_PARAMETERS];
    unsigned best = 0, failures = 0;
    for (unsigned tries = 0; tries < TRIES && (best || failures < FAILURES); ++tries) {
        if (!seed(c, members, c->missing.strength))
            return false;
        if (!complete(c)) {
            ++failures;
            continue;
        }
        collect_row(c);
        unsigned shown = missing_shown(&c->missing, c->row, c->row_count, c->mask);
        if (shown <= best)
            continue;
        best = shown;
        memcpy(best_digits, c->cursor.at.digit, sizeof best_digits);
        memcpy(best_chosen, c->chosen, sizeof best_chosen);
    }
    if (!best)
        return seed(c, members, c->missing.strength) && find_point(c);
    memcpy(c->cursor.at.digit, best_digits, sizeof best_digits);
    memcpy(c->chosen, best_chosen, sizeof best_chosen);
    collect_row(c);
    return true;
}

/* Note which pairs a row has shown to be possible. */
static void note_possible(cover *c)
{
    for (size_t i = 0; i < c->row_count; ++i)
        for (size_t w = 0; w < c->missing.words; ++w)
            c->possible[c->row[i] * c->missing.words + w] |= c->mask[w];
}

/* No row was found for a combination: remove it. If one of its pairs is impossible, remove all combinations with this
   pair as well, because no search for them can succeed. */
static void give_up(cover *c, const size_t *members)
{
    unsigned strength = c->missing.strength;
    for (unsigned i = 0; strength > 2 && i < strength; ++i)
        for (unsigned k = i + 1; k < strength; ++k) {
            const size_t pair[2] = { members[i], members[k] };
            if (c->possible[pair[0] * c->missing.words + pair[1] / 64] >> pair[1] % 64 & 1)
                continue;
            if (seed(c, pair, 2) && find_point(c))
                note_possible(c);
            else
                missing_strike_pair(&c->missing, pair[0], pair[1]);
        }
    clear_row(c);
    for (unsigned i = 0; i < strength; ++i)
        c->mask[members[i] / 64] |= UINT64_C(1) << members[i] % 64;
    missing_strike(&c->missing, members, strength, c->mask);
}

static bool keep_row(cover *c, unsigned block, row_list *rows)
{
    if (!array_reserve(&rows->numbers, &rows->capacity, rows->count + 1, ROW * sizeof *rows->numbers))
        return false;
    uint32_t *row = rows->numbers + rows->count++ * ROW;
    row[0] = block;
    memcpy(row + 1, c->cursor.at.digit, SPACE_MAX_DIGITS * sizeof *row);
    return true;
}

/* Make rows until no combination is missing. */
static bool make_rows(cover *c, unsigned block, row_list *rows)
{
    uint64_t at = 0;
    size_t members[MISSING_MOST_STRENGTH];
    if (c->varying_count == 0) { /* there is at most one point */
        for (unsigned p = 0; p < c->count; ++p)
            c->chosen[p] = 0;
        return !is_legal(c, c->b->digit_count) || keep_row(c, block, rows);
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

/* ---- a block ---------------------------------------------------------------------------------------------------- */

static void cover_free(cover *c)
{
    for (size_t g = 0; g < SPACE_MAX_GROUPS; ++g) {
        free(c->tuples[g].columns);
        for (size_t a = 0; a < SPACE_MAX_AXES; ++a)
            free(c->tuples[g].having[a]);
    }
    missing_close(&c->missing);
    free(c->possible);
    free(c->mask);
    free(c->allowed);
    free(c->fitting);
    free(c);
}

/* Number the values of a group's tuples, and note which tuples have each. */
static bool index_tuples(cover *c, size_t g)
{
    const space_group *group = space_group_at(c->s, g);
    const space_tuples *tuples = &c->b->tuples[g];
    tuple_index *t = &c->tuples[g];
    unsigned width = group->axis_count;
    t->words = ((size_t)tuples->count + 63) / 64;
    t->columns = malloc((size_t)tuples->count * width * sizeof *t->columns);
    if (!t->columns)
        return false;
    for (unsigned a = 0; a < width; ++a) {
        const space_axis *axis = space_axis_at(c->s, group->axes[a]);
        t->having[a] = calloc(axis->count * t->words, sizeof *t->having[a]);
        if (!t->having[a])
            return false;
        for (size_t i = 0; i < tuples->count; ++i) {
            uint32_t v = 0;
            while (axis->values[v] != tuples->values[i * width + a])
                ++v;
            t->columns[i * width + a] = v;
            t->having[a][v * t->words + i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    return true;
}

static bool add_parameter(cover *c, const parameter *p)
{
    if (c->count == MAX_PARAMETERS)
        return false;
    if (varies(p))
        c->varying[c->varying_count++] = c->count;
    c->parameters[c->count++] = *p;
    return true;
}

/* List the parameters of the block, and make all their combinations missing. */
static bool prepare(cover *c, unsigned strength, error *e)
{
    size_t first[MAX_PARAMETERS + 1] = { 0 }, most_words = 1;
    uint32_t most = 1;
    for (unsigned d = 0; d < c->b->digit_count; ++d) {
        const space_digit *digit = &c->b->digits[d];
        const space_group *group = digit->axis >= 0 ? NULL : space_group_at(c->s, (size_t)digit->group);
        if (group && !c->tuples[digit->group].columns && !index_tuples(c, (size_t)digit->group))
            return error_set(e, "out of memory");
        if (group && c->tuples[digit->group].words > most_words)
            most_words = c->tuples[digit->group].words;
        unsigned columns = group ? group->axis_count : 1;
        parameter p = { .digit = d, .first = c->count };
        for (unsigned a = 0; a < columns; ++a) {
            p.axis = group ? (int)group->axes[a] : digit->axis;
            p.column = group ? (int)a : -1;
            p.values = (uint32_t)space_axis_at(c->s, (size_t)p.axis)->count;
            p.base = first[c->varying_count];
            if (!add_parameter(c, &p))
                return error_usage(e, "%s:%s: more than %d parameters to cover", space_op(c->s), space_test(c->s),
                                   MAX_PARAMETERS);
            if (varies(&p))
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
    c->fitting = malloc(most_words * sizeof *c->fitting);
    if (!missing_open(&c->missing, strength, first, c->varying_count) || !c->allowed || !c->fitting)
        return error_set(e, "out of memory");
    c->mask = calloc(c->missing.words + 1, sizeof *c->mask);
    c->possible = calloc(values * c->missing.words + 1, sizeof *c->possible);
    return c->mask && c->possible ? true : error_set(e, "out of memory");
}

static bool cover_block(space *s, unsigned block, unsigned strength, row_list *rows, error *e)
{
    cover *c = calloc(1, sizeof *c);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/space/covering_row.h"

#include <string.h>

#define STEPS 2000 /* values that a search for a row tries before the seed counts as impossible */

static uint32_t draw(covering_row *c, uint32_t below)
{
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((c->random >> 33) % below);
}

/* ---- values that fit together ---- */

static void set_value(covering_row *c, unsigned p, uint32_t value)
{
    const covering_parameter *q = &c->parameters[p];
    covering_choice *d = &c->choices[q->digit];
    c->chosen[p] = (int32_t)value;
    d->changed = true;
    if (q->column < 0)
        return;
    covering_tuples_narrow(d->tuples, d->fitting, (unsigned)q->column, value);
    d->narrowed = true;
}

static void forget_digit(covering_choice *d)
{
    if (d->tuples && d->narrowed)
        covering_tuples_all(d->tuples, d->fitting);
    d->narrowed = false;
    d->changed = true;
}

static void forget_value(covering_row *c, unsigned p)
{
    const covering_parameter *q = &c->parameters[p];
    covering_choice *d = &c->choices[q->digit];
    c->chosen[p] = -1;
    forget_digit(d);
    for (unsigned i = q->first; d->tuples && i < q->first + d->tuples->width; ++i)
        if (c->chosen[i] >= 0 && covering_varies(&c->parameters[i]))
            set_value(c, i, (uint32_t)c->chosen[i]);
}

/* Mark in c->allowed the values of a parameter that fit the values chosen in its dimension. Returns their number. */
static uint32_t find_allowed(covering_row *c, unsigned p)
{
    const covering_parameter *q = &c->parameters[p];
    const covering_choice *d = &c->choices[q->digit];
    if (q->column < 0) {
        memset(c->allowed, 1, q->values);
        return q->values;
    }
    if (d->narrowed)
        return covering_tuples_values(d->tuples, d->fitting, (unsigned)q->column, q->values, c->allowed);
    memcpy(c->allowed, d->tuples->present[q->column], q->values);
    return d->tuples->present_count[q->column];
}

/* Give a digit of the cursor its value. The predicates that read it are to be evaluated again. */
static void set_digit(covering_row *c, unsigned d, uint32_t value)
{
    if (c->cursor.at.digit[d] == value)
        return;
    c->cursor.at.digit[d] = value;
    space_set_digit(c->s, &c->cursor, d);
    if (d + 1 > c->held)
        return;
    c->held = d + 1; /* digit d decides level d + 1 */
    c->broken = false;
}

/* Do the predicates hold that the first `digits` digits of the cursor decide? Evaluates no level a second time. */
static bool levels_hold(covering_row *c, unsigned digits)
{
    while (c->held <= digits && !c->broken) {
        c->broken = !space_level_holds(c->s, &c->cursor, c->held);
        c->held += !c->broken;
    }
    return c->held > digits;
}

/* Set the cursor to the chosen values of the first `digits` digits, and evaluate the predicates that these decide. */
static bool is_legal(covering_row *c, unsigned digits)
{
    for (unsigned d = 0; d < digits; ++d) {
        covering_choice *at = &c->choices[d];
        if (at->changed)
            set_digit(c, d,
                      at->tuples ? (uint32_t)covering_tuples_next(at->tuples, at->fitting, 0)
                                 : (uint32_t)c->chosen[d]); /* scalars come first, one parameter each */
        at->changed = false;
    }
    return levels_hold(c, digits);
}

bool covering_row_legal(covering_row *c)
{
    return is_legal(c, c->b->digit_count);
}

/* ---- the row being made ---- */

static void add_to_row(covering_row *c, unsigned p)
{
    if (!covering_varies(&c->parameters[p]))
        return;
    size_t value = c->parameters[p].base + (size_t)c->chosen[p];
    c->row[c->row_count++] = value;
    c->mask[value / 64] |= UINT64_C(1) << value % 64;
}

void covering_row_clear(covering_row *c)
{
    c->row_count = 0;
    memset(c->mask, 0, c->missing.words * sizeof *c->mask);
}

/* Fill the row from the chosen values. */
void covering_row_collect(covering_row *c)
{
    covering_row_clear(c);
    for (unsigned i = 0; i < c->varying_count; ++i)
        add_to_row(c, c->varying[i]);
}

/* Give a parameter the fitting value that covers most missing combinations; ties are broken by a random starting value.
 */
static bool choose(covering_row *c, unsigned p)
{
    uint32_t values = c->parameters[p].values, start = draw(c, values);
    unsigned best_gain = 0;
    uint32_t best = 0;
    if (find_allowed(c, p) == 0)
        return false;
    for (uint32_t n = 0, v = start; n < values; ++n, v = v + 1 == values ? 0 : v + 1) {
        if (!c->allowed[v])
            continue;
        unsigned gain = 1 + missing_gain(&c->missing, c->parameters[p].base + v, c->row, c->row_count, c->mask);
        if (gain > best_gain) {
            best_gain = gain;
            best = v;
        }
    }
    set_value(c, p, best);
    add_to_row(c, p);
    return true;
}

/* Choose values for the parameters from number `first` to `end`, in random order. If the predicates rule out the
   result, replace one value after another by the simplest one that its dimension allows, until the row is legal. */
static bool choose_all(covering_row *c, unsigned first, unsigned end, unsigned digits)
{
    unsigned order[COVERING_MAX_PARAMETERS], n = 0;
    for (unsigned p = first; p < end; ++p)
        if (covering_varies(&c->parameters[p]))
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
        const int32_t before = c->chosen[p];
        uint32_t v = 0;
        if (c->seeded[p] || before == 0)
            continue;
        forget_value(c, p);
        find_allowed(c, p);
        while (!c->allowed[v])
            ++v;
        set_value(c, p, v);
        legal = v != (uint32_t)before && is_legal(c, digits);
    }
    return legal;
}

/* Draw the numbers that choose_all draws. */
static void skip_choices(covering_row *c, unsigned first, unsigned end)
{
    unsigned n = 0, drawn = 0;
    for (unsigned p = first; p < end; ++p) {
        n += covering_varies(&c->parameters[p]);
        drawn += covering_varies(&c->parameters[p]) && c->chosen[p] < 0;
    }
    for (drawn += n > 0 ? n - 1 : 0; drawn > 0; --drawn)
        draw(c, 1);
}

/* Complete the seeded row: the scalars first, because they rule out most of the impossible rows. What must fail is not
   tried, but draws the same random numbers, so that the rows after it are the same. */
bool covering_row_complete(covering_row *c)
{
    const unsigned scalars = c->b->scalar_count;
    if (c->contradiction <= scalars) {
        skip_choices(c, 0, scalars);
        return false;
    }
    if (!choose_all(c, 0, scalars, scalars))
        return false;
    if (c->contradiction == COVERING_NONE)
        return choose_all(c, scalars, c->count, c->b->digit_count);
    skip_choices(c, scalars, c->count);
    return false;
}

/* Begin a row that has these values. False if they contradict each other. */
bool covering_row_seed(covering_row *c, const size_t *members, unsigned count)
{
    memset(c->seeded, 0, sizeof c->seeded);
    covering_row_clear(c);
    for (unsigned p = 0; p < c->count; ++p)
        c->chosen[p] = covering_varies(&c->parameters[p]) ? -1 : 0;
    for (unsigned d = 0; d < c->b->digit_count; ++d)
        forget_digit(&c->choices[d]);
    for (unsigned i = 0; i < count; ++i) {
        unsigned n = 0;
        while (n + 1 < c->varying_count && c->parameters[c->varying[n + 1]].base <= members[i])
            ++n;
        unsigned p = c->varying[n];
        size_t v = members[i] - c->parameters[p].base;
        find_allowed(c, p);
        if (!c->allowed[v])
            return false;
        set_value(c, p, (uint32_t)v);
        c->seeded[p] = true;
        add_to_row(c, p);
    }
    return true;
}

/* Find a predicate that is false whatever the other values are: into c->contradiction. Only the seeds are chosen. */
void covering_row_contradiction(covering_row *c)
{
    uint8_t known[SPACE_MAX_AXES][EXPR_MAX_LENGTH] = { { 0 } };
    for (unsigned p = 0; p < c->count; ++p) {
        const covering_parameter *q = &c->parameters[p];
        const space_digit *digit = &c->b->digits[q->digit];
        known[q->axis][q->column < 0 ? 0 : digit->element] = covering_varies(q) && !c->seeded[p];
        if (!c->seeded[p])
            continue;
        const covering_choice *at = &c->choices[q->digit];
        set_digit(c, q->digit,
                  at->tuples ? (uint32_t)covering_tuples_next(at->tuples, at->fitting, 0) : (uint32_t)c->chosen[p]);
    }
    c->contradiction = COVERING_NONE;
    for (unsigned i = 0; i < c->b->check_count && c->contradiction == COVERING_NONE; ++i) {
        const space_check *check = &c->b->checks[i];
        unsigned opens;
        if (expr_decide(check->predicate, check->element, c->cursor.values, (const uint8_t(*)[EXPR_MAX_LENGTH])known, 0,
                        &opens) == EXPR_FALSE)
            c->contradiction = check->level;
    }
}

/* The next value of digit d for covering_row_find: its values from `start` on and from the first one again, `*tried` of
   which are done; only those that fit the seeds. -1 after the last. */
static int64_t next_value(const covering_row *c, unsigned d, uint32_t start, uint32_t *tried)
{
    const covering_choice *at = &c->choices[d];
    const uint32_t radix = c->b->digits[d].radix, value = (start + *tried) % radix;
    int64_t found = value;
    if (*tried >= radix)
        return -1;
    if (at->tuples && at->narrowed) {
        found = covering_tuples_next(at->tuples, at->fitting, value);
        if (found < 0 && value >= start)
            found = covering_tuples_next(at->tuples, at->fitting, 0);
    } else if (!at->tuples && c->seeded[d]) {
        found = c->chosen[d];
    }
    const uint32_t skipped = found < 0 ? radix : ((uint32_t)found + radix - value) % radix;
    if (*tried + skipped >= radix) { /* it comes before the start, and so again */
        *tried = radix;
        return -1;
    }
    *tried += skipped + 1;
    return found;
}

/* Search the block for any legal point with the seeds, and with no other values chosen yet: an odometer whose digits
   start at random values. If the greedy choice fails, this finds a point, or finds that there is none (or none within
   STEPS). */
bool covering_row_find(covering_row *c)
{
    uint32_t start[SPACE_MAX_DIGITS], tried[SPACE_MAX_DIGITS];
    unsigned d = 0, steps = 0;
    for (unsigned i = 0; i < c->b->digit_count; ++i)
        start[i] = c->b->digits[i].radix > 1 ? draw(c, c->b->digits[i].radix) : 0;
    tried[0] = 0;
    covering_row_contradiction(c);
    if (c->contradiction != COVERING_NONE || !levels_hold(c, 0))
        return false;
    while (d < c->b->digit_count) {
        const int64_t value = next_value(c, d, start[d], &tried[d]);
        if (value < 0) {
            if (d-- == 0)
                return false;
            continue;
        }
        if (++steps == STEPS)
            return false;
        c->choices[d].changed = true; /* the cursor no longer has what was chosen */
        set_digit(c, d, (uint32_t)value);
        if (!levels_hold(c, d + 1))
            continue;
        if (++d < c->b->digit_count)
            tried[d] = 0;
    }
    for (unsigned p = 0; p < c->count; ++p) {
        const covering_parameter *q = &c->parameters[p];
        const covering_tuples *t = c->choices[q->digit].tuples;
        const uint32_t value = c->cursor.at.digit[q->digit];
        c->chosen[p] = (int32_t)(t ? t->columns[(size_t)value * t->width + (unsigned)q->column] : value);
    }
    memcpy(c->made, c->cursor.at.digit, sizeof c->made);
    covering_row_collect(c);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Inner axes: scalar axes with few values that vary faster than the vectors. Most of the work on a point is in its
   vectors, which do not depend on, say, the data type: so the walk enumerates them once, not once per data type.

   The combinations of the inner axes are sets of bits, one set per level: those that no predicate decided so far rules
   out. A predicate that reads an inner axis is evaluated for each combination when the scalars are set. If that does
   not decide it, it is evaluated again at the level where everything else that it reads is known. If it fails there,
   the combination becomes doubtful: an error only at a point that all other predicates allow. */
#include "harness/space/space_internal.h"

#include <stdlib.h>

/* ---- closing ---- */

/* The most predicates that are evaluated per element; others, such as conjuncts of a query, are evaluated as a
   whole. */
#define MAX_BY_ELEMENT ((SPACE_MAX_INNER_WAITS - 2 * SPACE_MAX_PREDICATES) / EXPR_MAX_LENGTH)

static bool is_too_much(const space *s, uint64_t slots)
{
    int by_element = 0;
    for (int i = 0; i < s->predicate_count; ++i)
        by_element += (expr_uses(s->predicates[i]) & slots) && expr_elementwise(s->predicates[i]);
    return by_element > MAX_BY_ELEMENT;
}

void space_allow_inner(space *s)
{
    s->allow_inner = true;
}

void space_inner_choose(space *s)
{
    size_t combinations = 1;
    if (!s->allow_inner || s->group_count == 0)
        return;
    for (size_t i = 0; i < s->axis_count; ++i) {
        const size_t count = s->axes[i].count;
        const uint64_t slots = s->inner_slots | UINT64_C(1) << i;
        if (s->group_of[i] >= 0 || s->is_length[i] || count < 2 || combinations * count > SPACE_MAX_INNER ||
            is_too_much(s, slots))
            continue;
        combinations *= count;
        s->inner_slots = slots;
    }
}

bool space_inner_list(const space *s, space_block *b, error *e)
{
    const unsigned width = b->digit_count - b->inner_first;
    b->inner_count = 1;
    for (unsigned d = b->inner_first; d < b->digit_count; ++d)
        b->inner_count *= b->digits[d].radix;
    if (width == 0)
        return true;
    b->inner_values = malloc((size_t)b->inner_count * width * sizeof *b->inner_values);
    if (!b->inner_values)
        return error_set(e, "out of memory");
    for (unsigned f = 0; f < b->inner_count; ++f)
        for (unsigned k = 0; k < width; ++k) {
            const space_digit *d = &b->digits[b->inner_first + k];
            b->inner_values[f * width + k] = s->axes[d->axis].values[f / d->weight % d->radix];
        }
    return true;
}

/* ---- walking ---- */

/* Set the values of the inner axes to a combination. */
static void take(space_cursor *c, const space_block *b, unsigned f)
{
    const unsigned width = b->digit_count - b->inner_first;
    for (unsigned k = 0; k < width; ++k)
        c->values[b->digits[b->inner_first + k].axis].v[0] = b->inner_values[f * width + k];
}

/* The first level at which all these slots are known, except inner axes. */
static unsigned level_of(const space *s, const space_block *b, uint64_t uses)
{
    unsigned level = b->scalar_count;
    for (unsigned d = b->scalar_count; d < b->inner_first; ++d)
        if (uses & s->groups[b->digits[d].group].slots)
            level = d + 1;
    return level;
}

/* Evaluate predicate i for every combination in `allowed`, and record those for which it is undecided. */
static uint64_t ask_early(space_cursor *c, const space_block *b, unsigned i, uint64_t allowed)
{
    const expr *x = space_predicate(c, b, i);
    const int element = i < b->check_count ? b->checks[i].element : -1;
    uint64_t open = 0;
    for (uint64_t left = allowed; left; left &= left - 1) {
        unsigned f = (unsigned)__builtin_ctzll(left), opens;
        take(c, b, f);
        switch (expr_decide(x, element, c->values, space_known(b), b->scalar_count, &opens)) {
        case EXPR_FALSE: allowed &= ~(UINT64_C(1) << f); break;
        case EXPR_TRUE: break;
        case EXPR_OPEN:
        case EXPR_FAILED: open |= UINT64_C(1) << f; break;
        }
    }
    if (open)
        c->combinations.waits[c->combinations.wait_count++] = (space_inner_wait){
            .predicate = (uint16_t)i,
            .level = (uint16_t)(element >= 0 ? b->checks[i].level : level_of(c->space, b, expr_uses(x))),
            .element = (int16_t)element,
            .open = open,
        };
    return allowed;
}

static bool holds(const space_cursor *c, const space_block *b, const space_inner_wait *w, bool *failed)
{
    const expr *x = space_predicate(c, b, w->predicate);
    return w->element < 0 ? expr_eval(x, c->values, failed) != 0
                          : expr_eval_at(x, c->values, (uint32_t)w->element, failed) != 0;
}

/* Evaluate the predicates that are decided at this level. */
static bool decide(space_cursor *c, const space_block *b, unsigned level, uint64_t allowed, uint64_t doubtful)
{
    for (unsigned w = 0; w < c->combinations.wait_count; ++w) {
        const space_inner_wait *wait = &c->combinations.waits[w];
        if (wait->level != level)
            continue;
        for (uint64_t left = wait->open & allowed; left; left &= left - 1) {
            const unsigned f = (unsigned)__builtin_ctzll(left);
            bool failed = false;
            take(c, b, f);
            bool legal = holds(c, b, wait, &failed);
            if (failed)
                doubtful |= UINT64_C(1) << f;
            else if (!legal)
                allowed &= ~(UINT64_C(1) << f);
        }
    }
    c->combinations.allowed[level] = allowed;
    c->combinations.doubtful[level] = doubtful & allowed;
    return allowed != 0;
}

bool space_inner_begin(space_cursor *c)
{
    const space_block *b = &c->space->blocks[c->at.block];
    const unsigned count = b->check_count + space_conjunct_count(c);
    uint64_t allowed = UINT64_MAX >> (SPACE_MAX_INNER - b->inner_count);
    if (c->range.single)
        allowed &= UINT64_C(1) << c->combinations.from;
    c->combinations.wait_count = 0;
    for (unsigned i = 0; i < count && b->inner_count > 1; ++i)
        if (space_reads_inner(c->space, expr_uses(space_predicate(c, b, i))))
            allowed = ask_early(c, b, i, allowed);
    for (uint64_t left = c->range.gate ? allowed : 0; left; left &= left - 1) {
        const unsigned f = (unsigned)__builtin_ctzll(left);
        take(c, b, f);
        if (!c->range.gate(c->range.context, c->values, f))
            allowed &= ~(UINT64_C(1) << f);
    }
    return decide(c, b, b->scalar_count, allowed, 0);
}

bool space_inner_level(space_cursor *c, unsigned level)
{
    if (c->combinations.wait_count > 0)
        return decide(c, &c->space->blocks[c->at.block], level, c->combinations.allowed[level - 1],
                      c->combinations.doubtful[level - 1]);
    c->combinations.allowed[level] = c->combinations.allowed[level - 1];
    c->combinations.doubtful[level] = c->combinations.doubtful[level - 1];
    return true;
}

uint64_t space_inner_changed(const space_cursor *c, const space_block *b, unsigned before)
{
    const unsigned width = b->digit_count - b->inner_first;
    uint64_t changed = 0;
    for (unsigned k = 0; k < width; ++k)
        if (b->inner_values[before * width + k] != b->inner_values[c->inner * width + k])
            changed |= UINT64_C(1) << b->digits[b->inner_first + k].axis;
    return changed;
}

/* The predicate that failed for combination f, whose values are set. */
static const expr *failing(const space_cursor *c, const space_block *b, unsigned f)
{
    for (unsigned w = 0; w < c->combinations.wait_count; ++w) {
        bool failed = false;
        if (c->combinations.waits[w].open >> f & 1)
            holds(c, b, &c->combinations.waits[w], &failed);
        if (failed)
            return space_predicate(c, b, c->combinations.waits[w].predicate);
    }
    return NULL;
}

bool space_inner_find(space_cursor *c, unsigned from)
{
    const space_block *b = &c->space->blocks[c->at.block];
    uint64_t left = from < SPACE_MAX_INNER ? c->combinations.allowed[b->inner_first] >> from << from : 0;
    for (; left; left &= left - 1) {
        c->inner = (unsigned)__builtin_ctzll(left);
        take(c, b, c->inner);
        if (c->combinations.doubtful[b->inner_first] >> c->inner & 1) {
            c->failed = failing(c, b, c->inner);
            return false;
        }
        if (space_filters_hold(c))
            return true;
        if (c->failed)
            return false;
    }
    return false;
}

bool space_inner_settled(const space_cursor *c, unsigned level)
{
    for (unsigned w = 0; w < c->combinations.wait_count; ++w)
        if (c->combinations.waits[w].level > level && (c->combinations.waits[w].open & c->combinations.allowed[level]))
            return false;
    return c->combinations.doubtful[level] == 0;
}

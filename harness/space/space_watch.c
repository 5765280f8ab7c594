/* SPDX-License-Identifier: Apache-2.0 */
/* Decide predicates as early as possible. At the latest, a predicate is decided at the level where everything that it
   reads is known (space_level_holds). A walk evaluates every predicate as soon as the lengths are known. If it cannot
   be decided, expr_decide names the level of a value that it needs, and it is evaluated again there, and so on. So a
   predicate that scalars decide (`dtype == 'f32' or product(size) <= 6`) costs nothing for the rest of their class, and
   one that reads some element (`index[2] == 0`) rules out a subtree at once.

   The decisions of a level hold until a digit before it changes. The undecided predicates are a stack: returning to a
   level pops the entries that were pushed since. */
#include "harness/space/space_internal.h"

#include <string.h>

#define NONE UINT16_MAX

/* Half of the stack is for early evaluation. The other half suffices to evaluate each predicate once more at its last
   level. */
#define EARLY_ROOM (SPACE_MAX_WAITS / 2)

/* The conjuncts of a query of one alternative are decided like predicates; of several (space_walk.c), at the end. */
unsigned space_conjunct_count(const space_cursor *c)
{
    const space *s = c->space;
    return s->filter_count == 1 && !c->whole ? (unsigned)s->filters[0]->count : 0;
}

const expr *space_predicate(const space_cursor *c, const space_block *b, unsigned i)
{
    return i < b->check_count ? b->checks[i].predicate : c->space->filters[0]->conjuncts[i - b->check_count];
}

/* Decide predicate i with what is known at this level. EXPR_OPEN: *opens is the level to try again. EXPR_FAILED
   only if everything that it reads is known. */
static expr_truth ask(const space_cursor *c, const space_block *b, unsigned i, unsigned level, unsigned *opens)
{
    const bool own = i < b->check_count;
    const unsigned last = own ? b->checks[i].level : b->inner_first;
    const int element = own ? b->checks[i].element : -1;
    expr_truth truth = expr_decide(space_predicate(c, b, i), element, c->values, space_known(b), level, opens);
    if ((truth == EXPR_FAILED && level < last) || (truth == EXPR_OPEN && c->pending.count >= EARLY_ROOM)) {
        *opens = last; /* others may rule the point out before */
        return EXPR_OPEN;
    }
    return truth;
}

static void wait_for(space_cursor *c, unsigned i, unsigned level)
{
    c->pending.waits[c->pending.count] =
        (space_wait){ .predicate = (uint16_t)i, .level = (uint16_t)level, .next = c->pending.first[level] };
    c->pending.first[level] = c->pending.count++;
}

/* Evaluate predicate i. False if it rules out the current points. *failed becomes the first predicate that fails:
   a failure counts only if the others of its level hold. */
static bool consider(space_cursor *c, const space_block *b, unsigned i, unsigned level, uint16_t *undecided,
                     const expr **failed)
{
    unsigned opens = 0;
    switch (ask(c, b, i, level, &opens)) {
    case EXPR_OPEN: wait_for(c, i, opens); return true;
    case EXPR_TRUE: --*undecided; return true;
    case EXPR_FALSE: return false;
    case EXPR_FAILED: break;
    }
    *failed = *failed ? *failed : space_predicate(c, b, i);
    return true;
}

/* A point that is ruled out has no failure. */
static bool rule_out(space_cursor *c)
{
    c->failed = NULL;
    return false;
}

bool space_watch_begin(space_cursor *c)
{
    const space_block *b = &c->space->blocks[c->at.block];
    const unsigned count = b->check_count + space_conjunct_count(c);
    uint16_t undecided = 0;
    c->pending.count = 0;
    for (unsigned level = 0; level <= b->inner_first; ++level)
        c->pending.first[level] = NONE;
    for (unsigned i = 0; i < count; ++i) {
        if (space_reads_inner(c->space, expr_uses(space_predicate(c, b, i)))) /* space_inner.c evaluates it */
            continue;
        ++undecided;
        if (!consider(c, b, i, 0, &undecided, &c->failed))
            return rule_out(c);
    }
    c->pending.count_before[1] = c->pending.count;
    c->pending.undecided[0] = undecided;
    return !c->failed;
}

bool space_watch_level(space_cursor *c, unsigned level)
{
    const space_block *b = &c->space->blocks[c->at.block];
    while (c->pending.count > c->pending.count_before[level]) {
        const space_wait *last = &c->pending.waits[--c->pending.count];
        c->pending.first[last->level] = last->next;
    }
    uint16_t undecided = c->pending.undecided[level - 1];
    for (uint16_t w = c->pending.first[level]; w != NONE; w = c->pending.waits[w].next)
        if (!consider(c, b, c->pending.waits[w].predicate, level, &undecided, &c->failed))
            return rule_out(c);
    c->pending.count_before[level + 1] = c->pending.count;
    c->pending.undecided[level] = undecided;
    return !c->failed;
}

bool space_watch_settled(const space_cursor *c, unsigned level)
{
    return c->pending.undecided[level] == 0 && !space_has_alternatives(c->space);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins conditions to rules. A beam search finds the conjunction that holds as many failing cases and as few others as
 * possible; where one is not enough, further ones are added for the failing cases that are left.
 */
#include "harness/analysis/causes_internal.h"

#include <stdlib.h>
#include <string.h>

enum { BEAM = 32 };
#define COST           0.004 /* of a condition that is not needed, as a share of the failing cases, */
#define COST_CASES     1.5   /* and at least so many of those that were drawn */
#define CONDITION_BITS 11.5  /* that name one of the conditions that are tried */
#define LEAST_GAIN     0.01  /* of a further alternative */
#define PRECISE        20.0  /* how much worse another case is than a failing one that is missed */
#define APART          0.1   /* of alternatives without a name in common */
#define LEAST_USEFUL   0.25
#define NEARLY_ALL     0.985 /* of the failing cases */

/* A conjunction in the search. */
typedef struct candidate {
    cause_term term;
    uint64_t *holds;
    double inside, others, quality, cost;
} candidate;

typedef struct search {
    const cause_table *t;
    const cause_atoms *a;
    const uint64_t *wanted; /* the cases inside that no earlier alternative holds */
    double strictness, cost;
    double first_cost; /* of a condition of what find_one found */
    double least;      /* failing cases that a conjunction must hold */
    candidate beam[BEAM], next[BEAM];
    size_t beam_count, next_count;
    uint64_t *scratch;
} search;

/* Weigh the intersection of two sets. Stops early, with a quality of 0, where it cannot reach `least`. */
static void weigh_both(const search *s, const uint64_t *x, const uint64_t *y, double least, candidate *c)
{
    const cause_table *t = s->t;
    double inside = 0, others = 0;
    for (size_t w = 0; w < t->inside_words; ++w) {
        const uint64_t bits = x[w] & y[w] & s->wanted[w];
        inside += bits ? __builtin_popcountll(bits) * t->weight[w] : 0;
    }
    c->inside = inside;
    c->quality = 0;
    if (inside < least || inside < s->least || inside <= 0)
        return;
    const double most = s->strictness * least > 0 ? (inside / (least > 0 ? least : 1) - 1) / s->strictness : 1e300;
    for (size_t w = t->inside_words; w < t->words; ++w) {
        const uint64_t bits = x[w] & y[w];
        others += bits ? __builtin_popcountll(bits) * t->weight[w] : 0;
        if (least > 0 && others > most)
            return;
    }
    c->others = others;
    c->quality = inside / (1 + s->strictness * others);
}

static bool same(const candidate *x, const candidate *y)
{
    const double a = x->inside - y->inside, b = x->others - y->others;
    return a < 1e-12 && a > -1e-12 && b < 1e-12 && b > -1e-12;
}

/* Put a candidate among the next ones, if it is good enough. */
static void keep(search *s, const candidate *c)
{
    size_t at = s->next_count;
    for (size_t i = 0; i < s->next_count; ++i)
        if (same(&s->next[i], c)) {
            if (c->cost >= s->next[i].cost)
                return;
            at = i; /* the same cases, easier to read */
            break;
        }
    if (at == s->next_count && s->next_count == BEAM) {
        at = 0;
        for (size_t i = 1; i < BEAM; ++i)
            at = s->next[i].quality < s->next[at].quality ? i : at;
        if (s->next[at].quality >= c->quality)
            return;
    } else if (at == s->next_count) {
        s->next_count++;
    }
    uint64_t *holds = s->next[at].holds;
    s->next[at] = *c;
    s->next[at].holds = holds;
}

static double worst(const search *s)
{
    double least = s->next_count < BEAM ? 0 : 2;
    for (size_t i = 0; i < s->next_count && s->next_count == BEAM; ++i)
        least = s->next[i].quality < least ? s->next[i].quality : least;
    return least;
}

static bool may_add(const search *s, const cause_term *term, size_t atom)
{
    for (size_t i = 0; i < term->count; ++i)
        if (term->atoms[i] == atom ||
            (s->a->list[atom].kind == CAUSE_ATOM_TEST && s->a->list[term->atoms[i]].kind == CAUSE_ATOM_TEST))
            return false;
    return true;
}

/* Extend a conjunction by every condition. */
static void extend(search *s, const candidate *from)
{
    double least = worst(s);
    for (size_t i = 0; i < s->a->count; ++i) {
        candidate c = *from;
        if (!may_add(s, &from->term, i))
            continue;
        weigh_both(s, from->holds, s->a->list[i].holds, least, &c);
        if (c.quality <= 0 || (from->term.count > 0 && c.quality <= from->quality))
            continue;
        c.term.atoms[c.term.count++] = (uint16_t)i;
        c.cost += s->a->list[i].cost;
        keep(s, &c);
        least = worst(s);
    }
}

static void intersect(const search *s, candidate *c)
{
    memcpy(c->holds, s->t->valid, s->t->words * sizeof *c->holds);
    for (size_t i = 0; i < c->term.count; ++i)
        for (size_t w = 0; w < s->t->words; ++w)
            c->holds[w] &= s->a->list[c->term.atoms[i]].holds[w];
}

static double worth(const search *s, const candidate *c)
{
    return c->quality - s->cost * c->cost;
}

/* Drop the conditions that others have made needless. */
static void prune(search *s, candidate *c)
{
    for (size_t i = 0; i < c->term.count;) {
        candidate without = *c;
        without.term.count--;
        memmove(without.term.atoms + i, c->term.atoms + i + 1, (without.term.count - i) * sizeof *without.term.atoms);
        without.cost -= s->a->list[c->term.atoms[i]].cost;
        intersect(s, &without);
        weigh_both(s, without.holds, without.holds, 0, &without);
        const bool needless = worth(s, &without) > worth(s, c);
        i = needless ? 0 : i + 1;
        *c = needless ? without : *c;
    }
    intersect(s, c);
}

/* The bits of a number. */
static double bits_of(double n)
{
    double bits = 0;
    for (; n >= 2; n /= 2)
        ++bits;
    return bits + n - 1;
}

/* What a condition costs, as a share of the failing cases. */
static double cost_by_cases(size_t drawn)
{
    const double cost = COST_CASES / (double)(drawn + 1);
    return cost > COST ? cost : COST;
}

/* The same of a conjunction that holds nearly all failing cases. Chance does not find one that tells few failing cases
   from very many others: it costs no more than the bits that name each condition among all of them, as a share of the
   bits that name the failing cases among all cases. */
static double cost_by_bits(const cause_table *t, size_t drawn)
{
    const double each = bits_of(1 + t->odds) + 1.44, cost = CONDITION_BITS / (each * (double)(drawn + 1));
    const double by_cases = cost_by_cases(drawn), least = cost < by_cases ? cost : by_cases;
    return least > COST ? least : COST;
}

/* The best conjunction; its term is empty where nothing holds. */
static void find_term(search *s, candidate *best)
{
    candidate start = { .holds = s->scratch };
    intersect(s, &start);
    weigh_both(s, start.holds, start.holds, 0, &start);
    uint64_t *own = best->holds;
    *best = start;
    s->next_count = 0;
    extend(s, &start);
    for (size_t level = 1; level <= CAUSES_CONDITIONS && s->next_count > 0; ++level) {
        memcpy(s->beam, s->next, sizeof s->beam);
        s->beam_count = s->next_count;
        for (size_t i = 0; i < s->beam_count; ++i) {
            uint64_t *holds = s->next[i].holds; /* each entry has a buffer of its own */
            s->beam[i].holds = holds;
            intersect(s, &s->beam[i]);
            if (worth(s, &s->beam[i]) > worth(s, best))
                *best = s->beam[i];
        }
        if (level == CAUSES_CONDITIONS)
            break;
        s->next_count = 0;
        for (size_t i = 0; i < s->beam_count; ++i)
            extend(s, &s->beam[i]);
    }
    best->holds = own;
    prune(s, best);
}

/* The best conjunction for all cases. Where few cases fail, those conditions fill the beam that hold fewest cases, and
   few of the failing ones; so conditions that nearly all failing cases fulfil are tried alone first. */
static void find_one(search *s, candidate *best, candidate *complete)
{
    size_t drawn = 0;
    for (size_t w = 0; w < s->t->inside_words; ++w)
        drawn += (size_t)__builtin_popcountll(s->t->valid[w]);
    const double by_bits = cost_by_bits(s->t, drawn);
    s->least = NEARLY_ALL * causes_weigh(s->t, s->t->valid).inside;
    s->cost = by_bits;
    find_term(s, complete);
    const double worth_complete = worth(s, complete);
    s->least = 0;
    s->cost = s->first_cost = cost_by_cases(drawn);
    find_term(s, best);
    if (complete->term.count > 0 && worth_complete >= worth(s, best)) {
        s->first_cost = by_bits;
        uint64_t *holds = best->holds;
        memcpy(holds, complete->holds, s->t->words * sizeof *holds);
        *best = *complete;
        best->holds = holds;
    }
}

/* Alternatives, one after the other, until little is left. */
static void find_terms(search *s, uint64_t *wanted, uint64_t *held, cause_rule *rule, candidate *best)
{
    const cause_table *t = s->t;
    memset(held, 0, t->words * sizeof *held);
    memcpy(wanted, t->valid, t->words * sizeof *wanted);
    *rule = (cause_rule){ .count = 0 };
    while (rule->count < CAUSES_TERMS) {
        find_term(s, best);
        if (best->term.count == 0 || best->inside < LEAST_GAIN)
            break;
        rule->terms[rule->count++] = best->term;
        for (size_t w = 0; w < t->words; ++w) {
            held[w] |= best->holds[w];
            wanted[w] &= ~best->holds[w];
        }
        const cause_weights sum = causes_weigh(t, held);
        rule->inside = sum.inside;
        rule->others = sum.others;
        if (sum.inside > 1 - LEAST_GAIN)
            break;
    }
}

/* `each`: the cost of a condition. */
static double rule_worth(const cause_rule *rule, const cause_atoms *a, double each)
{
    double cost = 0;
    for (size_t i = 0; i < rule->count; ++i)
        for (size_t k = 0; k < rule->terms[i].count; ++k)
            cost += a->list[rule->terms[i].atoms[k]].cost;
    return rule->inside / (1 + rule->others) - each * cost - 0.01 * (double)rule->count;
}

/* Alternatives that have a name in common are one cause, others are causes of their own. */
static void split(const cause_table *t, const cause_atoms *a, const cause_rule *all, cause_rule *rules, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < all->count; ++i) {
        size_t at = 0;
        while (at < *count && !causes_share_a_name(t, a, &rules[at].terms[0], &all->terms[i]))
            ++at;
        if (at == CAUSES_OF_KIND)
            continue;
        if (at == *count)
            rules[(*count)++] = (cause_rule){ .count = 0 };
        rules[at].terms[rules[at].count++] = all->terms[i];
    }
}

bool causes_learn(const cause_table *t, const cause_atoms *a, cause_rule *rules, size_t *count, error *e)
{
    const size_t bytes = (t->words + 1) * sizeof(uint64_t);
    search *s = calloc(1, sizeof *s);
    uint64_t *sets = calloc(BEAM + 5, bytes);
    *count = 0;
    if (!s || !sets) {
        free(s);
        free(sets);
        return error_set(e, "out of memory");
    }
    uint64_t *wanted = sets, *held = sets + (t->words + 1);
    candidate best = { .holds = sets + 2 * (t->words + 1) };
    s->t = t;
    s->a = a;
    s->wanted = wanted;
    s->scratch = sets + 3 * (t->words + 1);
    for (size_t i = 0; i < BEAM; ++i)
        s->next[i].holds = sets + (i + 4) * (t->words + 1);
    candidate complete = { .holds = sets + (BEAM + 4) * (t->words + 1) };
    cause_rule rough, precise;
    s->strictness = 1;
    memcpy(wanted, t->valid, t->words * sizeof *wanted);
    find_one(s, &best, &complete);
    rough = (cause_rule){ .terms = { best.term }, .inside = best.inside, .others = best.others };
    rough.count = best.term.count > 0 || best.others < LEAST_GAIN; /* no condition is needed where all cases fail */
    precise = rough;
    if (rule_worth(&rough, a, s->first_cost) < 0.97) {
        s->strictness = PRECISE;
        find_terms(s, wanted, held, &precise, &best);
    }
    /* Alternatives that have nothing in common are worth their place only if they say much more. */
    cause_rule apart[CAUSES_TERMS];
    size_t parts = 0;
    split(t, a, &precise, apart, &parts);
    const double gain = rule_worth(&precise, a, s->cost) - rule_worth(&rough, a, s->first_cost);
    const cause_rule *chosen = gain > (parts > 1 ? APART : 0) ? &precise : &rough;
    if (chosen->count == 0 || chosen->inside / (1 + chosen->others) < LEAST_USEFUL)
        *count = 0;
    else
        split(t, a, chosen, rules, count);
    free(s);
    free(sets);
    return true;
}

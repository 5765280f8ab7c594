/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/waivers_match.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 16,         /* up to so many open waivers are evaluated one by one */
    CONJUNCTS = 128,  /* of a predicate with more, no condition is looked up */
    REMEMBERED = 1024 /* values of an axis whose sets are kept; a power of two */
};

/* A waiver that applies to the test. */
typedef struct compiled {
    size_t waiver;
    uint64_t index;  /* of the case, if the waiver names one */
    expr *predicate; /* NULL: all */
    bool decided;    /* the sets of the axes say all that the predicate says */
} compiled;

/* A condition on one axis: bit `open` of a set. */
typedef struct condition {
    size_t open;
    expr *expression;
} condition;

/* The set of a value of an axis. */
typedef struct remembered {
    expr_value value;
    uint64_t *set; /* NULL: none yet */
} remembered;

typedef struct axis {
    condition *list;
    size_t count, capacity;
    remembered *values; /* REMEMBERED of them, by hash; NULL: no waiver has a condition on this axis */
} axis;

struct waivers_at {
    const waivers *file;
    const space *space;
    compiled *exact; /* waivers of one case: by its number, then in the order of the file */
    size_t exact_count;
    compiled *open; /* the others, in the order of the file */
    size_t open_count, words;
    axis axes[EXPR_MAX_SLOTS];
    size_t axis_count;
    uint64_t *candidates; /* `words` words */
    bool complete;        /* no set is missing from the intersection: there was memory for each */
    size_t *matches;
};

static bool out_of_memory(error *e)
{
    return error_set(e, "out of memory");
}

/* ---- compiling ---- */

static int by_index(const void *a, const void *b)
{
    const compiled *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->waiver < y->waiver ? -1 : x->waiver > y->waiver;
}

/* What numbers a case: its index, or in a drawn test, where the same case may have several, a hash of its values. */
static uint64_t number_of(const space *s, uint64_t index, const expr_value *values)
{
    return space_is_drawn(s) ? space_point_hash(s, values) : index;
}

/* The number of the case that an exact waiver names. False if the test has none. */
static bool find_number(const space *s, const char *parameters, uint64_t *number, error *e)
{
    expr_value values[EXPR_MAX_SLOTS];
    if (!space_is_drawn(s))
        return space_parse_id(s, parameters, number, e);
    if (!space_parse_values(s, parameters, values, e))
        return false;
    *number = space_point_hash(s, values);
    return true;
}

/* Add a waiver of the file, if it applies to the test. */
static void add_waiver(waivers_at *a, size_t number, const case_test *t)
{
    const query *q = &a->file->list[number].query;
    compiled c = { .waiver = number };
    error unfit;
    if (a->file->list[number].repeats || !query_names(q, t->file->op) || !query_match(q->test, t->name) ||
        (q->exact && !find_number(t->space, q->parameters, &c.index, &unfit)))
        return;
    if (*q->predicate) {
        expr_scope scope = *space_scope(t->space);
        scope.relaxed = true;
        if (!(c.predicate = expr_compile(q->predicate, &scope, "waiver", &unfit)))
            return;
    }
    if (q->exact)
        a->exact[a->exact_count++] = c;
    else
        a->open[a->open_count++] = c;
}

/* The only axis that an expression uses, or -1. */
static int only_axis(const expr *x)
{
    const uint64_t uses = expr_uses(x);
    if (uses == 0 || (uses & (uses - 1)))
        return -1;
    int slot = 0;
    while (!(uses >> slot & 1))
        ++slot;
    return slot;
}

static bool add_condition(axis *x, size_t open, expr *expression)
{
    if (x->count == x->capacity) {
        const size_t capacity = x->capacity ? 2 * x->capacity : 64;
        condition *list = realloc(x->list, capacity * sizeof *list);
        if (!list)
            return false;
        x->list = list;
        x->capacity = capacity;
    }
    x->list[x->count++] = (condition){ open, expression };
    return true;
}

/* Divide the predicate of an open waiver into conditions on one axis each, and the rest. */
static bool divide(waivers_at *a, size_t open, const expr_scope *scope, error *e)
{
    expr *parts[CONJUNCTS];
    error unfit;
    compiled *c = &a->open[open];
    bool fine = true;
    c->decided = true;
    if (!c->predicate)
        return true;
    const int count = expr_compile_conditions(expr_text(c->predicate), scope, "waiver", parts, CONJUNCTS, &unfit);
    c->decided = count >= 0;
    for (int i = 0; i < count; ++i) {
        const int slot = only_axis(parts[i]);
        if (slot >= 0 && fine && (fine = add_condition(&a->axes[slot], open, parts[i])))
            continue;
        c->decided = false;
        expr_free(parts[i]);
    }
    return fine || out_of_memory(e);
}

static bool make_sets(waivers_at *a, const case_test *t, error *e)
{
    expr_scope scope = *space_scope(t->space);
    bool fine = true;
    scope.relaxed = true;
    a->axis_count = scope.count;
    a->words = (a->open_count + 63) / 64;
    a->candidates = malloc(a->words * sizeof *a->candidates);
    for (size_t i = 0; fine && a->open_count > FEW && i < a->open_count; ++i)
        fine = divide(a, i, &scope, e);
    for (size_t i = 0; fine && i < a->axis_count; ++i)
        if (a->axes[i].count && !(a->axes[i].values = calloc(REMEMBERED, sizeof *a->axes[i].values)))
            fine = out_of_memory(e);
    return fine && (a->candidates || a->words == 0 || out_of_memory(e));
}

waivers_at *waivers_open(const waivers *w, const case_test *t, error *e)
{
    waivers_at *a = calloc(1, sizeof *a);
    bool fine = a != NULL;
    if (fine) {
        a->file = w;
        a->space = t->space;
        a->exact = calloc(w->count + 1, sizeof *a->exact);
        a->open = calloc(w->count + 1, sizeof *a->open);
        a->matches = calloc(w->count + 1, sizeof *a->matches);
        fine = a->exact && a->open && a->matches;
    }
    if (!fine)
        out_of_memory(e);
    for (size_t i = 0; fine && i < w->count; ++i)
        add_waiver(a, i, t);
    if (fine) {
        qsort(a->exact, a->exact_count, sizeof *a->exact, by_index);
        fine = make_sets(a, t, e);
    }
    if (fine)
        return a;
    waivers_close(a);
    return NULL;
}

void waivers_close(waivers_at *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->exact_count; ++i)
        expr_free(a->exact[i].predicate);
    for (size_t i = 0; i < a->open_count; ++i)
        expr_free(a->open[i].predicate);
    for (size_t i = 0; i < EXPR_MAX_SLOTS; ++i) {
        axis *x = &a->axes[i];
        for (size_t k = 0; k < x->count; ++k)
            expr_free(x->list[k].expression);
        for (size_t k = 0; x->values && k < REMEMBERED; ++k)
            free(x->values[k].set);
        free(x->list);
        free(x->values);
    }
    free(a->exact);
    free(a->open);
    free(a->candidates);
    free(a->matches);
    free(a);
}

size_t waivers_count(const waivers_at *a)
{
    return a->exact_count + a->open_count;
}

/* ---- matching ---- */

static bool is_true(const expr *x, const expr_value *values)
{
    bool failed = false;
    return expr_eval(x, values, &failed) != 0 && !failed;
}

static bool same_value(const expr_value *a, const expr_value *b)
{
    return a->length == b->length && memcmp(a->v, b->v, a->length * sizeof *a->v) == 0;
}

/* The set of the axis for its value in `values`. NULL if memory is out. */
static const uint64_t *set_of(const waivers_at *a, axis *x, size_t slot, const expr_value *values)
{
    const expr_value *value = &values[slot];
    uint64_t hash = value->length;
    for (uint32_t i = 0; i < value->length; ++i)
        hash = (hash ^ (uint64_t)value->v[i]) * UINT64_C(0x9E3779B97F4A7C15);
    remembered *r = &x->values[hash >> 32 & (REMEMBERED - 1)];
    if (r->set && same_value(&r->value, value))
        return r->set;
    if (!r->set && !(r->set = malloc(a->words * sizeof *r->set)))
        return NULL;
    r->value = *value;
    memset(r->set, 0xFF, a->words * sizeof *r->set);
    for (size_t i = 0; i < x->count; ++i) {
        const size_t open = x->list[i].open;
        if ((r->set[open / 64] >> open % 64 & 1) && !is_true(x->list[i].expression, values))
            r->set[open / 64] &= ~(UINT64_C(1) << open % 64);
    }
    return r->set;
}

/* Fill in the open waivers whose conditions on single axes hold. */
static void find_candidates(waivers_at *a, const expr_value *values)
{
    memset(a->candidates, 0xFF, a->words * sizeof *a->candidates);
    if (a->open_count % 64)
        a->candidates[a->words - 1] = (UINT64_C(1) << a->open_count % 64) - 1;
    a->complete = true;
    for (size_t i = 0; i < a->axis_count; ++i) {
        const uint64_t *set = a->axes[i].values ? set_of(a, &a->axes[i], i, values) : NULL;
        a->complete = a->complete && (set || !a->axes[i].values);
        for (size_t w = 0; set && w < a->words; ++w)
            a->candidates[w] &= set[w];
    }
}

/* The first open waiver from number `from` on that matches the case, or open_count. */
static size_t next_open(const waivers_at *a, size_t from, const expr_value *values)
{
    for (size_t i = from; i < a->open_count; ++i) {
        const uint64_t rest = a->candidates[i / 64] >> i % 64;
        if (rest == 0) {
            i |= 63; /* the next word */
            continue;
        }
        const compiled *c = &a->open[i];
        if ((rest & 1) && ((c->decided && a->complete) || !c->predicate || is_true(c->predicate, values)))
            return i;
    }
    return a->open_count;
}

/* The first waiver of this case, or of a later one. */
static size_t first_exact(const waivers_at *a, uint64_t index)
{
    size_t low = 0, high = a->exact_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (a->exact[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Number `at` of the waivers of one case, or the next one that matches this case. exact_count: there is none. */
static size_t next_exact(const waivers_at *a, size_t at, uint64_t index, const expr_value *values)
{
    for (; at < a->exact_count && a->exact[at].index == index; ++at)
        if (!a->exact[at].predicate || is_true(a->exact[at].predicate, values))
            return at;
    return a->exact_count;
}

const size_t *waivers_match(waivers_at *a, uint64_t index, const expr_value *values, size_t *count)
{
    index = number_of(a->space, index, values);
    *count = 0;
    if (a->open_count)
        find_candidates(a, values);
    size_t exact = next_exact(a, first_exact(a, index), index, values), open = next_open(a, 0, values);
    while (exact < a->exact_count || open < a->open_count) {
        if (open == a->open_count || (exact < a->exact_count && a->exact[exact].waiver < a->open[open].waiver)) {
            a->matches[(*count)++] = a->exact[exact].waiver;
            exact = next_exact(a, exact + 1, index, values);
        } else {
            a->matches[(*count)++] = a->open[open].waiver;
            open = next_open(a, open + 1, values);
        }
    }
    return a->matches;
}

const waiver *waivers_find(waivers_at *a, uint64_t index, const expr_value *values)
{
    const waiver *list = a->file->list, *found = NULL;
    index = number_of(a->space, index, values);
    size_t exact = next_exact(a, first_exact(a, index), index, values);
    while (exact < a->exact_count && list[a->exact[exact].waiver].expired)
        exact = next_exact(a, exact + 1, index, values);
    if (exact < a->exact_count)
        found = &list[a->exact[exact].waiver];
    if (a->open_count)
        find_candidates(a, values);
    for (size_t i = next_open(a, 0, values); i < a->open_count && (!found || &list[a->open[i].waiver] < found);
         i = next_open(a, i + 1, values))
        if (!list[a->open[i].waiver].expired)
            return &list[a->open[i].waiver];
    return found;
}

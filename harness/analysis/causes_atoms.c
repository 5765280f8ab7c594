/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the conditions of which causes are composed: those that tell failing cases from others. */
#include "harness/analysis/causes_internal.h"
#include "harness/base/array.h"
#include "harness/casefile/query.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 3000 }; /* conditions */

cause_weights causes_weigh(const cause_table *t, const uint64_t *set)
{
    cause_weights sum = { 0, 0 };
    for (size_t w = 0; w < t->words; ++w) {
        const uint64_t bits = set[w] & t->valid[w];
        if (bits)
            *(w < t->inside_words ? &sum.inside : &sum.others) += __builtin_popcountll(bits) * t->weight[w];
    }
    return sum;
}

/* ---- evaluating ---------------------------------------------------------------------------------------------------
 */

static bool holds_bound(cause_compare compare, int64_t number, int64_t bound)
{
    return compare == CAUSE_LE ? number <= bound : number >= bound;
}

/* Is this a value of an enumerated name in a test? Of any other name it is. */
static bool is_value(const cause_table *t, size_t test, size_t name, int64_t symbol)
{
    const cause_test *x = &t->sample->tests[test];
    bool found = !x->ids[name];
    for (size_t i = 0; i < x->id_count[name] && !found; ++i)
        found = x->ids[name][i] == symbol;
    return found;
}

/* Has a test all values that a condition names? A query that names another one leaves the test out. */
static bool knows(const cause_table *t, const cause_atom *a, size_t test)
{
    bool known = true;
    if (a->kind == CAUSE_ATOM_SET) {
        for (size_t k = 0; known && k < a->value_count; ++k)
            known = is_value(t, test, t->columns[a->column].name, a->values[k]);
        return known;
    }
    const cause_element *one = &t->elements[a->column];
    const cause_element *two = a->second == UINT16_MAX ? one : &t->elements[a->second];
    return is_value(t, test, one->name, one->value) && is_value(t, test, two->name, two->value);
}

/* The cases of a word whose tests have the names of a condition on elements. */
static uint64_t named(const cause_table *t, const cause_element *x, size_t word)
{
    const uint64_t with = x->with == UINT16_MAX ? UINT64_MAX : t->named[x->with * t->words + word];
    return t->named[x->name * t->words + word] & with;
}

static void evaluate(const cause_table *t, cause_atom *a)
{
    bool known = true;
    const size_t bits = t->words * 64;
    const bool by_element = a->kind == CAUSE_ATOM_ANY || a->kind == CAUSE_ATOM_EACH;
    const cause_element *x = by_element ? &t->elements[a->column] : NULL;
    for (size_t w = 0; w < t->words; ++w) {
        const int64_t *numbers =
            by_element || a->kind == CAUSE_ATOM_TEST ? NULL : t->numbers + a->column * bits + w * 64;
        const int64_t *others = a->kind == CAUSE_ATOM_PAIR ? t->numbers + a->second * bits + w * 64 : NULL;
        const uint16_t *one = by_element ? t->masks + a->column * bits + w * 64 : NULL;
        const uint16_t *two = one && a->second != UINT16_MAX ? t->masks + a->second * bits + w * 64 : one;
        uint64_t set = 0;
        if ((by_element || a->kind == CAUSE_ATOM_SET) && (w == 0 || t->test[w] != t->test[w - 1]))
            known = knows(t, a, t->test[w]);
        switch (a->kind) {
        case CAUSE_ATOM_TEST:
            set = query_match(a->pattern, t->sample->tests[t->test[w]].test->name) ? UINT64_MAX : 0;
            break;
        case CAUSE_ATOM_BOUND:
            for (unsigned b = 0; b < 64; ++b)
                set |= (uint64_t)holds_bound(a->compare, numbers[b], a->bound) << b;
            set &= t->present[a->column * t->words + w];
            break;
        case CAUSE_ATOM_PAIR:
            for (unsigned b = 0; b < 64; ++b)
                set |= (uint64_t)causes_compares(a->compare, numbers[b], others[b]) << b;
            set &= t->present[a->column * t->words + w] & t->present[a->second * t->words + w];
            break;
        case CAUSE_ATOM_SET:
            for (unsigned b = 0; b < 64; ++b) {
                bool listed = false;
                for (size_t k = 0; k < a->value_count; ++k)
                    listed = listed || numbers[b] == a->values[k];
                set |= (uint64_t)(listed != a->denied) << b;
            }
            set &= t->present[a->column * t->words + w];
            break;
        case CAUSE_ATOM_ANY:
        case CAUSE_ATOM_EACH:
            for (unsigned b = 0; b < 64; ++b)
                set |= (uint64_t)((one[b] & two[b]) != 0) << b;
            set = a->kind == CAUSE_ATOM_ANY ? set : ~set;
            set &= named(t, x, w);
            if (a->second != UINT16_MAX)
                set &= named(t, &t->elements[a->second], w);
            break;
        }
        a->holds[w] = known ? set & t->valid[w] : 0;
    }
}

bool causes_add_atom(cause_atoms *list, const cause_table *t, cause_atom a)
{
    a.holds = malloc((t->words + 1) * sizeof *a.holds);
    if (!a.holds || !array_reserve(&list->list, &list->capacity, list->count + 1, sizeof *list->list)) {
        free(a.holds);
        free(a.pattern);
        return false;
    }
    evaluate(t, &a);
    const cause_weights held = causes_weigh(t, a.holds);
    if (held.inside <= 0.02 || memcmp(a.holds, t->valid, t->words * sizeof *a.holds) == 0) {
        free(a.holds);
        free(a.pattern);
        return true;
    }
    list->list[list->count++] = a;
    return true;
}

/* ---- elements and tests -------------------------------------------------------------------------------------------
 */

static bool same_length(const cause_table *t, const cause_element *a, const cause_element *b)
{
    const cause_name *x = &t->sample->names[a->name], *y = &t->sample->names[b->name];
    if (x->fact || y->fact)
        return x->fact && y->fact && x->per == y->per;
    return x->length && y->length ? strcmp(x->length, y->length) == 0
                                  : !x->length && !y->length && x->fixed == y->fixed;
}

static bool add_elements(cause_atoms *list, const cause_table *t)
{
    bool fine = true;
    for (size_t i = 0; fine && i < t->element_count; ++i) {
        cause_atom a = { .kind = CAUSE_ATOM_ANY, .column = (uint16_t)i, .second = UINT16_MAX, .cost = 1.3 };
        if (t->elements[i].with != UINT16_MAX)
            a.cost = 1.6;
        fine = causes_add_atom(list, t, a);
        a.kind = CAUSE_ATOM_EACH;
        fine = fine && causes_add_atom(list, t, a);
        for (size_t k = i + 1; fine && k < t->element_count; ++k) {
            const cause_element *x = &t->elements[i], *y = &t->elements[k];
            if (x->name == y->name || !same_length(t, x, y))
                continue;
            cause_atom pair = { .kind = CAUSE_ATOM_ANY, .column = (uint16_t)i, .second = (uint16_t)k, .cost = 2 };
            fine = causes_add_atom(list, t, pair);
            pair.kind = CAUSE_ATOM_EACH;
            pair.cost = 2.2;
            fine = fine && causes_add_atom(list, t, pair);
        }
    }
    return fine;
}

static bool has_pattern(const cause_atoms *list, const char *pattern)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->list[i].kind == CAUSE_ATOM_TEST && strcmp(list->list[i].pattern, pattern) == 0)
            return true;
    return false;
}

static bool add_pattern(cause_atoms *list, const cause_table *t, const char *format, int length, const char *name)
{
    char pattern[128];
    if ((size_t)snprintf(pattern, sizeof pattern, format, length, name) >= sizeof pattern || has_pattern(list, pattern))
        return true;
    char *copy = strdup(pattern);
    const double cost = *pattern == '*' ? 1.4 : (size_t)length == strlen(name) ? 1.2 : 1.25;
    return copy && causes_add_atom(list, t, (cause_atom){ .kind = CAUSE_ATOM_TEST, .pattern = copy, .cost = cost });
}

/* Names of tests with failing cases, and their parts: "invalid-SL-05*", "*after*". */
static bool add_tests(cause_atoms *list, const cause_table *t)
{
    bool fine = true;
    for (size_t w = 0; fine && w < t->inside_words; ++w) {
        if (w > 0 && t->test[w] == t->test[w - 1])
            continue;
        const char *name = t->sample->tests[t->test[w]].test->name;
        fine = add_pattern(list, t, "%.*s*", (int)strlen(name), name);
        for (const char *p = name, *end; fine && *p; p = *end ? end + 1 : end) {
            end = p + strcspn(p, "-_");
            fine = add_pattern(list, t, "*%.*s*", (int)(end - p), p);
            if (fine && *end)
                fine = add_pattern(list, t, "%.*s*", (int)(end + 1 - name), name);
        }
    }
    return fine;
}

/* ---- choosing -----------------------------------------------------------------------------------------------------
 */

static uint64_t hash_of(const cause_table *t, const cause_atom *a)
{
    uint64_t h = UINT64_C(1469598103934665603);
    for (size_t w = 0; w < t->words; ++w)
        h = (h ^ a->holds[w]) * UINT64_C(1099511628211);
    return h;
}

/* A condition to be ranked. */
typedef struct ranked {
    cause_atom atom;
    uint64_t hash;
    double worth;
    size_t place;
} ranked;

static int by_hash(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->atom.cost < y->atom.cost || x->atom.cost > y->atom.cost)
        return x->atom.cost < y->atom.cost ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_worth(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->worth > y->worth || x->worth < y->worth)
        return x->worth > y->worth ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Keep the easiest of those that hold for the same cases, and of those the ones that tell most. */
static bool choose(cause_atoms *a, const cause_table *t)
{
    ranked *list = calloc(a->count + 1, sizeof *list);
    if (!list)
        return false;
    const cause_weights all = causes_weigh(t, t->valid);
    for (size_t i = 0; i < a->count; ++i) {
        list[i] = (ranked){ .atom = a->list[i], .hash = hash_of(t, &a->list[i]), .place = i };
        const cause_weights held = causes_weigh(t, a->list[i].holds);
        const double in = held.inside / all.inside, out = all.others > 0 ? held.others / all.others : 0;
        list[i].worth = in - out + (in >= 0.98 ? 1 : 0) - 0.0001 * a->list[i].cost;
    }
    qsort(list, a->count, sizeof *list, by_hash);
    for (size_t i = 1; i < a->count; ++i)
        if (list[i].hash == list[i - 1].hash)
            list[i].worth = -1000;
    qsort(list, a->count, sizeof *list, by_worth);
    size_t kept = 0;
    for (size_t i = 0; i < a->count; ++i)
        if (i < KEPT && list[i].worth > -1000) {
            a->list[kept++] = list[i].atom;
        } else {
            free(list[i].atom.holds);
            free(list[i].atom.pattern);
        }
    a->count = kept;
    free(list);
    return true;
}

bool causes_atoms_make(cause_atoms *a, const cause_table *t, error *e)
{
    *a = (cause_atoms){ .list = NULL };
    return (add_tests(a, t) && causes_add_columns(a, t) && add_elements(a, t) && choose(a, t)) ||
           error_set(e, "out of memory");
}

void causes_atoms_free(cause_atoms *a)
{
    for (size_t i = 0; i < a->count; ++i) {
        free(a->list[i].holds);
        free(a->list[i].pattern);
    }
    free(a->list);
    *a = (cause_atoms){ .list = NULL };
}

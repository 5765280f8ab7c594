/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tests, clauses, findings and observations of each run into the comparison. */
#include "harness/analysis/compare_internal.h"

#include "harness/base/array.h"
#include "reference/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    compare_work *w;
    size_t side;
    bool failed; /* out of memory */
} reader;

static char *copy_of(const char *text)
{
    return strdup(text ? text : "");
}

/* ---- tests ---- */

static compare_test *test_of(reader *r, const store_test *t, size_t *at)
{
    compare *c = r->w->c;
    for (*at = 0; *at < c->test_count; ++*at)
        if (strcmp(c->tests[*at].name, t->name) == 0)
            return &c->tests[*at];
    if (!array_reserve(&c->tests, &r->w->capacity.tests, c->test_count + 1, sizeof *c->tests))
        return NULL;
    compare_test *own = &c->tests[c->test_count];
    *own = (compare_test){ .name = copy_of(t->name), .op = copy_of(t->op), .title = copy_of(t->title) };
    c->test_count++;
    for (size_t i = 0; i < c->side_count; ++i) { /* every side may have an id for it */
        if (!array_reserve(&r->w->ids[i], &r->w->capacity.ids[i], c->test_count, sizeof **r->w->ids))
            return NULL;
        r->w->ids[i][c->test_count - 1] = 0;
    }
    return own->name && own->op && own->title ? own : NULL;
}

static bool read_test(void *context, const store_test *t)
{
    reader *r = context;
    size_t at;
    if (!test_of(r, t, &at)) {
        r->failed = true;
        return false;
    }
    r->w->ids[r->side][at] = t->id;
    return true;
}

static const char *op_of(const reader *r, int64_t test)
{
    const compare *c = r->w->c;
    for (size_t i = 0; i < c->test_count; ++i)
        if (r->w->ids[r->side][i] == test)
            return c->tests[i].op;
    return "";
}

/* ---- clauses, and the findings that cite them ---- */

static size_t find_clause(const compare *c, const char *op, const char *id)
{
    for (size_t i = 0; i < c->clause_count; ++i)
        if (strcmp(c->clauses[i].id, id) == 0 && strcmp(c->clauses[i].op, op) == 0)
            return i;
    return SIZE_MAX;
}

static bool read_clause(void *context, const store_clause *s)
{
    reader *r = context;
    compare *c = r->w->c;
    size_t at = find_clause(c, s->op, s->id);
    if (at == SIZE_MAX) {
        if (!array_reserve(&c->clauses, &r->w->capacity.clauses, c->clause_count + 1, sizeof *c->clauses)) {
            r->failed = true;
            return false;
        }
        at = c->clause_count++;
        compare_clause *own = &c->clauses[at];
        *own = (compare_clause){
            .op = copy_of(s->op), .id = copy_of(s->id), .text = copy_of(s->text), .breakable = s->breakable
        };
        r->failed = !own->op || !own->id || !own->text;
    }
    c->clauses[at].sides[r->side].broken += s->broken;
    c->clauses[at].sides[r->side].refused += s->refused;
    return !r->failed;
}

static bool read_finding(void *context, const store_finding *f)
{
    reader *r = context;
    compare_work *w = r->w;
    if (!f->clause)
        return true;
    size_t *count = &w->citation_count[r->side];
    if (!array_reserve(&w->citations[r->side], &w->capacity.citations[r->side], *count + 1, sizeof **w->citations)) {
        r->failed = true;
        return false;
    }
    compare_citation *own = &w->citations[r->side][(*count)++];
    *own = (compare_citation){ f->test, f->index, find_clause(w->c, op_of(r, f->test), f->clause) };
    if (own->clause != SIZE_MAX)
        w->c->clauses[own->clause].sides[r->side].cited++;
    return true;
}

void compare_finish_clauses(compare *c)
{
    for (size_t k = 0; k < c->clause_count; ++k) {
        compare_clause *clause = &c->clauses[k];
        for (size_t i = 0; i < c->side_count; ++i) {
            uint64_t passed = 0;
            for (size_t t = 0; t < c->type_count; ++t)
                if (strcmp(c->types[t].op, clause->op) == 0)
                    passed += c->types[t].counts.sides[i][COMPARE_PASS];
            if (clause->sides[i].cited)
                clause->sides[i].state = COMPARE_CLAUSE_VIOLATED;
            else if (clause->breakable ? clause->sides[i].refused
                                       : passed) /* a refusal as unsupported does not count */
                clause->sides[i].state = COMPARE_CLAUSE_SATISFIED;
        }
    }
}

/* ---- observed behaviours ---- */

static bool read_observation(void *context, const store_observation *o)
{
    reader *r = context;
    compare *c = r->w->c;
    char entry[sizeof c->behaviours->entry];
    size_t n = strcspn(o->kind, ":"), at = 0;
    snprintf(entry, sizeof entry, "%.*s", (int)n, o->kind);
    if (n >= sizeof entry || strncmp(o->kind + n, ": ", 2) != 0 || !ledger_find(entry))
        return true; /* an observation of another kind */
    while (at < c->behaviour_count &&
           (strcmp(c->behaviours[at].entry, entry) != 0 || strcmp(c->behaviours[at].behaviour, o->kind + n + 2) != 0))
        ++at;
    if (at == c->behaviour_count) {
        if (!array_reserve(&c->behaviours, &r->w->capacity.behaviours, at + 1, sizeof *c->behaviours)) {
            r->failed = true;
            return false;
        }
        compare_behaviour *own = &c->behaviours[at];
        *own = (compare_behaviour){ .example = copy_of(o->example) };
        snprintf(own->entry, sizeof own->entry, "%s", entry);
        snprintf(own->behaviour, sizeof own->behaviour, "%s", o->kind + n + 2);
        c->behaviour_count++;
        if (!own->example) {
            r->failed = true;
            return false;
        }
    }
    c->behaviours[at].cases[r->side] += o->cases;
    return true;
}

/* The position of an entry in the ledger. */
static size_t entry_place(const char *id)
{
    size_t count, i = 0;
    const ledger_entry *all = ledger_all(&count);
    while (i < count && strcmp(all[i].id, id) != 0)
        ++i;
    return i;
}

static int behaviour_order(const void *a, const void *b)
{
    const compare_behaviour *x = a, *y = b;
    size_t i = entry_place(x->entry), k = entry_place(y->entry);
    return i != k ? (i > k) - (i < k) : strcmp(x->behaviour, y->behaviour);
}

/* Do two sides behave differently in the cases of an entry? A side without such cases does not count. Where the
   numbers of cases differ, only the sets of behaviours are compared. */
static bool behave_differently(const compare_behaviour *list, size_t count, size_t a, size_t b)
{
    uint64_t total_a = 0, total_b = 0;
    for (size_t i = 0; i < count; ++i) {
        total_a += list[i].cases[a];
        total_b += list[i].cases[b];
    }
    if (total_a == 0 || total_b == 0)
        return false;
    for (size_t i = 0; i < count; ++i)
        if (total_a == total_b ? list[i].cases[a] != list[i].cases[b] : !list[i].cases[a] != !list[i].cases[b])
            return true;
    return false;
}

void compare_finish_behaviours(compare *c)
{
    if (c->behaviour_count)
        qsort(c->behaviours, c->behaviour_count, sizeof *c->behaviours, behaviour_order);
    for (size_t first = 0, end; first < c->behaviour_count; first = end) {
        bool differs = false;
        for (end = first; end < c->behaviour_count && strcmp(c->behaviours[end].entry, c->behaviours[first].entry) == 0;
             ++end)
            ;
        for (size_t a = 0; a < c->side_count; ++a)
            for (size_t b = 0; b < a; ++b)
                differs = differs || behave_differently(&c->behaviours[first], end - first, a, b);
        for (size_t i = first; i < end; ++i)
            c->behaviours[i].differs = differs;
    }
}

/* ---- */

bool compare_read_side(compare_work *w, size_t side, error *e)
{
    reader r = { .w = w, .side = side };
    store *s = w->c->sides[side].store;
    bool fine = store_each_test(s, read_test, &r, e) && (r.failed || store_each_clause(s, read_clause, &r, e)) &&
                (r.failed || store_each_finding(s, 0, 0, read_finding, &r, e)) &&
                (r.failed || store_each_observation(s, read_observation, &r, e));
    return fine && r.failed ? error_set(e, "out of memory") : fine;
}

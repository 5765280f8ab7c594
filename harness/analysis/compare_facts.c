/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says of itself, put beside what the others say: tests, clauses, findings, answers. */
#include "harness/analysis/compare_private.h"
#include "reference/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    compare_work *w;
    size_t side;
    bool failed; /* out of memory */
} reading;

static char *copy_of(const char *text)
{
    char *copy = malloc((text ? strlen(text) : 0) + 1);
    if (copy)
        strcpy(copy, text ? text : "");
    return copy;
}

/* One more element, zeroed; NULL where memory is out. */
static void *grow(void **list, size_t *count, size_t size)
{
    char *grown = realloc(*list, (*count + 1) * size);
    if (!grown)
        return NULL;
    *list = grown;
    return memset(grown + size * (*count)++, 0, size);
}

/* ---- tests ---- */

static compare_test *test_of(reading *r, const store_test *t, size_t *at)
{
    compare *c = r->w->c;
    for (*at = 0; *at < c->test_count; ++*at)
        if (strcmp(c->tests[*at].name, t->name) == 0)
            return &c->tests[*at];
    void *list = c->tests;
    compare_test *own = grow(&list, &c->test_count, sizeof *own);
    c->tests = list;
    if (own) {
        own->name = copy_of(t->name);
        own->op = copy_of(t->op);
        own->title = copy_of(t->title);
    }
    for (size_t i = 0; own && i < c->side_count; ++i) { /* a place for its id at every side */
        int64_t *ids = realloc(r->w->ids[i], c->test_count * sizeof *ids);
        if (!ids)
            return NULL;
        r->w->ids[i] = ids;
        ids[c->test_count - 1] = 0;
    }
    return own && own->name && own->op && own->title ? own : NULL;
}

static bool take_test(void *context, const store_test *t)
{
    reading *r = context;
    size_t at;
    if (!test_of(r, t, &at)) {
        r->failed = true;
        return false;
    }
    r->w->ids[r->side][at] = t->id;
    return true;
}

static const char *op_of(const reading *r, int64_t test)
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

static bool take_clause(void *context, const store_clause *s)
{
    reading *r = context;
    compare *c = r->w->c;
    size_t at = find_clause(c, s->op, s->id);
    if (at == SIZE_MAX) {
        void *list = c->clauses;
        compare_clause *own = grow(&list, &c->clause_count, sizeof *own);
        c->clauses = list;
        if (own) {
            own->op = copy_of(s->op);
            own->id = copy_of(s->id);
            own->text = copy_of(s->text);
            own->breakable = s->breakable;
        }
        r->failed = !own || !own->op || !own->id || !own->text;
        at = c->clause_count - 1;
    }
    if (!r->failed) {
        c->clauses[at].sides[r->side].broken += s->broken;
        c->clauses[at].sides[r->side].refused += s->refused;
    }
    return !r->failed;
}

static bool take_finding(void *context, const store_finding *f)
{
    reading *r = context;
    compare_work *w = r->w;
    if (!f->clause)
        return true;
    void *list = w->marks[r->side];
    compare_mark *own = grow(&list, &w->mark_count[r->side], sizeof *own);
    w->marks[r->side] = list;
    if (!own) {
        r->failed = true;
        return false;
    }
    *own = (compare_mark){ f->test, f->index, find_clause(w->c, op_of(r, f->test), f->clause) };
    if (own->clause != SIZE_MAX)
        w->c->clauses[own->clause].sides[r->side].cited++;
    return true;
}

void compare_judge_clauses(compare *c)
{
    for (size_t k = 0; k < c->clause_count; ++k) {
        compare_clause *clause = &c->clauses[k];
        for (size_t i = 0; i < c->side_count; ++i) {
            uint64_t passed = 0;
            for (size_t t = 0; t < c->type_count; ++t)
                if (strcmp(c->types[t].op, clause->op) == 0)
                    passed += c->types[t].counts.sides[i][COMPARE_PASS];
            if (clause->sides[i].cited)
                clause->sides[i].state = COMPARE_CLAUSE_FAILED;
            else if (clause->breakable ? clause->sides[i].refused : passed) /* what is not supported is not refused */
                clause->sides[i].state = COMPARE_CLAUSE_KEPT;
        }
    }
}

/* ---- answers to what the text leaves open ---- */

static bool take_observation(void *context, const store_observation *o)
{
    reading *r = context;
    compare *c = r->w->c;
    char entry[sizeof c->answers->entry];
    size_t n = strcspn(o->kind, ":"), at = 0;
    snprintf(entry, sizeof entry, "%.*s", (int)n, o->kind);
    if (n >= sizeof entry || strncmp(o->kind + n, ": ", 2) != 0 || !ledger_find(entry))
        return true; /* an observation of another kind */
    while (at < c->observed_count &&
           (strcmp(c->answers[at].entry, entry) != 0 || strcmp(c->answers[at].answer, o->kind + n + 2) != 0))
        ++at;
    if (at == c->observed_count) {
        void *list = c->answers;
        compare_answer *own = grow(&list, &c->observed_count, sizeof *own);
        c->answers = list;
        if (own) {
            snprintf(own->entry, sizeof own->entry, "%s", entry);
            snprintf(own->answer, sizeof own->answer, "%s", o->kind + n + 2);
            own->example = copy_of(o->example);
        }
        if (!own || !own->example) {
            r->failed = true;
            return false;
        }
    }
    c->answers[at].cases[r->side] += o->cases;
    return true;
}

/* The place of an entry among all, so that they come in the ledger's order. */
static size_t entry_place(const char *id)
{
    size_t count, i = 0;
    const ledger_entry *all = ledger_all(&count);
    while (i < count && strcmp(all[i].id, id) != 0)
        ++i;
    return i;
}

static int observed_order(const void *a, const void *b)
{
    const compare_answer *x = a, *y = b;
    size_t i = entry_place(x->entry), k = entry_place(y->entry);
    return i != k ? (i > k) - (i < k) : strcmp(x->answer, y->answer);
}

/* Do two sides answer an entry differently? One that was not asked says nothing. Of different numbers of cases only
   which answers there are can be compared. */
static bool differ(const compare_answer *list, size_t count, size_t a, size_t b)
{
    uint64_t asked_a = 0, asked_b = 0;
    for (size_t i = 0; i < count; ++i) {
        asked_a += list[i].cases[a];
        asked_b += list[i].cases[b];
    }
    if (asked_a == 0 || asked_b == 0)
        return false;
    for (size_t i = 0; i < count; ++i)
        if (asked_a == asked_b ? list[i].cases[a] != list[i].cases[b] : !list[i].cases[a] != !list[i].cases[b])
            return true;
    return false;
}

void compare_judge_answers(compare *c)
{
    if (c->observed_count)
        qsort(c->answers, c->observed_count, sizeof *c->answers, observed_order);
    for (size_t first = 0, end; first < c->observed_count; first = end) {
        bool parts = false;
        for (end = first; end < c->observed_count && strcmp(c->answers[end].entry, c->answers[first].entry) == 0; ++end)
            ;
        for (size_t a = 0; a < c->side_count; ++a)
            for (size_t b = 0; b < a; ++b)
                parts = parts || differ(&c->answers[first], end - first, a, b);
        for (size_t i = first; i < end; ++i)
            c->answers[i].parts = parts;
    }
}

/* ---- */

bool compare_read_side(compare_work *w, size_t side, error *e)
{
    reading r = { .w = w, .side = side };
    store *s = w->c->sides[side].store;
    bool fine = store_each_test(s, take_test, &r, e) && (r.failed || store_each_clause(s, take_clause, &r, e)) &&
                (r.failed || store_each_finding(s, 0, 0, take_finding, &r, e)) &&
                (r.failed || store_each_observation(s, take_observation, &r, e));
    return fine && r.failed ? error_set(e, "out of memory") : fine;
}

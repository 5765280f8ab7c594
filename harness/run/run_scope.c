/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_scope.h"

#include "harness/base/array.h"
#include "harness/casefile/casebuild.h"
#include "harness/execute/support.h"
#include "harness/model/tensor.h"
#include "harness/run/run_config.h"
#include "harness/run/sweep.h"
#include "reference/operators.h"

#include <stdlib.h>
#include <string.h>

/* A walk over the cases of a test at the level of the run, whether the backend supports them or not. */
typedef struct walk {
    const run_scope *scope;
    const case_test *test;
    uint32_t only;             /* cases of this data type alone, */
    bool which;                /* and of classes that are refused, or not. `only` 0: all cases */
    uint32_t refused, offered; /* the data types of refused classes and of the other ones, as bits */
    bool none;                 /* visit no case: look at the classes alone */
    bool unshown;              /* cases alone that break a clause which the backend cannot pass on */
    struct {
        uint32_t dtype; /* of the case; 0: unknown */
        bool refused;
        const char *breaks; /* the clause that the case breaks on purpose, or NULL */
    } at[SPACE_MAX_INNER]; /* by the cursor's `inner` */
    casebuild build;
    space_cursor cursor;
} walk;

static bool is_refused(const walk *w, const case_class *c)
{
    const case_test *t = w->test;
    const run_scope *s = w->scope;
    return !case_suits(t, s->info) || (c->breaks && support_refuses_clause(s->refused, c->shape.op->name, c->breaks)) ||
           support_refuses(s->refused, &c->shape);
}

static bool gate(void *context, const expr_value *values, unsigned inner)
{
    walk *w = context;
    const ts_level level = w->scope->level;
    case_class c;
    w->at[inner].dtype = 0;
    w->at[inner].refused = false;
    w->at[inner].breaks = NULL;
    if (!casebuild_class(&w->build, values, &c))
        return !w->none && !w->only && !w->unshown;
    const bool reached = c.level == 0 || level == 0 || c.level <= level;
    if (!c.has_level || reached == (w->test->kind == CASE_BEYOND))
        return false;
    w->at[inner].breaks = c.breaks;
    const bool unshown = c.breaks && support_refuses_clause(w->scope->refused, c.shape.op->name, c.breaks);
    if (w->unshown)
        return unshown && !support_refuses(w->scope->refused, &c.shape);
    if (unshown && (w->none || w->only))
        return false; /* an example of an illegal descriptor is no legal case that is refused */
    const uint32_t dtype = operator_dtype(&c.shape);
    w->at[inner].dtype = tensor_dtype(dtype) && dtype < TS_DTYPE_COUNT ? dtype : 0;
    w->at[inner].refused = is_refused(w, &c);
    *(w->at[inner].refused ? &w->refused : &w->offered) |= TS_DTYPE_BIT(w->at[inner].dtype);
    return !w->none && (!w->only || (w->at[inner].refused == w->which && w->at[inner].dtype == w->only));
}

static void begin(walk *w, const run_scope *s, const case_test *t)
{
    w->scope = s;
    w->test = t;
    w->only = w->refused = w->offered = 0;
    w->which = false;
    w->none = false;
    w->unshown = false;
    casebuild_init(&w->build, t, s->options->profile, s->level, NULL);
}

static const char *dtype_id(uint32_t dtype)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    return type && dtype ? type->id : "?";
}

/* ---- what the suite has, and what was refused ---- */

static bool find_suite(const run_scope *s, scope_facts *f)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    bool fine = true;
    for (size_t i = 0; i < count; ++i) {
        const ts_support_row *row = operator_support_row(all[i], s->level);
        for (uint32_t d = 1; fine && row && d < TS_DTYPE_COUNT; ++d)
            if (row->tensors[operator_typed(all[i])].dtypes & TS_DTYPE_BIT(d))
                fine = scope_counts_add(&f->suite, all[i]->name, dtype_id(d), 0);
    }
    return fine;
}

/* Is there a case that the gate lets pass? The queries may select none of a class. An endless test cannot be searched
   as a whole; its draws take the classes in turn. */
static bool has_case(walk *w, const run_item *item)
{
    enum { ENOUGH = 1 << 20 };
    const uint64_t end = item->endless && item->end - item->first > ENOUGH ? item->first + ENOUGH : item->end;
    return space_start(&w->cursor, w->test->space, item->first, end, gate, w);
}

/* Is every data type that the operator has at this level known to be offered? */
static bool all_offered(const run_scope *s, const scope_facts *f, const ts_operator *op)
{
    const ts_support_row *row = operator_support_row(op, s->level);
    for (uint32_t d = 1; row && d < TS_DTYPE_COUNT; ++d)
        if ((row->tensors[operator_typed(op)].dtypes & TS_DTYPE_BIT(d)) &&
            !scope_counts_has(&f->offered, op->name, dtype_id(d)))
            return false;
    return row != NULL;
}

/* Find the data types of a test that the backend supports, and count its legal cases that the backend refused, in the
   part of this shard. */
static bool find_refused(walk *w, const run_scope *s, size_t i, scope_facts *f, error *e)
{
    const case_test *t = s->plan->items[i].test;
    const run_item *item = &s->items[i];
    uint64_t cases;
    begin(w, s, t);
    if (t->kind != CASE_VALID && t->kind != CASE_EXAMPLES)
        return true;
    if (!(s->refused && *s->refused) && case_suits(t, s->info) && all_offered(s, f, t->file->op))
        return true; /* there is nothing left to find */
    w->none = true;
    if (!space_count(t->space, item->first, item->end, gate, w, &cases, e))
        return false;
    w->none = false;
    const uint32_t refused = w->refused, offered = w->offered;
    for (uint32_t d = 1; d < TS_DTYPE_COUNT; ++d) {
        w->only = d;
        w->which = false;
        if ((offered & TS_DTYPE_BIT(d)) && !scope_counts_has(&f->offered, t->file->op->name, dtype_id(d)) &&
            has_case(w, item) && !scope_counts_add(&f->offered, t->file->op->name, dtype_id(d), 0))
            return error_set(e, "out of memory");
        w->which = true;
        if (!(refused & TS_DTYPE_BIT(d)))
            continue;
        if (!space_count(t->space, item->first, item->end, gate, w, &cases, e))
            return false;
        if (cases && !scope_counts_add(&f->refused, t->file->op->name, dtype_id(d), cases))
            return error_set(e, "out of memory");
    }
    return true;
}

/* Is there a clause of the operator that the backend cannot pass on? */
static bool hides_a_clause(const run_scope *s, const ts_operator *op)
{
    for (unsigned k = 0; k < op->clause_count + op->shared_count; ++k)
        if (support_refuses_clause(s->refused, op->name,
                                   k < op->clause_count ? op->clauses[k].id : op->shared[k - op->clause_count].id))
            return true;
    return false;
}

static bool add_unshown(scope_facts *f, const ts_operator *op, const char *clause, uint64_t cases, error *e)
{
    return !cases || !clause || scope_counts_add(&f->unshown, op->name, clause, cases) ||
           error_set(e, "out of memory");
}

/* Count the cases of a test that break a clause which the backend cannot pass on, in the part of this shard. A test
   that does not end has no such count. */
static bool find_unshown(walk *w, const run_scope *s, size_t i, scope_facts *f, error *e)
{
    const case_test *t = s->plan->items[i].test;
    const run_item *item = &s->items[i];
    const ts_operator *op = t->file->op;
    uint64_t cases = 0;
    if (item->endless || !case_suits(t, s->info) || !hides_a_clause(s, op))
        return true;
    begin(w, s, t);
    w->unshown = true;
    if (t->kind == CASE_INVALID) /* of one clause: its cases need not be visited */
        return space_count(t->space, item->first, item->end, gate, w, &cases, e) &&
               add_unshown(f, op, t->clause, cases, e);
    if (t->kind != CASE_EXAMPLES && t->kind != CASE_CHECKED)
        return true;
    bool fine = true;
    for (bool more = space_start(&w->cursor, t->space, item->first, item->end, gate, w);
         more && fine && !run_interrupted(); more = space_next(&w->cursor))
        fine = add_unshown(f, op, w->at[w->cursor.inner].breaks, 1, e);
    return fine && !space_failed(&w->cursor, e);
}

/* ---- demands ---- */

/* The cases of a drawn test, to find a case under another index. */
typedef struct drawn_case {
    uint64_t hash, index;
} drawn_case;

typedef struct demanding {
    const run_scope *scope;
    walk *wanted, *run; /* the cases of the demand, and those of the run */
    drawn_case *drawn;  /* those of the run, by hash */
    size_t drawn_count, drawn_capacity;
    uint64_t refused[TS_DTYPE_COUNT], untried[TS_DTYPE_COUNT];
} demanding;

static int by_hash(const void *a, const void *b)
{
    const uint64_t x = ((const drawn_case *)a)->hash, y = ((const drawn_case *)b)->hash;
    return (x > y) - (x < y);
}

/* The test of the run's plan; item_count if it has none. */
static size_t find_item(const plan *p, const case_test *t)
{
    size_t i = 0;
    while (i < p->item_count && (strcmp(p->items[i].test->file->op->name, t->file->op->name) != 0 ||
                                 strcmp(p->items[i].test->name, t->name) != 0))
        ++i;
    return i;
}

/* Read the cases of a drawn test of the run: those that are named have other indices in other plans. */
static bool read_drawn(demanding *d, const plan_item *item, error *e)
{
    walk *r = d->run;
    d->drawn_count = 0;
    for (bool more = space_start(&r->cursor, item->test->space, item->first, item->end, gate, r);
         more && !run_interrupted(); more = space_next(&r->cursor)) {
        if (!array_reserve(&d->drawn, &d->drawn_capacity, d->drawn_count + 1, sizeof *d->drawn))
            return error_set(e, "out of memory");
        d->drawn[d->drawn_count++] =
            (drawn_case){ space_point_hash(item->test->space, r->cursor.values), r->cursor.index };
    }
    if (d->drawn_count)
        qsort(d->drawn, d->drawn_count, sizeof *d->drawn, by_hash);
    return !space_failed(&r->cursor, e);
}

/* Find the case at which the cursor of the demand is, in the run. *index: its index there. */
static bool in_run(demanding *d, const plan_item *item, bool *more, uint64_t *index)
{
    const space_cursor *c = &d->wanted->cursor;
    if (item->test->draw) {
        const drawn_case key = { .hash = space_point_hash(d->wanted->test->space, c->values) };
        const drawn_case *found = d->drawn_count ? bsearch(&key, d->drawn, d->drawn_count, sizeof key, by_hash) : NULL;
        *index = found ? found->index : 0;
        return found != NULL;
    }
    while (*more && d->run->cursor.index < c->index) /* the same case has the same index in every plan */
        *more = space_next(&d->run->cursor);
    *index = c->index;
    return *more && d->run->cursor.index == c->index;
}

static bool walk_test(demanding *d, const plan_item *wanted, uint64_t *cases, error *e)
{
    const plan *p = d->scope->plan;
    const size_t i = find_item(p, wanted->test);
    const plan_item *item = i < p->item_count ? &p->items[i] : NULL;
    space_cursor *c = &d->wanted->cursor;
    bool more = false;
    d->run->cursor.failed = NULL;
    d->run->cursor.problem = NULL;
    begin(d->wanted, d->scope, wanted->test);
    if (item) {
        begin(d->run, d->scope, item->test);
        if (!item->test->draw)
            more = space_start(&d->run->cursor, item->test->space, item->first, item->end, gate, d->run);
        else if (!read_drawn(d, item, e))
            return false;
    }
    for (bool next = space_start(c, wanted->test->space, wanted->first, wanted->end, gate, d->wanted);
         next && !run_interrupted(); next = space_next(c)) {
        const uint32_t dtype = d->wanted->at[c->inner].dtype;
        uint64_t index = 0;
        ++*cases;
        if (!item || !in_run(d, item, &more, &index))
            d->untried[dtype]++;
        else if (d->wanted->at[c->inner].refused && index >= d->scope->items[i].first && index < d->scope->items[i].end)
            d->refused[dtype]++;
    }
    return !space_failed(c, e) && !space_failed(&d->run->cursor, e);
}

/* Move the counts of a test to those of its operator. */
static bool move_counts(demanding *d, scope_demand *to, const char *op, error *e)
{
    bool fine = true;
    for (uint32_t t = 0; fine && t < TS_DTYPE_COUNT; ++t) {
        fine = (!d->refused[t] || scope_counts_add(&to->refused, op, dtype_id(t), d->refused[t])) &&
               (!d->untried[t] || scope_counts_add(&to->untried, op, dtype_id(t), d->untried[t]));
        d->refused[t] = d->untried[t] = 0;
    }
    return fine || error_set(e, "out of memory");
}

static bool find_demand(demanding *d, const char *asked, scope_demand *to, error *e)
{
    plan_options options = run_plan_options(d->scope->options);
    plan wanted;
    options.operators = NULL;
    options.operator_count = 0;
    if (!(to->query = strdup(asked)))
        return error_set(e, "out of memory");
    if (!plan_make_with(&wanted, &asked, 1, &options, e))
        return false;
    bool fine = true;
    for (size_t i = 0; fine && i < wanted.item_count; ++i)
        fine = walk_test(d, &wanted.items[i], &to->cases, e) &&
               move_counts(d, to, wanted.items[i].test->file->op->name, e);
    plan_free(&wanted);
    if (fine && to->cases == 0 && !run_interrupted())
        fine = error_usage(e, "--require '%s': selects no case of the tier at the feature level of the run", asked);
    return fine;
}

bool run_scope_find(const run_scope *s, scope_facts *f, error *e)
{
    demanding d = { .scope = s, .wanted = malloc(sizeof(walk)), .run = malloc(sizeof(walk)) };
    const size_t count = s->options->required_count;
    *f = (scope_facts){ .demands = calloc(count + 1, sizeof *f->demands) };
    bool fine = (d.wanted && d.run && f->demands && find_suite(s, f)) || error_set(e, "out of memory");
    for (size_t i = 0; fine && i < s->plan->item_count && !run_interrupted(); ++i)
        fine = find_refused(d.wanted, s, i, f, e) && find_unshown(d.wanted, s, i, f, e);
    for (size_t i = 0; fine && i < count; ++i) {
        f->demand_count = i + 1;
        fine = find_demand(&d, s->options->required[i], &f->demands[i], e);
    }
    free(d.wanted);
    free(d.run);
    free(d.drawn);
    return fine;
}

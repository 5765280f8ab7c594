/* SPDX-License-Identifier: Apache-2.0 */
/* Makes one cause of the failures of several operators that the same predicate describes. */
#include "harness/analysis/causes_internal.h"
#include "harness/base/text.h"
#include "reference/operators.h"

#include <stdlib.h>
#include <string.h>

#define AS_GOOD 0.01 /* so much worse than its own queries, as a share of the failing cases, a predicate may be */

void causes_free_one(cause *c)
{
    for (size_t i = 0; i < c->query_count; ++i)
        free(c->queries[i]);
    for (size_t i = 0; i < c->part_count; ++i) {
        cause_part *p = &c->parts[i];
        char *all[] = { p->op, p->case_id, p->clause, p->story, p->reproducer, p->explain };
        for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
            free(all[k]);
    }
    char *all[] = { c->op, c->case_id, c->shrunk_from, c->clause, c->story, c->reproducer, c->explain };
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        free(all[k]);
    free(c->parts);
    memset(c, 0, sizeof *c);
}

/* ---- taking over --------------------------------------------------------------------------------------------------
 */

/* The name of the first input of an operator, or of its first output. */
static const char *tensor_of(const ts_operator *op, ts_role role)
{
    for (unsigned t = 0; t < op->tensor_count; ++t)
        if (op->tensors[t].role == role)
            return op->tensors[t].name;
    return "";
}

/* Append the tail of a query with the names of one operator's tensors replaced by those of another. */
static void translate(text *to, const char *from, const ts_operator *a, const ts_operator *b)
{
    static const ts_role roles[] = { TS_INPUT, TS_OUTPUT };
    while (*from) {
        size_t length = 0;
        for (size_t i = 0; i < sizeof roles / sizeof *roles && !length; ++i) {
            const char *old = tensor_of(a, roles[i]);
            const size_t n = strlen(old);
            if (n && strncmp(from, old, n) == 0 && from[n] == '.') {
                text_add(to, tensor_of(b, roles[i]));
                length = n;
            }
        }
        if (!length) {
            const char one[] = { *from, '\0' };
            text_add(to, one);
            length = 1;
        }
        from += length;
    }
}

/* The queries of a cause as queries of another operator. Examples are its own. */
static bool take_queries(cause *to, const cause *from, const ts_operator *a, const ts_operator *b)
{
    for (size_t i = 0; i < from->query_count; ++i) {
        const char *all = strchr(from->queries[i], ':');
        if (!all || strncmp(all, ":examples", strlen(":examples")) == 0)
            continue;
        text query = { .data = NULL };
        text_add(&query, b->name);
        translate(&query, all, a, b);
        if (query.failed) {
            text_free(&query);
            return false;
        }
        to->queries[to->query_count++] = query.data;
    }
    return true;
}

/* What a cause gets wrong, as a share of the failing cases. */
static double wrong(const cause *c)
{
    return (double)(c->missed + c->others) / (double)(c->cases ? c->cases : 1);
}

bool causes_join(const causes *earlier, const causes_sample *s, cause *own, error *e)
{
    const ts_operator *to = operators_find(s->op);
    bool fine = causes_estimate(s, own, e), found = false;
    for (size_t i = 0; fine && !found && to && i < earlier->count; ++i) {
        const cause *x = &earlier->list[i];
        const ts_operator *from = operators_find(x->op);
        cause other = { .kind = own->kind };
        if (x->kind != own->kind || x->joins || !from || wrong(x) > 0.1)
            continue;
        fine = take_queries(&other, x, from, to) ? true : error_set(e, "out of memory");
        fine = fine && (other.query_count == 0 || causes_estimate(s, &other, e));
        found = fine && other.query_count > 0 && wrong(&other) <= AS_GOOD + wrong(own);
        if (found) {
            char *op = own->op;
            own->op = NULL;
            causes_free_one(own);
            *own = other;
            own->op = op;
            own->joins = i + 1;
            own->cases = own->missed = own->others = own->otherwise = own->neither = 0;
            own->verdicts = 0;
        } else {
            causes_free_one(&other);
        }
    }
    return fine;
}

/* ---- folding ------------------------------------------------------------------------------------------------------
 */

static char *copy_of(const char *from)
{
    return from ? strdup(from) : NULL;
}

/* Add the share of a cause, whose strings are copied. */
static bool add_part(cause *to, const cause *of)
{
    cause_part *list = realloc(to->parts, (to->part_count + 1) * sizeof *list);
    if (!list)
        return false;
    to->parts = list;
    list[to->part_count++] = (cause_part){ .op = copy_of(of->op),
                                           .cases = of->cases,
                                           .missed = of->missed,
                                           .others = of->others,
                                           .otherwise = of->otherwise,
                                           .neither = of->neither,
                                           .case_id = copy_of(of->case_id),
                                           .clause = copy_of(of->clause),
                                           .story = copy_of(of->story),
                                           .reproducer = copy_of(of->reproducer),
                                           .explain = copy_of(of->explain) };
    return list[to->part_count - 1].op != NULL;
}

/* Move the queries and the cases of one cause to another. */
static bool fold(cause *to, cause *from)
{
    text op = { .data = NULL };
    if ((to->part_count == 0 && !add_part(to, to)) || !add_part(to, from))
        return false;
    text_add(&op, to->op);
    text_add(&op, ", ");
    text_add(&op, from->op);
    if (op.failed) {
        text_free(&op);
        return false;
    }
    free(to->op);
    to->op = op.data;
    for (size_t i = 0; i < from->query_count; ++i)
        to->queries[to->query_count++] = from->queries[i];
    from->query_count = 0;
    to->cases += from->cases;
    to->missed += from->missed;
    to->others += from->others;
    to->otherwise += from->otherwise;
    to->neither += from->neither;
    to->fails_alone += from->fails_alone;
    to->passes_alone += from->passes_alone;
    to->verdicts |= from->verdicts;
    to->tests += from->tests;
    to->estimated = to->estimated || from->estimated;
    return true;
}

bool causes_fold(causes *c, error *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; ++i) {
        cause *x = &c->list[i], *to = x->joins ? &c->list[x->joins - 1] : NULL;
        if (!to || to->part_count == CAUSES_OPERATORS)
            continue;
        if (!fold(to, x))
            return error_set(e, "out of memory");
        causes_free_one(x);
    }
    for (size_t i = 0; i < c->count; ++i)
        if (c->list[i].op)
            c->list[kept++] = c->list[i];
    c->count = kept;
    return true;
}

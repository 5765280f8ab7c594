/* SPDX-License-Identifier: Apache-2.0 */
/* The survey: calls of tier quick, one by one. The other checks use those whose answers it keeps. */
#include "harness/base/platform.h"
#include "harness/probe/probe_internal.h"

#include <string.h>

#define SECONDS 4.0
#define TRIED   48 /* cases of a test that are submitted, at most, */
#define KEPT    4  /* of which so many are kept with the same answer, and PROBE_OF_OPERATOR of an operator */

/* What was tried of an operator. */
typedef struct operator_survey {
    const ts_operator *op;
    unsigned classes, accepted, refused, illegal;
} operator_survey;

static unsigned *kept_of(operator_survey *s, const probe_call *c, bool invalid)
{
    return invalid ? &s->illegal : c->status == TS_OK ? &s->accepted : &s->refused;
}

static void keep(probe *p, size_t item, const probe_call *c, bool invalid)
{
    if (p->shared->sample_count < PROBE_KINDS * p->most_calls)
        p->shared->samples[p->shared->sample_count++] =
            (probe_sample){ .item = item, .index = p->cursor.index, .status = (uint32_t)c->status, .invalid = invalid };
}

typedef struct gate_context {
    probe *p;
    operator_survey *s;
} gate_context;

/* As a run: the backend's level, and the classes that it supports. */
static bool gate(void *context, const expr_value *values, unsigned inner)
{
    const gate_context *g = context;
    probe *p = g->p;
    const ts_level level = p->plugin.info.highest_level;
    const size_t known = p->class_count;
    case_class c;
    (void)inner;
    if (p->outcome != PROBE_KEPT || !casebuild_class(&p->build, values, &c))
        return false;
    const bool reached = c.level == 0 || level == 0 || c.level <= level;
    if (!c.has_level || reached == (p->build.test->kind == CASE_BEYOND))
        return false;
    const probe_class *class = probe_query(p, &c.shape);
    if (class && class->supported && p->class_count > known)
        g->s->classes++;
    return class && class->supported;
}

/* Submit cases of one test, alone. */
static bool survey_test(probe *p, size_t item, operator_survey *s, double until)
{
    const plan_item *of = &p->plan->items[item];
    const case_test *t = of->test;
    unsigned tried = 0, kept = 0;
    gate_context context = { p, s };
    if (t->sparse || t->vast || t->asked || t->fresh || t->in_place || case_is_preceded(t) || t->kind == CASE_BEYOND ||
        (t->kind == CASE_INVALID ? s->illegal : s->accepted) == PROBE_OF_OPERATOR)
        return true;
    casebuild_init(&p->build, t, TS_PROFILE_DEFAULT, p->plugin.info.highest_level, NULL);
    if (!space_start(&p->cursor, t->space, of->first, of->end, gate, &context))
        return p->outcome == PROBE_KEPT;
    do {
        probe_clear(p);
        if (!probe_add(p, true, false))
            continue;
        const bool invalid = p->build.now.invalid != NULL;
        ++tried;
        if (!probe_submit(p, 0, 1, &(probe_way){ .descriptor_only = invalid }))
            return false;
        unsigned *of_kind = kept_of(s, &p->calls[0], invalid);
        if (*of_kind < PROBE_OF_OPERATOR && p->calls[0].status <= TS_UNSUPPORTED) {
            keep(p, item, &p->calls[0], invalid);
            ++*of_kind;
            ++kept;
        }
    } while (p->outcome == PROBE_KEPT && tried < TRIED && kept < KEPT && platform_seconds() < until &&
             space_next(&p->cursor));
    return p->outcome == PROBE_KEPT;
}

/* It says that it supports classes of an operator: then it accepts some call of one. */
static void judge(probe *p, const operator_survey *s)
{
    if (s->op && s->classes > 0 && s->accepted == 0 && s->refused > 0)
        probe_breaks(p, CLAUSE_QUERY,
                     "query returns TS_OK for %u classes of %s, and submit accepts none of their calls", s->classes,
                     s->op->name);
}

void probe_check_calls(probe *p)
{
    operator_survey s = { .op = NULL };
    unsigned operators = 0, accepted = 0;
    const double until = platform_seconds() + SECONDS;
    p->shared->sample_count = p->shared->classes = p->shared->surveyed = 0;
    if (!probe_open(p) || !probe_room(p))
        return;
    for (size_t item = 0; item < p->plan->item_count; ++item) {
        const ts_operator *op = p->plan->items[item].test->file->op;
        if (op != s.op) {
            judge(p, &s);
            accepted += s.accepted;
            operators += s.accepted > 0;
            p->shared->classes += s.classes;
            s = (operator_survey){ .op = op };
        }
        if (!survey_test(p, item, &s, until))
            return;
    }
    judge(p, &s);
    accepted += s.accepted;
    operators += s.accepted > 0;
    p->shared->classes += s.classes;
    p->shared->surveyed = 1;
    if (p->shared->classes == 0)
        probe_saw(p, PROBE_NOT_APPLICABLE, "it supports no class of calls of tier quick");
    else
        probe_saw(p, PROBE_KEPT, "%u calls of %u operator%s accepted", accepted, operators, operators == 1 ? "" : "s");
}

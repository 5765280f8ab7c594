/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a run that asked about descriptors alone, by the tests that follow from operators' declarations. */
#include "harness/store/summary.h"
#include "reference/operators.h"

#include <string.h>

bool summary_is_validation(const summary *m)
{
    for (size_t i = 0; i < m->test_count; ++i) {
        const ts_operator *op = operators_find_known(m->tests[i].op);
        if (!op || !operators_declared(op) ||
            (strcmp(m->tests[i].test, "legal") != 0 && strcmp(m->tests[i].test, "invalid") != 0))
            return false;
    }
    return m->test_count > 0;
}

/* An operator is not offered if none of its descriptors was planned, or all were unsupported. */
static bool is_offered(const summary_operator *o)
{
    return o->counts.planned > o->counts.cases[VERDICT_UNSUPPORTED];
}

size_t summary_offered(const summary *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->operator_count; ++i)
        count += is_offered(&m->operators[i]);
    return count;
}

/* "3 illegal ones accepted", after a comma or not. */
static void add_part(const summary *m, verdict v, const char *one, const char *several, bool *any, text *t)
{
    const uint64_t cases = m->total.cases[v];
    if (cases == 0)
        return;
    text_add(t, *any ? ", " : ": ");
    text_count(t, cases);
    text_format(t, " %s", cases == 1 ? one : several);
    *any = true;
}

static void add_judged(const summary *m, text *t)
{
    const size_t offered = summary_offered(m);
    text_count(t, m->total.ran);
    text_format(t, " descriptor%s of ", m->total.ran == 1 ? "" : "s");
    if (offered == 1) {
        size_t i = 0;
        while (!is_offered(&m->operators[i]))
            ++i;
        text_add(t, m->operators[i].name);
        return;
    }
    text_format(t, "%zu operators", offered);
}

void summary_validation_verdict(const summary *m, text *t)
{
    bool any = false;
    text_add(t, m->state && strcmp(m->state, "running") == 0 ? "Running: checked " : "Checked ");
    add_judged(m, t);
    add_part(m, VERDICT_ACCEPTED_INVALID, "illegal one accepted", "illegal ones accepted", &any, t);
    add_part(m, VERDICT_REJECTED_VALID, "legal one refused", "legal ones refused", &any, t);
    add_part(m, VERDICT_CRASH, "crash", "crashes", &any, t);
    add_part(m, VERDICT_HANG, "hang", "hangs", &any, t);
    add_part(m, VERDICT_LOST, "failed otherwise", "failed otherwise", &any, t);
    add_part(m, VERDICT_NONDETERMINISTIC, "answered differently", "answered differently", &any, t);
    add_part(m, VERDICT_WROTE_OUTSIDE, "wrote to the call", "wrote to the call", &any, t);
    add_part(m, VERDICT_WAIVED, "waived", "waived", &any, t);
    if (m->total.failed == 0 && m->total.ran > 0)
        text_add(t, any ? ", and all other answers agree" : ": all answers agree");
    if (m->total.cases[VERDICT_NONE] > 0) {
        text_add(t, "; ");
        text_count(t, m->total.cases[VERDICT_NONE]);
        text_add(t, " were not asked");
    }
}

void summary_validation_rest(const summary *m, text *t)
{
    enum { NAMED = 5 };
    const size_t missing = m->operator_count - summary_offered(m);
    size_t named = 0;
    if (missing) {
        text_add(t, " Not offered: ");
        for (size_t i = 0; i < m->operator_count && missing <= NAMED; ++i)
            if (!is_offered(&m->operators[i]))
                text_format(t, "%s%s", named++ ? ", " : "", m->operators[i].name);
        if (missing > NAMED)
            text_format(t, "%zu of %zu operators", missing, m->operator_count);
        text_add(t, ".");
    }
    if (m->total.cases[VERDICT_UNSUPPORTED]) {
        text_add(t, " Not answered: ");
        text_count(t, m->total.cases[VERDICT_UNSUPPORTED]);
        text_add(t, ".");
    }
    scope_add_unshown(&m->scope, t);
    text_add(t, " Nothing was computed: descriptors say nothing about results.");
}

summary_validated summary_validated_of(const summary *m, size_t op)
{
    summary_validated v = { .offered = is_offered(&m->operators[op]) };
    for (size_t i = 0; i < m->test_count; ++i) {
        const summary_counts *c = &m->tests[i].counts;
        const bool legal = strcmp(m->tests[i].test, "legal") == 0;
        if (m->tests[i].op_index != op)
            continue;
        *(legal ? &v.legal : &v.illegal) += c->ran;
        *(legal ? &v.accepted : &v.refused) += c->cases[VERDICT_PASS];
        v.ended += c->cases[VERDICT_CRASH] + c->cases[VERDICT_HANG];
    }
    return v;
}

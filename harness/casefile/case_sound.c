/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/case_sound.h"

#include <string.h>

/* Do the violations say what the case claims? */
static bool as_claimed(const case_instance *c, const ts_report *report, error *e)
{
    bool refused = false;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        if (!operator_graver(v->result, TS_RESULT_UNSPECIFIED))
            continue;
        if (!c->invalid || strcmp(v->clause, c->invalid) != 0)
            return error_usage(e, "%s: %s", v->clause, v->text);
        refused = true;
    }
    if (report->dropped)
        return error_usage(e, "it breaks more than %u clauses", report->count);
    return refused == (c->invalid != NULL) || error_usage(e, "its descriptor does not break %s", c->invalid);
}

/* The descriptor of an illegal case may claim any size; no buffer is made for it. */
static bool fits(const case_instance *c, uint64_t most)
{
    const ts_descriptor *d = &c->descriptor;
    for (unsigned t = 0; !c->invalid && t < d->op->tensor_count; ++t)
        if ((d->tensors[t].given & TS_GIVEN_TENSOR) && d->tensors[t].total_bytes > most)
            return false;
    return true;
}

bool case_is_claimed(casebuild *b, space_cursor *cursor, error *e)
{
    ts_report report = { 0 };
    if (!casebuild_case(b, cursor, e))
        return false;
    operator_check(&b->now.descriptor, &report);
    return b->now.ambiguous || as_claimed(&b->now, &report, e);
}

bool case_sound(casebuild *b, space_cursor *cursor, uint64_t most)
{
    error e;
    return case_is_claimed(b, cursor, &e) && fits(&b->now, most);
}

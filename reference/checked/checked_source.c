/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/checked/source.h"
#include "reference/dml_explain.h"

static source_rule *rule_of(const ts_operator *op)
{
    return ((const checked_operator *)(const void *)op)->source;
}

void source_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *from = &d->tensors[SOURCE_INPUT], *to = &d->tensors[source_output(d->op)];
    source_rule *rule = rule_of(d->op);
    uint64_t at[TS_MAX_DIMS] = { 0 }, source[TS_MAX_DIMS] = { 0 };
    (void)unspecified; /* every element is defined */
    do {
        rule(d, at, source);
        tensor_copy_element(to, at, from, source);
    } while (tensor_next(to, at));
}

/* ---- explaining --------------------------------------------------------------------------------------------- */

static bool explain_source_of(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_tensor *from = &d->tensors[SOURCE_INPUT];
    e->from = SOURCE_INPUT;
    e->addresses = dml_explain_addresses(d);
    rule_of(d->op)(d, e->to_coord, e->from_coord);
    for (uint32_t i = 0; i < from->rank; ++i)
        e->outside = e->outside || e->from_coord[i] >= from->sizes[i];
    return true;
}

/* Is the descriptor legal at some feature level? Else the rule need not have a value. */
static bool has_sources(const ts_descriptor *d)
{
    ts_descriptor latest = *d;
    ts_report report = { 0 };
    latest.feature_level = 0;
    operator_check(&latest, &report);
    return !operator_graver(report.worst, TS_RESULT_OPEN);
}

void source_explain(const ts_descriptor *d, ts_explanation *out)
{
    const ts_tensor *from = &d->tensors[SOURCE_INPUT], *to = &d->tensors[source_output(d->op)];
    explain_step(out, d->op->run_clause, "Where each element comes from");
    explain_show(out, "%s  %s", d->op->tensors[SOURCE_INPUT].name, explain_list(from->sizes, from->rank).text);
    explain_show(out, "%s  %s", d->op->tensors[source_output(d->op)].name, explain_list(to->sizes, to->rank).text);
    if (!has_sources(d)) {
        explain_say(out, "The descriptor is illegal, so that no element has a source.");
        return;
    }
    dml_explain_strided(out, d);
    explain_step(out, d->op->copy_clause, "Each element");
    explain_elements(out, d, (int)source_output(d->op), explain_source_of, d);
}

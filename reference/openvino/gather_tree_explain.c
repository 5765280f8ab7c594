/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/explain.h"
#include "reference/openvino/gather_tree_shared.h"

#include <inttypes.h>

static void describe_call(ts_explanation *x, const ts_descriptor *d)
{
    static const char *const names[] = { "step_ids", "parent_ids", "max_seq_len", "end_token", "final_ids" };
    explain_step(x, "GT1-01", "The sequences of a beam search");
    explain_say(x,
                "At each step, each beam of a batch has an id, and the beam of the step before that it continues: its "
                "parent. final_ids have the whole sequence that ends in each beam, made from its last step backwards.");
    for (unsigned i = 0; i < 5; ++i) {
        const ts_tensor *t = &d->tensors[i];
        explain_show(x, "%-11s  %s", names[i], explain_list(t->sizes, t->rank <= TS_MAX_DIMS ? t->rank : 0).text);
    }
}

/* False if the shapes leave the call without meaning. */
static bool describe_shapes(ts_explanation *x, const ts_descriptor *d)
{
    const ts_tensor *steps = &d->tensors[GATHER_TREE_STEPS], *lengths = &d->tensors[GATHER_TREE_LENGTHS];
    explain_step(x, "GT1-02 GT1-05 GT1-06 GT1-07 GT1-08", "The shapes: [MAX_TIME, BATCH_SIZE, BEAM_WIDTH]");
    if (steps->rank != 3) {
        explain_say(x, "step_ids have %u dimensions and need 3. The explanation ends here.", steps->rank);
        return false;
    }
    explain_say(x, "MAX_TIME = %" PRIu64 ", BATCH_SIZE = %" PRIu64 ", BEAM_WIDTH = %" PRIu64 ".", steps->sizes[0],
                steps->sizes[1], steps->sizes[2]);
    bool fits = lengths->rank == 1 && lengths->sizes[0] == steps->sizes[1] && d->tensors[GATHER_TREE_END].rank == 0;
    for (unsigned i = GATHER_TREE_PARENTS; i <= GATHER_TREE_OUT; i += GATHER_TREE_OUT - GATHER_TREE_PARENTS) {
        const ts_tensor *t = &d->tensors[i];
        fits = fits && t->rank == 3 && memcmp(t->sizes, steps->sizes, 3 * sizeof t->sizes[0]) == 0;
    }
    if (!fits)
        explain_say(x,
                    "parent_ids and final_ids need the shape of step_ids, max_seq_len one length for each batch, and "
                    "end_token no dimension. One of them has another shape, so the explanation ends here.");
    return fits;
}

static void describe_rules(ts_explanation *x, const ts_descriptor *d)
{
    explain_step(x, "GT1-09", "From the last step backwards");
    explain_say(x,
                "The sequence of beam w in batch b has n = min(MAX_TIME, max_seq_len[b]) steps. Its last id is that of "
                "beam w itself. Each parent says which beam has the id of the step before.");
    explain_show(x, "p = w");
    explain_show(x, "for t = n - 1 down to 0:  final_ids[t,b,w] = step_ids[t,b,p];  p = parent_ids[t,b,p]");
    explain_step(x, "GT1-10 GT1-13", "What is end_token");
    explain_say(x, "Every element behind the first end_token of a sequence, and every element from t = n on.");
    explain_step(x, "GT1-11 GT1-12", "Lengths and parents that there are not");
    explain_say(x,
                "A length below 0, or a parent that is no beam, may make the call fail. Otherwise the sequences that "
                "need it are not defined (ledger: %s). The reference makes them end_token.",
                d->op->undefined);
    if (!d->tensors[GATHER_TREE_PARENTS].data || !d->tensors[GATHER_TREE_LENGTHS].data)
        explain_say(x, "The descriptor has no values of parent_ids and max_seq_len, so the elements are not listed.");
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_tensor *steps = &d->tensors[GATHER_TREE_STEPS], *token = &d->tensors[GATHER_TREE_END];
    const uint64_t step = e->to_coord[0];
    uint64_t count, at[TS_MAX_DIMS] = { 0, e->to_coord[1], e->to_coord[2] }, found[TS_MAX_DIMS] = { 0 };
    bool ended = false; /* at an earlier step */
    if (!d->tensors[GATHER_TREE_PARENTS].data || !d->tensors[GATHER_TREE_LENGTHS].data)
        return false;
    e->from = GATHER_TREE_END;
    memset(e->from_coord, 0, sizeof e->from_coord);
    e->undefined = !openvino_gather_tree_length(d, e->to_coord[1], &count);
    if (e->undefined || step >= count)
        return true;
    for (at[0] = count; at[0]-- > 0;) { /* from the last step to the first, at[2] being the beam */
        if (at[0] == step)
            memcpy(found, at, sizeof found);
        if (at[0] < step && steps->data && token->data)
            ended = ended || openvino_gather_tree_ends(d, steps, at);
        e->undefined = at[0] > 0 && !openvino_gather_tree_parent(d, at, &at[2]);
        if (e->undefined)
            return true;
    }
    if (ended)
        return true;
    e->from = GATHER_TREE_STEPS;
    memcpy(e->from_coord, found, sizeof e->from_coord);
    return true;
}

ts_explain openvino_gather_tree_explain;
void openvino_gather_tree_explain(const ts_descriptor *d, ts_explanation *x)
{
    describe_call(x, d);
    if (!describe_shapes(x, d))
        return;
    describe_rules(x, d);
    explain_step(x, "", "Each element");
    explain_elements(x, d, GATHER_TREE_OUT, source, d);
}

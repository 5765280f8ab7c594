/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_tree.h"
#include "harness/model/suggest.h"
#include "reference/openvino/gather_tree_shared.h"
#include "reference/openvino_index.h"

#include <inttypes.h>

#define PAGE "GatherTree-1"

/* clang-format off */
static const ts_tensor_decl tensors[] = {
    { "step_ids",    "steps",   TS_INPUT,  false },
    { "parent_ids",  "parents", TS_INPUT,  false },
    { "max_seq_len", "lengths", TS_INPUT,  false },
    { "end_token",   "end",     TS_INPUT,  false },
    { "final_ids",   "out",     TS_OUTPUT, false },
};

#define NUMBERS (OPENVINO_TYPES & ~TS_DTYPE_BIT(TS_BOOLEAN))
static const ts_support_row support[] = {
    { 0, { { 3, 3, NUMBERS }, { 3, 3, NUMBERS }, { 1, 1, NUMBERS }, { 0, 0, NUMBERS }, { 3, 3, NUMBERS } } },
};

static const ts_clause clauses[] = {
    { "GT1-01", "step_ids, parent_ids, max_seq_len and end_token are given, and every tensor has a shape",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GT1-02", "step_ids have the shape [MAX_TIME, BATCH_SIZE, BEAM_WIDTH], each judged below 2^63",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GT1-03", "all tensors have the type of step_ids, a numeric one",
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID, .suggest = suggest_same_type },
    { "GT1-04", "every tensor has as many bytes as its elements span",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "arithmetic: a smaller buffer does not hold all elements" },
    { "GT1-05", "parent_ids have the shape of step_ids",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GT1-06", "max_seq_len has the shape [BATCH_SIZE]",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GT1-07", "end_token is a scalar",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GT1-08", "final_ids have the shape of step_ids",
      PAGE, "Outputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GT1-09", "final_ids[t, b, w] = step_ids[t, b, p] for t < n = min(MAX_TIME, max_seq_len[b]), where p is w "
                "at t = n - 1, and parent_ids[t + 1, b, p] of the p of t + 1 before that",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    { "GT1-10", "behind the first end_token of a beam, and from t = n on, final_ids are end_token",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    { "GT1-11", "max_seq_len is an integer from 1 to 2^63 - 1; the parent_ids that lead to a step are integers from 0 "
                "to BEAM_WIDTH - 1",
      PAGE, "Inputs", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "inputs have integer values; the pseudo-code reads step -1 of a sequence without steps, and beams that "
                "there are not" },
    { "GT1-12", "the call may fail for another length or parent; if it does not, the first n final_ids of a beam that "
                "leads to such a parent are undefined, as are all of a batch with such a length",
      PAGE, "Detailed description", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page says nothing about other values" },
    { "GT1-13", "step_ids and end_token are compared as integers, so that both zeros of a float type are equal",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "inputs have integer values only, and both zeros are the integer 0" },
    { "GT1-14", "step_ids and end_token are copied bit for bit",
      PAGE, "Detailed description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the pseudo-code assigns without arithmetic" },
    { "GT1-15", "boolean is no numeric type",
      PAGE, "Types", TS_DECIDED, .result = TS_RESULT_INVALID, .suggest = suggest_same_type,
      .ground = "the page does not list the numeric types" },
};

static const ts_ir_layer ir = { "GatherTree", "opset1", "GT1-01", 0, NULL, NULL };
/* clang-format on */

/* Report the sizes of a tensor with three dimensions that are not those of step_ids. */
static void check_like_steps(const ts_descriptor *d, unsigned tensor, const char *clause, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor], *steps = &d->tensors[GATHER_TREE_STEPS];
    for (uint32_t i = 0; t->rank == 3 && i < 3; ++i)
        if (t->sizes[i] != steps->sizes[i])
            operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, (int)i,
                             "%s' dimension %u = %" PRIu64 " differs from step_ids', %" PRIu64,
                             d->op->tensors[tensor].name, i, t->sizes[i], steps->sizes[i]);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *steps = &d->tensors[GATHER_TREE_STEPS], *lengths = &d->tensors[GATHER_TREE_LENGTHS];
    const char *types[GATHER_TREE_OUT + 1];
    for (unsigned i = 0; i <= GATHER_TREE_OUT; ++i)
        types[i] = d->tensors[i].dtype == TS_BOOLEAN ? "GT1-15" : "GT1-03";
    operator_check_support(d, report, "GT1-01", (const char *[]){ "GT1-02", "GT1-05", "GT1-06", "GT1-07", "GT1-08" },
                           types);
    if (!operator_check_given(d, report, "GT1-01") || !openvino_check_tensors(d, "GT1-01", "GT1-04", report))
        return;
    for (unsigned i = GATHER_TREE_PARENTS; i <= GATHER_TREE_OUT; ++i)
        openvino_check_same_type(d, i, "GT1-03", report);
    if (steps->rank != 3 || !openvino_check_dims(d, GATHER_TREE_STEPS, 3, 3, "GT1-02", report))
        return;
    check_like_steps(d, GATHER_TREE_PARENTS, "GT1-05", report);
    check_like_steps(d, GATHER_TREE_OUT, "GT1-08", report);
    if (lengths->rank == 1 && lengths->sizes[0] != steps->sizes[1])
        operator_violate(report, "GT1-06", TS_RESULT_INVALID, GATHER_TREE_LENGTHS, 0,
                         "max_seq_len's dimension 0 = %" PRIu64 " differs from BATCH_SIZE = %" PRIu64,
                         lengths->sizes[0], steps->sizes[1]);
}

static bool shape(ts_descriptor *d)
{
    const ts_tensor *steps = &d->tensors[GATHER_TREE_STEPS];
    ts_tensor *out = &d->tensors[GATHER_TREE_OUT];
    if (!openvino_check_dims(d, GATHER_TREE_STEPS, 3, 3, NULL, NULL))
        return false;
    out->rank = steps->rank;
    memcpy(out->sizes, steps->sizes, steps->rank * sizeof out->sizes[0]);
    return true;
}

/* Make one beam of one batch, at[1] and at[2], whose final_ids are end_token so far. */
static void make_beam(const ts_descriptor *d, uint64_t *at, ts_unspecified *unspecified)
{
    const ts_tensor *steps = &d->tensors[GATHER_TREE_STEPS], *token = &d->tensors[GATHER_TREE_END];
    const ts_tensor *out = &d->tensors[GATHER_TREE_OUT];
    uint64_t from[TS_MAX_DIMS] = { 0, at[1], at[2] }, count = 0;
    const uint64_t scalar[TS_MAX_DIMS] = { 0 };
    const bool judged = openvino_gather_tree_length(d, at[1], &count) && count > 0; /* GT1-11 */
    bool known = judged, finished = false;
    for (uint64_t level = count; known && level-- > 0;) {
        at[0] = from[0] = level;
        tensor_copy_element(out, at, steps, from);
        known = level == 0 || openvino_gather_tree_parent(d, from, &from[2]);
    }
    if (!known && unspecified)
        unspecified->may_fail = true;
    if (!judged)
        count = steps->sizes[0];
    for (at[0] = 0; at[0] < count; ++at[0]) {
        if (finished || !known) /* GT1-12 */
            tensor_copy_element(out, at, token, scalar);
        else
            finished = openvino_gather_tree_ends(d, out, at);
        if (!known)
            operator_unspecified(unspecified, GATHER_TREE_OUT, tensor_number(out, at));
    }
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *token = &d->tensors[GATHER_TREE_END], *out = &d->tensors[GATHER_TREE_OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, elements;
    const uint64_t scalar[TS_MAX_DIMS] = { 0 };
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    do
        tensor_copy_element(out, o, token, scalar);
    while (tensor_next(out, o));
    for (uint64_t batch = 0; batch < out->sizes[1]; ++batch)
        for (uint64_t beam = 0; beam < out->sizes[2]; ++beam)
            make_beam(d, (uint64_t[TS_MAX_DIMS]){ 0, batch, beam }, unspecified);
}

ts_explain openvino_gather_tree_explain; /* gather_tree_explain.c */

/* gather_tree_interpretations.c */
#define INTERPRETATIONS 1
extern const ts_interpretation openvino_gather_tree_interpretations[INTERPRETATIONS];

const ts_operator operator_openvino_gather_tree = {
    .name = "openvino.gather_tree",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-tree-1.html",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attrs_size = sizeof(ts_openvino_gather_tree),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "GT1-09",
    .copy_clause = "GT1-14",
    .shape_clause = "GT1-08",
    .openvino_types = true,
    .copied = 1u << GATHER_TREE_STEPS | 1u << GATHER_TREE_END,
    .ir = &ir,
    .undefined = "E-GT1-1",
    .interpretation_count = INTERPRETATIONS,
    .interpretations = openvino_gather_tree_interpretations,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = openvino_gather_tree_explain,
};

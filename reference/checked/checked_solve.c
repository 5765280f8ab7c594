/* SPDX-License-Identifier: Apache-2.0 */
/* The sizes of outputs that a descriptor leaves open, as far as the rules determine them. An open size is 0, and a rule
   that knows what it has to be stores it (checked_solved). */
#include "reference/checked/checked.h"

void checked_solved(const ts_report *report, int tensor, uint32_t axis, wide size)
{
    const ts_solution *s = report ? report->solution : NULL;
    if (s && (s->open >> tensor & 1) && size > 0 && wide_fits(size) && s->tensors[tensor].sizes[axis] == 0)
        s->tensors[tensor].sizes[axis] = (uint64_t)size;
}

void checked_bounded(const checked_rule *rule, const ts_report *report, int tensor, uint32_t axis, wide least,
                     wide most)
{
    const ts_solution *s = report ? report->solution : NULL;
    least = least < 1 ? 1 : least;
    if (least == most)
        checked_solved(report, tensor, axis, least);
    else if (s && s->bounds && (s->open >> tensor & 1) && wide_fits(least) && wide_fits(most) &&
             s->tensors[tensor].sizes[axis] == 0)
        s->bounds[tensor][axis] = (ts_bound){ (uint64_t)least, (uint64_t)most, rule->clause };
}

static bool is_open(const ts_descriptor *d, uint32_t open, unsigned k)
{
    return (open >> k & 1) && operator_has_tensor(d, k);
}

/* ---- dimension counts ------------------------------------------------------------------------------------------- */

/* The dimension count, or 0 if no tensor can have as many. */
static uint32_t rank_of(uint64_t dimensions)
{
    return dimensions <= TS_MAX_DIMS ? (uint32_t)dimensions : 0;
}

/* What the rule says of the dimension count of tensor k, beside tensors whose own is known; 0: nothing. */
static uint32_t rank_by(const ts_descriptor *d, const checked_rule *rule, unsigned k)
{
    if (!(rule->tensors >> k & 1))
        return 0;
    if (rule->judge == checked_rank)
        return rule->number;
    if (rule->judge == checked_counts_dims && rule->tensors == UINT32_C(1) << k)
        return rank_of((uint64_t)operator_attr_value(d, rule->attr, 0) + rule->number);
    for (unsigned i = 0; rule->judge == checked_same_rank && i < d->op->tensor_count; ++i)
        if ((rule->tensors >> i & 1) && operator_has_tensor(d, i) && rank_of(d->tensors[i].rank))
            return d->tensors[i].rank;
    return 0;
}

static uint32_t rank_by_rules(const ts_descriptor *d, unsigned k)
{
    const checked_operator *declared = (const checked_operator *)(const void *)d->op;
    uint32_t rank = 0;
    for (unsigned i = 0; i < declared->rule_count && !rank; ++i)
        rank = rank_by(d, &declared->rules[i], k);
    return rank;
}

/* Where no rule says it: that of the first input, within what the support table allows. */
static uint32_t rank_by_support(const ts_descriptor *d, unsigned k)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    uint32_t rank = 1;
    for (unsigned i = d->op->tensor_count; i-- > 0;)
        if (d->op->tensors[i].role == TS_INPUT && operator_has_tensor(d, i))
            rank = d->tensors[i].rank;
    const uint32_t least = row ? row->tensors[k].min_dims : 1, most = row ? row->tensors[k].max_dims : TS_MAX_DIMS;
    return rank < least ? least : rank > most ? most : rank;
}

/* Outputs with strides have as many dimensions as these. */
static void solve_ranks(ts_descriptor *d, uint32_t open)
{
    uint32_t left = 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (!is_open(d, open, k))
            continue;
        memset(d->tensors[k].sizes, 0, sizeof d->tensors[k].sizes);
        if (d->tensors[k].given & TS_GIVEN_STRIDES)
            continue;
        d->tensors[k].rank = 0;
        left |= UINT32_C(1) << k;
    }
    for (uint32_t before = 0; left && left != before;) {
        before = left;
        for (unsigned k = 0; k < d->op->tensor_count; ++k)
            if ((left >> k & 1) && (d->tensors[k].rank = rank_by_rules(d, k)) != 0)
                left &= ~(UINT32_C(1) << k);
    }
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (left >> k & 1)
            d->tensors[k].rank = rank_by_support(d, k);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

static uint64_t open_sizes(const ts_descriptor *d, uint32_t open)
{
    uint64_t count = 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        for (uint32_t i = 0; is_open(d, open, k) && i < d->tensors[k].rank && i < TS_MAX_DIMS; ++i)
            count += d->tensors[k].sizes[i] == 0;
    return count;
}

uint32_t checked_solve(ts_descriptor *d, uint32_t open, ts_bound bounds[TS_MAX_TENSORS][TS_MAX_DIMS])
{
    ts_solution solution = { .tensors = d->tensors, .open = open, .bounds = bounds };
    uint64_t left, before;
    ts_report report; /* a full one: violations are neither stored nor written */
    report.count = TS_MAX_VIOLATIONS;
    report.dropped = 1;
    report.worst = TS_RESULT_NONE;
    operator_begin_report(d, &report);
    report.solution = &solution;
    solve_ranks(d, open);
    left = open_sizes(d, open);
    do { /* one size may follow from another */
        before = left;
        checked_check(d, &report);
        left = open_sizes(d, open);
    } while (left && left != before);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (is_open(d, open, k) && open_sizes(d, UINT32_C(1) << k) == 0)
            open &= ~(UINT32_C(1) << k);
    return open;
}

bool checked_shapes(ts_descriptor *d)
{
    ts_descriptor solved = *d;
    uint32_t outputs = 0;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (d->op->tensors[k].role == TS_OUTPUT && operator_has_tensor(d, k))
            outputs |= UINT32_C(1) << k;
    if (checked_solve(&solved, outputs, NULL))
        return false;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (!(outputs >> k & 1))
            continue;
        d->tensors[k].rank = solved.tensors[k].rank;
        memcpy(d->tensors[k].sizes, solved.tensors[k].sizes, sizeof d->tensors[k].sizes);
    }
    return true;
}

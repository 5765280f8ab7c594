/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of attention that are more than a shape. */
#include "reference/checked/checked.h"

#include <inttypes.h>

/* The first tensor of the rule that is given, or -1. */
static int first_given(const ts_descriptor *d, const checked_rule *rule)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if ((rule->tensors >> k & 1) && operator_has_tensor(d, k))
            return (int)k;
    return -1;
}

void checked_mask(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int mask = first_given(d, rule);
    unsigned sizes = 1;
    if (mask < 0 || operator_attr_value(d, rule->attr, 0) != rule->number)
        return;
    if (!rule->shape) {
        checked_violate(rule, report, mask, -1, "MaskTensor is given, and MaskType = NONE");
        return;
    }
    for (const char *at = strchr(rule->shape, ','); at; at = strchr(at + 1, ','))
        sizes++;
    if (d->tensors[mask].rank < sizes)
        checked_violate(rule, report, mask, -1, "MaskTensor.DimensionCount = %u is less than the %u of %s",
                        d->tensors[mask].rank, sizes, rule->shape);
    else
        checked_shape(d, rule, report);
}

static int past_lengths(const ts_descriptor *d)
{
    const int k = operator_tensor_index(d->op, "PastSequenceLengthsTensor");
    return k >= 0 && operator_has_tensor(d, (unsigned)k) ? k : -1;
}

void checked_present(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    if (past_lengths(d) < 0)
        checked_shape(d, rule, report);
}

void checked_head_counts(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t queries = checked_value(d, "QueryHeadCount", 0, 0),
                  keys = checked_value(d, "KeyValueHeadCount", 0, 0);
    if (keys == 0 || queries % keys != 0)
        checked_violate(rule, report, -1, -1,
                        "KeyValueHeadCount = %" PRId64 " does not divide QueryHeadCount = %" PRId64, keys, queries);
}

/* The size along the sequence of what has the keys; 0 if nothing has. */
static uint64_t key_sequence(const ts_descriptor *d)
{
    static const char *const stacked[] = { "StackedQueryKeyTensor", "StackedKeyValueTensor",
                                           "StackedQueryKeyValueTensor" };
    const ts_tensor *key = &d->tensors[operator_tensor_index(d->op, "KeyTensor")];
    if ((key->given & TS_GIVEN_TENSOR) && key->rank > 1)
        return key->sizes[key->rank - 2];
    for (size_t i = 0; i < sizeof stacked / sizeof stacked[0]; ++i) {
        const ts_tensor *t = &d->tensors[operator_tensor_index(d->op, stacked[i])];
        if ((t->given & TS_GIVEN_TENSOR) && t->rank > 1)
            return t->sizes[1];
    }
    return 0;
}

void checked_past_lengths(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int key = operator_tensor_index(d->op, "OutputPresentKeyTensor"), value = key + 1,
              excluded = first_given(d, rule);
    const ts_tensor *keys = &d->tensors[key], *values = &d->tensors[value];
    if (past_lengths(d) < 0)
        return;
    if (excluded >= 0)
        checked_violate(rule, report, excluded, -1, "%s is given as well as PastSequenceLengthsTensor",
                        d->op->tensors[excluded].name);
    for (int k = key; k <= value; ++k)
        if (!operator_has_tensor(d, (unsigned)k))
            checked_violate(rule, report, k, -1, "%s is missing, but PastSequenceLengthsTensor is given",
                            d->op->tensors[k].name);
    if (!operator_has_tensor(d, (unsigned)key) || !operator_has_tensor(d, (unsigned)value) || keys->rank < 4 ||
        values->rank < 4)
        return;
    const uint64_t length = keys->sizes[keys->rank - 2];
    if (length != 0)
        checked_expect(d, rule, report, value, values->rank - 2, length, "that of OutputPresentKeyTensor");
    if (length < key_sequence(d) && length != 0)
        checked_violate(rule, report, key, (int)keys->rank - 2,
                        "OutputPresentKeyTensor.Sizes[%u] = %" PRIu64 " is less than KV = %" PRIu64, keys->rank - 2,
                        length, key_sequence(d));
}

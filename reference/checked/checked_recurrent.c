/* SPDX-License-Identifier: Apache-2.0 */
/* The directions of recurrent networks. */
#include "reference/checked/checked.h"

#include <inttypes.h>

enum { BIDIRECTIONAL = 2 };

static int64_t directions(const ts_descriptor *d)
{
    const int k = operator_attr_index(d->op, "Direction");
    return operator_attr_value(d, (unsigned)k, 0) == BIDIRECTIONAL ? 2 : 1;
}

void checked_directions(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int k = operator_tensor_index(d->op, "WeightTensor");
    const ts_tensor *t = &d->tensors[k];
    if (t->rank == 4 && t->sizes[1] != 0 && t->sizes[1] != (uint64_t)directions(d))
        checked_violate(rule, report, k, 1,
                        "WeightTensor.Sizes[1] = %" PRIu64 " is not the number of directions, %" PRId64, t->sizes[1],
                        directions(d));
}

void checked_activations(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t count = operator_attr_value(d, rule->attr, 0), wanted = rule->number * directions(d);
    if (count != wanted)
        checked_violate(rule, report, -1, -1, "ActivationDescCount = %" PRId64 " is not %" PRId64, count, wanted);
}

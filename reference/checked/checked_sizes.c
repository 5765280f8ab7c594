/* SPDX-License-Identifier: Apache-2.0 */
/* How the sizes of tensors follow from each other. Sizes of 0 are BUF-06. */
#include "reference/checked/checked.h"

#include <inttypes.h>

/* The rule's tensor number n, from 0; it is given. -1: it is not. */
static int tensor_of(const ts_descriptor *d, const checked_rule *rule, unsigned n)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if ((rule->tensors >> k & 1) && n-- == 0)
            return operator_has_tensor(d, k) ? (int)k : -1;
    return -1;
}

/* Two tensors of the rule with the same DimensionCount. */
static bool pair(const ts_descriptor *d, const checked_rule *rule, int *from, int *to)
{
    *from = tensor_of(d, rule, 0);
    *to = tensor_of(d, rule, 1);
    return *from >= 0 && *to >= 0 && d->tensors[*from].rank == d->tensors[*to].rank;
}

void checked_reduced(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int from, to;
    if (!pair(d, rule, &from, &to))
        return;
    for (uint32_t i = 0; i < d->tensors[from].rank; ++i) {
        bool reduced = false;
        for (uint32_t k = 0; k < operator_attr_count(d, rule->attr); ++k)
            reduced = reduced || operator_attr_value(d, rule->attr, k) == i;
        if (reduced)
            checked_expect(d, rule, report, to, i, 1, "the size of a reduced axis");
        else if (d->tensors[from].sizes[i] != 0)
            checked_expect(d, rule, report, to, i, d->tensors[from].sizes[i], "the input's");
    }
}

/* Sizes are alike but along an axis. */
static void compare_but(const ts_descriptor *d, const checked_rule *rule, ts_report *report, int64_t along,
                        const char *what)
{
    int from, to;
    if (!pair(d, rule, &from, &to))
        return;
    const int64_t axis = operator_attr_value(d, rule->attr, 0);
    for (uint32_t i = 0; i < d->tensors[from].rank; ++i) {
        if (i == axis && along >= 0)
            checked_expect(d, rule, report, to, i, (uint64_t)along, what);
        else if (i != axis && d->tensors[from].sizes[i] != 0)
            checked_expect(d, rule, report, to, i, d->tensors[from].sizes[i], "that of the other tensor");
    }
}

void checked_top_k(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    compare_but(d, rule, report, checked_value(d, "K", 0, 0), "K");
}

void checked_one_along(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    compare_but(d, rule, report, 1, "the size along Axis");
}

void checked_alike_but(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    compare_but(d, rule, report, -1, "");
}

void checked_splits(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_tensor_list *l = &d->op->lists[0];
    const int whole = operator_tensor_index(d->op, "InputTensor");
    const int64_t axis = checked_value(d, "Axis", 0, 0);
    char text[WIDE_TEXT];
    wide sum = 0;
    unsigned open = 0, last = 0; /* how many sizes along the axis are open, and the tensor of one */
    if (axis >= d->tensors[whole].rank)
        return; /* the axis' own clause */
    for (unsigned k = l->first; k < l->first + operator_list_length(d, l); ++k) {
        if (d->tensors[k].rank != d->tensors[whole].rank)
            return; /* and that of the ranks */
        for (uint32_t i = 0; i < d->tensors[k].rank; ++i)
            if (i != axis && d->tensors[whole].sizes[i] != 0)
                checked_expect(d, rule, report, (int)k, i, d->tensors[whole].sizes[i], "the input's");
        sum += d->tensors[k].sizes[axis];
        if (d->tensors[k].sizes[axis] == 0 && ++open)
            last = k;
    }
    if (open == 1)
        checked_solved(report, (int)last, (uint32_t)axis, d->tensors[whole].sizes[axis] - sum);
    if (open == 0 && sum != d->tensors[whole].sizes[axis])
        checked_violate(rule, report, whole, (int)axis,
                        "the sizes of OutputTensors along Axis add up to %s, not to InputTensor.Sizes[%" PRId64
                        "] = %" PRIu64,
                        wide_text(sum, text), axis, d->tensors[whole].sizes[axis]);
}

void checked_padded(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int from, to;
    if (!pair(d, rule, &from, &to))
        return;
    for (uint32_t i = 0; i < d->tensors[from].rank; ++i)
        if (d->tensors[from].sizes[i] != 0)
            checked_expect(d, rule, report, to, i,
                           (wide)d->tensors[from].sizes[i] + checked_value(d, "StartPadding", i, 0) +
                               checked_value(d, "EndPadding", i, 0),
                           "the input's with its padding");
}

void checked_padding_level(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    enum { SYMMETRIC = 3, WRAP = 4 };
    const int64_t mode = checked_value(d, "PaddingMode", 0, 0);
    checked_rule of_mode = *rule;
    of_mode.until = mode == SYMMETRIC ? TS_LEVEL_3_0 : mode == WRAP ? TS_LEVEL_6_4 : 0;
    if (of_mode.until && d->feature_level && d->feature_level < of_mode.until)
        checked_violate(&of_mode, report, -1, -1, "PaddingMode = %s needs feature level %s", checked_padding_mode[mode],
                        tensor_level_name(of_mode.until));
}

void checked_tiled(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int from, to;
    if (!pair(d, rule, &from, &to))
        return;
    for (uint32_t i = 0; i < d->tensors[from].rank; ++i)
        if (checked_value(d, "Repeats", i, 0) > 0 && d->tensors[from].sizes[i] != 0)
            checked_expect(d, rule, report, to, i,
                           wide_mul(d->tensors[from].sizes[i], checked_value(d, "Repeats", i, 0)),
                           "the input's, repeated");
}

void checked_sliced(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int from, to;
    if (!pair(d, rule, &from, &to))
        return;
    for (uint32_t i = 0; i < d->tensors[from].rank; ++i) {
        const int64_t offset = checked_value(d, "Offsets", i, 0), size = checked_value(d, "Sizes", i, 0),
                      stride = checked_value(d, "Strides", i, 0);
        char text[WIDE_TEXT];
        if (size < 1)
            continue; /* its own clause */
        checked_expect(d, rule, report, to, i, size, "the size of the slice");
        const wide last = offset + wide_mul(size - 1, stride);
        if (last >= d->tensors[from].sizes[i])
            checked_violate(rule, report, from, (int)i,
                            "Offsets[%u] + (Sizes[%u] - 1) * Strides[%u] = %s is not below InputTensor.Sizes[%u] = "
                            "%" PRIu64,
                            i, i, i, wide_text(last, text), i, d->tensors[from].sizes[i]);
    }
}

void checked_slice_grad(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int gradient, whole;
    if (!pair(d, rule, &gradient, &whole))
        return;
    for (uint32_t i = 0; i < d->tensors[whole].rank; ++i) {
        const int64_t offset = checked_value(d, "InputWindowOffsets", i, 0),
                      size = checked_value(d, "InputWindowSizes", i, 0),
                      stride = checked_value(d, "InputWindowStrides", i, 0);
        if (size < 1 || stride == 0) {
            checked_violate(rule, report, -1, (int)i, "%s[%u] = 0",
                            size < 1 ? "InputWindowSizes" : "InputWindowStrides", i);
            continue;
        }
        checked_bounded(rule, report, whole, i, (wide)offset + size, 0);
        if (d->tensors[whole].sizes[i] != 0 && (uint64_t)(offset + size) > d->tensors[whole].sizes[i])
            checked_violate(rule, report, whole, (int)i,
                            "InputWindowOffsets[%u] + InputWindowSizes[%u] = %" PRId64
                            " exceeds OutputGradientTensor.Sizes[%u] = %" PRIu64,
                            i, i, offset + size, i, d->tensors[whole].sizes[i]);
        const uint64_t most = 1 + (uint64_t)(size - 1) / (uint64_t)(stride < 0 ? -stride : stride);
        if (d->tensors[gradient].sizes[i] > most)
            checked_violate(rule, report, gradient, (int)i,
                            "InputGradientTensor.Sizes[%u] = %" PRIu64 " exceeds the %" PRIu64 " that the window has",
                            i, d->tensors[gradient].sizes[i], most);
    }
}

void checked_multiplied(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int ka = operator_tensor_index(d->op, "ATensor"), kb = operator_tensor_index(d->op, "BTensor"),
              ko = operator_tensor_index(d->op, "OutputTensor");
    const ts_tensor *a = &d->tensors[ka], *b = &d->tensors[kb], *out = &d->tensors[ko];
    const uint32_t rank = out->rank, ta = checked_value(d, "TransA", 0, 0) == 1,
                   tb = checked_value(d, "TransB", 0, 0) == 1;
    if (a->rank != rank || b->rank != rank || rank < 2)
        return; /* the clause of the ranks */
    for (uint32_t i = 0; i + 2 < rank; ++i) {
        if (a->sizes[i] == 0)
            continue;
        checked_expect(d, rule, report, kb, i, a->sizes[i], "that of ATensor");
        checked_expect(d, rule, report, ko, i, a->sizes[i], "that of ATensor");
    }
    checked_expect(d, rule, report, ko, rank - 2, a->sizes[rank - 2 + ta],
                   ta ? "the columns of ATensor" : "the rows of ATensor");
    checked_expect(d, rule, report, ko, rank - 1, b->sizes[rank - 1 - tb],
                   tb ? "the rows of BTensor" : "the columns of BTensor");
    checked_expect(d, rule, report, kb, rank - 2 + tb, a->sizes[rank - 1 - ta],
                   ta ? "the rows of ATensor" : "the columns of ATensor");
}

void checked_coordinates(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    int from, to;
    wide elements = 1;
    uint32_t leading = 0;
    if (!pair(d, rule, &from, &to) || d->tensors[from].rank < 2)
        return;
    const ts_tensor *in = &d->tensors[from], *out = &d->tensors[to];
    const uint32_t rank = in->rank;
    for (uint32_t i = 0; i < rank; ++i)
        elements = wide_mul(elements, in->sizes[i]);
    if (elements == 0)
        return;
    while (leading < rank && in->sizes[leading] == 1)
        leading++;
    for (uint32_t i = 0; i + 2 < rank; ++i)
        checked_expect(d, rule, report, to, i, 1, "a leading size");
    checked_expect(d, rule, report, to, rank - 2, elements, "the number of the input's elements");
    checked_bounded(rule, report, to, rank - 1, rank - leading, rank);
    if (out->sizes[rank - 1] == 0)
        return;
    if (out->sizes[rank - 1] < rank - leading || out->sizes[rank - 1] > rank)
        checked_violate(rule, report, to, (int)rank - 1, "%s.Sizes[%u] = %" PRIu64 " is not within %u to %u",
                        d->op->tensors[to].name, rank - 1, out->sizes[rank - 1], rank - leading, rank);
}

void checked_two_values(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int values = tensor_of(d, rule, 0);
    uint64_t elements = 0;
    if (values >= 0 && tensor_element_count(&d->tensors[values], &elements) && elements == 1)
        checked_violate(rule, report, values, -1, "%s has one element", d->op->tensors[values].name);
}

void checked_k(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int in = tensor_of(d, rule, 0);
    const int64_t axis = checked_value(d, "Axis", 0, 0), k = checked_value(d, "K", 0, 0);
    if (axis < d->tensors[in].rank && d->tensors[in].sizes[axis] != 0 && (uint64_t)k > d->tensors[in].sizes[axis])
        checked_violate(rule, report, in, (int)axis,
                        "K = %" PRId64 " exceeds InputTensor.Sizes[%" PRId64 "] = %" PRIu64, k, axis,
                        d->tensors[in].sizes[axis]);
}

/* ---- numbers of single operators ---- */

void checked_p(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t p = checked_value(d, "P", 0, 0);
    if (p != 1 && p != 2)
        checked_violate(rule, report, -1, -1, "P = %" PRId64 " is neither 1 nor 2", p);
}

enum { AVERAGE = 2, MAX = 7 }; /* in the order of checked_reduce_function */

void checked_reduction(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t function = checked_value(d, "ReductionFunction", 0, 0);
    if (function != AVERAGE && function != MAX)
        checked_violate(rule, report, -1, -1, "ReductionFunction = %" PRId64 " is neither AVERAGE nor MAX", function);
}

void checked_samples(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t least = checked_value(d, "MinimumSamplesPerOutput", 0, 0),
                  most = checked_value(d, "MaximumSamplesPerOutput", 0, 0);
    if (least < 1 || least > most)
        checked_violate(rule, report, -1, -1,
                        "MinimumSamplesPerOutput = %" PRId64 " is not within 1 to MaximumSamplesPerOutput = %" PRId64,
                        least, most);
}

void checked_roi_input(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const unsigned input = 0, gradient = (unsigned)operator_tensor_index(d->op, "OutputROIGradientTensor");
    const bool max = checked_value(d, "ReductionFunction", 0, 0) == MAX, wanted = operator_has_tensor(d, gradient);
    if ((max || wanted) && !operator_has_tensor(d, input))
        checked_violate(rule, report, (int)input, -1, "InputTensor is missing, but %s",
                        wanted ? "OutputROIGradientTensor is given" : "ReductionFunction = MAX");
}

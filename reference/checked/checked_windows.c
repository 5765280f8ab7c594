/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes that windows give: pooling, convolution, and blocks. */
#include "reference/checked/checked.h"

#include <inttypes.h>

/* The number of places of a window along a spatial dimension: (size + padding - reach) / stride + 1. -1: the window
   does not fit, or the stride is 0. */
static wide places(const ts_descriptor *d, uint32_t i, uint64_t size, uint64_t window)
{
    const int64_t stride = checked_value(d, "Strides", i, 1), dilation = checked_value(d, "Dilations", i, 1);
    const wide padded = (wide)size + checked_value(d, "StartPadding", i, 0) + checked_value(d, "EndPadding", i, 0);
    if (stride < 1 || window < 1)
        return -1;
    const wide reach = wide_mul((wide)window - 1, dilation) + 1;
    return reach > padded ? -1 : (padded - reach) / stride + 1;
}

/* Where the size is open of which a window has `count` places, it is one of as many as the stride. */
static void bound(const ts_descriptor *d, const checked_rule *rule, ts_report *report, int tensor, uint32_t axis,
                  uint32_t i, uint64_t window, uint64_t count)
{
    const int64_t stride = checked_value(d, "Strides", i, 1), dilation = checked_value(d, "Dilations", i, 1);
    if (stride < 1 || window < 1 || count < 1)
        return;
    const wide least = wide_mul((wide)count - 1, stride) + wide_mul((wide)window - 1, dilation) + 1 -
                       checked_value(d, "StartPadding", i, 0) - checked_value(d, "EndPadding", i, 0);
    if (least + stride - 1 >= 1)
        checked_bounded(rule, report, tensor, axis, least, least + stride - 1);
}

/* Compare a size with a number of places. */
static void expect(const ts_descriptor *d, const checked_rule *rule, ts_report *report, int tensor, uint32_t axis,
                   wide expected, const char *why)
{
    if (expected < 0)
        checked_violate(rule, report, tensor, (int)axis, "the window does not fit into dimension %u with its padding",
                        axis);
    else
        checked_expect(d, rule, report, tensor, axis, expected, why);
}

void checked_pooled(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_tensor *from = &d->tensors[rule->attr], *to = &d->tensors[rule->number];
    const uint32_t spatial = (uint32_t)checked_value(d, "DimensionCount", 0, 0);
    if (from->rank != to->rank || from->rank < 3 || spatial != from->rank - 2)
        return; /* the clauses of the ranks and of DimensionCount */
    for (uint32_t i = 0; i < 2; ++i) {
        checked_solved(report, rule->attr, i, to->sizes[i]);
        if (from->sizes[i] != 0)
            expect(d, rule, report, rule->number, i, from->sizes[i], "that of the other tensor");
    }
    for (uint32_t i = 0; i < spatial; ++i) {
        const uint64_t window = (uint64_t)checked_value(d, "WindowSize", i, 1);
        if (from->sizes[i + 2] == 0)
            bound(d, rule, report, rule->attr, i + 2, i, window, to->sizes[i + 2]);
        else
            expect(d, rule, report, rule->number, i + 2, places(d, i, from->sizes[i + 2], window),
                   "the number of windows");
    }
}

/* The size of a spatial dimension of a transposed convolution's output. */
static wide transposed(const ts_descriptor *d, uint32_t i, uint64_t size, uint64_t filter)
{
    return wide_mul(size - 1, checked_value(d, "Strides", i, 1)) +
           wide_mul(filter - 1, checked_value(d, "Dilations", i, 1)) + 1 - checked_value(d, "StartPadding", i, 0) -
           checked_value(d, "EndPadding", i, 0);
}

/* The tensors of a convolution, if their ranks agree and no size of an input is 0; both have clauses of their own.
   `spatial` is the number of spatial dimensions that they have, whatever DimensionCount says. */
typedef struct convolution {
    int in, filter, out;
    bool backward;
    uint32_t spatial;
} convolution;

static bool begin_convolution(const ts_descriptor *d, convolution *c)
{
    c->in = operator_tensor_index(d->op, "InputTensor");
    c->filter = operator_tensor_index(d->op, "FilterTensor");
    c->out = operator_tensor_index(d->op, "OutputTensor");
    c->backward = checked_value(d, "Direction", 0, 0) == 1;
    const uint32_t rank = d->tensors[c->in].rank;
    c->spatial = rank - 2;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        for (uint32_t i = 0; (int)k != c->out && operator_has_tensor(d, k) && i < d->tensors[k].rank; ++i)
            if (d->tensors[k].sizes[i] == 0)
                return false;
    return rank >= 3 && d->tensors[c->filter].rank == rank && d->tensors[c->out].rank == rank;
}

void checked_one_batch(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    convolution c;
    if (begin_convolution(d, &c))
        expect(d, rule, report, c.out, 0, d->tensors[c.in].sizes[0], "the input's");
}

void checked_convolved(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const int64_t groups = checked_value(d, "GroupCount", 0, 1);
    convolution c;
    if (!begin_convolution(d, &c) || groups < 1)
        return;
    const ts_tensor *in = &d->tensors[c.in], *filter = &d->tensors[c.filter];
    if (rule->number == 0)
        expect(d, rule, report, c.out, 0, in->sizes[0], "the input's");
    if (in->sizes[1] % (uint64_t)groups != 0)
        checked_violate(rule, report, c.in, 1,
                        "InputTensor.Sizes[1] = %" PRIu64 " is not a multiple of GroupCount = %" PRId64, in->sizes[1],
                        groups);
    else if (c.backward)
        expect(d, rule, report, c.filter, 0, in->sizes[1], "the channels of the input");
    else
        expect(d, rule, report, c.filter, 1, in->sizes[1] / (uint64_t)groups, "the channels of the input in a group");
    expect(d, rule, report, c.out, 1, c.backward ? wide_mul(filter->sizes[1], groups) : filter->sizes[0],
           "the channels that the filter gives");
    if (!c.backward && filter->sizes[0] % (uint64_t)groups != 0)
        checked_violate(rule, report, c.filter, 0,
                        "FilterTensor.Sizes[0] = %" PRIu64 " is not a multiple of "
                        "GroupCount = %" PRId64,
                        filter->sizes[0], groups);
}

void checked_convolved_sizes(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    convolution c;
    if (!begin_convolution(d, &c) || checked_value(d, "DimensionCount", 0, 0) != c.spatial)
        return;
    const ts_tensor *in = &d->tensors[c.in], *filter = &d->tensors[c.filter];
    for (uint32_t i = 0; i < c.spatial; ++i) {
        const int64_t added = checked_value(d, "OutputPadding", i, 0);
        const wide size = c.backward ? transposed(d, i, in->sizes[i + 2], filter->sizes[i + 2])
                                     : places(d, i, in->sizes[i + 2], filter->sizes[i + 2]);
        expect(d, rule, report, c.out, i + 2, size < 0 ? -1 : size + added, "the size of the convolution");
    }
}

void checked_output_padding(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    convolution c;
    if (!begin_convolution(d, &c))
        return;
    for (uint32_t i = 0; i < c.spatial; ++i) {
        const int64_t added = checked_value(d, "OutputPadding", i, 0);
        if (d->tensors[c.out].sizes[i + 2] != 0 && (uint64_t)added >= d->tensors[c.out].sizes[i + 2])
            checked_violate(rule, report, c.out, (int)i + 2,
                            "OutputPadding[%u] = %" PRId64 " is not below OutputTensor.Sizes[%u] = %" PRIu64, i, added,
                            i + 2, d->tensors[c.out].sizes[i + 2]);
    }
}

void checked_unfolded(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_tensor *picture = &d->tensors[rule->attr], *blocks = &d->tensors[rule->number];
    const uint32_t spatial = (uint32_t)checked_value(d, "DimensionCount", 0, 0);
    wide count = 1, elements = 1; /* windows, and elements of each */
    if (blocks->rank < 3 || picture->rank < 3 || spatial > 6 || picture->rank < spatial + 2)
        return; /* the clause of the ranks */
    const uint32_t first = blocks->rank - 3, lead = picture->rank - spatial - 2;
    for (uint32_t i = 0; i < spatial; ++i)
        elements = wide_mul(elements, checked_value(d, "WindowSizes", i, 1));
    checked_solved(report, rule->attr, lead, blocks->sizes[first]);
    if (elements > 0 && blocks->sizes[first + 1] % elements == 0)
        checked_solved(report, rule->attr, lead + 1, blocks->sizes[first + 1] / elements);
    for (uint32_t i = 0; i < spatial; ++i)
        if (picture->sizes[lead + 2 + i] == 0)
            return;
    for (uint32_t i = 0; i < spatial; ++i) {
        const wide n =
            places(d, i, picture->sizes[lead + 2 + i], (uint64_t)checked_value(d, "WindowSizes", i, 1));
        if (n < 0) {
            expect(d, rule, report, rule->attr, lead + 2 + i, -1, "");
            return;
        }
        count = wide_mul(count, n);
    }
    expect(d, rule, report, rule->number, first, picture->sizes[lead], "that of the other tensor");
    expect(d, rule, report, rule->number, first + 1, wide_mul(elements, picture->sizes[lead + 1]),
           "the elements of a window");
    expect(d, rule, report, rule->number, first + 2, count, "the number of windows");
}

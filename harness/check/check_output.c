/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that a descriptor leaves out, of an operator whose sizes follow from rules (ts_operator.solve). */
#include "harness/check/check_output.h"

#include "harness/model/mention.h"

#include <string.h>

/* Strides and bytes follow from sizes and type, unless more bytes are stated. */
static void settle(ts_tensor *t, const ts_tensor *before)
{
    uint64_t needed = 0, needed_before = 0;
    const bool stated =
        before->total_bytes != 0 && !(tensor_min_bytes(before, &needed_before) && before->total_bytes == needed_before);
    if (!(t->given & TS_GIVEN_STRIDES))
        tensor_pack(t);
    if (!stated)
        t->total_bytes = tensor_min_bytes(t, &needed) ? needed : 0;
}

static void give_type(ts_tensor *t, uint32_t dtype)
{
    const ts_tensor before = *t;
    t->dtype = dtype;
    settle(t, &before);
}

static void judge(const ts_descriptor *d, ts_report *report)
{
    report->count = report->dropped = 0;
    report->worst = TS_RESULT_NONE;
    operator_check(d, report);
}

static bool names_type(const ts_descriptor *d, const ts_violation *v, unsigned k)
{
    ts_mention list[16];
    const size_t count = mention_list(d, v, list, sizeof list / sizeof list[0]);
    for (size_t i = 0; i < count; ++i)
        if (list[i].tensor == (int)k && strcmp(list[i].field, "DataType") == 0)
            return true;
    return false;
}

/* ---- data types -------------------------------------------------------------------------------------------------- */

static bool type_fits(const ts_descriptor *d, unsigned k)
{
    ts_report report;
    judge(d, &report);
    for (unsigned i = 0; i < report.count; ++i)
        if (names_type(d, &report.items[i], k))
            return false;
    return true;
}

/* axis: -1 for all of the field. */
static void mark_unread(check_item *item, unsigned k, const char *field, int axis)
{
    descriptor_gaps *gaps = &item->gaps;
    item->undecided = true;
    if (gaps->unread_count == DESCRIPTOR_MOST_UNREAD)
        return;
    ts_mention *m = &gaps->unread[gaps->unread_count++];
    *m = (ts_mention){ (int)k, -1, "", axis };
    strcpy(m->field, field);
}

/* The type of an output is the only one that the rules allow. */
static void infer_type(check_item *item, unsigned k)
{
    ts_descriptor *d = &item->d;
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    uint32_t first = TS_DTYPE_UNKNOWN, fitting = 0;
    for (uint32_t type = 1; row && type < TS_DTYPE_COUNT; ++type) {
        if (!(row->tensors[k].dtypes & TS_DTYPE_BIT(type)))
            continue;
        give_type(&d->tensors[k], type);
        if (!type_fits(d, k))
            continue;
        first = fitting ? first : type;
        fitting |= TS_DTYPE_BIT(type);
    }
    if (first != TS_DTYPE_UNKNOWN)
        give_type(&d->tensors[k], first);
    item->fitting[k] = fitting;
    if (fitting == 0 || (fitting & (fitting - 1)))
        mark_unread(item, k, "DataType", -1);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* Infer the sizes of the outputs of a mask. Where rules may speak of what was not read, only their dimension counts.
   Returns the mask of those that remain open. */
static uint32_t infer_sizes(check_item *item, uint32_t open)
{
    ts_descriptor *d = &item->d, before = *d;
    const bool misread = item->gaps.mistake_count || item->found.count;
    const uint32_t left = d->op->solve(d, open, misread ? NULL : item->bounds);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (!(open >> k & 1))
            continue;
        if (misread)
            memset(d->tensors[k].sizes, 0, sizeof d->tensors[k].sizes);
        settle(&d->tensors[k], &before.tensors[k]);
    }
    return misread ? open : left;
}

static void mark_open_sizes(check_item *item, unsigned k)
{
    const ts_tensor *t = &item->d.tensors[k];
    bool known = false; /* is anything? */
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        known = known || t->sizes[i] != 0 || item->bounds[k][i].clause;
    if (!known)
        mark_unread(item, k, "Sizes", -1);
    for (uint32_t i = 0; known && i < t->rank && i < TS_MAX_DIMS; ++i)
        if (t->sizes[i] == 0)
            mark_unread(item, k, "Sizes", (int)i);
}

void check_settle_outputs(check_item *item)
{
    ts_descriptor *d = &item->d;
    descriptor_gaps *gaps = &item->gaps;
    const uint32_t types = gaps->absent | gaps->inferred_type;
    if (!d->op->solve || !(types | gaps->no_shape))
        return;
    if (gaps->no_shape)
        gaps->no_shape = infer_sizes(item, gaps->no_shape);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (types >> k & 1)
            infer_type(item, k);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (gaps->no_shape >> k & 1)
            mark_open_sizes(item, k);
}

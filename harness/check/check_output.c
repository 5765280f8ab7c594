/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that a descriptor leaves out, of an operator that is checked only: such an operator has rules, but no
   function that computes a shape. What the rules require is found by trial: stand-ins take the output's place, and what
   every stand-in is told to be instead is what the output is. */
#include "harness/check/check_output.h"

#include "harness/model/mention.h"

#include <string.h>

static const uint64_t primes[] = { 13, 17, 19 }; /* stand-ins: rarely sizes of other tensors */
#define PRIMES        (sizeof primes / sizeof primes[0])
#define MOST_ELEMENTS (UINT64_C(1) << 28) /* a larger stand-in would break limits of its own */

/* ---- stand-ins --------------------------------------------------------------------------------------------------- */

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

/* Give the outputs of a mask one size along all axes. False if that is too large a tensor. */
static bool give_size(ts_descriptor *d, uint32_t outputs, uint64_t size)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        ts_tensor *t = &d->tensors[k];
        const ts_tensor before = *t;
        uint64_t elements = 1;
        if (!(outputs >> k & 1))
            continue;
        for (uint32_t i = 0; i < t->rank; ++i) {
            t->sizes[i] = size;
            if (__builtin_mul_overflow(elements, size, &elements) || elements > MOST_ELEMENTS)
                return false;
        }
        settle(t, &before);
    }
    return true;
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

static void mark_unread(check_item *item, unsigned k, const char *field)
{
    descriptor_gaps *gaps = &item->gaps;
    item->undecided = true;
    if (gaps->unread_count == DESCRIPTOR_MOST_UNREAD)
        return;
    ts_mention *m = &gaps->unread[gaps->unread_count++];
    *m = (ts_mention){ (int)k, -1, "", -1 };
    strcpy(m->field, field);
}

/* The type of an output is that of the first input, if the rules allow it, or the only one that they allow. */
static void infer_type(check_item *item, unsigned k)
{
    ts_descriptor *d = &item->d;
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    uint32_t fitting = 0, first = TS_DTYPE_UNKNOWN;
    if (type_fits(d, k))
        return;
    for (uint32_t type = 1; row && type < TS_DTYPE_COUNT; ++type) {
        if (!(row->tensors[k].dtypes & TS_DTYPE_BIT(type)))
            continue;
        give_type(&d->tensors[k], type);
        if (!type_fits(d, k))
            continue;
        first = fitting++ ? first : type;
    }
    if (first != TS_DTYPE_UNKNOWN)
        give_type(&d->tensors[k], first);
    if (fitting != 1)
        mark_unread(item, k, "DataType");
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* What the rules require of an axis while all open outputs have this size; the size itself if nothing. */
static uint64_t required_of(const ts_report *report, unsigned k, uint32_t axis, uint64_t size)
{
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        if (v->tensor == (int)k && v->axis == (int)axis && v->required)
            return v->required;
    }
    return size;
}

/* Give an output the sizes that every stand-in was told. False if the rules do not say one of them. */
static bool take_sizes(ts_descriptor *d, unsigned k, const ts_report told[PRIMES])
{
    ts_tensor *t = &d->tensors[k];
    const ts_tensor before = *t;
    uint64_t sizes[TS_MAX_DIMS];
    for (uint32_t i = 0; i < t->rank; ++i) {
        unsigned silent = 0;
        sizes[i] = required_of(&told[0], k, i, primes[0]);
        if (sizes[i] == primes[0]) /* the stand-in may have been right */
            sizes[i] = required_of(&told[1], k, i, primes[1]);
        for (size_t s = 0; s < PRIMES; ++s) {
            const uint64_t required = required_of(&told[s], k, i, primes[s]);
            silent += required == primes[s];
            if (required != sizes[i])
                return false;
        }
        if (silent > 1)
            return false;
    }
    memcpy(t->sizes, sizes, t->rank * sizeof sizes[0]);
    settle(t, &before);
    return true;
}

/* Infer the sizes of the outputs of a mask, one from another. Returns the mask of those that remain open. */
static uint32_t infer_sizes(ts_descriptor *d, uint32_t open)
{
    ts_descriptor stood;
    ts_report told[PRIMES];
    uint32_t before = 0;
    while (open && open != before) {
        bool fine = true;
        before = open;
        for (size_t s = 0; s < PRIMES; ++s) {
            stood = *d;
            fine = fine && give_size(&stood, open, primes[s]);
            judge(&stood, &told[s]);
        }
        for (unsigned k = 0; fine && k < d->op->tensor_count; ++k)
            if ((open >> k & 1) && take_sizes(d, k, told))
                open &= ~(UINT32_C(1) << k);
    }
    return open;
}

/* Stand-ins have a dimension count that the support table allows. */
static void give_rank(const check_item *item, ts_tensor *t, unsigned k)
{
    const ts_support_row *row = operator_support_row(item->d.op, item->d.feature_level);
    const ts_tensor before = *t;
    const uint32_t least = row ? row->tensors[k].min_dims : 1, most = row ? row->tensors[k].max_dims : TS_MAX_DIMS;
    if (!(t->given & TS_GIVEN_STRIDES)) /* which say the dimension count */
        t->rank = t->rank < least ? least : t->rank > most ? most : t->rank;
    for (uint32_t i = 0; i < TS_MAX_DIMS; ++i)
        t->sizes[i] = i < t->rank;
    settle(t, &before);
}

void check_settle_outputs(check_item *item)
{
    ts_descriptor *d = &item->d;
    descriptor_gaps *gaps = &item->gaps;
    const uint32_t types = gaps->absent | gaps->inferred_type;
    if (operator_computes(d->op) || !(types | gaps->no_shape))
        return;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (gaps->no_shape >> k & 1)
            give_rank(item, &d->tensors[k], k);
        if (types >> k & 1)
            infer_type(item, k);
    }
    if (gaps->mistake_count == 0 && item->found.count == 0) /* else a rule might speak of what was not read */
        gaps->no_shape = infer_sizes(d, gaps->no_shape);
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (gaps->no_shape >> k & 1)
            mark_unread(item, k, "Sizes");
}

/* ---- what depends on stand-ins ----------------------------------------------------------------------------------- */

/* Keep the violations that another report has, too. */
static void keep_common(ts_report *report, const ts_report *other, unsigned first)
{
    unsigned count = first;
    for (unsigned i = first; i < report->count; ++i) {
        bool common = other->dropped > 0;
        for (unsigned j = 0; j < other->count && !common; ++j)
            common = strcmp(report->items[i].clause, other->items[j].clause) == 0 &&
                     strcmp(report->items[i].text, other->items[j].text) == 0;
        if (common)
            report->items[count++] = report->items[i];
    }
    report->count = count;
}

void check_keep_independent(const check_item *item, const ts_descriptor *d, unsigned first, ts_report *report)
{
    const uint32_t open = operator_computes(d->op) ? 0 : item->gaps.no_shape;
    ts_descriptor stood = *d;
    ts_report told;
    for (size_t s = 0; open && s < PRIMES; ++s) {
        if (give_size(&stood, open, primes[s])) {
            judge(&stood, &told);
            keep_common(report, &told, first);
        }
    }
    /* a message without numbers may be alike for all of these, and not for a size that another tensor has */
    for (unsigned k = 0; open && k < d->op->tensor_count; ++k) {
        for (uint32_t i = 0; operator_has_tensor(d, k) && i < d->tensors[k].rank && i < TS_MAX_DIMS; ++i) {
            if (d->tensors[k].sizes[i] != 0 && give_size(&stood, open, d->tensors[k].sizes[i])) {
                judge(&stood, &told);
                keep_common(report, &told, first);
            }
        }
    }
}

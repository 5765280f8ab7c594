/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_search.h"

#include "harness/base/did_you_mean.h"
#include "harness/model/descriptor.h"
#include "harness/model/mention.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SITES   48
#define MOST_VALUES  24 /* of a site */
#define MOST_SINGLE  300
#define MOST_PAIRS   700
#define WIDEST_RANGE 64

typedef enum site_kind { SIZE, RANK, TYPE, TENSOR, ATTR, COUNT } site_kind;

#define ABSENT   INT64_MIN       /* of an attribute */
#define COMPLETE (INT64_MIN + 1) /* a nested operator gets all attributes that it lacks, and loses its tensors */

/* A dimension count, and how many of the new sizes of 1 are behind the others: { 6 } becomes { 1, 6, 1, 1 }. */
#define RANK_VALUE(rank, behind) ((int64_t)(behind)*16 + (rank))

/* A field that may be changed: a size, a dimension count, a data type, a whole tensor, a value of an attribute, or how
   many values the lists have that share a count. */
typedef struct site {
    site_kind kind;
    unsigned k; /* tensor or attribute */
    unsigned i; /* axis or element */
    unsigned count;
    int64_t values[MOST_VALUES]; /* the nearest first; of TENSOR: the tensor of which it becomes a copy, -1 for none */
} site;

typedef struct search {
    const ts_descriptor *d;
    const ts_violation *v;
    unsigned site_count, trials;
    site sites[MOST_SITES];
    int64_t numbers[32]; /* that the message names, then those of the descriptor */
    unsigned number_count;
    ts_report before, after;
    ts_descriptor changed;
} search;

/* ---- what may be changed ----------------------------------------------------------------------------------------- */

static void add_number(search *s, int64_t value)
{
    for (unsigned i = 0; i < s->number_count; ++i)
        if (s->numbers[i] == value)
            return;
    if (s->number_count < sizeof s->numbers / sizeof s->numbers[0])
        s->numbers[s->number_count++] = value;
}

static void collect_numbers(search *s)
{
    char *end;
    for (const char *c = s->v->text; *c; c = *end ? end : end + strlen(end)) {
        while (*c && (*c < '0' || *c > '9'))
            ++c;
        if (!*c)
            break;
        add_number(s, strtoll(c, &end, 10));
    }
    add_number(s, 0);
    add_number(s, 1);
    add_number(s, 2);
    for (unsigned k = 0; k < s->d->op->tensor_count; ++k) {
        const ts_tensor *t = &s->d->tensors[k];
        for (uint32_t i = 0; operator_has_tensor(s->d, k) && i < t->rank && i < TS_MAX_DIMS; ++i)
            add_number(s, (int64_t)t->sizes[i]);
        if (operator_has_tensor(s->d, k))
            add_number(s, t->rank);
    }
}

static void add_value(site *x, int64_t value, int64_t current)
{
    for (unsigned i = 0; i < x->count; ++i)
        if (x->values[i] == value)
            return;
    if (value != current && x->count < MOST_VALUES)
        x->values[x->count++] = value;
}

/* The values that a number may get: those of the message, in its order, then the nearest first. */
static void add_numbers(const search *s, site *x, int64_t least, int64_t most, int64_t current)
{
    for (unsigned i = 0; i < s->number_count; ++i)
        if (s->numbers[i] >= least && s->numbers[i] <= most)
            add_value(x, s->numbers[i], current);
    for (int64_t step = 1; step <= 3; ++step) {
        if (current > INT64_MIN + step && current - step >= least)
            add_value(x, current - step, current);
        if (current < INT64_MAX - step && current + step <= most)
            add_value(x, current + step, current);
    }
}

static void fill_attr(const search *s, site *x)
{
    const ts_attr_decl *a = &s->d->op->attrs[x->k];
    const ts_attr_range range = operator_attr_range(a->type);
    const int64_t current = operator_attr_value(s->d, x->k, x->i);
    const bool given = s->d->attrs_given >> x->k & 1;
    if (a->type == TS_ATTR_OPERATOR && given)
        add_value(x, COMPLETE, 0);
    if (a->optional && given && x->i == 0)
        add_value(x, ABSENT, 0);
    if (a->type == TS_ATTR_OPERATOR || a->type == TS_ATTR_UNION)
        return;
    const unsigned names = operator_name_count(a);
    for (unsigned i = 0; i < names; ++i)
        add_value(x, i, given ? current : -1);
    if (a->type == TS_ATTR_F32) {
        add_value(x, 0x3f800000, given ? current : -1); /* 1 */
        add_value(x, 0, given ? current : -1);
    } else if (names == 0) {
        add_numbers(s, x, range.min, range.max, given ? current : INT64_MAX);
    }
}

static void fill_tensor(const search *s, site *x)
{
    const ts_operator *op = s->d->op;
    if (operator_has_tensor(s->d, x->k)) {
        if (op->tensors[x->k].optional && !operator_list_of(op, x->k))
            add_value(x, -1, -2);
        return;
    }
    for (unsigned k = 0; k < op->tensor_count; ++k)
        if (operator_has_tensor(s->d, k) && !operator_list_of(op, x->k))
            add_value(x, k, -2);
}

/* Dimension counts, with the new sizes before the others first. */
static void fill_rank(const search *s, site *x)
{
    const uint32_t rank = s->d->tensors[x->k].rank;
    add_numbers(s, x, 1, TS_MAX_DIMS, rank);
    const unsigned ranks = x->count;
    for (unsigned i = 0; i < ranks; ++i)
        for (int64_t behind = 1; behind <= x->values[i] - rank; ++behind)
            add_value(x, RANK_VALUE(x->values[i], behind), rank);
}

static void set_rank(ts_tensor *t, int64_t value)
{
    const uint32_t rank = (uint32_t)(value % 16), behind = (uint32_t)(value / 16);
    tensor_set_rank(t, rank);
    for (uint32_t i = 0; i < rank && behind > 0; ++i)
        t->sizes[i] = i + behind < rank ? t->sizes[i + behind] : 1;
}

static void add_site(search *s, site_kind kind, unsigned k, unsigned i)
{
    const ts_support_row *row = operator_support_row(s->d->op, s->d->feature_level);
    for (unsigned j = 0; j < s->site_count; ++j)
        if (s->sites[j].kind == kind && s->sites[j].k == k && s->sites[j].i == i)
            return;
    if (s->site_count == MOST_SITES)
        return;
    site *x = &s->sites[s->site_count];
    *x = (site){ .kind = kind, .k = k, .i = i };
    switch (kind) {
    case SIZE: add_numbers(s, x, 1, UINT32_MAX, (int64_t)s->d->tensors[k].sizes[i]); break;
    case TYPE:
        for (uint32_t type = 1; row && type < TS_DTYPE_COUNT; ++type)
            if (row->tensors[k].dtypes & TS_DTYPE_BIT(type))
                add_value(x, type, s->d->tensors[k].dtype);
        break;
    case RANK: fill_rank(s, x); break;
    case TENSOR: fill_tensor(s, x); break;
    case ATTR: fill_attr(s, x); break;
    case COUNT: add_numbers(s, x, 0, TS_MAX_DIMS, operator_attr_value(s->d, k, 0)); break;
    }
    s->site_count += x->count > 0;
}

static void add_attr(search *s, unsigned k, int index)
{
    const ts_attr_decl *a = &s->d->op->attrs[k];
    const uint32_t n = a->count == TS_SCALAR ? 1 : operator_attr_count(s->d, k);
    if (a->counts) {
        add_site(s, COUNT, k, 0);
        return;
    }
    if (a->count == TS_ARRAY && index < 0) /* or the list is too long, or too short */
        for (unsigned j = 0; j < s->d->op->attr_count; ++j)
            if (s->d->op->attrs[j].counts && s->d->op->attrs[j].offset == a->count_offset)
                add_site(s, COUNT, j, 0);
    for (unsigned i = 0; i < n && i < a->capacity; ++i)
        if (index < 0 || i == (unsigned)index)
            add_site(s, ATTR, k, i);
}

static void add_tensor(search *s, unsigned k, const char *field, int index)
{
    const ts_tensor *t = &s->d->tensors[k];
    if (!operator_has_tensor(s->d, k)) {
        add_site(s, TENSOR, k, 0);
        return;
    }
    if (strcmp(field, "DataType") == 0)
        add_site(s, TYPE, k, 0);
    if (strcmp(field, "DimensionCount") == 0)
        add_site(s, RANK, k, 0);
    for (unsigned i = 0; strcmp(field, "Sizes") == 0 && i < t->rank && i < TS_MAX_DIMS; ++i)
        if (index < 0 || i == (unsigned)index)
            add_site(s, SIZE, k, i);
    if (!field[0])
        add_site(s, TENSOR, k, 0);
}

/* The fields that the message names first, then the others of the operator. */
static void collect_sites(search *s)
{
    ts_mention m[16];
    const size_t count = mention_list(s->d, s->v, m, 16);
    for (size_t i = 0; i < count; ++i) {
        if (m[i].attr >= 0)
            add_attr(s, (unsigned)m[i].attr, m[i].index);
        else
            add_tensor(s, (unsigned)m[i].tensor, m[i].field, m[i].index);
    }
    if (s->v->tensor >= 0) {
        add_tensor(s, (unsigned)s->v->tensor, "Sizes", s->v->axis);
        add_tensor(s, (unsigned)s->v->tensor, "DimensionCount", -1);
        add_tensor(s, (unsigned)s->v->tensor, "", -1);
    }
    for (unsigned k = 0; k < s->d->op->attr_count; ++k)
        add_attr(s, k, -1);
    for (unsigned k = s->d->op->tensor_count; k-- > 0;) /* outputs first: they follow from the inputs */
        add_tensor(s, k, "Sizes", -1);
    for (unsigned k = 0; k < s->d->op->tensor_count; ++k) {
        add_tensor(s, k, "DataType", -1);
        add_tensor(s, k, "DimensionCount", -1);
        add_tensor(s, k, "", -1);
    }
}

/* ---- trying ------------------------------------------------------------------------------------------------------ */

/* Give a tensor packed strides again, unless its own are stated, and the bytes that it needs, unless it has more. */
static void settle_tensor(ts_tensor *t, const ts_tensor *before)
{
    uint64_t needed = 0, needed_before = 0;
    if (!(t->given & TS_GIVEN_STRIDES))
        tensor_pack(t);
    if (tensor_min_bytes(t, &needed) &&
        (t->total_bytes < needed || (tensor_min_bytes(before, &needed_before) && before->total_bytes == needed_before)))
        t->total_bytes = needed;
}

/* Give a list of tensors another length: copies of its last one, or of the operator's first tensor. */
static bool change_list(ts_descriptor *d, const ts_tensor_list *l, uint32_t count)
{
    if (count > l->most)
        return false;
    for (unsigned i = 0; i < l->most; ++i) {
        ts_tensor *t = &d->tensors[l->first + i];
        if (i >= count)
            memset(t, 0, sizeof *t);
        else if (!(t->given & TS_GIVEN_TENSOR))
            *t = i > 0 ? t[-1] : d->tensors[0];
    }
    return true;
}

/* Give the lists that share a count another length: their last values repeated, or left out. */
static bool change_count(ts_descriptor *d, unsigned k, uint32_t count)
{
    const ts_operator *op = d->op;
    int64_t values[TS_MAX_ATTR_BYTES];
    for (unsigned i = 0; i < op->list_count; ++i)
        if (op->lists[i].count == k && !change_list(d, &op->lists[i], count))
            return false;
    for (unsigned j = 0; j < op->attr_count; ++j) {
        const ts_attr_decl *a = &op->attrs[j];
        const uint32_t n = operator_attr_count(d, j);
        if (a->count != TS_ARRAY || a->count_offset != op->attrs[k].offset || !(d->attrs_given >> j & 1))
            continue;
        if (count > a->capacity)
            return false;
        if (a->type == TS_ATTR_OPERATOR) {
            ts_nested_operator list[TS_MAX_DIMS];
            for (uint32_t i = 0; i < count; ++i)
                list[i] = operator_nested(d, j, i < n ? i : n - 1);
            d->attrs_given &= ~(UINT32_C(1) << k);
            if (n == 0 || !operator_set_nested(d, j, list, count))
                return false;
            continue;
        }
        for (uint32_t i = 0; i < count; ++i)
            values[i] = n == 0 ? 1 : operator_attr_value(d, j, i < n && i < a->capacity ? i : n - 1);
        d->attrs_given &= ~(UINT32_C(1) << k); /* so that the list sets it */
        if (!operator_set_attr(d, j, values, count))
            return false;
    }
    return operator_set_attr(d, k, &(int64_t){ count }, 1);
}

static bool complete_nested(ts_descriptor *d, unsigned k, unsigned i)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    ts_nested_operator list[TS_MAX_ATTR_BYTES / sizeof(ts_nested_operator)];
    const uint32_t n = a->count == TS_SCALAR ? 1 : operator_attr_count(d, k);
    ts_descriptor inner;
    for (unsigned j = 0; j < n && j < sizeof list / sizeof list[0]; ++j)
        list[j] = operator_nested(d, k, j);
    if (n > sizeof list / sizeof list[0] || !operator_of_nested(&inner, a, &list[i]))
        return false;
    const uint32_t missing = operator_missing_attrs(&inner);
    for (unsigned j = 0; j < inner.op->attr_count; ++j) {
        const int64_t one = inner.op->attrs[j].type == TS_ATTR_F32 ? 0x3f800000 : 1;
        if ((missing >> j & 1) && !operator_set_attr(&inner, j, &one, 1))
            return false;
    }
    list[i] = operator_to_nested(&inner, list[i].op);
    list[i].tensors = 0;
    return operator_set_nested(d, k, list, n);
}

static bool change(ts_descriptor *d, const site *x, int64_t value)
{
    ts_tensor *t = &d->tensors[x->k];
    const ts_tensor before = *t;
    int64_t values[TS_MAX_ATTR_BYTES];
    switch (x->kind) {
    case SIZE: t->sizes[x->i] = (uint64_t)value; break;
    case RANK:
        set_rank(t, value);
        t->given &= ~(uint32_t)TS_GIVEN_STRIDES;
        break;
    case TYPE: t->dtype = (uint32_t)value; break;
    case COUNT: return change_count(d, x->k, (uint32_t)value);
    case TENSOR:
        if (value < 0)
            memset(t, 0, sizeof *t);
        else
            *t = d->tensors[value];
        return true;
    case ATTR:
        if (value == COMPLETE)
            return complete_nested(d, x->k, x->i);
        if (value == ABSENT) {
            d->attrs_given &= ~(UINT32_C(1) << x->k);
            return true;
        }
        const uint32_t n = d->op->attrs[x->k].count == TS_SCALAR ? 1 : operator_attr_count(d, x->k);
        for (unsigned i = 0; i < n && i < TS_MAX_ATTR_BYTES; ++i)
            values[i] = i == x->i ? value : operator_attr_value(d, x->k, i);
        return operator_set_attr(d, x->k, values, n);
    }
    settle_tensor(t, &before);
    return true;
}

static unsigned count_clause(const ts_report *report, const char *clause)
{
    unsigned n = 0;
    for (unsigned i = 0; i < report->count; ++i)
        n += strcmp(report->items[i].clause, clause) == 0;
    return n;
}

/* How good the changed call is: 2 it is legal, 1 the violation is mended and nothing else is broken, 0 neither. */
static int judge(search *s)
{
    s->trials++;
    s->after.count = s->after.dropped = 0;
    s->after.worst = TS_RESULT_NONE;
    operator_check(&s->changed, &s->after);
    if (s->after.count >= s->before.count ||
        count_clause(&s->after, s->v->clause) >= count_clause(&s->before, s->v->clause))
        return 0;
    for (unsigned i = 0; i < s->after.count; ++i)
        if (count_clause(&s->after, s->after.items[i].clause) > count_clause(&s->before, s->after.items[i].clause))
            return 0;
    return operator_graver(s->after.worst, TS_RESULT_UNSPECIFIED) ? 1 : 2;
}

static int try_change(search *s, const site *x, int64_t value)
{
    s->changed = *s->d;
    return change(&s->changed, x, value) ? judge(s) : 0;
}

/* ---- the text ---------------------------------------------------------------------------------------------------- */

static void say_tensor(const ts_descriptor *d, const site *x, int64_t value, ts_suggestion *out)
{
    const ts_operator *op = d->op;
    if (value < 0) {
        suggest_add(out, "no %s", op->tensors[x->k].name);
        return;
    }
    const ts_tensor *t = &d->tensors[value];
    suggest_add(out, "%s, such as %s {", op->tensors[x->k].name, operator_dtype_name(op, t->dtype));
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        suggest_add(out, "%s%" PRIu64, i ? "," : "", t->sizes[i]);
    suggest_add(out, "}");
}

static void say_attr(search *s, const site *x, int64_t value, ts_suggestion *out)
{
    const ts_attr_decl *a = &s->d->op->attrs[x->k];
    char text[64];
    if (value == ABSENT) {
        suggest_add(out, "no %s", a->name);
        return;
    }
    if (value == COMPLETE) {
        suggest_add(out,
                    a->count == TS_ARRAY ? "%s[%u] with all of its attributes and no tensor"
                                         : "%s with all of its attributes and no tensor",
                    a->name, x->i);
        return;
    }
    s->changed = *s->d;
    change(&s->changed, x, value);
    suggest_add(out, "%s", a->name);
    if (a->count == TS_ARRAY)
        suggest_add(out, "[%u]", x->i);
    else if (a->count == TS_RECORD)
        suggest_add(out, ".%s", a->members[x->i]);
    suggest_add(out, " = %s", descriptor_attr_text(&s->changed, x->k, x->i, text, sizeof text));
}

static void say_rank(search *s, const site *x, int64_t value, ts_suggestion *out)
{
    ts_tensor t = s->d->tensors[x->k];
    set_rank(&t, value);
    suggest_add(out, "%s.Sizes = {", s->d->op->tensors[x->k].name);
    for (uint32_t i = 0; i < t.rank; ++i)
        suggest_add(out, "%s%" PRIu64, i ? "," : "", t.sizes[i]);
    suggest_add(out, "}");
}

static void say(search *s, const site *x, int64_t value, ts_suggestion *out)
{
    const char *name = x->kind == ATTR || x->kind == COUNT ? "" : s->d->op->tensors[x->k].name;
    switch (x->kind) {
    case SIZE: suggest_add(out, "%s.Sizes[%u] = %" PRId64, name, x->i, value); break;
    case TYPE: suggest_add(out, "%s of type %s", name, operator_dtype_name(s->d->op, (uint32_t)value)); break;
    case RANK: say_rank(s, x, value, out); break;
    case COUNT:
        suggest_add(out, "%s = %" PRId64 ", and lists of this length", s->d->op->attrs[x->k].name, value);
        break;
    case TENSOR: say_tensor(s->d, x, value, out); break;
    case ATTR: say_attr(s, x, value, out); break;
    }
}

/* The number that is nearest to that of the descriptor and as good as a legal one. */
static int64_t nearest(search *s, const site *x, int64_t value, int good)
{
    const ts_attr_range range = operator_attr_range(s->d->op->attrs[x->k].type);
    const int64_t current = operator_attr_value(s->d, x->k, x->i);
    const int64_t distance = value < current ? current - value : value - current;
    for (int64_t step = 1; (s->d->attrs_given >> x->k & 1) && step < distance && step <= WIDEST_RANGE; ++step) {
        if (current - step >= range.min && try_change(s, x, current - step) >= good)
            return current - step;
        if (current + step <= range.max && try_change(s, x, current + step) >= good)
            return current + step;
    }
    return value;
}

/* The next ones that are as good as the nearest, where none is beside it. */
static void say_others(search *s, const site *x, int64_t value, int good, ts_suggestion *out)
{
    const ts_attr_range range = operator_attr_range(s->d->op->attrs[x->k].type);
    const int64_t current = operator_attr_value(s->d, x->k, x->i);
    int64_t others[3];
    unsigned count = 0;
    for (int64_t i = 2; (s->d->attrs_given >> x->k & 1) && i < 2 * WIDEST_RANGE && count < 3; ++i) {
        const int64_t other = current + (i % 2 ? i / 2 : -(i / 2));
        if (other != value && other >= range.min && other <= range.max && try_change(s, x, other) >= good)
            others[count++] = other;
    }
    for (unsigned j = 0; j < count; ++j)
        suggest_add(out, "%s%" PRId64, j + 1 < count ? ", " : " or ", others[j]);
}

/* The numbers beside a legal one that are as good. */
static void say_range(search *s, const site *x, int64_t value, int good, ts_suggestion *out)
{
    const ts_attr_decl *a = x->kind == ATTR ? &s->d->op->attrs[x->k] : NULL;
    if (!a || value == ABSENT || a->names || (a->type != TS_ATTR_U32 && a->type != TS_ATTR_I32)) {
        say(s, x, value, out);
        return;
    }
    const ts_attr_range range = operator_attr_range(a->type);
    value = nearest(s, x, value, good);
    int64_t low = value, high = value;
    while (value - low < WIDEST_RANGE && low > range.min && try_change(s, x, low - 1) >= good)
        --low;
    while (high - value < WIDEST_RANGE && high < range.max && try_change(s, x, high + 1) >= good)
        ++high;
    say(s, x, value - low < WIDEST_RANGE ? low : value, out);
    if (high - value == WIDEST_RANGE)
        suggest_add(out, " or more");
    else if (high > low)
        suggest_add(out, " to %" PRId64, high);
    else
        say_others(s, x, value, good, out);
}

/* Where a nested operator is none that the attribute takes: those that it takes. */
static bool say_types(const search *s, ts_suggestion *out)
{
    ts_mention m[16];
    const size_t count = mention_list(s->d, s->v, m, 16);
    for (size_t i = 0; i < count; ++i) {
        const ts_attr_decl *a = m[i].attr >= 0 ? &s->d->op->attrs[m[i].attr] : NULL;
        char text[440] = "", name[64];
        did_you_mean_list list = { .text = text, .size = sizeof text };
        unsigned types = 0;
        if (!a || a->type != TS_ATTR_OPERATOR ||
            operator_nested(s->d, (unsigned)m[i].attr, m[i].index < 0 ? 0 : (unsigned)m[i].index).op != 0)
            continue;
        while (a->operators[types])
            types++;
        for (unsigned k = 0; k < types; ++k) {
            const ts_operator *op = a->operators[k];
            snprintf(name, sizeof name, "%.*s", (int)descriptor_stem_length(op), op->title + strlen("DML_"));
            did_you_mean_list_add(&list, name, types - k - 1);
        }
        if (a->optional)
            suggest_add(out, "no %s, or ", a->name);
        suggest_add(out, "a Type of %s", text);
        return true;
    }
    return false;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Two changes, the first of which is of a field that the message names. */
static bool search_pairs(search *s, unsigned named, ts_suggestion *out)
{
    const unsigned end = s->trials + MOST_PAIRS;
    for (unsigned a = 0; a < named; ++a) {
        for (unsigned i = 0; i < s->sites[a].count && i < 4; ++i) {
            for (unsigned b = a + 1; b < s->site_count; ++b) {
                for (unsigned j = 0; j < s->sites[b].count && j < 6; ++j) {
                    if (s->trials >= end)
                        return false;
                    s->changed = *s->d;
                    if (!change(&s->changed, &s->sites[a], s->sites[a].values[i]) ||
                        !change(&s->changed, &s->sites[b], s->sites[b].values[j]) || judge(s) != 2)
                        continue;
                    say(s, &s->sites[a], s->sites[a].values[i], out);
                    suggest_add(out, " and ");
                    say(s, &s->sites[b], s->sites[b].values[j], out);
                    return true;
                }
            }
        }
    }
    return false;
}

static void search_all(search *s, ts_suggestion *out)
{
    const site *mends = NULL;
    int64_t mended = 0;
    for (unsigned i = 0; i < s->site_count && s->trials < MOST_SINGLE; ++i) {
        for (unsigned j = 0; j < s->sites[i].count && s->trials < MOST_SINGLE; ++j) {
            const int good = try_change(s, &s->sites[i], s->sites[i].values[j]);
            if (good == 2) {
                say_range(s, &s->sites[i], s->sites[i].values[j], good, out);
                return;
            }
            if (good == 1 && !mends) {
                mends = &s->sites[i];
                mended = s->sites[i].values[j];
            }
        }
    }
    if (mends)
        say_range(s, mends, mended, 1, out);
    else
        search_pairs(s, s->site_count < 6 ? s->site_count : 6, out);
}

void check_search(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    search *s = calloc(1, sizeof *s);
    if (!s)
        return;
    s->d = d;
    s->v = v;
    operator_check(d, &s->before);
    if (operator_reports(&s->before, v->clause) && !say_types(s, out)) { /* else it is none of the descriptor alone */
        collect_numbers(s);
        collect_sites(s);
        search_all(s, out);
    }
    free(s);
}

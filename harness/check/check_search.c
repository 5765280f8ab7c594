/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_search.h"

#include "harness/model/mention.h"
#include "harness/model/suggest_apply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SITES    48
#define MOST_VALUES   24 /* of a site */
#define MOST_SINGLE   300
#define MOST_PAIRS    700
#define MOST_FOLLOWED 6
#define WIDEST_RANGE  64

typedef enum site_kind { SIZE, RANK, TYPE, TENSOR, BROADCAST, ATTR, COUNT } site_kind;

enum site_with { ALONE, WITH_ALIKE, WITH_ALL };

#define ABSENT   INT64_MIN       /* of an attribute */
#define COMPLETE (INT64_MIN + 1) /* a nested operator gets all attributes that it lacks, and loses its tensors */

/* A dimension count, and how many of the new sizes of 1 are behind the others: { 6 } becomes { 1, 6, 1, 1 }. */
#define RANK_VALUE(rank, behind) ((int64_t)(behind)*16 + (rank))

/* A field that may be changed: a size, a dimension count, a data type, a whole tensor, a value of an attribute, or how
   many values the lists have that share a count. */
typedef struct site {
    site_kind kind;
    unsigned k; /* tensor or attribute */
    unsigned i; /* axis or element; of RANK and TYPE, which tensors change with it: a site_with */
    unsigned count;
    int64_t values[MOST_VALUES]; /* the nearest first; of TENSOR: the tensor of which it becomes a copy, -1 for none; of
                                    BROADCAST: the tensor whose sizes it gets */
} site;

typedef struct search {
    check_trial *t;
    const ts_descriptor *d;
    const ts_violation *v;
    unsigned site_count;
    unsigned named; /* the sites that the message names */
    site sites[MOST_SITES];
    int64_t numbers[32]; /* that the message names, then those of the descriptor */
    unsigned number_count;
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
        while (*c && (*c < '0' || *c > '9' || (c > s->v->text && c[-1] == '['))) /* the index of an element is none */
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

static bool same_sizes(const ts_tensor *a, const ts_tensor *b)
{
    return a->rank == b->rank && a->rank <= TS_MAX_DIMS &&
           memcmp(a->sizes, b->sizes, a->rank * sizeof a->sizes[0]) == 0;
}

/* Tensor k, and the tensors that change with it: those that have its sizes and break the same clause, or all that have
   its type, or its dimension count. */
static uint32_t tensors_with(const search *s, site_kind kind, unsigned k, unsigned with)
{
    uint32_t tensors = UINT32_C(1) << k;
    const ts_tensor *t = &s->d->tensors[k];
    for (unsigned i = 0; i < s->t->before.count && with == WITH_ALIKE; ++i) {
        const ts_violation *v = &s->t->before.items[i];
        if (v->tensor >= 0 && strcmp(v->clause, s->v->clause) == 0 && same_sizes(&s->d->tensors[v->tensor], t))
            tensors |= UINT32_C(1) << v->tensor;
    }
    for (unsigned i = 0; i < s->d->op->tensor_count && with == WITH_ALL; ++i) {
        const ts_tensor *other = &s->d->tensors[i];
        if (operator_has_tensor(s->d, i) && (kind == TYPE ? other->dtype == t->dtype : other->rank == t->rank))
            tensors |= UINT32_C(1) << i;
    }
    return tensors;
}

static void add_site(search *s, site_kind kind, unsigned k, unsigned i);

/* Add the site of a tensor with others, if there are any. */
static void add_with(search *s, site_kind kind, unsigned k, unsigned with)
{
    const uint32_t tensors = tensors_with(s, kind, k, with);
    if (tensors & (tensors - 1))
        add_site(s, kind, k, with);
}

/* May a tensor be read as one of these sizes, with strides of 0 along those that it does not have? */
static bool may_broadcast(const ts_tensor *t, const ts_tensor *to)
{
    bool differs = t->rank != to->rank;
    if (t->rank > to->rank || to->rank > TS_MAX_DIMS)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i) {
        const uint64_t size = to->sizes[to->rank - t->rank + i];
        differs = differs || t->sizes[i] != size;
        if (t->sizes[i] != 1 && t->sizes[i] != size)
            return false;
    }
    return differs;
}

/* The sizes of outputs first: an input is read as often as they have elements. */
static void fill_broadcast(const search *s, site *x)
{
    const ts_operator *op = s->d->op;
    if (op->tensors[x->k].role != TS_INPUT)
        return;
    for (int role = TS_OUTPUT; role >= TS_INPUT; --role)
        for (unsigned k = 0; k < op->tensor_count; ++k)
            if ((int)op->tensors[k].role == role && k != x->k && operator_has_tensor(s->d, k) &&
                may_broadcast(&s->d->tensors[x->k], &s->d->tensors[k]))
                add_value(x, k, -1);
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
    case SIZE:
        add_numbers(s, x, s->d->op->openvino_types ? 0 : 1, UINT32_MAX, (int64_t)s->d->tensors[k].sizes[i]);
        break;
    case TYPE:
        for (uint32_t type = 1; row && type < TS_DTYPE_COUNT; ++type)
            if (row->tensors[k].dtypes & TS_DTYPE_BIT(type))
                add_value(x, type, s->d->tensors[k].dtype);
        break;
    case RANK: fill_rank(s, x); break;
    case BROADCAST: fill_broadcast(s, x); break;
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
        add_site(s, TYPE, k, ALONE);
    if (strcmp(field, "DimensionCount") == 0) {
        add_with(s, RANK, k, WITH_ALIKE);
        add_site(s, RANK, k, ALONE);
    }
    for (unsigned i = 0; strcmp(field, "Sizes") == 0 && i < t->rank && i < TS_MAX_DIMS; ++i)
        if (index < 0 || i == (unsigned)index)
            add_site(s, SIZE, k, i);
    if (!field[0])
        add_site(s, TENSOR, k, 0);
}

/* The tensors that the message names may be read as larger ones. */
static void collect_broadcasts(search *s, const ts_mention *m, size_t count)
{
    if (s->v->tensor >= 0 && operator_has_tensor(s->d, (unsigned)s->v->tensor))
        add_site(s, BROADCAST, (unsigned)s->v->tensor, 0);
    for (size_t i = 0; i < count; ++i)
        if (m[i].tensor >= 0 && operator_has_tensor(s->d, (unsigned)m[i].tensor))
            add_site(s, BROADCAST, (unsigned)m[i].tensor, 0);
}

/* The fields that the message names first, then the others of the operator. What an enumeration says is what the author
   wants to be computed: it changes last of those named. */
static void collect_sites(search *s)
{
    ts_mention m[16];
    const size_t count = mention_list(s->d, s->v, m, 16);
    collect_broadcasts(s, m, count);
    for (int enumerations = 0; enumerations < 2; ++enumerations) {
        for (size_t i = 0; i < count; ++i) {
            const bool named = m[i].attr >= 0 && s->d->op->attrs[m[i].attr].names;
            if (named != enumerations)
                continue;
            if (m[i].attr >= 0)
                add_attr(s, (unsigned)m[i].attr, m[i].index);
            else
                add_tensor(s, (unsigned)m[i].tensor, m[i].field, m[i].index);
        }
    }
    s->named = s->site_count;
    if (s->v->tensor >= 0) {
        add_tensor(s, (unsigned)s->v->tensor, "Sizes", s->v->axis);
        add_tensor(s, (unsigned)s->v->tensor, "DimensionCount", -1);
        add_tensor(s, (unsigned)s->v->tensor, "DataType", -1);
        add_with(s, TYPE, (unsigned)s->v->tensor, WITH_ALL);
        add_with(s, RANK, (unsigned)s->v->tensor, WITH_ALL);
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

/* ---- what a change is -------------------------------------------------------------------------------------------- */

/* Sizes of 1 on both sides of those that the tensor has, or fewer of those in front. */
static suggest_edit edit_rank(const search *s, const site *x, int64_t value)
{
    const uint32_t rank = (uint32_t)(value % 16), behind = (uint32_t)(value / 16);
    suggest_edit edit = { .kind = SUGGEST_SHAPE, .tensors = tensors_with(s, x->kind, x->k, x->i) };
    if (x->i == WITH_ALL)
        return (suggest_edit){ .kind = SUGGEST_DIMS, .tensors = edit.tensors, .count = 1, .values = { rank } };
    ts_tensor t = s->d->tensors[x->k];
    tensor_set_rank(&t, rank);
    edit.shape.rank = rank;
    for (uint32_t i = 0; i < rank; ++i)
        edit.shape.sizes[i] = behind == 0 ? t.sizes[i] : i + behind < rank ? t.sizes[i + behind] : 1;
    return edit;
}

static suggest_edit edit_broadcast(const search *s, const site *x, int64_t value)
{
    const ts_tensor *t = &s->d->tensors[x->k], *to = &s->d->tensors[value];
    suggest_edit edit = { .kind = SUGGEST_SHAPE, .tensors = UINT32_C(1) << x->k, .strided = true };
    ts_tensor own = *t;
    if (!(own.given & TS_GIVEN_STRIDES))
        tensor_pack(&own);
    edit.shape.rank = to->rank;
    for (uint32_t i = 0; i < to->rank; ++i) {
        const uint32_t at = i + t->rank - to->rank;
        const bool has = i + t->rank >= to->rank && t->sizes[at] != 1;
        edit.shape.sizes[i] = to->sizes[i];
        edit.shape.strides[i] = has ? own.strides[at] : 0;
    }
    return edit;
}

static suggest_edit edit_tensor(const search *s, const site *x, int64_t value)
{
    suggest_edit edit = { .kind = SUGGEST_NO_TENSOR, .tensors = UINT32_C(1) << x->k };
    if (value < 0)
        return edit;
    const ts_tensor *t = &s->d->tensors[value];
    edit.kind = SUGGEST_TENSOR;
    edit.count = 1;
    edit.values[0] = t->dtype;
    edit.shape.rank = t->rank < TS_MAX_DIMS ? t->rank : TS_MAX_DIMS;
    memcpy(edit.shape.sizes, t->sizes, sizeof t->sizes);
    return edit;
}

static suggest_edit edit_of(const search *s, const site *x, int64_t value)
{
    const bool of_attr = x->kind == ATTR || x->kind == COUNT;
    suggest_edit edit = { .count = 1, .values = { value }, .index = x->i };
    edit.attr = of_attr ? x->k : 0;
    edit.tensors = of_attr ? 0 : UINT32_C(1) << x->k;
    switch (x->kind) {
    case SIZE: edit.kind = SUGGEST_SIZE; break;
    case TYPE:
        edit.kind = SUGGEST_TYPE;
        edit.tensors = tensors_with(s, x->kind, x->k, x->i);
        break;
    case RANK: return edit_rank(s, x, value);
    case BROADCAST: return edit_broadcast(s, x, value);
    case TENSOR: return edit_tensor(s, x, value);
    case COUNT: edit.kind = SUGGEST_COUNT; break;
    case ATTR:
        edit.kind = value == ABSENT ? SUGGEST_NO_ATTR : value == COMPLETE ? SUGGEST_COMPLETE : SUGGEST_ATTR;
        edit.count = edit.kind == SUGGEST_ATTR;
        break;
    }
    return edit;
}

static check_trial_result try_change(search *s, const site *x, int64_t value)
{
    const suggest_edit edit = edit_of(s, x, value);
    return check_trial_edit(s->t, &edit, edit.values[0]);
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* The number that is nearest to that of the descriptor and as good as a legal one. */
static int64_t nearest(search *s, const site *x, int64_t value, check_trial_result good)
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
static void add_others(search *s, const site *x, check_trial_result good, suggest_edit *edit)
{
    const ts_attr_range range = operator_attr_range(s->d->op->attrs[x->k].type);
    const int64_t current = operator_attr_value(s->d, x->k, x->i), value = edit->values[0];
    for (int64_t i = 2; (s->d->attrs_given >> x->k & 1) && i < 2 * WIDEST_RANGE && edit->count < 4; ++i) {
        const int64_t other = current + (i % 2 ? i / 2 : -(i / 2));
        if (other != value && other >= range.min && other <= range.max && try_change(s, x, other) >= good)
            edit->values[edit->count++] = other;
    }
}

/* Add a change, with the numbers beside it that are as good. */
static void add_range(search *s, const site *x, int64_t value, check_trial_result good, ts_suggestion *out)
{
    const ts_attr_decl *a = x->kind == ATTR ? &s->d->op->attrs[x->k] : NULL;
    suggest_edit edit = edit_of(s, x, value);
    if (!a || edit.kind != SUGGEST_ATTR || a->names || (a->type != TS_ATTR_U32 && a->type != TS_ATTR_I32)) {
        suggest_add(out, &edit);
        return;
    }
    const ts_attr_range range = operator_attr_range(a->type);
    value = nearest(s, x, value, good);
    int64_t low = value, high = value;
    while (value - low < WIDEST_RANGE && low > range.min && try_change(s, x, low - 1) >= good)
        --low;
    while (high - value < WIDEST_RANGE && high < range.max && try_change(s, x, high + 1) >= good)
        ++high;
    edit = edit_of(s, x, value);
    const bool or_more = high - value == WIDEST_RANGE && try_change(s, x, range.max) >= good;
    low = value - low < WIDEST_RANGE ? low : value;
    if (high > low) {
        edit.span = or_more ? SUGGEST_OR_MORE : SUGGEST_RANGE;
        edit.count = 2;
        edit.values[0] = low;
        edit.values[1] = or_more ? range.max : high;
    } else {
        add_others(s, x, good, &edit);
    }
    suggest_add(out, &edit);
}

/* Where a nested operator is none that the attribute takes: those that it takes. */
static bool add_nested(search *s, ts_suggestion *out)
{
    ts_mention m[16];
    const size_t count = mention_list(s->d, s->v, m, 16);
    for (size_t i = 0; i < count; ++i) {
        const ts_attr_decl *a = m[i].attr >= 0 ? &s->d->op->attrs[m[i].attr] : NULL;
        const unsigned index = m[i].index < 0 ? 0 : (unsigned)m[i].index;
        suggest_edit edit = { .kind = SUGGEST_NESTED, .attr = (unsigned)m[i].attr, .index = index };
        if (!a || a->type != TS_ATTR_OPERATOR || operator_nested(s->d, (unsigned)m[i].attr, index).op != 0)
            continue;
        for (unsigned type = 0; a->operators[type] && edit.count < SUGGEST_MOST_VALUES; ++type)
            if (check_trial_edit(s->t, &edit, type + 1) != CHECK_TRIAL_BAD)
                edit.values[edit.count++] = type + 1;
        if (a->optional)
            suggest_add(out, &(suggest_edit){ .kind = SUGGEST_NO_ATTR, .attr = (unsigned)m[i].attr });
        suggest_or(out);
        if (edit.count > 0)
            suggest_add(out, &edit);
        return edit.count > 0 || a->optional;
    }
    return false;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Two changes: the first one of the first `named` sites, the second one of those behind it, up to `last`. */
static bool search_pairs(search *s, unsigned named, unsigned last, ts_suggestion *out)
{
    const unsigned end = s->t->trials + MOST_PAIRS;
    for (unsigned a = 0; a < named; ++a) {
        for (unsigned i = 0; i < s->sites[a].count && i < 4; ++i) {
            const suggest_edit first = edit_of(s, &s->sites[a], s->sites[a].values[i]);
            for (unsigned b = a + 1; b < last; ++b) {
                for (unsigned j = 0; j < s->sites[b].count && j < 6; ++j) {
                    const suggest_edit second = edit_of(s, &s->sites[b], s->sites[b].values[j]);
                    if (s->t->trials >= end)
                        return false;
                    s->t->changed = *s->d;
                    if (!suggest_apply_edit(&s->t->changed, &first, first.values[0]) ||
                        !suggest_apply_edit(&s->t->changed, &second, second.values[0]) ||
                        check_trial_judge(s->t) != CHECK_TRIAL_LEGAL)
                        continue;
                    suggest_add(out, &first);
                    suggest_add(out, &second);
                    return true;
                }
            }
        }
    }
    return false;
}

/* Does a change alter what the author has: the sizes of an input, without strides of 0, or whether it is there? */
static bool alters_input(const search *s, const site *x)
{
    return (x->kind == SIZE || x->kind == RANK || x->kind == TENSOR) && s->d->op->tensors[x->k].role == TS_INPUT;
}

/* A value of an attribute that the message names, with what it entails. */
static check_trial_result search_followed(search *s, ts_suggestion *out)
{
    for (unsigned i = 0; i < s->named; ++i) {
        const site *x = &s->sites[i];
        for (unsigned j = 0; j < x->count && j < MOST_FOLLOWED && x->kind == ATTR; ++j) {
            suggest_option option = { .count = 1, .edits = { edit_of(s, x, x->values[j]) } };
            if (s->d->op->attrs[x->k].names || option.edits[0].kind != SUGGEST_ATTR ||
                check_trial_follow(s->t, &option) != CHECK_TRIAL_LEGAL)
                continue;
            suggest_or(out);
            for (unsigned k = 0; k < option.count; ++k)
                suggest_add(out, &option.edits[k]);
            return CHECK_TRIAL_LEGAL;
        }
    }
    return CHECK_TRIAL_BAD;
}

/* The best single change so far: legal, or the one that leaves the fewest violations. */
typedef struct best_change {
    const site *x;
    int64_t value;
    unsigned left;
} best_change;

/* Try the sites that alter an input, or the others. True if a change is legal. */
static bool search_sites(search *s, bool inputs, best_change *best, ts_suggestion *out)
{
    const unsigned end = s->t->trials + MOST_SINGLE;
    for (unsigned i = 0; i < s->site_count && s->t->trials < end; ++i) {
        const site *x = &s->sites[i];
        if (alters_input(s, x) != inputs)
            continue;
        for (unsigned j = 0; j < x->count && s->t->trials < end; ++j) {
            const check_trial_result good = try_change(s, x, x->values[j]);
            if (good == CHECK_TRIAL_LEGAL) {
                add_range(s, x, x->values[j], good, out);
                return true;
            }
            if (good == CHECK_TRIAL_MENDS && s->t->after.count < best->left)
                *best = (best_change){ x, x->values[j], s->t->after.count };
        }
    }
    return false;
}

/* A single change that is legal, those of inputs last; else two; else the one that leaves the fewest violations. */
static check_trial_result search_all(search *s, ts_suggestion *out)
{
    best_change best = { .left = UINT32_MAX };
    const unsigned named = s->site_count < 6 ? s->site_count : 6;
    unsigned broadcasts = 0; /* two tensors may broadcast to each other */
    while (broadcasts < s->site_count && s->sites[broadcasts].kind == BROADCAST)
        ++broadcasts;
    if (search_sites(s, false, &best, out) || search_pairs(s, broadcasts, broadcasts, out) ||
        search_followed(s, out) == CHECK_TRIAL_LEGAL || search_sites(s, true, &best, out))
        return CHECK_TRIAL_LEGAL;
    if (!best.x)
        return search_pairs(s, named, s->site_count, out) ? CHECK_TRIAL_LEGAL : CHECK_TRIAL_BAD;
    add_range(s, best.x, best.value, CHECK_TRIAL_MENDS, out);
    return CHECK_TRIAL_MENDS;
}

check_trial_result check_search(check_trial *t, ts_suggestion *out)
{
    search *s = calloc(1, sizeof *s);
    check_trial_result result = CHECK_TRIAL_LEGAL;
    if (!s)
        return CHECK_TRIAL_BAD;
    s->t = t;
    s->d = t->d;
    s->v = t->v;
    if (!add_nested(s, out)) {
        collect_numbers(s);
        collect_sites(s);
        result = search_all(s, out);
    }
    free(s);
    return result;
}

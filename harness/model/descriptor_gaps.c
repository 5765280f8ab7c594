/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that can be read only in part: what was not read, and what stands in its place. */
#include "harness/model/descriptor_internal.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- what was not read ------------------------------------------------------------------------------------- */

static ts_mention mention_of(const descriptor_place *p)
{
    ts_mention m = { p->tensor, p->tensor < 0 ? operator_attr_index(p->r->d->op, p->owner) : -1, "", p->index };
    if (p->tensor >= 0)
        snprintf(m.field, sizeof m.field, "%s", descriptor_field_name(p->field));
    return m;
}

void descriptor_no_gaps(descriptor_gaps *gaps)
{
    gaps->mistake_count = gaps->mistakes_dropped = gaps->unread_count = 0;
    gaps->absent = gaps->inferred_type = gaps->inferred_sizes = gaps->no_shape = 0;
}

void descriptor_unread(const descriptor_place *p)
{
    descriptor_unread_number(p, "");
}

void descriptor_unread_number(const descriptor_place *p, const char *stated)
{
    descriptor_gaps *gaps = p->r->gaps;
    ts_mention m = mention_of(p);
    if (!gaps || (m.tensor < 0 && m.attr < 0))
        return;
    if (gaps->unread_count == DESCRIPTOR_MOST_UNREAD) { /* the last one widens to the whole tensor or attribute */
        m.field[0] = 0;
        m.index = -1;
        stated = "";
        gaps->unread_count--;
    }
    char *to = gaps->stated[gaps->unread_count];
    snprintf(to, sizeof gaps->stated[0], "%s", strlen(stated) < sizeof gaps->stated[0] ? stated : "");
    gaps->unread[gaps->unread_count++] = m;
}

bool descriptor_forgive(const descriptor_place *p, const char *key)
{
    descriptor_gaps *gaps = p->r->gaps;
    if (!gaps || p->r->e->status != EXIT_BAD_USAGE)
        return false;
    if (gaps->mistake_count == DESCRIPTOR_MOST_MISTAKES) {
        gaps->mistakes_dropped++;
    } else {
        descriptor_mistake *mistake = &gaps->mistakes[gaps->mistake_count++];
        mistake->at = mention_of(p);
        mistake->as = (ts_mention){ -1, -1, "", -1 };
        mistake->taken[0] = 0;
        mistake->exceeds = p->r->exceeds;
        snprintf(mistake->key, sizeof mistake->key, "%s", key ? key : "");
        snprintf(mistake->text, sizeof mistake->text, "%.*s", (int)sizeof mistake->text - 1, p->r->e->text);
    }
    p->r->exceeds = false;
    if (!key)
        descriptor_unread(p);
    return true;
}

bool descriptor_exceeds(descriptor_reader *r, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->exceeds = r->gaps != NULL;
    return error_usage(r->e, "%s", text);
}

void descriptor_read_as(descriptor_reader *r, int tensor, int attr, const char *field, const char *name)
{
    if (!r->gaps || r->gaps->mistake_count == 0 || r->gaps->mistakes_dropped)
        return;
    descriptor_mistake *mistake = &r->gaps->mistakes[r->gaps->mistake_count - 1];
    ts_mention *as = &mistake->as;
    snprintf(mistake->taken, sizeof mistake->taken, "%s", name);
    as->tensor = tensor;
    as->attr = attr;
    snprintf(as->field, sizeof as->field, "%s", field);
}

bool descriptor_is_unread(const descriptor_reader *r, int tensor, int attr, const char *field)
{
    for (unsigned i = 0; r->gaps && i < r->gaps->unread_count; ++i) {
        const ts_mention *m = &r->gaps->unread[i];
        if (tensor >= 0 && m->tensor == tensor && (m->field[0] == 0 || strcmp(m->field, field) == 0))
            return true;
        if (attr >= 0 && m->attr == attr && m->index < 0)
            return true;
    }
    return false;
}

/* ---- what depends on it ------------------------------------------------------------------------------------ */

static bool covers(const ts_mention *unread, const ts_mention *m)
{
    bool about = unread->tensor == m->tensor && unread->attr == m->attr;
    bool field = unread->field[0] == 0 || m->field[0] == 0 || strcmp(unread->field, m->field) == 0 ||
                 (strcmp(unread->field, "Sizes") == 0 && unread->index < 0 && strcmp(m->field, "DimensionCount") == 0);
    return about && field && (unread->index < 0 || m->index < 0 || unread->index == m->index);
}

/* The sizes of outputs follow from all attributes and from the sizes of the inputs. */
static bool decides_shape(const ts_descriptor *d, const ts_mention *unread)
{
    return unread->attr >= 0 || (d->op->tensors[unread->tensor].role == TS_INPUT &&
                                 (unread->field[0] == 0 || strcmp(unread->field, "Sizes") == 0));
}

/* Is the mention of the number of members of a list that could not be read? Its first member stands for it. */
static bool counts_unread(const ts_descriptor *d, const ts_mention *unread, const ts_mention *m)
{
    for (unsigned i = 0; i < d->op->list_count; ++i) {
        const ts_tensor_list *l = &d->op->lists[i];
        if (m->attr == (int)l->count && unread->tensor == (int)l->first && unread->field[0] == 0)
            return true;
    }
    return false;
}

/* Does the clause name what could not be read as a whole, of which the message, with these mentions, says nothing? It
   may speak of what follows from it: of an expected size. */
static bool clause_names(const ts_descriptor *d, const ts_violation *v, const ts_mention *mentions, size_t n,
                         const ts_mention *unread)
{
    const ts_clause *clause = operator_clause(d->op, v->clause);
    ts_violation said = { .tensor = -1, .axis = -1 };
    ts_mention list[16];
    if (!clause || unread->index >= 0)
        return false;
    for (size_t i = 0; i < n; ++i)
        if (mentions[i].tensor == unread->tensor && mentions[i].attr == unread->attr)
            return false;
    snprintf(said.text, sizeof said.text, "%s", clause->text);
    const size_t count = mention_list(d, &said, list, sizeof list / sizeof list[0]);
    for (size_t k = 0; k < count; ++k)
        if (covers(unread, &list[k]))
            return true;
    return false;
}

bool descriptor_depends(const ts_descriptor *d, const descriptor_gaps *gaps, const ts_violation *v)
{
    ts_mention list[16];
    size_t count = gaps->unread_count ? mention_list(d, v, list, sizeof list / sizeof list[0]) : 0;
    /* an operator that is not computed has no clause of the shape alone */
    bool shape = d->op->shape_clause ? strcmp(v->clause, d->op->shape_clause) == 0
                                     : v->tensor >= 0 && v->axis >= 0 && d->op->tensors[v->tensor].role == TS_OUTPUT;
    for (unsigned i = 0; i < gaps->unread_count; ++i) {
        if ((shape && decides_shape(d, &gaps->unread[i])) || clause_names(d, v, list, count, &gaps->unread[i]))
            return true;
        for (size_t k = 0; k < count; ++k)
            if (covers(&gaps->unread[i], &list[k]) || counts_unread(d, &gaps->unread[i], &list[k]))
                return true;
    }
    return false;
}

/* ---- stand-ins --------------------------------------------------------------------------------------------- */

/* The number of values that the lists of one count should have: the count itself where it is stated, else that of most
   of them, else the dimension count of the first tensor. */
static uint32_t wanted_count(const descriptor_reader *r, const ts_attr_decl *list, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    uint32_t count;
    if (!descriptor_common_count(op, attrs, (unsigned)(list - op->attrs), &count))
        count = r->d->tensors[0].rank;
    for (unsigned k = 0; k < op->attr_count; ++k)
        if (op->attrs[k].counts && op->attrs[k].offset == list->count_offset && (r->d->attrs_given >> k & 1))
            count = (uint32_t)operator_attr_value(r->d, k, 0);
    return count;
}

/* Does another list share the count of list k, or does a scalar state it? */
static bool shares_count(const ts_operator *op, unsigned k)
{
    for (unsigned j = 0; j < op->attr_count; ++j) {
        const ts_attr_decl *b = &op->attrs[j];
        if (j != k && ((b->count == TS_ARRAY && b->count_offset == op->attrs[k].count_offset) ||
                       (b->counts && b->offset == op->attrs[k].count_offset)))
            return true;
    }
    return false;
}

/* Store zeros as an attribute that was not read. */
static void fill_attr(descriptor_reader *r, unsigned k, json_t *const *attrs)
{
    static const int64_t zeros[TS_MAX_ATTR_BYTES];
    const ts_attr_decl *a = &r->d->op->attrs[k];
    uint32_t count = a->count == TS_ARRAY ? wanted_count(r, a, attrs) : 1;
    operator_set_attr(r->d, k, zeros, count < a->capacity ? count : a->capacity);
}

void descriptor_fill_attrs(descriptor_reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    if (!r->gaps)
        return;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        bool listed = a->count == TS_ARRAY && json_is_array(attrs[k]) && shares_count(op, k);
        if (descriptor_is_unread(r, -1, (int)k, ""))
            fill_attr(r, k, attrs);
        else if (listed && operator_reports(r->found, operator_count_clause.id) &&
                 json_array_size(attrs[k]) != wanted_count(r, a, attrs) && wanted_count(r, a, attrs) <= a->capacity)
            descriptor_unread(&(descriptor_place){ r, a->name, NULL, -1, -1 });
        if (listed && wanted_count(r, a, attrs) <= a->capacity && operator_reports(r->found, operator_count_clause.id))
            memcpy(r->d->attrs + a->count_offset, &(uint32_t){ wanted_count(r, a, attrs) }, sizeof(uint32_t));
    }
}

/* The narrowest type that the first row of the support table allows: no alignment and no level forbids it. */
static uint32_t narrowest_type(const ts_operator *op, unsigned tensor)
{
    uint32_t best = TS_DTYPE_UNKNOWN;
    for (uint32_t type = 1; type < TS_DTYPE_COUNT; ++type) {
        if ((op->support[0].tensors[tensor].dtypes & TS_DTYPE_BIT(type)) &&
            (best == TS_DTYPE_UNKNOWN || tensor_dtype(type)->bits < tensor_dtype(best)->bits))
            best = type;
    }
    return best;
}

/* Give a tensor whose sizes were not read those of another, or else ones. */
static void fill_sizes(descriptor_reader *r, unsigned k)
{
    ts_tensor *t = &r->d->tensors[k];
    for (unsigned j = 0; j < r->d->op->tensor_count; ++j) {
        const ts_tensor *other = &r->d->tensors[j];
        if (j == k || !(other->given & TS_GIVEN_SIZES) || other->rank < 1 || other->rank > TS_MAX_DIMS ||
            r->derive_sizes[j] || descriptor_is_unread(r, (int)j, -1, "Sizes"))
            continue;
        t->rank = other->rank;
        memcpy(t->sizes, other->sizes, sizeof t->sizes);
        return;
    }
    t->rank = 4; /* every level of every operator has it */
    for (uint32_t i = 0; i < t->rank; ++i)
        t->sizes[i] = 1;
}

void descriptor_fill_tensors(descriptor_reader *r)
{
    for (unsigned k = 0; r->gaps && k < r->d->op->tensor_count; ++k) {
        ts_tensor *t = &r->d->tensors[k];
        bool type = descriptor_is_unread(r, (int)k, -1, "DataType"), sizes = false;
        bool strides = descriptor_is_unread(r, (int)k, -1, "Strides");
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        for (unsigned i = 0; i < r->gaps->unread_count; ++i) {
            const ts_mention *m = &r->gaps->unread[i];
            sizes = sizes || (m->tensor == (int)k && m->index < 0 && (!m->field[0] || strcmp(m->field, "Sizes") == 0));
        }
        if (r->derive_type[k] && !type && !(r->gaps->absent >> k & 1))
            r->gaps->inferred_type |= UINT32_C(1) << k;
        if (r->derive_sizes[k] && !sizes && !(r->gaps->absent >> k & 1))
            r->gaps->inferred_sizes |= UINT32_C(1) << k;
        if (type)
            t->dtype = narrowest_type(r->d->op, k);
        if (type || descriptor_is_unread(r, (int)k, -1, "GuaranteedBaseOffsetAlignment"))
            t->alignment = 0;
        if (sizes && !r->derive_sizes[k])
            fill_sizes(r, k);
        if (strides || sizes)
            t->given &= ~TS_GIVEN_STRIDES;
        if (type || strides || descriptor_is_unread(r, (int)k, -1, "Sizes") ||
            descriptor_is_unread(r, (int)k, -1, "TotalTensorSizeInBytes"))
            r->total_stated[k] = false;
    }
}

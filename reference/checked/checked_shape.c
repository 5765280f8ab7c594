/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes as the pages write them: "{ 1, num_directions, 3*hidden_size, input_size }". */
#include "reference/checked/checked.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_NAMES 16
#define NAME_SIZE  96

/* Sizes that have got a name, and where. */
typedef struct named_size {
    const char *name;
    size_t length;
    wide value;
} named_size;

typedef struct names {
    unsigned count;
    named_size list[MOST_NAMES];
} names;

static const char *skip(const char *at, const char *what)
{
    while (*at && strchr(what, *at))
        ++at;
    return at;
}

/* The sizes between braces, one by one, without spaces: "3*hidden_size". A leading bracket means that it may be
   missing. NULL behind the last one. */
static const char *next_size(const char *at, char *buf, size_t size, bool *optional)
{
    size_t n = 0;
    at = skip(at, " ,");
    if (*at == '}' || *at == 0)
        return NULL;
    *optional = *at == '[';
    for (; *at && *at != ',' && *at != '}'; ++at)
        if (*at != ' ' && *at != '[' && *at != ']' && n + 1 < size)
            buf[n++] = *at;
    buf[n] = 0;
    return at;
}

static bool find_name(const names *known, const char *name, size_t length, wide *value)
{
    for (unsigned i = 0; i < known->count; ++i) {
        if (known->list[i].length == length && strncmp(known->list[i].name, name, length) == 0) {
            *value = known->list[i].value;
            return true;
        }
    }
    return false;
}

/* A field of the operator, which has no sign: "BlockSize", "PooledSize.Height". */
static bool find_field(const ts_descriptor *d, const char *name, size_t length, wide *value)
{
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        const size_t own = strlen(a->name);
        if (strncmp(a->name, name, own) != 0 || own > length || a->count == TS_ARRAY)
            continue;
        for (unsigned i = 0; a->count == TS_RECORD && i < a->capacity && name[own] == '.'; ++i) {
            if (strlen(a->members[i]) == length - own - 1 &&
                strncmp(a->members[i], name + own + 1, length - own - 1) == 0) {
                *value = operator_attr_value(d, k, i);
                return true;
            }
        }
        if (own == length && a->count == TS_SCALAR) {
            *value = operator_attr_value(d, k, 0);
            return true;
        }
    }
    return false;
}

/* The known factors of a product, and its only unknown one, which is empty if all are known. */
typedef struct product {
    wide known;
    const char *unknown; /* in the text of the rule */
    size_t length;
} product;

static product read_product(const ts_descriptor *d, const names *known, const char *text)
{
    product p = { .known = 1 };
    while (*text && *text != '+') {
        const size_t n = strcspn(text, "*+");
        wide value = 0;
        if (isdigit((unsigned char)*text))
            p.known = wide_mul(p.known, strtoull(text, NULL, 10));
        else if (find_field(d, text, n, &value) || find_name(known, text, n, &value))
            p.known = wide_mul(p.known, value);
        else {
            p.unknown = text;
            p.length = n;
        }
        text += n + (text[n] == '*');
    }
    return p;
}

/* A sum of products; the text of one without '+' is that of its product. In a sum, what has no name yet is 0. */
static product read_sum(const ts_descriptor *d, const names *known, const char *text)
{
    product sum = read_product(d, known, text);
    const char *rest = strchr(text, '+');
    if (rest && sum.unknown)
        sum = (product){ .known = 0 };
    for (; rest; rest = strchr(rest + 1, '+')) {
        const product next = read_product(d, known, rest + 1);
        sum.known = wide_add(sum.known, next.unknown ? 0 : next.known);
    }
    return sum;
}

/* How a size differs from what the rule says. */
typedef struct difference {
    uint32_t axis;
    wide expected; /* or a multiple of it, if `multiple` */
    bool multiple;
    char text[NAME_SIZE];
} difference;

/* The known factors of a product, "HeadCount" of "HeadCount*headSize", where one is unknown. */
static void known_factors(const product *p, const char *text, char *buf, size_t size)
{
    buf[0] = 0;
    for (size_t n; *text; text += n + (text[n] == '*')) {
        n = strcspn(text, "*");
        if (text != p->unknown)
            snprintf(buf + strlen(buf), size - strlen(buf), "%s%.*s", buf[0] ? "*" : "", (int)n, text);
    }
}

/* Compare one size; a new name gets its value. `at` is the rule's own text of the size, in which names stay. */
static bool compare(const ts_descriptor *d, names *known, const char *text, const char *at, uint64_t size,
                    difference *differs)
{
    const product p = read_sum(d, known, text);
    if (p.unknown ? p.known == 0 || size % p.known != 0 : p.known != size) {
        differs->expected = p.known;
        differs->multiple = p.unknown != NULL;
        if (p.unknown)
            known_factors(&p, text, differs->text, sizeof differs->text);
        else
            snprintf(differs->text, sizeof differs->text, "%.*s", (int)sizeof differs->text - 1, text);
        return false;
    }
    if (!p.unknown)
        return true;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)p.length, p.unknown);
    const char *own = strstr(at, name);
    if (own && known->count < MOST_NAMES)
        known->list[known->count++] = (named_size){ own, p.length, (wide)size / p.known };
    return true;
}

/* An open size is what the rule says, where all of its names have values. */
static void solve(const ts_descriptor *d, const names *known, const char *text, unsigned tensor, uint32_t axis,
                  const ts_report *report)
{
    const product p = read_sum(d, known, text);
    if (!p.unknown)
        checked_solved(report, (int)tensor, axis, p.known);
}

/* Compare a tensor with one alternative. With a report, it is the only one, and open sizes are solved. */
static bool fits(const ts_descriptor *d, names *known, unsigned tensor, const char *shape, difference *differs,
                 const ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    char text[NAME_SIZE];
    bool optional;
    uint32_t listed = 0, skipped, i = 0;
    for (const char *at = next_size(shape, text, sizeof text, &optional); at;
         at = next_size(at, text, sizeof text, &optional))
        listed++;
    skipped = listed > t->rank ? listed - t->rank : 0;
    const uint32_t before = t->rank > listed ? t->rank - listed : 0;
    for (; i < before; ++i) { /* more dimensions than the page writes: ones */
        *differs = (difference){ .axis = i, .expected = 1, .text = "1" };
        checked_solved(report, (int)tensor, i, 1);
        if (t->sizes[i] > 1)
            return false;
    }
    const char *at = shape, *next;
    while ((next = next_size(at, text, sizeof text, &optional))) {
        if (skipped > 0 && optional) {
            skipped--;
        } else if (i < t->rank) {
            differs->axis = i;
            if (t->sizes[i] == 0)
                solve(d, known, text, tensor, i, report);
            if (t->sizes[i] != 0 && !compare(d, known, text, at, t->sizes[i], differs))
                return false;
            ++i;
        }
        at = next;
    }
    return true;
}

/* Is the tensor one of the rule's that are given, and has it as many dimensions as the support table says, if that is one
   number? Of another one, which is reported, the text says nothing. */
static bool has_shape(const ts_descriptor *d, const checked_rule *rule, unsigned k)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    const uint32_t least = row ? row->tensors[k].min_dims : 0, most = row ? row->tensors[k].max_dims : TS_MAX_DIMS;
    return (rule->tensors >> k & 1) && operator_has_tensor(d, k) && (least != most || d->tensors[k].rank == most);
}

/* The names that the rules before this one have given, or to solve sizes, all rules. */
static void gather_names(const ts_descriptor *d, const checked_rule *rule, bool all, names *known)
{
    const checked_operator *declared = (const checked_operator *)(const void *)d->op;
    const checked_rule *end = all ? declared->rules + declared->rule_count : rule;
    difference ignored;
    for (const checked_rule *r = declared->rules; r < end; ++r)
        for (unsigned k = 0; r->judge == checked_shape && k < d->op->tensor_count; ++k)
            if (has_shape(d, r, k) && !strstr(r->shape, " or "))
                fits(d, known, k, skip(r->shape, " {"), &ignored, NULL);
}

/* Has a tensor of the rule a size that is open? */
static bool has_open_size(const ts_descriptor *d, const checked_rule *rule)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        for (uint32_t i = 0; (rule->tensors >> k & 1) && operator_has_tensor(d, k) && i < d->tensors[k].rank; ++i)
            if (d->tensors[k].sizes[i] == 0)
                return true;
    return false;
}

/* Is a field in the text less than a rule of its own allows, such as a BlockSize of 0? That is reported, and then the
   field says nothing about sizes. */
static bool has_broken_field(const ts_descriptor *d, const checked_rule *rule)
{
    const checked_operator *declared = (const checked_operator *)(const void *)d->op;
    for (const checked_rule *r = declared->rules; r < declared->rules + declared->rule_count; ++r)
        if (r->judge == checked_at_least && d->op->attrs[r->attr].count == TS_SCALAR &&
            operator_attr_value(d, r->attr, 0) < r->number && strstr(rule->shape, d->op->attrs[r->attr].name))
            return true;
    return false;
}

void checked_shape(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    names known = { .count = 0 };
    if (!rule->clause || has_broken_field(d, rule) || (report && report->solution && !has_open_size(d, rule)))
        return; /* it only gives names, or there is nothing to solve */
    gather_names(d, rule, report && report->solution, &known);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        difference differs = { .axis = 0 };
        bool found = false;
        if (!has_shape(d, rule, k))
            continue;
        for (const char *at = rule->shape; at && !found; at = strstr(at, " or ")) {
            at = skip(at + (at == rule->shape ? 0 : 4), " {");
            found = fits(d, &known, k, at, &differs, strstr(rule->shape, " or ") ? NULL : report);
        }
        if (found)
            continue;
        const uint64_t size = d->tensors[k].sizes[differs.axis];
        char text[WIDE_TEXT];
        if (strstr(rule->shape, " or "))
            checked_violate(rule, report, (int)k, (int)differs.axis, "%s.Sizes[%u] = %" PRIu64 " does not fit %s",
                            d->op->tensors[k].name, differs.axis, size, rule->shape);
        else if (isdigit((unsigned char)differs.text[0]) && !strpbrk(differs.text, "*+")) /* a number says its value */
            checked_violate(rule, report, (int)k, (int)differs.axis, "%s.Sizes[%u] = %" PRIu64 " is not %s%s",
                            d->op->tensors[k].name, differs.axis, size, differs.multiple ? "a multiple of " : "",
                            differs.text);
        else
            checked_violate(rule, report, (int)k, (int)differs.axis,
                            "%s.Sizes[%u] = %" PRIu64 " is not %s%s = %s", d->op->tensors[k].name, differs.axis, size,
                            differs.multiple ? "a multiple of " : "", differs.text, wide_text(differs.expected, text));
        if (!strstr(rule->shape, " or ") && !differs.multiple)
            checked_require(report, differs.expected);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_refusals.h"
#include "harness/base/did_you_mean.h"
#include "harness/check/check_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- values in the text ------------------------------------------------------------------------------------ */

static bool is_word(const json_reader *r, check_span at, const char *word)
{
    return json_scanner_is(r->t, at, word);
}

static bool is_number(const json_reader *r, check_span at)
{
    const char c = at.end > at.begin ? r->t->bytes[at.begin] : 0;
    return c == '-' || (c >= '0' && c <= '9');
}

static check_place place_of(const json_reader *r, check_span at)
{
    return source_text_place(r->t, at.begin);
}

/* A value for messages, cut off between characters where it is long. */
static int shown(const json_reader *r, check_span at)
{
    size_t n = at.end - at.begin < 40 ? at.end - at.begin : 40;
    while (n > 0 && at.begin + n < at.end && ((unsigned char)r->t->bytes[at.begin + n] & 0xC0) == 0x80)
        --n;
    return (int)n;
}
#define SHOWN(r, at) shown(r, at), (r)->t->bytes + (at).begin

/* Where a value is: "InputTensor.Sizes[1]". */
typedef struct field {
    const char *owner, *name; /* the name may be NULL */
    int index;                /* or -1 */
} field;

static const char *say(const field *f, char *buf, size_t size)
{
    const int n = snprintf(buf, size, "%s%s%s", f->owner, f->name ? "." : "", f->name ? f->name : "");
    if (f->index >= 0 && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, "[%d]", f->index);
    return buf;
}

/* DXD-03: a field that may be left out is null. */
static bool find_null(json_reader *r, field f, check_span at)
{
    char name[128];
    if (!is_word(r, at, "null"))
        return false;
    check_find(&r->item, "DXD-03", place_of(r, at), "%s is null, where a value is expected; leave it out",
               say(&f, name, sizeof name));
    return true;
}

/* DXD-04: a whole number with a decimal point or an exponent. */
static void find_fraction(json_reader *r, field f, check_span at)
{
    char name[128];
    const char *bytes = r->t->bytes + at.begin;
    const size_t size = at.end - at.begin;
    if (!is_number(r, at) || !(memchr(bytes, '.', size) || memchr(bytes, 'e', size) || memchr(bytes, 'E', size)))
        return;
    check_find(&r->item, "DXD-04", place_of(r, at), "%s = %.*s, where an integer is expected",
               say(&f, name, sizeof name), SHOWN(r, at));
}

static void find_fractions(json_reader *r, field f, check_span at)
{
    check_span one;
    size_t next = 0;
    if (!json_reader_is(r, at, '[')) {
        find_fraction(r, f, at);
        return;
    }
    for (f.index = 0; json_scanner_element(r->t, at, &next, &one); ++f.index)
        find_fraction(r, f, one);
}

/* ---- enumerations ------------------------------------------------------------------------------------------ */

/* Is the string at a span this name, or the rest of it behind its first `prefix` bytes? */
static bool is_spelt(const json_reader *r, check_span at, const char *name, size_t prefix)
{
    const check_span inner = { at.begin + 1, at.end - 1 };
    return is_word(r, inner, name) || is_word(r, inner, name + prefix);
}

/* The length of the prefix that all names of an enumeration share, up to a '_'; that of DML_..._TYPE_ where there is
   one name. */
static size_t prefix_of(const char *const *names)
{
    size_t shared = strlen(names[0]), prefix = 0;
    const char *type = names[1] ? NULL : strstr(names[0], "_TYPE_");
    if (type)
        return (size_t)(type - names[0]) + strlen("_TYPE_");
    for (size_t i = 1; names[i]; ++i) {
        size_t n = 0;
        while (n < shared && names[i][n] == names[0][n])
            ++n;
        shared = n;
    }
    for (size_t n = 0; n < shared; ++n)
        prefix = names[0][n] == '_' ? n + 1 : prefix;
    return prefix;
}

/* DXD-07 of a value that check itself can read. */
static void find_spelling(json_reader *r, field f, check_span at, const char *expected)
{
    char name[128];
    check_find(&r->item, "DXD-07", place_of(r, at), "%s = %.*s, where \"%s\" is expected", say(&f, name, sizeof name),
               SHOWN(r, at), expected);
}

static void find_enumeration(json_reader *r, field f, check_span at, const char *const *names)
{
    const size_t prefix = prefix_of(names), size = at.end - at.begin;
    size_t meant = 0;
    for (size_t i = 0; names[i]; ++i) {
        if (json_reader_is(r, at, '"') && is_spelt(r, at, names[i], prefix))
            return;
        const size_t n = strlen(names[i]); /* the end of a name is what check reads, too */
        if (size > 2 && n >= size - 2 && memcmp(names[i] + n - (size - 2), r->t->bytes + at.begin + 1, size - 2) == 0)
            meant = i;
        else if (is_number(r, at) && size < 4 && (size_t)strtoull(r->t->bytes + at.begin, NULL, 10) == i)
            meant = i;
    }
    find_spelling(r, f, at, names[meant] + prefix);
}

static void find_type(json_reader *r, field f, check_span at, uint32_t dtype)
{
    static const char prefix[] = "DML_TENSOR_DATA_TYPE_";
    char whole[64];
    const ts_dtype_info *type = tensor_dtype(dtype);
    snprintf(whole, sizeof whole, "%s%s", prefix, type && type->dml ? type->dml : "UNKNOWN");
    if (!json_reader_is(r, at, '"') || !is_spelt(r, at, whole, sizeof prefix - 1))
        find_spelling(r, f, at, whole + sizeof prefix - 1);
}

/* ---- tensors ----------------------------------------------------------------------------------------------- */

static void find_flags(json_reader *r, field f, check_span at)
{
    static const char *const flags[] = { "DML_TENSOR_FLAG_NONE", "DML_TENSOR_FLAG_OWNED_BY_DML", NULL };
    check_span one;
    size_t next = 0;
    if (!json_reader_is(r, at, '['))
        find_enumeration(r, f, at, flags);
    while (json_reader_is(r, at, '[') && json_scanner_element(r->t, at, &next, &one))
        find_enumeration(r, f, one, flags);
}

static void find_tensor(json_reader *r, unsigned k, check_span tensor)
{
    static const char *const integers[] = { "Sizes", "Strides", "DimensionCount", "TotalTensorSizeInBytes",
                                            "GuaranteedBaseOffsetAlignment" };
    const char *owner = r->item.d.op->tensors[k].name;
    check_span fields, at;
    if (!json_scanner_find(r->t, tensor, "Desc", &fields))
        fields = tensor;
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; ++i) {
        const field f = { owner, integers[i], -1 };
        if (json_scanner_find(r->t, fields, f.name, &at) && (i == 0 || !find_null(r, f, at)))
            find_fractions(r, f, at);
    }
    field f = { owner, "DataType", -1 };
    if (json_scanner_find(r->t, fields, f.name, &at) && !check_is_unread(&r->item, (int)k, -1, "DataType", -1))
        find_type(r, f, at, r->item.d.tensors[k].dtype);
    f.name = "Flags";
    if (json_scanner_find(r->t, fields, f.name, &at) && !find_null(r, f, at) &&
        !check_is_unread(&r->item, (int)k, -1, "Flags", -1))
        find_flags(r, f, at);
}

static void find_tensors(json_reader *r)
{
    const ts_operator *op = r->item.d.op;
    check_span at, one;
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        const ts_tensor_list *l = operator_list_of(op, k);
        size_t next = 0;
        if (!operator_begins_field(op, k) ||
            !json_scanner_find(r->t, r->descriptor, operator_field_of_tensor(op, k), &at))
            continue;
        if (!l && op->tensors[k].optional)
            find_null(r, (field){ op->tensors[k].name, NULL, -1 }, at);
        if (!l && json_reader_is(r, at, '{'))
            find_tensor(r, k, at);
        for (unsigned i = 0; l && i < l->most && json_scanner_element(r->t, at, &next, &one); ++i)
            if (json_reader_is(r, one, '{'))
                find_tensor(r, k + i, one);
    }
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

/* Is the list that an attribute counts in the text? Its own clause reports one that counts nothing. */
static bool counts_given(const json_reader *r, unsigned k)
{
    const ts_operator *op = r->item.d.op;
    check_span at;
    for (unsigned i = 0; i < op->list_count; ++i)
        if (op->lists[i].count == k && json_scanner_find(r->t, r->descriptor, op->lists[i].name, &at))
            return true;
    for (unsigned j = 0; j < op->attr_count; ++j)
        if (op->attrs[j].count == TS_ARRAY && op->attrs[j].count_offset == op->attrs[k].offset &&
            json_scanner_find(r->t, r->descriptor, op->attrs[j].name, &at))
            return true;
    return false;
}

static void find_attr(json_reader *r, const ts_attr_decl *a, check_span at)
{
    field f = { a->name, NULL, -1 };
    check_span one;
    if (a->type == TS_ATTR_F32 || a->type == TS_ATTR_UNION || a->type == TS_ATTR_OPERATOR)
        return;
    if (a->type == TS_ATTR_BOOL && is_number(r, at))
        check_find(&r->item, "DXD-05", place_of(r, at), "%s = %.*s, where true or false is expected", a->name,
                   SHOWN(r, at));
    else if (a->names && a->count == TS_SCALAR)
        find_enumeration(r, f, at, a->names);
    else if (a->count != TS_RECORD)
        find_fractions(r, f, at);
    for (unsigned i = 0; a->count == TS_RECORD && i < a->capacity; ++i) {
        f.name = a->members[i];
        if (json_scanner_find(r->t, at, f.name, &one))
            find_fraction(r, f, one);
    }
}

void check_find_refusals(json_reader *r)
{
    const ts_operator *op = r->item.d.op;
    const char *const *other = op->unjudged_fields;
    check_span at;
    find_tensors(r);
    for (; other && *other; ++other) /* optional, as ScaleBias is */
        if (json_scanner_find(r->t, r->descriptor, *other, &at))
            find_null(r, (field){ *other, NULL, -1 }, at);
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        if (!json_scanner_find(r->t, r->descriptor, a->name, &at)) {
            if (a->counts && counts_given(r, k))
                check_find(&r->item, "DXD-06", place_of(r, r->descriptor), "%s is missing", a->name);
            continue;
        }
        if (a->optional && find_null(r, (field){ a->name, NULL, -1 }, at))
            continue;
        if (!is_word(r, at, "null") && !check_is_unread(&r->item, -1, (int)k, "", -1))
            find_attr(r, a, at);
    }
}

void check_find_members(json_reader *r)
{
    static const char *const names[] = { "type", "desc", "bindings", "executionFlags", "dmlCompileType" };
    did_you_mean_names known = { .count = 0 };
    descriptor_gaps *gaps = &r->item.gaps;
    check_span key, value;
    size_t at = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        did_you_mean_add(&known, names[i]);
    while (json_scanner_member(r->t, r->whole, &at, &key, &value)) {
        char word[64];
        did_you_mean search;
        error why;
        snprintf(word, sizeof word, "%.*s", (int)(key.end - key.begin < 60 ? key.end - key.begin : 60),
                 r->t->bytes + key.begin);
        did_you_mean_start(&search, word);
        for (size_t i = 0; i < known.count; ++i)
            if (!json_scanner_find(r->t, r->whole, names[i], &(check_span){ 0, 0 }))
                did_you_mean_try(&search, names[i]);
        const char *meant = did_you_mean_close(&search);
        if (!meant || strcasecmp(word, "Type") == 0 || strcasecmp(word, "Desc") == 0 ||
            gaps->mistake_count == DESCRIPTOR_MOST_MISTAKES)
            continue;
        did_you_mean_told(&why, "the dispatchable", "member", word, meant, &known);
        descriptor_mistake *m = &gaps->mistakes[gaps->mistake_count++];
        memset(m, 0, sizeof *m);
        m->at = m->as = (ts_mention){ -1, -1, "", -1 };
        snprintf(m->key, sizeof m->key, "%s", word);
        snprintf(m->text, sizeof m->text, "%.*s", (int)sizeof m->text - 1, why.text);
    }
}

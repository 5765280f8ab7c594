/* SPDX-License-Identifier: Apache-2.0 */
/* Where a field of a descriptor in JSON is. */
#include "harness/check/check_json_reader.h"

#include <stdio.h>
#include <string.h>

/* Other names of a tensor's fields in records. The place of an omitted DimensionCount is that of Sizes. */
static bool find_field(const source_text *t, check_span tensor, const char *field, check_span *value)
{
    static const char *const spellings[][4] = {
        { "Sizes", "shape", "sizes", NULL },
        { "DataType", "type", "dtype", NULL },
        { "DimensionCount", "rank", "Sizes", "shape" },
        { "Strides", "strides", NULL, NULL },
        { "TotalTensorSizeInBytes", "total_bytes", NULL, NULL },
        { "GuaranteedBaseOffsetAlignment", "alignment", NULL, NULL },
        { "Flags", "flags", NULL, NULL },
    };
    if (json_scanner_find(t, tensor, field, value))
        return true;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; ++i) {
        for (size_t j = 1; j < 4 && strcmp(field, spellings[i][0]) == 0 && spellings[i][j]; ++j) {
            if (json_scanner_find(t, tensor, spellings[i][j], value))
                return true;
        }
    }
    return false;
}

/* Find a field under the unknown name that it was read by. */
static bool find_misspelt(const check_item *item, const ts_mention *m, const char *field, check_span in,
                          check_span *value)
{
    const json_reader *r = item->source;
    for (unsigned i = 0; i < item->gaps.mistake_count; ++i) {
        const descriptor_mistake *mistake = &item->gaps.mistakes[i];
        if (mistake->key[0] && mistake->as.tensor == m->tensor && mistake->as.attr == m->attr &&
            strcmp(mistake->as.field, field) == 0 && json_scanner_find(r->t, in, mistake->key, value))
            return true;
    }
    return false;
}

/* Find a tensor in a descriptor: of a list, the member. */
static bool find_tensor(const json_reader *r, check_span descriptor, const ts_operator *op, unsigned k,
                        check_span *value)
{
    const ts_tensor_list *l = operator_list_of(op, k);
    check_span list;
    size_t next = 0;
    if (!l)
        return json_reader_find(r, descriptor, op->tensors[k].name, op->tensors[k].alias, value);
    if (!json_reader_find(r, descriptor, l->name, l->alias, &list))
        return false;
    *value = list; /* the whole list, if it is too short */
    for (unsigned i = 0; json_reader_is(r, list, '[') && i <= k - l->first; ++i)
        if (!json_scanner_element(r->t, list, &next, value)) {
            *value = list;
            break;
        }
    return true;
}

bool json_reader_locate(const check_item *item, const ts_mention *m, check_place *place)
{
    const json_reader *r = item->source;
    const ts_operator *op = item->d.op;
    check_span at, inner;
    size_t next = 0;
    const bool found = m->attr >= 0
                           ? json_reader_find(r, r->descriptor, op->attrs[m->attr].name, op->attrs[m->attr].alias, &at)
                           : find_tensor(r, r->descriptor, op, (unsigned)m->tensor, &at);
    if (!found && !find_misspelt(item, m, "", r->descriptor, &at))
        return false;
    if (m->tensor >= 0 && m->field[0]) {
        if (find_field(r->t, at, m->field, &inner) || find_misspelt(item, m, m->field, at, &inner))
            at = inner;
        else if (json_scanner_find(r->t, at, "Desc", &inner))
            at = find_field(r->t, inner, m->field, &at) ? at : inner;
    }
    for (int i = 0; i <= m->index && json_scanner_element(r->t, at, &next, &inner); ++i) {
        if (i == m->index)
            at = inner;
    }
    *place = source_text_place(r->t, at.begin);
    return true;
}

/* Find the key of a record's member. */
static bool find_key(const json_reader *r, check_span record, const char *name, check_place *place)
{
    check_span key, value;
    size_t at = 0;
    while (json_reader_is(r, record, '{') && json_scanner_member(r->t, record, &at, &key, &value)) {
        if (json_scanner_is(r->t, key, name)) {
            *place = source_text_place(r->t, key.begin - 1);
            return true;
        }
    }
    return false;
}

/* Find a field that does not exist: in a tensor, in its Desc, or in the descriptor. */
static bool find_unknown(const json_reader *r, const ts_operator *op, int tensor, const char *name, check_place *place)
{
    check_span at = r->descriptor, inner;
    if (tensor >= 0 && !find_tensor(r, at, op, (unsigned)tensor, &at))
        return false;
    if (find_key(r, at, name, place))
        return true;
    return tensor >= 0 && json_scanner_find(r->t, at, "Desc", &inner) && find_key(r, inner, name, place);
}

bool json_reader_locate_mistake(const check_item *item, const descriptor_mistake *m, check_place *place)
{
    const json_reader *r = item->source;
    if (m->key[0] && (find_unknown(r, item->d.op, m->at.tensor, m->key, place) ||
                      (m->at.tensor < 0 && m->at.attr < 0 && find_key(r, r->whole, m->key, place))))
        return true;
    return (m->at.tensor >= 0 || m->at.attr >= 0) && json_reader_locate(item, &m->at, place);
}

bool json_reader_locate_named(const json_reader *r, check_span whole, int tensor, check_place *place)
{
    static const char before[] = ": no field \"";
    const char *named = strstr(r->e->text, before);
    char name[64];
    if (!named)
        return false;
    named += sizeof before - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(named, "\""), named);
    return (r->item.d.op && find_unknown(r, r->item.d.op, tensor, name, place)) || find_key(r, whole, name, place);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors in JSON: DxDispatch models (github.com/microsoft/DirectML, DxDispatch/doc/Guide.md), single operators
 * { "type": "DML_OPERATOR_...", "desc": { ... } }, and records { operator, descriptor }. Operators are parsed one by
 * one, so that a file's size bounds the memory that reading it takes.
 */
#include "harness/check/check_dxdispatch.h"
#include "harness/check/check_file.h"
#include "harness/check/check_graph.h"
#include "harness/check/check_model.h"
#include "harness/check/check_record.h"
#include "harness/check/check_tree.h"
#include "harness/model/descriptor.h"
#include "harness/check/json_scanner.h"
#include "harness/base/array.h"
#include "harness/base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPERATORS 1000000           /* of a model */
#define MOST_MEMBER    ((size_t)1 << 20) /* bytes of a record's member, or of an operator's desc */

/* State of reading one file. */
typedef struct reader {
    source_text *t;
    bool inputs; /* are wanted */
    const check_options *o;
    check_visit *visit;
    void *context;
    error *e;
    check_item item;
    check_span descriptor;      /* where the item's fields are; empty without them */
    check_model *model;         /* that the operators are of, where its descriptors are wanted; else NULL */
    const char *folder;         /* of the file, with the separator at its end; NULL: it is not on disk */
    check_span whole, bindings; /* the operator, and its own bindings */
    const char *graph;          /* the dispatchable that is read as one */
} reader;

/* ---- spans ------------------------------------------------------------------------------------------------- */

/* Make a tree of a value; an error where it is too large for one descriptor. */
static json_t *load(const reader *r, check_span value)
{
    if (value.end - value.begin <= MOST_MEMBER)
        return check_tree(r->t, value, r->e);
    source_text_error(r->e, r->t, value.begin, "a descriptor of more than %zu KiB", MOST_MEMBER >> 10);
    return NULL;
}

/* The text of a string or key; the caller frees it. `span` is without its quotes. */
static char *take_text(const reader *r, check_span span)
{
    size_t size = span.end - span.begin;
    if (memchr(r->t->bytes + span.begin, '\\', size)) {
        json_t *json = load(r, (check_span){ span.begin - 1, span.end + 1 });
        char *text = json ? strdup(json_string_value(json)) : NULL;
        if (json && !text)
            error_set(r->e, "out of memory");
        json_decref(json);
        return text;
    }
    char *text = malloc(size + 1);
    if (!text) {
        error_set(r->e, "out of memory");
        return NULL;
    }
    memcpy(text, r->t->bytes + span.begin, size);
    text[size] = 0;
    return text;
}

static bool is_kind(const reader *r, check_span span, char bracket)
{
    return span.end > span.begin && r->t->bytes[span.begin] == bracket;
}

/* Find a member by either of two names, both of which DxDispatch accepts. */
static bool find_either(const reader *r, check_span object, const char *a, const char *b, check_span *value)
{
    return json_scanner_find(r->t, object, a, value) || json_scanner_find(r->t, object, b, value);
}

/* ---- places of fields -------------------------------------------------------------------------------------- */

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
    const reader *r = item->source;
    for (unsigned i = 0; i < item->gaps.mistake_count; ++i) {
        const descriptor_mistake *mistake = &item->gaps.mistakes[i];
        if (mistake->key[0] && mistake->as.tensor == m->tensor && mistake->as.attr == m->attr &&
            strcmp(mistake->as.field, field) == 0 && json_scanner_find(r->t, in, mistake->key, value))
            return true;
    }
    return false;
}

/* Find a tensor in a descriptor: of a list, the member. */
static bool find_tensor(const reader *r, check_span descriptor, const ts_operator *op, unsigned k, check_span *value)
{
    const ts_tensor_list *l = operator_list_of(op, k);
    check_span list;
    size_t next = 0;
    if (!l)
        return find_either(r, descriptor, op->tensors[k].name, op->tensors[k].alias, value);
    if (!find_either(r, descriptor, l->name, l->alias, &list))
        return false;
    *value = list; /* the whole list, if it is too short */
    for (unsigned i = 0; is_kind(r, list, '[') && i <= k - l->first; ++i)
        if (!json_scanner_element(r->t, list, &next, value)) {
            *value = list;
            break;
        }
    return true;
}

static bool locate(const check_item *item, const ts_mention *m, check_place *place)
{
    const reader *r = item->source;
    const ts_operator *op = item->d.op;
    check_span at, inner;
    size_t next = 0;
    const bool found = m->attr >= 0
                           ? find_either(r, r->descriptor, op->attrs[m->attr].name, op->attrs[m->attr].alias, &at)
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
static bool find_key(const reader *r, check_span record, const char *name, check_place *place)
{
    check_span key, value;
    size_t at = 0;
    while (is_kind(r, record, '{') && json_scanner_member(r->t, record, &at, &key, &value)) {
        if (json_scanner_is(r->t, key, name)) {
            *place = source_text_place(r->t, key.begin - 1);
            return true;
        }
    }
    return false;
}

/* Find a field that does not exist: in a tensor, in its Desc, or in the descriptor. */
static bool find_unknown(const reader *r, const ts_operator *op, int tensor, const char *name, check_place *place)
{
    check_span at = r->descriptor, inner;
    if (tensor >= 0 && !find_tensor(r, at, op, (unsigned)tensor, &at))
        return false;
    if (find_key(r, at, name, place))
        return true;
    return tensor >= 0 && json_scanner_find(r->t, at, "Desc", &inner) && find_key(r, inner, name, place);
}

static bool locate_mistake(const check_item *item, const descriptor_mistake *m, check_place *place)
{
    const reader *r = item->source;
    if (m->key[0] && find_unknown(r, item->d.op, m->at.tensor, m->key, place))
        return true;
    return (m->at.tensor >= 0 || m->at.attr >= 0) && locate(item, &m->at, place);
}

/* Find the field "X" of an error "...: no field "X"...", in the descriptor or in the record around it. */
static bool locate_named(const reader *r, check_span whole, int tensor, check_place *place)
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

/* Prefix the error of an unreadable descriptor with the place of the field that it names. */
static bool place_error(reader *r, check_span whole)
{
    ts_violation named = { .tensor = -1, .axis = -1 };
    ts_mention m;
    check_place place = source_text_place(r->t, whole.begin);
    snprintf(named.text, sizeof named.text, "%.*s", (int)sizeof named.text - 1, r->e->text);
    bool mentioned = r->item.d.op && mention_list(&r->item.d, &named, &m, 1) == 1;
    if (!locate_named(r, whole, mentioned ? m.tensor : -1, &place) && mentioned)
        locate(&r->item, &m, &place);
    return error_prefix(r->e, "%s:%zu:%zu", r->t->name, place.line, place.column);
}

/* ---- items ------------------------------------------------------------------------------------------------- */

static void begin_item(reader *r, check_span whole)
{
    source_text_advance(r->t, whole.begin);
    check_item_begin(&r->item, source_text_place(r->t, whole.begin));
    r->descriptor = (check_span){ 0, 0 };
}

static bool visit(reader *r)
{
    return r->visit(r->context, &r->item, r->e) || check_item_error(&r->item, r->e);
}

/* Unless ok, report the current item as unreadable. True where reading continues behind it. */
static bool recover(reader *r, bool ok)
{
    return ok || check_item_unreadable(&r->item, r->o, r->visit, r->context, r->e);
}

static bool visit_known(reader *r)
{
    r->item.known = r->item.judged = true;
    r->item.op_name = r->item.d.op->name;
    return visit(r);
}

/* ---- records ----------------------------------------------------------------------------------------------- */

/* Inputs may be long: where they are not wanted, an empty record replaces them. So are the outputs that a record of
   `show` expects, which nothing here needs. */
static json_t *load_member(const reader *r, check_span key, check_span value)
{
    if (json_scanner_is(r->t, key, "outputs")) {
        if (is_kind(r, value, '['))
            return json_array();
        source_text_error(r->e, r->t, value.begin, "outputs is no list");
        return NULL;
    }
    if (!json_scanner_is(r->t, key, "inputs"))
        return load(r, value);
    if (!is_kind(r, value, '{') && !is_kind(r, value, '[')) {
        source_text_error(r->e, r->t, value.begin, "inputs is no record of data by tensor");
        return NULL;
    }
    return r->inputs ? check_tree(r->t, value, r->e) : json_object();
}

static json_t *load_record(const reader *r, check_span record)
{
    json_t *json = json_object();
    size_t at = 0;
    check_span key, value;
    while (json && json_scanner_member(r->t, record, &at, &key, &value)) {
        char *name = take_text(r, key);
        json_t *member = name ? load_member(r, key, value) : NULL;
        bool twice = member && json_object_get(json, name);
        if (twice)
            source_text_error(r->e, r->t, key.begin - 1, "%s is given twice", name);
        if (!member || twice || json_object_set(json, name, member) != 0) {
            json_decref(json);
            json = NULL;
        }
        json_decref(member);
        free(name);
    }
    return json;
}

static bool read_record(reader *r, check_span record)
{
    begin_item(r, record);
    json_t *json = load_record(r, record);
    if (!json)
        return recover(r, false);
    r->item.op_name = json_string_value(json_object_get(json, "operator"));
    if (check_record_unknown(json, r->o, &r->item)) {
        bool visited = visit(r);
        json_decref(json);
        return visited;
    }
    json_scanner_find(r->t, record, "descriptor", &r->descriptor);
    bool ok = check_record_read(json, r->o, &r->item, r->e);
    if (!r->inputs)
        r->item.inputs = NULL;
    ok = ok ? visit_known(r) : recover(r, place_error(r, record));
    json_decref(json);
    return ok;
}

/* ---- operators of DxDispatch ------------------------------------------------------------------------------- */

/* The members of an operator's record; the spans of absent members are empty. */
typedef struct operator_parts {
    check_span type, desc, bindings, source;
} operator_parts;

static operator_parts find_parts(const reader *r, check_span whole)
{
    operator_parts parts = { .type = { 0, 0 } };
    check_span key, value;
    size_t at = 0;
    while (json_scanner_member(r->t, whole, &at, &key, &value)) {
        if (json_scanner_is(r->t, key, "type") || (json_scanner_is(r->t, key, "Type") && !parts.type.end))
            parts.type = value;
        else if (json_scanner_is(r->t, key, "desc") || (json_scanner_is(r->t, key, "Desc") && !parts.desc.end))
            parts.desc = value;
        else if (json_scanner_is(r->t, key, "bindings"))
            parts.bindings = value;
        else if (json_scanner_is(r->t, key, "sourcePath"))
            parts.source = value;
    }
    return parts;
}

/* Find the fields: in "desc", or beside "type" without it. */
static bool read_known(reader *r, const ts_operator *op, check_span whole, check_span inner)
{
    static const char *const beside[] = { "type", "executionFlags", "bindings", "dmlCompileType" };
    r->descriptor = inner.end ? inner : whole;
    if (!is_kind(r, r->descriptor, '{'))
        return source_text_error(r->e, r->t, r->descriptor.begin, "desc is no record");
    json_t *desc = load(r, r->descriptor);
    if (!desc)
        return false;
    for (size_t i = 0; i < 4 && !inner.end; ++i)
        json_object_del(desc, beside[i]);
    operator_begin(&r->item.d, op);
    bool ok = check_complete_operator(&r->item, op, desc) || error_set(r->e, "out of memory");
    if (ok && !check_read_descriptor(op, desc, r->o, &r->item, r->e))
        ok = place_error(r, r->descriptor);
    json_decref(desc);
    if (!ok)
        return false;
    check_settle(&r->item.d, r->o);
    for (unsigned k = 0; r->item.uncomputed && k < op->tensor_count; ++k) /* DirectML refuses it where operators alike
                                                                             were asked; no page says so */
        r->item.undecided = r->item.undecided || tensor_element_bytes(r->item.d.tensors[k].dtype) == 8;
    if (r->model && r->item.name)
        check_model_bind(r->model, r->item.name, r->bindings, &r->item);
    return visit_known(r);
}

static void bound_to_edge(void *binder, check_item *item, unsigned tensor, const char *edge)
{
    const reader *r = binder;
    check_model_bind_edge(r->model, r->graph, item, tensor, edge);
}

/* Read the nodes of a serialized graph, which is in a file of its own. */
static bool read_graph(reader *r, check_span source, const char *name)
{
    char path[1200];
    const check_place place = r->item.place;
    r->item.op_name = "dmlSerializedGraph";
    if (!is_kind(r, source, '"'))
        return recover(r, source_text_error(r->e, r->t, r->whole.begin,
                                            "a serialized graph without \"sourcePath\", the name of a file"));
    if (!r->folder || !r->model) {
        check_note(&r->item, "not judged: the file of the graph is not read here");
        return visit(r);
    }
    char *file = take_text(r, (check_span){ source.begin + 1, source.end - 1 });
    json_t *edges = file ? json_object() : NULL;
    if (!edges) {
        free(file);
        return error_set(r->e, "out of memory");
    }
    snprintf(path, sizeof path, "%s%s", file[0] == '/' ? "" : r->folder, file);
    if (!input_check(path, r->e) && input_check(file, r->e)) /* DxDispatch looks in the working directory then */
        snprintf(path, sizeof path, "%s", file);
    r->graph = name;
    const check_graph g = { .path = path,
                            .name = name,
                            .place = place,
                            .o = r->o,
                            .item = &r->item,
                            .visit = r->visit,
                            .context = r->context,
                            .bound = bound_to_edge,
                            .binder = r,
                            .edges = edges };
    r->item.index--; /* the graph itself is no descriptor */
    r->item.locate = NULL;
    r->item.locate_mistake = NULL;
    bool ok = check_graph_read(&g, r->e);
    if (ok)
        ok = check_model_edges(r->model, name, edges, r->e);
    else if (r->e->status == EXIT_BAD_USAGE)
        error_prefix(r->e, "%s:%zu:%zu", r->t->name, place.line, place.column);
    r->item.locate = locate;
    r->item.locate_mistake = locate_mistake;
    if (!ok) {
        check_item_begin(&r->item, place);
        r->item.name = name;
        r->item.op_name = "dmlSerializedGraph";
        ok = recover(r, false);
    }
    json_decref(edges);
    free(file);
    return ok;
}

static bool read_operator(reader *r, check_span whole, const char *name)
{
    begin_item(r, whole);
    r->item.name = name;
    if (!is_kind(r, whole, '{'))
        return recover(
            r, source_text_error(r->e, r->t, whole.begin, "an operator is a record { \"type\": ..., \"desc\": ... }"));
    operator_parts parts = find_parts(r, whole);
    if (!is_kind(r, parts.type, '"'))
        return recover(r, source_text_error(r->e, r->t, whole.begin, "an operator without \"type\""));
    char *word = take_text(r, (check_span){ parts.type.begin + 1, parts.type.end - 1 });
    if (!word)
        return false;
    const ts_operator *op = check_operator_typed(word);
    r->item.op_name = word;
    r->bindings = parts.bindings;
    r->whole = whole;
    const bool graph = !op && check_graph_is_type(word);
    if (!op && !graph)
        check_note_unknown(&r->item, false);
    bool ok = graph ? read_graph(r, parts.source, name)
              : op  ? recover(r, read_known(r, op, whole, parts.desc))
                    : visit(r);
    free(word);
    return ok;
}

/* ---- models ------------------------------------------------------------------------------------------------ */

/* A name in the text, with its address: the comparison function of qsort has no other argument. */
typedef struct name_in_text {
    const char *bytes;
    size_t size;
} name_in_text;

static int compare_names(const void *a, const void *b)
{
    const name_in_text *x = a, *y = b;
    int order = memcmp(x->bytes, y->bytes, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Report two operators of one name: a model is a dictionary, which would hold only one of them. */
static bool check_names(const reader *r, check_span dictionary)
{
    name_in_text *names = NULL;
    size_t count = 0, room = 0, at = 0;
    check_span key, value;
    bool ok = true;
    while (ok && json_scanner_member(r->t, dictionary, &at, &key, &value)) {
        if (count == MOST_OPERATORS)
            ok = source_text_error(r->e, r->t, key.begin - 1, "more than %d operators", MOST_OPERATORS);
        else if (!array_reserve(&names, &room, count + 1, sizeof *names))
            ok = error_set(r->e, "out of memory");
        if (ok)
            names[count++] = (name_in_text){ r->t->bytes + key.begin, key.end - key.begin };
    }
    if (ok && count > 0)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 1; ok && i < count; ++i) {
        if (compare_names(&names[i - 1], &names[i]) == 0) {
            const char *later = names[i].bytes > names[i - 1].bytes ? names[i].bytes : names[i - 1].bytes;
            ok = source_text_error(r->e, r->t, (size_t)(later - r->t->bytes) - 1, "two dispatchables named \"%.*s\"",
                                   names[i].size < 60 ? (int)names[i].size : 60, names[i].bytes);
        }
    }
    free(names);
    return ok;
}

static bool read_model(reader *r, check_span dictionary)
{
    size_t at = 0;
    check_span key, value;
    bool ok = true;
    if (!is_kind(r, dictionary, '{'))
        return source_text_error(r->e, r->t, dictionary.begin, "\"dispatchables\" is no record of operators by name");
    if (!check_names(r, dictionary))
        return false;
    while (ok && json_scanner_member(r->t, dictionary, &at, &key, &value)) {
        char *name = take_text(r, key);
        if (name && r->model)
            check_model_has(r->model, name);
        ok = name && read_operator(r, value, name);
        free(name);
    }
    return ok;
}

/* The folder of the file, with the separator at its end, in buf; NULL for one that is not on disk. */
static const char *folder_of(const check_file *f, char *buf, size_t size)
{
    const char *name = f->text.name, *slash = strrchr(name, '/'), *back = strrchr(name, '\\');
    const char *end = slash > back ? slash : back;
    if (!f->on_disk || (end && (size_t)(end + 2 - name) > size))
        return NULL;
    snprintf(buf, size, "%.*s", end ? (int)(end + 1 - name) : 0, name);
    return buf;
}

/* Visit the operators of a model; where its descriptors are wanted, with what else it says. */
static bool visit_model(reader *r, const check_file *f, check_span dictionary)
{
    char folder[600];
    r->folder = folder_of(f, folder, sizeof folder);
    if (r->inputs)
        return read_model(r, dictionary);
    r->model = check_model_open(r->t, f->root, r->folder, r->e);
    bool ok = r->model && check_model_visit(r->model, &r->item, r->o, r->visit, r->context, r->e);
    source_text_rewind(r->t);
    ok = ok && read_model(r, dictionary) && check_model_finish(r->model, &r->item, r->o, r->visit, r->context, r->e);
    check_model_close(r->model);
    r->model = NULL;
    r->folder = NULL;
    return ok;
}

/* Read a record or an operator, whichever the members show. */
static bool read_one(reader *r, check_span value)
{
    check_span ignored;
    if (json_scanner_find(r->t, value, "operator", &ignored))
        return read_record(r, value);
    if (find_either(r, value, "type", "Type", &ignored))
        return read_operator(r, value, NULL);
    begin_item(r, value);
    source_text_error(r->e, r->t, value.begin,
                      "no descriptor: expected a DxDispatch model { \"dispatchables\": ... }, an operator "
                      "{ \"type\": ..., \"desc\": ... } or a record { \"operator\": ..., \"descriptor\": ... }%s",
                      json_scanner_find(r->t, value, "graph", &ignored) ||
                              json_scanner_find(r->t, value, "tests", &ignored)
                          ? "; 'touchstone import' reads tests of WebNN"
                          : "");
    return recover(r, false);
}

bool check_json_visit(check_file *f, const check_options *o, check_visit *visit_item, void *context, error *e)
{
    source_text *t = &f->text;
    check_span value;
    size_t at = 0;
    bool ok = true;
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(e, "out of memory");
    *r = (reader){ .t = t, .inputs = f->want != CHECK_DESCRIPTORS, .o = o, .visit = visit_item, .context = context };
    r->e = e;
    r->item.file = t->name;
    r->item.source = r;
    r->item.locate = locate;
    r->item.locate_mistake = locate_mistake;
    source_text_rewind(t);
    if (is_kind(r, f->root, '[')) {
        while (ok && json_scanner_element(t, f->root, &at, &value))
            ok = read_one(r, value);
    } else if (json_scanner_find(t, f->root, "dispatchables", &value)) {
        ok = visit_model(r, f, value);
    } else {
        ok = read_one(r, f->root);
    }
    if (ok && r->item.index == 0 && !o->go_on)
        ok = source_text_error(e, t, f->root.begin, "no descriptor in it");
    free(r);
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors in JSON: DxDispatch models (github.com/microsoft/DirectML, DxDispatch/doc/Guide.md), single operators
 * { "type": "DML_OPERATOR_...", "desc": { ... } }, and records { operator, descriptor }. Operators are parsed one by
 * one, so that a file's size bounds the memory that reading it takes.
 */
#include "harness/check/check_unjudged.h"
#include "harness/check/check_dxdispatch.h"
#include "harness/check/check_file.h"
#include "harness/check/check_graph.h"
#include "harness/check/check_json_reader.h"
#include "harness/check/check_model.h"
#include "harness/check/check_record.h"
#include "harness/check/check_refusals.h"
#include "harness/check/check_tree.h"
#include "harness/model/descriptor.h"
#include "harness/check/json_scanner.h"
#include "harness/base/array.h"
#include "harness/base/did_you_mean.h"
#include "harness/base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPERATORS 1000000           /* of a model */
#define MOST_MEMBER    ((size_t)1 << 20) /* bytes of a record's member, or of an operator's desc */

/* ---- spans ------------------------------------------------------------------------------------------------- */

/* Make a tree of a value; an error where it is too large for one descriptor. */
static json_t *load(const json_reader *r, check_span value)
{
    if (value.end - value.begin <= MOST_MEMBER)
        return check_tree(r->t, value, r->e);
    source_text_error(r->e, r->t, value.begin, "a descriptor of more than %zu KiB", MOST_MEMBER >> 10);
    return NULL;
}

/* The text of a string or key; the caller frees it. `span` is without its quotes. */
static char *take_text(const json_reader *r, check_span span)
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

/* Prefix the error of an unreadable descriptor with the place of the field that it names. */
static bool place_error(json_reader *r, check_span whole)
{
    ts_violation named = { .tensor = -1, .axis = -1 };
    ts_mention m;
    check_place place = source_text_place(r->t, whole.begin);
    snprintf(named.text, sizeof named.text, "%.*s", (int)sizeof named.text - 1, r->e->text);
    bool mentioned = r->item.d.op && mention_list(&r->item.d, &named, &m, 1) == 1;
    if (!json_reader_locate_named(r, whole, mentioned ? m.tensor : -1, &place) && mentioned)
        json_reader_locate(&r->item, &m, &place);
    return error_prefix(r->e, "%s:%zu:%zu", r->t->name, place.line, place.column);
}

/* ---- items ------------------------------------------------------------------------------------------------- */

static void begin_item(json_reader *r, check_span whole)
{
    source_text_advance(r->t, whole.begin);
    check_item_begin(&r->item, source_text_place(r->t, whole.begin));
    r->descriptor = (check_span){ 0, 0 };
    r->whole = whole;
}

static bool visit(json_reader *r)
{
    return r->visit(r->context, &r->item, r->e) || check_item_error(&r->item, r->e);
}

/* Unless ok, report the current item as unreadable. True where reading continues behind it. */
static bool recover(json_reader *r, bool ok)
{
    return ok || check_item_unreadable(&r->item, r->o, r->visit, r->context, r->e);
}

static bool visit_known(json_reader *r)
{
    r->item.known = r->item.judged = true;
    r->item.op_name = r->item.d.op->name;
    return visit(r);
}

/* ---- records ----------------------------------------------------------------------------------------------- */

/* Inputs may be long: where they are not wanted, an empty record replaces them. So are the outputs that a record of
   `show` expects, which nothing here needs. */
static json_t *load_member(const json_reader *r, check_span key, check_span value)
{
    if (json_scanner_is(r->t, key, "outputs")) {
        if (json_reader_is(r, value, '['))
            return json_array();
        source_text_error(r->e, r->t, value.begin, "outputs is no list");
        return NULL;
    }
    if (!json_scanner_is(r->t, key, "inputs"))
        return load(r, value);
    if (!json_reader_is(r, value, '{') && !json_reader_is(r, value, '[')) {
        source_text_error(r->e, r->t, value.begin, "inputs is no record of data by tensor");
        return NULL;
    }
    return r->inputs ? check_tree(r->t, value, r->e) : json_object();
}

static json_t *load_record(const json_reader *r, check_span record)
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

static bool read_record(json_reader *r, check_span record)
{
    begin_item(r, record);
    r->whole = (check_span){ 0, 0 }; /* no dispatchable */
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
    check_span type, desc, bindings, source, flags, compile;
    check_span types[2], descs[2]; /* "Type" and "type", "Desc" and "desc": the first one counts */
} operator_parts;

static operator_parts find_parts(const json_reader *r, check_span whole)
{
    operator_parts parts = { .type = { 0, 0 } };
    check_span key, value;
    size_t at = 0;
    while (json_scanner_member(r->t, whole, &at, &key, &value)) {
        if (json_scanner_is(r->t, key, "Type") || json_scanner_is(r->t, key, "type"))
            parts.types[r->t->bytes[key.begin] == 't'] = value;
        else if (json_scanner_is(r->t, key, "Desc") || json_scanner_is(r->t, key, "desc"))
            parts.descs[r->t->bytes[key.begin] == 'd'] = value;
        else if (json_scanner_is(r->t, key, "bindings"))
            parts.bindings = value;
        else if (json_scanner_is(r->t, key, "sourcePath"))
            parts.source = value;
        else if (json_scanner_is(r->t, key, "executionFlags"))
            parts.flags = value;
        else if (json_scanner_is(r->t, key, "dmlCompileType"))
            parts.compile = value;
    }
    parts.type = parts.types[!parts.types[0].end];
    parts.desc = parts.descs[!parts.descs[0].end];
    return parts;
}

/* What DxDispatch makes of the two spellings of type: it looks for "type" to know that this is an operator, then for
   "Type", and only then for "type", to know which one. Of "Desc" and "desc" it reads one, too. */
static void find_types(json_reader *r, const operator_parts *parts)
{
    const check_span upper = parts->types[0], lower = parts->types[1];
    const size_t size = upper.end - upper.begin;
    const bool both = upper.end && lower.end;
    if (r->model && !lower.end)
        check_find(&r->item, "DXD-01", source_text_place(r->t, upper.begin), "\"Type\" is given, \"type\" is missing");
    else if (both && (lower.end - lower.begin != size ||
                      memcmp(r->t->bytes + upper.begin, r->t->bytes + lower.begin, size) != 0))
        check_find(&r->item, "DXD-02", source_text_place(r->t, upper.begin),
                   "DxDispatch takes \"Type\", %.*s, for the operator, where \"type\" is another",
                   (int)(size < 60 ? size : 60), r->t->bytes + upper.begin);
    if (parts->descs[0].end && parts->descs[1].end)
        check_find(&r->item, "DXD-02", source_text_place(r->t, parts->descs[1].begin),
                   "\"desc\" is not read where \"Desc\" is given");
}

/* Find the fields: in "desc", or beside "type" without it. */
static bool read_known(json_reader *r, const ts_operator *op, check_span whole, const operator_parts *parts)
{
    static const char *const beside[] = { "type", "executionFlags", "bindings", "dmlCompileType" };
    const check_span inner = parts->desc;
    r->descriptor = inner.end ? inner : whole;
    if (!json_reader_is(r, r->descriptor, '{'))
        return source_text_error(r->e, r->t, r->descriptor.begin, "desc is no record");
    json_t *desc = load(r, r->descriptor);
    if (!desc)
        return false;
    for (size_t i = 0; i < 4 && !inner.end; ++i)
        json_object_del(desc, beside[i]);
    if (!inner.end && (operator_attr_index(op, "Type") < 0 || !parts->types[1].end))
        json_object_del(desc, "Type"); /* else it is a field */
    operator_begin(&r->item.d, op);
    bool ok = check_complete_operator(&r->item, op, desc) || error_set(r->e, "out of memory");
    if (ok && !check_read_descriptor(op, desc, r->o, &r->item, r->e))
        ok = place_error(r, r->descriptor);
    json_decref(desc);
    if (!ok)
        return false;
    check_settle(&r->item.d, r->o);
    check_unjudged_settle(&r->item);
    check_find_refusals(r);
    if (inner.end)
        check_find_members(r);
    if (r->model && r->item.name)
        check_model_bind(r->model, r->item.name, r->bindings, &r->item);
    return visit_known(r);
}

/* Find a word of the dispatchable itself that DxDispatch refuses. */
static void find_word(json_reader *r, const char *field, check_span value, const char *const *words, const char *prefix)
{
    did_you_mean search;
    char word[64], hint[DID_YOU_MEAN_SIZE];
    if (!json_reader_is(r, value, '"')) {
        check_find(&r->item, "DXD-07", source_text_place(r->t, value.begin), "%s: expected a word", field);
        return;
    }
    const size_t n = value.end - value.begin - 2;
    snprintf(word, sizeof word, "%.*s", n < sizeof word ? (int)n : (int)sizeof word - 1, r->t->bytes + value.begin + 1);
    const size_t skipped = strncmp(word, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
    did_you_mean_start(&search, word + skipped);
    for (; *words; ++words) {
        if (strcmp(word + skipped, *words) == 0)
            return;
        did_you_mean_try(&search, *words);
    }
    check_find(&r->item, "DXD-07", source_text_place(r->t, value.begin), "%s: DxDispatch does not know \"%s\"%s", field,
               word, did_you_mean_hint(&search, hint));
}

static void find_settings(json_reader *r, const operator_parts *parts)
{
    static const char *const flags[] = { "NONE", "ALLOW_HALF_PRECISION_COMPUTATION", "DISABLE_META_COMMANDS",
                                         "DESCRIPTORS_VOLATILE", NULL };
    static const char *const compile[] = { "DmlCompileOp", "DmlCompileGraph", NULL };
    check_span one;
    size_t at = 0;
    if (parts->compile.end)
        find_word(r, "dmlCompileType", parts->compile, compile, "");
    if (json_reader_is(r, parts->flags, '['))
        while (json_scanner_element(r->t, parts->flags, &at, &one))
            find_word(r, "executionFlags", one, flags, "DML_EXECUTION_FLAG_");
    else if (parts->flags.end)
        find_word(r, "executionFlags", parts->flags, flags, "DML_EXECUTION_FLAG_");
}

static void bound_to_edge(void *binder, check_item *item, unsigned tensor, const char *edge)
{
    const json_reader *r = binder;
    check_model_bind_edge(r->model, r->graph, item, tensor, edge);
}

/* Read the nodes of a serialized graph, which is in a file of its own. */
static bool read_graph(json_reader *r, check_span source, const char *name)
{
    char path[1200];
    const check_place place = r->item.place;
    r->item.op_name = "dmlSerializedGraph";
    if (!json_reader_is(r, source, '"'))
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
    r->item.locate = json_reader_locate;
    r->item.locate_mistake = json_reader_locate_mistake;
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

/* The first of a list of names, ended by NULL, that a member's name is nearly spelt as: " (did you mean "type" by
   "tpye"?)" in buf, or "". */
static const char *near_member(const json_reader *r, check_span object, const char *const *names, char *buf,
                               size_t size)
{
    size_t at = 0;
    check_span key, value;
    buf[0] = 0;
    while (!buf[0] && json_reader_is(r, object, '{') && json_scanner_member(r->t, object, &at, &key, &value)) {
        char word[32];
        did_you_mean search;
        snprintf(word, sizeof word, "%.*s", (int)(key.end - key.begin < sizeof word ? key.end - key.begin : 0),
                 r->t->bytes + key.begin);
        did_you_mean_start(&search, word);
        for (size_t i = 0; names[i]; ++i)
            did_you_mean_try(&search, names[i]);
        const char *close = did_you_mean_close(&search);
        if (close && strcmp(close, word) != 0)
            snprintf(buf, size, " (did you mean \"%s\" by \"%s\"?)", close, word);
    }
    return buf;
}

static bool read_operator(json_reader *r, check_span whole, const char *name)
{
    char near[80];
    begin_item(r, whole);
    r->item.name = name;
    if (!json_reader_is(r, whole, '{'))
        return recover(
            r, source_text_error(r->e, r->t, whole.begin, "an operator is a record { \"type\": ..., \"desc\": ... }"));
    operator_parts parts = find_parts(r, whole);
    if (!json_reader_is(r, parts.type, '"'))
        return recover(
            r, source_text_error(r->e, r->t, whole.begin, "an operator without \"type\"%s",
                                 near_member(r, whole, (const char *const[]){ "type", NULL }, near, sizeof near)));
    char *word = take_text(r, (check_span){ parts.type.begin + 1, parts.type.end - 1 });
    if (!word)
        return false;
    const ts_operator *op = check_operator_typed(word);
    if (!op && parts.types[0].end && json_reader_is(r, parts.types[1], '"')) { /* "Type" may be a field beside "type" */
        free(word);
        word = take_text(r, (check_span){ parts.types[1].begin + 1, parts.types[1].end - 1 });
        if (!word)
            return false;
        op = check_operator_typed(word);
    }
    r->item.op_name = word;
    r->bindings = parts.bindings;
    const bool graph = !op && check_graph_is_type(word);
    if (op || graph)
        find_settings(r, &parts);
    find_types(r, &parts);
    if (!op && !graph)
        r->item.misspelt = check_note_unknown(&r->item, false);
    bool ok = graph ? read_graph(r, parts.source, name) : op ? recover(r, read_known(r, op, whole, &parts)) : visit(r);
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
static bool check_names(const json_reader *r, check_span dictionary)
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

static bool read_model(json_reader *r, check_span dictionary)
{
    size_t at = 0;
    check_span key, value;
    bool ok = true;
    if (!json_reader_is(r, dictionary, '{'))
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
static bool visit_model(json_reader *r, const check_file *f, check_span dictionary)
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

/* Is the value a JSON schema, such as the one that stands beside DxDispatch's models? */
static bool is_schema(const json_reader *r, check_span value)
{
    static const char home[] = "json-schema.org/";
    check_span at, ignored;
    if (!json_scanner_find(r->t, value, "$schema", &at) || json_scanner_find(r->t, value, "dispatchables", &ignored))
        return false;
    for (size_t i = at.begin; i + sizeof home - 1 <= at.end; ++i)
        if (memcmp(r->t->bytes + i, home, sizeof home - 1) == 0)
            return true;
    return false;
}

/* Say that the file is something else. */
static bool visit_other(json_reader *r, const char *instead)
{
    if (!r->o->go_on)
        return source_text_error(r->e, r->t, 0, "%s, which contains no descriptor", instead);
    begin_item(r, (check_span){ 0, 0 });
    r->item.instead = instead;
    return visit(r);
}

/* Read a record or an operator, whichever the members show. */
static bool read_one(json_reader *r, check_span value)
{
    static const char *const known[] = { "dispatchables", "type", "operator", NULL };
    char near[80];
    check_span ignored;
    if (json_scanner_find(r->t, value, "operator", &ignored))
        return read_record(r, value);
    if (json_reader_find(r, value, "type", "Type", &ignored))
        return read_operator(r, value, NULL);
    begin_item(r, value);
    source_text_error(r->e, r->t, value.begin,
                      "no descriptor: expected a DxDispatch model { \"dispatchables\": ... }, an operator "
                      "{ \"type\": ..., \"desc\": ... } or a record { \"operator\": ..., \"descriptor\": ... }%s%s",
                      near_member(r, value, known, near, sizeof near),
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
    json_reader *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(e, "out of memory");
    *r = (json_reader){
        .t = t, .inputs = f->want != CHECK_DESCRIPTORS, .o = o, .visit = visit_item, .context = context
    };
    r->e = e;
    r->item.file = t->name;
    r->item.source = r;
    r->item.locate = json_reader_locate;
    r->item.locate_mistake = json_reader_locate_mistake;
    source_text_rewind(t);
    if (json_reader_is(r, f->root, '[')) {
        while (ok && json_scanner_element(t, f->root, &at, &value))
            ok = read_one(r, value);
    } else if (json_scanner_find(t, f->root, "dispatchables", &value)) {
        ok = visit_model(r, f, value);
    } else if (is_schema(r, f->root)) {
        ok = visit_other(r, "a JSON schema");
    } else {
        ok = read_one(r, f->root);
    }
    if (ok && r->item.index == 0 && !o->go_on)
        ok = source_text_error(e, t, f->root.begin, "no descriptor in it");
    free(r);
    return ok;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading OpenVINO's IR, versions 10 and 11: layers, ports, constants and edges, in the net and in the bodies of its
 * loops. Snippets as the specification prints them are read, too: a <layer> without a net around it, with dots in place
 * of attributes.
 */
#include "harness/check/check_ir.h"
#include "harness/base/array.h"
#include "reference/operators.h"

#include <errno.h>
#include <expat.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LAYERS 32768 /* of operators, in one net and its bodies */
#define MOST_CONSTS 1000000
#define MOST_DEPTH  256  /* elements within elements */
#define MOST_SCOPES 16   /* bodies within bodies */
#define MOST_NAME   4096 /* bytes of an attribute */

typedef enum kind { OTHER, OPERATOR, CONST } kind; /* of a layer */

/* The layers of a net or body, whose edges follow them. */
typedef struct scope {
    size_t first_layer, first_const, first_id;
    unsigned depth; /* of the element around <layers> */
} scope;

typedef struct parser {
    XML_Parser xml;
    source_text *t;
    error *e;
    bool failed;
    size_t prefix; /* columns of the first line that are not in the file */
    unsigned depth, scope_count;
    struct {
        char name[24];
        size_t line;
    } open[MOST_DEPTH]; /* the elements around, from the outermost */
    scope scopes[MOST_SCOPES];
    kind current;
    bool in_output;
    ir_port *port; /* the port that is being read, or NULL */
    bool in_dim;
    char dim[64];
    size_t dim_length;
    ir_layer *layers;
    size_t layer_count, layer_room;
    ir_const *consts;
    size_t const_count, const_room;
    uint64_t *ids; /* of all layers */
    size_t id_count, id_room;
    check_layers others; /* those that are not judged */
    ir_visitor visitor;
} parser;

/* ---- places and errors ------------------------------------------------------------------------------------- */

static check_place here(const parser *p)
{
    check_place place = { (size_t)XML_GetCurrentLineNumber(p->xml), (size_t)XML_GetCurrentColumnNumber(p->xml) + 1 };
    if (place.line == 1 && place.column > p->prefix)
        place.column -= p->prefix;
    return place;
}

static void fail(parser *p, const char *format, ...) ERROR_PRINTF(2, 3);
static void fail(parser *p, const char *format, ...)
{
    check_place place = here(p);
    va_list args;
    if (p->failed)
        return;
    va_start(args, format);
    vsnprintf(p->e->text, sizeof p->e->text, format, args);
    va_end(args);
    p->e->status = EXIT_BAD_USAGE;
    error_prefix(p->e, "%s:%zu:%zu", p->t->name, place.line, place.column);
    p->failed = true;
    XML_StopParser(p->xml, XML_FALSE);
}

static void out_of_memory(parser *p)
{
    fail(p, "out of memory");
    p->e->status = EXIT_HARNESS;
}

/* Mark the current layer as unreadable; reading continues. The first reason is retained. */
static void mark_unreadable(parser *p, ir_layer *layer, const char *format, ...) ERROR_PRINTF(3, 4);
static void mark_unreadable(parser *p, ir_layer *layer, const char *format, ...)
{
    va_list args;
    if (layer->problem[0])
        return;
    va_start(args, format);
    vsnprintf(layer->problem, sizeof layer->problem, format, args);
    va_end(args);
    layer->problem_place = here(p);
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

/* Read an id. Snippets have none: UINT64_MAX. */
static uint64_t take_id(parser *p, const XML_Char **attributes, const char *name)
{
    const char *text = ir_attribute(attributes, name);
    uint64_t value = UINT64_MAX;
    if (text && !ir_number(text, &value))
        fail(p, "%s=\"%.40s\" is no number", name, text);
    return value;
}

static char *keep(parser *p, const char *text)
{
    if (!text)
        return NULL;
    if (strlen(text) > MOST_NAME) {
        fail(p, "an attribute has more than %d bytes", MOST_NAME);
        return NULL;
    }
    char *copy = strdup(text);
    if (!copy)
        out_of_memory(p);
    return copy;
}

/* ---- layers ------------------------------------------------------------------------------------------------ */

/* Make room for one more item of a list; `what` is NULL where the number is not limited. */
static bool grow(parser *p, void *list, size_t count, size_t *room, size_t size, size_t most, const char *what)
{
    if (what && count == most) {
        fail(p, "more than %zu %s layers", most, what);
        return false;
    }
    if (!array_reserve(list, room, count + 1, size)) {
        out_of_memory(p);
        return false;
    }
    return true;
}

static void begin_operator(parser *p, const ts_operator *op, const XML_Char **attributes)
{
    if (!grow(p, &p->layers, p->layer_count, &p->layer_room, sizeof *p->layers, MOST_LAYERS, op->ir->type))
        return;
    ir_layer *layer = &p->layers[p->layer_count++];
    memset(layer, 0, sizeof *layer);
    layer->op = op;
    layer->place = layer->data_place = here(p);
    layer->id = take_id(p, attributes, "id");
    layer->name = keep(p, ir_attribute(attributes, "name"));
    p->current = OPERATOR;
}

static void begin_const(parser *p, const XML_Char **attributes)
{
    if (!grow(p, &p->consts, p->const_count, &p->const_room, sizeof *p->consts, MOST_CONSTS, "Const"))
        return;
    ir_const *c = &p->consts[p->const_count++];
    memset(c, 0, sizeof *c);
    c->place = here(p);
    c->problem = "a Const layer without data";
    c->id = take_id(p, attributes, "id");
    p->current = CONST;
}

/* Visit what was counted, the most frequent kind first. */
static bool visit_others(parser *p)
{
    check_item *item = &p->visitor.item;
    const size_t index = item->index;
    if (p->others.total == 0 || !p->visitor.o->go_on)
        return true;
    check_layers_sort(&p->others);
    for (size_t i = 0; i < p->others.count; ++i) {
        check_layer_kind *other = &p->others.list[i];
        ir_hint(other->type, other->opset, other->hint, sizeof other->hint);
    }
    check_item_begin(item, (check_place){ 0, 0 });
    item->index = index;
    item->layers = &p->others;
    return p->visitor.visit(p->visitor.context, item, p->e);
}

static void begin_layer(parser *p, const XML_Char **attributes)
{
    const char *type = ir_attribute(attributes, "type");
    const ts_operator *op = type ? ir_operator(type, ir_attribute(attributes, "version")) : NULL;
    p->current = OTHER;
    p->port = NULL;
    p->in_output = false;
    if (op)
        begin_operator(p, op, attributes);
    else if (type && strcmp(type, "Const") == 0)
        begin_const(p, attributes);
    else if (type)
        check_layers_add(&p->others, type, ir_attribute(attributes, "version"), here(p));
}

static void take_data(parser *p, const XML_Char **attributes)
{
    if (p->current == OPERATOR) {
        ir_layer *layer = &p->layers[p->layer_count - 1];
        layer->data_place = here(p);
        for (unsigned k = 0; k < layer->op->attr_count; ++k) {
            free(layer->attrs[k]);
            layer->attrs[k] =
                operator_ir_list(layer->op, k) < 0 ? keep(p, ir_attribute(attributes, layer->op->attrs[k].name)) : NULL;
        }
        ir_note_unknown(layer, attributes);
    } else if (p->current == CONST) {
        ir_const *c = &p->consts[p->const_count - 1];
        const char *type = ir_attribute(attributes, "element_type"), *shape = ir_attribute(attributes, "shape");
        c->problem = NULL;
        if (!ir_number(ir_attribute(attributes, "offset"), &c->offset) ||
            !ir_number(ir_attribute(attributes, "size"), &c->size))
            c->problem = "a Const layer whose data has no offset and size";
        else if (!shape || !ir_count_elements(shape, &c->rank, &c->count))
            c->problem = "a Const layer whose data has no shape such as \"2,3\"";
        c->dtype = type ? ir_type_named(type) : TS_DTYPE_UNKNOWN;
    }
}

/* ---- ports ------------------------------------------------------------------------------------------------- */

static void begin_port(parser *p, const XML_Char **attributes)
{
    if (p->current != OPERATOR)
        return;
    ir_layer *layer = &p->layers[p->layer_count - 1];
    const char *type = ir_attribute(attributes, "precision");
    const ts_ir_layer *ir = layer->op->ir;
    const unsigned most = operator_ir_tensors(layer->op) + ir->list_count;
    bool many = !p->in_output && layer->inputs == most, two = p->in_output && layer->output.present;
    if (many)
        mark_unreadable(p, layer, "a %s layer with more than %u inputs", ir->type, most);
    if (two)
        mark_unreadable(p, layer, "a %s layer with two outputs", ir->type);
    p->port = NULL;
    if (many || two)
        return;
    p->port = p->in_output ? &layer->output : &layer->input[layer->inputs++];
    p->port->present = true;
    p->port->place = here(p);
    p->port->id = take_id(p, attributes, "id");
    p->port->dtype = type ? ir_type_named(type) : TS_DTYPE_UNKNOWN;
    if (type && p->port->dtype == TS_DTYPE_UNKNOWN && strcmp(type, "UNSPECIFIED") != 0 && strcmp(type, "dynamic") != 0)
        snprintf(p->port->type, sizeof p->port->type, "%s", *type ? type : "\"\"");
}

static void begin_dim(parser *p)
{
    if (!p->port)
        return;
    p->in_dim = true;
    p->dim_length = 0;
    if (p->port->rank < TS_MAX_DIMS)
        p->port->dim_places[p->port->rank] = here(p);
}

/* The current dimension, the last of the last port, is out of range. */
static void add_bad_dim(parser *p, const bigint *n)
{
    ir_layer *layer = &p->layers[p->layer_count - 1];
    if (grow(p, &layer->bad_dims, layer->bad_dim_count, &layer->bad_dim_room, sizeof *layer->bad_dims, 0, NULL))
        layer->bad_dims[layer->bad_dim_count++] =
            (ir_bad_dim){ p->port == &layer->output ? IR_MAX_INPUTS : layer->inputs - 1, p->port->rank, *n };
}

static void end_dim(parser *p)
{
    bigint n;
    bool inside;
    bool open = p->in_dim && p->port; /* else a port or layer within the dimension has ended it */
    p->in_dim = false;
    if (!open)
        return;
    const char *end = bigint_from_text(p->dim + strspn(p->dim, " \t\r\n"), &n);
    if (!end || end[strspn(end, " \t\r\n")]) {
        mark_unreadable(p, &p->layers[p->layer_count - 1], "a dimension \"%s\" that is no size", p->dim);
        return;
    }
    int64_t size = bigint_clamp(&n, -1, INT64_MAX, &inside);
    if (p->port->rank < TS_MAX_DIMS)
        p->port->dims[p->port->rank] = size;
    if (!inside && p->port->rank < TS_MAX_DIMS)
        add_bad_dim(p, &n);
    p->port->rank++;
}

static void XMLCALL on_text(void *context, const XML_Char *text, int length)
{
    parser *p = context;
    if (!p->in_dim || !p->port || length <= 0)
        return;
    size_t n = (size_t)length;
    if (n >= sizeof p->dim - p->dim_length) {
        mark_unreadable(p, &p->layers[p->layer_count - 1], "a dimension of more than %zu characters",
                        sizeof p->dim - 1);
        return;
    }
    memcpy(p->dim + p->dim_length, text, n);
    p->dim_length += n;
    p->dim[p->dim_length] = 0;
}

/* ---- edges and scopes -------------------------------------------------------------------------------------- */

static int compare_consts(const void *a, const void *b)
{
    const ir_const *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Find the layer of that id; the layers are sorted. */
static ir_layer *layer_with(parser *p, const scope *s, uint64_t id)
{
    size_t low = s->first_layer, high = p->layer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->layers[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->layer_count && p->layers[low].id == id ? &p->layers[low] : NULL;
}

static void take_edge(parser *p, const XML_Char **attributes)
{
    const scope *s = &p->scopes[p->scope_count - 1];
    uint64_t from = take_id(p, attributes, "from-layer"), to = take_id(p, attributes, "to-layer");
    uint64_t port = take_id(p, attributes, "to-port");
    ir_layer *layer = layer_with(p, s, to);
    if (!layer || p->failed)
        return;
    unsigned i = 0;
    while (i < layer->inputs && layer->input[i].id != port)
        ++i;
    if (i == layer->inputs) {
        mark_unreadable(p, layer, "an edge to port %" PRIu64 ", which layer %" PRIu64 " does not have", port, to);
        return;
    }
    ir_const *c = NULL;
    if (p->const_count > s->first_const)
        c = bsearch(&(ir_const){ .id = from }, p->consts + s->first_const, p->const_count - s->first_const,
                    sizeof *p->consts, compare_consts);
    const bool there = p->id_count > s->first_id &&
                       bsearch(&from, p->ids + s->first_id, p->id_count - s->first_id, sizeof *p->ids, compare_ids);
    layer->source[i] = c ? IR_CONSTANT : there ? IR_COMPUTED : IR_MISSING;
    if (c)
        layer->constant[i] = *c;
}

static int compare_layers(const void *a, const void *b)
{
    const ir_layer *x = a, *y = b;
    if (x->id != y->id)
        return x->id > y->id ? 1 : -1;
    return (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

/* At </layers>: sort by id, for the edges. */
static void sort_scope(parser *p)
{
    const scope *s = &p->scopes[p->scope_count - 1];
    if (p->layer_count > s->first_layer)
        qsort(p->layers + s->first_layer, p->layer_count - s->first_layer, sizeof *p->layers, compare_layers);
    if (p->const_count > s->first_const)
        qsort(p->consts + s->first_const, p->const_count - s->first_const, sizeof *p->consts, compare_consts);
    if (p->id_count > s->first_id)
        qsort(p->ids + s->first_id, p->id_count - s->first_id, sizeof *p->ids, compare_ids);
}

static int compare_places(const void *a, const void *b)
{
    const ir_layer *x = a, *y = b;
    if (x->place.line != y->place.line)
        return x->place.line > y->place.line ? 1 : -1;
    return (x->place.column > y->place.column) - (x->place.column < y->place.column);
}

static void free_layers(parser *p, size_t from)
{
    for (size_t k = from; k < p->layer_count; ++k) {
        free(p->layers[k].name);
        free(p->layers[k].bad_dims);
        for (unsigned i = 0; i < TS_MAX_ATTRS; ++i)
            free(p->layers[k].attrs[i]);
        for (unsigned i = 0; i < TS_MAX_ATTRS; ++i)
            free(p->layers[k].misspelt[i]);
    }
    p->layer_count = from;
}

/* All edges of the scope have been read: visit its layers. */
static void end_scope(parser *p)
{
    const scope *s = &p->scopes[--p->scope_count];
    if (p->layer_count > s->first_layer)
        qsort(p->layers + s->first_layer, p->layer_count - s->first_layer, sizeof *p->layers, compare_places);
    for (size_t k = s->first_layer; k < p->layer_count && !p->failed; ++k) {
        if (!ir_visit(&p->visitor, &p->layers[k], p->e)) {
            p->failed = true;
            XML_StopParser(p->xml, XML_FALSE);
        }
    }
    free_layers(p, s->first_layer);
    p->const_count = s->first_const;
    p->id_count = s->first_id;
}

static void begin_scope(parser *p)
{
    if (p->scope_count == MOST_SCOPES) {
        fail(p, "bodies are nested deeper than %d", MOST_SCOPES);
        return;
    }
    p->scopes[p->scope_count++] = (scope){ p->layer_count, p->const_count, p->id_count, p->depth - 1 };
    p->current = OTHER;
}

/* Versions 10 and 11 do not differ in the elements that are read here. Other versions are noted. */
static void take_version(parser *p, const XML_Char **attributes)
{
    const char *version = ir_attribute(attributes, "version");
    if (version && strcmp(version, "10") != 0 && strcmp(version, "11") != 0)
        snprintf(p->visitor.version, sizeof p->visitor.version, "%s", version);
}

/* Keep the id of a layer of any type, for the edges. */
static bool keep_id(parser *p, const XML_Char **attributes)
{
    if (!grow(p, &p->ids, p->id_count, &p->id_room, sizeof *p->ids, MOST_LAYERS + MOST_CONSTS, ""))
        return false;
    p->ids[p->id_count++] = take_id(p, attributes, "id");
    return !p->failed;
}

/* ---- elements ---------------------------------------------------------------------------------------------- */

static void begin_element(parser *p, const XML_Char *name, const XML_Char **attributes)
{
    snprintf(p->open[p->depth - 1].name, sizeof p->open[0].name, "%s", name);
    p->open[p->depth - 1].line = here(p).line;
    if (strcmp(name, "net") == 0 && p->depth == 1)
        take_version(p, attributes);
    else if (strcmp(name, "layers") == 0)
        begin_scope(p);
    else if (strcmp(name, "layer") == 0 && keep_id(p, attributes))
        begin_layer(p, attributes);
    else if (strcmp(name, "data") == 0)
        take_data(p, attributes);
    else if (strcmp(name, "output") == 0)
        p->in_output = true;
    else if (strcmp(name, "port") == 0)
        begin_port(p, attributes);
    else if (strcmp(name, "dim") == 0)
        begin_dim(p);
    else if (strcmp(name, "edge") == 0 && p->scope_count > 1)
        take_edge(p, attributes);
}

static void XMLCALL on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
    parser *p = context;
    if (p->failed)
        return;
    if (++p->depth > MOST_DEPTH)
        fail(p, "elements are nested deeper than %d", MOST_DEPTH);
    else
        begin_element(p, name, attributes);
}

static void XMLCALL on_end(void *context, const XML_Char *name)
{
    parser *p = context;
    if (p->failed)
        return;
    if (strcmp(name, "dim") == 0)
        end_dim(p);
    else if (strcmp(name, "port") == 0)
        p->port = NULL;
    else if (strcmp(name, "output") == 0)
        p->in_output = false;
    else if (strcmp(name, "layer") == 0)
        p->current = OTHER;
    else if (strcmp(name, "layers") == 0)
        sort_scope(p);
    while (p->scope_count > 1 && p->depth == p->scopes[p->scope_count - 1].depth && !p->failed)
        end_scope(p);
    p->depth--;
}

static void XMLCALL on_doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                               int internal)
{
    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    fail(context, "a document type declaration, which no IR has");
}

/* ---- the file ---------------------------------------------------------------------------------------------- */

static bool parse(parser *p, const char *bytes, size_t size, bool last)
{
    if (p->failed || XML_Parse(p->xml, bytes, (int)size, last) != XML_STATUS_ERROR || p->failed)
        return !p->failed;
    const enum XML_Error problem = XML_GetErrorCode(p->xml);
    if (problem == XML_ERROR_UNCLOSED_TOKEN)
        fail(p, "the file ends inside a tag");
    else if (problem == XML_ERROR_NO_ELEMENTS && p->depth > 0)
        fail(p, "the file ends inside <%s>, which begins in line %zu", p->open[p->depth - 1].name,
             p->open[p->depth - 1].line);
    else
        fail(p, "%s", XML_ErrorString(problem));
    return false;
}

/* Report that the file has no layer of an operator. */
static bool no_layer(parser *p)
{
    char types[200] = "";
    size_t count, used = 0;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count && used < sizeof types; ++i) {
        if (all[i]->ir && ir_operator(all[i]->ir->type, NULL) == all[i]) /* the first of several versions */
            used += (size_t)snprintf(types + used, sizeof types - used, "%s%s", used ? " or " : "", all[i]->ir->type);
    }
    p->failed = true;
    return error_usage(p->e, "%s: no %s layer in it", p->t->name, types);
}

static bool parse_text(parser *p)
{
    static const char open[] = "<snippets>", close[] = "</snippets>";
    bool snippet = ir_is_snippet(p->t);
    p->scopes[p->scope_count++] = (scope){ 0, 0, 0, 0 };
    if (snippet) {
        ir_blank_dots(p->t);
        p->prefix = sizeof open - 1;
        if (!parse(p, open, sizeof open - 1, false) || !parse(p, p->t->bytes, p->t->size, false) ||
            !parse(p, close, sizeof close - 1, true))
            return false;
    } else if (!parse(p, p->t->bytes, p->t->size, true)) {
        return false;
    }
    end_scope(p);
    if (!p->failed && p->visitor.item.index == 0 && !p->visitor.o->go_on)
        return no_layer(p);
    return !p->failed && visit_others(p);
}

bool check_read_ir(source_text *t, const char *path, const check_options *o, check_visit *visit, void *context,
                   error *e)
{
    parser *p = calloc(1, sizeof *p);
    if (!p)
        return error_set(e, "out of memory");
    p->t = t;
    p->e = e;
    p->visitor.o = o;
    p->visitor.visit = visit;
    p->visitor.context = context;
    p->visitor.weights.xml = path;
    p->visitor.item.file = t->name;
    ir_blank_declaration(t);
    p->xml = XML_ParserCreate(NULL);
    bool ok = p->xml != NULL;
    if (ok) {
        XML_SetUserData(p->xml, p);
        XML_SetElementHandler(p->xml, on_start, on_end);
        XML_SetCharacterDataHandler(p->xml, on_text);
        XML_SetStartDoctypeDeclHandler(p->xml, on_doctype);
        ok = parse_text(p);
        XML_ParserFree(p->xml);
    } else {
        error_set(e, "out of memory");
    }
    if (p->visitor.weights.file)
        fclose(p->visitor.weights.file);
    free_layers(p, 0);
    free(p->layers);
    free(p->consts);
    free(p->ids);
    free(p);
    return ok;
}

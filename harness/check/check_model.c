/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_model.h"

#include "harness/base/array.h"
#include "harness/base/bigint.h"
#include "harness/base/did_you_mean.h"
#include "harness/check/check_file.h"
#include "harness/check/check_refusals.h"
#include "harness/check/check_resource.h"
#include "harness/check/check_tree.h"
#include "harness/check/json_scanner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A command that dispatches. */
typedef struct dispatch {
    char *dispatchable;
    check_span name, bindings;
    bool known; /* the model has such a dispatchable */
} dispatch;

#define PLACES_EVERY 4096 /* bytes */

struct check_model {
    source_text *t;
    const char *folder;
    check_span whole;
    bool has_resources, has_commands;
    check_span resources, commands;
    check_resource *list; /* in order of name, once they have been visited */
    size_t count, room;
    dispatch *dispatches; /* in order of dispatchable */
    size_t dispatch_count, dispatch_room;
    check_place *places; /* of every PLACES_EVERY bytes; NULL until one is needed */
};

static bool is_kind(const check_model *m, check_span span, char bracket)
{
    return span.end > span.begin && m->t->bytes[span.begin] == bracket;
}

/* The text of a key or string, without its quotes; the caller frees it. NULL if memory is out. */
static char *take_text(const check_model *m, check_span span, error *e)
{
    json_t *json = check_tree(m->t, (check_span){ span.begin - 1, span.end + 1 }, e);
    char *text = json ? strdup(json_string_value(json)) : NULL;
    if (json && !text)
        error_set(e, "out of memory");
    json_decref(json);
    return text;
}

/* The place of a byte, wherever it is: commands are read in the order of what they dispatch. */
static check_place place_of(check_model *m, size_t offset)
{
    source_text part = *m->t;
    if (!m->places) {
        const size_t count = m->t->size / PLACES_EVERY + 1;
        m->places = malloc(count * sizeof *m->places);
        source_text_rewind(&part);
        for (size_t i = 0; m->places && i < count; ++i) {
            source_text_advance(&part, i * PLACES_EVERY);
            m->places[i] = source_text_place(&part, i * PLACES_EVERY);
        }
    }
    if (!m->places)
        return (check_place){ 0, 0 };
    part.mark = offset - offset % PLACES_EVERY;
    part.mark_line = m->places[offset / PLACES_EVERY].line;
    part.mark_column = m->places[offset / PLACES_EVERY].column;
    return source_text_place(&part, offset);
}

/* check_found, at a byte of the text. */
static void broken(check_model *m, check_item *item, const char *clause, unsigned k, size_t offset, const char *format,
                   ...) ERROR_PRINTF(6, 7);
static void broken(check_model *m, check_item *item, const char *clause, unsigned k, size_t offset, const char *format,
                   ...)
{
    const check_place none = { 0, 0 };
    char text[sizeof item->found.items[0].text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    check_found(item, clause, k < TS_MAX_TENSORS ? (int)k : -1,
                item->found.count < TS_MAX_VIOLATIONS ? place_of(m, offset) : none, "%s", text);
}

/* ---- the index --------------------------------------------------------------------------------------------------- */

check_model *check_model_open(source_text *t, check_span model, const char *folder, error *e)
{
    check_model *m = calloc(1, sizeof *m);
    if (!m) {
        error_set(e, "out of memory");
        return NULL;
    }
    m->t = t;
    m->folder = folder;
    m->whole = model;
    m->has_resources = json_scanner_find(t, model, "resources", &m->resources);
    m->has_commands = json_scanner_find(t, model, "commands", &m->commands);
    return m;
}

void check_model_close(check_model *m)
{
    for (size_t i = 0; m && i < m->count; ++i)
        free(m->list[i].name);
    for (size_t i = 0; m && i < m->dispatch_count; ++i)
        free(m->dispatches[i].dispatchable);
    if (m) {
        free(m->list);
        free(m->dispatches);
        free(m->places);
    }
    free(m);
}

static int compare_resources(const void *a, const void *b)
{
    return strcmp(((const check_resource *)a)->name, ((const check_resource *)b)->name);
}

static int compare_dispatches(const void *a, const void *b)
{
    const dispatch *x = a, *y = b;
    const int order = strcmp(x->dispatchable, y->dispatchable);
    return order ? order : (x->bindings.begin > y->bindings.begin) - (x->bindings.begin < y->bindings.begin);
}

static const check_resource *find_resource(const check_model *m, const char *name)
{
    const check_resource wanted = { .name = (char *)(uintptr_t)name };
    return m->count ? bsearch(&wanted, m->list, m->count, sizeof *m->list, compare_resources) : NULL;
}

/* The first dispatch of a dispatchable; dispatch_count without one. */
static size_t first_dispatch(const check_model *m, const char *dispatchable)
{
    size_t low = 0, high = m->dispatch_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(m->dispatches[middle].dispatchable, dispatchable) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const dispatch *next_dispatch(const check_model *m, const char *dispatchable, size_t *at)
{
    const dispatch *d = *at < m->dispatch_count ? &m->dispatches[*at] : NULL;
    if (!d || strcmp(d->dispatchable, dispatchable) != 0)
        return NULL;
    ++*at;
    return d;
}

/* ---- resources and commands that are refused --------------------------------------------------------------------- */

typedef struct visitor {
    check_model *m;
    check_item *item;
    const check_options *o;
    check_visit *visit;
    void *context;
    error *e;
} visitor;

/* Begin an item for a part of a model, of which there may be findings. */
static void begin_part(visitor *v, const char *name, const char *kind, size_t at)
{
    check_item_begin(v->item, place_of(v->m, at));
    v->item->name = name;
    v->item->op_name = kind;
}

/* Visit the item, if there are findings; else it is none. */
static bool end_part(visitor *v)
{
    if (v->item->finding_count)
        return v->visit(v->context, v->item, v->e) || check_item_error(v->item, v->e);
    v->item->index--;
    return true;
}

/* What *e says of the part of a model with this name; true where reading goes on. */
static bool refuse(visitor *v, const char *name, const char *kind, size_t at)
{
    begin_part(v, name, kind, at);
    return check_item_unreadable(v->item, v->o, v->visit, v->context, v->e);
}

static bool read_resources(visitor *v)
{
    check_model *m = v->m;
    check_span key, value;
    size_t at = 0;
    if (m->has_resources && !is_kind(m, m->resources, '{'))
        return source_text_error(v->e, m->t, m->resources.begin, "\"resources\" is no record of resources by name");
    while (m->has_resources && json_scanner_member(m->t, m->resources, &at, &key, &value)) {
        source_text_advance(m->t, key.begin);
        if (!array_reserve(&m->list, &m->room, m->count + 1, sizeof *m->list))
            return error_set(v->e, "out of memory");
        check_resource *r = &m->list[m->count];
        memset(r, 0, sizeof *r);
        r->name = take_text(m, key, v->e);
        if (!r->name)
            return false;
        m->count++;
        if (!check_resource_read(m->t, value, m->folder, r, v->e) && !refuse(v, r->name, "resource", value.begin))
            return false;
    }
    if (m->count)
        qsort(m->list, m->count, sizeof *m->list, compare_resources);
    return true;
}

/* A string member; NULL with an error where there is none. */
static char *take_member(visitor *v, check_span object, const char *name, check_span *at)
{
    if (json_scanner_find(v->m->t, object, name, at) && is_kind(v->m, *at, '"'))
        return take_text(v->m, (check_span){ at->begin + 1, at->end - 1 }, v->e);
    source_text_error(v->e, v->m->t, object.begin, "a command without \"%s\", which is a string", name);
    return NULL;
}

/* " (did you mean 'A'?)" with the resource of the most similar name. */
static const char *resource_hint(const check_model *m, const char *word, char hint[DID_YOU_MEAN_SIZE])
{
    did_you_mean search;
    did_you_mean_start(&search, word);
    for (size_t i = 0; i < m->count && i < 1000; ++i)
        did_you_mean_try(&search, m->list[i].name);
    return did_you_mean_hint(&search, hint);
}

static check_place place_in(void *model, size_t offset)
{
    return place_of(model, offset);
}

/* Visit what DxDispatch refuses of the sources that a dispatch binds. */
static bool find_formats(visitor *v, check_span command, check_span bindings)
{
    begin_part(v, NULL, "command", command.begin);
    return check_find_formats(v->m->t, bindings, place_in, v->m, v->item, v->e) && end_part(v);
}

static bool read_dispatch(visitor *v, check_span command)
{
    check_model *m = v->m;
    check_span at, bindings;
    char *name = take_member(v, command, "dispatchable", &at);
    if (!name)
        return false;
    bool ok = json_scanner_find(m->t, command, "bindings", &bindings) && is_kind(m, bindings, '{');
    if (!ok)
        source_text_error(v->e, m->t, command.begin, "a dispatch without \"bindings\", a record of resources");
    if (ok && !array_reserve(&m->dispatches, &m->dispatch_room, m->dispatch_count + 1, sizeof *m->dispatches))
        ok = error_set(v->e, "out of memory");
    if (ok)
        m->dispatches[m->dispatch_count++] = (dispatch){ name, at, bindings, false };
    else
        free(name);
    return ok && find_formats(v, command, bindings);
}

static bool read_command(visitor *v, check_span command)
{
    char hint[DID_YOU_MEAN_SIZE];
    check_span at;
    if (!is_kind(v->m, command, '{'))
        return source_text_error(v->e, v->m->t, command.begin, "a command is a record { \"type\": ... }");
    char *type = take_member(v, command, "type", &at);
    if (!type)
        return false;
    const bool dispatches = strcasecmp(type, "dispatch") == 0;
    const bool writes = strcasecmp(type, "writeFile") == 0, prints = writes || strcasecmp(type, "print") == 0;
    if (!dispatches && !prints)
        source_text_error(v->e, v->m->t, at.begin, "\"%.40s\" is no command; expected dispatch, print or writeFile",
                          type);
    free(type);
    if (!prints)
        return dispatches && read_dispatch(v, command);
    char *name = take_member(v, command, "resource", &at);
    bool ok = name && (find_resource(v->m, name) ||
                       source_text_error(v->e, v->m->t, at.begin, "there is no resource \"%.60s\"%s", name,
                                         resource_hint(v->m, name, hint)));
    if (ok && writes && !(json_scanner_find(v->m->t, command, "targetPath", &at) && is_kind(v->m, at, '"'))) {
        begin_part(v, NULL, "command", command.begin);
        check_find(v->item, "DXD-08", v->item->place, "a command writeFile without \"targetPath\", which is a string");
        ok = end_part(v);
    }
    free(name);
    return ok;
}

bool check_model_visit(check_model *m, check_item *item, const check_options *o, check_visit *visit, void *context,
                       error *e)
{
    visitor v = { m, item, o, visit, context, e };
    check_span command;
    size_t at = 0;
    source_text_rewind(m->t);
    begin_part(&v, NULL, "model", m->whole.begin);
    if (m->has_resources != m->has_commands) /* without both, it is a list of operators */
        check_find(item, "DXD-10", item->place, "the model has no \"%s\"", m->has_resources ? "commands" : "resources");
    if (!end_part(&v) || !read_resources(&v))
        return false;
    source_text_rewind(m->t);
    if (m->has_commands && !is_kind(m, m->commands, '['))
        return source_text_error(e, m->t, m->commands.begin, "\"commands\" is no list of commands");
    while (m->has_commands && json_scanner_element(m->t, m->commands, &at, &command)) {
        source_text_advance(m->t, command.begin);
        if (!read_command(&v, command) && !refuse(&v, NULL, "command", command.begin))
            return false;
    }
    source_text_rewind(m->t);
    if (m->dispatch_count)
        qsort(m->dispatches, m->dispatch_count, sizeof *m->dispatches, compare_dispatches);
    return true;
}

void check_model_has(check_model *m, const char *dispatchable)
{
    for (size_t i = first_dispatch(m, dispatchable);
         i < m->dispatch_count && strcmp(m->dispatches[i].dispatchable, dispatchable) == 0; ++i)
        m->dispatches[i].known = true;
}

bool check_model_finish(check_model *m, check_item *item, const check_options *o, check_visit *visit, void *context,
                        error *e)
{
    source_text_rewind(m->t);
    for (size_t i = 0; i < m->dispatch_count; ++i) {
        const dispatch *d = &m->dispatches[i];
        if (d->known)
            continue;
        const check_place place = place_of(m, d->name.begin);
        error_usage(e, "%s:%zu:%zu: there is no dispatchable \"%.60s\"", m->t->name, place.line, place.column,
                    d->dispatchable);
        check_item_begin(item, place);
        item->op_name = "command";
        if (!check_item_unreadable(item, o, visit, context, e))
            return false;
    }
    return true;
}

/* ---- what is bound ----------------------------------------------------------------------------------------------- */

/* One source of a binding: a resource, and the offset of the part that is bound. */
typedef struct bound {
    char name[64];
    const check_resource *resource; /* NULL: there is none of this name */
    bool stated;                    /* it could be read at all */
    uint64_t offset;
} bound;

/* Read a source at a span: a name, or a record with one. */
static bound read_source(const check_model *m, check_span span)
{
    bound b = { .stated = false };
    error ignored;
    json_t *json = check_tree(m->t, span, &ignored);
    const char *name = json_string_value(json_is_object(json) ? json_object_get(json, "name") : json);
    const json_int_t element = json_integer_value(json_object_get(json, "elementSizeInBytes"));
    const json_int_t first = json_integer_value(json_object_get(json, "elementOffset"));
    if (name) {
        b.stated = true;
        snprintf(b.name, sizeof b.name, "%.60s", name);
        b.resource = find_resource(m, name);
        const uint64_t size = element > 0 ? (uint64_t)element : b.resource ? b.resource->element : 0;
        b.offset = first > 0 && size && (uint64_t)first <= UINT64_MAX / size ? (uint64_t)first * size : 0;
    }
    json_decref(json);
    return b;
}

/* Check what is bound to tensor k. */
static bound check_source(check_model *m, check_item *item, unsigned k, check_span span)
{
    const ts_tensor *t = &item->d.tensors[k];
    const char *name = item->d.op->tensors[k].name;
    const uint64_t alignment = t->alignment > 16 ? t->alignment : 16;
    char hint[DID_YOU_MEAN_SIZE];
    const bound b = read_source(m, span);
    if (!b.stated)
        broken(m, item, "BIND-01", k, span.begin, "%s: expected the name of a resource, or a record with one", name);
    else if (!b.resource)
        broken(m, item, "BIND-01", k, span.begin, "%s is bound to \"%s\", which is no resource%s", name, b.name,
               resource_hint(m, b.name, hint));
    if (!b.resource)
        return b;
    if (b.offset % alignment != 0)
        broken(m, item, "BUF-15", k, span.begin, "%s is bound at byte %" PRIu64 ", which is no multiple of %" PRIu64,
               name, b.offset, alignment);
    const uint64_t left = b.offset > b.resource->bytes ? 0 : b.resource->bytes - b.offset;
    if (b.resource->sized && (t->given & TS_GIVEN_DESC) && left < t->total_bytes)
        broken(m, item, "BUF-16", k, span.begin,
               "%s.TotalTensorSizeInBytes = %" PRIu64 " exceeds the %" PRIu64 " bytes of \"%s\"%s", name,
               t->total_bytes, left, b.name, b.offset ? " behind the offset" : "");
    return b;
}

/* The bound range of each tensor, to compare them. */
typedef struct ranges {
    bound of[TS_MAX_TENSORS];
    uint32_t known; /* a bit each */
} ranges;

/* Do the ranges of two tensors in one resource have a byte in common? */
static bool intersect(const bound *a, const ts_tensor *of_a, const bound *b, const ts_tensor *of_b)
{
    return a->offset < b->offset + of_b->total_bytes && b->offset < a->offset + of_a->total_bytes;
}

/* BUF-17, BUF-18: outputs do not overlap each other; nor inputs, but where the ranges are equal and an operator permits
   it. Whether one that is not computed does is not declared. */
static void check_ranges(check_model *m, check_item *item, const ranges *x, size_t offset)
{
    const ts_operator *op = item->d.op;
    for (unsigned i = 0; i < op->tensor_count; ++i) {
        for (unsigned j = 0; j < op->tensor_count; ++j) {
            const bound *a = &x->of[i], *b = &x->of[j];
            const bool output = op->tensors[i].role == TS_OUTPUT, both = output && op->tensors[j].role == TS_OUTPUT;
            if (i == j || !output || !(x->known >> i & x->known >> j & 1) || a->resource != b->resource ||
                (both && j < i))
                continue;
            if (!intersect(a, &item->d.tensors[i], b, &item->d.tensors[j]))
                continue;
            if (both)
                broken(m, item, "BUF-17", j, offset, "%s and %s are bound to the same bytes of \"%s\"",
                       op->tensors[i].name, op->tensors[j].name, a->name);
            else if (operator_computes(op) && (!op->in_place || a->offset != b->offset))
                broken(m, item, "BUF-18", i, offset, "%s is bound to bytes of \"%s\", as %s is%s", op->tensors[i].name,
                       a->name, op->tensors[j].name, op->in_place ? ", and not to the same ones" : "");
        }
    }
}

/* Check the sources of a field: one tensor, or a list of them. */
static void check_field(check_model *m, check_item *item, unsigned k, check_span value, ranges *x)
{
    const ts_tensor_list *l = operator_list_of(item->d.op, k);
    const unsigned wanted = l ? operator_list_length(&item->d, l) : 1;
    check_span one = value;
    size_t at = 0;
    unsigned count = is_kind(m, value, '[') ? 0 : 1;
    while (is_kind(m, value, '[') && json_scanner_element(m->t, value, &at, &one))
        ++count;
    if (count != wanted) {
        broken(m, item, "BIND-01", k, value.begin, "%u resource%s bound to %s, which is %u tensor%s", count,
               count == 1 ? " is" : "s are", operator_field_of_tensor(item->d.op, k), wanted, wanted == 1 ? "" : "s");
        return;
    }
    at = 0;
    for (unsigned i = 0; i < wanted && k + i < item->d.op->tensor_count; ++i) {
        if (!is_kind(m, value, '[') || json_scanner_element(m->t, value, &at, &one)) {
            x->of[k + i] = check_source(m, item, k + i, one);
            x->known |= x->of[k + i].resource ? UINT32_C(1) << (k + i) : 0;
        }
    }
}

/* Report a name that is no tensor of the operator. */
static void check_name(check_model *m, check_item *item, check_span key)
{
    const ts_operator *op = item->d.op;
    did_you_mean search;
    char hint[DID_YOU_MEAN_SIZE];
    error ignored;
    char *name = take_text(m, key, &ignored);
    did_you_mean_start(&search, name ? name : "");
    for (unsigned k = 0; k < op->tensor_count; ++k)
        if (operator_begins_field(op, k))
            did_you_mean_try(&search, operator_field_of_tensor(op, k));
    broken(m, item, "BIND-01", TS_MAX_TENSORS, key.begin - 1,
           "\"%.60s\" is bound, which is no tensor of the operator%s", name ? name : "",
           did_you_mean_hint(&search, hint));
    free(name);
}

/* Check bindings at a span; those at initialization are those of tensors that DirectML owns. */
static void check_bindings(check_model *m, check_item *item, check_span bindings, bool initialization)
{
    const ts_operator *op = item->d.op;
    ranges x = { .known = 0 };
    uint32_t bound_fields = 0;
    check_span key, value;
    size_t at = 0;
    while (json_scanner_member(m->t, bindings, &at, &key, &value)) {
        unsigned k = 0;
        while (k < op->tensor_count &&
               !(operator_begins_field(op, k) && json_scanner_is(m->t, key, operator_field_of_tensor(op, k))))
            ++k;
        if (k == op->tensor_count) {
            check_name(m, item, key);
            continue;
        }
        bound_fields |= UINT32_C(1) << k;
        const size_t there = key.begin - 1;
        if (!operator_has_tensor(&item->d, k))
            broken(m, item, "BIND-01", k, there, "%s is bound, but the descriptor does not have it",
                   operator_field_of_tensor(op, k));
        else if (((item->d.tensors[k].flags & 1) != 0) != initialization)
            broken(m, item, "BUF-20", k, there,
                   initialization
                       ? "%s is bound at initialization and not OWNED_BY_DML"
                       : "%s is OWNED_BY_DML and bound at execution; expected in the dispatchable's bindings",
                   op->tensors[k].name);
        else
            check_field(m, item, k, value, &x);
    }
    for (unsigned k = 0; k < op->tensor_count; ++k)
        if (operator_begins_field(op, k) && !(bound_fields >> k & 1) && operator_has_tensor(&item->d, k) &&
            ((item->d.tensors[k].flags & 1) != 0) == initialization)
            broken(m, item, "BIND-01", k, bindings.begin, "%s is bound to no resource%s",
                   operator_field_of_tensor(op, k), initialization ? " at initialization" : "");
    check_ranges(m, item, &x, bindings.begin);
}

void check_model_bind(check_model *m, const char *dispatchable, check_span initialization, check_item *item)
{
    size_t at = first_dispatch(m, dispatchable);
    const dispatch *d;
    bool owned = false;
    for (unsigned k = 0; k < item->d.op->tensor_count; ++k)
        owned = owned || (operator_has_tensor(&item->d, k) && (item->d.tensors[k].flags & 1));
    if (is_kind(m, initialization, '{'))
        check_bindings(m, item, initialization, true);
    else if (owned && at < m->dispatch_count && strcmp(m->dispatches[at].dispatchable, dispatchable) == 0)
        check_bindings(m, item, (check_span){ m->dispatches[at].bindings.begin, m->dispatches[at].bindings.begin },
                       true);
    while ((d = next_dispatch(m, dispatchable, &at)))
        check_bindings(m, item, d->bindings, false);
}

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

void check_model_bind_edge(check_model *m, const char *dispatchable, check_item *item, unsigned tensor,
                           const char *edge)
{
    size_t at = first_dispatch(m, dispatchable);
    const dispatch *d;
    while ((d = next_dispatch(m, dispatchable, &at))) {
        check_span value, one;
        size_t first = 0;
        if (!json_scanner_find(m->t, d->bindings, edge, &value)) {
            broken(m, item, "BIND-01", tensor, d->bindings.begin,
                   "%s: no resource is bound to \"%.60s\", %s of the graph", item->d.op->tensors[tensor].name, edge,
                   item->d.op->tensors[tensor].role == TS_INPUT ? "an input" : "an output");
            continue;
        }
        one = value;
        if (is_kind(m, value, '[') && !(json_scanner_element(m->t, value, &first, &one) &&
                                        !json_scanner_element(m->t, value, &first, &(check_span){ 0, 0 })))
            broken(m, item, "BIND-01", tensor, value.begin, "%s: expected one resource for \"%.60s\"",
                   item->d.op->tensors[tensor].name, edge);
        else
            check_source(m, item, tensor, one);
    }
}

bool check_model_edges(check_model *m, const char *dispatchable, const json_t *edges, error *e)
{
    size_t at = first_dispatch(m, dispatchable);
    const dispatch *d;
    while ((d = next_dispatch(m, dispatchable, &at))) {
        check_span key, value;
        size_t next = 0;
        while (json_scanner_member(m->t, d->bindings, &next, &key, &value)) {
            did_you_mean search;
            char hint[DID_YOU_MEAN_SIZE];
            const char *known;
            json_t *ignored;
            char *name = take_text(m, key, e);
            if (!name)
                return false;
            const bool there = json_object_get(edges, name) != NULL;
            did_you_mean_start(&search, name);
            json_object_foreach((json_t *)(uintptr_t)edges, known, ignored) did_you_mean_try(&search, known);
            if (!there)
                source_text_error(e, m->t, key.begin - 1,
                                  "\"%.60s\" is bound, which is neither an input nor an output of the graph%s", name,
                                  did_you_mean_hint(&search, hint));
            free(name);
            if (!there)
                return false;
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_graph.h"

#include "harness/base/array.h"
#include "harness/base/input.h"
#include "harness/base/text.h"
#include "harness/check/check_dxdispatch.h"
#include "harness/check/check_graph_node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NODES 100000

/* The fields of DmlGraphDesc and DmlGraphNode, as the schema numbers them. */
enum { GRAPH_NODES, GRAPH_INPUTS, GRAPH_OUTPUTS };
enum { NODE_KIND, NODE_DESC, NODE_NAME, NODE_INPUTS, NODE_OUTPUTS };
enum { KIND_OPERATOR = 1, KIND_CONSTANT = 2 };
enum { CONSTANT_KIND, CONSTANT_DATA };
enum { CONSTANT_NAMED = 1, CONSTANT_RAW = 2 };

/* Where an edge begins: an output of a node. */
typedef struct edge {
    bool any;      /* nothing is known of the tensor, because its node was not read */
    bool constant; /* the node is a constant of t.total_bytes bytes: nothing else of t is known */
    bool sized;    /* and the bytes are known */
    bool owned;    /* and DirectML owns it */
    char node[48], field[48];
    ts_tensor t;
} edge;

typedef struct reader {
    const check_graph *g;
    flatbuffer f;
    json_t *inputs, *outputs; /* the names of the graph's own; an output is true once a node writes it */
    json_t *written;          /* the number of each edge */
    edge *edges;
    size_t edge_count, edge_room;
    char name[160]; /* of the current item */
    error *e;
} reader;

bool check_graph_is_type(const char *type)
{
    return strcasecmp(type, "dmlSerializedGraph") == 0;
}

bool check_graph_named(const char *path)
{
    return text_ends_like(path, ".bin");
}

static bool out_of_memory(reader *r)
{
    return error_set(r->e, "%s: out of memory", r->g->path);
}

/* ---- items ------------------------------------------------------------------------------------------------- */

static void begin_item(reader *r, uint32_t number, const char *node)
{
    check_item *item = r->g->item;
    check_item_begin(item, r->g->place);
    snprintf(r->name, sizeof r->name, "%.60s%s%.60s", r->g->name ? r->g->name : "", r->g->name ? "/" : "", node);
    item->name = r->name;
    if (r->g->name)
        check_note(item, "node %" PRIu32 " of %.200s", number, r->g->path);
}

static bool visit(reader *r)
{
    return r->g->visit(r->g->context, r->g->item, r->e);
}

/* The current item, or what begins here, cannot be read, as *e says; true where reading goes on. */
static bool recover(reader *r)
{
    if (r->g->place.line)
        error_prefix(r->e, "%s:%zu:%zu", r->g->item->file, r->g->place.line, r->g->place.column);
    else
        error_prefix(r->e, "%s", r->g->item->file);
    return check_item_unreadable(r->g->item, r->g->o, r->g->visit, r->g->context, r->e);
}

/* ---- edges ------------------------------------------------------------------------------------------------- */

static edge *add_edge(reader *r, const char *name)
{
    if (!array_reserve(&r->edges, &r->edge_room, r->edge_count + 1, sizeof *r->edges) ||
        json_object_set_new_nocheck(r->written, name, json_integer((json_int_t)r->edge_count)) != 0) {
        out_of_memory(r);
        return NULL;
    }
    edge *made = &r->edges[r->edge_count++];
    memset(made, 0, sizeof *made);
    return made;
}

static const edge *find_edge(const reader *r, const char *name)
{
    const json_t *number = json_object_get(r->written, name);
    return number ? &r->edges[json_integer_value(number)] : NULL;
}

static const char *sizes_text(const ts_tensor *t, char *buf, size_t size)
{
    size_t used = 1;
    snprintf(buf, size, "{");
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64, i ? "," : "", t->sizes[i]);
    if (used < size)
        snprintf(buf + used, size - used, "}");
    return buf;
}

/* Are the sizes the same, but for sizes of 1? */
static bool same_sizes(const ts_tensor *a, const ts_tensor *b)
{
    uint32_t i = 0, j = 0;
    for (;;) {
        while (i < a->rank && a->sizes[i] == 1)
            ++i;
        while (j < b->rank && b->sizes[j] == 1)
            ++j;
        if (i == a->rank || j == b->rank)
            return i == a->rank && j == b->rank;
        if (a->sizes[i++] != b->sizes[j++])
            return false;
    }
}

static bool same_strides(const ts_tensor *a, const ts_tensor *b)
{
    return a->rank != b->rank || !(a->given & b->given & TS_GIVEN_STRIDES) ||
           memcmp(a->strides, b->strides, a->rank * sizeof a->strides[0]) == 0;
}

/* Compare a tensor with the edge that it reads. DirectML 1.15.4 compares the bytes alone: it accepts
   other types, sizes and strides, and refuses more bytes and fewer (IDMLDevice1::CompileGraph). */
static void check_edge(check_item *item, unsigned k, const edge *from)
{
    const ts_tensor *to = &item->d.tensors[k];
    const char *name = item->d.op->tensors[k].name;
    char here[64], there[64];
    const uint32_t all = TS_GIVEN_TENSOR | TS_GIVEN_DESC | TS_GIVEN_SIZES;
    if (from->any || (to->given & all) != all || to->rank > TS_MAX_DIMS || from->t.rank > TS_MAX_DIMS)
        return;
    if (from->constant) {
        if (from->sized && from->t.total_bytes < to->total_bytes)
            check_found(item, "GRAPH-05", (int)k, item->place,
                        "%s.TotalTensorSizeInBytes = %" PRIu64 " exceeds the %" PRIu64 " bytes of the constant %s",
                        name, to->total_bytes, from->t.total_bytes, from->node);
        return;
    }
    if (to->total_bytes != from->t.total_bytes)
        check_found(item, "GRAPH-04", (int)k, item->place,
                    "%s.TotalTensorSizeInBytes = %" PRIu64 " differs from %" PRIu64 ", that of %s of %s", name,
                    to->total_bytes, from->t.total_bytes, from->field, from->node);
    if (to->dtype != from->t.dtype)
        check_found(item, "GRAPH-02", (int)k, item->place, "%s.DataType = %s differs from %s, %s of %s", name,
                    operator_dtype_name(item->d.op, to->dtype), operator_dtype_name(item->d.op, from->t.dtype),
                    from->field, from->node);
    if (!same_sizes(to, &from->t))
        check_found(item, "GRAPH-03", (int)k, item->place, "%s.Sizes = %s differ from %s, %s of %s", name,
                    sizes_text(to, here, sizeof here), sizes_text(&from->t, there, sizeof there), from->field,
                    from->node);
    else if (!same_strides(to, &from->t))
        check_found(item, "GRAPH-03", (int)k, item->place, "%s.Strides differ from those of %s of %s", name,
                    from->field, from->node);
}

static void check_input(reader *r, unsigned k, const char *name)
{
    check_item *item = r->g->item;
    if (json_object_get(r->inputs, name)) {
        if (r->g->bound)
            r->g->bound(r->g->binder, item, k, name);
        return;
    }
    const edge *from = find_edge(r, name);
    if (from)
        check_edge(item, k, from);
    else
        check_found(item, "GRAPH-01", (int)k, item->place,
                    "%s reads \"%.60s\", which is no input of the graph and no output of a node before",
                    item->d.op->tensors[k].name, name);
}

/* Note that the current node writes an edge: tensor k of the item, or any, with -1. */
static bool write_edge(reader *r, int k, const char *name, const char *node)
{
    check_item *item = r->g->item;
    if (k >= 0 && find_edge(r, name))
        check_found(item, "GRAPH-01", k, item->place, "%s writes \"%.60s\", which a node before writes, too",
                    item->d.op->tensors[k].name, name);
    edge *made = add_edge(r, name);
    if (!made)
        return false;
    snprintf(made->node, sizeof made->node, "%.47s", node);
    made->any = k < 0;
    if (k >= 0) {
        made->t = item->d.tensors[k];
        snprintf(made->field, sizeof made->field, "%.47s", item->d.op->tensors[k].name);
    }
    if (!json_object_get(r->outputs, name))
        return true;
    if (k >= 0 && r->g->bound)
        r->g->bound(r->g->binder, item, (unsigned)k, name);
    return json_object_set_new_nocheck(r->outputs, name, json_true()) == 0 || out_of_memory(r);
}

/* ---- nodes ------------------------------------------------------------------------------------------------- */

/* The edges that a node writes, where nothing is known of their tensors. */
static bool write_unknown(reader *r, flatbuffer_vector outputs, const char *node)
{
    char name[GRAPH_NAME];
    for (uint32_t i = 0; i < outputs.count && i < TS_MAX_TENSORS; ++i) {
        graph_name(&r->f, flatbuffer_string(&r->f, outputs, i), name);
        if (name[0] && !write_edge(r, -1, name, node))
            return false;
    }
    return true;
}

static bool check_edges(reader *r, const graph_node *n)
{
    bool ok = true;
    for (unsigned k = 0; ok && k < n->op->tensor_count; ++k) {
        if (!n->edges[k][0])
            continue;
        if (n->op->tensors[k].role == TS_INPUT)
            check_input(r, k, n->edges[k]);
        else
            ok = write_edge(r, (int)k, n->edges[k], n->name);
    }
    return ok;
}

/* Is the edge a constant that DirectML owns? */
static bool is_owned(const void *context, const char *name)
{
    const reader *r = context;
    const edge *from = json_object_get(r->inputs, name) ? NULL : find_edge(r, name);
    return from && from->owned;
}

static bool read_operator(reader *r, const graph_node *at)
{
    graph_node *n = malloc(sizeof *n);
    check_item *item = r->g->item;
    if (!n)
        return out_of_memory(r);
    *n = *at;
    item->op_name = n->op ? n->op->name : n->type;
    bool ok = true;
    if (!n->op) {
        check_note_unknown(item, false);
        ok = write_unknown(r, n->output_names, n->name) && visit(r);
    } else {
        operator_begin(&item->d, n->op);
        json_t *desc = graph_node_desc(&r->f, n, item, is_owned, r, r->e);
        bool read = desc && !r->f.problem && check_complete_operator(item, n->op, desc) &&
                    check_read_descriptor(n->op, desc, r->g->o, item, r->e);
        json_decref(desc);
        if (read) {
            check_settle(&item->d, r->g->o);
            item->known = item->judged = true;
            ok = check_edges(r, n) && visit(r);
        } else {
            ok = r->f.problem || (write_unknown(r, n->output_names, n->name) && recover(r));
        }
    }
    free(n);
    return ok;
}

/* The bytes of the file NAME.bin beside the graph; false, with the reason in *e, if there is none. */
static bool file_size(const char *graph, const char *name, uint64_t *size, error *e)
{
    char path[1200];
    const char *slash = strrchr(graph, '/'), *back = strrchr(graph, '\\');
    const char *end = slash > back ? slash : back;
    snprintf(path, sizeof path, "%.*s%s.bin", end ? (int)(end + 1 - graph < 700 ? end + 1 - graph : 700) : 0, graph,
             name);
    FILE *file = strchr(name, '/') || strchr(name, '\\') ? NULL : input_open(path, e);
    if (!file)
        return strchr(name, '/') || strchr(name, '\\') ? error_usage(e, "%s: no name of a file", name) : false;
    const bool ok = fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0;
    *size = ok ? (uint64_t)ftell(file) : 0;
    fclose(file);
    return ok || error_usage(e, "%s: its size cannot be read", path);
}

static bool read_constant(reader *r, const graph_node *n)
{
    char edge_name[GRAPH_NAME], data_name[GRAPH_NAME];
    const uint64_t kind = flatbuffer_number(&r->f, n->desc, CONSTANT_KIND, 1, 0);
    flatbuffer_table data = flatbuffer_sub(&r->f, n->desc, CONSTANT_DATA);
    graph_name(&r->f, flatbuffer_string(&r->f, n->output_names, 0), edge_name);
    if (r->f.problem)
        return true;
    if (n->output_names.count != 1 || !edge_name[0] || (kind != CONSTANT_NAMED && kind != CONSTANT_RAW)) {
        error_usage(r->e, "a constant with %" PRIu32 " outputs%s", n->output_names.count,
                    kind == CONSTANT_NAMED || kind == CONSTANT_RAW ? "" : ", which is neither named nor given");
        return write_unknown(r, n->output_names, n->name) && recover(r);
    }
    edge *made = add_edge(r, edge_name);
    if (!made)
        return false;
    made->constant = true;
    made->owned = kind == CONSTANT_NAMED;
    snprintf(made->node, sizeof made->node, "%.47s", n->name);
    if (kind == CONSTANT_RAW) {
        made->t.total_bytes = flatbuffer_list(&r->f, data, 0, 1).count;
        made->sized = true;
        return true;
    }
    graph_name(&r->f, flatbuffer_text(&r->f, data, 0), data_name);
    if (!r->f.problem && r->g->path[0] && file_size(r->g->path, data_name, &made->t.total_bytes, r->e))
        made->sized = true;
    else if (!r->f.problem && r->g->path[0])
        return recover(r);
    return true;
}

static bool read_node(reader *r, flatbuffer_table at, uint32_t number)
{
    graph_node n;
    memset(&n, 0, sizeof n);
    graph_name(&r->f, flatbuffer_text(&r->f, at, NODE_NAME), n.name);
    if (!n.name[0])
        snprintf(n.name, sizeof n.name, "node %" PRIu32, number);
    n.desc = flatbuffer_sub(&r->f, at, NODE_DESC);
    n.input_names = flatbuffer_list(&r->f, at, NODE_INPUTS, 4);
    n.output_names = flatbuffer_list(&r->f, at, NODE_OUTPUTS, 4);
    const uint64_t kind = flatbuffer_number(&r->f, at, NODE_KIND, 1, 0);
    begin_item(r, number, n.name);
    if (r->f.problem)
        return true;
    if (kind == KIND_CONSTANT) {
        r->g->item->index--; /* no descriptor */
        return read_constant(r, &n);
    }
    if (kind != KIND_OPERATOR) {
        error_usage(r->e, "node %" PRIu32 " is neither an operator nor a constant", number);
        return write_unknown(r, n.output_names, n.name) && recover(r);
    }
    graph_node_type(&r->f, &n);
    return r->f.problem ? true : read_operator(r, &n);
}

/* ---- graphs ------------------------------------------------------------------------------------------------ */

static bool take_names(reader *r, flatbuffer_vector names, json_t *into)
{
    char name[GRAPH_NAME];
    for (uint32_t i = 0; i < names.count && !r->f.problem; ++i) {
        graph_name(&r->f, flatbuffer_string(&r->f, names, i), name);
        if (json_object_set_new_nocheck(into, name, json_false()) != 0 ||
            (r->g->edges && json_object_set_new_nocheck(r->g->edges, name, json_true()) != 0))
            return out_of_memory(r);
    }
    return true;
}

/* Report the outputs of the graph that no node writes. */
static bool check_outputs(reader *r)
{
    const char *name;
    json_t *written;
    json_object_foreach(r->outputs, name, written)
    {
        if (json_is_true(written))
            continue;
        check_item_begin(r->g->item, r->g->place);
        r->g->item->name = r->g->name;
        error_usage(r->e, "%s: no node writes \"%.60s\", an output of the graph", r->g->path, name);
        if (!recover(r))
            return false;
    }
    return true;
}

static bool read_graph(reader *r)
{
    flatbuffer_table root = flatbuffer_root(&r->f);
    flatbuffer_vector nodes = flatbuffer_list(&r->f, root, GRAPH_NODES, 4);
    bool ok = take_names(r, flatbuffer_list(&r->f, root, GRAPH_INPUTS, 4), r->inputs) &&
              take_names(r, flatbuffer_list(&r->f, root, GRAPH_OUTPUTS, 4), r->outputs);
    if (ok && nodes.count > MOST_NODES)
        return error_usage(r->e, "%s: more than %d nodes", r->g->path, MOST_NODES);
    for (uint32_t i = 0; ok && i < nodes.count && !r->f.problem; ++i)
        ok = read_node(r, flatbuffer_element(&r->f, nodes, i), i);
    if (ok && r->f.problem)
        return error_usage(r->e, "%s: no serialized graph of DirectML (a FlatBuffer of DmlGraphDesc): byte %zu: %s",
                           r->g->path, r->f.problem_at, r->f.problem);
    if (ok && nodes.count == 0)
        return error_usage(r->e, "%s: a graph without nodes", r->g->path);
    return ok && check_outputs(r);
}

bool check_graph_bytes(const check_graph *g, const void *bytes, size_t size, error *e)
{
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return error_set(e, "out of memory");
    *r = (reader){ .g = g, .f = { .bytes = bytes, .size = size }, .e = e };
    r->inputs = json_object();
    r->outputs = json_object();
    r->written = json_object();
    bool ok = (r->inputs && r->outputs && r->written && read_graph(r)) || (!r->written && out_of_memory(r));
    json_decref(r->inputs);
    json_decref(r->outputs);
    json_decref(r->written);
    free(r->edges);
    free(r);
    return ok;
}

bool check_graph_read(const check_graph *g, error *e)
{
    source_text t;
    if (!source_text_read(&t, g->path, e))
        return false;
    const bool ok = check_graph_bytes(g, t.bytes, t.size, e);
    source_text_free(&t);
    return ok;
}

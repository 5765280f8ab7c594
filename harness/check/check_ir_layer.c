/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One StridedSlice layer of an IR as a descriptor. What the file does not tell, begin, end and stride that are not
 * constant and dynamic dimensions, is tried with the values that go furthest: what comes out the same for all of them
 * is judged, and of the rest only whether any value could give it.
 */
#include "harness/check/check_ir.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { DATA, OUTPUT };       /* tensors of the operator */
enum { BEGIN, END, STRIDE }; /* its lists, inputs 1 to 3 of the layer */
#define LISTS 3
#define STEPS TS_MAX_DIMS /* values of a list that are looked at */

static const char *const list_names[LISTS] = { "begin", "end", "stride" };

/* The layer's lists as far as they are known. */
typedef struct facts {
    const ts_operator *op;
    bool given[LISTS], known[LISTS];
    uint32_t count[LISTS]; /* as stated; may exceed STEPS */
    int64_t values[LISTS][STEPS];
    bool any_unknown;
} facts;

/* ---- constants --------------------------------------------------------------------------------------------- */

static void bin_path(const char *xml, char *buf, size_t size)
{
    snprintf(buf, size, "%s", xml);
    size_t n = strlen(buf);
    if (n > 4)
        memcpy(buf + n - 4, ".bin", 4);
}

/* Open the .bin file the first time it is asked for. False where there is none. */
static bool open_weights(ir_weights *w, char *path, size_t size)
{
    path[0] = 0;
    if (!w->xml || strlen(w->xml) >= size)
        return false;
    bin_path(w->xml, path, size);
    if (!w->tried) {
        w->tried = true;
        w->file = fopen(path, "rb");
        w->problem = w->file ? 0 : errno;
        if (w->file && (fgetc(w->file), ferror(w->file))) { /* a folder opens, too */
            w->problem = errno;
            fclose(w->file);
            w->file = NULL;
        }
        if (w->file && fseeko(w->file, 0, SEEK_END) == 0) {
            off_t end = ftello(w->file); /* models are larger than a long, on some systems */
            w->size = end > 0 ? (uint64_t)end : 0;
        }
    }
    return w->file != NULL;
}

static bool place_fail(error *e, const check_item *item, check_place place, const char *format, ...) ERROR_PRINTF(4, 5);
static bool place_fail(error *e, const check_item *item, check_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    e->status = EXIT_BAD_USAGE;
    return error_prefix(e, "%s:%zu:%zu", item->file, place.line, place.column);
}

/* A little-endian integer of the type. */
static int64_t integer_at(const unsigned char *p, const ts_dtype_info *type)
{
    uint64_t bits = 0;
    unsigned size = type->bits / 8u;
    for (unsigned i = size; i-- > 0;)
        bits = bits << 8 | p[i];
    if (type->is_signed && size < 8 && bits >> (type->bits - 1) & 1)
        bits |= ~UINT64_C(0) << type->bits;
    return (int64_t)bits; /* a u64 beyond 2^63 becomes negative, as it does in OpenVINO */
}

/* Read a list from its constant. Values beyond the room are not needed: so many steps are not judged. */
static bool read_constant(ir_visitor *v, const ir_const *c, unsigned list, facts *f, error *e)
{
    char path[4096];
    unsigned char bytes[STEPS * 8];
    const ts_dtype_info *type = tensor_dtype(c->dtype);
    const char *name = list_names[list];
    f->count[list] = c->count <= UINT32_MAX ? (uint32_t)c->count : UINT32_MAX;
    if (c->problem)
        return place_fail(e, &v->item, c->place, "%s: %s", name, c->problem);
    if (!type || type->is_float || type->bits < 8 || c->dtype == TS_BOOLEAN) {
        operator_violate(&v->item.found, "SS-01", TS_RESULT_INVALID, -1, -1, "%s is of type %s, which is no integer",
                         name, type ? type->openvino : "unknown");
        return true;
    }
    size_t element = type->bits / 8u;
    if (c->count > UINT32_MAX || c->size != c->count * element)
        return place_fail(e, &v->item, c->place, "a Const layer of %" PRIu64 " %s values in %" PRIu64 " bytes",
                          c->count, type->openvino, c->size);
    if (c->rank != 1)
        operator_violate(&v->item.found, "SS-01", TS_RESULT_INVALID, -1, -1, "%s has %u dimensions, not 1", name,
                         c->rank);
    if (!open_weights(&v->weights, path, sizeof path)) {
        if (path[0])
            check_note(&v->item, "%s is in %.200s: %s", name, path, strerror(v->weights.problem));
        else
            check_note(&v->item, "%s is in a .bin file, and there is none", name);
        return true;
    }
    if (c->offset > v->weights.size || c->size > v->weights.size - c->offset)
        return place_fail(e, &v->item, c->place,
                          "a Const layer in bytes %" PRIu64 " to %" PRIu64 " of %.300s, which has %" PRIu64, c->offset,
                          c->offset + c->size, path, v->weights.size);
    size_t wanted = (size_t)(c->count < STEPS ? c->count : STEPS) * element;
    if (fseeko(v->weights.file, (off_t)c->offset, SEEK_SET) != 0 || fread(bytes, 1, wanted, v->weights.file) != wanted)
        return error_usage(e, "%s: %s", path, strerror(errno));
    for (size_t i = 0; i < wanted / element; ++i)
        f->values[list][i] = integer_at(bytes + i * element, type);
    f->known[list] = true;
    return true;
}

/* What is known of begin, end and stride. False with an error only; item.judged is cleared where too little is. */
static bool gather_facts(ir_visitor *v, const ir_layer *layer, facts *f, error *e)
{
    for (unsigned i = 0; i < LISTS; ++i) {
        const ir_port *port = &layer->input[1 + i];
        f->given[i] = port->present;
        if (!port->present)
            continue;
        if (layer->source[1 + i] == IR_CONSTANT) {
            if (!read_constant(v, &layer->constant[1 + i], i, f, e))
                return false;
        } else if (port->rank == 1 && port->dims[0] >= 0 && port->dims[0] <= UINT32_MAX) {
            f->count[i] = (uint32_t)port->dims[0];
        } else if (port->rank > 1) {
            operator_violate(&v->item.found, "SS-01", TS_RESULT_INVALID, -1, -1, "%s has %u dimensions, not 1",
                             list_names[i], port->rank);
        } else {
            check_note(&v->item, "the length of %s is not in the file", list_names[i]);
            v->item.judged = false;
        }
        const ts_dtype_info *type = tensor_dtype(port->dtype);
        if (type && type->is_float && layer->source[1 + i] != IR_CONSTANT)
            operator_violate(&v->item.found, "SS-01", TS_RESULT_INVALID, -1, -1,
                             "%s is of type %s, which is no integer", list_names[i], type->openvino);
        if (!f->known[i]) {
            if (layer->source[1 + i] == IR_UNCONNECTED)
                check_note(&v->item, "%s is not in the file: no edge leads to it", list_names[i]);
            else if (layer->source[1 + i] != IR_CONSTANT)
                check_note(&v->item, "%s is not constant", list_names[i]);
            v->item.undecided = true;
            f->any_unknown = true;
            v->item.unknown_attrs |= 1u << operator_attr_index(f->op, list_names[i]);
        }
    }
    return true;
}

/* ---- dimensions -------------------------------------------------------------------------------------------- */

static void find_wild(ir_visitor *v, const ir_layer *layer)
{
    for (size_t i = 0; i < layer->wild_count; ++i) {
        const ir_wild *w = &layer->wild[i];
        bool tensor = w->input == 0 || w->input == IR_INPUTS;
        int k = w->input == 0 ? DATA : OUTPUT;
        const char *name = tensor ? v->item.d.op->tensors[k].name : list_names[w->input - 1];
        operator_violate(&v->item.found, operator_range_clause.id, operator_range_clause.result, tensor ? k : -1,
                         tensor ? (int)w->dim : -1, "%s.shape[%u] = %s is out of range: %s; judged as %s", name, w->dim,
                         w->value.text, IR_DIM_RANGE, w->value.negative ? "-1, dynamic" : "9223372036854775807");
    }
}

/* ---- masks ------------------------------------------------------------------------------------------------- */

static bool set_mask(ir_visitor *v, const ir_layer *layer, unsigned mask, ts_descriptor *d, error *e)
{
    int64_t values[STEPS];
    uint32_t count = 0;
    const char *text = layer->masks[mask];
    int k = operator_attr_index(d->op, ir_mask_names[mask]);
    if (!text || !*text || k < 0)
        return true;
    while (*text) {
        bigint n;
        bool inside;
        const char *end = bigint_from_text(text + strspn(text, " "), &n);
        const char *rest = end ? end + strspn(end, " ") : text;
        if (!end || (*rest && *rest != ','))
            return place_fail(e, &v->item, layer->data_place,
                              "%s=\"%.60s\" is no list of integers with commas between them, such as \"0,1\"",
                              ir_mask_names[mask], layer->masks[mask]);
        int64_t value = bigint_clamp(&n, 0, UINT8_MAX, &inside);
        if (!inside) {
            operator_violate(&v->item.found, "SS-02", TS_RESULT_INVALID, -1, (int)count,
                             "%s[%u] = %s is neither 0 nor 1", ir_mask_names[mask], count, n.text);
            value = 0;
        }
        if (count < STEPS)
            values[count] = value;
        count++;
        text = *rest ? rest + 1 + strspn(rest + 1, " ") : rest;
    }
    operator_set_attr(d, (unsigned)k, values, count < STEPS ? count : STEPS);
    return true;
}

/* ---- trying values ----------------------------------------------------------------------------------------- */

/* The values that go furthest. The first ones stand in what is judged: they break no clause. */
static const int64_t places[] = { 0, INT64_MIN, INT64_MAX }, strides[] = { 1, -1, INT64_MAX, INT64_MIN };
static const uint64_t dims[] = { INT32_MAX, 1 };

static bool is_one(const ts_descriptor *d, const char *mask, unsigned i)
{
    int k = operator_attr_index(d->op, mask);
    return k >= 0 && operator_attr_value(d, (unsigned)k, i) == 1;
}

static void set_list(ts_descriptor *d, const facts *f, unsigned list, int64_t unknown)
{
    int64_t values[STEPS];
    int k = operator_attr_index(d->op, list_names[list]);
    uint32_t stored = f->count[list] < STEPS ? f->count[list] : STEPS;
    if (!f->given[list] || k < 0)
        return;
    for (uint32_t i = 0; i < stored; ++i) {
        values[i] = f->known[list] ? f->values[list][i] : unknown;
        if (!f->known[list] && list != STRIDE && is_one(d, "shrink_axis_mask", i))
            values[i] = 0; /* the index that is legal in every dimension */
    }
    operator_set_attr(d, (unsigned)k, values, stored);
    memcpy(d->attrs + d->op->attrs[k].count_offset, &f->count[list], sizeof f->count[list]);
}

/* Dynamic dimensions get this size and a stride of 0, so that no size of a buffer follows from it. */
static void set_dynamic(ts_descriptor *d, unsigned tensor, uint32_t dynamic, uint64_t size)
{
    ts_tensor *t = &d->tensors[tensor];
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        if (dynamic >> i & 1)
            t->sizes[i] = 1;
    }
    tensor_pack(t);
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        if (dynamic >> i & 1) {
            t->sizes[i] = size;
            t->strides[i] = 0;
        }
    }
    if (!tensor_min_bytes(t, &t->total_bytes))
        t->total_bytes = 0;
}

/* The smallest and largest size of each output dimension. */
typedef struct bounds {
    bool known;
    uint32_t rank;
    uint64_t least[TS_MAX_DIMS], most[TS_MAX_DIMS];
} bounds;

static void take_shape(bounds *b, const ts_descriptor *d)
{
    ts_descriptor shaped = *d;
    ts_tensor *out = &shaped.tensors[OUTPUT];
    if (!d->op->shape(&shaped) || out->rank > TS_MAX_DIMS || (b->known && out->rank != b->rank))
        return;
    for (uint32_t i = 0; i < out->rank; ++i) {
        b->least[i] = b->known && b->least[i] < out->sizes[i] ? b->least[i] : out->sizes[i];
        b->most[i] = b->known && b->most[i] > out->sizes[i] ? b->most[i] : out->sizes[i];
    }
    b->known = true;
    b->rank = out->rank;
}

static void try_all(const ts_descriptor *d, const facts *f, uint32_t dynamic, bounds *b)
{
    ts_descriptor tried = *d;
    for (unsigned x = 0; x < (f->known[BEGIN] ? 1 : 3); ++x) {
        set_list(&tried, f, BEGIN, places[x]);
        for (unsigned y = 0; y < (f->known[END] ? 1 : 3); ++y) {
            set_list(&tried, f, END, places[y]);
            for (unsigned z = 0; z < (f->known[STRIDE] || !f->given[STRIDE] ? 1 : 4); ++z) {
                set_list(&tried, f, STRIDE, strides[z]);
                for (unsigned w = 0; w < (dynamic ? 2 : 1); ++w) {
                    set_dynamic(&tried, DATA, dynamic, dims[w]);
                    take_shape(b, &tried);
                }
            }
        }
    }
}

/* ---- the descriptor ---------------------------------------------------------------------------------------- */

/* A port as a tensor; returns which dimensions are dynamic. */
static uint32_t set_tensor(ts_tensor *t, const ir_port *port, uint32_t dtype)
{
    uint64_t sizes[TS_MAX_DIMS] = { 0 };
    uint32_t dynamic = 0;
    for (uint32_t i = 0; i < port->rank && i < TS_MAX_DIMS; ++i) {
        sizes[i] = port->dims[i] < 0 ? 0 : (uint64_t)port->dims[i];
        dynamic |= port->dims[i] < 0 ? 1u << i : 0;
    }
    tensor_init(t, dtype, port->rank, sizes);
    return dynamic;
}

static uint32_t data_type(ir_visitor *v, const ir_layer *layer)
{
    const ir_port *data = &layer->input[DATA];
    const char *strange = data->type[0] ? data->type : layer->output.type;
    if (strange[0]) {
        check_note(&v->item, "the type %s is not known here: types and bytes were not judged", strange);
        v->item.types[DATA] = data->type[0] ? data->type : NULL;
        v->item.types[OUTPUT] = layer->output.type[0] ? layer->output.type : v->item.types[DATA];
        v->item.undecided = true;
        return TS_UINT8;
    }
    if (data->dtype != TS_DTYPE_UNKNOWN)
        return data->dtype;
    if (layer->output.dtype != TS_DTYPE_UNKNOWN)
        return layer->output.dtype;
    return TS_FLOAT32; /* any would do: no rule depends on it */
}

/* Output dimensions that values decide: could any give what the file states? */
static void compare_buffers_open(ir_visitor *v, const ir_layer *layer, const bounds *b, uint32_t dynamic_data)
{
    ts_tensor *out = &v->judge.tensors[OUTPUT];
    ts_descriptor shaped = v->judge;
    uint32_t open = 0;
    if (!b->known || out->rank != b->rank || !shaped.op->shape(&shaped))
        return; /* a rank that is wrong for all values is the reference's to report */
    for (uint32_t i = 0; i < b->rank; ++i) {
        int64_t stated = layer->output.present ? layer->output.dims[i] : -1;
        if (b->least[i] == b->most[i] && stated >= 0)
            continue;
        open |= 1u << i;
        v->item.undecided = v->item.undecided || (dynamic_data && stated >= 0);
        out->sizes[i] = shaped.tensors[OUTPUT].sizes[i];
        if (stated >= 0 && !dynamic_data && ((uint64_t)stated < b->least[i] || (uint64_t)stated > b->most[i]))
            operator_violate(&v->item.found, "SS-12", TS_RESULT_INVALID, OUTPUT, (int)i,
                             "output's dimension %u = %" PRId64 ", where no values give more than %" PRIu64
                             " or less than %" PRIu64,
                             i, stated, b->most[i], b->least[i]);
    }
    tensor_pack(out);
    for (uint32_t i = 0; i < b->rank; ++i) {
        if (open >> i & 1)
            out->strides[i] = 0;
    }
    if (!tensor_min_bytes(out, &out->total_bytes))
        out->total_bytes = 0;
}

static bool locate(const check_item *item, const check_mention *m, check_place *place)
{
    const ir_layer *layer = item->source;
    const char *attr = m->attr >= 0 ? item->d.op->attrs[m->attr].name : NULL;
    const ir_port *port = m->tensor == OUTPUT ? &layer->output : &layer->input[DATA];
    if (attr && strstr(attr, "_mask")) {
        *place = layer->data_place;
        return true;
    }
    for (unsigned i = 0; i < LISTS && attr; ++i) {
        if (strcmp(attr, list_names[i]) == 0)
            port = &layer->input[1 + i];
    }
    if (!port->present)
        return false;
    *place = port->place;
    if (m->tensor >= 0 && m->index >= 0 && (uint32_t)m->index < port->rank && m->index < TS_MAX_DIMS)
        *place = port->dim_places[m->index];
    return true;
}

/* The drawn descriptor is what the file states, with an output that it leaves out as it comes to be. */
static bool fill(ir_visitor *v, const ir_layer *layer, error *e)
{
    check_item *item = &v->item;
    facts f = { .op = item->d.op };
    bounds b = { .known = false };
    ts_descriptor *d = &item->d;
    uint32_t dtype = data_type(v, layer);
    if (layer->input[DATA].rank == 0) {
        check_note(item, "the dimensions of data are not in the file");
        item->judged = false;
    }
    if (!gather_facts(v, layer, &f, e))
        return false;
    for (unsigned i = 0; i < IR_MASKS; ++i) {
        if (!set_mask(v, layer, i, d, e))
            return false;
    }
    uint32_t dynamic = set_tensor(&d->tensors[DATA], &layer->input[DATA], dtype);
    uint32_t dynamic_out = 0;
    item->unknown_sizes[DATA] = dynamic;
    for (unsigned i = 0; dynamic && i < STEPS; ++i) /* is its begin inside? */
        item->undecided = item->undecided || is_one(d, "shrink_axis_mask", i);
    check_settle(d, v->o);
    for (unsigned i = 0; i < LISTS; ++i)
        set_list(d, &f, i, i == STRIDE ? 1 : 0);
    if (layer->output.present) {
        dynamic_out =
            set_tensor(&d->tensors[OUTPUT], &layer->output,
                       layer->output.dtype != TS_DTYPE_UNKNOWN && !item->types[OUTPUT] ? layer->output.dtype : dtype);
    } else {
        ts_descriptor shaped = *d;
        set_dynamic(&shaped, DATA, dynamic, 1);
        d->tensors[OUTPUT].given = TS_GIVEN_ALL;
        if (d->op->shape(&shaped))
            tensor_init(&d->tensors[OUTPUT], dtype, shaped.tensors[OUTPUT].rank, shaped.tensors[OUTPUT].sizes);
        dynamic_out = f.any_unknown || dynamic ? UINT32_MAX : 0;
    }
    item->unknown_sizes[OUTPUT] = dynamic_out;
    if (!f.any_unknown && !dynamic && !dynamic_out)
        return true;
    v->judge = *d;
    item->judge = &v->judge;
    set_dynamic(&v->judge, DATA, dynamic, dims[0]);
    try_all(&v->judge, &f, dynamic, &b);
    compare_buffers_open(v, layer, &b, dynamic);
    return true;
}

bool ir_visit(ir_visitor *v, const ir_layer *layer, error *e)
{
    check_item *item = &v->item;
    const ts_operator *op = operators_find("openvino.strided_slice");
    if (!op)
        return error_set(e, "openvino.strided_slice is not among the operators");
    check_item_begin(item, layer->place);
    item->name = layer->name;
    item->op_name = op->name;
    item->known = item->judged = true;
    item->locate = locate;
    item->source = layer;
    operator_begin(&item->d, op);
    find_wild(v, layer);
    if (layer->note[0])
        check_note(item, "%s", layer->note);
    if (v->version[0])
        check_note(item, "IR version %s, read as if it were 10 or 11", v->version);
    bool read = layer->problem[0] ? place_fail(e, item, layer->problem_place, "%s", layer->problem) : fill(v, layer, e);
    return read ? v->visit(v->context, item, e) : check_item_unreadable(item, v->o, v->visit, v->context, e);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One layer of an IR as a descriptor. Lists that are not constant and dynamic dimensions are not in the file: extreme
 * values are tried in their place. Output sizes that are the same for all of these values are judged; of the others,
 * only whether any value could give them. A clause that holds for some of the tried values of an axis, or, where an
 * operator has several input tensors, for some of the tried sizes of dynamic dimensions, is not broken.
 */
#include "harness/check/check_ir.h"
#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DATA }; /* tensor and input 0 */

/* ---- dimensions -------------------------------------------------------------------------------------------- */

static void report_bad_dims(ir_visitor *v, const ir_layer *layer)
{
    for (size_t i = 0; i < layer->bad_dim_count; ++i) {
        const ir_bad_dim *w = &layer->bad_dims[i];
        const unsigned out = ir_output_of(layer->op);
        const bool tensor = w->input < out || w->input == IR_MAX_INPUTS;
        const int k = (int)(w->input < out ? w->input : out);
        const char *name = tensor ? layer->op->tensors[k].name : layer->op->ir->lists[w->input - out].attr;
        operator_violate(&v->item.found, operator_range_clause.id, operator_range_clause.result, tensor ? k : -1,
                         tensor ? (int)w->dim : -1, "%s.shape[%u] = %s is out of range: %s; judged as %s", name, w->dim,
                         w->value.text, IR_DIM_RANGE, w->value.negative ? "-1, dynamic" : "9223372036854775807");
    }
}

/* ---- attributes of <data> ---------------------------------------------------------------------------------- */

/* Store an integer of attribute k in *value; one that its type cannot hold is a violation, and 0. */
static void take_value(ir_visitor *v, unsigned k, uint32_t i, const bigint *n, int64_t *value)
{
    const ts_attr_decl *a = &v->item.d.op->attrs[k];
    bool bit = a->type == TS_ATTR_BIT, inside;
    *value = bit ? bigint_clamp(n, 0, UINT8_MAX, &inside) : bigint_clamp(n, INT64_MIN, INT64_MAX, &inside);
    if (inside)
        return;
    *value = 0;
    if (bit)
        operator_violate(&v->item.found, a->bit_clause, TS_RESULT_INVALID, -1, (int)i, "%s[%u] = %s is neither 0 nor 1",
                         a->name, i, n->text);
    else
        operator_violate(&v->item.found, operator_range_clause.id, operator_range_clause.result, -1, (int)i,
                         "%s[%u] = %s is out of range", a->name, i, n->text);
}

/* A data type, as the value of an attribute that has others, is a value that no clause allows. False for other words.
 */
static bool take_other_type(ir_visitor *v, const ts_attr_decl *a, const char *text, int64_t *value)
{
    if (ir_type_named(a->names[0]) == TS_DTYPE_UNKNOWN || ir_type_named(text) == TS_DTYPE_UNKNOWN)
        return false;
    *value = operator_name_count(a);
    check_note(&v->item, "%s=\"%s\" is judged as %" PRId64 ", a value that has no name", a->name, text, *value);
    return true;
}

static bool set_attribute(ir_visitor *v, const ir_layer *layer, unsigned k, ts_descriptor *d, error *e)
{
    int64_t values[IR_STEPS], value;
    uint32_t count = 0;
    const char *text = layer->attrs[k], *name = d->op->attrs[k].name;
    if (!text || !*text)
        return true;
    if (d->op->attrs[k].names) {
        char known[200];
        if (!ir_value_named(&d->op->attrs[k], text, &value, known, sizeof known) &&
            !take_other_type(v, &d->op->attrs[k], text, &value))
            return ir_fail(e, &v->item, layer->data_place, "%s=\"%.60s\" is not %s", name, text, known);
        return operator_set_attr(d, k, &value, 1);
    }
    while (*text) {
        bigint n;
        const char *end = bigint_from_text(text + strspn(text, " "), &n);
        const char *rest = end ? end + strspn(end, " ") : text;
        if (!end || (*rest && *rest != ','))
            return ir_fail(e, &v->item, layer->data_place, "%s=\"%.60s\" is no %s", name, layer->attrs[k],
                           d->op->attrs[k].count == TS_SCALAR
                               ? "integer"
                               : "list of integers with commas between them, such as \"0,1\"");
        take_value(v, k, count, &n, &value);
        if (count < IR_STEPS)
            values[count] = value;
        count++;
        text = *rest ? rest + 1 + strspn(rest + 1, " ") : rest;
    }
    if (operator_set_attr(d, k, values, count < IR_STEPS ? count : IR_STEPS))
        return true;
    return ir_fail(e, &v->item, layer->data_place, "%s=\"%.60s\" has values that it cannot hold", name,
                   layer->attrs[k]);
}

/* ---- trying values ----------------------------------------------------------------------------------------- */

/* Sizes that are tried for dynamic dimensions. The descriptor that is judged has the first, and of several input
   tensors the first that breaks no clause. */
static const uint64_t dims[] = { INT32_MAX, 1, 2 };
#define DIMS (sizeof dims / sizeof dims[0])

static bool is_one(const ts_descriptor *d, const char *mask, unsigned i)
{
    int k = operator_attr_index(d->op, mask);
    return k >= 0 && operator_attr_value(d, (unsigned)k, i) == 1;
}

/* Is value i an index, by a list's index_mask? */
static bool is_index(const ts_descriptor *d, const ts_ir_list *list, unsigned i)
{
    return list->index_mask && is_one(d, list->index_mask, i);
}

static void set_list(ts_descriptor *d, const ir_lists *f, unsigned list, int64_t unknown)
{
    int64_t values[IR_STEPS];
    unsigned k = ir_list_attr(f, list);
    uint32_t stored = f->count[list] < IR_STEPS ? f->count[list] : IR_STEPS;
    if (!f->given[list])
        return;
    for (uint32_t i = 0; i < stored; ++i) {
        values[i] = f->known[list] ? f->values[list][i] : unknown;
        if (!f->known[list] && is_index(d, &f->lists[list], i))
            values[i] = 0; /* the index that is legal in every dimension */
    }
    operator_set_attr(d, k, values, stored);
    if (!ir_is_single(f, list))
        memcpy(d->attrs + d->op->attrs[k].count_offset, &f->count[list], sizeof f->count[list]);
}

/* Set dynamic dimensions to this size, with a stride of 0, so that they do not change the size of the buffer. */
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

/* Which dimensions of each input are dynamic, a bit each. */
typedef struct dynamics {
    uint32_t of[TS_MAX_TENSORS];
    bool any;
} dynamics;

/* Set the dynamic dimensions of all inputs to this size; 0: to that of the same dimension of another input, or to 1. */
static void set_all_dynamic(ts_descriptor *d, const dynamics *y, uint64_t size)
{
    const unsigned inputs = ir_output_of(d->op);
    const ts_descriptor stated = *d;
    for (unsigned k = 0; k < inputs; ++k) {
        set_dynamic(d, k, y->of[k], size ? size : 1);
        for (unsigned other = 0; other < inputs && size == 0; ++other)
            for (uint32_t i = 0; i < d->tensors[k].rank && i < TS_MAX_DIMS; ++i)
                if ((y->of[k] >> i & 1) && !(y->of[other] >> i & 1) && i < stated.tensors[other].rank)
                    d->tensors[k].sizes[i] = stated.tensors[other].sizes[i];
    }
}

/* The smallest and largest size of each output dimension. */
typedef struct bounds {
    bool known;
    bool several; /* numbers of dimensions */
    uint32_t rank;
    uint64_t least[TS_MAX_DIMS], most[TS_MAX_DIMS];
} bounds;

static void take_shape(bounds *b, const ts_descriptor *d)
{
    ts_descriptor shaped = *d;
    ts_tensor *out = &shaped.tensors[ir_output_of(d->op)];
    if (!d->op->shape(&shaped) || out->rank > TS_MAX_DIMS)
        return;
    b->several = b->several || (b->known && out->rank != b->rank);
    if (b->several)
        return;
    for (uint32_t i = 0; i < out->rank; ++i) {
        const bool dependent = operator_dependent(d->op, ir_output_of(d->op)) >> i & 1;
        b->least[i] = dependent ? 0 : b->known && b->least[i] < out->sizes[i] ? b->least[i] : out->sizes[i];
        b->most[i] = b->known && b->most[i] > out->sizes[i] ? b->most[i] : out->sizes[i];
    }
    b->known = true;
    b->rank = out->rank;
}

/* Go to the next combination of the trials of unknown lists, or of those among them that are single integers; false
   after the last one. */
static bool next_trial(const ir_lists *f, unsigned *at, bool singles)
{
    for (unsigned i = 0; i < f->list_count; ++i) {
        if (f->known[i] || !f->given[i] || (singles && !ir_is_single(f, i)))
            continue;
        if (++at[i] < f->lists[i].trial_count)
            return true;
        at[i] = 0;
    }
    return false;
}

static void try_all(const ts_descriptor *d, const ir_lists *f, const dynamics *y, bounds *b)
{
    ts_descriptor tried = *d;
    unsigned at[IR_MAX_LISTS] = { 0 };
    do {
        for (unsigned i = 0; i < f->list_count; ++i)
            set_list(&tried, f, i, f->lists[i].trials[at[i]]);
        for (unsigned w = 0; w < (y->any ? DIMS : 1); ++w) {
            set_all_dynamic(&tried, y, dims[w]);
            take_shape(b, &tried);
        }
    } while (next_trial(f, at, false));
}

/* ---- the descriptor ---------------------------------------------------------------------------------------- */

/* Set a tensor from a port. Returns which dimensions are dynamic. */
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
        v->item.types[ir_output_of(layer->op)] = layer->output.type[0] ? layer->output.type : v->item.types[DATA];
        v->item.undecided = true;
        return TS_UINT8;
    }
    if (data->dtype != TS_DTYPE_UNKNOWN)
        return data->dtype;
    if (layer->output.dtype != TS_DTYPE_UNKNOWN)
        return layer->output.dtype;
    return TS_FLOAT32; /* no rule depends on the type */
}

/* The type of another input than the first one, where the file does not say it: one that breaks no clause. */
static uint32_t type_of(ir_visitor *v, const ir_layer *layer, unsigned k, uint32_t data_dtype)
{
    const ir_port *port = &layer->input[k];
    const uint32_t legal = layer->op->support[0].tensors[k].dtypes;
    if (port->dtype != TS_DTYPE_UNKNOWN)
        return port->dtype;
    if (port->type[0]) {
        check_note(&v->item, "the type %s of %s is not known here: it was not judged", port->type,
                   layer->op->tensors[k].name);
        v->item.types[k] = port->type;
        v->item.undecided = true;
    }
    if (legal & TS_DTYPE_BIT(data_dtype) && legal == layer->op->support[0].tensors[DATA].dtypes)
        return data_dtype;
    for (uint32_t dtype = 1; dtype < TS_DTYPE_COUNT; ++dtype)
        if (legal & TS_DTYPE_BIT(dtype))
            return dtype;
    return data_dtype;
}

/* Give output dimensions that depend on values which the file does not hold the sizes that follow from those tried. A
   bit for each. */
static uint32_t open_sizes(ts_descriptor *d, const ir_layer *layer, const bounds *b)
{
    ts_tensor *out = &d->tensors[ir_output_of(d->op)];
    ts_descriptor shaped = *d;
    uint32_t open = 0;
    if (!b->known || out->rank != b->rank || !shaped.op->shape(&shaped))
        return 0; /* the reference reports a rank that is wrong for all values */
    for (uint32_t i = 0; i < b->rank; ++i) {
        if (b->least[i] == b->most[i] && layer->output.present && layer->output.dims[i] >= 0)
            continue;
        open |= 1u << i;
        out->sizes[i] = shaped.tensors[ir_output_of(d->op)].sizes[i];
    }
    tensor_pack(out);
    for (uint32_t i = 0; i < b->rank; ++i) {
        if (open >> i & 1)
            out->strides[i] = 0;
    }
    if (!tensor_min_bytes(out, &out->total_bytes))
        out->total_bytes = 0;
    return open;
}

/* Report those of the open output dimensions whose stated size no value can give. */
static void judge_open_sizes(ir_visitor *v, const ir_layer *layer, const bounds *b, uint32_t open, bool dynamic)
{
    const ts_operator *op = layer->op;
    for (uint32_t i = 0; i < b->rank; ++i) {
        const int64_t stated = layer->output.present ? layer->output.dims[i] : -1;
        if (!(open >> i & 1) || stated < 0)
            continue;
        v->item.undecided = v->item.undecided || dynamic;
        if (!dynamic && ((uint64_t)stated < b->least[i] || (uint64_t)stated > b->most[i]))
            operator_violate(&v->item.found, op->shape_clause, TS_RESULT_INVALID, (int)ir_output_of(op), (int)i,
                             "%s's dimension %u = %" PRId64 ", where no values give more than %" PRIu64
                             " or less than %" PRIu64,
                             op->tensors[ir_output_of(op)].name, i, stated, b->most[i], b->least[i]);
    }
}

/* Does a report violate only clauses that another one violates, too? */
static bool only_those_of(const ts_report *report, const ts_report *other)
{
    for (unsigned i = 0; i < report->count; ++i) {
        unsigned k = 0;
        while (k < other->count && strcmp(report->items[i].clause, other->items[k].clause) != 0)
            ++k;
        if (k == other->count)
            return false;
    }
    return true;
}

/* Set v->judge, with the values that break the fewest clauses, and report what no value of what the file does not hold
   can give. */
static void choose_judged(ir_visitor *v, const ir_layer *layer, const ir_lists *f, const dynamics *y)
{
    static const uint64_t chosen[] = { INT32_MAX, 1, 2, 0 };
    const size_t choices = y->any && ir_output_of(layer->op) > 1 ? sizeof chosen / sizeof chosen[0] : 1;
    bounds b = { .known = false };
    uint32_t open = 0;
    unsigned least = UINT32_MAX;
    try_all(&v->item.d, f, y, &b);
    if (b.several) {
        check_note(&v->item, "the number of dimensions of %s depends on sizes that are not in the file",
                   layer->op->tensors[ir_output_of(layer->op)].name);
        v->item.judged = false;
    }
    unsigned at[IR_MAX_LISTS] = { 0 };
    ts_report first = { .count = 0 }; /* of what is judged with the first trials, which are legal values */
    do {
        for (size_t c = 0; c < choices && least > 0; ++c) {
            ts_descriptor tried = v->item.d;
            ts_report report = { .count = 0 };
            for (unsigned i = 0; i < f->list_count; ++i)
                set_list(&tried, f, i, f->lists[i].trials[at[i]]);
            set_all_dynamic(&tried, y, chosen[c]);
            const uint32_t sizes = open_sizes(&tried, layer, &b);
            operator_check(&tried, &report);
            if (report.count + report.dropped >= least || (least < UINT32_MAX && !only_those_of(&report, &first)))
                continue;
            if (least == UINT32_MAX)
                first = report;
            least = report.count + report.dropped;
            v->judge = tried;
            open = sizes;
        }
    } while (least > 0 && next_trial(f, at, true));
    v->item.judge = &v->judge;
    v->item.undecided = v->item.undecided || (y->any && choices > 1);
    judge_open_sizes(v, layer, &b, open, y->any);
}

static bool locate(const check_item *item, const ts_mention *m, check_place *place)
{
    const ir_layer *layer = item->source;
    const unsigned out = ir_output_of(layer->op);
    const ir_port *port = m->tensor == (int)out ? &layer->output : &layer->input[m->tensor >= 0 ? m->tensor : DATA];
    int list = m->attr >= 0 ? operator_ir_list(layer->op, (unsigned)m->attr) : -1;
    if (m->attr >= 0 && list < 0) {
        *place = layer->data_place;
        return true;
    }
    if (list >= 0)
        port = &layer->input[ir_input_of(layer->op, (unsigned)list)];
    if (!port->present)
        return false;
    *place = port->place;
    if (m->tensor >= 0 && m->index >= 0 && (uint32_t)m->index < port->rank && m->index < TS_MAX_DIMS)
        *place = port->dim_places[m->index];
    return true;
}

/* Is a value of the layer an index into a dynamic dimension? Whether it is inside is then not decided. */
static bool any_index(const ts_descriptor *d, const ir_lists *f)
{
    for (unsigned i = 0; i < f->list_count; ++i) {
        for (unsigned k = 0; k < IR_STEPS; ++k) {
            if (is_index(d, &f->lists[i], k))
                return true;
        }
    }
    return false;
}

/* Set the output's tensor as the file states it, or by the operator's shape where the file leaves it out. Returns which
   dimensions are dynamic. */
static uint32_t set_output(check_item *item, const ir_layer *layer, const ir_lists *f, uint32_t dtype,
                           const dynamics *y)
{
    ts_descriptor *d = &item->d;
    const unsigned k = ir_output_of(d->op);
    const bool typed = layer->output.dtype != TS_DTYPE_UNKNOWN && !item->types[k];
    if (layer->output.present) {
        const uint32_t dynamic = set_tensor(&d->tensors[k], &layer->output, typed ? layer->output.dtype : dtype);
        if (!typed && !item->types[k])
            set_tensor(&d->tensors[k], &layer->output, operator_output_type(d, k));
        return dynamic;
    }
    ts_descriptor shaped = *d;
    set_all_dynamic(&shaped, y, 1);
    d->tensors[k].given = TS_GIVEN_ALL;
    if (d->op->shape(&shaped)) {
        tensor_init(&d->tensors[k], dtype, shaped.tensors[k].rank, shaped.tensors[k].sizes);
        d->tensors[k].dtype = operator_output_type(d, k);
        tensor_min_bytes(&d->tensors[k], &d->tensors[k].total_bytes);
    }
    return f->any_unknown || y->any ? UINT32_MAX : 0;
}

/* Set the tensors that are inputs, as far as the layer has them. */
static void set_inputs(ir_visitor *v, const ir_layer *layer, uint32_t dtype, dynamics *y)
{
    check_item *item = &v->item;
    for (unsigned k = 0; k < ir_output_of(layer->op); ++k) {
        const ir_port *port = &layer->input[k];
        if (port->rank == 0 && (k == DATA || (port->present && layer->op->support[0].tensors[k].min_dims > 0))) {
            check_note(item, "the dimensions of %s are not in the file", layer->op->tensors[k].name);
            item->judged = false;
        }
        if (k != DATA && !port->present)
            continue; /* a clause of the operator */
        y->of[k] = set_tensor(&item->d.tensors[k], port, k == DATA ? dtype : type_of(v, layer, k, dtype));
        y->any = y->any || y->of[k];
        item->unknown_sizes[k] = y->of[k];
    }
}

/* Fill in item->d, which is printed, and item->judge where values or dimensions are not in the file. */
static bool fill(ir_visitor *v, const ir_layer *layer, error *e)
{
    check_item *item = &v->item;
    ir_lists f = { .op = layer->op, .list_count = layer->op->ir->list_count, .lists = layer->op->ir->lists };
    dynamics y = { .any = false };
    ts_descriptor *d = &item->d;
    uint32_t dtype = data_type(v, layer);
    set_inputs(v, layer, dtype, &y);
    if (!ir_read_lists(v, layer, &f, e))
        return false;
    for (unsigned k = 0; k < layer->op->attr_count; ++k) {
        if (!set_attribute(v, layer, k, d, e))
            return false;
    }
    item->undecided = item->undecided || (y.any && any_index(d, &f));
    check_settle(d, v->o);
    for (unsigned i = 0; i < f.list_count; ++i)
        set_list(d, &f, i, f.lists[i].trials[0]);
    uint32_t dynamic_out = set_output(item, layer, &f, dtype, &y);
    item->unknown_sizes[ir_output_of(layer->op)] = dynamic_out;
    if (f.any_unknown || y.any || dynamic_out || operator_dependent(d->op, ir_output_of(d->op)))
        choose_judged(v, layer, &f, &y);
    return true;
}

static bool locate_mistake(const check_item *item, const descriptor_mistake *m, check_place *place)
{
    const ir_layer *layer = item->source;
    (void)m; /* all are of <data> */
    *place = layer->data_place;
    return true;
}

/* Add the misspelt attributes to the item. The first one is an error where a descriptor has to be read completely. */
static bool report_misspelt(ir_visitor *v, const ir_layer *layer, error *e)
{
    descriptor_gaps *gaps = &v->item.gaps;
    for (unsigned k = 0; k < layer->op->attr_count; ++k) {
        error why;
        if (!layer->misspelt[k] || gaps->mistake_count == DESCRIPTOR_MOST_MISTAKES)
            continue;
        ir_misspelt(layer, k, &gaps->mistakes[gaps->mistake_count++], &why);
        if (!v->o->partly)
            return ir_fail(e, &v->item, layer->data_place, "%s", why.text);
    }
    return true;
}

bool ir_visit(ir_visitor *v, const ir_layer *layer, error *e)
{
    check_item *item = &v->item;
    const ts_operator *op = layer->op;
    check_item_begin(item, layer->place);
    item->name = layer->name;
    item->op_name = op->name;
    item->known = item->judged = true;
    item->locate = locate;
    item->locate_mistake = locate_mistake;
    item->source = layer;
    operator_begin(&item->d, op);
    report_bad_dims(v, layer);
    if (layer->note[0])
        check_note(item, "%s", layer->note);
    if (v->version[0])
        check_note(item, "IR version %s is read like versions 10 and 11", v->version);
    bool read = report_misspelt(v, layer, e) &&
                (layer->problem[0] ? ir_fail(e, item, layer->problem_place, "%s", layer->problem) : fill(v, layer, e));
    return read ? v->visit(v->context, item, e) : check_item_unreadable(item, v->o, v->visit, v->context, e);
}

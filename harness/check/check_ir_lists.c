/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a layer of IR: inputs that are lists of integers, or single ones, read from its constants. */
#include "harness/check/check_ir.h"
#include "harness/check/source_text.h"

#include "harness/base/input.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

static void no_suggestion(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    (void)out;
}

/* Report a list that does not have one dimension and an integer type, or a single integer with other than one value.
 * There is nothing to suggest beyond the clause. */
static void bad_list(ir_visitor *v, const char *format, ...) ERROR_PRINTF(2, 3);
static void bad_list(ir_visitor *v, const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ts_report *found = &v->item.found;
    operator_violate(found, v->item.d.op->ir->list_clause, TS_RESULT_INVALID, -1, -1, "%s", text);
    if (found->dropped == 0)
        found->items[found->count - 1].suggest = no_suggestion;
}

static void bad_type(ir_visitor *v, const char *list, const ts_dtype_info *type)
{
    bad_list(v, "%s is of type %s, which is no integer", list, type ? type->openvino : "unknown");
}

/* Report a list by its number of dimensions, and a single integer by its number of values. */
static void check_shape(ir_visitor *v, const ir_lists *f, unsigned list, uint32_t rank, uint64_t count)
{
    const char *name = f->lists[list].attr;
    const bool single = ir_is_single(f, list);
    if (rank != 1 && !(single && rank == 0))
        bad_list(v, "%s has %u dimensions, not 1%s", name, rank, single ? " or none" : "");
    else if (single && count != 1)
        bad_list(v, "%s has %" PRIu64 " values, not 1", name, count);
}

/* ---- constants --------------------------------------------------------------------------------------------- */

static void bin_path(const char *xml, char *buf, size_t size)
{
    snprintf(buf, size, "%s", xml);
    size_t n = strlen(buf);
    if (n > 4)
        memcpy(buf + n - 4, ".bin", 4);
}

/* Open the .bin file at the first call. False without such a file. */
static bool open_weights(ir_weights *w, char *path, size_t size)
{
    path[0] = 0;
    if (!w->xml || strlen(w->xml) >= size)
        return false;
    bin_path(w->xml, path, size);
    if (!w->tried) {
        w->tried = true;
        w->file = input_open(path, &w->problem);
        if (w->file && fseeko(w->file, 0, SEEK_END) == 0) {
            off_t end = ftello(w->file); /* a long is too small for large models on some platforms */
            w->size = end > 0 ? (uint64_t)end : 0;
        }
    }
    return w->file != NULL;
}

bool ir_fail(error *e, const check_item *item, check_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    source_text_verror(e, item->file, place, format, args);
    va_end(args);
    return false;
}

/* Read a little-endian integer of the type. */
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

/* Read a list from its constant. Values beyond IR_STEPS are not read, because so many steps are not judged. */
static bool read_constant(ir_visitor *v, const ir_const *c, unsigned list, ir_lists *f, error *e)
{
    char path[4096];
    unsigned char bytes[IR_STEPS * 8];
    const ts_dtype_info *type = tensor_dtype(c->dtype);
    const char *name = f->lists[list].attr;
    f->count[list] = c->count <= UINT32_MAX ? (uint32_t)c->count : UINT32_MAX;
    if (c->problem)
        return ir_fail(e, &v->item, c->place, "%s: %s", name, c->problem);
    if (!type || type->is_float || type->bits < 8 || c->dtype == TS_BOOLEAN) {
        bad_type(v, name, type);
        return true;
    }
    size_t element = type->bits / 8u;
    if (c->count > UINT32_MAX || c->size != c->count * element)
        return ir_fail(e, &v->item, c->place, "a Const layer of %" PRIu64 " %s values in %" PRIu64 " bytes", c->count,
                       type->openvino, c->size);
    check_shape(v, f, list, c->rank, c->count);
    if (!open_weights(&v->weights, path, sizeof path)) {
        if (path[0])
            check_note(&v->item, "%s is in %.400s", name, v->weights.problem.text);
        else
            check_note(&v->item, "%s is in a .bin file, and there is none", name);
        return true;
    }
    if (c->offset > v->weights.size || c->size > v->weights.size - c->offset)
        return ir_fail(e, &v->item, c->place,
                       "a Const layer in bytes %" PRIu64 " to %" PRIu64 " of %.300s, which has %" PRIu64, c->offset,
                       c->offset + c->size, path, v->weights.size);
    size_t wanted = (size_t)(c->count < IR_STEPS ? c->count : IR_STEPS) * element;
    if (fseeko(v->weights.file, (off_t)c->offset, SEEK_SET) != 0 || fread(bytes, 1, wanted, v->weights.file) != wanted)
        return error_usage(e, "%s: %s", path, strerror(errno));
    for (size_t i = 0; i < wanted / element; ++i)
        f->values[list][i] = integer_at(bytes + i * element, type);
    f->known[list] = true;
    return true;
}

bool ir_read_lists(ir_visitor *v, const ir_layer *layer, ir_lists *f, error *e)
{
    for (unsigned i = 0; i < f->list_count; ++i) {
        const unsigned at = ir_input_of(f->op, i);
        const ir_port *port = &layer->input[at];
        const char *name = f->lists[i].attr;
        f->given[i] = port->present;
        if (!port->present)
            continue;
        if (layer->source[at] == IR_CONSTANT) {
            if (!read_constant(v, &layer->constant[at], i, f, e))
                return false;
        } else if (port->rank == 0 && ir_is_single(f, i)) {
            f->count[i] = 1;
        } else if (port->rank == 1 && port->dims[0] >= 0 && port->dims[0] <= UINT32_MAX) {
            f->count[i] = (uint32_t)port->dims[0];
            check_shape(v, f, i, 1, f->count[i]);
        } else if (port->rank > 1) {
            check_shape(v, f, i, port->rank, 0);
        } else {
            check_note(&v->item, "the length of %s is not in the file", name);
            v->item.judged = false;
        }
        const ts_dtype_info *type = tensor_dtype(port->dtype);
        if (type && type->is_float && layer->source[at] != IR_CONSTANT)
            bad_type(v, name, type);
        if (!f->known[i]) {
            if (layer->source[at] == IR_UNCONNECTED)
                check_note(&v->item, "%s is not in the file: no edge leads to it", name);
            else if (layer->source[at] == IR_MISSING)
                check_note(&v->item, "%s is not in the file: its edge begins at a layer that is not there", name);
            else if (layer->source[at] != IR_CONSTANT)
                check_note(&v->item, "%s is not constant", name);
            v->item.undecided = true;
            f->any_unknown = true;
            v->item.unknown_attrs |= 1u << ir_list_attr(f, i);
        }
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What would be legal where a clause is broken. Where the operator's own shape or table can tell, they are asked; the
   rest is one small function for each clause whose border depends on the values at hand. */
#include "harness/check/check.h"
#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that ends where its room ends. */
typedef struct writer {
    char *buf;
    size_t size, used;
} writer;

static void put(writer *w, const char *format, ...) ERROR_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
    va_list args;
    if (w->used + 1 >= w->size)
        return;
    va_start(args, format);
    int n = vsnprintf(w->buf + w->used, w->size - w->used, format, args);
    va_end(args);
    if (n > 0)
        w->used += (size_t)n < w->size - w->used ? (size_t)n : w->size - w->used - 1;
}

static int64_t attr(const ts_descriptor *d, const char *name, unsigned i)
{
    int k = operator_attr_index(d->op, name);
    return k < 0 ? 0 : operator_attr_value(d, (unsigned)k, i);
}

/* The element that the message names first of this attribute, or the violation's axis. */
static unsigned index_of(const ts_descriptor *d, const ts_violation *v, const char *name)
{
    check_mention list[8];
    size_t count = check_mentions(d, v, list, 8);
    int k = operator_attr_index(d->op, name);
    for (size_t i = 0; i < count; ++i) {
        if (list[i].attr == k && list[i].index >= 0)
            return (unsigned)list[i].index;
    }
    return v->axis >= 0 ? (unsigned)v->axis : 0;
}

/* ---- the support table ------------------------------------------------------------------------------------- */

static const ts_support_row *row_of(const ts_descriptor *d)
{
    const ts_operator *op = d->op;
    for (unsigned r = op->support_count; r-- > 0;) {
        if (d->feature_level == 0 || op->support[r].level <= d->feature_level)
            return &op->support[r];
    }
    return NULL;
}

static void put_types(writer *w, const ts_descriptor *d, unsigned tensor)
{
    const ts_support_row *row = row_of(d);
    const char *separator = "";
    if (!row)
        return;
    put(w, "%s of type ", d->op->tensors[tensor].name);
    for (uint32_t type = 1; type < TS_DTYPE_COUNT; ++type) {
        if (!(row->tensors[tensor].dtypes & TS_DTYPE_BIT(type)))
            continue;
        put(w, "%s%s", separator, operator_dtype_name(d->op, type));
        separator = ", ";
    }
}

static void put_dims(writer *w, const ts_descriptor *d, unsigned tensor)
{
    const ts_support_row *row = row_of(d);
    if (!row)
        return;
    unsigned least = row->tensors[tensor].min_dims, most = row->tensors[tensor].max_dims;
    put(w, "%s of %u", d->op->tensors[tensor].name, least);
    if (most > least)
        put(w, " to %u", most);
    put(w, " dimensions");
}

/* ---- tensors ----------------------------------------------------------------------------------------------- */

/* The sizes that the operator gives an output, where everything else lets it tell. */
static bool put_shape(writer *w, const ts_descriptor *d, int tensor)
{
    ts_descriptor shaped = *d;
    if (tensor < 0 || d->op->tensors[tensor].role != TS_OUTPUT)
        return false;
    shaped.tensors[tensor].rank = UINT32_MAX;
    if (!d->op->shape(&shaped) || shaped.tensors[tensor].rank > TS_MAX_DIMS)
        return false;
    const ts_tensor *given = &d->tensors[tensor], *out = &shaped.tensors[tensor];
    if (given->rank == out->rank && memcmp(given->sizes, out->sizes, out->rank * sizeof out->sizes[0]) == 0)
        return false; /* they are right: it is something else */
    put(w, "%s sizes {", d->op->tensors[tensor].name);
    for (uint32_t i = 0; i < shaped.tensors[tensor].rank; ++i)
        put(w, "%s%" PRIu64, i ? "," : "", shaped.tensors[tensor].sizes[i]);
    put(w, "}");
    return true;
}

static void buffer_legal(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    const ts_tensor *t = &d->tensors[v->tensor];
    const char *name = d->op->tensors[v->tensor].name;
    uint64_t bytes = 0;
    size_t element = tensor_element_bytes(t->dtype);
    switch ((v->clause[4] - '0') * 10 + v->clause[5] - '0') {
    case 1: put(w, "{ Type = DML_TENSOR_TYPE_BUFFER, Desc = { ... } }"); break;
    case 2: put_types(w, d, (unsigned)v->tensor); break;
    case 3:
        put(w, "%s.Flags = DML_TENSOR_FLAG_NONE%s", name,
            d->op->tensors[v->tensor].role == TS_INPUT ? " or DML_TENSOR_FLAG_OWNED_BY_DML" : "");
        break;
    case 4: put(w, "%s.Flags = DML_TENSOR_FLAG_NONE", name); break;
    case 5: put_dims(w, d, (unsigned)v->tensor); break;
    case 6:
        put(w, v->axis >= 0 ? "%s.Sizes[%d] >= 1" : "%s.Sizes with a size for each dimension", name, v->axis);
        break;
    case 10:
        if (tensor_min_bytes(t, &bytes))
            put(w, "%s.TotalTensorSizeInBytes >= %" PRIu64, name, bytes);
        break;
    case 11: put(w, "%s with at most 4294967295 elements, counted and spanned", name); break;
    case 12: put(w, "null Strides, or each stride beyond what the smaller ones span"); break;
    case 13:
        bytes = t->total_bytes | 3;
        put(w, "%s.TotalTensorSizeInBytes = %" PRIu64, name, bytes == UINT64_MAX ? bytes - 3 : bytes + 1);
        break;
    case 14:
        put(w, "%s.GuaranteedBaseOffsetAlignment = 0, 16, 32, ...%s", name,
            element && element < 16 && v->result == TS_RESULT_INVALID ? " (the text allows it from the element on)"
                                                                      : "");
        break;
    default: break;
    }
}

/* ---- one clause each --------------------------------------------------------------------------------------- */

static void slice_window(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    unsigned i = index_of(d, v, "InputWindowOffsets");
    uint64_t size = d->tensors[0].sizes[i % TS_MAX_DIMS];
    int64_t offset = attr(d, "InputWindowOffsets", i), window = attr(d, "InputWindowSizes", i);
    const char * or = "";
    if ((uint64_t)offset < size) {
        put(w, "InputWindowSizes[%u] = 1 to %" PRIu64, i, size - (uint64_t)offset);
        or = ", or ";
    }
    if (window >= 1 && (uint64_t)window <= size)
        put(w, "%sInputWindowOffsets[%u] = 0 to %" PRIu64, or, i, size - (uint64_t)window);
    else if (!* or)
        put(w, "InputWindowOffsets[%u] + InputWindowSizes[%u] <= %" PRIu64, i, i, size);
}

static void slice_dims(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)v;
    put(w, "one DimensionCount for both tensors and the window, such as that of InputTensor: %u", d->tensors[0].rank);
}

static void slice_empty(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    unsigned i = index_of(d, v, "InputWindowSizes");
    uint64_t size = d->tensors[0].sizes[i % TS_MAX_DIMS], offset = (uint64_t)attr(d, "InputWindowOffsets", i);
    if (offset < size)
        put(w, "InputWindowSizes[%u] = 1 to %" PRIu64, i, size - offset);
    else
        put(w, "InputWindowSizes[%u] >= 1, within the input", i);
}

static void slice_stride(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    put(w, "InputWindowStrides[%u] of any value but 0", index_of(d, v, "InputWindowStrides"));
}

static void slice_output(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    unsigned i = v->axis >= 0 ? (unsigned)v->axis : 0;
    int64_t window = attr(d, "InputWindowSizes", i), stride = attr(d, "InputWindowStrides", i);
    if (window > 0 && stride == 0) /* another broken clause: the stride that allows most */
        put(w, "OutputTensor.Sizes[%u] = 1 to %" PRId64 ", by the stride that it gets", i, window);
    else if (window > 0)
        put(w, "OutputTensor.Sizes[%u] = 1 to %" PRId64, i, 1 + (window - 1) / (stride < 0 ? -stride : stride));
}

static void gather_axis(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)v;
    put(w, "Axis = 0 to %u", d->tensors[0].rank - 1);
}

static void gather_index_dims(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)v;
    put(w, "IndexDimensions = 0 to %u", d->tensors[0].rank);
}

static void gather_leading(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)d;
    put(w, "IndicesTensor.Sizes[%d] = 1", v->axis);
}

/* Values of IndexDimensions that break nothing, all else unchanged. */
static bool put_index_dims(writer *w, const ts_descriptor *d)
{
    ts_descriptor tried = *d;
    ts_report report;
    unsigned k = (unsigned)operator_attr_index(d->op, "IndexDimensions");
    bool any = false;
    for (int64_t n = 0; n <= TS_MAX_DIMS && n < attr(d, "IndexDimensions", 0); ++n) {
        report.count = report.dropped = 0;
        report.worst = TS_RESULT_NONE;
        operator_set_attr(&tried, k, &n, 1);
        d->op->check(&tried, &report);
        if (report.worst == TS_RESULT_NONE || report.worst == TS_RESULT_WARNING) {
            put(w, any ? " or %" PRId64 : "IndexDimensions = %" PRId64, n);
            any = true;
        }
    }
    return any;
}

static void gather_crop(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    uint32_t ones = 0, dims = d->tensors[0].rank < TS_MAX_DIMS ? d->tensors[0].rank : TS_MAX_DIMS;
    int64_t axis = attr(d, "Axis", 0), stated = attr(d, "IndexDimensions", 0);
    (void)v;
    while (ones < dims && d->tensors[0].sizes[ones] == 1)
        ++ones;
    if (!put_index_dims(w, d))
        put(w, "IndexDimensions of at most %" PRId64 ", and sizes to fit", 1 + (axis < ones ? axis : ones));
    if (stated - 1 > ones)
        put(w, ", or %" PRId64 " more leading 1s on all tensors, and Axis moved as far", stated - 1 - ones);
}

static void strided_shrink(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    unsigned i = index_of(d, v, "begin");
    uint64_t size = v->axis >= 0 && v->axis < TS_MAX_DIMS ? d->tensors[0].sizes[v->axis] : 0;
    if (strstr(v->text, "strict_shrink"))
        put(w, "end[%u] = %" PRId64, i, attr(d, "begin", i));
    else if (size > 0)
        put(w, "begin[%u] = -%" PRIu64 " to %" PRIu64, i, size, size - 1);
    else
        put(w, "no shrink step over a dimension of 0");
}

static void strided_stride(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    put(w, "stride[%u] of any value but 0", index_of(d, v, "stride"));
}

static void strided_masks(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)v;
    put(w, "masks of one length, such as that of begin: %u; absent ones are fine",
        operator_attr_count(d, (unsigned)operator_attr_index(d->op, "begin")));
}

static void strided_steps(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)v;
    put(w, "at most %u shrink and range steps", d->tensors[0].rank);
}

static void zero_or_one(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)d;
    (void)v;
    put(w, "0 or 1");
}

static void one_ellipsis(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)d;
    (void)v;
    put(w, "ellipsis_mask with one 1, or none");
}

static void same_lengths(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)v;
    uint32_t steps = operator_attr_count(d, (unsigned)operator_attr_index(d->op, "begin"));
    put(w, "end and stride of %u value%s, as begin; or no stride", steps, steps == 1 ? "" : "s");
}

static void philox(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    (void)d;
    (void)v;
    put(w, "Type = DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10 = 0");
}

static void state_size(writer *w, const ts_descriptor *d, const ts_violation *v)
{
    const ts_tensor *state = &d->tensors[0];
    put(w, "InputStateTensor.Sizes[%d] = %d", v->axis, v->axis + 1 == (int)state->rank ? 6 : 1);
}

static const struct {
    const char *clause;
    void (*put)(writer *, const ts_descriptor *, const ts_violation *);
    const char *when; /* only where the message has this word; NULL: always */
} borders[] = {
    { "SL-03", slice_dims, "differ" },    { "SL-05", slice_window, NULL },
    { "SL-06", slice_empty, NULL },       { "SL-07", slice_stride, NULL },
    { "SL-08", slice_output, NULL },      { "GA-05", gather_axis, NULL },
    { "GA-06", gather_index_dims, NULL }, { "GA-07", gather_leading, NULL },
    { "GA-08", gather_crop, NULL },       { "RG-02", philox, NULL },
    { "RG-04", state_size, "expected" },  { "SS-01", same_lengths, "lengths" },
    { "SS-02", zero_or_one, NULL },       { "SS-03", strided_masks, NULL },
    { "SS-04", one_ellipsis, NULL },      { "SS-06", strided_steps, NULL },
    { "SS-09", strided_shrink, NULL },    { "SS-10", strided_stride, NULL },
};

static bool names(const ts_violation *v, const char *what)
{
    return strstr(v->text, what) != NULL;
}

void check_legal(const ts_descriptor *d, const ts_violation *v, char *buf, size_t size)
{
    writer w = { .buf = buf, .size = size };
    buf[0] = 0;
    if (strcmp(v->clause, operator_range_clause.id) == 0 || strcmp(v->clause, operator_count_clause.id) == 0)
        return; /* the message has the range, or the lengths */
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; ++i) {
        if (strcmp(v->clause, borders[i].clause) == 0 && (!borders[i].when || names(v, borders[i].when))) {
            borders[i].put(&w, d, v);
            return;
        }
    }
    if (v->tensor >= 0 && strncmp(v->clause, "BUF-", 4) == 0 && strlen(v->clause) == 6) {
        buffer_legal(&w, d, v);
    } else if (names(v, " is missing")) {
        put(&w, "every tensor and attribute that is not optional");
    } else if (v->tensor >= 0 && names(v, ".DataType = ") && names(v, "not supported")) {
        put_types(&w, d, (unsigned)v->tensor);
    } else if (v->tensor >= 0 && names(v, ".DimensionCount = ") && names(v, "not supported")) {
        put_dims(&w, d, (unsigned)v->tensor);
    } else if ((names(v, "DataType") || names(v, "'s type ")) && names(v, "differs")) {
        put(&w, "both of type %s", operator_dtype_name(d->op, d->tensors[0].dtype));
    } else if (v->result == TS_RESULT_INVALID) {
        put_shape(&w, d, v->tensor);
    }
    if (v->needs && w.used == 0)
        put(&w, "feature level %s or higher", tensor_level_name(v->needs));
    else if (v->needs)
        put(&w, "; or feature level %s and higher", tensor_level_name(v->needs));
}

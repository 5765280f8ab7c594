/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/strided.h"
#include "backends/openvino/openvino.h"
#include "backends/openvino/pack.h"

#include <stdio.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 28) /* maximum size of a packed tensor: OpenVINO has no strides */
#define POISON     0xA5                /* fill of memory that OpenVINO writes */

static bool decide(openvino *self, flight *f, ts_status status, const char *why)
{
    *f->status = status;
    if (why)
        openvino_note(self, why);
    return false;
}

static bool too_large(openvino *self, flight *f)
{
    return decide(self, f, TS_UNSUPPORTED, "OpenVINO has no strides, and this tensor is too large to be packed");
}

/* The address of the packed elements of input k. */
static bool place_input(openvino *self, flight *f, unsigned k)
{
    const ts_tensor *t = f->layer.in[k];
    uint64_t bytes;
    f->in[k] = NULL;
    f->in_bytes[k] = 0;
    if (!t)
        return true;
    if (!pack_measure(t, &bytes)) /* OpenVINO receives an address and a shape only */
        return decide(self, f, TS_REJECTED, "refused by the adapter: an input exceeds its bytes");
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > INT64_MAX)
            return decide(self, f, TS_UNSUPPORTED, "OpenVINO cannot express a dimension of 2^63 or more");
    if (bytes > MOST_BYTES)
        return too_large(self, f);
    f->in_bytes[k] = bytes;
    if (t->data && bytes > 0 && strided_is_packed(t)) {
        f->in[k] = t->data;
        return true;
    }
    f->in[k] = scratch_take(&self->memory, (size_t)bytes);
    if (!f->in[k])
        return decide(self, f, TS_ERROR, "out of memory");
    if (t->data && bytes > 0)
        pack_from(t, f->in[k]);
    else
        memset(f->in[k], 0, (size_t)bytes);
    return true;
}

/* Does OpenVINO judge the descriptor? Those of other specifications are judged by the adapter, before this. */
static bool openvino_judges(const layer_operator *op)
{
    return strncmp(op->name, "openvino.", 9) == 0;
}

static bool place_output(openvino *self, flight *f)
{
    const ts_tensor *t = f->layer.out;
    uint64_t bytes;
    f->out = NULL;
    f->out_bytes = 0;
    f->out_copy = false;
    if (t->data_dependent) /* OpenVINO allocates it, and says how large it is */
        return (t->given & TS_GIVEN_ALL) == TS_GIVEN_ALL ||
               decide(self, f, TS_REJECTED, "refused by the adapter: the output has no shape");
    if (!pack_measure(t, &bytes))
        return true;
    if (bytes > MOST_BYTES)
        return openvino_judges(f->call->token) || too_large(self, f);
    f->out_bytes = (size_t)bytes;
    if (t->data && bytes > 0 && strided_is_packed(t)) {
        f->out = t->data;
        return true;
    }
    f->out = scratch_take(&self->memory, (size_t)bytes);
    f->out_copy = t->data != NULL && bytes > 0;
    if (!f->out)
        return decide(self, f, TS_ERROR, "out of memory");
    memset(f->out, POISON, (size_t)bytes);
    return true;
}

bool flight_begin(openvino *self, const ts_call *call, ts_status *status, flight *f)
{
    const layer_operator *op = call->token;
    const char *reason = NULL;
    f->call = call;
    f->status = status;
    if (!op || call->tensor_count != op->tensor_count || call->attrs_size < op->attrs_size || !call->attrs)
        return decide(self, f, TS_ERROR, "the call does not have the form of its operator");
    ts_status made = op->make(call, &f->layer, &reason);
    if (made != TS_OK)
        return decide(self, f, made, reason);
    if (self->pad_masks)
        layer_pad_masks(&f->layer);
    for (unsigned k = 0; k < f->layer.tensor_count; ++k)
        if (!place_input(self, f, k))
            return false;
    return place_output(self, f);
}

/* An element of a float type; -1 for what is no number of f16. */
static double to_double(uint32_t dtype, const void *p)
{
    float single;
    double value;
    uint16_t half;
    if (dtype == TS_FLOAT64) {
        memcpy(&value, p, sizeof value);
        return value;
    }
    if (dtype == TS_FLOAT32) {
        memcpy(&single, p, sizeof single);
        return (double)single;
    }
    memcpy(&half, p, sizeof half);
    const unsigned exponent = half >> 10 & 31u, digits = (half & 1023u) | 1024u;
    if (half >> 15 || exponent == 31)
        return (half & 0x7FFFu) == 0 ? 0 : -1;
    return exponent == 0 ? 0 : (double)((uint64_t)digits << exponent) / (1 << 25);
}

/* Is a parent of GatherTree no beam? Those of the first step lead nowhere. */
static bool tree_strays(const flight *f)
{
    const ts_tensor *t = f->layer.in[1];
    const uint32_t size = pack_element(t->dtype);
    const bool is_float = t->dtype == TS_FLOAT64 || t->dtype == TS_FLOAT32 || t->dtype == TS_FLOAT16;
    const uint64_t first = t->rank == 3 ? t->sizes[1] * t->sizes[2] * size : 0;
    for (uint64_t at = first; at < f->in_bytes[1]; at += size) {
        uint64_t value = 0;
        memcpy(&value, (const char *)f->in[1] + at, size); /* negative integers are large ones */
        if (!is_float && value >= f->layer.index_range)
            return true;
        const double number = is_float ? to_double(t->dtype, &value) : 0;
        if (is_float && !(number >= 0 && number < (double)f->layer.index_range))
            return true;
    }
    return false;
}

bool flight_strays(const flight *f)
{
    const uint64_t range = f->layer.index_range;
    if (range == 0)
        return false;
    if (f->layer.parents)
        return tree_strays(f);
    const uint32_t dtype = f->layer.in[1]->dtype, size = pack_element(dtype);
    const bool is_signed = dtype == TS_INT8 || dtype == TS_INT16 || dtype == TS_INT32 || dtype == TS_INT64;
    for (uint64_t at = 0; at < f->in_bytes[1]; at += size) {
        uint64_t value = 0;
        memcpy(&value, (const char *)f->in[1] + at, size); /* little-endian, as all systems that OpenVINO supports */
        if (is_signed && value >> (8 * size - 1))
            value |= UINT64_MAX << (8 * size - 1);
        if (value >= range && !(is_signed && 0 - value <= range))
            return true;
    }
    return false;
}

/* The shape that OpenVINO is expected to infer. */
static void expected_shape(const layer *l, uint32_t *rank, const uint64_t **sizes)
{
    *rank = l->reshaped ? l->out_rank : l->out->rank;
    *sizes = l->reshaped ? l->out_sizes : l->out->sizes;
}

/* The C API cannot return the shape of a tensor of rank 0: it reports wrong parameters. */
static bool take_shape(const ov_api *api, const ov_tensor *output, ov_shape *shape)
{
    size_t elements = 0;
    *shape = (ov_shape){ 0 };
    return api->tensor_get_shape(output, shape) == 0 || (api->tensor_get_size(output, &elements) == 0 && elements == 1);
}

bool flight_fits(openvino *self, const flight *f, const ov_tensor *output, bool *same)
{
    const ov_api *api = &self->api;
    const layer *l = &f->layer;
    ts_shape *report = l->reshaped ? NULL : l->out->reported;
    ov_shape shape;
    const uint64_t *sizes;
    uint32_t rank;
    if (!take_shape(api, output, &shape))
        return false;
    expected_shape(l, &rank, &sizes);
    *same = shape.rank == (int64_t)rank;
    if (shape.rank > TS_MAX_DIMS)
        report = NULL;
    if (report)
        report->rank = (uint32_t)shape.rank;
    for (int64_t i = 0; i < shape.rank; ++i) {
        *same = *same && ((uint64_t)shape.dims[i] == sizes[i] ||
                          ((uint64_t)shape.dims[i] < sizes[i] && (l->out->data_dependent >> i & 1)));
        if (report)
            report->sizes[i] = (uint64_t)shape.dims[i];
    }
    if (shape.dims)
        api->shape_free(&shape);
    return true;
}

/* Copy an output of the shape that OpenVINO found, which was reported. */
static void end_dependent(openvino *self, flight *f, const ov_tensor *output, const void *data)
{
    const ts_tensor *out = f->layer.out;
    size_t elements = 0;
    uint64_t bytes = 0;
    if (self->api.tensor_get_size(output, &elements) ||
        __builtin_mul_overflow((uint64_t)elements, pack_element(out->dtype), &bytes) || bytes > out->total_bytes) {
        decide(self, f, TS_REJECTED, "refused by the adapter: the output exceeds its bytes");
        return;
    }
    *f->status = TS_OK;
    if (out->data && bytes > 0)
        memcpy(out->data, data, (size_t)bytes);
}

void flight_end(openvino *self, flight *f, const ov_tensor *output)
{
    const ov_api *api = &self->api;
    const layer *l = &f->layer;
    int element = 0;
    bool same = false;
    void *data = NULL;
    if (!output || !flight_fits(self, f, output, &same) || api->tensor_get_element_type(output, &element) ||
        api->tensor_data(output, &data)) {
        flight_refuse(self, f);
    } else if (!same) {
        decide(self, f, TS_REJECTED, "OpenVINO infers another shape of the output");
    } else if (element != openvino_element(l->out->dtype)) {
        char text[96];
        snprintf(text, sizeof text, "OpenVINO infers an output of another type (its element type %d)", element);
        decide(self, f, TS_REJECTED, text);
    } else if (l->out->data_dependent) {
        end_dependent(self, f, output, data);
    } else if (!f->out) {
        uint64_t bytes;
        if (pack_measure(l->out, &bytes))
            too_large(self, f);
        else
            decide(self, f, TS_REJECTED, "refused by the adapter: the output exceeds its bytes");
    } else {
        *f->status = TS_OK;
        if (l->out->data && (f->out_copy || data != f->out))
            pack_to(l->out, data);
    }
}

void openvino_words(const openvino *self, char *text, size_t size)
{
    /* "Exception from src/...:\n...\nCheck '...' failed at ...:\nWhile ...:\nREASON\n": the reason is at the end. */
    const char *message = self->api.get_last_err_msg();
    size_t length = message ? strlen(message) : 0;
    while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == ' '))
        --length;
    size_t from = length;
    while (from > 0 && message[from - 1] != '\n')
        --from;
    snprintf(text, size, "OpenVINO: %.*s", (int)(length - from < 300 ? length - from : 300),
             message ? message + from : "");
    if (message)
        self->api.free(message);
}

void flight_refuse(openvino *self, flight *f)
{
    char text[400];
    openvino_words(self, text, sizeof text);
    decide(self, f, TS_REJECTED, text);
}

/* ---- tensors and nodes ------------------------------------------------------------------------------------------- */

static ov_tensor *over(openvino *self, uint32_t dtype, const uint64_t *sizes, uint32_t rank, void *data)
{
    int64_t dims[2 * TS_MAX_DIMS];
    ov_tensor *tensor = NULL;
    for (uint32_t i = 0; i < rank; ++i)
        dims[i] = (int64_t)sizes[i];
    const ov_shape shape = { .rank = rank, .dims = dims };
    if (self->api.tensor_create_from_host_ptr(openvino_element(dtype), shape, data, &tensor))
        return NULL;
    return tensor;
}

ov_tensor *flight_input(openvino *self, const flight *f, unsigned k)
{
    const ts_tensor *t = f->layer.in[k];
    const uint32_t drop = f->layer.drop[k];
    return t ? over(self, t->dtype, t->sizes + drop, t->rank - drop, f->in[k]) : NULL;
}

ov_tensor *flight_output(openvino *self, const flight *f)
{
    const uint64_t *sizes;
    uint32_t rank;
    expected_shape(&f->layer, &rank, &sizes);
    return f->out ? over(self, f->layer.out->dtype, sizes, rank, f->out) : NULL;
}

void flight_input_node(const flight *f, unsigned k, ir_node *n)
{
    const ts_tensor *t = f->layer.in[k];
    const uint32_t drop = f->layer.drop[k];
    memset(n, 0, sizeof *n);
    n->absent = !t;
    if (!t)
        return;
    n->dtype = t->dtype;
    n->rank = t->rank - drop;
    for (uint32_t i = 0; i < n->rank; ++i)
        n->dims[i] = (int64_t)t->sizes[drop + i];
}

void flight_output_node(const flight *f, ir_node *n)
{
    memset(n, 0, sizeof *n);
    n->dtype = f->layer.out->dtype;
}

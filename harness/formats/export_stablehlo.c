/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_stablehlo.h"

#include "harness/formats/export_call.h"
#include "harness/formats/export_pack.h"
#include "harness/model/value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- types and values -------------------------------------------------------------------------------------------- */

/* StableHLO's name of a type; NULL where it has none. */
static const char *stablehlo_type(uint32_t dtype)
{
    static const char *const names[TS_DTYPE_COUNT] = {
        [TS_FLOAT32] = "f32", [TS_FLOAT16] = "f16", [TS_FLOAT64] = "f64", [TS_BFLOAT16] = "bf16", [TS_UINT8] = "ui8",
        [TS_UINT16] = "ui16", [TS_UINT32] = "ui32", [TS_UINT64] = "ui64", [TS_INT8] = "i8",       [TS_INT16] = "i16",
        [TS_INT32] = "i32",   [TS_INT64] = "i64",   [TS_BOOLEAN] = "i1",
    };
    return dtype < TS_DTYPE_COUNT ? names[dtype] : NULL;
}

/* Append "tensor<2x3xf32>". */
static void add_type(text *t, const onnx_shape *shape, const char *element)
{
    text_add(t, "tensor<");
    for (uint32_t i = 0; i < shape->rank; ++i)
        text_format(t, "%" PRId64 "x", shape->sizes[i]);
    text_format(t, "%s>", element);
}

static void add_list(text *t, const int64_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        text_format(t, "%s%" PRId64, i ? ", " : "", values[i]);
}

/* Append an element: a decimal number, or the bits of a float that is none. */
static bool add_value(text *t, uint32_t dtype, const unsigned char *at, export_files *f)
{
    if (dtype == TS_BOOLEAN) {
        text_add(t, *at ? "true" : "false");
        return *at <= 1 || export_cannot(f, "a boolean is neither 0 nor 1");
    }
    if (!export_number(t, dtype, at))
        text_format(t, "0x%0*" PRIX64, 2 * (int)tensor_element_bytes(dtype), value_bits(dtype, at));
    return true;
}

/* Append the elements in nested brackets: count[k] elements are in a bracket of dimension k. */
static bool add_elements(text *t, const ts_tensor *tensor, const onnx_shape *shape, export_files *f)
{
    size_t size, bytes = tensor_element_bytes(tensor->dtype);
    unsigned char *packed = export_pack(tensor, &size);
    uint64_t count[TS_MAX_DIMS + 1] = { 0 };
    count[shape->rank] = 1;
    for (uint32_t k = shape->rank; k-- > 0;)
        count[k] = count[k + 1] * (uint64_t)shape->sizes[k];
    bool fine = packed != NULL;
    t->failed |= !packed;
    for (uint64_t i = 0; fine && i < size / bytes; ++i) {
        text_add(t, i ? ", " : "");
        for (uint32_t k = 0; k < shape->rank; ++k)
            text_add(t, i % count[k] == 0 ? "[" : "");
        fine = add_value(t, tensor->dtype, packed + i * bytes, f);
        for (uint32_t k = 0; k < shape->rank; ++k)
            text_add(t, (i + 1) % count[k] == 0 ? "]" : "");
    }
    free(packed);
    return fine;
}

static bool add_constant(text *t, const char *name, const ts_tensor *tensor, const onnx_shape *shape, export_files *f)
{
    text_format(t, "    %%%s = stablehlo.constant dense<", name);
    const bool fine = add_elements(t, tensor, shape, f);
    text_add(t, "> : ");
    add_type(t, shape, stablehlo_type(tensor->dtype));
    text_add(t, "\n");
    return fine;
}

/* ---- the operation ----------------------------------------------------------------------------------------------- */

/* What the operation takes and gives. */
typedef struct operation {
    onnx_call call;
    const char *element, *index; /* types */
    text input, indices, output; /* tensor types */
} operation;

static void add_slice(text *t, const operation *o)
{
    const uint32_t rank = o->call.data.rank;
    int64_t reversed[TS_MAX_DIMS];
    uint32_t count = 0;
    const char *from = "input";
    for (uint32_t i = 0; i < rank; ++i)
        if (onnx_range_of(&o->call, i).step < 0)
            reversed[count++] = i;
    if (count > 0) {
        text_add(t, "    %reversed = stablehlo.reverse %input, dims = [");
        add_list(t, reversed, count);
        text_format(t, "] : %s\n", o->input.data);
        from = "reversed";
    }
    text_format(t, "    %%result = stablehlo.slice %%%s [", from);
    for (uint32_t i = 0; i < rank; ++i) {
        const onnx_range r = onnx_range_of(&o->call, i);
        const int64_t step = r.step < 0 ? -r.step : r.step;
        const int64_t start = r.step < 0 ? o->call.data.sizes[i] - 1 - r.start : r.start;
        text_format(t, "%s%" PRId64 ":%" PRId64 ":%" PRId64, i ? ", " : "", start,
                    r.count ? start + (r.count - 1) * step + 1 : start, step);
    }
    text_format(t, "] : (%s) -> %s\n", o->input.data, o->output.data);
}

/* Count negative indices from the end. */
static void add_wrap(text *t, const operation *o)
{
    text truth = { .data = NULL };
    add_type(&truth, &o->call.indices, "i1");
    const char *type = o->indices.data, *index = o->index;
    text_format(t,
                "    %%zero_0d = stablehlo.constant dense<0> : tensor<%s>\n"
                "    %%zero = stablehlo.broadcast_in_dim %%zero_0d, dims = [] : (tensor<%s>) -> %s\n"
                "    %%size_0d = stablehlo.constant dense<%" PRId64 "> : tensor<%s>\n"
                "    %%size = stablehlo.broadcast_in_dim %%size_0d, dims = [] : (tensor<%s>) -> %s\n"
                "    %%negative = stablehlo.compare LT, %%indices, %%zero : (%s, %s) -> %s\n"
                "    %%wrapped = stablehlo.add %%indices, %%size : %s\n"
                "    %%from_start = stablehlo.select %%negative, %%wrapped, %%indices : %s, %s\n",
                index, index, type, o->call.data.sizes[o->call.axis], index, index, type, type, type, truth.data, type,
                truth.data, type);
    t->failed |= truth.failed;
    text_free(&truth);
}

static void add_gather(text *t, const operation *o, bool wraps)
{
    const int64_t axis = o->call.axis;
    const uint32_t rank = o->call.data.rank, picks = o->call.indices.rank;
    int64_t offsets[TS_MAX_DIMS], sizes[TS_MAX_DIMS];
    for (uint32_t i = 0; i + 1 < rank; ++i)
        offsets[i] = i < axis ? i : i + picks;
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = i == axis ? 1 : o->call.data.sizes[i];
    if (wraps)
        add_wrap(t, o);
    text_format(t, "    %%result = \"stablehlo.gather\"(%%input, %%%s) {dimension_numbers = #stablehlo.gather<",
                wraps ? "from_start" : "indices");
    if (rank > 1) {
        text_add(t, "offset_dims = [");
        add_list(t, offsets, rank - 1);
        text_add(t, "], ");
    }
    text_format(t,
                "collapsed_slice_dims = [%" PRId64 "], start_index_map = [%" PRId64 "], index_vector_dim = %" PRIu32
                ">, indices_are_sorted = false, slice_sizes = array<i64: ",
                axis, axis, picks);
    add_list(t, sizes, rank);
    text_format(t, ">} : (%s, %s) -> %s\n", o->input.data, o->indices.data, o->output.data);
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

static bool expressible(const case_view *c, onnx_call *call, export_files *f)
{
    const ts_descriptor *d = &c->value.descriptor;
    if (!export_has_outputs(c, f) || !export_call(c, call, f))
        return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (!stablehlo_type(d->tensors[t].dtype))
            return export_cannot(f, "%s: StableHLO does not have its type", d->op->tensors[t].name);
    if (call->op == ONNX_GATHER_ELEMENTS)
        return export_cannot(f, "StableHLO has no gather of single elements without an index for every dimension");
    if (call->op == ONNX_GATHER_ND)
        return export_cannot(f, "a gather by tuples of indices is not written as stablehlo.gather");
    if (call->op == ONNX_SCATTER_ELEMENTS)
        return export_cannot(f, "StableHLO has no scatter of single elements without an index for every dimension");
    if (call->op == ONNX_SCATTER_ND)
        return export_cannot(f, "stablehlo.scatter is not written");
    if (call->op == ONNX_CUM_SUM)
        return export_cannot(f, "running sums are not written as stablehlo.reduce_window");
    if (call->op == ONNX_SPACE_TO_DEPTH || call->op == ONNX_DEPTH_TO_SPACE)
        return export_cannot(f, "%s: a transposition of blocks is not written", d->op->name);
    if (call->op == ONNX_GATHER && call->data.sizes[call->axis] == 0)
        return export_cannot(f, "stablehlo.gather needs an element along its axis");
    return true;
}

static void add_operation(text *t, const operation *o, bool wraps)
{
    const bool gather = o->call.op == ONNX_GATHER;
    text_format(t, "  func.func private @operation(%%input: %s%s%s) -> %s {\n", o->input.data,
                gather ? ", %indices: " : "", gather ? o->indices.data : "", o->output.data);
    if (gather)
        add_gather(t, o, wraps);
    else if (o->call.op == ONNX_SLICE)
        add_slice(t, o);
    else
        text_format(t, "    %%result = stablehlo.reshape %%input : (%s) -> %s\n", o->input.data, o->output.data);
    text_format(t, "    return %%result : %s\n  }\n", o->output.data);
}

/* Call the operation and compare what it gives. */
static void add_check(text *t, const operation *o)
{
    const bool gather = o->call.op == ONNX_GATHER;
    const char *output = o->output.data;
    text_format(t, "    %%result = call @operation(%%input%s) : (%s%s%s) -> %s\n", gather ? ", %indices" : "",
                o->input.data, gather ? ", " : "", gather ? o->indices.data : "", output);
    text_format(t, "    \"check.expect_eq\"(%%result, %%expected) : (%s, %s) -> ()\n    return\n  }\n", output, output);
}

bool export_stablehlo(case_view *c, export_files *f, error *e)
{
    const ts_tensor *tensors = c->value.descriptor.tensors;
    const ts_tensor *output = &tensors[c->value.descriptor.op->tensor_count - 1];
    operation o = { .element = NULL };
    if (!expressible(c, &o.call, f))
        return false;
    const bool gather = o.call.op == ONNX_GATHER;
    o.element = stablehlo_type(tensors[0].dtype);
    o.index = gather ? stablehlo_type(tensors[1].dtype) : "";
    add_type(&o.input, &o.call.data, o.element);
    add_type(&o.indices, &o.call.indices, o.index);
    add_type(&o.output, &o.call.output, o.element);
    text *t = export_add(f, "");
    text_add(t, "// ");
    text_visible(t, c->id);
    text_add(t, "\nmodule {\n");
    bool fine = !o.input.failed && !o.indices.failed && !o.output.failed;
    if (fine) {
        add_operation(t, &o, gather && tensor_dtype(tensors[1].dtype)->is_signed);
        text_add(t, "  func.func @main() {\n");
        fine = add_constant(t, "input", &tensors[0], &o.call.data, f) &&
               (!gather || add_constant(t, "indices", &tensors[1], &o.call.indices, f)) &&
               add_constant(t, "expected", output, &o.call.output, f);
        add_check(t, &o);
        text_add(t, "}\n");
    }
    t->failed |= o.input.failed || o.indices.failed || o.output.failed;
    text_free(&o.input);
    text_free(&o.indices);
    text_free(&o.output);
    return t->failed ? error_set(e, "out of memory") : fine;
}

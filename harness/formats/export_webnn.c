/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_webnn.h"

#include "harness/formats/export_call.h"
#include "harness/formats/export_pack.h"
#include "harness/formats/webnn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void add_list(text *t, const char *name, const int64_t *values, uint32_t count)
{
    text_format(t, "\"%s\": [", name);
    for (uint32_t i = 0; i < count; ++i)
        text_format(t, "%s%" PRId64, i ? ", " : "", values[i]);
    text_add(t, "]");
}

/* Append "NAME": { "data": ..., "descriptor": ... }. False: f->why, or without memory t->failed. */
static bool add_operand(text *t, const char *name, const ts_tensor *tensor, const onnx_shape *shape, export_files *f)
{
    size_t bytes;
    unsigned char *packed = export_pack(tensor, &bytes);
    const size_t size = tensor_element_bytes(tensor->dtype);
    bool fine = packed != NULL;
    t->failed |= !packed;
    text_format(t, "\"%s\": { \"data\": [", name);
    for (size_t i = 0; fine && i < bytes; i += size) {
        text_add(t, i ? ", " : "");
        fine = export_number(t, tensor->dtype, packed + i);
        if (!fine)
            export_cannot(f, "a value is NaN or infinite, and JSON has no such numbers");
    }
    text_add(t, "], \"descriptor\": { ");
    add_list(t, "shape", shape->sizes, shape->rank);
    text_format(t, ", \"dataType\": \"%s\" } }", webnn_type_name(tensor->dtype));
    free(packed);
    return fine;
}

/* ---- the operator ------------------------------------------------------------------------------------------------ */

/* The extent of a step's window, if WebNN takes as many elements from it; else 0. */
static int64_t extent_of(const onnx_call *call, uint32_t axis, int64_t count)
{
    const int64_t extent = axis < call->extents && call->step[axis] > 0 ? call->extent[axis] : 0;
    return extent > 0 && 1 + (extent - 1) / call->step[axis] == count ? extent : 0;
}

/* WebNN's slice: where each axis begins, the extent that it covers, and its step. */
static bool add_slice(text *t, const onnx_call *call, export_files *f)
{
    int64_t starts[TS_MAX_DIMS], sizes[TS_MAX_DIMS], strides[TS_MAX_DIMS];
    for (uint32_t i = 0; i < call->data.rank; ++i) {
        const onnx_range range = onnx_range_of(call, i);
        const int64_t extent = extent_of(call, i, range.count);
        if (range.step < 0)
            return export_cannot(f, "WebNN has no negative steps");
        starts[i] = range.start;
        sizes[i] = extent ? extent : (range.count - 1) * range.step + 1;
        strides[i] = extent ? call->step[i] : range.step;
    }
    text_add(t, "{ ");
    add_list(t, "starts", starts, call->data.rank);
    text_add(t, " }, { ");
    add_list(t, "sizes", sizes, call->data.rank);
    text_add(t, " }, { \"options\": { ");
    add_list(t, "strides", strides, call->data.rank);
    text_add(t, " } }");
    return true;
}

static bool expressible(const case_view *c, onnx_call *call, export_files *f)
{
    const ts_descriptor *d = &c->value.descriptor;
    if (!export_has_outputs(c, f) || !export_call(c, call, f))
        return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        if (!webnn_type_name(d->tensors[t].dtype))
            return export_cannot(f, "%s: WebNN does not have its type", d->op->tensors[t].name);
        for (uint32_t i = 0; i < d->tensors[t].rank; ++i)
            if (d->tensors[t].sizes[i] == 0)
                return export_cannot(f, "WebNN has no dimensions of 0");
    }
    if (onnx_has_indices(call->op) && d->tensors[1].dtype == TS_UINT64)
        return export_cannot(f, "WebNN has no UINT64 indices");
    if (call->op == ONNX_CUM_SUM)
        return export_cannot(f, "cumulativeSum is not written");
    if (call->op == ONNX_GATHER_ND && call->axis != 0)
        return export_cannot(f, "WebNN's gatherND has no batches");
    if (call->op == ONNX_SPACE_TO_DEPTH)
        return export_cannot(f, "WebNN has no operator that does what %s does", d->op->name);
    return true;
}

/* WebNN's names of the inputs that are tensors, in ONNX's order. */
static const char *const operands[ONNX_MOST_TENSORS] = { "input", "indices", "updates" };

static bool add_inputs(text *t, const ts_tensor *tensors, const onnx_call *call, export_files *f)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < onnx_form_of(call->op)->tensors; ++i) {
        text_add(t, i ? ",\n" : "");
        fine = add_operand(t, operands[i], &tensors[i], onnx_input_shape(call, i), f);
    }
    return fine;
}

/* What the operator takes: its operands, then the lists of slice or an axis. */
static void add_arguments(text *t, const onnx_call *call, const text *lists)
{
    const onnx_form *form = onnx_form_of(call->op);
    for (uint32_t i = 0; i < form->tensors; ++i)
        text_format(t, "%s{ \"%s\": \"%s\" }", i ? ", " : "", operands[i], operands[i]);
    if (form->lists)
        text_format(t, ", %s", lists->data ? lists->data : "");
    if (form->axis && call->op != ONNX_GATHER_ND)
        text_format(t, ", { \"options\": { \"axis\": %" PRId64 " } }", call->axis);
}

bool export_webnn(case_view *c, export_files *f, error *e)
{
    static const char *const names[] = { [ONNX_SLICE] = "slice",
                                         [ONNX_GATHER] = "gather",
                                         [ONNX_GATHER_ELEMENTS] = "gatherElements",
                                         [ONNX_GATHER_ND] = "gatherND",
                                         [ONNX_SCATTER_ELEMENTS] = "scatterElements",
                                         [ONNX_SCATTER_ND] = "scatterND",
                                         [ONNX_IDENTITY] = "identity" };
    const ts_tensor *tensors = c->value.descriptor.tensors;
    onnx_call call;
    if (!expressible(c, &call, f))
        return false;
    text *t = export_add(f, ""), lists = { .data = NULL };
    bool fine = !onnx_form_of(call.op)->lists || add_slice(&lists, &call, f);
    text_format(t, "{ \"operation\": \"%s\", \"tests\": [ { \"name\": ", names[call.op]);
    text_json(t, c->id);
    text_add(t, ", \"graph\": {\n\"inputs\": {\n");
    fine = fine && add_inputs(t, tensors, &call, f);
    text_format(t, " },\n\"operators\": [ { \"name\": \"%s\", \"arguments\": [ ", names[call.op]);
    add_arguments(t, &call, &lists);
    text_add(t, " ], \"outputs\": \"output\" } ],\n\"expectedOutputs\": {\n");
    fine = fine && add_operand(t, "output", &tensors[c->value.descriptor.op->tensor_count - 1], &call.output, f);
    text_add(t, " } } } ] }\n");
    const bool failed = t->failed || lists.failed;
    text_free(&lists);
    return failed ? error_set(e, "out of memory") : fine;
}

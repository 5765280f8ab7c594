/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_webnn.h"

#include "harness/formats/export_call.h"
#include "harness/formats/export_pack.h"
#include "harness/formats/webnn.h"
#include "harness/formats/webnn/graph.h"

#include <inttypes.h>
#include <stdio.h>
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

/* WebNN's names of the inputs that are tensors, in ONNX's order. */
static const char *const operands[ONNX_MOST_TENSORS] = { "input", "indices", "updates" };

/* An operator of ONNX: its operands, then the lists of slice or an axis. */
static bool add_onnx(text *t, const onnx_call *call, const char *name, export_files *f)
{
    const onnx_form *form = onnx_form_of(call->op);
    bool fine = true;
    text_format(t, "{ \"name\": \"%s\", \"arguments\": [ ", name);
    for (uint32_t i = 0; i < form->tensors; ++i)
        text_format(t, "%s{ \"%s\": \"%s\" }", i ? ", " : "", operands[i], operands[i]);
    if (form->lists) {
        text_add(t, ", ");
        fine = add_slice(t, call, f);
    }
    if (form->axis && call->op != ONNX_GATHER_ND)
        text_format(t, ", { \"options\": { \"axis\": %" PRId64 " } }", call->axis);
    text_add(t, " ], \"outputs\": \"output\" }");
    return fine;
}

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

static void add_argument(text *t, const webnn_argument *a)
{
    if (a->kind == WEBNN_FLAG)
        text_format(t, "\"%s\": %s", a->name, a->values[0] ? "true" : "false");
    else
        text_format(t, "\"%s\": %s", a->name, a->kind == WEBNN_NUMBERS ? "[" : "");
    for (uint32_t i = 0; a->kind != WEBNN_FLAG && i < a->count; ++i)
        text_format(t, "%s%" PRIu64, i ? ", " : "", a->values[i]);
    text_add(t, a->kind == WEBNN_NUMBERS ? "]" : "");
}

static void add_operation(text *t, const webnn_operation *o)
{
    bool options = false;
    text_format(t, "{ \"name\": \"%s\", \"arguments\": [ { ", o->name);
    if (o->joined == 0)
        text_format(t, "\"input\": \"%s\"", o->input);
    for (uint32_t i = 0; i < o->joined; ++i)
        text_format(t, "%s\"%s%u\"", i ? ", " : "\"inputs\": [", o->input, i);
    text_add(t, o->joined ? "]" : "");
    for (uint32_t i = 0; i < o->argument_count; ++i) {
        const bool first = o->arguments[i].option && !options;
        text_add(t, options ? ", " : first ? " }, { \"options\": { " : " }, { ");
        add_argument(t, &o->arguments[i]);
        options |= first;
    }
    text_format(t, " }%s ], \"outputs\": \"%s\" }", options ? " }" : "", o->output);
}

/* ---- a case ------------------------------------------------------------------------------------------------------ */

/* A case whose tensors WebNN has. */
static bool expressible(const case_view *c, export_files *f)
{
    const ts_descriptor *d = &c->value.descriptor;
    if (!export_has_outputs(c, f))
        return false;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        if (!operator_has_tensor(d, t))
            continue;
        if (!webnn_type_name(d->tensors[t].dtype))
            return export_cannot(f, "%s: WebNN does not have its type", d->op->tensors[t].name);
        for (uint32_t i = 0; i < d->tensors[t].rank; ++i)
            if (d->tensors[t].sizes[i] == 0)
                return export_cannot(f, "WebNN has no dimensions of 0");
    }
    return true;
}

/* The same of the call, which ONNX has. */
static const char *const names[ONNX_OPS] = { [ONNX_SLICE] = "slice",
                                             [ONNX_GATHER] = "gather",
                                             [ONNX_GATHER_ELEMENTS] = "gatherElements",
                                             [ONNX_GATHER_ND] = "gatherND",
                                             [ONNX_SCATTER_ELEMENTS] = "scatterElements",
                                             [ONNX_SCATTER_ND] = "scatterND",
                                             [ONNX_IDENTITY] = "identity" };

static bool translated(const case_view *c, onnx_call *call, export_files *f)
{
    if (!export_call(c, call, f))
        return false;
    if (onnx_has_indices(call->op) && c->value.descriptor.tensors[1].dtype == TS_UINT64)
        return export_cannot(f, "WebNN has no UINT64 indices");
    if (!names[call->op])
        return export_cannot(f, "a graph of WebNN's operators is not written for it");
    if (call->op == ONNX_GATHER_ND && call->axis != 0)
        return export_cannot(f, "WebNN's gatherND has no batches");
    return true;
}

static onnx_shape shape_of(const ts_tensor *tensor)
{
    onnx_shape shape = { .rank = tensor->rank };
    for (uint32_t i = 0; i < tensor->rank; ++i)
        shape.sizes[i] = (int64_t)tensor->sizes[i];
    return shape;
}

/* call: NULL where the tensors have their own shapes. */
static bool add_inputs(text *t, const ts_descriptor *d, const onnx_call *call, export_files *f)
{
    bool fine = true;
    for (unsigned k = 0; fine && k + 1 < d->op->tensor_count; ++k) { /* the output is the last one */
        const onnx_shape own = shape_of(&d->tensors[k]);
        char name[24];
        if (!operator_has_tensor(d, k))
            continue;
        if (operator_list_of(d->op, k)) /* of JOIN */
            snprintf(name, sizeof name, "input%u", k);
        else
            snprintf(name, sizeof name, "%s", operands[k]);
        text_add(t, k ? ",\n" : "");
        fine = add_operand(t, name, &d->tensors[k], call ? onnx_input_shape(call, k) : &own, f);
    }
    return fine;
}

bool export_webnn(case_view *c, export_files *f, error *e)
{
    const ts_descriptor *d = &c->value.descriptor;
    const ts_tensor *result = &d->tensors[d->op->tensor_count - 1];
    const bool own = webnn_graph_of(d->op->name);
    onnx_call call;
    webnn_graph graph;
    if (!expressible(c, f) || (!own && !translated(c, &call, f)))
        return false;
    const onnx_shape output = own ? shape_of(result) : call.output;
    text *t = export_add(f, ""), operators = { .data = NULL };
    bool fine = true;
    if (own) {
        const ts_call asked = operator_call(d);
        webnn_graph_make(&asked, &graph);
        for (uint32_t i = 0; i < graph.count; ++i) {
            text_add(&operators, i ? ",\n" : "");
            add_operation(&operators, &graph.operations[i]);
        }
    } else {
        fine = add_onnx(&operators, &call, names[call.op], f);
    }
    text_format(t, "{ \"operation\": \"%s\", \"tests\": [ { \"name\": ", own ? graph.title : names[call.op]);
    text_json(t, c->id);
    text_add(t, ", \"graph\": {\n\"inputs\": {\n");
    fine = fine && add_inputs(t, d, own ? NULL : &call, f);
    text_format(t, " },\n\"operators\": [ %s ],\n\"expectedOutputs\": {\n", operators.data ? operators.data : "");
    fine = fine && add_operand(t, "output", result, &output, f);
    text_add(t, " } } } ] }\n");
    const bool failed = t->failed || operators.failed;
    text_free(&operators);
    return failed ? error_set(e, "out of memory") : fine;
}
